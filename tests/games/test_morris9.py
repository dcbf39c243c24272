"""Nine men's morris: its board, moves and index, and the published values of small sets."""

import csv
import json
import random
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.errors import PositionError, RulesError
from retrosolve.games.morris9 import NAMES, Morris, NineMensMorris, nine_mens_morris
from retrosolve.games.morris9.lasker import LaskerMorris
from retrosolve.games.morris9.tables import POINTS, WAYS, mill_lines
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.burnside import placements
from tests.support.marks import COMPILED, SLOW
from tests.support.pages import ROOT
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PUBLISHED = figures("nine-mens-morris")
SETS = PUBLISHED["canonical_positions_w-b (w>=b; w-b and b-w are equally many)"]
SIDE = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
PLACES = [(3 + (x - 1) * far, 3 + (y - 1) * far) for far in (3, 2, 1) for x, y in SIDE]


def lines(diagonals: bool) -> list[list[int]]:
    """The lines of three points, each from one end to the other, by their places on the page."""
    found = []
    for ring in (0, 8, 16):
        found += [[ring + k, ring + k + 1, ring + (k + 2) % 8] for k in (0, 2, 4, 6)]
    return found + [[k, k + 8, k + 16] for k in (range(8) if diagonals else (1, 3, 5, 7))]


def moves_by_hand(text: str, diagonals: bool) -> list[str]:
    """The texts of the positions that moves lead to, from the rules as they are told."""
    board, *hands = text.replace("/", "").split(" ")
    left, every = int(hands[0]), lines(diagonals)
    lasker = len(hands) == 2
    beside = {frozenset(pair) for line in every for pair in pairwise(line)}

    def in_mills(marks: list[str], mark: str) -> set[int]:
        return {s for line in every if all(marks[t] == mark for t in line) for s in line}

    steps = []
    for to in (s for s in range(POINTS) if board[s] == "."):
        after = list(board)
        after[to] = "X"
        if left:
            steps.append((after, to, 1))
        if left and not lasker:
            continue
        for origin in (s for s in range(POINTS) if board[s] == "X"):
            if (board.count("X") == 3 and not left) or frozenset((origin, to)) in beside:
                moved = list(after)
                moved[origin] = "."
                steps.append((moved, to, 0))
    found = []
    for after, to, placed in steps:
        others = {s for s in range(POINTS) if after[s] == "O"}
        taken: set[int | None] = {None}
        if to in in_mills(after, "X") and others:
            taken = {*(others - in_mills(after, "O") or others)}
        for man in taken:
            marks = "".join("." if s == man else after[s] for s in range(POINTS))
            seen = marks.translate(str.maketrans("XO", "OX"))
            hand = f"{hands[1]} {left - placed}" if lasker else str(left - placed)
            found.append(f"{seen[:8]}/{seen[8:16]}/{seen[16:]} {hand}")
    return sorted(found)


def played(game: NineMensMorris | LaskerMorris, many: int) -> Iterator[int]:
    """Positions of random play from the start, those where the game is over among them."""
    rng = random.Random(many)
    out = np.zeros(game.max_moves, np.int64)
    position = game.start()
    for _ in range(many):
        yield position
        over = game.terminal(position, game.plain_data)
        count = 0 if over else game.successors(position, out, game.plain_data)
        position = int(out[rng.randrange(count)]) if count else game.start()


