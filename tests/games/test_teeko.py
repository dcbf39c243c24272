"""Teeko: its index, its moves both ways, and, where asked for, the whole game."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.teeko import SIZE, Teeko, winning_sets
from retrosolve.rules.contract import INVALID, LOSS
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import SLOW
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PUBLISHED = figures("teeko")
POINTS = SIZE * SIZE
ALL = (1 << POINTS) - 1


@pytest.fixture(scope="module")
def game() -> Teeko:
    return Teeko()


def some_indices(game: Teeko, count: int) -> list[tuple[int, int]]:
    """Tiers and indices in them, the ends of each tier first."""
    rng = random.Random(0)
    bounds = (*game.tiers, game.size)
    ends = [(t, i) for t in range(9) for i in (bounds[t], bounds[t + 1] - 1)]
    some = (rng.randrange(9) for _ in range(count))
    return ends + [(t, rng.randrange(bounds[t], bounds[t + 1])) for t in some]


def test_the_sizes_of_the_tiers(game: Teeko) -> None:
    sizes = np.diff((*game.tiers, game.size)).tolist()
    assert sizes[0] == PUBLISHED["movement_phase_placements"]
    assert sizes[1:] == [16824500, 3542000, 531300, 75900, 6900, 600, 25, 1]


def in_line(points: tuple[tuple[int, int], ...]) -> bool:
    """Whether four points in order follow each other by one step in one direction."""
    steps = {(r - p, c - q) for (p, q), (r, c) in pairwise(points)}
    return len(steps) == 1 and max(map(abs, steps.pop())) == 1


def square_side(points: tuple[tuple[int, int], ...]) -> int:
    """The side of the upright square whose corners these are, 0 if there is none."""
    rows, columns = ({point[axis] for point in points} for axis in (0, 1))
    sides = {max(values) - min(values) for values in (rows, columns)}
    return sides.pop() if len(rows) == len(columns) == 2 and len(sides) == 1 else 0


@pytest.mark.parametrize(
    ("advanced", "published"), [(False, "standard 44 goals"), (True, "advanced 58 goals")]
)
def test_the_winning_sets_are_lines_and_squares(advanced: bool, published: str) -> None:
    sides = {1, 2, 3, 4} if advanced else {1}
    expected = set()
    for points in combinations([divmod(s, 5) for s in range(POINTS)], 4):
        if in_line(points) or square_side(points) in sides:
            expected.add(sum(1 << 5 * row + column for row, column in points))
    found = winning_sets(advanced)
    assert len(found) == len(expected) == int(published.split()[1])
    assert set(found) == expected


def plain_moves(text: str) -> set[str]:
    """The rules once more, on the text of a position: a piece placed or moved, the players swapped."""
    marks = list("".join(reversed(text.split("/"))))
    free = [s for s in range(POINTS) if marks[s] == "."]
    pieces: list[int | None] = [None]
    if len(free) == POINTS - 8:
        pieces = [s for s in range(POINTS) if marks[s] == "X"]
    found = set()
    for piece in pieces:
        for to in free:
            if piece is not None and max(abs(piece // 5 - to // 5), abs(piece % 5 - to % 5)) != 1:
                continue
            after = marks.copy()
            after[to] = "X"
            if piece is not None:
                after[piece] = "."
            swapped = "".join(after).translate(str.maketrans("XO", "OX"))
            found.add("/".join(swapped[row : row + 5] for row in range(POINTS - 5, -1, -5)))
    return found


def test_moves_are_those_of_the_plain_rules(game: Teeko) -> None:
    out = np.zeros(game.max_moves, np.int64)
    for _, index in some_indices(game, 500):
        position = int(game.unrank(index, game.data))
        targets = out[: game.successors(position, out, game.data)].tolist()
        assert {game.text(target) for target in targets} == plain_moves(game.text(position))


def test_rank_and_unrank_are_inverse(game: Teeko) -> None:
    for tier, index in some_indices(game, 2000):
        position = int(game.unrank(index, game.data))
        assert int(game.rank(position, game.data)) == index
        mine, theirs = position & ALL, position >> POINTS
        assert (mine & theirs, mine.bit_count() + theirs.bit_count()) == (0, 8 - tier)
        if game.terminal(position, game.data) != INVALID:
            assert game.parse(game.text(position)) == position
        else:
            with pytest.raises(rs.PositionError, match="has won already"):
                game.parse(game.text(position))


def test_moves_both_ways_agree(game: Teeko) -> None:
    out = np.zeros(game.max_moves + 1, np.int64)
    for tier, index in some_indices(game, 1000):
        position = int(game.unrank(index, game.data))
        count = game.successors(position, out, game.data)
        targets = out[:count].tolist()
        assert len(set(targets)) == count <= game.max_moves
        for target in targets:
            place = int(game.rank(target, game.data))
            assert place < (game.tiers[1] if tier == 0 else game.tiers[tier])
            if tier == 0:
                back = out[: game.predecessors(target, out, game.data)].tolist()
                assert position in back
        if tier == 0:
            for origin in out[: game.predecessors(position, out, game.data)].tolist():
                forth = np.zeros(game.max_moves, np.int64)
                moves = forth[: game.successors(origin, forth, game.data)].tolist()
                assert position in moves


def test_winner_of_finished_positions(game: Teeko) -> None:
    square = 0b00011_00011
    for mine, theirs, expected in ((square, 7 << 20, INVALID), (7 << 20, square, LOSS)):
        assert game.terminal(mine | theirs << POINTS, game.data) == expected
    far = 1 | 1 << 4 | 1 << 20 | 1 << 24
    assert game.terminal(7 << 11 | far << POINTS, game.data) == 0
    advanced = Teeko(advanced=True)
    assert advanced.terminal(7 << 11 | far << POINTS, advanced.data) == LOSS


def test_moves_are_named_by_points(game: Teeko) -> None:
    assert [name for name, _ in InterpretedGame(game).moves(0)][:6] == [
        "a1",
        "b1",
        "c1",
        "d1",
        "e1",
        "a2",
    ]
    position = game.parse("X...X/...../..O../.OOO./X...X")
    named = dict(InterpretedGame(game).moves(position))
    assert game.text(named["a1-a2"]) == "O...O/...../..X../OXXX./....O"
    with pytest.raises(rs.PositionError):
        game.parse("X")


def test_plan_of_teeko(game: Teeko) -> None:
    plan = rs.plan(game)
    assert (plan.solver, plan.num_vertices) == ("retrograde", 96691476)
    assert plan.memory_bytes is not None
    assert plan.memory_bytes <= 3.02 * 96691476


@SLOW
@pytest.mark.parametrize("advanced", [False, True])
def test_the_whole_game(advanced: bool) -> None:
    game = Teeko(advanced)
    solution = rs.solve(game)
    start = solution[game.start()]
    words = "draw" if start.value == rs.Value.DRAW else f"first player wins ({start.remoteness} turns)"
    assert words == PUBLISHED["advanced 58 goals" if advanced else "standard 44 goals"]
    if advanced:
        values = {move.name: move.outcome.value for move in solution.moves(game.start())}
        assert values.pop("c3") == rs.Value.LOSS
        assert {value.label for value in values.values()} == {
            PUBLISHED["advanced, first drop not in centre"]
        }
    rs.verify(solution)
