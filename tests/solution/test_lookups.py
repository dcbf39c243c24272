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
from retrosolve.rules.contract import INVALID, NOT_TERMINAL
from retrosolve.solution.playing import GamePlay
from retrosolve.testing import games, random_compiled_game
from retrosolve.web.address import position_at
from tests.support.marks import samples

SIZE = 1000


class Halved(rs.CompiledGame):
    """Even numbers: two or four less at each move. ``rank`` is also that of the odd ones."""

    max_moves, size = 2, SIZE

    def start(self):
        return 40

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 2, position - 4
        return min(position // 2, 2)

    @staticmethod
    def rank(position, data):
        return position // 2

    @staticmethod
    def unrank(index, data):
        return 2 * index


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
def halved() -> rs.Solution:
    return rs.solve(Halved())


@pytest.mark.parametrize("name", LOOK_UPS)
def test_position_outside_index_raises(name: str, halved: rs.Solution) -> None:
    for position in NO_POSITIONS:
        with pytest.raises(rs.PositionError) as raised:
            LOOK_UPS[name](halved, position)
        assert "\n" not in str(raised.value)
        assert position not in halved
        assert halved.get(position) is None


def test_position_outside_index_of_saved_solution_raises(tmp_path: Path, halved: rs.Solution) -> None:
    halved.save(tmp_path / "s")
    with rs.open(tmp_path / "s", game=Halved()) as opened:
        for position in NO_POSITIONS:
            for look_up in LOOK_UPS.values():
                with pytest.raises(rs.PositionError):
                    look_up(opened, position)
        assert opened[40] == halved[40]


def test_error_names_the_index_and_the_position_that_has_it(halved: rs.Solution) -> None:
    for position, message in (
        (3, "3 is not a position: its index, 1, is that of 2"),
        ("3", "'3' is not a position: 3 is not a position: its index, 1, is that of 2"),
        (2001, "2001 is not a position: its index is 1000"),
        (2**63, "9223372036854775808 is not a position: expected a whole number from 0 to 2^63 - 1"),
        (4.0, "4.0 is not a position: expected a whole number from 0 on"),
    ):
        with pytest.raises(rs.PositionError) as raised:
            halved[position]
        assert str(raised.value) == message


def test_text_and_numpy_numbers_are_looked_up_as_the_numbers_they_stand_for(
    halved: rs.Solution,
) -> None:
    for look_up in LOOK_UPS.values():
        expected = look_up(halved, 40)
        for position in ("40", np.int64(40), np.uint8(40)):
            found = look_up(halved, position)
            if isinstance(expected, rs.Solution):
                assert (found.start, type(found.start)) == (40, int)
            elif isinstance(expected, GamePlay):
                assert (found.position, found.moves) == (40, expected.moves)
            else:
                assert repr(found) == repr(expected)


def test_pages_and_commands_refuse_a_position_outside_the_index(
    tmp_path: Path, halved: rs.Solution, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "halved.py"
    text = Path(__file__).read_text()
    source = text[text.index("class Halved") : text.index("LOOK_UPS")]
    rules.write_text(f"import retrosolve as rs\n\nSIZE = {SIZE}\n\n\n{source}")
    for at in ("3", "hello", "2001", "#1000"):
        with pytest.raises(rs.PositionError):
            position_at(halved, at)
    for command in (["probe", f"{rules}:Halved", "3"], ["explain", f"{rules}:Halved", "--start", "3"],
                    ["play", f"{rules}:Halved", "--start", "3"]):  # fmt: skip
        assert run(command) == 2
        assert "3 is not a position: its index, 1, is that of 2" in capsys.readouterr().err


class Folded(Halved):
    """A position and the number 500 above it are played alike, and 400 to 499 are none."""

    @staticmethod
    def canonical(position, data):
        return position % 500 if position < 1000 else position % 1000

    @staticmethod
    def terminal(position, data):
        return INVALID if position % 500 >= 400 or position >= 1000 else NOT_TERMINAL

    @staticmethod
    def rank(position, data):
        return position

    @staticmethod
    def unrank(index, data):
        return index


def test_number_that_canonical_folds_onto_a_position_is_refused() -> None:
    solution = rs.solve(Folded())
    assert solution[540] == solution[40]
    for position in (400, 450, 900, 1040, 2040, 10**12):
        with pytest.raises(rs.PositionError, match="is not a position, by the rules of the game"):
            solution[position]


class Raising(Halved):
    """Rules that raise for what is no position, each in its own way."""

    @staticmethod
    def rank(position, data):
        return [*range(SIZE)][position // 2] if position % 2 == 0 else 1 // 0

    def parse(self, text):
        return {"none": None, "text": "4", "float": 4.0}.get(text) or int(text[1:-1])


def test_any_exception_of_rules_becomes_a_position_error() -> None:
    solution = rs.solve(Raising())
    assert str(solution["[8]"]) == str(solution[8])
    for position in (3, 4000, "(3)", "(x)", "", "none", "text", "float"):
        with pytest.raises(
            rs.PositionError, match=r"raised (IndexError|ZeroDivisionError|ValueError)|not a"
        ):
            solution[position]


class Plain(rs.Game):
    """Plain rules whose methods raise for what they do not know."""

    def start(self):
        return (5, 0)

    def moves(self, position):
        return [(str(k), (position[0] - k, 1 - position[1])) for k in (1, 2) if k <= position[0]]

    def canonical(self, position):
        return position[0] + 0, position[1]

    def parse(self, text):
        return tuple(map(int, text.split(",")))


def test_plain_rules_that_raise_make_a_position_error() -> None:
    solution = rs.solve(Plain())
    assert solution[solution.space.parse("5,0")] == solution[5, 0]
    for position in (3, None, (), ("a", 1), (9, 0), {}):
        with pytest.raises(rs.PositionError):
            solution[position]
        assert position not in solution
    for text in ("", "x", "9,0", "5;0"):
        with pytest.raises(rs.PositionError):
            solution.space.parse(text)


def test_start_outside_index_is_refused_before_the_solve() -> None:
    for start, message in ((lambda self: 3, "Halved starts from 3: 3 is not a position: its index, 1, is"),
                           (lambda self: 1 // 0, r"Halved.start\(\) raised ZeroDivisionError")):  # fmt: skip
        game = type("Halved", (Halved,), {"start": start})()
        with pytest.raises(rs.RulesError, match=message):
            rs.solve(game)


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
                for at, wrong in (([0, -1], -1), ([-1], -1), (np.array([3]), 3), ([2**40, 0], 2**40)):
                    with pytest.raises(IndexError, match=rf"^vertex {wrong}: expected 0\.\.2$"):
                        read(at)
                for at in (1, np.array([True, False, True]), [1.5], [[0, 1]]):
                    with pytest.raises(
                        IndexError, match=r": expected a slice or an array of vertices$"
                    ):
                        read(at)
                assert len(read([])) == 0
                assert read([2, 0]).tolist() == read(slice(None)).tolist()[::-2]
