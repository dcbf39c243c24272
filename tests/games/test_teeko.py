"""Teeko: its index, its moves both ways, and, where asked for, the whole game."""

import random

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.teeko import ALL, POINTS, Teeko, winning_sets
from retrosolve.rules.compiled import INVALID, LOSS, InterpretedGame
from tests.support.marks import SLOW
from tests.support.published import figures

PUBLISHED = figures("teeko")


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


def test_the_winning_sets_are_as_many_as_published() -> None:
    for advanced, key in ((False, "standard 44 goals"), (True, "advanced 58 goals")):
        ways = winning_sets(advanced)
        assert key in PUBLISHED
        assert len(set(ways)) == len(ways) == int(key.split()[1])
        assert all(way.bit_count() == 4 and way <= ALL for way in ways)


def test_rank_and_unrank_are_inverse(game: Teeko) -> None:
    for tier, index in some_indices(game, 2000):
        position = int(game.unrank(index, game.data))
        assert int(game.rank(position, game.data)) == index
        mine, theirs = position & ALL, position >> POINTS
        assert (mine & theirs, mine.bit_count() + theirs.bit_count()) == (0, 8 - tier)
        assert game.parse(game.text(position)) == position


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


def test_who_has_won(game: Teeko) -> None:
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
    assert ("a1-a2" in dict(InterpretedGame(game).moves(position))) is True
    with pytest.raises(rs.PositionError):
        game.parse("X")


def test_what_it_will_take(game: Teeko) -> None:
    plan = rs.plan(game)
    assert (plan.solver, plan.vertices) == ("predecessors", 96691476)
    assert plan.bytes is not None
    assert plan.bytes <= 3.02 * 96691476


@SLOW
@pytest.mark.parametrize("advanced", [False, True])
def test_the_whole_game(advanced: bool) -> None:
    game = Teeko(advanced)
    solution = rs.solve(game)
    start = solution[game.start()]
    if advanced:
        assert PUBLISHED["advanced 58 goals"] == "first player wins (13 turns)"
        assert str(start) == "WIN in 13"
        assert PUBLISHED["advanced, first drop not in centre"] == "draw"
        values = {move.name: move.outcome.value for move in solution.moves(game.start())}
        assert values.pop("c3") == rs.Value.LOSS
        assert set(values.values()) == {rs.Value.DRAW}
    else:
        assert PUBLISHED["standard 44 goals"] == "draw"
        assert start.value == rs.Value.DRAW
    rs.verify(solution)
