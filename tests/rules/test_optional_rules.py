"""Optional rules of games: each changes what solutions, tables and pages say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.web.address import Address
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry
from retrosolve.web.page_state import scene
from retrosolve.web.pages.position import position_page
from tests.bad_input.plain_rules import by_functions


class Take(rs.CompiledGame[int]):
    """Take one or two of five coins, with the names of many moves at once."""

    size, max_moves = 6, 2
    turns_board = True
    piece_kinds = "red", "yellow"

    def start(self) -> int:
        return 5

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)

    def move_name(self, position: int, target: int) -> str:
        return f"take {position - target}"

    def move_names(self, positions: Any, targets: Any, results: Any) -> list[str]:
        return [f"{k} at once" for k in (positions - targets).tolist()]


class Dice(rs.CompiledGame[int]):
    """Go down by one to three as thrown, or by one less; who comes to 0 has won."""

    max_moves, max_outcomes, size = 2, 3, 21
    last = 20

    def __init__(self, factor: int = 0) -> None:
        self.data = (factor,)

    def start(self) -> int:
        return self.last

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        return rs.Value.LOSS.value if position == 0 else 0

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        for k in range(3):
            out[k], weights[k] = 100 * (k + 1) + position, k + 1
        return 3

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        thrown, n = position // 100, position % 100
        out[0], out[1] = max(n - thrown, 0), max(n - thrown + 1, 0)
        return 2

    @staticmethod
    def progress(position: int, data: Any) -> int:
        return int(data[0]) * (20 - position)

    def outcome_name(self, position: int, outcome: int) -> str:
        return f"{outcome // 100} of {position}"


COINS = by_functions(5, lambda n: [(f"take {k}", n - k) for k in (1, 2) if k <= n])
COINS.objective, COINS.turns_board, COINS.piece_kinds = "score", True, ("red", "yellow")


def test_objective_of_the_rules_is_solved_unless_another_is_asked_for() -> None:
    solution = rs.solve(COINS)
    assert solution.objective == rs.objectives.Score()
    assert [solution[n].value.points for n in range(6)] == [-1, 1, 1, -1, 1, 1]
    assert rs.solve(COINS, objective="outcome").objective.name == "outcome"


@pytest.mark.parametrize("game", [COINS, Take()])
@pytest.mark.parametrize("turns", [False, True])
def test_page_reads_whether_the_board_turns(game: Any, turns: bool, tmp_path: Path) -> None:
    game.turns_board = turns
    export_static(rs.solve(game, objective="outcome"), "Coins", tmp_path / "site")
    assert json.loads((tmp_path / "site" / "game.json").read_text("utf-8"))["turned"] is turns


@pytest.mark.parametrize("game", [COINS, Take()])
def test_page_shows_a_piece_of_the_player_to_move(game: Any) -> None:
    entry = Entry("game", "game", rs.solve(game, objective="outcome"))
    for line, kind in ((), "red"), ((1,), "yellow"):
        shown = scene(entry.solution, Address("game", line=line))
        assert f'<span class="disc {kind}"'.encode() in position_page(entry, shown, "en")


def test_names_of_many_moves_are_asked_for_at_once_and_those_of_throws_too() -> None:
    space = rs.solve(Take()).space
    steps = [k for position in range(6) for k in (1, 2) if k <= position]
    assert list(space.named_edges(np.arange(6)).names) == [f"{k} at once" for k in steps]
    assert [name for name, _ in space.moves(5)] == ["take 1", "take 2"]
    throws = rs.solve(Dice()).space.throws(20)
    assert [(throw.name, throw.weight) for throw in throws] == [(f"{k} of 20", k) for k in (1, 2, 3)]


@pytest.mark.parametrize("factor", [-1, 1, 10**6])
def test_bounds_are_the_same_in_any_order_of_progress(factor: int) -> None:
    plain, ordered = rs.solve(Dice()), rs.solve(Dice(factor))
    rs.verify(ordered)
    for position, outcome in plain.items():
        odds = ordered[position].value
        assert max(odds.low, outcome.value.low) <= min(odds.high, outcome.value.high)
    assert Dice(factor).progress(18, (factor,)) == 2 * factor
