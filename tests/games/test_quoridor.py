"""Quoridor: the compiled rules against slow ones of their own, and what is published."""

import random
from collections import Counter
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games.quoridor import SECOND, Quoridor
from tests.support.marks import SLOW
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PUBLISHED = figures("quoridor")
BOARDS = [(6, 0), (6, 1), (7, 0), (7, 1), pytest.param(6, 2, marks=SLOW)]


@pytest.mark.long("6-*")
@pytest.mark.parametrize(("n", "walls"), BOARDS)
def test_published_counts(n: int, walls: int) -> None:
    """A player who cannot move has not lost there; elsewhere that is the default."""
    game = Quoridor(n, walls)
    solution = rs.solve(game, stuck="tie")
    counts = "/".join(map(str, game.won_by_players(solution.table)))
    assert counts == PUBLISHED[f"{n}x{n},w={walls}"]
    if n == 6 or walls == 0:
        rs.verify(solution)
    winner = ("second", "first")[solution[game.start()].value == rs.Value.WIN]
    assert f"{winner} player" == PUBLISHED["start"][f"{n}x{n}"]


def test_published_numbers_of_wall_sets() -> None:
    sizes = [len(sets) for sets in Quoridor(6, 2)._sets.walls]
    assert sizes == PUBLISHED["wall_sets_6x6"][:5]


