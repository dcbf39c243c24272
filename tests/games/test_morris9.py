"""Nine men's morris: its board, moves and index, and the published values of small sets."""

import csv
import json
import random
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.morris9 import NAMES, Morris, nine_mens_morris
from retrosolve.games.morris9.tables import POINTS, mill_lines
from retrosolve.rules.contract import INVALID
from tests.games.plain_rules import RULES
from tests.games.plain_rules import mill_lines as told_lines
from tests.support.baghchal import seen_from
from tests.support.burnside import placements
from tests.support.marks import COMPILED
from tests.support.pages import ROOT
from tests.support.published import figures

PUBLISHED = figures("nine-mens-morris")
SETS = PUBLISHED["canonical_positions_w-b (w>=b; w-b and b-w are equally many)"]
SIDE = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
PLACES = [(3 + (x - 1) * far, 3 + (y - 1) * far) for far in (3, 2, 1) for x, y in SIDE]


def test_the_board() -> None:
    assert [f"{'abcdefg'[x]}{7 - y}" for x, y in PLACES] == list(NAMES)
    for diagonals in (False, True):
        mills = [sum(1 << s for s in line) for line in told_lines(3, diagonals)]
        assert sorted(mills) == sorted(mill_lines(diagonals))
        assert len(mills) == (20 if diagonals else 16)


def image(point: int, turn: int, mirrored: bool, exchanged: bool) -> int:
    """The image of a point under a symmetry of the board, perhaps with inner and outer square exchanged."""
    square, place = divmod(point, 8)
    place = (turn - place if mirrored else turn + place) % 8
    return 8 * (2 - square if exchanged else square) + place


def boards_up_to_symmetry() -> dict[tuple[int, int], int]:
    """The numbers of pairs of sets of points, by size."""
    return placements(
        [image(point, turn, *which) for point in range(POINTS)]
        for turn in (0, 2, 4, 6)
        for which in product((False, True), repeat=2)
    )


def test_the_index_has_the_published_sizes() -> None:
    pairs = boards_up_to_symmetry()
    assert [pairs[0, k] for k in range(3, 10)] == list(PUBLISHED["orbits_of_k-sets_of_points"].values())
    for name, count in SETS.items():
        own, other = map(int, name.split("-"))
        assert pairs[own, other] == pairs[other, own] == count
    game = nine_mens_morris()
    bounds = [*game.tiers, game.size]
    (first,) = [at for at, blocks in enumerate(game.blocks) if blocks[0][:3] == (1, 0, 0)]
    moving = bounds[first] - bounds[1]
    assert moving == PUBLISHED["indices_if_the_larger_side_is_folded"]
    sets = [(own, other) for own in range(3, 10) for other in range(3, 10)]
    assert sum(pairs[men] for men in sets) == PUBLISHED["canonical_positions_all_49_ordered_sets"]
    placing = [block for blocks in game.blocks[first:] for block in blocks]
    assert (
        sum(pairs[own, other] for _, own, other, _ in placing)
        == PUBLISHED["canonical_placement_positions"]
    )
    for below, above, (block, *_) in zip(bounds[1:], bounds[2:], game.blocks[1:], strict=False):
        assert pairs[block.own, block.other] * block.sides <= above - below


@pytest.mark.long
@COMPILED
def test_lasker_morris_with_three_men_by_plain_rules() -> None:
    game = nine_mens_morris(3, lasker=True)
    solution = rs.solve(game)
    rs.verify(solution)
    assert (len(solution), str(solution[game.start()])) == (231_411, "WIN in 23")
    rng = random.Random(3)
    for index in rng.sample(np.flatnonzero(solution.table.values() != INVALID).tolist(), 300):
        position = solution.space.position(index)
        outcome, text = solution[position], game.text(position)
        if game.terminal(position, game.plain_data):
            assert str(outcome) == "LOSS in 0"
            continue
        targets = RULES["morris9"].moves(text)
        after = [solution[game.parse(target)] for target in targets]
        value, plies = seen_from([(int(one.value), one.remoteness or 0) for one in after])
        assert (outcome.value, -1 if outcome.remoteness is None else outcome.remoteness) == (
            value,
            plies,
        ), text


