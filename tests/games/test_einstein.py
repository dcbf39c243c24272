"""EinStein würfelt nicht! against slow rules in plain Python."""

from __future__ import annotations

import random

import pytest

import retrosolve as rs
from retrosolve.games.einstein import SIDE, WIDTH, Einstein
from retrosolve.rules.contract import INVALID

Stones = tuple[tuple[int, int] | None, ...]
Position = tuple[
    int, Stones, Stones, int
]  # who moves, the stones of both, and the die, 0 before a throw


class Slow(rs.Game):
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

    def text_of(self, position: Position) -> str:
        """Return the position before a throw as the compiled rules write it."""
        who, *sides, _ = position
        cells = [["."] * (self.last + 1) for _ in range(self.last + 1)]
        for side, names in ((sides[who], "12345"), (sides[1 - who], "abcde")):
            for name, at in zip(names, side, strict=False):
                if at is not None:
                    r, c = at if who == 0 else (self.last - at[0], self.last - at[1])
                    cells[r][c] = name
        return "/".join(map("".join, cells))


@pytest.mark.long("3-2")
@pytest.mark.parametrize(("board", "stones"), [(2, 1), (3, 1), (3, 2), (4, 1)])
def test_positions_have_the_bounds_of_slow_rules(board: int, stones: int) -> None:
    rules = Slow(board, stones)
    fast, slow = rs.solve(Einstein(board, stones)), rs.solve(rules)
    assert rs.verify(fast).method == "throws"
    compared = 0
    for position, outcome in slow.items():
        if position[3] == 0:
            by_chance = rules.terminal(position) is None  # then for the first player
            odds = outcome.value.opposite() if by_chance and position[0] == 1 else outcome.value
            assert abs(fast[rules.text_of(position)].value.middle - odds.middle) < 1e-11
            compared += 1
    assert compared > board * stones


def test_moves_are_those_of_slow_rules() -> None:
    rng, game, rules = random.Random(3), Einstein(4, 3), Slow(4, 3)
    for _ in range(60):
        position = rules.start()
        while rules.terminal(position) is None:
            text = rules.text_of(position)
            throws = game.throws(game.parse(text))
            for throw, (_, thrown) in zip(throws, rules.moves(position), strict=True):
                expected = {name: rules.text_of(to) for name, to in rules.moves(thrown)}
                assert {name: game.text(to) for name, to, _ in throw.moves} == expected
            position = rng.choice(rules.moves(rng.choice(rules.moves(position))[1]))[1]
        assert game.terminal(game.parse(rules.text_of(position)), game.data) == rs.Value.LOSS


def test_ranks_are_inverse_and_moves_lead_down() -> None:
    rng = random.Random(2)
    for board, stones in ((2, 1), (3, 2), (3, 3), (4, 3)):
        game = Einstein(board, stones)
        for index in [0, game.size - 1, *(rng.randrange(game.size) for _ in range(300))]:
            position = game.unrank(index, game.data)
            assert game.rank(position, game.data) == index
            if game.terminal(position, game.data) == INVALID:
                continue
            assert game.parse(game.text(position)) == position
            if game.terminal(position, game.data) == 0:
                tier = max(tier for tier in game.tiers if tier <= index)
                for throw in game.throws(position):
                    assert throw.moves
                    assert all(game.rank(to, game.data) < tier for _, to, _ in throw.moves)


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


def test_rules_keep_their_contract() -> None:
    assert str(rs.check_game(Einstein(2, 1), limit=100)).startswith("all ")


@pytest.mark.parametrize(("board", "stones"), [(1, 1), (6, 1), (3, 0), (3, 6), (5, 5), (2, 3)])
def test_wrong_parameters_raise(board: int, stones: int) -> None:
    with pytest.raises(rs.RulesError, match="expected"):
        Einstein(board, stones)


@pytest.mark.parametrize(
    "text", ["x", "12./3.c", "11./3.c/.ba", "12./3.c/.b1", ".../.../123", "12d/3.c/.ba"]
)
def test_what_is_no_position_raises(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position"):
        Einstein().parse(text)
