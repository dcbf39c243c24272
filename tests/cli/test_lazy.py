"""Modules are imported when they are needed, and not before."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import COMMANDS, run
from retrosolve.formats import FORMATS
from retrosolve.games import GAMES
from retrosolve.runtime.lazy import load
from retrosolve.solution import open_solution
from retrosolve.solution import sum as sum_of_games

SOURCE = Path(rs.__file__).parent


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def ours(loaded: set[str], package: str) -> set[str]:
    return {name for name in loaded if name == package or name.startswith(f"{package}.")}


def test_import_loads_errors_and_values_only() -> None:
    assert ours(loaded_by("import retrosolve"), "retrosolve") == {
        "retrosolve",
        "retrosolve.errors",
        "retrosolve.runtime",
        "retrosolve.runtime.lazy",
        "retrosolve.values",
    }


def test_a_game_on_the_command_line_loads_no_other_game_and_no_file_format() -> None:
    loaded = loaded_by("from retrosolve.cli import run; assert run(['solve', 'stones']) == 0")
    assert ours(loaded, "retrosolve.games") == {
        "retrosolve.games",
        "retrosolve.games.parameters",
        "retrosolve.games.stones",
        "retrosolve.games.table",
    }
    assert ours(loaded, "retrosolve.formats") == {"retrosolve.formats", "retrosolve.formats.table"}
    assert ours(loaded, "retrosolve.solvers") == {
        "retrosolve.solvers",
        "retrosolve.solvers.acyclic",
        "retrosolve.solvers.worklist",
    }
    assert ours(loaded, "retrosolve.verification") == {
        "retrosolve.verification",
        "retrosolve.verification.local",
        "retrosolve.verification.verify",
    }
    for package in ("retrosolve.pursuit", "retrosolve.store", "rich", "numba", "networkx", "pyarrow"):
        assert not ours(loaded, package)
    assert not loaded & {"multiprocessing", "secrets", "socket", "subprocess", "tempfile"}
    others = {f"retrosolve.cli.{module}" for module in COMMANDS.values() if module != "solve"}
    assert not loaded & others


def test_listing_the_games_as_json_needs_no_terminal_library() -> None:
    loaded = loaded_by("from retrosolve.cli import run; assert run(['games', '--json']) == 0")
    assert {f"retrosolve.cli.{module}" for module in COMMANDS.values()} & loaded == {
        "retrosolve.cli.games"
    }
    assert not ours(loaded, "rich")


LIBRARIES = "anyio fsspec jinja2 markupsafe matplotlib networkx pandas pyarrow starlette uvicorn"
NO_LIBRARIES = f"import sys\nsys.modules.update(dict.fromkeys({LIBRARIES.split()}))\n"


def test_all_names_and_the_help_need_no_library_of_an_extra() -> None:
    program = (
        f"{NO_LIBRARIES}from retrosolve import *\n"
        "from retrosolve.cli import run\nassert run(['--help']) == 0"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Commands:\n  solve" in done.stdout


@pytest.mark.parametrize(
    ("command", "purpose"),
    [
        (["serve"], "serving pages needs starlette"),
        (["export", "stones", "--static", "site"], "exporting pages needs jinja2"),
        (["film", "stones", "film.html"], "writing films needs jinja2"),
    ],
)
def test_without_an_extra_commands_name_it(command: list[str], purpose: str, tmp_path: Path) -> None:
    program = f"{NO_LIBRARIES}from retrosolve.cli import run\nsys.exit(run({command}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.stderr == f"retrosolve: {purpose}: pip install 'retrosolve[web]'\n"
    assert done.returncode == 2


def static_imports(path: Path) -> dict[str, str]:
    """Public name -> module or "module:name", from what a type checker sees."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("retrosolve"):
            folder = SOURCE.parent / node.module.replace(".", "/")
            for alias in node.names:
                is_module = (folder / alias.name).is_dir() or (folder / f"{alias.name}.py").is_file()
                separator = "." if is_module else ":"
                found[alias.asname or alias.name] = f"{node.module}{separator}{alias.name}"
    return found


@pytest.mark.parametrize("package", ["retrosolve", "retrosolve.pursuit"])
def test_type_checkers_see_what_is_imported(package: str) -> None:
    module = import_module(package)
    assert module.__file__ is not None
    seen = static_imports(Path(module.__file__))
    # rs.open is open_solution, and not in __all__: an import of all names would replace Python's open.
    # So it is with rs.sum; and Mover is the class of rs.CHANCE, of which nothing else is public.
    assert set(module.__all__) == set(seen) - {
        "Mover", "lazy_attributes", "open_solution", "sum_of_games",
    }  # fmt: skip
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is load(seen[name]), name


def test_open_and_sum_are_public_and_not_imported_with_all_names() -> None:
    assert rs.open is open_solution
    assert "open" in dir(rs)
    assert "open" not in rs.__all__
    assert rs.sum is sum_of_games
    assert "sum" in dir(rs)
    assert "sum" not in rs.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'retrosolve' has no attribute 'nothing'"):
        _ = rs.nothing


@pytest.mark.parametrize("name", GAMES)
def test_every_row_of_the_games_names_something_callable(name: str) -> None:
    made = GAMES[name].make
    assert made.__module__ == GAMES[name].location.partition(":")[0]
    assert list(GAMES[name].defaults()) == list(GAMES[name].parameters)


@pytest.mark.parametrize("name", FORMATS)
def test_every_row_of_the_formats_names_functions(name: str) -> None:
    kind = FORMATS[name]
    for name_in_module, function in ((kind.reader, kind.read), (kind.writer, kind.write)):
        assert (name_in_module is None) == (function is None)
        if function is not None:
            inner = getattr(function, "func", function)
            assert inner.__module__ == f"retrosolve.formats.{kind.module}"
            assert inner.__name__ == name_in_module


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:\n")[2]
    assert [line.split()[0] for line in listed.splitlines()] == list(COMMANDS)
    for name in COMMANDS:
        assert run([name, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: retrosolve {name} ")