class Slow:
    """The rules anew, on sets of blocked steps between squares (column, row)."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.squares = {(c, r) for c in range(n) for r in range(n)}

    def blocked(self, walls: Any) -> set[frozenset[Any]]:
        found = set()
        for name in walls:
            c, r = "abcdefg".index(name[0]), int(name[1]) - 1
            for k in (0, 1):
                one, other = (
                    ((c + k, r), (c + k, r + 1)) if name[2] == "h" else ((c, r + k), (c + 1, r + k))
                )
                found.add(frozenset((one, other)))
        return found

    def near(self, square: Any, blocked: Any) -> list[Any]:
        c, r = square
        steps = [(c, r + 1), (c, r - 1), (c + 1, r), (c - 1, r)]
        return [s for s in steps if s in self.squares and frozenset((square, s)) not in blocked]

    def arrives(self, square: Any, row: int, blocked: Any) -> bool:
        seen, todo = {square}, [square]
        while todo:
            here = todo.pop()
            if here[1] == row:
                return True
            fresh = set(self.near(here, blocked)) - seen
            seen |= fresh
            todo += fresh
        return False

    def steps(self, mine: Any, other: Any, blocked: Any) -> set[Any]:
        found = set(self.near(mine, blocked)) - {other}
        if other in self.near(mine, blocked):
            beyond = 2 * other[0] - mine[0], 2 * other[1] - mine[1]
            near = [s for s in self.near(other, blocked) if s != mine]
            found |= {beyond} if beyond in near else set(near)
        return found

    def moves(self, text: str) -> list[str]:
        first, second, *hands, turn = text.split()[:5]
        walls = text.split()[5:]
        pawns = [("abcdefg".index(name[0]), int(name[1]) - 1) for name in (first, second)]
        mover = turn == "second"
        steps = self.steps(pawns[mover], pawns[not mover], self.blocked(walls))
        found = {"abcdefg"[c] + str(r + 1) for c, r in steps}
        if int(hands[mover]):
            places = range(self.n - 1)
            for name in (
                "abcdefg"[c] + str(r + 1) + way for c in places for r in places for way in "hv"
            ):
                crossing = name[:2] + ("v" if name[2] == "h" else "h")
                doubled = self.blocked([name]) & self.blocked(walls)
                after = self.blocked([*walls, name])
                ways = zip(pawns, (self.n - 1, 0), strict=True)
                if (
                    crossing not in walls
                    and not doubled
                    and all(self.arrives(p, row, after) for p, row in ways)
                ):
                    found.add(name)
        return sorted(found)


@pytest.mark.parametrize(("n", "games"), [(3, 40), (4, 20), (6, 3)])
def test_moves_are_those_of_slow_rules(n: int, games: int) -> None:
    game, slow, rng = Quoridor(n, 2), Slow(n), random.Random(n)
    met: Counter[str] = Counter()
    for _ in range(games):
        position = game.start()
        for _ in range(25):
            text = game.text(position)
            assert game.parse(text) == position
            if game.terminal(position, game.data):
                break
            moves = game.named_moves(position)
            assert sorted(name for name, _ in moves) == slow.moves(text), text
            if not moves:
                break
            met["jumps"] += any(
                len(name) == 2 and abs(int(name[1]) - int(text[1 + 3 * (position & SECOND != 0)])) == 2
                for name, _ in moves
            )
            walls = [move for move in moves if len(move[0]) == 3]
            position = rng.choice(walls if walls and rng.random() < 0.4 else moves)[1]
    assert met["jumps"] > 0 or n == 6


class SlowQuoridor(rs.Game):
    """The whole game by the slow rules, on the texts of its positions."""

    def __init__(self, n: int, walls: int) -> None:
        self.slow, self.hands = Slow(n), walls

    def start(self) -> str:
        middle = "abcdefg"[self.slow.n // 2]
        return f"{middle}1 {middle}{self.slow.n} {self.hands} {self.hands} first"

    def terminal(self, text: str) -> rs.Value | None:
        """Whoever has just arrived has won."""
        first, second = text.split()[:2]
        return rs.Value.LOSS if first[1] == str(self.slow.n) or second[1] == "1" else None

    def moves(self, text: str) -> list[tuple[str, str]]:
        return [(name, self.after(text, name)) for name in self.slow.moves(text)]

    def after(self, text: str, name: str) -> str:
        first, second, one, two, turn, *walls = text.split()
        pawns, hands, mover = [first, second], [int(one), int(two)], turn == "second"
        if len(name) == 2:
            pawns[mover] = name
        else:
            hands[mover] -= 1
            walls = sorted([*walls, name])
        return " ".join([*pawns, *map(str, hands), ("second", "first")[mover], *walls])


@pytest.mark.parametrize(
    ("n", "walls"), [(3, 1), pytest.param(3, 2, marks=SLOW), pytest.param(4, 1, marks=SLOW)]
)
def test_every_position_has_the_moves_and_the_outcome_of_slow_rules(n: int, walls: int) -> None:
    game, rules = Quoridor(n, walls), SlowQuoridor(n, walls)
    compiled, slow = rs.solve(game), rs.solve(rules, solver="reference")

    def in_order(text: str) -> str:
        words = text.split()
        return " ".join([*words[:5], *sorted(words[5:])])

    for text, outcome in slow.items():
        position = game.parse(text)
        assert compiled[position] == outcome, text
        if rules.terminal(text) is None:
            named = {(name, in_order(game.text(to))) for name, to in game.named_moves(position)}
            assert named == {(move.name, move.position) for move in slow.moves(text)}, text
    assert len(slow) > 1000


def test_rules_agree_with_each_other() -> None:
    checked = rs.check_game(Quoridor(3, 1), samples=1000)
    assert checked.symmetry_checked


def test_a_player_without_a_move_is_stuck() -> None:
    game = Quoridor(6, 1)
    position = game.parse("a1 b1 0 0 first a1h b1v")
    assert game.named_moves(position) == []
    assert str(rs.solve(game)[position]) == "LOSS in 0"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c1 c4", "expected two squares"),
        ("c1 c1 1 1 first", "expected two squares"),
        ("c1 c9 1 1 first", "expected two squares"),
        ("c1 c4 1 1 third", "expected two squares"),
        ("c1 c4 1 1 first a1h", "has 1 walls on the board: expected 2 with those in hand"),
        ("c1 c4 0 0 first a1h b1h", "walls that overlap or cross"),
        ("c1 c4 0 0 first a1h a1v", "walls that overlap or cross"),
        ("c1 c4 1 0 first d1h", "'d1h' is no wall"),
    ],
)
def test_texts_that_are_no_position(text: str, sentence: str) -> None:
    with pytest.raises(rs.PositionError, match=sentence):
        Quoridor(4, 1).parse(text)


def test_more_walls_than_the_board_has_room_for_are_refused() -> None:
    with pytest.raises(rs.RulesError, match="n=3, walls=3: expected at most 2, as 4 walls fit"):
        Quoridor(3, 3)
    assert Quoridor(3, 2).size > 0


@pytest.mark.parametrize(("n", "walls"), [(2, 1), (8, 1), (5, -1), (5, 5)])
def test_numbers_that_are_too_large_or_too_small(n: int, walls: int) -> None:
    with pytest.raises(rs.RulesError, match="expected a whole number from"):
        Quoridor(n, walls)
