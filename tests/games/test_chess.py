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
    LIKE,
    MATERIAL,
    MATERIALS,
    PASSANT,
    TURNED,
    passant_file,
)
from retrosolve.games.chess.tables import MIRROR
from retrosolve.rules.checks.check import check_many
from retrosolve.rules.checks.compiled import InstrumentedGame, check_compiled
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, TIE
from retrosolve.rules.interpreted import InterpretedGame
from tests.support.marks import COMPILED, SLOW, samples

pytestmark = pytest.mark.thorough

ENDINGS = ["KQK", "KRK", "KBK", "KNK", "KBNK", "KBBK", "KNNK", "KQRK", "KRRK", "KQNK", "KRBK"]
TWO_SIDED = ["KQKR", "KRKN", "KBKN", "KBKB"]
PAWNS = ["KPK", "KPKR", "KQKP", "KNPK", "KPPK", "KPKP"]
FIVE = ["KRBKR", "KBBBK", "KNNKQ", "KRPKR", "KQRKP", "KRRPK", "KPKBB"]
SEVERAL_PAWNS = ["KRPKP", "KPPKP", "KPKNP", "KPPKQ", "KBPPK", "KPPPK"]


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
@pytest.mark.parametrize("ending", ENDINGS + TWO_SIDED + PAWNS + FIVE + SEVERAL_PAWNS)
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
    [
        "KQQK",
        "KNNK",
        "KRRRK",
        "KNNNK",
        "KRKR",
        "KPK",
        "KPKR",
        "KQKP",
        "KPPK",
        "KPKP",
        "4men",
        "5men",
        "KRPKR",
        "KRRPK",
        "KQRKP",
        "KRPKP",
        "KPPKP",
    ],
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


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("ending", "board"),
    [("KBBKN", 8), ("KRRKQ", 5), ("KNNNK", 4), ("KRKR", 6), ("KRPKR", 8), ("KPKBB", 7), ("KRPKP", 8)],
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


