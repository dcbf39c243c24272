"""A page that was downloaded as a notebook installs the package, and prints what the page shows."""

import json
import os
import subprocess
import sys
from pathlib import Path

from docs.site.notebooks import WHEEL, notebook_files, place, wheel


def test_a_notebook_installs_the_package_from_the_file_beside_it(tmp_path: Path) -> None:
    """In an environment that has the libraries, but not the package, and without an index."""
    (tmp_path / WHEEL).write_bytes(wheel())
    notebook = json.loads(dict(notebook_files())[place("learn/naive")])
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    expected = "".join("".join(output["text"]) for cell in cells for output in cell["outputs"])
    installed = tmp_path / "installed"
    program = "\n".join("".join(cell["source"]) for cell in cells)
    # An editable installation is seen by all programs of its interpreter: hide it, and install elsewhere.
    hidden = "import sys\nsys.path = [path for path in sys.path if not path.endswith('src')]\n"
    shown = "\nprint(sys.modules['retrosolve'].__file__)\n"
    settings = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}
    settings |= {"PIP_TARGET": str(installed), "PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-c", hidden + program + shown],
        cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"{expected}{installed}/retrosolve/__init__.py\n"
