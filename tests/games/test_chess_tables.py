"""Chess endings against the tables of others: Syzygy's win/draw/loss, Gaviota's distance to mate.

Syzygy knows the fifty-move rule, which is not a rule of ours: a win that it delays too long (+1) is a
win here, a loss (-1) a loss. With three and four men there is no such position. A TIE (stalemate or
too little material) and a DRAW are both 0.

`make test` compares 2,000 random placements of each of the 35 endings, whose values lie solved in
tests/data/chess-4men, and with Gaviota 2,000 of each of three men, solved on the spot, which must be
what is kept. With RETROSOLVE_LONG all 35 are solved as one game and 1,000,000
placements of each are compared, every position of three men with Gaviota, and all known distances to
mate in the EPD files. The other programme takes some 80 microseconds for a position, and for a distance
to conversion up to some milliseconds, as it searches where its file has none. RETROSOLVE_DISTANCES says
of how many placements the slow tests compare that, by default 10,000; what the files have is compared
at 1,000,000.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import chess
import chess.gaviota
import chess.syzygy
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.arrays import IntArray
from retrosolve.games.chess import ChessEnding, pack
from retrosolve.games.chess.layout import BLACK, FIRST_FILE, MATERIAL, PASSANT
from retrosolve.games.chess.material import Material, endings, parse
from retrosolve.objectives import Conversion
from retrosolve.objectives.conversion import LimitedValue
from retrosolve.solution.zugzwang import zugzwangs_among
from retrosolve.tables.coded import FilledTable
from retrosolve.tables.summary import tier_distributions
from tests.support import chess_data
from tests.support.marks import COMPILED
from tests.support.published import figures

pytestmark = COMPILED

THREE = [material.name for material in endings(3)]
FOUR = [material.name for material in endings(4)]
FEW, MANY, CHUNK = 10_000, 1_000_000, 1 << 20
DISTANCES = int(os.environ.get("RETROSOLVE_DISTANCES", FEW))
KEPT = Path(__file__).parent.parent / "data" / "chess-4men"

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


@cache
def kept() -> rs.Solution:
    return rs.open(KEPT)


def indices(solution: rs.Solution, ending: str) -> Iterator[IntArray]:
    """The indices of an ending, in order; one with pawns has several tiers, one after the other."""
    space = solution.space
    ends = [*space.tiers, solution.table.num_vertices][1:]
    for name, first, end in zip(space.tier_names, space.tiers, ends, strict=True):
        if name == ending:
            for start in range(first, end, CHUNK):
                yield np.arange(start, min(start + CHUNK, end))


def assert_kept(solution: rs.Solution) -> None:
    """Every value of a solution is that of the same index of the same ending that is kept."""
    for name in dict.fromkeys(solution.space.tier_names):
        pairs = zip(indices(solution, name), indices(kept(), name), strict=True)
        for here, there in pairs:
            assert len(here) == len(there)
            assert np.array_equal(solution.table.values(here), kept().table.values(there)), name


def placements(game: ChessEnding, material: Material, seed: int) -> Iterator[tuple[int, chess.Board]]:
    """Random positions that python-chess finds legal, in any orientation, some with en passant.

    The board is one object, which changes with the next position.
    """
    draw, of = random.Random(seed), game.materials.index(material)
    letters = ["K", "k", *material.white, *material.black.lower()]
    pieces = [chess.Piece.from_symbol(letter) for letter in letters]
    board = chess.Board(None)
    while True:
        squares = draw.sample(range(64), len(pieces))
        if chess.square_distance(squares[0], squares[1]) == 1:
            continue
        board.clear_board()
        board.turn, board.ep_square = draw.random() < 0.5, None
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
            position = (board.ep_square % 8 + FIRST_FILE) << PASSANT
        for square, piece in zip(squares, pieces, strict=True):
            board.set_piece_at(square, piece)
        if not board.pawns & chess.BB_BACKRANKS and not board.was_into_check():
            side = 0 if board.turn else BLACK
            yield pack(*squares) | (of << MATERIAL) | side | position, board


def value_in_table(board: chess.Board) -> int:
    """The sign of Syzygy's value; where nothing can be captured, without its search of captures."""
    theirs = board.occupied_co[not board.turn]
    ours = chess.scan_forward(board.occupied_co[board.turn])
    if board.ep_square is not None or any(board.attacks_mask(at) & theirs for at in ours):
        known = syzygy().probe_wdl(board)
    else:
        known = syzygy().probe_wdl_table(board)
    return (known > 0) - (known < 0)


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
    """Compare the values of random positions of an ending with Syzygy's.

    Where INVALID indices are filled, the rules are not asked about each: python-chess finds these legal.
    """
    table = solution.table.table if isinstance(solution.table, FilledTable) else solution.table
    game, signs = solution.space.rules, np.array([SIGN[value] for value in sorted(SIGN)])
    found, known = [], []
    for position, board in islice(placements(game, parse(ending), 1), number):
        found.append(game.rank(game.canonical(position, game.data), game.data))
        known.append(value_in_table(board))
    at = np.array(found)
    (different,) = np.nonzero(signs[table.values(at)] != np.array(known))
    assert not different.size, game.text(game.unrank(int(at[different[0]]), game.data))


