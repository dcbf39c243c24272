"""Chess endings against the tables of others: Syzygy's win/draw/loss, Gaviota's distance to mate.

Syzygy knows the fifty-move rule, which is not a rule of ours: a win that it delays too long (+1) is a
win here, a loss (-1) a loss. With three and four men there is no such position. A TIE (stalemate or
too little material) and a DRAW are both 0.

`make test` compares 10,000 random placements of each ending of three men and of one of four; with
RETROSOLVE_SLOW_TESTS all 33 endings with 1,000,000 each, every position of three men in Gaviota's
tables, and all known distances to mate in an EPD file.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import chess
import chess.gaviota
import chess.syzygy
import pytest

import retrosolve as rs
from retrosolve.games.chess import ChessEnding, pack, unpack
from retrosolve.games.chess_moves import BLACK, KIND, PAWN
from retrosolve.solution.zugzwang import mutual_zugzwangs
from tests.support import chess_data
from tests.support.marks import COMPILED, SLOW, THOROUGH
from tests.support.published import figures

pytestmark = [THOROUGH, COMPILED]

THREE = ["KQK", "KRK", "KBK", "KNK", "KPK"]
FOUR = [
    "KQQK", "KQRK", "KQBK", "KQNK", "KRRK", "KRBK", "KRNK", "KBBK", "KBNK", "KNNK",
    "KQPK", "KRPK", "KBPK", "KNPK",
    "KQKQ", "KQKR", "KQKB", "KQKN", "KRKR", "KRKB", "KRKN", "KBKB", "KBKN", "KNKN",
    "KQKP", "KRKP", "KBKP", "KNKP",
]  # fmt: skip
NOT_BUILT = ["KPPK", "KPKP"]  # en passant
FEW, MANY = 10_000, 1_000_000

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


def board_of(game: ChessEnding, position: int) -> chess.Board:
    board = chess.Board(None)
    letters = ["K", "k", *game.pieces]
    if game.data.split:
        letters[3] = letters[3].lower()
    for letter, square in zip(letters, unpack(position), strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = not position & BLACK
    return board


def placements(game: ChessEnding, number: int, seed: int) -> Iterator[tuple[int, chess.Board]]:
    """Random positions of all men that python-chess finds legal, in any orientation."""
    draw, men = random.Random(seed), 2 + len(game.pieces)
    kind = PAWN << KIND if "P" in game.pieces else 0
    while number:
        squares = draw.sample(range(64), men)
        position = pack(*squares, *[64] * (4 - men)) | kind | draw.choice((0, BLACK))
        board = board_of(game, position)
        apart = chess.square_distance(squares[0], squares[1]) > 1
        if apart and not board.pawns & chess.BB_BACKRANKS and not board.was_into_check():
            number -= 1
            yield position, board


def has_all_men(game: ChessEnding, position: int) -> bool:
    """Whether nothing was captured and no pawn has been promoted."""
    unmoved = "P" not in game.pieces or position >> KIND == PAWN
    return unmoved and 64 not in unpack(position)[: 2 + len(game.pieces)]


def outcomes(solution: rs.Solution) -> Iterator[tuple[chess.Board, rs.Outcome]]:
    """The outcome of every position of all men in a solution."""
    game = solution.space.rules
    for position, found in solution.items():
        if has_all_men(game, position):
            yield board_of(game, position), found


def outcome(solution: rs.Solution, position: int) -> rs.Outcome:
    game = solution.space.rules
    index = game.rank(game.canonical(position, game.data), game.data)
    value, plies = solution.table.outcome(int(index))
    return rs.Outcome(rs.Value(value), None if plies < 0 else plies)


def assert_distance(board: chess.Board, found: rs.Outcome) -> None:
    """The distance to mate is Gaviota's: plies, negative for a loss, 0 for a draw and for mate."""
    expected = gaviota().probe_dtm(board)
    mated = found == (rs.Value.LOSS, 0)
    assert (found.remoteness or 0) * SIGN[found.value] == expected, board.fen()
    assert (expected == 0) == (mated or SIGN[found.value] == 0), board.fen()


def compare(ending: str, number: int) -> rs.Solution:
    """Compare random positions of an ending; return its solution."""
    game = ChessEnding(ending)
    solution = rs.solve(game)
    for position, board in placements(game, number, 1):
        found = outcome(solution, position)
        known = syzygy().probe_wdl(board)
        assert SIGN[found.value] == (known > 0) - (known < 0), board.fen()
        if ending in THREE:
            assert_distance(board, found)
    longest = max(
        plies or 0 for plies in (solution.longest()[rs.Value.WIN], solution.longest()[rs.Value.LOSS])
    )
    assert longest == FIGURES["longest_mate_plies"].get(ending, 0)
    return solution


@pytest.mark.parametrize("ending", [*THREE, "KQKR"])
def test_random_positions_are_those_of_the_tables(ending: str) -> None:
    compare(ending, FEW)


def test_every_table_is_compared_or_not_built_yet() -> None:
    there = {path.stem.replace("v", "") for path in chess_data.SYZYGY.glob("*.rtbw")}
    three_and_four = {name for name in there if len(name) < 5}
    assert three_and_four == {*THREE, *FOUR, *NOT_BUILT}
    for ending in NOT_BUILT:
        with pytest.raises(rs.RulesError, match="expected at most one P"):
            ChessEnding(ending)


@SLOW
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_many_positions_are_those_of_the_tables(ending: str) -> None:
    solution = compare(ending, MANY)
    for board, moves in known_mates(ending):
        text = f"{board.board_fen()} {'w' if board.turn else 'b'}"
        value, plies = solution[solution.space.parse(text)]
        assert SIGN[value] == (moves > 0) - (moves < 0), text
        assert not moves or plies == 2 * abs(moves) - (moves > 0), text


@pytest.mark.parametrize("ending", ["KPK", *(pytest.param(e, marks=SLOW) for e in ("KRKN", "KRKP"))])
def test_mutual_zugzwangs_are_as_many_as_published(ending: str) -> None:
    solution = rs.solve(ChessEnding(ending))
    game, found = solution.space.rules, mutual_zugzwangs(solution)
    number = sum(has_all_men(game, zugzwang.position) for zugzwang in found)
    assert number == FIGURES["mutual_zugzwangs"][ending]


@SLOW
@pytest.mark.parametrize("ending", THREE)
def test_every_position_of_three_men_is_gaviotas(ending: str) -> None:
    number = 0
    for board, found in outcomes(rs.solve(ChessEnding(ending))):
        assert_distance(board, found)
        number += 1
    assert number > 40_000


def known_mates(ending: str) -> Iterator[tuple[chess.Board, int]]:
    """The positions of an ending in an EPD file, and the moves to mate, negative for a loss."""
    for line in chess_data.MATES.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            board = chess.Board(None)
            moves = board.set_epd(line)["dm"]
            for given in (board, board.mirror()):
                men = [
                    "".join(sorted((p.symbol().upper() for p in given.piece_map().values() if p.color == side),
                                   key="KQRBNP".index))
                    for side in (True, False)
                ]  # fmt: skip
                if "".join(men) == ending and not given.ep_square:
                    yield given, moves
                    break