@pytest.mark.long(but=8)
@pytest.mark.parametrize(
    ("ending", "board"),
    [
        ("KQK", 8), ("KRBK", 8), ("KNNK", 5), ("KQRK", 3), ("KBK", 4), ("KQKR", 8), ("KRKN", 4),
        ("KPK", 8), ("KPKR", 6), ("KBKP", 8), ("KNPK", 5), ("KPKP", 8), ("KPPK", 6), ("KRBKR", 8),
        ("KRPKR", 8), ("KNNPK", 6), ("KPKRR", 5), ("KQRKP", 8), ("KQPKP", 8), ("KPKBP", 7), ("KPPKP", 8),
        ("KPPKP", 6), ("KPPKN", 8), ("KRPPK", 5), ("KPPPK", 8),
    ],
)  # fmt: skip
def test_predecessors_are_successors_turned_round(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    for position in legal_positions(game, samples(60, 150), 2):
        for target in listed(game, "successors", position):
            assert tier(game, target) <= tier(game, position)
            if tier(game, target) == tier(game, position):
                assert position in listed(game, "predecessors", target)
        before = [
            source
            for source in listed(game, "predecessors", position)
            if game.terminal(source, game.data) != INVALID
        ]
        assert len(set(before)) == len(before)
        for source in before:
            assert position in listed(game, "successors", source)


@pytest.mark.long(but=4)
@pytest.mark.parametrize(
    ("ending", "board"),
    [
        ("KRK", 8), ("KBNK", 8), ("KRRK", 5), ("KQBK", 4), ("KQKR", 8), ("KNKN", 5), ("KPK", 8),
        ("KPKB", 7), ("KRPK", 8), ("KPPK", 8), ("KPPK", 7), ("KPKP", 8), ("KPKP", 5), ("KBBKQ", 8),
        ("KRPKR", 8), ("KNNPK", 7), ("KPKRR", 5), ("KQRKP", 8), ("KQPKP", 8), ("KPKBP", 7), ("KPPKP", 8),
        ("KPPKP", 7), ("KPPKN", 8), ("KRPPK", 5), ("KPPPK", 8), ("KPPPK", 7),
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


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize(
    ("ending", "board"),
    [
        ("KQK", 8), ("KRBK", 8), ("KNNK", 7), ("KQRK", 3), ("KBK", 4), ("KQKR", 8), ("KNKB", 3),
        ("KRKR", 4), ("KPK", 8), ("KPKR", 5), ("KQKP", 8), ("KNPK", 7), ("KPPK", 8), ("KPKP", 8),
        ("KPKP", 5), ("KRRK", 8), ("KRRKR", 8), ("KQBBK", 6), ("KBBBK", 8),
        ("KRPKR", 8), ("KNNPK", 7), ("KPKRR", 5), ("KQRKP", 8), ("KQQPK", 8), ("KQPKP", 8), ("KPKBP", 7),
        ("KPPKP", 8), ("KPPKP", 7), ("KPPKN", 8), ("KRPPK", 5), ("KPPPK", 8), ("KPPPK", 5),
    ],
)  # fmt: skip
def test_an_index_is_that_of_its_position(ending: str, board: int, symmetry: bool) -> None:
    game = ChessEnding(ending, board, symmetry)
    draw = random.Random(4)
    ends = [0, game.size - 1, *game.tiers, *(first - 1 for first in game.tiers[1:])]
    for index in ends + [draw.randrange(game.size) for _ in range(samples(200, 500))]:
        position = game.unrank(index, game.data)
        assert game.rank(position, game.data) == index
        legal = game.terminal(position, game.data) != INVALID
        like = game.data[MATERIALS + (position >> MATERIAL), LIKE]
        assert symmetry or like or not legal or game.canonical(position, game.data) == position


@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("ending", "board"),
    [
        ("KRK", 4), ("KQK", 3), ("KNK", 3), ("KQRK", 3), ("KBNK", 3), ("KBBK", 3), ("KQKR", 3), ("KRKN", 3),
        ("KBKB", 3), ("KRKR", 3),
    ],
)  # fmt: skip
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


@pytest.mark.long
@pytest.mark.parametrize(("ending", "board"), [("KRKN", 4), ("KPK", 5)])
def test_plain_rules_give_the_same(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    rs.check_game(game, samples=20)
    solution, plain = rs.solve(game), rs.solve(InterpretedGame(game))
    rs.verify(solution)
    assert len(plain) > 5000
    assert all(solution[position] == plain[position] for position in list(plain))


@pytest.mark.parametrize("ending", ["KRKR", "KNKN"])
def test_like_sides_are_solved_with_white_to_move_only(ending: str) -> None:
    game = ChessEnding(ending, 4)
    other = ChessEnding("KRKN", 4)
    assert 2 * (game.size - game.tiers[-1]) == other.size - other.tiers[-1]
    last = range(game.tiers[-1], game.size)
    assert not any(game.unrank(index, game.data) & BLACK for index in last)
    solution = rs.solve(game)
    for position in legal_positions(game, 200, 6):
        assert solution[position] == solution[exchanged(position, game.data)]
    rs.verify(solution)


def test_promotion_and_the_double_step_are_named() -> None:
    game = ChessEnding("KPKR")
    position = game.parse("2r5/1P6/8/8/8/2k5/8/K7 w")
    names = {name for name, _ in InterpretedGame(game).moves(position)}
    promoted = {f"{to}={piece}" for to in ("b8", "bxc8") for piece in "QRBN"}
    assert {name.rstrip("+") for name in names} == {"Ka2", "Kb1", *promoted}
    names = {name for name, _ in InterpretedGame(game).moves(game.parse("8/8/8/1r6/8/k7/6P1/K7 w"))}
    assert names == {"g3", "g4"}
    black = ChessEnding("KQKP")
    names = {name for name, _ in InterpretedGame(black).moves(black.parse("8/7p/8/k7/8/8/1Q6/K7 b"))}
    assert {"h6", "h5", "Ka6"} <= names
    position = black.parse("8/8/8/8/8/8/1k5p/3K4 b")
    assert "h1=Q+" in {name for name, _ in InterpretedGame(black).moves(position)}
    assert black.text(black.parse("8/8/8/8/8/8/1k6/3K3n w")) == "8/8/8/8/8/8/1k6/3K3n w"
    for text in ("P7/8/8/8/8/2k5/8/K7 w", "8/8/8/8/8/2k5/8/KQQ5 w"):
        with pytest.raises(rs.PositionError, match=r"is no position"):
            game.parse(text)


def test_text_is_read_back_and_names_say_the_move() -> None:
    game = ChessEnding("KQRK")
    for position in legal_positions(game, 100, 5):
        assert game.parse(game.text(position)) == position
    position = game.parse("7k/R7/8/8/8/8/8/KQ6 w - - 0 1")
    names = {name for name, _ in InterpretedGame(game).moves(position)}
    assert {"Kb2", "Qh7#", "Qh1+", "Ra8+", "Rc7"} < names
    position = game.parse("8/8/8/8/8/8/1k6/Q2K4 b")
    assert {name for name, _ in InterpretedGame(game).moves(position)} == {"Kxa1", "Kb3"}
    for text in (
        "8/8/8/8/8/8/8/KRk5", "8/8/8/8/8/8/KRk5 w", "8/8/8/8/8/8/8/KRRk4 w", "8/8/8/8/8/8/8/KR6 w",
        "9/8/8/8/8/8/8/KR2k3 w", "8/8/8/8/8/8/8/KR2k3 w", "Kk6/8/8/8/8/8/8/R7 b", "",
    ):  # fmt: skip
        with pytest.raises(rs.PositionError, match=r"is no position"):
            game.parse(text)
    for wrong in (
        {"ending": "KPPKPP"}, {"ending": "KQQQQK"}, {"ending": "KK"}, {"ending": "6men"}, {"board": 9},
        {"board": True}, {"ending": "KPK", "board": 4},
    ):  # fmt: skip
        with pytest.raises(rs.RulesError, match="expected"):
            ChessEnding(**{"ending": "KRK", **wrong})


@pytest.mark.long("K[BN]K-8")
@pytest.mark.parametrize("board", [3, 4, 8])
@pytest.mark.parametrize("ending", ENDINGS + TWO_SIDED + PAWNS)
def test_start_is_a_position_of_the_ending(ending: str, board: int) -> None:
    board = max(board, 5) if "P" in ending else board
    game = ChessEnding(ending, board)
    start = game.start()
    assert game.parse(game.text(start)) == start
    assert game.tier_names[-1] == game.materials[start >> MATERIAL].base.name
    assert (game.terminal(start, game.data) == NOT_TERMINAL) == (ending not in {"KBK", "KNK"})


@SLOW
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
    for other, sentence in (
        (chess.Board(), r"nobody may castle: expected - instead of KQkq"),
        (chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), r"expected - instead of K$"),
        (chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "KQK has no KRK"),
        (chess.variant.SuicideBoard("8/8/8/5k2/8/8/1Q6/K7 w - - 0 1"), "is a position of suicide"),
        (chess.Board(None), "expected a K and a k"),
    ):
        with pytest.raises(rs.PositionError, match=sentence):
            solution[other]
    for thing in (None, 1.5, (1, 2), object()):
        with pytest.raises(rs.PositionError, match="expected a whole number from 0 on"):
            solution[thing]


@pytest.mark.parametrize("text", ["8/8/8/8/8/2k5/8/K6P w", "P7/8/8/8/8/2k5/8/K7 b - - 0 1"])
def test_pawns_on_the_first_and_last_row_are_named(text: str) -> None:
    with pytest.raises(rs.PositionError, match="expected no pawn on the first or last row"):
        ChessEnding("KPK").parse(text)


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


@pytest.mark.long
@pytest.mark.parametrize("ending", ["KPKP", "KPPK", "KQKP"])
def test_tiers_that_moves_lead_to_are_those_of_the_moves(ending: str) -> None:
    game = ChessEnding(ending, 5)
    met: dict[int, set[int]] = {}
    step = samples(101, 1)
    for index in range(0, game.size, step):
        position = game.unrank(index, game.data)
        if game.terminal(position, game.data) == NOT_TERMINAL:
            here = tier(game, position) - 1
            targets = listed(game, "successors", position)
            met.setdefault(here, {here}).update(tier(game, target) - 1 for target in targets)
    assert len(met) > len(game.tiers) // 2
    for number, found in met.items():
        expected = {*game.tier_targets(number), number}
        assert found == expected if step == 1 else found <= expected


def test_all_endings_of_four_men_are_one_game() -> None:
    game = ChessEnding("4men")
    assert len(set(game.tier_names)) == 36  # and king against king
    for fen in ("8/8/8/5k2/8/8/2q5/K7 b", "8/p6k/8/8/8/8/P7/K7 w - - 0 1", "4k3/8/8/8/8/8/8/R2KB3 w"):
        position = game.parse(fen)
        index = game.rank(game.canonical(position, game.data), game.data)
        tier = sum(index >= first for first in game.tiers) - 1
        name = game.materials[position >> MATERIAL].base.name
        assert game.tier_names[tier] == name
        names = {game.tier_names[other] for other in game.tier_targets(tier)}
        assert names <= set(game.tier_names[: tier + 1])
    with pytest.raises(rs.PositionError, match="4men has no KQQQK"):
        game.parse("8/8/8/5k2/8/8/1QQQ4/K7 w")
