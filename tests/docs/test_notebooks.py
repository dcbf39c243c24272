"""Pages can be downloaded as notebooks, which print what their pages show."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

from docs.site.notebooks import NOTEBOOKS, WHEEL, notebook_files, place, wheel
from tests.support.pages import DOCS

pytestmark = pytest.mark.thorough

EXECUTED = ("learn/backward", "learn/by-hand.fa")


@cache
def files() -> dict[str, str]:
    """The text of each notebook: drawing all figures takes seconds."""
    return dict(notebook_files())


def code(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of code of the page, without the one that installs the package."""
    cells = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    assert [cell["metadata"].get("tags") for cell in cells][:2] == [["install"], None]
    return cells[1:]


def printed(cell: dict[str, Any]) -> str:
    """What a cell prints: a kernel may send one line in several pieces."""
    return "".join("".join(output["text"]) for output in cell["outputs"])


@pytest.mark.parametrize("docname", NOTEBOOKS)
def test_a_notebook_is_valid_and_names_no_file_of_the_site(docname: str) -> None:
    found = json.loads(files()[place(docname)])
    nbformat.validate(found)
    text = "".join(
        "".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "markdown"
    )
    assert not re.search(r"\]\((?!https?:|attachment:)|<a |```{|^---", text, re.MULTILINE)
    attached = {name for cell in found["cells"] for name in cell.get("attachments", {})}
    assert set(re.findall(r"\(attachment:([^)]+)\)", text)) == attached
    assert code(found)


@pytest.mark.parametrize("docname", NOTEBOOKS)
def test_a_notebook_has_the_code_of_its_page(docname: str) -> None:
    page = (DOCS / f"{docname}.md").read_text("utf-8")
    blocks = re.findall(r"```(?:python|{code-cell} ipython3)\n(.*?)```", page, re.DOTALL)
    cells = code(json.loads(files()[place(docname)]))
    assert len(cells) == len(blocks)
    for cell, block in zip(cells, blocks, strict=True):
        assert printed(cell).splitlines() == re.findall(r"#> (.*)", block)
        assert "".join(cell["source"]).split() == re.sub(r"(?m)^#>.*\n", "", block).split()


@pytest.mark.parametrize("docname", EXECUTED)
def test_a_notebook_prints_what_it_shows(docname: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for cell in code(json.loads(files()[place(docname)])):
        exec("".join(cell["source"]), names)
        assert capsys.readouterr().out == printed(cell)


@pytest.mark.parametrize("docname", NOTEBOOKS)
def test_each_section_of_a_notebook_begins_a_slide(docname: str) -> None:
    page = (DOCS / f"{docname}.md").read_text("utf-8")
    cells = json.loads(files()[place(docname)])["cells"]
    slides = [cell["metadata"]["slideshow"]["slide_type"] for cell in cells]
    prose = re.sub(r"(?ms)^```.*?^```", "", page)
    assert slides.count("slide") == len(re.findall(r"(?m)^##? ", prose))
    assert slides[:3] == ["slide", "skip", "skip"]


def test_a_notebook_installs_the_package_from_the_file_beside_it(tmp_path: Path) -> None:
    """In an environment that has the libraries, but not the package, and without an index."""
    (tmp_path / WHEEL).write_bytes(wheel())
    found = json.loads(files()[place("learn/naive")])
    cells = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    expected = "".join(printed(cell) for cell in cells)
    place_of_it = tmp_path / "installed"
    program = "\n".join("".join(cell["source"]) for cell in cells)
    # An editable installation is seen by all programs of its interpreter: hide it, and install elsewhere.
    hidden = "import sys\nsys.path = [path for path in sys.path if not path.endswith('src')]\n"
    shown = "\nprint(sys.modules['retrosolve'].__file__)\n"
    environment = os.environ | {
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_TARGET": str(place_of_it),
        "PYTHONPATH": str(place_of_it),
    }
    done = subprocess.run(
        [sys.executable, "-c", hidden + program + shown],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{expected}{place_of_it}/retrosolve/__init__.py\n"


def test_jupyter_executes_a_notebook() -> None:
    from nbclient import NotebookClient

    found = nbformat.reads(files()[place("learn/naive")], as_version=4)
    expected = [printed(cell) for cell in code(found)]
    NotebookClient(found, timeout=60, kernel_name="python3").execute()
    assert [printed(cell) for cell in code(found)] == expected
