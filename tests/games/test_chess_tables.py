"""Chess endings against the tables of others: Syzygy's win/draw/loss, Gaviota's distance to mate.

Syzygy knows the fifty-move rule, which is not a rule of ours: a win that it delays too long (+1) is a
win here, a loss (-1) a loss. With three and four men there is no such position. A TIE (stalemate or
too little material) and a DRAW are both 0.

`make test` compares 10,000 random placements of each ending of three men and 5,000 of one of four; with
RETROSOLVE_SLOW_TESTS all 35 endings, solved as one game, with 100,000 each, en passant included, every
position of three men in Gaviota's tables, and all known distances to mate in the EPD files. The other
programme takes some 100 microseconds for a position.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

import chess
import chess.gaviota
import chess.syzygy
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.chess import ChessEnding, pack
from retrosolve.games.chess_layout import BLACK, EN_PASSANT, MATERIAL
from retrosolve.games.chess_material import Material, endings, parse
from retrosolve.solution.zugzwang import mutual_zugzwangs
from retrosolve.tables.summary import tier_distributions
from tests.support import chess_data
from tests.support.marks import COMPILED, SLOW, THOROUGH
from tests.support.published import figures

pytestmark = [THOROUGH, COMPILED]

THREE = [material.name for material in endings(3)]
FOUR = [material.name for material in endings(4)]
FEW, SOME, MANY = 4_000, 3_000, 100_000

FIGURES = figures("chess-3-4-men")
SIGN = {rs.Value.WIN: 1, rs.Value.LOSS: -1, rs.Value.TIE: 0, rs.Value.DRAW: 0}


@pytest.fixture(scope="module", autouse=True)
def _tables() -> None:
    chess_data.require()


@cache
def syzygy() -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(str(chess_data.SYZYGY))


@cache
def gaviota() -> chess.gaviota.PythonTablebase:
    tables = chess.gaviota.PythonTablebase()
    tables.add_directory(str(chess_data.GAVIOTA))
    return tables


@cache
def solved(name: str) -> rs.Solution:
    return rs.solve(ChessEnding(name))


def placements(
    game: ChessEnding, material: Material, number: int, seed: int
) -> Iterator[tuple[int, chess.Board]]:
    """Random positions that python-chess finds legal, in any orientation, some with en passant."""
    draw, of = random.Random(seed), game.materials.index(material)
    letters = ["K", "k", *material.white, *material.black.lower()]
    pieces = [chess.Piece.from_symbol(letter) for letter in letters]
    while number:
        squares = draw.sample(range(64), len(pieces))
        board = chess.Board(None)
        board.turn = draw.random() < 0.5
        position = 0
        if material == ("P", "P") and draw.random() < 0.2:
            squares[2] = (32 if board.turn else 24) + draw.randrange(7)
            squares[3] = squares[2] + 1
            if draw.random() < 0.5:
                squares[2:] = squares[3], squares[2]
            behind = 8 if board.turn else -8
            board.ep_square = squares[3 if board.turn else 2] + behind
            if {board.ep_square, board.ep_square + behind} & set(squares) or len(set(squares)) < 4:
                continue
            position = EN_PASSANT
        for square, piece in zip(squares, pieces, strict=True):
            board.set_piece_at(square, piece)
        apart = chess.square_distance(squares[0], squares[1]) > 1
        if apart and not board.pawns & chess.BB_BACKRANKS and not board.was_into_check():
            number -= 1
            side = 0 if board.turn else BLACK
            yield pack(*squares) | (of << MATERIAL) | side | position, board


def board_of(game: ChessEnding, position: int) -> chess.Board:
    return chess.Board(game.text(position).replace(" - ", " ") + " - - 0 1")


def outcomes(solution: rs.Solution) -> Iterator[tuple[chess.Board, rs.Outcome]]:
    """The outcome of every position of three men in a solution."""
    game = solution.space.rules
    for position, found in solution.items():
        if game.materials[position >> MATERIAL].pieces:
            yield board_of(game, position), found


def assert_distance(board: chess.Board, found: rs.Outcome) -> None:
    """The distance to mate is Gaviota's: plies, negative for a loss, 0 for a draw and for mate."""
    expected = gaviota().probe_dtm(board)
    mated = found == (rs.Value.LOSS, 0)
    assert (found.remoteness or 0) * SIGN[found.value] == expected, board.fen()
    assert (expected == 0) == (mated or SIGN[found.value] == 0), board.fen()


