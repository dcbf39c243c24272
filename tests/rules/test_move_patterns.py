"""Move patterns: random ones are solved as in plain rules."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.rules.board import MovePattern

# -- random games, on the kit and in plain Python -------------------------------------------------


class Kit(NamedTuple):
    """What a game on a row of points is made of; moves, goals and fewest of either player."""

    n: int
    moves: tuple[list[MovePattern], list[MovePattern]]
    start: str
    men: int
    lines: list[int]
    mills: bool
    goals: tuple[int, int]
    fewest: tuple[int, int]
    flying: int
    compulsory: bool
    form: str

    def game(self) -> rs.BoardGame:
        """Return the game by tables."""
        first, second = self.moves
        reverse = list(range(self.n))[::-1]
        sides: dict[str, Any] = {"sides": "unlike", "moves": (first, second), "goals": self.goals}
        if self.form != "unlike":
            sides = {"moves": first, "goals": self.goals, "sides": self.form}
        if self.form == "turn":
            sides |= {"sides": "alike", "turn": reverse, "goals": (self.goals[0], 0)}
        if self.form == "symmetry":
            sides |= {"sides": "alike", "symmetry": [reverse]}
        board = rs.Board.lined([f"p{s}" for s in range(self.n)], [self.n], [])
        return rs.BoardGame(
            board, start=self.start, men=self.men, lines=self.lines, mills=self.mills,
            fewest=self.fewest, flying=self.flying, compulsory=self.compulsory, **sides,
        )  # fmt: skip


Place = tuple[frozenset[int], frozenset[int], int, int]


class PlainKit(rs.Game[Place]):
    """The same in plain Python: the points of the player to move, the opponent's, men in hand, mover."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    def start(self) -> Place:
        sets = (frozenset(s for s, mark in enumerate(self.kit.start) if mark == man) for man in "XO")
        return *sets, 0 if self.kit.start else 2 * self.kit.men, 0

    def player(self, position: Place) -> int:
        return position[3]

    def terminal(self, position: Place) -> rs.Value | None:
        mine, theirs, hand, mover = position
        lost = (
            (hand == 0 and len(mine) < self.kit.fewest[mover])
            or (not self.kit.mills and self.held(theirs))
            or theirs & points_of(self.kit.goals[1 - mover])
        )
        return rs.Value.LOSS if lost else None

    def held(self, men: frozenset[int]) -> frozenset[int]:
        """Return the points of lines that men hold."""
        lines = [points_of(line) for line in self.kit.lines]
        return frozenset().union(*(line for line in lines if line <= men))

    def moves(self, position: Place) -> Iterator[tuple[str, Place]]:
        mine, theirs, hand, mover = position
        free = frozenset(range(self.kit.n)) - mine - theirs
        none: frozenset[int] = frozenset()
        if hand:
            steps = [(none, to, none) for to in free]
        else:
            steps = [
                (frozenset({origin}), target, points_of(taken))
                for origin, target, own, other, empty, taken in self.kit.moves[mover]
                if origin in mine
                and points_of(own) <= mine
                and points_of(other) <= theirs
                and points_of(empty) <= free
            ]
            if len(mine) <= self.kit.flying:
                steps += [(frozenset({origin}), to, none) for origin in mine for to in free]
            if self.kit.compulsory and any(taken for _, _, taken in steps):
                steps = [step for step in steps if step[2]]
        for origin, target, taken in steps:
            men, left = mine - origin | {target}, theirs - taken
            closes = self.kit.mills and target not in mine and target in self.held(men)
            victims = [{s} for s in left - self.held(left) or left] if closes else []
            for victim in victims or [set()]:
                yield "", (left - victim, men, max(hand - 1, 0), 1 - mover)


def points_of(bits: int) -> frozenset[int]:
    return frozenset(s for s in range(bits.bit_length()) if bits >> s & 1)


def bits_of(points: frozenset[int]) -> int:
    return sum(1 << s for s in points)


def reversed_bits(bits: int, n: int) -> int:
    return bits_of(frozenset(n - 1 - s for s in points_of(bits)))


