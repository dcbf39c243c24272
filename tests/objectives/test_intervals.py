"""Intervals of scores against their definition: what each player can force in play that ends."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games.awari import Awari
from retrosolve.objectives import Interval
from retrosolve.objectives.score import codec_of_intervals
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime import tuning
from retrosolve.tables.coded import coded_table
from retrosolve.testing import random_compiled_game
from retrosolve.values import INVALID
from tests.conftest import Tune
from tests.objectives.test_score import Scored, random_graph
from tests.objectives.test_score_tiers import Lines
from tests.support.marks import SLOW

OBJECTIVE = "score:endless=interval"


def by_thresholds(game: Scored, tiers: list[int] | None = None) -> list[Interval]:
    """Return the interval of each vertex by its definition.

    For each number of points t and each tier, a least fixed point: the vertices where the player who is
    to move (side 0), or his opponent (side 1), can force play to come to at least t points for himself.
    Where he cannot force any, he loses by endless play.
    """
    n = len(game.moves)
    best: dict[tuple[int, int], int] = {}
    tier = components(game) if tiers is None else tiers
    for now in sorted(set(tier)):
        inside = [v for v in range(n) if tier[v] == now]
        # What the moves out of the component, and ends, are worth to the player of each side.
        outside: dict[tuple[int, int], list[int]] = {}
        for v in inside:
            end = game.end(v)
            for side, sign in ((0, 1), (1, -1)):
                outside[v, side] = [
                    best[w, side if game.same(v, w) else 1 - side] + sign * r
                    for w, r in game.moves[v]
                    if tier[w] != now and end is None
                ]
                if end is not None:
                    outside[v, side] = [sign * end]
        stakes = {points for row in outside.values() for points in row}
        worst = -max(map(abs, stakes), default=0)
        for v in inside:
            best[v, 0] = best[v, 1] = worst
        for t in sorted(stakes):
            reached: set[tuple[int, int]] = set()
            while True:
                more = set()
                for (v, side), row in outside.items():
                    each = [points >= t for points in row]
                    if game.end(v) is None:
                        each += [
                            (w, side if game.same(v, w) else 1 - side) in reached
                            for w, _ in game.moves[v]
                            if tier[w] == now
                        ]
                    if (any(each) if side == 0 else all(each)) and (v, side) not in reached:
                        more.add((v, side))
                if not more:
                    break
                reached |= more
            for key in reached:
                best[key] = t
    return [Interval(best[v, 0], -best[v, 1]) for v in range(n)]


def components(game: Scored) -> list[int]:
    """Return a number for each vertex, the same in a strongly connected component, ends first."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(game.moves)))
    graph.add_edges_from(
        (v, w) for v, row in enumerate(game.moves) for w, _ in row if game.end(v) is None
    )
    number = [0] * len(game.moves)
    for place, part in enumerate(
        nx.strongly_connected_components(graph)
    ):  # in reverse topological order
        for v in part:
            number[v] = place
    return number


def check(game: Scored, solver: str = "auto") -> rs.Solution:
    solution = rs.solve(game.graph(), objective=OBJECTIVE, stuck=game.stuck, solver=solver)
    assert [solution[v].value for v in range(len(game.moves))] == by_thresholds(game), game
    return solution


def refuse_changes(solution: rs.Solution, rng: random.Random, tries: int) -> None:
    """Check that the proof refuses other intervals at a few vertices."""
    table, n = solution.table, len(solution)
    for _ in range(tries):
        results = list(table.codec.results)
        claims = [results[value] for value in table.values().tolist()]
        for v in rng.sample(range(n), rng.randint(1, min(3, n))):
            least, most = rng.choice(claims)
            claims[v] = rng.choice([
                Interval(least, most), Interval(claims[v].least, most), Interval(least, claims[v].most),
                Interval(claims[v].least - 1, claims[v].most), Interval(-most, -least),
            ])  # fmt: skip
        codec = codec_of_intervals(tuple(dict.fromkeys(claims)))
        values = np.array([codec.value(claim) for claim in claims], codec.dtype)
        if claims != [results[value] for value in table.values().tolist()]:
            wrong = rs.Solution(
                solution.space, coded_table(codec, values), objective=solution.objective
            )
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)


def test_intervals_of_random_graphs_are_the_thresholds() -> None:
    rng = random.Random(1)
    for number in range(400):
        solution = check(random_graph(rng))
        if number < 100:
            rs.verify(solution)


@SLOW
def test_intervals_of_many_random_graphs_are_the_thresholds(tune: Tune) -> None:
    tune(compile_from=0, compile_again_from=0)
    rng = random.Random(3)
    for _ in range(100_000):
        rs.verify(check(random_graph(rng)))