def orbits() -> np.ndarray:
    """The numbers of pairs of sets of points up to symmetry, by size, from Burnside's lemma."""
    found = np.zeros((POINTS + 1, POINTS + 1), object)
    for way in range(WAYS):
        sign, turn = (1, -1)[way & 1], way & 6
        images = [
            8 * ((2 - s // 8) if way & 8 else s // 8) + (sign * s + turn) % 8 for s in range(POINTS)
        ]
        ways = np.zeros_like(found)
        ways[0, 0] = 1
        seen: set[int] = set()
        for s in range(POINTS):
            length = 0
            while s not in seen:
                seen.add(s)
                s, length = images[s], length + 1  # noqa: PLW2901  # along the cycle
            if length:
                before = ways.copy()
                ways[length:] += before[:-length]
                ways[:, length:] += before[:, :-length]
        found += ways
    return found // WAYS


def test_the_board() -> None:
    assert [f"{'abcdefg'[x]}{7 - y}" for x, y in PLACES] == list(NAMES)
    for diagonals in (False, True):
        mills = [sum(1 << s for s in line) for line in lines(diagonals)]
        assert sorted(mills) == sorted(mill_lines(diagonals))
        assert len(mills) == (20 if diagonals else 16)


@pytest.mark.parametrize(("men", "diagonals"), [(9, False), (4, True)])
def test_the_moves_are_those_of_the_rules(men: int, diagonals: bool) -> None:
    game = NineMensMorris(men, diagonals)
    rules = InterpretedGame(game)
    ends = 0
    for position in played(game, 400):
        text = game.text(position)
        assert game.parse(text) == position
        own = text.count("X") + ((position >> 48) + 1) // 2
        over = game.terminal(position, game.plain_data)
        assert over == (LOSS if own < 3 else NOT_TERMINAL)
        ends += bool(over)
        if not over:
            moves = rules.moves(position)
            assert sorted(game.text(target) for _, target in moves) == moves_by_hand(text, diagonals)
            assert len({name for name, _ in moves}) == len(moves)
    assert ends


@pytest.mark.parametrize(("men", "diagonals"), [(10, False), (4, True)])
def test_in_lasker_morris_men_are_placed_or_moved(men: int, diagonals: bool) -> None:
    game = LaskerMorris(men, diagonals)
    rules, mixed = InterpretedGame(game), 0
    for position in played(game, 120):
        text = game.text(position)
        assert game.parse(text) == position
        over = game.terminal(position, game.plain_data)
        if not over:
            moves = rules.moves(position)
            assert sorted(game.text(target) for _, target in moves) == moves_by_hand(text, diagonals)
            names = [name for name, _ in moves]
            assert len(set(names)) == len(names)
            mixed += len({"-" in name for name in names}) == 2
    assert mixed


def test_the_index_has_the_published_sizes() -> None:
    pairs = orbits()
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


@pytest.mark.parametrize(("men", "diagonals"), [(9, False), (5, True)])
def test_the_rules_keep_their_contract(men: int, diagonals: bool) -> None:
    report = rs.check_game(nine_mens_morris(men, diagonals), samples=60, limit=0)
    assert {"survey", "predecessor_indices", "rank"} <= set(report.rules)


def test_the_rules_of_lasker_morris_keep_their_contract() -> None:
    game = nine_mens_morris(5, lasker=True)
    assert {"predecessors", "rank"} <= set(rs.check_game(game, samples=100, limit=0).rules)
    rng = random.Random(0)
    for tier, blocks in enumerate(game.blocks):
        bounds = [*game.tiers, game.size][tier : tier + 2]
        index = rng.randrange(*bounds)
        position = game.unrank(index, game.plain_data)
        mine, theirs, hands = game.read_squares(game.text(position))
        kind = (*map(int, hands.split(" ")), mine.bit_count(), theirs.bit_count())
        assert kind in (blocks[0], blocks[0].turned)
        canonical = game.canonical(position, game.plain_data)
        rank = game.rank(canonical, game.plain_data)
        assert bounds[0] <= rank == game.rank(position, game.plain_data) < bounds[1]
        assert game.unrank(rank, game.plain_data) == canonical


@SLOW
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
        after = [solution[game.parse(target)] for target in moves_by_hand(text, False)]
        assert outcome == best(after), text


def best(after: list[rs.Outcome]) -> rs.Outcome:
    """The outcome of a position from those of the positions that moves lead to."""
    lost = [o.remoteness for o in after if o.value == rs.Value.LOSS]
    if lost:
        return rs.Outcome(rs.Value.WIN, 1 + min(lost))
    if all(o.value == rs.Value.WIN for o in after):
        return rs.Outcome(rs.Value.LOSS, 1 + max((o.remoteness for o in after), default=-1))
    return rs.Outcome(rs.Value.DRAW, None)


def test_images_are_one() -> None:
    game = nine_mens_morris(4)
    one = game.parse("XX.O..../.O....../........ 2")
    images = (
        "..XX.O../...O..../........ 2",
        ".XX...../........O....... 2",
        "......../.O....../XX.O.... 2",
    )
    assert (
        game.canonical(one, game.plain_data)
        == game.canonical(game.parse(images[0]), game.plain_data)
        == game.canonical(game.parse(images[2]), game.plain_data)
    )


@pytest.mark.parametrize(
    "text", ["........", "XXX...../O......./........ 0", "XXXXX.../......../........ 9", "? 0"]
)
def test_other_texts_are_no_positions(text: str) -> None:
    with pytest.raises(PositionError):
        nine_mens_morris(4).parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "......../......../........ 8",
        "XX....../XX....../........ 1 4",
        "X......./......../O....... 0 4",
    ],
)
def test_other_texts_are_no_positions_of_lasker_morris(text: str) -> None:
    with pytest.raises(PositionError, match="is no position: expected"):
        LaskerMorris(4).parse(text)


def test_lasker_morris_is_about_placing() -> None:
    with pytest.raises(RulesError, match="placing=no: expected yes with lasker=yes"):
        nine_mens_morris(placing=False, lasker=True)


def test_the_number_of_men_has_limits() -> None:
    with pytest.raises(RulesError, match="men=2: expected a whole number from 3 to 12"):
        Morris(men=2)


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


def image(point: int, turn: int, mirrored: bool, exchanged: bool) -> int:
    """The image of a point under a symmetry of the board, perhaps with inner and outer square exchanged."""
    square, place = divmod(point, 8)
    place = (turn - place if mirrored else turn + place) % 8
    return 8 * (2 - square if exchanged else square) + place


def test_recorded_sectors_of_ten_men_have_as_many_positions_as_there_are() -> None:
    """With published counts where there are some: fewer men are the same sectors as in other games."""
    with (ROOT / "benchmarks" / "results" / "morris10.csv").open() as file:
        rows = {(int(row["own"]), int(row["other"])): row for row in csv.DictReader(file)}
    boards = placements(
        [image(point, turn, *which) for point in range(POINTS)]
        for turn in (0, 2, 4, 6)
        for which in product((False, True), repeat=2)
    )
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


@SLOW
@COMPILED
def test_a_game_of_four_men_is_proven_whole() -> None:
    solution = rs.solve(nine_mens_morris(4))
    assert solution[solution.start].value == rs.Value.DRAW
    rs.verify(solution)
