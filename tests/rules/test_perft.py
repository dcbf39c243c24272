"""perft counts sequences of moves, exactly, and by the published number of games."""

from collections import Counter
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.rules.contract import CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.rules.perft import count_finished_games
from tests.bad_input.compiled_rules import Line
from tests.bad_input.plain_rules import Ring, breaches, raising
from tests.support.published import figures


def test_games_of_tic_tac_toe_as_published() -> None:
    known = figures("tic-tac-toe")
    games = count_finished_games(TicTacToe(), 9)
    ends: Counter[str] = Counter()
    for plies, by_end in games.items():
        for end, ways in by_end.items():
            winner = "XO"[plies % 2 == 0] if end == rs.Value.LOSS else "draw"
            ends[f"games_{winner}"] += ways
            ends["games"] += ways
    assert ends == {key: known[key] for key in ("games", "games_X", "games_O", "games_draw")}
    assert count_finished_games(TicTacToe(), 12) == games


def by_hand(game: rs.Game, position: Any, depth: int, ended: Counter[Any], plies: int = 0) -> int:
    """Play every sequence out; count those of ``depth`` moves, and how those that end before do."""
    end = game.terminal(position)
    moves = list(game.moves(position)) if end is None else []
    if not moves:
        ended[plies, end] += 1
    if plies == depth:
        return 1
    return sum(by_hand(game, target, depth, ended, plies + 1) for _, target in moves)


@pytest.mark.long("tictactoe-6", "morris3-5")
@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 6), ("hexapawn", 7), ("stones", 12), ("morris3", 5), ("lgame:symmetry=yes", 2), ("foxhounds:n=4", 8), ("chess:KRK", 2)])  # fmt: skip
def test_perft_equals_playing_every_game(name: str, depth: int) -> None:
    game = parse_game(name)
    plain = InterpretedGame(game) if isinstance(game, CompiledGame) else game
    for plies in range(depth + 1):
        ended: Counter[Any] = Counter()
        assert rs.perft(game, plies) == by_hand(plain, game.start(), plies, ended)
    counted = count_finished_games(game, depth)
    assert {(at, end): ways for at, by_end in counted.items() for end, ways in by_end.items()} == ended


def test_perft_counts_ways_not_positions() -> None:
    assert [rs.perft(Line(), depth, position=5) for depth in range(6)] == [1, 2, 4, 7, 5, 1]
    assert rs.perft(Line(), 6, position=5) == 0
    assert rs.perft(Ring(), 3, position=1) == 8
    assert count_finished_games(Line(), 3, position=2) == {1: {None: 1}, 2: {None: 1}}


def test_perft_plays_from_a_position_as_text() -> None:
    chess = rs.game("chess:KRK")
    text = "8/8/8/8/8/k7/8/K6R w"
    assert rs.perft(chess, 1, position=text) == rs.perft(chess, 1, position=chess.parse(text)) == 14
    assert count_finished_games(chess, 1, position=text) == {}
    words = Ring(parse=raising, start=lambda: "a", moves=lambda p: [("", p)], terminal=lambda p: None)
    assert rs.perft(words, 3, position="b") == 1
    assert rs.perft(Ring(parse=int), 3, position="1") == rs.perft(Ring(), 3, position=1)


def test_perft_is_exact_and_calls_the_rules_once_a_position() -> None:
    asked = []
    ring = Ring(terminal=lambda p: None, moves=lambda p: asked.append(p) or [("a", p), ("b", p)])
    assert rs.perft(ring, 500) == 2**500
    assert len(asked) == 500


@pytest.mark.parametrize(
    "name", ["moves raise", "the start raises", "a move to a list", "terminal is a number"]
)
def test_broken_rules_are_refused(name: str) -> None:
    for count in (rs.perft, count_finished_games):
        with pytest.raises(rs.RulesError):
            count(Ring(**breaches()[name]), 2)
