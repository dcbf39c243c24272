"""Chess endings: the rules against python-chess, against themselves, and against published figures."""

import os
import random
from collections.abc import Iterable, Iterator
from typing import Any

import chess
import numpy as np
import pytest

import retrosolve as rs
from published import figures
from retrosolve.games.chess import ChessEnding, fields, pack
from retrosolve.games.chess_moves import BLACK, turn
from retrosolve.rules.compiled import GOES_ON, LOSS, NO_POSITION, TIE, PlainView
from slow import SLOW

WHOLE = ["KRK", "KQK", "KBNK"]
if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
    WHOLE = ["KRK"]  # a minute as plain Python; KBNK takes most of an hour
ENDINGS = ["KQK", "KRK", "KBK", "KNK", "KBNK", "KBBK", "KNNK", "KQRK", "KRRK", "KQNK", "KRBK"]


def listed(game: ChessEnding, rule: str, position: int) -> list[int]:
    out = np.zeros(game.most_moves, np.int64)
    count = getattr(game, rule)(position, out, game.data)
    return out[:count].tolist()


def random_positions(game: ChessEnding, number: int, seed: int) -> Iterator[int]:
    """Positions legal or not, a piece now and then captured, the kings often close to the edge."""
    draw, n = random.Random(seed), game.board
    for _ in range(number):
        king, black, *pieces = (draw.randrange(n * n) for _ in range(len(game.ending)))
        if draw.random() < 0.5:
            black, king = draw.randrange(n), n * draw.randrange(2, min(n, 4)) + draw.randrange(n)
        pieces = [n * n if draw.random() < 0.1 else square for square in pieces]
        yield pack(king, black, *pieces, *[n * n] * (2 - len(pieces))) | draw.choice((0, BLACK))


def legal_positions(game: ChessEnding, number: int, seed: int) -> Iterator[int]:
    for position in random_positions(game, number, seed):
        if game.terminal(position, game.data) != NO_POSITION:
            yield position


def tier(game: ChessEnding, position: int) -> int:
    index = game.rank(game.canonical(position, game.data), game.data)
    assert 0 <= index < game.size
    return sum(index >= first for first in game.tiers)


@pytest.mark.parametrize("ending", ENDINGS)
def test_moves_and_ends_are_those_of_python_chess(ending: str) -> None:
    game = ChessEnding(ending)
    met = set()
    for position in random_positions(game, 1500, 1):
        squares = [square for square in fields(position) if square < 64]
        state = game.terminal(position, game.data)
        if len(set(squares)) < len(squares):
            assert state == NO_POSITION
            continue
        board = chess.Board(f"{game.text(position)} - - 0 1")
        if board.was_into_check():
            expected = NO_POSITION
        elif board.is_checkmate():
            expected = LOSS
        elif board.is_stalemate() or board.is_insufficient_material():
            expected = TIE
        else:
            expected = GOES_ON
        assert state == expected, game.text(position)
        met.add(state)
        if state != NO_POSITION:
            targets = []
            for move in board.legal_moves:
                board.push(move)
                targets.append(f"{board.board_fen()} {'w' if board.turn else 'b'}")
                board.pop()
            found = listed(game, "successors", position)
            assert sorted(map(game.text, found)) == sorted(targets)
            assert all(game.terminal(target, game.data) != NO_POSITION for target in found)
    heavy = "Q" in ending or "R" in ending
    assert met >= ({GOES_ON, LOSS, TIE, NO_POSITION} if heavy else {TIE, NO_POSITION})


