"""Modules are imported when they are needed, and not before."""

import subprocess
import sys
from importlib import import_module

import pytest

import retrosolve as rs
from retrosolve.cli import COMMANDS
from retrosolve.formats import FORMATS
from retrosolve.games import GAMES
from retrosolve.solution import open_solution
from retrosolve.solution import sum as sum_of_games

# What only some users have, and what takes long to import.
EXTRAS = [
    "anyio",
    "fsspec",
    "jinja2",
    "markupsafe",
    "matplotlib",
    "networkx",
    "pandas",
    "pyarrow",
    "pydot",
    "ray",
    "scipy",
    "starlette",
    "uvicorn",
]
HEAVY = {"numba", "rich", *EXTRAS}
HELP = "from retrosolve.cli import run; assert run(['--help']) == 0"


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.splitlines()[-1].split())


def ours(loaded: set[str], package: str) -> set[str]:
    return {name for name in loaded if f"{name}.".startswith(f"retrosolve{package}.")}


def test_import_loads_errors_and_values_only() -> None:
    loaded = loaded_by("import retrosolve")
    names = ("", ".errors", ".runtime", ".runtime.lazy", ".values")
    assert ours(loaded, "") == {f"retrosolve{name}" for name in names}
    assert not loaded & {"numpy", "click", *HEAVY}


def test_a_game_on_the_command_line_loads_no_other_game_and_no_file_format() -> None:
    loaded = loaded_by("from retrosolve.cli import run; assert run(['solve', 'stones']) == 0")
    for package, modules in {
        ".games": ["", ".parameters", ".stones", ".table"], ".formats": ["", ".table"],
        ".solvers": ["", ".acyclic", ".worklist"], ".verification": ["", ".local", ".verify"], ".pursuit": [], ".store": [],
    }.items():  # fmt: skip
        assert ours(loaded, package) == {f"retrosolve{package}{module}" for module in modules}
    assert not loaded & {*HEAVY, "multiprocessing", "secrets", "socket", "subprocess", "tempfile"}
    assert not loaded & {
        f"retrosolve.cli.{module}" for module in COMMANDS.values() if module != "solve"
    }


@pytest.mark.parametrize(
    "code",
    [
        "from retrosolve.cli import run; run(['games', '--json'])",
        "from retrosolve.cli import run; run(['solve', 'examples/boards/caught.txt', '--json'])",
        "import numpy as np, retrosolve as rs\n"
        "edges = np.random.default_rng(0).integers(0, 2000, (2, 6000))\n"
        "rs.verify(rs.solve(rs.Graph.from_edges(*edges, 2000)))",
    ],
    ids=["games", "board", "graph"],
)
def test_small_work_pays_for_no_compiler_and_no_other_library(code: str) -> None:
    assert not loaded_by(code) & HEAVY


NO_LIBRARIES = f"import sys\nsys.modules.update(dict.fromkeys({EXTRAS}))\n"


def test_all_names_and_the_help_need_no_library_of_an_extra() -> None:
    loaded_by(f"{NO_LIBRARIES}from retrosolve import *\n{HELP}")


@pytest.mark.parametrize("command", ["serve", "export stones --static site", "film stones film.html"])
def test_without_an_extra_commands_name_it(command: str) -> None:
    program = f"{NO_LIBRARIES}from retrosolve.cli import run\nsys.exit(run({command.split()}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("pip install 'retrosolve[web]'\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("package", ["retrosolve", "retrosolve.pursuit"])
def test_public_names_are_imported_when_asked_for(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    assert all(getattr(module, name) is not None for name in module.__all__)
    with pytest.raises(AttributeError):
        _ = module.nothing


def test_open_and_sum_are_public_and_not_imported_with_all_names() -> None:
    assert (rs.open, rs.sum) == (open_solution, sum_of_games)
    assert {"open", "sum"} <= set(dir(rs)) - set(rs.__all__)


@pytest.mark.parametrize("name", GAMES)
def test_every_row_of_the_games_names_something_callable(name: str) -> None:
    made = GAMES[name].make
    assert made.__module__ == GAMES[name].location.partition(":")[0]
    assert list(GAMES[name].defaults()) == list(GAMES[name].parameters)


@pytest.mark.parametrize("name", FORMATS)
def test_every_row_of_the_formats_names_functions(name: str) -> None:
    kind = FORMATS[name]
    for name_in_module, function in ((kind.reader, kind.read), (kind.writer, kind.write)):
        inner = getattr(function, "func", function)
        assert getattr(inner, "__name__", None) == name_in_module
