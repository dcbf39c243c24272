"""Games of dice, against slow rules in plain Python and against what is published; Ur has more of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games.einstein import SIDE, WIDTH, Einstein
from retrosolve.games.pig import Pig
from retrosolve.games.race import LADDERS, Race
from retrosolve.games.ur import Ur

Stones = tuple[tuple[int, int] | None, ...]
# Who moves, the stones of both, and the die, 0 before a throw.
Position = tuple[int, Stones, Stones, int]
Side = tuple[frozenset[int], int]


class PlainPig(rs.Game):
    """The same rules in plain Python: who throws, his score, the other's, the turn; a die or a choice."""

    def __init__(self, goal: int) -> None:
        self.goal = goal

    def start(self) -> tuple[str, int, int, int, int]:
        return "die", 0, 0, 0, 0

    def player(self, position: tuple[str, int, int, int, int]) -> int:
        return rs.CHANCE if position[0] == "die" else position[1]

    def terminal(self, position: tuple[str, int, int, int, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[0] == "over" else None

    def moves(self, position: tuple[str, int, int, int, int]) -> list[tuple[str, tuple]]:
        kind, who, mine, theirs, turn = position
        if kind == "die":
            throws = [(str(k), ("choice", who, mine, theirs, turn + k)) for k in range(2, 7)]
            return [("1", ("die", 1 - who, theirs, mine, 0)), *throws]
        if mine + turn >= self.goal:
            return [("hold", ("over", 1 - who, theirs, mine + turn, 0))]
        hold = ("hold", ("die", 1 - who, theirs, mine + turn, 0))
        return [hold, ("throw", ("die", who, mine, theirs, turn))]

    def shown(self, position: tuple[str, int, int, int, int]) -> tuple[str, int] | None:
        kind, who, mine, theirs, turn = position
        return (f"{mine},{theirs},{turn}", who) if kind == "die" else None


class PlainRace(rs.Game):
    """The same race in plain Python: who moves, where both are, and the die, 0 before a throw."""

    def __init__(self, edges: list[tuple[int, int]], goal: int, die: int, hits: bool) -> None:
        self.edges, self.goal, self.die, self.hits = edges, goal, die, hits

    def start(self) -> tuple[int, int, int, int]:
        return 0, self.edges[0][0], self.edges[0][0], 0

    def player(self, position: tuple[int, int, int, int]) -> int:
        who, _, theirs, die = position
        return who if die or theirs == self.goal else rs.CHANCE

    def terminal(self, position: tuple[int, int, int, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[2] == self.goal else None

    def ways(self, at: int, steps: int) -> set[int]:
        if at == self.goal or not steps:
            return {at}
        return {end for tail, head in self.edges if tail == at for end in self.ways(head, steps - 1)}

    def moves(self, position: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
        who, mine, theirs, die = position
        if not die:
            return [(who, mine, theirs, k) for k in range(1, self.die + 1)]
        ends = self.ways(mine, die) or {mine}
        start = self.edges[0][0]
        return [
            (1 - who, start if self.hits and end == theirs and end != mine else theirs, end, 0)
            for end in ends
        ]

    def shown(self, position: tuple[int, int, int, int]) -> tuple[str, int] | None:
        who, mine, theirs, die = position
        return None if die else (f"{mine},{theirs}", who)


class PlainEinstein(rs.Game):
    """Both players on one board, the first from the corner (0, 0), the second from the other one."""

    def __init__(self, board: int, stones: int) -> None:
        self.last, self.stones = board - 1, stones
        cells = sorted(
            ((r, c) for r in range(board) for c in range(board)), key=lambda at: (sum(at), at)
        )
        self.corners = tuple(cells[:stones])

    def start(self) -> Position:
        far = tuple((self.last - r, self.last - c) for r, c in self.corners)
        return 0, self.corners, far, 0

    def player(self, position: Position) -> int:
        return position[0] if position[3] or self.terminal(position) else rs.CHANCE

    def terminal(self, position: Position) -> rs.Value | None:
        who, *sides, _ = position
        corner = (0, 0) if who == 0 else (self.last, self.last)  # where the other player goes
        lost = corner in sides[1 - who] or not any(sides[who])
        return rs.Value.LOSS if lost else None

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        who, first, second, die = position
        if not die:
            return [(str(k), (who, first, second, k)) for k in range(1, self.stones + 1)]
        mine = (first, second)[who]
        numbers = [die - 1]
        if mine[die - 1] is None:
            below = [k for k in range(die - 1) if mine[k]]
            above = [k for k in range(die, self.stones) if mine[k]]
            numbers = below[-1:] + above[:1]
        moves, sign = [], 1 - 2 * who
        for k in numbers:
            at = mine[k]
            assert at is not None
            for dr, dc in ((0, 1), (1, 0), (1, 1)):
                to = at[0] + sign * dr, at[1] + sign * dc
                if min(to) < 0 or max(to) > self.last:
                    continue
                after = [[None if stone == to else stone for stone in side] for side in (first, second)]
                after[who][k] = to
                name = f"{k + 1}-" + "".join(str(x + 1 if who == 0 else self.last - x + 1) for x in to)
                moves.append((name, (1 - who, tuple(after[0]), tuple(after[1]), 0)))
        return moves

    def shown(self, position: Position) -> tuple[str, int] | None:
        """Return the position before a throw as the compiled rules write it."""
        who, *sides, die = position
        cells = [["."] * (self.last + 1) for _ in range(self.last + 1)]
        for side, names in ((sides[who], "12345"), (sides[1 - who], "abcde")):
            for name, at in zip(names, side, strict=False):
                if at is not None:
                    r, c = at if who == 0 else (self.last - at[0], self.last - at[1])
                    cells[r][c] = name
        return None if die else ("/".join(map("".join, cells)), who)


class PlainUr(rs.Game):
    """The rules once more, on sets of squares: what a player sees, and the throw if there is one."""

    def __init__(self, pieces: int, rules: str = "finkel") -> None:
        self.pieces, self.finkel, self.blitz = pieces, rules == "finkel", rules == "blitz"
        self.last = 14 if self.finkel else 16
        self.rosettes = {4, 8, 14} if self.finkel else {4, 8, 12, 16}
        self.weights = [0, 3, 3, 1, 1] if rules == "masters" else [1, 4, 6, 4, 1]

    def facing(self, square: int) -> int:
        """Return the square of the other player that is the same, 0 for none."""
        if not 5 <= square <= (12 if self.finkel else 16):
            return 0
        return square if self.finkel or square < 12 else 28 - square

    def start(self) -> tuple[int, Side, Side, int]:
        return 0, (frozenset(), 0), (frozenset(), 0), -1

    def player(self, position: tuple[int, Side, Side, int]) -> int:
        who, _, theirs, throw = position
        return who if throw >= 0 or theirs[1] == self.pieces else rs.CHANCE

    def terminal(self, position: tuple[int, Side, Side, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[2][1] == self.pieces else None

    def weight(self, position: tuple[int, Side, Side, int], target: tuple[int, Side, Side, int]) -> int:
        return self.weights[target[3]]

    def moves(self, position: tuple[int, Side, Side, int]) -> list[tuple[int, Side, Side, int]]:
        who, (mine, off), (theirs, away), throw = position
        if throw < 0:
            return [(who, (mine, off), (theirs, away), k) for k in range(5) if self.weights[k]]
        targets = []
        starts = [0] if len(mine) + off < self.pieces else []
        for square in [*starts, *sorted(mine)] if throw else []:
            to = square + throw
            hit = self.facing(to) in theirs
            if to > self.last + 1 or to in mine or (self.finkel and to == 8 and hit):
                continue
            after = (mine - {square} | {to}) - {self.last + 1}, off + (to > self.last)
            other = theirs - {self.facing(to)}, away
            again = to in self.rosettes or (self.blitz and hit)
            targets.append((who, after, other, -1) if again else (1 - who, other, after, -1))
        return targets or [(1 - who, (theirs, away), (mine, off), -1)]

    def shown(self, position: tuple[int, Side, Side, int]) -> tuple[str, int] | None:
        who, mine, theirs, throw = position
        if throw >= 0 or theirs[1] == self.pieces:
            return None
        return "/".join(f"{','.join(map(str, sorted(s)))}+{off}" for s, off in (mine, theirs)), who


# -- the laws -------------------------------------------------------------------------------------------


def races(hits: bool) -> Iterator[tuple[rs.CompiledGame, Any]]:
    rng = random.Random(5)
    for _ in range(6):
        n, die = rng.randint(3, 6), rng.randint(1, 3)
        edges = [
            (v, rng.choice([w for w in range(n) if w != v])) for v in range(n - 1) for _ in range(2)
        ]
        edges.append((rng.randrange(n - 1), n - 1))
        yield Race(edges, die, hits), PlainRace(edges, n - 1, die, hits)


PAIRS: dict[str, Callable[[], Iterable[tuple[Any, Any]]]] = {
    "pig": lambda: [(Pig(7), PlainPig(7))],
    "race": lambda: races(False),
    "race with hits": lambda: races(True),
    "einstein": lambda: [(Einstein(*at), PlainEinstein(*at)) for at in ((2, 1), (3, 1), (4, 1))],
    "einstein of two": lambda: [(Einstein(3, 2), PlainEinstein(3, 2))],
    **{
        f"ur: {rules}": lambda rules=rules: [(Ur(1, rules), PlainUr(1, rules))]
        for rules in ("finkel", "blitz", "masters")
    },
}


@pytest.mark.long("ur*", "einstein of two")
@pytest.mark.parametrize("name", PAIRS)
def test_positions_have_the_bounds_of_the_rules_as_told(name: str) -> None:
    for game, plain in PAIRS[name]():
        fast, compared = rs.solve(game), set()
        rs.verify(fast)
        for position, outcome in rs.solve(plain).items():
            shown = plain.shown(position)
            if shown is not None:
                text, who = shown
                first = plain.player(position) == rs.CHANCE  # then for the first player
                odds = outcome.value.opposite() if first and who == 1 else outcome.value
                found = fast[text].value
                assert found.low == pytest.approx(odds.low, abs=1e-9)
                assert found.high == pytest.approx(odds.high, abs=1e-9)
                compared.add(text)
        if name.startswith("ur"):
            assert len(compared) == len(fast) - (
                62 if "masters" in name else 1
            )  # some are never reached


def test_throws_and_moves_of_einstein_are_those_of_the_rules_as_told() -> None:
    rng, game, rules = random.Random(3), Einstein(4, 3), PlainEinstein(4, 3)
    for _ in range(20):
        position = rules.start()
        while rules.terminal(position) is None:
            throws = game.throws(game.parse(rules.shown(position)[0]))
            for throw, (_, thrown) in zip(throws, rules.moves(position), strict=True):
                expected = {name: rules.shown(to)[0] for name, to in rules.moves(thrown)}
                assert {name: game.text(to) for name, to, _ in throw.moves} == expected
            position = rng.choice(rules.moves(rng.choice(rules.moves(position))[1]))[1]
        assert game.terminal(game.parse(rules.shown(position)[0]), game.data) == rs.Value.LOSS


# -- published, and by hand


@pytest.mark.long
def test_pig_has_the_published_probability() -> None:
    solution = rs.solve(Pig(100))
    assert str(solution[solution.start]).startswith("53.0592725")  # 0.5306 in the article
    rs.verify(solution)


@pytest.mark.long
def test_three_stones_on_nine_cells() -> None:
    game = Einstein()
    solution = rs.solve(game)
    rs.verify(solution)
    assert game.text(game.start()) == "12./3.c/.ba"
    assert game.size == 748**2
    start = solution[solution.start].value
    assert start.low <= 170 / 243 <= start.high
    assert start.width < 1e-13
    assert len(solution) == 150_003
    assert solution["2../.../..a"].value.middle == solution["1../.../..a"].value.middle
    assert (game.start() & SIDE, game.start() >> WIDTH) == (game.start() >> WIDTH, game.start() & SIDE)


def test_throws_and_moves_of_pig_are_named() -> None:
    game = Pig(20)
    throws = game.throws(game.parse("3,5,4"))
    assert [throw.name for throw in throws] == list("123456")
    assert [name for name, *_ in throws[0].moves] == ["lose the turn"]
    assert [(name, again) for name, _, again in throws[5].moves] == [("hold", False), ("throw", True)]
    assert [game.text(to) for _, to, _ in throws[5].moves] == ["5,13,0", "3,5,10"]


def test_moves_of_a_race_are_named() -> None:
    game = Race(LADDERS)
    throws = game.throws(game.parse("2,9"))
    assert [(throw.name, [name for name, *_ in throw.moves]) for throw in throws] == [
        ("1", ["3", "7"]), ("2", ["4", "8"]), ("3", ["5", "9"]),
    ]  # fmt: skip
    hit = Race(LADDERS, hits=True)
    moves = {name: to for name, to, _ in hit.throws(hit.parse("2,9"))[2].moves}
    assert hit.text(moves["9"]) == "0,9"
    assert game.text({name: to for name, to, _ in throws[2].moves}["9"]) == "9,9"


def test_a_race_of_two_steps_by_hand() -> None:
    # A die with two faces: 2 wins at once, and 1 if it is the second; so first 1/2 + 1/2 * 1/2 * ...
    solution = rs.solve(Race("a-b-goal", die=2))
    # After a 1 the other player wins with a 2; with a 1 the first player then wins.
    assert solution["a,a"].value.middle == pytest.approx(
        float(Fraction(1, 2) + Fraction(1, 4)), abs=1e-12
    )
    assert str(solution["b,a"]) == "100 %"
