"""Chess endings: the rules against python-chess, against themselves, and against published figures."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

import chess
import chess.variant
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games.chess import ChessEnding, pack, unpack
from retrosolve.games.chess.index import exchanged, turned
from retrosolve.games.chess.layout import (
    BLACK,
    EN_PASSANT,
    FIRST_FILE,
    MATERIAL,
    PASSANT,
    TURNED,
    passant_file,
)
from retrosolve.games.chess.tables import MIRROR
from retrosolve.rules.checks.check import check_many
from retrosolve.rules.checks.compiled import InstrumentedGame, check_compiled
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, TIE
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import COMPILED, samples

ENDINGS = [
    "KQK", "KRK", "KPKP", "KBK", "KNK", "KBNK", "KBBK", "KNNK", "KQRK", "KQKR", "KBKN", "KBKB", "KPK", "KPKR",
    "KQKP", "KNPK", "KPPK", "KRBKR", "KBBBK", "KNNKQ", "KRPKR", "KQRKP", "KPKBB", "KRPKP", "KPPKP", "KPPPK",
]  # fmt: skip


def listed(game: ChessEnding, rule: str, position: int) -> list[int]:
    out = np.zeros(game.max_predecessors, np.int64)
    count = getattr(game, rule)(position, out, game.data)
    return out[:count].tolist()


def random_positions(game: ChessEnding, number: int, seed: int) -> Iterator[int]:
    """Positions legal or not of all men, or what is left of them; kings often close to the edge."""
    draw, n = random.Random(seed), game.board
    for _ in range(number):
        of = len(game.materials) - draw.choice((1, 2)) if draw.random() < 0.7 else None
        of = draw.randrange(len(game.materials)) if of is None else of
        material = game.materials[of]
        king, black, *pieces = (draw.randrange(n * n) for _ in range(2 + len(material.pieces)))
        if draw.random() < 0.5:
            black, king = draw.randrange(n), n * draw.randrange(2, min(n, 4)) + draw.randrange(n)
        side, passant = draw.choice((0, BLACK)), 0
        if "P" in material.white and "P" in material.black and draw.random() < 0.5:
            # Of each side, the last piece is a pawn.
            own, last = len(material.white) - 1, len(material.pieces) - 1
            pieces[own] = pieces[last] = (3 if side else n - 4) * n + draw.randrange(n - 1)
            pieces[draw.choice((own, last))] += 1
            if material.white == "PP" and draw.random() < 0.5:  # on both sides of the other's
                pieces[0] = 2 * pieces[2] - pieces[1]
            if draw.random() < 0.5:  # captures that are pinned on the rank
                place = pieces[own] // n * n
                king, black = (king, place) if side else (place, black)
                for piece, letter in enumerate(material.pieces):
                    pieces[piece] = pieces[piece] if letter == "P" else place + n - 1
            passant = (pieces[own if side else last] % n + FIRST_FILE) << PASSANT
        yield pack(king, black, *pieces) | (of << MATERIAL) | side | passant


def board_of(game: ChessEnding, position: int) -> chess.Board:
    """The position as one of python-chess."""
    board = chess.Board(None)
    for square, letter in game.men(position).items():
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    board.turn = not position & BLACK
    if position & EN_PASSANT:
        rank = 5 if board.turn else 2  # behind the pawn that has advanced
        board.ep_square = chess.square(passant_file(position), rank)
    return board


def has_advanced(board: chess.Board) -> bool:
    """Whether a pawn may just have passed the square behind it, to where it can be captured."""
    passed = board.ep_square
    assert passed is not None
    free = {passed, passed + (8 if board.turn else -8)}
    return not free & set(board.piece_map()) and board.has_legal_en_passant()


def legal_positions(game: ChessEnding, number: int, seed: int) -> Iterator[int]:
    for position in random_positions(game, number, seed):
        if game.terminal(position, game.data) != INVALID:
            yield position


def tier(game: ChessEnding, position: int) -> int:
    index = game.rank(game.canonical(position, game.data), game.data)
    assert 0 <= index < game.size
    return sum(index >= first for first in game.tiers)


@pytest.mark.long(but=3)
@pytest.mark.parametrize("ending", ENDINGS)
def test_moves_and_ends_are_those_of_python_chess(ending: str) -> None:
    game = ChessEnding(ending)
    heavy = "Q" in ending
    expected_ends = {NOT_TERMINAL, LOSS, TIE, INVALID} if heavy else {TIE, INVALID}
    met: set[int] = set()
    for number, position in enumerate(random_positions(game, 1500, 1)):
        if number >= samples(250, 1500) and met >= expected_ends:
            break
        squares = unpack(position, 2 + len(game.materials[position >> MATERIAL].pieces))
        state = game.terminal(position, game.data)
        if len(set(squares)) < len(squares):
            assert state == INVALID
            continue
        board = board_of(game, position)
        if (
            board.was_into_check()
            or board.pawns & chess.BB_BACKRANKS
            or (position & EN_PASSANT and not has_advanced(board))
        ):
            expected = INVALID
        elif board.is_checkmate():
            expected = LOSS
        elif board.is_stalemate() or board.is_insufficient_material():
            expected = TIE
        else:
            expected = NOT_TERMINAL
        assert state == expected, game.text(position)
        met.add(state)
        if state != INVALID:
            targets = []
            for move in board.legal_moves:
                board.push(move)
                passed = chess.square_name(board.ep_square or 0) if board.has_legal_en_passant() else ""
                side = "w" if board.turn else "b"
                targets.append(f"{board.board_fen()} {side}{passed and f' - {passed}'}")
                board.pop()
            found = listed(game, "successors", position)
            assert sorted(map(game.text, found)) == sorted(targets)
            assert all(game.terminal(target, game.data) != INVALID for target in found)
    assert met >= expected_ends


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    "ending",
    ["KPKP", "KNNNK", "KQQK", "KRKR", "KPPK", "4men", "KRPKR", "KRRPK", "KPPKP"],
)
def test_names_of_moves_are_those_of_python_chess(ending: str) -> None:
    game = ChessEnding(ending)
    for position in legal_positions(game, samples(400, 2000), 3):
        board = board_of(game, position)
        expected = {}
        for move in board.legal_moves:
            san, uci = board.san(move), move.uci()
            board.push(move)
            expected[board.board_fen(), san] = {uci, san.rstrip("+#")}
            board.pop()
        named = game.named_moves(position)
        assert {(game.text(target).split()[0], name) for name, target in named} == set(expected)
        names = [name for name, _ in named]
        for name, target in named:
            aliases = set(game.move_aliases(position, target))
            assert aliases >= expected[game.text(target).split()[0], name]
            assert not aliases & {other for other in names if other != name}
    positions = list(legal_positions(game, samples(100, 2000), 3))
    assert check_many(InstrumentedGame(game), positions) == ["texts", "move_names"]


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("ending", "board"),
    [("KBBKN", 8), ("KNNNK", 4), ("KRKR", 6), ("KPKBB", 7), ("KRPKP", 8)],
)
def test_indices_around_symmetric_positions_are_those_of_the_moves(ending: str, board: int) -> None:
    game, draw = ChessEnding(ending, board), random.Random(5)
    axis = [square * (board + 1) for square in range(board)]
    lines = [axis, [square * (board - 1) for square in range(1, board + 1)]]
    if "P" in ending:
        lines.append([square * board + board // 2 for square in range(board)])
    positions: set[int] = set()
    repeated = 0
    for _ in range(samples(400, 20_000)):
        material = draw.randrange(len(game.materials))
        line, men = draw.choice(lines), 2 + len(game.materials[material].pieces)
        squares = [draw.choice(line if draw.random() < 0.8 else range(board**2)) for _ in range(men)]
        if men > 3 and draw.random() < 0.3:  # images of one another
            squares[-1] = squares[-2] % board * board + squares[-2] // board
        position = pack(*squares) | material << MATERIAL | draw.choice((0, BLACK))
        position = game.canonical(position, game.data)
        if game.terminal(position, game.data) == NOT_TERMINAL:
            positions.add(position)
            moves = listed(game, "successors", position)
            repeated += len({game.canonical(target, game.data) for target in moves}) < len(moves)
    checked = check_compiled(InstrumentedGame(game), sorted(positions), False, 0)
    assert {"survey", "predecessor_indices"} <= set(checked)
    assert repeated or ("P" in ending and board % 2 == 0)


def test_other_names_of_a_move_are_long_and_short_ones() -> None:
    game = ChessEnding("KNNNK")
    position = game.parse("k7/8/8/8/1N6/8/1N3N2/4K3 w")
    named = dict(game.named_moves(position))
    assert {"N4d3", "Nb2d3", "Nfd3", "Nd5"} < named.keys()
    assert set(game.move_aliases(position, named["Nd5"])) == {"Nb4-d5", "Nd5", "b4d5"}
    mate = ChessEnding("KRK").parse("k7/8/1K6/8/8/8/8/7R w")
    (target,) = (to for name, to in ChessEnding("KRK").named_moves(mate) if name == "Rh8#")
    assert set(ChessEnding("KRK").move_aliases(mate, target)) == {"Rh1-h8#", "Rh1-h8", "Rh8", "h1h8"}
    assert game.move_aliases(position, position) == ()


@pytest.mark.long(but=4)
@pytest.mark.parametrize(
    ("ending", "board"),
    [
        ("KRK", 8), ("KBNK", 8), ("KPKP", 8), ("KPPK", 7), ("KPKP", 5), ("KRRK", 5), ("KNKN", 5), ("KPKB", 7),
        ("KBBKQ", 8), ("KRPKR", 8), ("KPKBP", 7), ("KPPKP", 8), ("KPPKP", 7), ("KPPPK", 8),
    ],
)  # fmt: skip
def test_images_of_a_position_play_alike(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    data = game.data

    def folded(positions: Iterable[int]) -> set[int]:
        kept = (p for p in positions if game.terminal(p, data) != INVALID)
        return {game.canonical(p, data) for p in kept}

    for position in legal_positions(game, samples(25, 60), 3):
        pawns = "P" in game.materials[position >> MATERIAL].pieces
        ways = (0, MIRROR) if pawns else range(8)
        images = [turned(position, TURNED + way, data) for way in ways]
        images += [exchanged(image, data) for image in images]
        (own,) = folded(images)
        assert game.canonical(own, data) == own
        rules = ("successors", "predecessors")
        for image in images:
            assert game.terminal(image, data) == game.terminal(position, data)
            assert all(
                folded(listed(game, r, image)) == folded(listed(game, r, position)) for r in rules
            )


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("ending", "board"),
    [("KRK", 4), ("KQK", 3), ("KBBK", 3), ("KRKN", 3), ("KRKR", 3)],
)
def test_folding_changes_no_value(ending: str, board: int) -> None:
    class Everywhere(InterpretedGame):
        def starts(self) -> list[int]:
            game: Any = self.game
            every = (game.unrank(index, game.data) for index in range(game.size))
            return [p for p in every if game.terminal(p, game.data) != INVALID]

    whole = Everywhere(ChessEnding(ending, board, symmetry=False))
    folds = Everywhere(ChessEnding(ending, board))
    plain, folded = rs.solve(whole), rs.solve(folds)
    rs.verify(folded)
    assert {folds.canonical(p) for p in plain} == set(folded)
    assert all(plain[p] == folded[p] for p in plain)


@pytest.mark.parametrize("ending", ["KBK", "KNK", "KRK", "KBNK", "KBKB", "KPK", "KPKP"])
def test_start_is_a_position_of_the_ending(ending: str) -> None:
    for board in (5, 6, 8) if "P" in ending else (3, 4, 8):
        game = ChessEnding(ending, board)
        start = game.start()
        assert game.parse(game.text(start)) == start
        assert game.tier_names[-1] == game.materials[start >> MATERIAL].base.name
        assert (game.terminal(start, game.data) == NOT_TERMINAL) == (ending not in {"KBK", "KNK"})


@pytest.mark.long
@COMPILED
@pytest.mark.parametrize("ending", ["KRPKR", "KNNPK", "KQKBP", "KRPKP", "KPPKP"])
def test_pawns_among_three_pieces_are_solved_the_same_with_and_without_symmetry(ending: str) -> None:
    folded, whole = rs.solve(ChessEnding(ending, 5)), rs.solve(ChessEnding(ending, 5, False))
    rs.verify(folded)
    counts = {
        "KRPKR": [2334049, 1343876, 1386973, 666],
        "KRPKP": [12186231, 10726751, 5356183, 3841],
        "KPPKP": [33007793, 24857970, 26291132, 6865],
    }
    found = list(folded.counts().values())
    assert found == counts.get(ending, found)
    assert folded.longest() == whole.longest()
    game = ChessEnding(ending, 5, False)
    for position in legal_positions(game, 2000, 7):
        text = game.text(position)
        assert folded[text] == whole[text]


def test_an_ending_is_the_same_alone_and_among_others() -> None:
    both = rs.solve(ChessEnding("KQRK", 4))
    rs.verify(both)
    for ending in ("KQK", "KRK"):
        alone = rs.solve(ChessEnding(ending, 4))
        shown = [both.space.parse(alone.space.text(position)) for position in alone]
        assert [both[position] for position in shown] == [alone[position] for position in alone]
    assert both["3k/4/2K1/R3 w - - 0 1"] == (rs.Value.WIN, 1)


def test_boards_of_python_chess_are_positions() -> None:
    solution = rs.solve(ChessEnding("KQK"))
    game = ChessEnding("KQK")
    for position in legal_positions(game, 100, 4):
        board = board_of(game, position)
        assert solution[board] == solution[position]
        assert solution.moves(board) == solution.moves(position)
        assert board in solution
    board = chess.Board("8/8/8/5k2/8/8/1Q6/K7 w - - 13 40")
    assert solution.line(board, 3) == solution.line("8/8/8/5k2/8/8/1Q6/K7 w", 3)
    assert solution.best_moves(board)[0].name in {board.san(move) for move in board.legal_moves}
    assert solution.view(board).outcome == solution.with_start(board)[solution.start]
    assert str(rs.explain(solution, board))


def test_a_board_says_who_may_capture_en_passant() -> None:
    game = ChessEnding("KPKP")
    board = chess.Board("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    board.push_san("d5")
    assert game.text(game.from_object(board) or 0) == "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
    board.push_san("Kd1")
    board.push_san("Kd8")
    assert game.text(game.from_object(board) or 0) == "3k4/8/8/3pP3/8/8/8/3K4 w - - 2"


def test_en_passant_is_played_only_at_once() -> None:
    game = ChessEnding("KPKP")
    rules = InterpretedGame(game)
    before = game.parse("4k3/3p4/8/4P3/8/8/8/4K3 b")
    (advanced,) = (target for name, target in rules.moves(before) if name == "d5")
    assert game.text(advanced) == "4k3/8/8/3pP3/8/8/8/4K3 w - d6"
    assert game.parse("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") == advanced
    captured = dict(rules.moves(advanced))["exd6"]
    assert game.text(captured) == "4k3/8/3P4/8/8/8/8/4K3 b"
    assert game.move_points(advanced, captured) == ("e5", "d6")
    later = game.parse("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1")
    assert "exd6" not in dict(rules.moves(later))
    assert game.null_move(advanced) is None
    mirrored = exchanged(advanced, game.data)
    assert game.text(mirrored) == "4k3/8/8/8/3Pp3/8/8/4K3 b - d3"
    assert game.canonical(mirrored, game.data) == game.canonical(advanced, game.data)


def after(game: ChessEnding, text: str) -> dict[str, str]:
    return {name: game.text(target) for name, target in InterpretedGame(game).moves(game.parse(text))}


def test_a_right_to_capture_en_passant_names_the_pawn() -> None:
    game = ChessEnding("KPPKP")
    assert after(game, "8/8/8/8/3p4/8/2P1P3/K6k w")["c4"] == "8/8/8/8/2Pp4/8/4P3/K6k b - c3"
    left, right = (f"8/8/8/8/2PpP3/8/8/K6k b - {square}" for square in ("c3", "e3"))
    assert {name for name in after(game, left) if "x" in name} == {"dxc3"}
    assert {name for name in after(game, right) if "x" in name} == {"dxe3"}
    positions = [game.parse(text) for text in (left, right, left.removesuffix(" - c3"))]
    assert len({game.rank(game.canonical(p, game.data), game.data) for p in positions}) == 3
    mirrored = game.parse("8/8/8/8/3PpP2/8/8/k6K b - f3")
    assert game.canonical(mirrored, game.data) == game.canonical(positions[0], game.data)
    both = "8/8/8/2PpP3/8/8/8/K6k w - d6"
    assert {name for name in after(game, both) if "x" in name} == {"cxd6", "exd6"}


def test_a_pinned_pawn_has_no_right_to_capture_en_passant() -> None:
    game = ChessEnding("KRPKP")
    on_rank = "8/8/8/8/k2Pp2R/8/8/4K3 b"
    assert after(game, "8/8/8/8/k3p2R/8/3P4/4K3 w")["d4"] == on_rank
    assert game.text(game.parse(f"{on_rank} - d3")) == on_rank
    assert after(game, "4k3/8/8/8/4p3/8/3P4/K3R3 w")["d4"] == "4k3/8/8/8/3Pp3/8/8/K3R3 b"
    off_rank = "8/k7/8/8/3Pp2R/8/8/4K3 b - d3"
    assert "exd3" in after(game, off_rank)
    assert game.null_move(game.parse(off_rank)) is None


def test_a_check_by_a_double_step_is_answered_en_passant() -> None:
    game = ChessEnding("KRPKP")
    check = after(game, "8/8/8/4k3/4p3/8/3P4/K6R w")["d4+"]
    assert check == "8/8/8/4k3/3Pp3/8/8/K6R b - d3"
    assert "exd3" in after(game, check)
    assert game.terminal(game.parse(check), game.data) == NOT_TERMINAL
    check = "8/8/8/8/R2Pp2k/8/8/6K1 b - d3"  # the rook is behind both pawns
    assert game.text(game.parse(check)) == check.removesuffix(" - d3")
