"""Games that count: awari, kalah, dots and boxes, and Connect Four by stones left."""

from __future__ import annotations

import csv
import random
import sys
from functools import cache
from math import comb

import pytest

import retrosolve as rs
from retrosolve.games.awari import Awari
from retrosolve.games.dots import DotsAndBoxes
from retrosolve.games.kalah import Kalah
from retrosolve.values import DRAW, LOSS, TIE, WIN
from tests.support.pages import ROOT
from tests.support.published import figures


def layers(solution: rs.Solution, game: Awari) -> dict[int, tuple[int, ...]]:
    """Boards and the signs of their scores by seeds."""
    found = {}
    bounds = (*game.tiers, game.size)
    kinds = solution.table.codec.kinds
    for seeds in range(1, game.seeds + 1):
        span = slice(bounds[seeds], bounds[seeds + 1])
        kind = kinds[solution.table.values(span)]
        zero = int(((kind == TIE) | (kind == DRAW)).sum())
        found[seeds] = (len(kind), int((kind == WIN).sum()), int((kind == LOSS).sum()), zero)
    return found


def recorded_layers() -> dict[int, tuple[int, ...]]:
    """What a solve of 28 seeds has counted: boards and the signs of their scores."""
    with (ROOT / "benchmarks" / "results" / "awari.csv").open() as file:
        rows = [tuple(map(int, row)) for row in list(csv.reader(file))[1:]]
    return {seeds: tuple(row) for seeds, *row in rows}


def check_layers(seeds: int) -> None:
    game = Awari(seeds=seeds)
    solution = rs.solve(game, objective="score")
    own, recorded = figures("awari")["own"], recorded_layers()
    for number, row in layers(solution, game).items():
        assert row == recorded[number]
        if str(number) in own:
            assert row == (own[str(number)][0], *own[str(number)][2:])
    rs.verify(solution)


def test_recorded_layers_of_awari_have_all_boards_and_the_known_signs() -> None:
    own = figures("awari")["own"]
    for seeds, (boards, *signs) in recorded_layers().items():
        assert boards == sum(signs) == comb(seeds + 11, 11)
        assert signs == own.get(str(seeds), [0, 0, *signs])[2:]


@pytest.mark.long
def test_layers_of_awari_are_those_of_another_program() -> None:
    check_layers(7)


@pytest.mark.long
def test_larger_layers_of_awari_are_those_of_another_program() -> None:
    check_layers(14)


def test_moves_inside_layers_of_awari_are_counted() -> None:
    game = Awari(seeds=5)
    space = game.state_space()
    for seeds in range(1, 6):
        start, stop = game.tiers[seeds], (*game.tiers, game.size)[seeds + 1]
        targets = space.successors(start, stop).indices
        assert int((targets >= start).sum()) == figures("awari")["own"][str(seeds)][1]


def test_grand_slam_of_awari_is_a_rule_of_its_own() -> None:
    names = {}
    for rule in ("nothing", "take", "forbidden"):
        game = Awari(seeds=6, pits=3, grandslam=rule)
        board = game.parse("0,0,2/1,1,0")  # sowing c makes two and two, all that the opponent has
        targets = [target for _, target in game.named_moves(board)]
        names[rule] = [game.text(target) for target in targets]
    assert names == {"nothing": ["2,2,0/0,0,0"], "take": ["0,0,0/0,0,0"], "forbidden": []}


def test_opponent_without_seeds_is_fed_if_possible() -> None:
    game = Awari(seeds=6, pits=3)
    assert [name for name, _ in game.named_moves(game.parse("1,1,2/0,0,0"))] == ["c"]
    hungry = game.parse("1,0,0/0,0,0")
    assert game.named_moves(hungry) == []
    assert game.payoff(hungry, game.plain_data) == 1
    assert game.payoff(game.parse("0,0,0/2,0,1"), game.plain_data) == -3


def test_large_awari_wraps_around_and_leaves_its_pit_out() -> None:
    game = Awari(seeds=15, pits=2)
    board = game.parse("9,0/1,1")
    (target,) = (target for name, target in game.named_moves(board) if name == "a")
    assert game.text(target) == "4,4/0,3"


