"""What an import brings along, and that neither library nor import speaks."""

import subprocess
import sys

import pytest

HEAVY = (
    "numba",
    "networkx",
    "matplotlib",
    "scipy",
    "pandas",
    "pyarrow",
    "pydot",
    "click",
    "rich",
    "ray",
    "fsspec",
)


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return {name.split(".")[0] for name in done.stdout.rsplit("\n", 2)[-2].split()}


def test_import_is_light() -> None:
    loaded = loaded_by("import retrosolve")
    assert "retrosolve" in loaded
    assert not loaded & {"numpy", *HEAVY}


@pytest.mark.thorough
def test_a_small_solve_pays_for_no_compiler() -> None:
    code = (
        "import numpy as np, retrosolve as rs\n"
        "rng = np.random.default_rng(0)\n"
        "rs.verify(rs.solve(rs.Graph.from_edges(*rng.integers(0, 2000, (2, 6000)), 2000)))"
    )
    assert "numba" not in loaded_by(code)


@pytest.mark.thorough
@pytest.mark.parametrize("board", ["caught", "draw"])
def test_the_command_line_loads_only_what_it_needs(board: str) -> None:
    code = f"from retrosolve.cli import run; run(['solve', 'examples/boards/{board}.txt', '--json'])"
    assert not loaded_by(code) & {"numba", "networkx", "scipy", "pandas", "pyarrow", "pydot", "rich"}
