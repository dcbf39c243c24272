"""A game that is played: sides, judgements, undo, and what an opponent answers."""

import random

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.languages.phrases import PLAIN
from retrosolve.solution.playing import GamePlay, Quality, reply
from retrosolve.testing.games import CompiledGraphGame, random_tiered_graph, without_owner
from retrosolve.web.pages.position import note


@pytest.fixture(scope="module")
def stones() -> rs.Solution:
    return rs.solve(parse_game("stones:n=30,take=1+2+3"))


def test_moves_are_judged_by_value_and_by_length() -> None:
    # b is stuck; c is lost in 2 through d; g wins in 1.
    edges = [("a", "b"), ("a", "c"), ("a", "g"), ("c", "d"), ("d", "e"), ("g", "h")]
    game = GamePlay(rs.solve(rs.Graph.from_edges(*zip(*edges, strict=True))), "a")
    qualities = {}
    for move in list(game.moves):
        game.make(move)
        ply = game.played[-1]
        assert (ply.best, ply.side, str(ply.before)) == ("b", 0, "WIN in 1")
        qualities[ply.name] = (ply.quality, str(ply.after))
        game.undo()
    assert qualities == {
        "b": (Quality.BEST, "WIN in 0"),
        "c": (Quality.SLOW, "WIN in 2"),
        "g": (Quality.MISTAKE, "LOSS in 1"),
    }


def test_a_blessed_loss_that_ends_sooner_is_hasty() -> None:
    """It counts as a draw, and yet the player holds out as long as he can."""
    graph, tiers = random_tiered_graph(1245)
    game = CompiledGraphGame(without_owner(graph), tiers=tiers)
    play = GamePlay(rs.solve(game, objective="conversion:limit=1"), 16)
    best, other = play.moves
    assert [(str(m.value), m.plies) for m in play.moves] == [("BLESSED LOSS", 4), ("BLESSED LOSS", 2)]
    play.make(other)
    assert play.played[0].quality is Quality.HASTY
    assert note(play.played[0], PLAIN) == f"{best.move.name} would have lasted longer"


def test_undo_restores_position_and_side(stones: rs.Solution) -> None:
    game = GamePlay(stones, 30)
    seen = []
    while game.moves:
        seen.append((game.position, game.side))
        game.make(game.moves[0])
    assert [side for _, side in seen[:3]] == [0, 1, 0]
    while seen:
        game.undo()
        assert (game.position, game.side) == seen.pop()
    assert game.played == []


def test_sides_are_those_of_the_rules_where_they_say_so() -> None:
    solution = rs.solve(parse_game("police:first=thief"))
    game = GamePlay(solution, solution.start)
    assert game.side == 1
    game.make(game.moves[0])
    assert game.side == 0
    with pytest.raises(rs.PositionError):
        GamePlay(solution, "nowhere")


def test_an_opponent_errs_as_often_as_asked(stones: rs.Solution) -> None:
    moves = GamePlay(stones, 30).moves
    best = sum(move.key == moves[0].key for move in moves)
    assert 0 < best < len(moves)
    chance = random.Random(5)
    never = {reply(moves, 0, chance) for _ in range(200)}
    always = {reply(moves, 1, chance) for _ in range(200)}
    assert never == set(range(1, best + 1))
    assert always == set(range(best + 1, len(moves) + 1))
    often = [reply(moves, 0.2, chance) > best for _ in range(2000)]
    assert 300 < sum(often) < 500
    lost = GamePlay(stones, 28).moves
    assert {reply(lost[:1], 1, chance)} == {1}
