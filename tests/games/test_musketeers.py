"""Three musketeers: the moves and values of plain rules, and the number of positions up to symmetry."""

import random
from itertools import product

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.musketeers import ThreeMusketeers
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.values import Value
from tests.support.marks import COMPILED, samples
from tests.support.musketeers import PlainMusketeers, random_position
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PUBLISHED = figures("three-musketeers")


@pytest.mark.parametrize("size", [3, 5])
def test_moves_and_ends_of_random_positions_are_those_of_plain_rules(size: int) -> None:
    game, plain, rng = ThreeMusketeers(size), PlainMusketeers(size), random.Random(size)
    rules = InterpretedGame(game)
    assert game.text(game.start()) == plain.text(plain.start())
    for _ in range(samples(500, 100_000)):
        same = random_position(size, rng)
        text = plain.text(same)
        position = game.parse(text)
        assert game.text(position) == text
        assert rules.terminal(position) == plain.terminal(same)
        if plain.terminal(same) is None:
            moves = rules.moves(position)
            expected = [plain.text(target) for _, target in plain.moves(same)]
            assert sorted(game.text(target) for _, target in moves) == sorted(expected)
            assert len({name for name, _ in moves}) == len(moves)


def every_board(size: int) -> list[tuple[str, str]]:
    """All positions of a small board."""
    boards = ("".join(marks) for marks in product("ME.", repeat=size**2))
    return [
        (board, mover)
        for board in boards
        if board.count("M") == 3
        for mover in ("musketeers", "enemies")
    ]


@pytest.mark.long
def test_every_position_of_nine_squares_has_the_value_of_reference() -> None:
    class Whole(PlainMusketeers):
        def starts(self) -> list[tuple[str, str]]:
            return every_board(3)

    plain, game = rs.solve(Whole(3), solver="reference"), ThreeMusketeers(3)
    solution = rs.solve(game)
    rs.verify(solution)
    positions = every_board(3)
    assert len(plain) == len(positions) == 2 * 84 * 2**6
    after = solution.outcomes([plain.space.text(position) for position in positions])
    expected = plain.outcomes(positions)
    assert np.array_equal(after.value, expected.value)
    assert np.array_equal(after.remoteness, expected.remoteness)
    canonical = {
        int(game.canonical(game.parse(plain.space.text(p)), game.plain_data)) for p in positions
    }
    assert len(solution) == len(canonical)


def test_the_positions_are_those_of_burnside() -> None:
    symmetries = ThreeMusketeers().board.symmetries
    assert symmetries is not None
    total = 0
    for way in symmetries.tolist():
        ways, seen = [1, 0, 0, 0], set[int]()  # colourings by the number of musketeers
        for first in range(25):
            length, s = 0, first
            while s not in seen:
                seen.add(s)
                s, length = way[s], length + 1
            if length:
                ways = [2 * ways[k] + (ways[k - length] if k >= length else 0) for k in range(4)]
        total += ways[3]
    assert 2 * total // len(symmetries) == PUBLISHED["positions_up_to_symmetry"]


def test_the_rules_keep_their_contract() -> None:
    for size in (3, 5):
        report = rs.check_game(ThreeMusketeers(size), samples=60, limit=0)
        assert {"survey", "canonical", "rank"} <= set(report.rules)


@pytest.mark.long
@COMPILED
def test_saved_and_interpreted_answers_agree() -> None:
    game = ThreeMusketeers(3)
    solution, view = rs.solve(game), rs.solve(InterpretedGame(game))
    for position in view:
        assert view[position] == solution[position]


def test_ends_are_seen_by_the_player_to_move() -> None:
    game = ThreeMusketeers()
    solution = rs.solve(ThreeMusketeers(3))
    assert solution["MMM/EEE/EEE enemies"].value == Value.WIN
    assert solution["MMM/EEE/EEE musketeers"].value == Value.LOSS
    assert solution["M../.M./..M musketeers"].value == Value.WIN
    assert str(solution["M../.M./..M enemies"]) == "LOSS in 0"
    start = game.start()
    assert dict(game.named_moves(start))["c3xc4"] == game.parse("EEEEM/EEMEE/EE.EE/EEEEE/MEEEE enemies")
    assert game.move_points(start, game.named_moves(start)[0][1]) == ("e5", "d5")


@pytest.mark.parametrize("size", [2, 4, 7, 5.0])
def test_sizes_out_of_range_raise(size: object) -> None:
    with pytest.raises(rs.RulesError, match="expected 3 or 5"):
        ThreeMusketeers(size)


@pytest.mark.parametrize(
    "text", ["", "MMM/.../... nobody", "MM./.../... enemies", "MMMM/.../..x enemies"]
)
def test_texts_that_are_no_position_raise(text: str) -> None:
    with pytest.raises(rs.PositionError, match="is no position: expected"):
        ThreeMusketeers(3).parse(text)