def reversed_move(move: MovePattern, n: int) -> MovePattern:
    sets = (reversed_bits(part, n) for part in move[2:])
    return MovePattern(n - 1 - move.origin, n - 1 - move.target, *sets)


@st.composite
def patterns(draw: st.DrawFn, n: int) -> MovePattern:
    """Draw a move that some man can make: a step or jump, a pass, a capture with a move or without."""
    points = st.integers(0, n - 1)
    origin, target = draw(points), draw(points)
    sets = {"own": 0, "other": 0, "free": 0, "taken": 0, "": 0}
    for s in set(range(n)) - {origin}:
        names = ["free", "taken"] if s == target else ["", "", "own", "other", "free", "taken"]
        sets[draw(st.sampled_from(names))] |= 1 << s
    other = sets["other"] | sets["taken"]
    return MovePattern(origin, target, sets["own"], other, sets["free"], sets["taken"])


@st.composite
def kits(draw: st.DrawFn) -> Kit:
    n = draw(st.integers(2, 5))
    form = draw(st.sampled_from(["alike", "mover", "unlike", "turn", "symmetry"]))
    steps = [MovePattern(s, s + 1, free=2 << s) for s in range(n - 1)] if draw(st.booleans()) else []
    lists = st.lists(patterns(n), max_size=5)
    sets = st.integers(1, 2**n - 1)
    first, lines = steps + draw(lists), draw(st.lists(sets, max_size=2))
    goal, least = draw(st.sampled_from([0, 0, 1, 2**n - 1, 1 << n - 1])), draw(st.integers(0, 2))
    second, goals, fewest = first, (goal, goal), (least, least)
    if form == "unlike":
        second, goals, fewest = draw(lists), (goal, draw(sets)), (least, draw(st.integers(0, 2)))
    if form == "turn":
        second, goals = [reversed_move(move, n) for move in first], (goal, reversed_bits(goal, n))
    if form in ("turn", "symmetry"):
        lines += [reversed_bits(line, n) for line in lines]
    if form == "symmetry":
        first = second = first + [reversed_move(move, n) for move in first]
        goals = (goal | reversed_bits(goal, n),) * 2
    men = draw(st.integers(0, 2))
    start = "" if men else "".join(draw(st.lists(st.sampled_from("XO."), min_size=n, max_size=n)))
    kit = Kit(
        n, (first, second), start, men, lines, draw(st.booleans()), goals, fewest,
        draw(st.integers(0, 2)), draw(st.booleans()), form,
    )  # fmt: skip
    mine, *_ = PlainKit(kit).start()
    won = mine & points_of(goals[0]) or (not kit.mills and PlainKit(kit).held(mine))
    return kit._replace(start="." * n, men=0) if won else kit


def number(position: Place, kit: Kit) -> int:
    """Return the position of a game by tables, by the layout that docs/howto/boards.md states."""
    mine, theirs, hand, mover = position
    captures = kit.mills or any(move.taken for part in kit.moves for move in part)
    width = (2 * kit.men).bit_length() if captures else 0
    above = (hand if width else 0) | (mover << width if kit.form != "mover" else 0)
    return above << 2 * kit.n | bits_of(theirs) << kit.n | bits_of(mine)


def compare(kit: Kit) -> None:
    """Solve a game in both forms, check it and its rules, and compare all positions."""
    game, plain = kit.game(), rs.solve(PlainKit(kit))
    solution = rs.solve(game)
    rs.verify(solution)
    rs.check_game(game, samples=40)
    for position, outcome in plain.items():
        assert solution[number(position, kit)] == outcome


@given(kits())
def test_random_moves_are_solved_as_in_plain_rules(kit: Kit) -> None:
    compare(kit)


