"""Scores without remoteness: of all tables there are, the proof accepts the right one, and no other."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import Margin
from retrosolve.objectives.score import codec_of
from retrosolve.tables.coded import coded_table
from tests.support.marks import samples
from tests.support.scored import Generated, by_thresholds, random_graph

MOST_TABLES = 300


def is_proven(solution: rs.Solution, claims: tuple[Margin, ...]) -> bool:
    codec = codec_of(tuple(dict.fromkeys(claims)))
    values = np.array([codec.value(claim) for claim in claims], codec.dtype)
    claimed = rs.Solution(solution.space, coded_table(codec, values), objective=solution.objective)
    try:
        return bool(rs.verify(claimed))
    except rs.VerificationError:
        return False


@pytest.mark.parametrize("kind", ["graph", "compiled"])
def test_one_table_of_all_is_proven(kind: str, interpreted: None) -> None:
    rng, compared = random.Random(1), 0
    for _ in range(samples(60, 3000)):
        game = random_graph(rng, largest=5)
        rules = Generated(game, rng.random() < 0.5)
        game = rules.game  # of several moves to a vertex the reward of the last one counts
        subject = rules if kind == "compiled" else game.graph()
        solution = rs.solve(subject, objective="score:levels=no", stuck=game.stuck)
        right = tuple(solution[v].value for v in range(len(game.moves)))
        assert [claim.points for claim in right] == by_thresholds(game)
        # Each claim that some position might make: as many points, the opposite, and no end.
        known = {Margin(0), Margin(0, endless=True), *right, *(claim.opposite() for claim in right)}
        if len(known) ** len(right) > MOST_TABLES:
            continue
        tables = itertools.product(sorted(known), repeat=len(right))
        assert [claims for claims in tables if is_proven(solution, claims)] == [right], game
        compared += 1
    assert compared > 20


def test_each_move_is_looked_at_a_few_times(monkeypatch: pytest.MonkeyPatch, interpreted: None) -> None:
    """A chain has as many levels as vertices; to look at all of them for each level takes hours."""
    from retrosolve.verification import points

    n, seen, blocks = 20_000, [], points.blocks
    order = np.random.default_rng(1).permutation(n)
    chain = rs.Graph.from_edges(order[:-1], order[1:], payoff=np.where(np.arange(n) == order[-1], 5, 0))
    monkeypatch.setattr(
        points, "blocks", lambda *given, **more: seen.append(given) or blocks(*given, **more)
    )
    assert rs.verify(rs.solve(chain, objective="score:levels=no"))
    assert len(seen) == 1
