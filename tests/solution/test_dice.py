"""Games that are played with dice."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games.pig import Pig
from retrosolve.games.ur import Ur
from retrosolve.solution.playing import GamePlay, Quality, balance
from retrosolve.spaces.graph import Graph


def test_a_player_who_moves_again_throws_again() -> None:
    rng, solution = random.Random(1), rs.solve(Ur(1))
    game = GamePlay(solution, "3+0/+0")
    while game.throw(rng) != "1":
        game = GamePlay(solution, "3+0/+0")
    assert not game.awaits_throw
    assert {move.move.name.split(":")[0] for move in game.moves} == {"1"}
    game.make(game.moves[0])
    assert game.solution.space.text(game.position) == "4+0/+0"
    assert (game.side, game.awaits_throw) == (0, True)
    game.undo()
    assert game.awaits_throw


def test_vertices_of_chance_are_left_by_a_throw() -> None:
    edges = [("a", "coin"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 1, "coin": rs.CHANCE, "won": 1, "lost": 1}
    ends = {"won": "win", "lost": "loss"}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 9, 1])
    rng, seen, solution = random.Random(3), Counter[str](), rs.solve(graph)
    for _ in range(200):
        game = GamePlay(solution, "a")
        assert not game.awaits_throw
        game.make(game.moves[0])
        assert game.awaits_throw
        seen[game.throw(rng)] += 1
        assert not game.moves
        assert [ply.quality for ply in game.played] == [Quality.BEST, Quality.CHANCE]
        game.undo()
        assert game.awaits_throw
    assert seen["won"] > 150 > seen["lost"] > 0


def carried(game: GamePlay, rng: random.Random) -> None:
    """Play a game with dice to its end, with random moves."""
    while game.moves:
        if game.awaits_throw:
            game.throw(rng)
        else:
            game.make(rng.choice(game.moves))


def chances() -> Graph:
    """Return a game of choices and throws in turn, with payoffs."""
    edges = [("a", "coin"), ("a", "b"), ("b", "die"), ("b", "a"), ("coin", "b"), ("coin", "end")]
    edges += [("die", "end"), ("die", "far"), ("die", "a")]
    owner = {"a": 0, "b": 1, "coin": rs.CHANCE, "die": rs.CHANCE, "end": 0, "far": 1}
    return Graph.from_edges(
        edges, owner=owner, terminal={"end": "win", "far": "win"}, payoff={"end": -3, "far": -7},
        weight=[0, 0, 0, 0, 2, 1, 3, 2, 1],
    )  # fmt: skip


@pytest.mark.parametrize("game", [Ur(1), Pig(6), chances()])
def test_luck_and_losses_make_up_the_result(game: rs.CompiledGame | Graph) -> None:
    solution, rng = rs.solve(game), random.Random(4)
    start = "a" if isinstance(game, Graph) else solution.start
    for _ in range(12):
        play = GamePlay(solution, start)
        carried(play, rng)
        before, after = solution[start].value, play.outcome.value
        if play.side == 1:
            after = after.opposite()
        both = [balance(play.played, side) for side in (0, 1)]
        assert both[0].luck == pytest.approx(-both[1].luck)
        assert min(each.lost for each in both) >= -1e-9
        made = both[0].luck - both[0].lost + both[1].lost
        assert after.middle - before.middle == pytest.approx(made, abs=1e-8)


def test_best_moves_lose_nothing_and_chance_has_none() -> None:
    solution, rng = rs.solve(Ur(1)), random.Random(5)
    play = GamePlay(solution, solution.start)
    while play.moves:
        if play.awaits_throw:
            play.throw(rng)
        else:
            play.make(play.moves[0])
    assert {ply.quality for ply in play.played} == {Quality.BEST}
    assert max(ply.lost for ply in play.played) == 0
    graph = rs.solve(chances())
    assert graph.best_moves("coin") == []
    assert graph.line("coin") == []
    assert list(graph.best(["coin", "b"]).indptr) == [0, 0, 1]
    ur = solution.best(["3+0/8+0"])[0]
    assert len(ur) == 5  # one after each throw
    assert solution.line("3+0/8+0") == []


def test_the_terminal_counts_luck(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rs.solve(chances().with_start("a")).save(tmp_path / "dice")
    commands = iter(["coin", "u", *["2"] * 100])
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(commands))
    assert run(["play", str(tmp_path / "dice"), "--side", "both", "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert "Transcript" in printed
    assert re.search(r"⚅ (b|end|far|a)\n", printed)
    assert re.search(r"First player: luck [+\u2212]\d+\.\d\d, lost by moves \d+\.\d\d", printed)


@pytest.mark.parametrize("game", [Pig(6), Ur(1)])
def test_before_a_throw_no_move_is_the_best(game: rs.CompiledGame) -> None:
    """Those after each throw are in ``optimal``."""
    solution = rs.solve(game)
    assert set(solution.best_successors().tolist()) == {-1}
    frame = solution.to_pandas(moves=True)
    assert frame["best"].isna().all()
    for position, optimal in zip(solution, frame["optimal"], strict=True):
        assert optimal == [move.name for move in solution.best_moves(position)]
