"""Impartial NoGo: published nimbers, and its rules against a plain search that shares nothing with them."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

import retrosolve as rs
from retrosolve.games.nogo import NoGo

# Folkersen, Müller and Du, docs/MCGS-results.html and input/impartial of MCGS: empty boards.
ONE_ROW = [0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3, 1, 0, 3, 1]
BOARDS = {(2, 2): 1, (2, 3): 1, (2, 4): 0, (2, 5): 0, (3, 3): 0}
LARGER = {(2, 6): 0, (3, 4): 0, (3, 5): 1}

Board = frozenset[tuple[complex, str]]


def is_legal(board: Board, points: set[complex]) -> bool:
    """Whether each group has an empty point beside it: what is alive spreads from empty points."""
    stones = dict(board)
    alive = points - stones.keys()
    while True:
        more = {
            point
            for point in stones.keys() - alive
            for near in (point + 1, point - 1, point + 1j, point - 1j)
            if near in alive and stones.get(near, stones[point]) == stones[point]
        }
        if not more:
            return alive == points
        alive |= more


@cache
def searched(board: Board, points: frozenset[complex]) -> int:
    """The nimber of a board by its definition."""
    after = {
        board | {(point, colour)} for point in points - {point for point, _ in board} for colour in "XO"
    }
    options = {searched(other, points) for other in after if is_legal(other, set(points))}
    return next(k for k in range(len(options) + 1) if k not in options)


@pytest.mark.parametrize(("rows", "columns"), [(1, 6), (2, 3), (3, 3)])
def test_nimbers_of_all_boards_are_those_of_a_plain_search(rows: int, columns: int) -> None:
    game = NoGo(rows, columns)
    solution = rs.solve(game, objective="nimber")
    rs.verify(solution)
    points = frozenset(complex(column, row) for row in range(rows) for column in range(columns))
    places = [complex(column, row) for row in range(rows) for column in range(columns)]
    for board, outcome in solution.items():
        stones = frozenset(
            (at, colour) for at, colour in zip(places, board, strict=True) if colour != "."
        )
        assert outcome.value.number == searched(stones, points), game.text(board)
    boards = ("".join(letters) for letters in product(".XO", repeat=rows * columns))
    legal = {
        board
        for board in boards
        if is_legal(
            frozenset((a, c) for a, c in zip(places, board, strict=True) if c != "."), set(points)
        )
    }
    assert set(solution) == legal


def test_empty_boards_have_the_published_nimbers() -> None:
    boards = {(1, n): value for n, value in enumerate(ONE_ROW[:9], 1)} | BOARDS
    for (rows, columns), value in boards.items():
        solution = rs.solve(NoGo(rows, columns, symmetry=True), objective="nimber")
        assert solution[solution.start].value.number == value, (rows, columns)


@pytest.mark.long
def test_larger_empty_boards_have_the_published_nimbers() -> None:
    boards = {(1, n): value for n, value in enumerate(ONE_ROW, 1)} | LARGER
    for (rows, columns), value in boards.items():
        solution = rs.solve(NoGo(rows, columns, symmetry=True), objective="nimber")
        assert solution[solution.start].value.number == value, (rows, columns)
        rs.verify(solution)


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 3), (1, 5)])
def test_images_of_a_board_have_its_nimber(rows: int, columns: int) -> None:
    whole = rs.solve(NoGo(rows, columns), objective="nimber")
    folded = rs.solve(NoGo(rows, columns, symmetry=True), objective="nimber")
    assert {board: whole[board] for board in folded} == dict(folded)
    for board in random.Random(1).sample(list(whole), min(len(whole), 300)):
        rows_of = whole.space.text(board).split("/")
        images = [rows_of[::-1], [row[::-1] for row in rows_of]]
        if rows == columns:
            images.append(["".join(column) for column in zip(*rows_of, strict=True)])
        texts = ["/".join(image) for image in images]
        texts.append(texts[0].translate(str.maketrans("XO", "OX")))
        for text in texts:
            assert folded[folded.space.parse(text)] == whole[board], text


def test_a_board_has_the_stones_of_its_position_and_no_others() -> None:
    game = NoGo(2, 2)
    assert [game.svg(board).count("<circle") for board in ("....", "X...", "XO..")] == [0, 1, 2]
    assert game.svg("....").count("data-point") == 8  # a half of each point for either colour