def test_proof_refuses_other_intervals() -> None:
    rng = random.Random(4)
    for _ in range(60):
        refuse_changes(check(random_graph(rng)), rng, 6)


def test_specification_of_intervals_computes_the_same() -> None:
    rng = random.Random(7)
    for _ in range(150):
        check(random_graph(rng), "reference")


KINDS = (
    "successors", "predecessors", "player", "tiers", "reachable", "canonical", "explored"
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=SLOW)])
def test_intervals_of_generated_moves_are_the_thresholds(kind: str, compiled: bool, tune: Tune) -> None:
    tune(compile_from=0 if compiled else 10**9, compile_again_from=0 if compiled else 10**9)
    rng = random.Random(10)
    for _ in range(3 if compiled else 10):
        game = random_compiled_game(rng, kind)
        solution = rs.solve(game, objective=OBJECTIVE)
        rs.verify(solution)
        space = solution.space
        stored = game.state_space().materialize()
        absent = solution.table.values() == INVALID
        rows = [[] if absent[v] else stored.neighbors(v).tolist() for v in range(len(absent))]
        terminal = np.where(absent, 0, stored.terminal(0, len(absent))).tolist()
        owner = None if stored.owner is None else stored.owner.tolist()
        tier = np.searchsorted(space.tiers, np.arange(len(absent)), "right")
        plain = Scored(
            [[(w, 0) for w in row] for row in rows], None, terminal, owner,
            np.where(absent, 0, tier).tolist(), "loss",
        )  # fmt: skip
        found = [solution.table.codec.results[value] for value in solution.table.values()[~absent]]
        expected = by_thresholds(plain, plain.tier)
        assert found == [expected[v] for v in np.flatnonzero(~absent)]


@pytest.mark.long
def test_shares_of_exact_intervals_of_awari_are_published() -> None:
    """The shares are those of jh85/smallgames, which says what seeds each side can force."""
    solution = rs.solve(Awari(4), objective=OBJECTIVE)
    results, first = solution.table.codec.results, solution.space.tiers[4]
    counts = solution.table.counts(first, solution.space.num_vertices)
    exact = sum(
        int(count)
        for count, result in zip(counts, results, strict=False)
        if result.least == result.most
    )
    assert round(exact / 1365, 3) == 0.728


@pytest.mark.thorough
def test_interval_of_scores_is_told_saved_and_opened(tmp_path: Path, capsys: Any) -> None:
    game = Awari(4, 3)
    with tuning.using(compile_from=10**12, compile_again_from=10**12, max_held_bytes=0):
        direct = rs.solve(game, objective=OBJECTIVE)
        saved = rs.solve(game, objective=OBJECTIVE, out=tmp_path / "s")
    assert saved.digest() == direct.digest()
    with rs.open(tmp_path / "s", check=True) as opened:
        assert opened.objective == rs.objectives.Score(endless="interval")
        assert opened.counts() == direct.counts()
        board = game.parse("0,0,2/0,1,1")
        assert opened[board] == direct[board]
        rs.verify(opened)
    assert run(["probe", str(tmp_path / "s"), "0,0,2/0,1,1"]) == 0
    assert str(direct[board]) in capsys.readouterr().out
    assert run(["stats", str(tmp_path / "s")]) == 0
    plain = rs.solve(InterpretedGame(Awari(4, 2)), objective=OBJECTIVE)
    rs.verify(plain)
    narrower = rs.solve(Awari(4, 2), objective=OBJECTIVE)
    for v in range(len(plain)):
        position = plain.space.position(v)
        least, most = plain[position].value
        assert narrower[position].value.least <= least <= most <= narrower[position].value.most


def test_wide_intervals_of_tiers_are_widened() -> None:
    game = Lines(9, 900_000)
    solution = rs.solve(game, objective=OBJECTIVE)
    rs.verify(solution)
    score = rs.solve(game, objective="score")
    for position in range(game.size):  # play always ends
        assert solution[position].value == Interval(*2 * [score[position].value.points])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("score:endless=1", "endless='1': expected 0 or interval"),
        (
            "score:endless=interval,levels=yes",
            "levels='yes' with endless='interval': expected no levels",
        ),
    ],
)
def test_wrong_intervals_raise(text: str, message: str) -> None:
    with pytest.raises(rs.GraphError, match=message):
        rs.solve(rs.Graph.from_edges([0], [1]), objective=text)
    with pytest.raises(rs.GraphError, match=r"'2..x' is no interval of scores: expected as -2..4"):
        Interval.parse("2..x")
