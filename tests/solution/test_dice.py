"""Games that are played with dice."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games.pig import Pig
from retrosolve.games.ur import Ur
from retrosolve.solution.playing import GamePlay


def test_a_throw_leaves_its_moves() -> None:
    solution = rs.solve(Ur(1))
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    for _ in range(400):
        game = GamePlay(solution, solution.start)
        assert game.awaits_throw
        name = game.throw(rng)
        seen[name] += 1
        assert not game.awaits_throw
        assert {move.move.name.split(":")[0] for move in game.moves} == {name}
    assert seen["2"] > seen["1"] > seen["0"]


def test_a_player_who_moves_again_throws_again() -> None:
    game = GamePlay(rs.solve(Ur(1)), "3+0/+0")
    rng = random.Random(1)
    while game.throw(rng) != "1":
        game = GamePlay(game.solution, "3+0/+0")
    game.make(game.moves[0])
    assert game.solution.space.text(game.position) == "4+0/+0"
    assert (game.side, game.awaits_throw) == (0, True)
    game.undo()
    assert game.awaits_throw


def test_games_against_chance_come_to_an_end() -> None:
    rng = random.Random(2)
    won: Counter[int] = Counter()
    solution = rs.solve(Pig(6))
    for _ in range(600):
        game = GamePlay(solution, solution.start)
        while game.moves:
            if game.awaits_throw:
                game.throw(rng)
            else:
                game.make(game.moves[0])
        won[1 - game.side] += 1
    assert abs(won[0] / 600 - solution[solution.start].value.middle) < 0.08


def test_vertices_of_chance_are_left_by_a_throw() -> None:
    edges = [("a", "coin"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 1, "coin": rs.CHANCE, "won": 1, "lost": 1}
    ends = {"won": "win", "lost": "loss"}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 9, 1])
    rng, seen = random.Random(3), Counter[str]()
    for _ in range(200):
        game = GamePlay(rs.solve(graph), "a")
        assert not game.awaits_throw
        game.make(game.moves[0])
        assert game.awaits_throw
        seen[game.throw(rng)] += 1
        assert not game.moves
        assert str(game.played[0].quality) == "best"
    assert seen["won"] > 150 > seen["lost"] > 0


def test_the_terminal_throws_dice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = iter(["1"] * 100)
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(commands))
    assert run(["play", "pig:goal=4"]) == 0
    printed = capsys.readouterr().out
    assert "⚅ You: " in printed
    assert "Transcript" in printed