STEPS = [MovePattern(s, s + 1, free=2 << s) for s in range(4)]
BACK = [MovePattern(s + 1, s, free=1 << s) for s in range(4)]
PASSES = [MovePattern(s, s) for s in range(5)]
CAPTURES = [MovePattern(s + 1, s, other=1 << s, taken=1 << s) for s in range(4)]
JUMPS = [MovePattern(s, s + 2, other=2 << s, free=4 << s, taken=2 << s) for s in range(3)]
SHOTS = [MovePattern(s, s, other=2 << s, taken=2 << s) for s in range(4)]
CROWDED = [MovePattern(0, t, free=1 << t | 1 << u) for t in (1, 2, 3) for u in (1, 2, 3) if u != t]
PLAIN = Kit(5, (STEPS + BACK,) * 2, "X..OO", 0, [], False, (0, 0), (0, 0), 0, False, "alike")
CASES = {
    "one player passes": PLAIN._replace(
        moves=(STEPS + PASSES, BACK + CAPTURES), start="X.X.O", form="unlike"
    ),
    "both pass": PLAIN._replace(moves=(STEPS + CAPTURES + PASSES,) * 2, form="mover"),
    "a pass from a mill": PLAIN._replace(
        moves=(STEPS + BACK + PASSES,) * 2, start="XX.OO", lines=[3, 24, 12], mills=True
    ),
    "captures from a distance": PLAIN._replace(moves=(STEPS + BACK + SHOTS,) * 2),
    "a capture that completes a mill": PLAIN._replace(
        moves=(STEPS + JUMPS,) * 2, start="XO.XO", lines=[0b01100], mills=True
    ),
    "fewest of either player": PLAIN._replace(
        moves=(STEPS + BACK + JUMPS,) * 2, start="XXO.O", fewest=(1, 2), form="unlike"
    ),
    "flying beside other moves": PLAIN._replace(moves=(CROWDED,) * 2, start="X...O", flying=1),
    "more men in hand than points": PLAIN._replace(start="", men=3, lines=[0b11111]),
    "men on the board, none in hand": PLAIN._replace(men=3),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_moves_are_solved_as_in_plain_rules(name: str) -> None:
    compare(CASES[name])


def test_symmetries_hold_for_the_other_player_too() -> None:
    """The first player moves along columns, the second along rows; turned, left and right are as up
    and down."""
    board = rs.Board.grid(3, 3)
    mirrored = [s // 3 * 3 + 2 - s % 3 for s in range(9)]
    moves = board.steps("forward", "backward") + board.captures("right", "left")
    given = {"start": "O../O.X/.X.", "goals": (16, 0), "turn": [s % 3 * 3 + s // 3 for s in range(9)]}
    game = rs.BoardGame(board, moves, symmetry=[mirrored], **given)
    rs.check_game(game)
    solution, whole = rs.solve(game), rs.solve(rs.BoardGame(board, moves, **given))
    assert len(solution) < len(whole) / 3
    assert all(solution[position] == outcome for position, outcome in whole.items())


def test_a_pass_has_a_name_and_no_points() -> None:
    board = rs.Board.grid(2, 3)
    passes = [MovePattern(s, s) for s in range(6)]
    moves = board.steps("orthogonal") + passes, board.steps("orthogonal") + board.captures("orthogonal")
    game = rs.BoardGame(board, moves, start="O.O/X..", sides="unlike")
    assert [name for name, _ in game.named_moves(game.start())] == ["a1-b1", "pass"]
    places = {name: (40.0 * k, 40.0) for k, name in enumerate("abc")}
    drawn = rs.BoardGame(
        rs.Board.lined("abc", [3], [(0, 1, 2)], places),
        [MovePattern(0, 0)],
        start="X.O",
        sides="unlike",
    )
    (target,) = [target for _, target in drawn.named_moves(drawn.start())]
    assert drawn.move_points(drawn.start(), target) == ()
    rs.check_game(drawn)


def test_numbers_of_numpy_and_the_moving_man_among_own_men_are_accepted() -> None:
    game = rs.BoardGame(
        rs.Board.grid(1, 3), [MovePattern(*np.array([0, 1, 1, 0, 2, 0]))], start="X.O", sides="unlike"
    )
    assert [name for name, _ in game.named_moves(game.start())] == ["a1-b1"]
    assert str(rs.solve(game)[game.start()]) == "WIN in 1"