@pytest.mark.long
@COMPILED
def test_small_sets_have_the_published_values(tmp_path: Path) -> None:
    game = nine_mens_morris(4, placing=False)
    solution = rs.solve(game, out=tmp_path / "morris")
    counted = counts(solution, game)
    assert counted[3, 3] == sector("3_3_0_0")
    assert counted[3, 4] == sector("3_4_0_0")
    for (own, other), found in counted.items():
        assert sum(found.values()) == SETS[f"{max(own, other)}-{min(own, other)}"]
    longest = solution.table.remoteness(slice(game.tiers[1], game.tiers[2]))
    values = solution.table.values(slice(game.tiers[1], game.tiers[2]))
    wins = np.bincount(longest[values == rs.Value.WIN])
    plies = {str(level): int(wins[level]) for level in np.flatnonzero(wins)}
    assert plies == PUBLISHED["3_3_0_0"]["wins_by_plies"]
    assert longest[values == rs.Value.LOSS].max() == PUBLISHED["3_3_0_0"]["longest_loss"]


def test_recorded_sectors_of_ten_men_have_as_many_positions_as_there_are() -> None:
    """With published counts where there are some: fewer men are the same sectors as in other games."""
    with (ROOT / "benchmarks" / "results" / "morris10.csv").open() as file:
        rows = {(int(row["own"]), int(row["other"])): row for row in csv.DictReader(file)}
    boards = boards_up_to_symmetry()
    assert set(rows) == {(own, other) for own in range(2, 11) for other in range(3, 11)}
    for men, row in rows.items():
        counted = [int(row[name]) for name in ("win", "loss", "draw")]
        assert int(row["positions"]) == sum(counted) == boards[men]
        known = PUBLISHED.get(f"{men[0]}_{men[1]}_0_0")
        assert known is None or counted == [known[letter] for letter in "WLD"]
        assert min(men) > 2 or counted[1] == boards[men]
    cases = json.loads((ROOT / "benchmarks" / "results" / "records.json").read_text())["cases"]
    (record,) = [case for case in cases if case["game"] == "morris9:men=10,placing=no"]
    assert record["positions"] == sum(int(row["positions"]) for row in rows.values())
    for name in ("win", "loss", "draw"):
        assert record["counts"][name] == sum(int(row[name]) for row in rows.values())
    longest = max(int(row[name]) for row in rows.values() for name in ("longest_win", "longest_loss"))
    assert record["longest"] == longest


def sector(name: str) -> dict[rs.Value, int]:
    """The published counts of a sector."""
    found = PUBLISHED[name]
    return {rs.Value.WIN: found["W"], rs.Value.LOSS: found["L"], rs.Value.DRAW: found["D"]}


def counts(solution: rs.Solution, game: Morris) -> dict[tuple[int, int], dict[rs.Value, int]]:
    """The numbers of wins, losses and draws without men in hand, by the numbers of men."""
    found = {}
    for (below, above), (block, *_) in zip(
        pairwise([*game.tiers, game.size]), game.blocks, strict=True
    ):
        if block.left or block.own < 3:
            continue
        rows = solution.table.values(slice(below, above)).reshape(-1, block.sides, game.places(block))
        for side, men in enumerate(((block.own, block.other), (block.other, block.own))[: block.sides]):
            many = np.bincount(rows[:, side].ravel(), minlength=4)
            found[men] = {
                value: int(many[value]) for value in (rs.Value.WIN, rs.Value.LOSS, rs.Value.DRAW)
            }
    return found


@pytest.mark.long
@COMPILED
def test_a_game_of_four_men_is_proven_whole() -> None:
    solution = rs.solve(nine_mens_morris(4))
    assert solution[solution.start].value == rs.Value.DRAW
    rs.verify(solution)
