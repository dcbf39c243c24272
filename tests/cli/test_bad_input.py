"""Bad usage: one line on stderr and exit status 2. The sentences that are ours are in ``tests/messages.txt``."""

import re

import pytest

from retrosolve.cli import COMMANDS
from retrosolve.objectives import OBJECTIVES
from retrosolve.solvers import SOLVERS
from tests.support.commands import Shell


@pytest.mark.parametrize(
    "line",
    [
        "guess", "solve", "solve a b", "solve stones --speed", "solve stones --solver magic", "solve stones --stuck draw",
        "solve stones --threads 0", "solve stones --threads two", "solve stones --plies -1", "plan stones --format xyz",
        "explain stones --language xx", "play stones --mistakes 2", "serve stones --host 'no host' --no-browser",
        "convert stones none/\x1b[2J\u202eg\n.npz", "solve '\x1b[2J\u202eg\n'", "\x1b[2J\u202eg\n", "solve \udcff\x1b.csv",
        "solve stones --start '\x1b[2J\u202eg\n'", "solve stones:n=\x1b[2J\u202e", "solve '\x1b.py:\x1b\n'",
    ],
)  # fmt: skip
def test_bad_usage_is_one_printable_line_and_status_two(line: str, sh: Shell) -> None:
    assert sh(line, status=2) == ""
    assert sh.err.removesuffix("\n").isprintable()
    assert sh.err.startswith("retrosolve: ")


@pytest.mark.parametrize("line", ["", "-h", *(f"{command} --help" for command in COMMANDS)])
def test_help_lists_every_command_and_shows_examples(line: str, sh: Shell) -> None:
    shown = sh(line, status=0 if line else 2)
    name = line.partition(" ")[0] if " " in line else ""
    if name:
        assert shown.startswith(f"Usage: retrosolve {name} ")
        assert shown.partition("Examples:\n")[2].count(f"    retrosolve {name}") >= 2
    else:
        listed = (shown or sh.err).partition("Commands:\n")[2]
        assert [text.split()[0] for text in listed.splitlines()] == list(COMMANDS)


def test_solvers_and_objectives_are_explained(sh: Shell) -> None:
    for command in ("solve", "plan", "probe", "verify"):
        text = sh(f"{command} --help")
        for solver in SOLVERS:
            assert re.search(
                rf"^    ({solver.name})? +{re.escape(solver.summary)}$", text, re.MULTILINE
            )
        assert all(f"{objective}: " in re.sub(r"-\s+", "-", text) for objective in OBJECTIVES)


def test_a_saved_solution_is_not_saved_over_itself(sh: Shell) -> None:
    sh("solve stones:n=5 -o v1.0/")
    sh("solve stones:n=6 -o v1.0")
    sh("solve v1.0 -o v1.0", status=2)
    assert sh.json("probe v1.0")["position"] == 6
