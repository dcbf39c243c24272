"""The values alone, of every kind of subject: those of the outcomes, proven, planned and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import WinLossDraw
from retrosolve.rules import exploring
from retrosolve.spaces.product import ProductSpace
from retrosolve.testing.strategies import compiled_games, games, graphs, stuck_values
from retrosolve.values import Value
from tests.support.marks import THOROUGH

QUORIDOR = pytest.param("quoridor:n=3", marks=THOROUGH)
GAMES = ("tictactoe", "hexapawn", "foxhounds:n=4", "morris3", "police", "stones:n=10", QUORIDOR)


@given(st.one_of(graphs(), games(), compiled_games()), stuck_values())
def test_values_alone_are_those_of_the_outcomes(subject: Any, stuck: str) -> None:
    solution = rs.solve(subject, objective="win-loss-draw", stuck=stuck)
    assert solution.objective == WinLossDraw(stuck)
    assert not solution.table.has_remoteness
    expected = rs.solve(subject, stuck=stuck)
    assert np.array_equal(solution.table.values(), expected.table.values())
    rs.verify(solution)
    assert solution.verified


@pytest.mark.thorough
@pytest.mark.long("morris3", "quoridor:n=3")
@pytest.mark.parametrize("text", GAMES)
def test_values_alone_are_saved_and_opened_verified(text: str, tmp_path: Path) -> None:
    solution = rs.solve(rs.game(text), objective="win-loss-draw", out=tmp_path / "values")
    rs.verify(solution)
    expected = rs.solve(rs.game(text))
    with rs.open(tmp_path / "values", check=True) as opened:
        assert opened.objective == WinLossDraw()
        assert opened.counts() == expected.counts()
        assert opened[opened.start] == (expected[expected.start].value, None)
        rs.verify(opened)
    with rs.open(tmp_path / "values") as opened, pytest.raises(rs.GraphError, match="no remoteness"):
        opened.remoteness()


def test_files_of_graphs_refuse_values_alone_and_say_what_takes_them(tmp_path: Path) -> None:
    solution = rs.solve(rs.Graph.from_edges([0], [1]), objective="win-loss-draw")
    with pytest.raises(
        rs.FormatError, match=r"has none: expected one of the .*, solution\.save\(\), or"
    ):
        rs.write(solution, tmp_path / "g.csv")
    assert not list(tmp_path.iterdir())


def test_game_that_may_end_in_a_tie_is_solved_without_remoteness() -> None:
    loop = rs.Graph.from_edges([0, 1], [1, 0])
    ends = np.zeros(8, np.uint8)
    ends[0] = Value.TIE
    solution = rs.solve(ProductSpace(loop, loop, ends), objective="win-loss-draw")
    assert solution.counts()[Value.TIE] > 1
    rs.verify(solution)


def test_finished_solve_of_values_is_resumed_and_not_taken_for_outcomes(tmp_path: Path) -> None:
    game, out = rs.game("foxhounds:n=4"), tmp_path / "s"
    first = rs.solve(game, objective="win-loss-draw", out=out)
    assert rs.solve(game, objective="win-loss-draw", out=out, resume=True).digest() == first.digest()
    outcomes = rs.solve(game, out=out, resume=True)
    assert outcomes.table.has_remoteness


@pytest.mark.thorough
@pytest.mark.parametrize("text", GAMES)
def test_plan_of_values_alone_names_the_solver_that_is_used(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "SAMPLE_SECONDS", 60.0)  # explored to the end on a busy machine, too
    planned = rs.plan(rs.game(text), objective="win-loss-draw")
    assert planned.solver == rs.solve(rs.game(text), objective="win-loss-draw").solver
    assert planned.proof_seconds is not None


def test_command_line_takes_the_objective(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tictactoe", "--objective", "win-loss-draw", "--no-verify"]) in (0, None)
    printed = capsys.readouterr().out
    assert "TIE" in printed
    assert "plies, " not in printed