def compare(solution: rs.Solution, ending: str, number: int) -> None:
    """Compare random positions of an ending, and the longest mate."""
    game, table = solution.space.rules, solution.table
    found = list(placements(game, parse(ending), number, 1))
    indices = [game.rank(game.canonical(position, game.data), game.data) for position, _ in found]
    values, plies = table.values(np.array(indices)), table.remoteness(np.array(indices))
    for (_, board), value, remoteness in zip(found, values.tolist(), plies.tolist(), strict=True):
        known = syzygy().probe_wdl(board)
        assert SIGN[rs.Value(value)] == (known > 0) - (known < 0), board.fen()
        if ending in THREE:
            assert_distance(board, rs.Outcome(rs.Value(value), remoteness))
    assert longest(solution, ending) == FIGURES["longest_mate_plies"].get(ending, 0)


def longest(solution: rs.Solution, ending: str) -> int:
    """The longest mate of an ending, in plies."""
    space = solution.space
    part = tier_distributions(solution.table, space.tiers, space.tier_names)[ending].longest()
    return max(part[rs.Value.WIN] or 0, part[rs.Value.LOSS] or 0)


@pytest.mark.parametrize("ending", THREE)
def test_random_positions_of_three_men_are_those_of_the_tables(ending: str) -> None:
    compare(solved("3men"), ending, FEW)


def test_random_positions_of_four_men_are_those_of_the_table() -> None:
    compare(solved("KQKR"), "KQKR", SOME)


def test_every_table_of_the_others_is_compared() -> None:
    there = {path.stem.replace("v", "") for path in chess_data.SYZYGY.glob("*.rtbw")}
    assert {name for name in there if len(name) < 5} == {*THREE, *FOUR}
    assert (len(THREE), len(FOUR)) == (5, 30)


@SLOW
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_many_positions_are_those_of_the_tables(ending: str) -> None:
    compare(solved("4men"), ending, MANY)


@SLOW
def test_known_mates_are_found_in_as_many_moves() -> None:
    solution, number = solved("4men"), 0
    for board, moves in known_mates():
        value, plies = solution[solution.space.parse(board.fen())]
        assert SIGN[value] == (moves > 0) - (moves < 0), board.fen()
        assert not moves or plies == 2 * abs(moves) - (moves > 0), board.fen()
        number += 1
    assert number > 40


@pytest.mark.parametrize(
    "endings", [["KPK"], pytest.param(["KRKN", "KRKP", "KPKP"], marks=SLOW)], ids=str
)
def test_mutual_zugzwangs_are_as_many_as_published(endings: list[str]) -> None:
    solution = solved("3men" if endings == ["KPK"] else "4men")
    space = solution.space
    names = [
        space.tier_names[bisect_right(space.tiers, space.index(zugzwang.position)) - 1]
        for zugzwang in mutual_zugzwangs(solution)
    ]
    assert {name: names.count(name) for name in endings} == {
        name: FIGURES["mutual_zugzwangs"][name] for name in endings
    }


@SLOW
def test_every_position_of_three_men_is_gaviotas() -> None:
    number = 0
    for board, found in outcomes(solved("3men")):
        assert_distance(board, found)
        number += 1
    assert number > 360_000


def known_mates() -> Iterator[tuple[chess.Board, int]]:
    """The positions of an EPD file, and the moves to mate, negative for a loss."""
    for line in chess_data.MATES.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            board = chess.Board(None)
            yield board, board.set_epd(line)["dm"]