def best_margin(pits: int, seeds: int, capture: bool) -> int:
    """The margin of the first player of kalah, by a plain search on lists."""

    @cache
    def margin(mine: tuple[int, ...], others: tuple[int, ...]) -> int:
        if not any(mine) or not any(others):
            return sum(mine) - sum(others)
        found = []
        for origin in range(pits):
            if not mine[origin]:
                continue
            ring = [*mine, 0, *others]
            left, ring[origin], at = ring[origin], 0, origin
            while left:
                at = (at + 1) % len(ring)
                ring[at] += 1
                left -= 1
            across = 2 * pits - at
            if at < pits and ring[at] == 1 and (ring[across] or capture):
                ring[pits] += 1 + ring[across]
                ring[at] = ring[across] = 0
            own, won, rest = tuple(ring[:pits]), ring[pits], tuple(ring[pits + 1 :])
            found.append(won + margin(own, rest) if at == pits else won - margin(rest, own))
        return max(found)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(10_000, limit))
    try:
        return margin((seeds,) * pits, (seeds,) * pits)
    finally:
        sys.setrecursionlimit(limit)


SMALL_KALAH = [(1, 1), (1, 2), (1, 3), (1, 6), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]
KALAH = [(1, 4), (1, 5), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4), (4, 2), (4, 3)]


@pytest.mark.long("2-3")
@pytest.mark.parametrize(
    ("pits", "seeds"), [*SMALL_KALAH, *(pytest.param(*size, marks=pytest.mark.long) for size in KALAH)]
)
def test_kalah_is_what_a_plain_search_says(pits: int, seeds: int) -> None:
    for capture in (False, True)[: 2 if (pits, seeds) in SMALL_KALAH else 1]:
        solution = rs.solve(Kalah(pits, seeds, capture), objective="score")
        margin = solution[solution.start].value.points
        assert margin == best_margin(pits, seeds, capture)
        rs.verify(solution)


@pytest.mark.long  # up to 5 minutes and 3 GB
@pytest.mark.parametrize("text", ["4,2", "4,3", "4,4", "4,5", "5,2", "5,3"])
def test_margins_of_kalah_are_those_published(text: str) -> None:
    game = Kalah(*map(int, text.split(",")))
    solution = rs.solve(game, objective="score:levels=no")
    margins = figures("kalah")["margin"] | figures("kalah")["own"]
    assert solution[game.start()].value.points == margins[text]


@pytest.mark.long
@pytest.mark.parametrize("text", ["4,3", "4,4"])
def test_margins_of_kalah_with_empty_capture_are_those_listed(text: str) -> None:
    game = Kalah(*map(int, text.split(",")), capture=True)
    solution = rs.solve(game, objective="score:levels=no")
    assert solution[game.start()].value.points == figures("kalah")["own_capture"][text]


def test_empty_capture_of_kalah_is_a_rule_of_its_own() -> None:
    for capture, expected in ((False, "0,1/0,2 1"), (True, "0,0/0,2 1")):
        game = Kalah(2, 1, capture)
        for board, target in (("1,0/0,2 0", expected), ("1,0/2,0 0", "0,0/0,0 1")):
            assert game.text(dict(game.named_moves(game.parse(board)))["a"]) == target


@pytest.mark.long("2-2")
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (1, 3), (2, 2)])
def test_dots_and_boxes_is_what_a_plain_search_says(rows: int, columns: int) -> None:
    lines = {(y, x, y, x + 1) for y in range(rows + 1) for x in range(columns)}
    lines |= {(y, x, y + 1, x) for y in range(rows) for x in range(columns + 1)}
    corners = [(y, x) for y in range(rows) for x in range(columns)]
    boxes = [
        {(y, x, y, x + 1), (y + 1, x, y + 1, x + 1), (y, x, y + 1, x), (y, x + 1, y + 1, x + 1)}
        for y, x in corners
    ]

    @cache
    def margin(left: frozenset[tuple[int, ...]]) -> int:
        found = []
        for line in left:
            rest = left - {line}
            won = sum(line in box and not box & rest for box in boxes)
            found.append(won + margin(rest) if won else -margin(rest))
        return max(found, default=0)

    game = DotsAndBoxes(rows, columns)
    solution = rs.solve(game, objective="score")
    assert solution[solution.start].value.points == margin(frozenset(lines))
    rs.verify(solution)
    assert len(solution.winner()) == len(solution)


@pytest.mark.long
def test_connect_four_by_stones_left_is_its_outcome_and_remoteness() -> None:
    game = rs.game("connect4:rows=4,columns=3,connect=3")
    outcomes, scores = rs.solve(game), rs.solve(game, objective="score")
    rs.verify(scores)
    cells, rng = 12, random.Random(1)
    for v in rng.sample(list(outcomes.space.valid()), 400):
        position = outcomes.space.position(int(v))
        stones = sum(letter in "XO" for letter in game.text(position))
        value, plies = outcomes[position]
        won, by = scores[position]
        if value is rs.Value.TIE:
            assert won.points == 0
        else:
            left = (cells + 2 - stones - plies) // 2
            assert won.points == (left if value is rs.Value.WIN else -left)
            assert by == plies