@pytest.mark.parametrize(
    ("ending", "board"), [("KQK", 8), ("KRBK", 8), ("KNNK", 5), ("KQRK", 3), ("KBK", 4)]
)
def test_predecessors_are_successors_turned_round(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    for position in legal_positions(game, 150, 2):
        for target in listed(game, "successors", position):
            assert tier(game, target) <= tier(game, position)
            if tier(game, target) == tier(game, position):
                assert position in listed(game, "predecessors", target)
        before = [
            source
            for source in listed(game, "predecessors", position)
            if game.terminal(source, game.data) != NO_POSITION
        ]
        assert len(set(before)) == len(before)
        for source in before:
            assert position in listed(game, "successors", source)


@pytest.mark.parametrize(("ending", "board"), [("KRK", 8), ("KBNK", 8), ("KRRK", 5), ("KQBK", 4)])
def test_images_of_a_position_play_alike(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    data = game.data

    def folded(positions: Iterable[int]) -> set[int]:
        kept = (p for p in positions if game.terminal(p, data) != NO_POSITION)
        return {game.canonical(p, data) for p in kept}

    for position in legal_positions(game, 60, 3):
        images = [turn(position, way, data) for way in range(8)]
        assert folded(images) == {min(images)}
        rules = ("successors", "predecessors")
        for image in images:
            assert game.terminal(image, data) == game.terminal(position, data)
            assert all(
                folded(listed(game, r, image)) == folded(listed(game, r, position)) for r in rules
            )


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize(
    ("ending", "board"), [("KQK", 8), ("KRBK", 8), ("KNNK", 7), ("KQRK", 3), ("KBK", 4)]
)
def test_an_index_is_that_of_its_position(ending: str, board: int, symmetry: bool) -> None:
    game = ChessEnding(ending, board, symmetry)
    draw = random.Random(4)
    ends = [0, game.size - 1, *game.tiers, *(first - 1 for first in game.tiers[1:])]
    for index in ends + [draw.randrange(game.size) for _ in range(500)]:
        position = game.unrank(index, game.data)
        assert game.rank(position, game.data) == index
        assert symmetry or game.canonical(position, game.data) == position


@pytest.mark.parametrize(
    ("ending", "board"), [("KRK", 4), ("KQK", 3), ("KNK", 3), ("KQRK", 3), ("KBNK", 3), ("KBBK", 3)]
)
def test_folding_changes_no_value(ending: str, board: int) -> None:
    class Everywhere(PlainView):
        def starts(self) -> list[int]:
            game: Any = self.game
            every = (game.unrank(index, game.data) for index in range(game.size))
            return [p for p in every if game.terminal(p, game.data) != NO_POSITION]

    whole = Everywhere(ChessEnding(ending, board, symmetry=False))
    folds = Everywhere(ChessEnding(ending, board))
    plain, folded = rs.solve(whole), rs.solve(folds)
    rs.verify(folded)
    assert {folds.canonical(p) for p in plain.positions.list} == set(folded.positions.list)
    assert all(plain[p] == folded[p] for p in plain.positions.list)


def test_text_is_read_back_and_names_say_the_move() -> None:
    game = ChessEnding("KQRK")
    for position in legal_positions(game, 100, 5):
        assert game.parse(game.text(position)) == position
    position = game.parse("7k/R7/8/8/8/8/8/KQ6 w - - 0 1")
    names = {name for name, _ in PlainView(game).moves(position)}
    assert {"Ka1-b2", "Qb1-h7#", "Qb1-h1+", "Ra7-a8+", "Ra7-c7"} < names
    position = game.parse("8/8/8/8/8/8/1k6/Q2K4 b")
    assert {name for name, _ in PlainView(game).moves(position)} == {"Kb2xa1", "Kb2-b3"}
    for text in (
        "8/8/8/8/8/8/8/KRk5", "8/8/8/8/8/8/KRk5 w", "8/8/8/8/8/8/8/KRRk4 w", "8/8/8/8/8/8/8/KR6 w",
        "9/8/8/8/8/8/8/KR2k3 w", "8/8/8/8/8/8/8/KR2k3 w", "Kk6/8/8/8/8/8/8/R7 b", "",
    ):  # fmt: skip
        with pytest.raises(rs.PositionError, match=r"is no position|has a R"):
            game.parse(text)
    for wrong in ({"ending": "KPK"}, {"ending": "KK"}, {"board": 9}, {"board": True}):
        with pytest.raises(rs.RulesError, match="expected"):
            ChessEnding(**{"ending": "KRK", **wrong})


@pytest.mark.parametrize("board", [3, 4, 8])
@pytest.mark.parametrize("ending", ENDINGS)
def test_start_is_a_position_of_the_ending(ending: str, board: int) -> None:
    game = ChessEnding(ending, board)
    start = game.start()
    assert game.parse(game.text(start)) == start
    assert tier(game, start) == len(game.tiers)
    assert (game.terminal(start, game.data) == GOES_ON) == (ending not in {"KBK", "KNK"})


# -- the whole endings, compiled -------------------------------------------------------------------


def solved_by_side(game: ChessEnding) -> tuple[rs.Solution, dict[str, dict[str, Any]]]:
    solution = rs.solve(game)
    middle = (game.tiers[-1] + game.size) // 2
    sides = {"WTM": slice(game.tiers[-1], middle), "BTM": slice(middle, game.size)}
    table: dict[str, dict[str, Any]] = {}
    for side, indices in sides.items():
        value, remoteness = solution.value[indices], solution.remoteness[indices]
        table[side] = {"draws": int(np.isin(value, (rs.Value.DRAW, rs.Value.TIE)).sum())}
        for name, kind in (("hist_win", rs.Value.WIN), ("hist_loss", rs.Value.LOSS)):
            plies, count = np.unique(remoteness[value == kind], return_counts=True)
            table[side][name] = dict(zip(map(str, plies.tolist()), count.tolist(), strict=True))
    return solution, table


def published(ending: str) -> dict[str, dict[str, Any]]:
    if ending == "KRK":
        white, black = figures("chess-krk-wt"), figures("chess-krk-bt")
        return {
            "WTM": {"hist_win": white["win_in_plies"], "hist_loss": {}, "draws": white["draw"]},
            "BTM": {"hist_win": {}, "hist_loss": black["lost_in_plies"], "draws": black["draw"]},
        }
    given = figures(f"chess-{ending.lower()}")
    return {
        side: {k: given[side][k] for k in ("hist_win", "hist_loss", "draws")} for side in ("WTM", "BTM")
    }


@pytest.mark.parametrize("ending", WHOLE)
def test_endings_are_the_published_tables(ending: str) -> None:
    game = ChessEnding(ending)
    solution, table = solved_by_side(game)
    rs.verify(solution)
    assert table == published(ending)
    start = game.start()
    longest = max(map(int, table["WTM"]["hist_win"]))
    assert {solution[turn(start, way, game.data)] for way in range(8)} == {(rs.Value.WIN, longest)}


WHOLE_BOARD = {
    "KRK": figures("chess-krk-full"),
    "KQK": figures("chess-kqk")["full_board_no_symmetry"],
    "KBNK": figures("chess-kbnk")["full_board"],
}


@pytest.mark.parametrize("ending", [*WHOLE[:2], pytest.param("KBNK", marks=SLOW)])
def test_whole_boards_are_the_published_counts(ending: str) -> None:
    _, table = solved_by_side(ChessEnding(ending, symmetry=False))
    given = WHOLE_BOARD[ending]
    assert sum(table["WTM"]["hist_win"].values()) == given["WTM_wins"]
    assert sum(table["BTM"]["hist_loss"].values()) == given["BTM_losses"]
    assert (table["WTM"]["draws"], table["BTM"]["draws"]) == (
        given.get("WTM_draws", 0),
        given["BTM_draws"],
    )


def test_what_is_left_after_a_capture_is_solved_as_on_its_own() -> None:
    both = ChessEnding("KQRK", 4)
    solution = rs.solve(both)
    rs.verify(solution)
    for ending, first in (("KQK", both.tiers[1]), ("KRK", both.tiers[2])):
        game = ChessEnding(ending, 4)
        alone = rs.solve(game)
        own = slice(game.tiers[1], game.size)
        left = slice(first, first + game.size - game.tiers[1])
        assert np.array_equal(solution.value[left], alone.value[own])
        assert np.array_equal(solution.remoteness[left], alone.remoteness[own])
