"""Look-ups of what is no position: each of them is refused, whatever the rules make of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.rules.contract import INVALID
from retrosolve.solution.playing import GamePlay
from retrosolve.testing import games, random_compiled_game
from retrosolve.web.address import position_at
from tests.support.even import EVEN, Even
from tests.support.marks import samples

LOOK_UPS: dict[str, Callable[[rs.Solution, Any], Any]] = {
    "[]": lambda s, p: s[p],
    "moves": lambda s, p: s.moves(p),
    "best_moves": lambda s, p: s.best_moves(p),
    "line": lambda s, p: s.line(p, 3),
    "view": lambda s, p: s.view(p),
    "with_start": lambda s, p: s.with_start(p),
    "explain": lambda s, p: rs.explain(s, -1 if p is None else p, depth=1),
    "play": GamePlay,
    "index": lambda s, p: s.space.index(p),
}
NO_POSITIONS = (
    3, 1999, 2000, 2001, -1, -2, 2**62, 2**63 - 1, 2**63, 2**64 + 4, 10**30, 4.0, 4.5, True, None, (4,),
    np.int64(3), np.uint64(2**63), np.float64(4), np.bool_(True), b"4", "3", "", "hello", "4.0", "-4",
    "٣", str(2**64 + 4), complex(4), float("nan"),
)  # fmt: skip


@pytest.fixture(scope="module")
def even() -> rs.Solution:
    return rs.solve(Even())


def test_position_outside_index_raises(tmp_path: Path, even: rs.Solution) -> None:
    even.save(tmp_path / "s")
    with rs.open(tmp_path / "s", game=Even()) as opened:
        for position in NO_POSITIONS:
            for solution in (even, opened):
                for look_up in LOOK_UPS.values():
                    with pytest.raises(rs.PositionError) as raised:
                        look_up(solution, position)
                    assert "\n" not in str(raised.value)
                assert position not in solution
                assert solution.get(position) is None


def test_text_and_numpy_numbers_are_looked_up_as_the_numbers_they_stand_for(
    even: rs.Solution,
) -> None:
    for look_up in LOOK_UPS.values():
        expected = look_up(even, 40)
        for position in ("40", np.int64(40), np.uint8(40)):
            found = look_up(even, position)
            if isinstance(expected, rs.Solution):
                assert (found.start, type(found.start)) == (40, int)
            elif isinstance(expected, GamePlay):
                assert (found.position, found.moves) == (40, expected.moves)
            else:
                assert repr(found) == repr(expected)


def test_pages_and_commands_refuse_a_position_outside_the_index(
    even: rs.Solution, capsys: pytest.CaptureFixture[str]
) -> None:
    for at in ("3", "hello", "2001", "#1000"):
        with pytest.raises(rs.PositionError):
            position_at(even, at)
    for command in ("explain", "play"):
        assert run([command, f"{EVEN}:Even", "--start", "3"]) == 2
        assert capsys.readouterr().out == ""


@pytest.mark.parametrize("start", [lambda self: 3, lambda self: 1 // 0])
def test_start_outside_index_is_refused_before_the_solve(start: Any) -> None:
    with pytest.raises(rs.RulesError):
        rs.solve(type("Even", (Even,), {"start": start})())


def is_position(game: Any, number: int) -> bool:
    """Whether a number is a position of a game with a dense index, by its rules alone."""
    try:
        own = game.canonical(number, game.data)
        index = game.rank(own, game.data)
        return bool(
            number < 2**63
            and 0 <= index < game.size
            and game.unrank(index, game.data) == own
            and game.canonical(own, game.data) == own
            and INVALID not in (game.terminal(own, game.data), game.terminal(number, game.data))
        )
    except (IndexError, OverflowError):
        return False


@pytest.mark.parametrize("kind", games.KINDS)
def test_random_numbers_are_answered_exactly_where_they_are_positions(kind: str) -> None:
    for seed in range(samples(6, 400)):
        rng = random.Random(seed)
        game = random_compiled_game(rng, kind)
        solution = rs.solve(game, stuck=rng.choice(["loss", "win", "tie"]))
        expected = dict(solution.items())
        numbers = [*range(-2, 70), *(rng.getrandbits(rng.randrange(1, 70)) for _ in range(60))]
        for number in numbers:
            if kind in ("reachable", "explored"):
                own = number if kind == "reachable" else min(number, number ^ 1)
                valid = own in expected
            else:
                valid = number >= 0 and is_position(game, number)
                own = game.canonical(number, game.data) if valid else number
            assert (number in solution) == valid, (seed, number)
            assert solution.get(number) == (expected[own] if valid else None)


@pytest.mark.parametrize("objective", ["outcome", "win-loss-draw", "score", "chance"])
def test_tables_in_memory_and_on_disk_refuse_the_same(objective: str, tmp_path: Path) -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 2]), objective=objective)
    solution.save(tmp_path / "s")
    with rs.open(tmp_path / "s") as opened:
        for table in (solution.table, opened.table):
            for read in (table.values, table.remoteness, table.packed):
                for at in (
                    [0, -1],
                    [-1],
                    np.array([3]),
                    [2**40, 0],
                    1,
                    np.array([True] * 3),
                    [1.5],
                    [[0, 1]],
                ):
                    with pytest.raises(IndexError):
                        read(at)
                assert len(read([])) == 0
                assert read([2, 0]).tolist() == read(slice(None)).tolist()[::-2]
