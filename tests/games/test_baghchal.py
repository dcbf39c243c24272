"""Bagh-chal: its moves against plain rules, its index against counts by Burnside's lemma, small boards solved."""

import csv
import json
import random

import pytest

import retrosolve as rs
from retrosolve.games.baghchal import (
    LOST,
    BaghChal,
    BaghChalPositions,
    bagh_chal,
)
from retrosolve.rules.contract import LOSS
from retrosolve.values import Value
from tests.support.baghchal import PlainBaghChal, random_position, seen_from
from tests.support.burnside import placements
from tests.support.marks import COMPILED, samples
from tests.support.pages import ROOT
from tests.support.published import figures

PUBLISHED = figures("bagh-chal")


@pytest.mark.long
@COMPILED
@pytest.mark.parametrize(("size", "goats", "captures"), [(4, 5, 2), (5, 2, 2)])
def test_values_follow_from_those_after_the_moves_of_plain_rules(
    size: int, goats: int, captures: int
) -> None:
    plain, rng = PlainBaghChal(size, goats, captures), random.Random(7)
    solution = rs.solve(BaghChal(size, goats, captures))
    values = set()
    for _ in range(samples(400, 100_000)):
        position = random_position(plain, rng, goats)
        targets = [plain.text(target) for _, target in plain.moves(position)]
        after, here = solution.outcomes(targets), solution.outcomes([plain.text(position)])
        successors = list(zip(after.value.tolist(), after.remoteness.tolist(), strict=True))
        value, plies = seen_from(successors)
        assert (here.value.tolist(), here.remoteness.tolist()) == ([value], [plies])
        values.add(value)
    assert {Value.WIN, Value.LOSS} <= values


def boards_up_to_symmetry() -> list[int]:
    """The boards with four tigers and each number of goats, from Burnside's lemma."""
    symmetries = BaghChal().board.symmetries
    assert symmetries is not None
    boards = placements(symmetries.tolist())
    return [boards[4, goats] for goats in range(22)]


def test_the_index_has_the_published_positions() -> None:
    boards = boards_up_to_symmetry()
    assert boards[:21] == PUBLISHED["boards_with_4_tigers_and_g_goats"]
    game = BaghChal()
    sliding = placing = 0
    for tier, blocks in enumerate(game.blocks):
        sizes = [boards[20 - hand - captured] for hand, captured, _ in blocks]
        if blocks:
            first = game.tiers[tier]
            (above,) = [*game.tiers, game.size][tier + 1 : tier + 2]
            assert sum(sizes) <= above - first <= 1.06 * sum(sizes) + 10_000
            sliding += sum(sizes) * (blocks[0].hand == 0)
            placing += sum(sizes) * (blocks[0].hand > 0)
    assert sliding == PUBLISHED["sliding_positions_up_to_symmetry"]
    assert placing == PUBLISHED["placing_positions_up_to_symmetry"]
    assert rs.games.GAMES["baghchal"].positions == sliding + placing + 1


def test_valid_indices_are_the_positions_up_to_symmetry() -> None:
    game = BaghChalPositions(3, 5, 2, placing=False)
    solution = rs.solve(game)
    plain, boards, rng = PlainBaghChal(3, 5, 2), set(), random.Random(0)
    for _ in range(20_000):
        text = plain.text(random_position(plain, rng, 0))
        boards.add(int(game.canonical(game.parse(text), game.plain_data)))
    assert len(solution) == len(boards) + 1


def test_fifth_goat_ends_the_game() -> None:
    game = BaghChal()
    before = game.parse("TG.../...../...../...../T..TT 15 4 tigers")
    moves = dict(game.named_moves(before))
    after = moves["a5-c5xb5"]
    assert game.text(after) == "..T../...../...../...../T..TT 15 5 goats"
    assert game.terminal(after, game.plain_data) == LOSS
    assert game.canonical(after, game.plain_data) == LOST
    assert game.move_name(before, LOST) == "a5-c5xb5"
    assert game.move_points(before, LOST) == ("a5", "c5")
    assert game.terminal(LOST, game.plain_data) == LOSS
    assert game.parse(game.text(LOST)) == LOST
    assert "5 goats" in str(game.svg(LOST))
    assert game.null_move(LOST) is None
    turned = game.null_move(before)
    assert turned is not None
    assert game.text(turned).endswith("15 4 goats")


@pytest.mark.parametrize(("game", "hand"), [("baghchal", 20), ("baghchal:placing=no", 0)])
def test_recorded_tiers_have_the_published_positions(game: str, hand: int) -> None:
    results = ROOT / "benchmarks" / "results"
    with (results / ("baghchal.csv" if hand else "baghchal-sliding.csv")).open() as file:
        rows = list(csv.DictReader(file))
    cases = json.loads((results / "records.json").read_text())["cases"]
    (record,) = [case for case in cases if case["game"] == game]
    boards = PUBLISHED["boards_with_4_tigers_and_g_goats"]
    assert {(int(row["hand"]), int(row["captured"]), row["to_move"]) for row in rows} == {
        (left, captured, mover)
        for left in range(hand + 1)
        for captured in range(min(4, 20 - left) + 1)
        for mover in ("goats", "tigers")
    }
    for row in rows:
        counts = [int(row[name]) for name in ("positions", "win", "loss", "draw")]
        assert counts[0] == sum(counts[1:]) == boards[20 - int(row["hand"]) - int(row["captured"])]
    for name in ("win", "loss", "draw"):
        lost = int(name == "loss")  # the position that stands for all that the tigers have won
        assert record["counts"][name] == sum(int(row[name]) for row in rows) + lost
    assert record["longest"] == max(int(row["longest_win"]) for row in rows)
    placing = PUBLISHED["placing_positions_up_to_symmetry"] if hand else 0
    assert record["positions"] == PUBLISHED["sliding_positions_up_to_symmetry"] + placing + 1
    assert record["verified"] == (10**8 if hand else record["positions"])
    assert (record["start"], record["differences"]) == (PUBLISHED["start"] if hand else None, [])


@pytest.mark.long
@COMPILED
def test_a_board_of_sixteen_points_is_proven_whole() -> None:
    solution = rs.solve(bagh_chal(4, 8, 3))
    rs.verify(solution)
