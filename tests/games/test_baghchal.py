"""Bagh-chal: its moves against plain rules, its index against counts by Burnside's lemma, small boards solved."""

import csv
import json
import random
from bisect import bisect_right
from math import comb

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.baghchal import (
    GOATS,
    LOST,
    TIGERS,
    BaghChal,
    BaghChalPositions,
    bagh_chal,
    kind_of,
)
from retrosolve.rules.contract import INVALID, LOSS
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.values import Value
from tests.support.baghchal import PlainBaghChal, random_position, seen_from
from tests.support.burnside import placements
from tests.support.marks import COMPILED, SLOW, samples
from tests.support.pages import ROOT
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PUBLISHED = figures("bagh-chal")
SMALL = [(3, 5, 2), (3, 4, 1), (3, 3, 3)]  # size, goats, captures


@pytest.mark.parametrize(("size", "goats", "captures"), [(5, 20, 5), (5, 21, 3), (4, 12, 4), (3, 5, 2)])
def test_moves_of_random_positions_are_those_of_plain_rules(
    size: int, goats: int, captures: int
) -> None:
    game, plain = BaghChal(size, goats, captures), PlainBaghChal(size, goats, captures)
    rules, rng = InterpretedGame(game), random.Random(size)
    assert game.text(game.start()) == plain.text(plain.start())
    for _ in range(samples(600, 100_000)):
        same = random_position(plain, rng, goats)
        position = game.parse(plain.text(same))
        assert game.text(position) == plain.text(same)
        moves = rules.moves(position)
        expected = {plain.text(target): plain.terminal(target) for _, target in plain.moves(same)}
        assert {game.text(target): rules.terminal(target) for _, target in moves} == expected
        assert len({name for name, _ in moves}) == len(moves) == len(expected)


@pytest.mark.long
@pytest.mark.parametrize(("size", "goats", "captures"), SMALL)
def test_small_boards_have_the_values_of_plain_rules(size: int, goats: int, captures: int) -> None:
    plain = rs.solve(PlainBaghChal(size, goats, captures), solver="reference")
    game = BaghChal(size, goats, captures)
    solution = rs.solve(game)
    rs.verify(solution)
    assert solution.solver != "reference"
    for position in plain:
        text = plain.space.text(position)
        assert solution[game.parse(text)] == plain[position], text


@SLOW
def test_a_board_of_sixteen_points_has_the_values_of_plain_rules() -> None:
    test_small_boards_have_the_values_of_plain_rules(4, 2, 1)


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


@pytest.mark.long("True")
@COMPILED
@pytest.mark.parametrize("placing", [True, False])
def test_every_index_has_the_value_of_reference(placing: bool) -> None:
    game = bagh_chal(3, 5, 2, placing)
    table, other = rs.solve(game).table, rs.solve(game, solver="reference").table
    assert np.array_equal(table.values(slice(None)), other.values(slice(None)))
    assert np.array_equal(table.remoteness(slice(None)), other.remoteness(slice(None)))


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


@pytest.mark.parametrize(("size", "goats", "captures"), [(5, 20, 5), (4, 6, 2), (3, 5, 2)])
def test_the_rules_keep_their_contract(size: int, goats: int, captures: int) -> None:
    report = rs.check_game(BaghChal(size, goats, captures), samples=60, limit=0)
    assert {"survey", "predecessors", "canonical", "rank"} <= set(report.rules)


def test_moves_lead_to_the_tiers_that_are_named() -> None:
    game = BaghChal()
    bounds = [*game.tiers, game.size]
    rng, out = random.Random(1), np.zeros(game.max_moves, np.int64)
    for tier, blocks in enumerate(game.blocks):
        targets = set()
        for _ in range(30 if blocks else 0):
            position = game.unrank(rng.randrange(*bounds[tier : tier + 2]), game.plain_data)
            for target in out[: game.successors(position, out, game.plain_data)].tolist():
                targets.add(bisect_right(bounds, game.rank(target, game.plain_data)) - 1)
        assert targets <= {tier, *game.tier_targets(tier)}
        acyclic = all(block.hand for block in blocks)
        assert not acyclic or tier not in targets


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


@pytest.mark.long
def test_tigers_without_a_move_have_lost() -> None:
    game = BaghChal(3, 5, 2)
    solution = rs.solve(game)
    blocked = solution["TGT/GGG/TGT 0 0 tigers"]
    assert (blocked.value, blocked.remoteness) == (Value.LOSS, 0)


def test_boards_of_four_points_have_four_symmetries() -> None:
    orders = [
        len(rs.game(f"baghchal:size={size},goats=2,captures=1").board.symmetries) for size in (3, 4, 5)
    ]
    assert orders == [8, 4, 8]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("size=6", "size=6: expected 3, 4 or 5"),
        ("goats=22", "goats=22: expected a whole number from 1 to 21"),
        ("size=3", "goats=20: expected a whole number from 1 to 5"),
        ("captures=21", "captures=21: expected a whole number from 1 to 20"),
        ("captures=0", "captures=0: expected a whole number from 1 to 20"),
    ],
)
def test_numbers_out_of_range_raise(arguments: str, message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.game(f"baghchal:{arguments}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tigers",
        "T...T/...../...../...../T...T",
        "T...T/...../...../...../T...T 20 0 nobody",
        "T...T/...../...../...../T.... 20 0 goats",
        "T...T/...../...../...../T...T 19 0 goats",
        "T...T/...../...../...../T...T -1 21 goats",
        "T...T/...../...../...../T...T 14 6 goats",
        "T...T/...../...../...../T...T 15 5 tigers",
        "TX..T/...../...../...../T...T 19 0 goats",
    ],
)
def test_texts_that_are_no_position_raise(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position: expected"):
        BaghChal().parse(text)


def test_positions_with_goats_in_hand_are_refused_without_placing() -> None:
    game = bagh_chal(placing=False)
    assert not game.implements("start")
    with pytest.raises(rs.PositionError, match="none in hand without placing"):
        game.parse("T...T/...../...../...../T...T 20 0 goats")


def test_kinds_are_above_the_sets_of_a_position() -> None:
    game = BaghChal()
    assert game.start() >> 50 == kind_of(20, 0, GOATS)
    turned = game.null_move(game.start())
    assert turned is not None
    assert turned >> 50 == kind_of(20, 0, TIGERS)
    assert INVALID not in {
        game.terminal(game.unrank(index, game.plain_data), game.plain_data) for index in range(50)
    }
    assert comb(21, 10) * 1666 < 2**31


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


def test_tiers_without_goats_in_hand_are_the_same_in_both_records() -> None:
    whole, sliding = (
        list(csv.DictReader((ROOT / "benchmarks" / "results" / name).read_text().splitlines()))
        for name in ("baghchal.csv", "baghchal-sliding.csv")
    )
    assert [row for row in whole if row["hand"] == "0"] == sliding


@SLOW
@COMPILED
def test_a_board_of_sixteen_points_is_proven_whole() -> None:
    solution = rs.solve(bagh_chal(4, 8, 3))
    rs.verify(solution)
