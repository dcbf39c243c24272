"""``--help``: what INPUT may be, examples, and the solvers."""

import re

import pytest

import retrosolve as rs
from retrosolve.cli import COMMANDS, run
from retrosolve.solvers import SOLVERS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_input_may_be_with_two_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert ("INPUT is a board file;" in text) == (command != "check-solution")
    examples = re.findall(
        rf"^    retrosolve {command}\b.*$", text.partition("Examples:\n")[2], re.MULTILINE
    )
    assert len(examples) >= 2


def test_solvers_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("solve", "plan", "probe", "verify"):
        assert run([command, "--help"]) == 0
        text = capsys.readouterr().out
        for solver in SOLVERS:
            assert re.search(
                rf"^    ({solver.name})? +{re.escape(solver.summary)}$", text, re.MULTILINE
            )


def test_objectives_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "--help"]) == 0
    text = re.sub(r"-\s+", "-", capsys.readouterr().out)
    for objective in rs.objectives.OBJECTIVES:
        assert f"{objective}: " in text


def test_the_package_knows_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"retrosolve, version {rs.__version__}\n"