@cache
def counted(name: str) -> rs.Solution:
    return rs.solve(ChessEnding(name), objective=Conversion(limit=100))


def compare_distances(solution: rs.Solution, ending: str, number: int) -> None:
    """Compare the values under the fifty moves and the distances to conversion with Syzygy's.

    Syzygy counts whole moves where plies do not matter, so a distance may be one more or one less; a
    mate has the distance 1 there, for the side that is mated.
    """
    game, compared = solution.space.rules, 0
    signs = {"win": 1, "cursed-win": 1, "loss": -1, "blessed-loss": -1}
    for position, board in islice(placements(game, parse(ending), 4), number):
        value, plies = solution[game.canonical(position, game.data)]
        sign, known = signs.get(value.label, 0), syzygy().probe_dtz(board)
        assert (known > 0) - (known < 0) == sign, board.fen()
        assert (abs(known) > 100) == (value.label in ("cursed-win", "blessed-loss")), board.fen()
        if sign and plies:
            assert abs(abs(known) - plies) <= 1, board.fen()
            compared += 1
    assert compared > number // 100 or ending in ("KNK", "KBK", "KNNK", "KBKB", "KBKN", "KNKN")


def compare_stored_distances(solution: rs.Solution, ending: str, number: int) -> None:
    """Compare the distances to conversion with those that Syzygy's file of an ending holds.

    It holds them for one side to move, and not where a capture or the move of a pawn wins at once: the
    whole probe searches there, which takes up to fifty times as long. No win of four men is cursed.
    """
    game, material = solution.space.rules, parse(ending)
    canonical = (game.canonical(p, game.data) for p, _ in islice(placements(game, material, 5), number))
    at = np.array([game.rank(position, game.data) for position in canonical])
    claims = zip(
        solution.table.values(at).tolist(), solution.table.remoteness(at).tolist(), strict=True
    )
    compared = 0
    for (_, board), (value, plies) in zip(placements(game, material, 5), claims, strict=False):
        result = LimitedValue(value)
        assert result <= LimitedValue.TIE, board.fen()
        if plies > 1 and result is not LimitedValue.TIE and board.ep_square is None:
            known, is_held = syzygy().probe_dtz_table(board, 2 if result is LimitedValue.WIN else -2)
            assert is_held < 0 or abs(known + 1 - plies) <= 1, board.fen()
            compared += is_held >= 0
    assert compared or ending in ("KNK", "KBK", "KNNK", "KBKB", "KBKN", "KNKN")


