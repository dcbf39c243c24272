"""Rules that break their contract are found out before a long run; good ones pass."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from published import figures
from retrosolve.games import GAMES
from retrosolve.games.chess import ChessEnding
from retrosolve.games.fox_and_hounds import FoxAndHounds
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.rules.compiled import NO_POSITION, CompiledGame


@pytest.mark.parametrize("name", GAMES)
def test_built_in_games_keep_to_their_contract(name: str) -> None:
    checked = rs.check_game(GAMES[name].make(), samples=150)
    assert checked.positions > 10
    assert "moves" in checked.rules


def test_the_report_says_what_was_checked() -> None:
    checked = rs.check_game(ChessEnding("KRK", board=4), samples=10_000)
    assert checked.rules == ("moves", "terminal", "canonical", "successors", "predecessors", "rank")
    assert str(rs.check_game(FoxAndHounds(4))).startswith("all 83 positions: moves, terminal, player")
    assert rs.check_game(TicTacToe(), samples=50, seed=1) == rs.check_game(
        TicTacToe(), samples=50, seed=1
    )


class Ring(rs.Game):
    """Twelve points in a ring, one or two steps on; 0 is won. What a test changes is a keyword."""

    def __init__(self, **rules: Callable[..., Any]) -> None:
        self.changed = rules
        vars(self).update(rules)

    def start(self) -> Any:
        return 5

    def moves(self, p: Any) -> Any:
        return [(f"{k}", (p + k) % 12) for k in (1, 2)]

    def terminal(self, p: Any) -> Any:
        return rs.Value.LOSS if p == 0 else None

    def defines(self, name: str) -> bool:
        return name in self.changed or super().defines(name)


def test_the_ring_is_sound() -> None:
    assert str(rs.check_game(Ring())) == "all 12 positions: moves, terminal"


counter = itertools.count()
unsure = random.Random(0)


def sorted_in_place(p: list[int]) -> list[tuple[str, Any]]:
    raise AssertionError("not reached")


class Stack:
    """A position that its own rules change."""

    def __init__(self, items: tuple[int, ...]) -> None:
        self.items = items

    def __repr__(self) -> str:
        return f"Stack{self.items}"

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and self.items == other.items


def popping(p: Stack) -> list[tuple[str, Stack]]:
    p.items = p.items[:-1]
    return []


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"moves": lambda p: [("a", [p])]}, r"5 leads to \[5\], which cannot be hashed"),
        ({"start": lambda: [1]}, r"Ring starts from what cannot be hashed"),
        ({"moves": lambda p: ["ab"]}, r"moves\(5\) gave 'ab': expected a pair"),
        (
            {"moves": lambda p: 1 // (p - 7)},
            r"Ring.moves\(7\) raised ZeroDivisionError|moves\(5\) gave",
        ),
        (
            {"moves": lambda p: [("a", next(counter) % 9 + 1)]},
            r"moves\(\d+\) gave \[.*\] and then \[.*\]: expected the same each time",
        ),
        (
            {"terminal": lambda p: unsure.choice([None, rs.Value.WIN])},
            r"terminal\(\d+\) gave .* and then|'moves'|moves",
        ),
        ({"terminal": lambda p: rs.Value.DRAW}, r"terminal\(5\) gave <Value.DRAW: 0>: expected"),
        ({"terminal": lambda p: True}, r"terminal\(5\) gave True: expected"),
        ({"player": lambda p: 2}, r"player\(5\) gave 2: expected 0 or 1"),
        ({"player": lambda p: next(counter) % 2}, r"player\(\d+\) gave [01] and then [01]"),
        ({"canonical": lambda p: (p + 1) % 12}, r"canonical\(5\) gave 6, and canonical of that 7"),
        ({"canonical": lambda p: 0}, r"terminal gives None for 5 and .* for its canonical form 0"),
        ({"canonical": lambda p: p - p % 2}, r"5 and its canonical form 4 are not played alike"),
        (
            {"canonical": lambda p: p - p % 2, "player": lambda p: p % 2},
            r"player gives 1 for 5 and 0 for its canonical form 4",
        ),
        ({"start": lambda: Stack((1, 2)), "moves": popping}, r"the rules changed the position Stack"),
    ],
)
def test_breaches_of_plain_rules(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(Ring(**rules))


def test_symmetry_that_changes_the_answer_is_found() -> None:
    """Alike one move ahead everywhere, and yet not: mirror images that swap who is ahead."""

    class Two(rs.Game):
        def start(self) -> tuple[int, int]:
            return (2, 0)

        def moves(self, p: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
            n = p[0]
            return [(f"to {t}", (n - 1, t)) for t in (0, 1)] if n else []

        def terminal(self, p: tuple[int, int]) -> rs.Value | None:
            return (rs.Value.WIN, rs.Value.TIE)[p[1]] if p[0] == 0 else None

        def canonical(self, p: tuple[int, int]) -> tuple[int, int]:
            return (p[0], 0) if p[0] else p

    assert rs.check_game(Two())  # here it is right: only the number left matters before the end

    class Wrong(Two):
        def start(self) -> tuple[int, int]:
            return (2, 1)

        def moves(self, p: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
            n, side = p
            return [("on", (n - 1, side))] if n else []

    with pytest.raises(rs.RulesError, match="not played alike"):
        rs.check_game(Wrong())


class Line(CompiledGame):
    """Points 0..11, one or two steps down; what a test changes is a keyword of the class."""

    most_moves, most_predecessors, size = 2, 2, 12
    data = (np.arange(3),)

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)

    @staticmethod
    def predecessors(position, out, data):
        out[0], out[1] = position + 1, position + 2
        return min(2, 11 - position)


def test_the_line_is_sound() -> None:
    assert str(rs.check_game(Line())) == "12 of the positions: moves, successors, predecessors, rank"


def overrunning(position, out, data):
    for k in range(5):
        out[k] = 0
    return min(position, 2)


def changing(position, out, data):
    data[0][0] += 1
    return 0


def one_more(position, out, data):
    count = Line.successors(position, out, data)
    out[count] = 0
    return count + 1


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"successors": overrunning}, r"successors\(\d+\).*(most_moves = 2|IndexError)|raised IndexError"),
        ({"successors": one_more}, r"most_moves = 2|IndexError"),
        ({"successors": lambda p, out, data: 1}, r"predecessors|wrote fewer|leads to"),
        ({"successors": lambda p, out, data: -1}, r"gave -1: expected a whole number, 0 or more"),
        ({"successors": lambda p, out, data: 0.5}, r"expected a whole number|raised|TypeError"),
        ({"successors": lambda p, out, data: {}[p]}, r"Line.successors\(\d+\) raised KeyError|moves\("),
        ({"successors": changing, "predecessors": None}, r"the rules of Line change data"),
        ({"terminal": lambda p, data: 9}, r"terminal\(0\) gave 9: expected GOES_ON"),
        ({"terminal": lambda p, data: NO_POSITION if p == 4 else 0}, r"leads to 4, which terminal\(\) says"),
        ({"predecessors": lambda p, out, data: 0}, r"has a move to \d+, but predecessors\(\d+\) leaves it out"),
        ({"rank": lambda p, data: 12 - p, "unrank": lambda i, data: 11 - i}, r"rank\(\d+\) gave \d+"),
        ({"rank": lambda p, data: p, "unrank": lambda i, data: 11 - i}, r"but unrank\(\d+\) gives \d+"),
        ({"tiers": (0, 5), "rank": lambda p, data: 11 - p, "unrank": lambda i, data: 11 - i}, r"of tier 0 leads to \d+ of tier 1"),
        ({"canonical": lambda p, data: p - p % 2}, r"not played alike|canonical"),
    ],
)  # fmt: skip
def test_breaches_of_compiled_rules(changed: dict[str, Any], message: str) -> None:
    functions = {k: staticmethod(v) if callable(v) else v for k, v in changed.items()}
    game = type("Line", (Line,), functions | {"data": (np.arange(3),)})()
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(game)


def test_a_predecessor_without_a_move_is_found() -> None:
    class Loose(Line):
        most_predecessors = 3

        @staticmethod
        def predecessors(position, out, data):
            count = Line.predecessors(position, out, data)
            out[count] = position
            return count + 1

    with pytest.raises(
        rs.RulesError, match=r"predecessors\(\d+\) gives \d+, which has no move to there"
    ):
        rs.check_game(Loose())


@pytest.mark.parametrize("given", [{"samples": 0}, {"samples": 1.5}, {"seed": "a"}])
def test_what_cannot_be_asked_for(given: dict[str, Any]) -> None:
    with pytest.raises(rs.GraphError, match="expected a whole number"):
        rs.check_game(Ring(), **given)


def test_perft_of_tic_tac_toe() -> None:
    known = figures("tic-tac-toe")
    games = rs.finished_games(TicTacToe(), 9)
    ends = {
        "games_X": sum(
            n for plies, by in games.items() for v, n in by.items() if v == rs.Value.LOSS and plies % 2
        ),
        "games_O": sum(
            n
            for plies, by in games.items()
            for v, n in by.items()
            if v == rs.Value.LOSS and not plies % 2
        ),
        "games_draw": games[9][rs.Value.TIE],
        "games": sum(sum(by.values()) for by in games.values()),
    }
    assert ends == {key: known[key] for key in ends}
    assert rs.perft(TicTacToe(), 9) == 127872  # 9! less what ended before


def test_perft_counts_ways_not_positions() -> None:
    assert [rs.perft(Line(), depth, 5) for depth in range(6)] == [1, 2, 4, 7, 5, 1]
    assert rs.perft(Ring(), 3, 1) == 8
    assert rs.finished_games(Line(), 3, 2) == {1: {None: 1}, 2: {None: 1}}
    for depth in (-1, 1.0, True):
        with pytest.raises(rs.RulesError, match="expected a whole number, 0 or more"):
            rs.perft(Ring(), depth)