def longest(solution: rs.Solution, ending: str) -> int:
    """The longest mate of an ending, in plies."""
    space = solution.space
    part = tier_distributions(solution.table, space.tiers, space.tier_names)[ending].longest()
    return max(part[rs.Value.WIN] or 0, part[rs.Value.LOSS] or 0)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_random_positions_are_those_of_the_tables(ending: str) -> None:
    compare(kept(), ending, FEW // 5)


@pytest.mark.long
@pytest.mark.parametrize(
    "ending",
    [*THREE, "KBNK", "KRKP", pytest.param("KPKP", marks=pytest.mark.long)],  # half a minute to solve
)
def test_distances_to_conversion_are_those_of_the_tables(ending: str) -> None:
    three = ending in THREE  # probes of the others take several milliseconds each
    compare_distances(counted("3men" if three else ending), ending, FEW // (10 if three else 50))


@pytest.mark.long
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_all_distances_to_conversion_are_those_of_the_tables(ending: str) -> None:
    compare_distances(counted("3men" if ending in THREE else "4men"), ending, DISTANCES)


@pytest.mark.long
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_many_stored_distances_to_conversion_are_the_same(ending: str) -> None:
    compare_stored_distances(counted("3men" if ending in THREE else "4men"), ending, MANY)


@pytest.mark.long
def test_saved_table_equals_a_new_solve() -> None:
    assert_kept(solved("3men"))


@pytest.mark.long(but=1)
@pytest.mark.parametrize("ending", THREE)
def test_distances_of_three_men_are_those_of_the_tables(ending: str) -> None:
    solution = solved("3men")
    game = solution.space.rules
    for position, board in islice(placements(game, parse(ending), 2), FEW // 5):
        assert_distance(board, solution[game.canonical(position, game.data)])
    assert longest(solution, ending) == FIGURES["longest_mate_plies"].get(ending, 0)


def test_a_probe_without_captures_is_the_whole_probe() -> None:
    game = kept().space.rules
    for ending in FOUR:
        for _, board in islice(placements(game, parse(ending), 3), 20):
            known = syzygy().probe_wdl(board)
            assert value_in_table(board) == (known > 0) - (known < 0), board.fen()


def test_every_table_of_the_others_is_compared() -> None:
    there = {path.stem.replace("v", "") for path in chess_data.SYZYGY.glob("*.rtbw")}
    assert {name for name in there if len(name) < 5} == {*THREE, *FOUR}
    assert (len(THREE), len(FOUR)) == (5, 30)


@pytest.mark.long
@pytest.mark.parametrize("ending", [*THREE, *FOUR])
def test_many_positions_are_those_of_the_tables(ending: str) -> None:
    compare(solved("4men"), ending, MANY)
    assert longest(solved("4men"), ending) == FIGURES["longest_mate_plies"].get(ending, 0)


@pytest.mark.long
def test_saved_table_equals_a_new_solve_of_all_endings() -> None:
    assert_kept(solved("4men"))


@pytest.mark.long
def test_known_mates_are_found_in_as_many_moves() -> None:
    solution, number = solved("4men"), 0
    for board, moves in known_mates():
        value, plies = solution[solution.space.parse(board.fen())]
        assert SIGN[value] == (moves > 0) - (moves < 0), board.fen()
        assert not moves or plies == 2 * abs(moves) - (moves > 0), board.fen()
        number += 1
    assert number > 40


@pytest.mark.parametrize(
    "ending",
    ["KPK", *(pytest.param(name, marks=pytest.mark.long) for name in ("KRKN", "KRKP", "KPKP"))],
)
def test_mutual_zugzwangs_are_as_many_as_published(ending: str) -> None:
    solution = solved("3men" if ending in THREE else "4men")
    found = sum(
        1
        for at in indices(solution, ending)
        for _ in zugzwangs_among(
            solution.space, solution.table, at[solution.table.values(at) == rs.Value.LOSS]
        )
    )
    assert found == FIGURES["mutual_zugzwangs"][ending]


@pytest.mark.long
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
