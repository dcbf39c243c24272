"""Attractors, Büchi and co-Büchi winners against fixpoints of one controllable step."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.testing import random_graph
from tests.conftest import Tune
from tests.support.marks import samples

Step = Callable[[set[int]], set[int]]

ROUTE = rs.Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 2], owner=[0, 1, 0, 1])


def random_owned(rng: random.Random) -> rs.Graph:
    graph = random_graph(rng)
    owner = [rng.randrange(2) for _ in range(graph.num_vertices)]
    return rs.Graph.from_csr(graph.indptr, graph.indices, owner, graph.terminals)


def controllable(graph: rs.Graph, player: int, part: set[int]) -> Step:
    """One step: from a set to the vertices from which the player forces the token there."""
    ended = [False] * graph.num_vertices if graph.terminals is None else graph.terminals != 0
    owner = graph.owner.tolist() if graph.owner is not None else []
    rows = {v: [] if ended[v] else [w for w in graph.neighbors(v) if w in part] for v in part}

    def step(goal: set[int]) -> set[int]:
        any_or_all = {v: any if owner[v] == player else all for v in part}
        return {v for v in part if rows[v] and any_or_all[v](w in goal for w in rows[v])}

    return step


def least(function: Step) -> set[int]:
    now: set[int] = set()
    while function(now) != now:
        now = function(now)
    return now


def greatest(function: Step, part: set[int]) -> set[int]:
    now = set(part)
    while function(now) != now:
        now = function(now)
    return now


def numbers(chosen: Any) -> set[int]:
    assert chosen.dtype == np.bool_
    return set(np.flatnonzero(chosen).tolist())


def compare_with_fixpoints(rng: random.Random) -> None:
    graph = random_owned(rng)
    n, player = graph.num_vertices, rng.randrange(2)
    targets = [v for v in range(n) if rng.random() < 0.3]
    part = set(range(n)) if rng.random() < 0.4 else {v for v in range(n) if rng.random() < 0.7}
    step = controllable(graph, player, part)
    goal = set(targets) & part
    arguments = graph, player, targets, None if len(part) == n else sorted(part)
    reached = least(lambda now: goal | step(now))
    assert numbers(rs.attractor(*arguments)) == reached
    recurring = greatest(lambda outer: least(lambda now: goal & step(outer) | step(now)), part)
    assert numbers(rs.buchi(*arguments)) == recurring
    assert numbers(rs.co_buchi(graph, 1 - player, *arguments[2:])) == part - recurring


def test_random_graphs_and_parts_agree_with_fixpoints() -> None:
    rng = random.Random(35)
    for _ in range(samples(400, 20_000)):
        compare_with_fixpoints(rng)


def test_compiled_kernel_agrees_with_fixpoints(tune: Tune) -> None:
    tune(compile_from=0)
    rng = random.Random(36)
    for _ in range(samples(100, 2000)):
        compare_with_fixpoints(rng)


def test_winner_of_a_reachability_game_is_its_attractor() -> None:
    rng = random.Random(37)
    for _ in range(samples(100, 2000)):
        plain = random_owned(rng)
        n = plain.num_vertices
        goal = np.array([rng.random() < 0.2 for _ in range(n)], bool)
        owner = plain.owner
        assert owner is not None
        loops = np.flatnonzero(plain.out_degrees() == 0)  # play never ends outside of the goal
        sources = np.concatenate([np.repeat(np.arange(n), plain.out_degrees()), loops])
        targets = np.concatenate([plain.indices, loops])
        ends = np.where(goal, np.where(owner == 0, 1, 2), 0)
        game = rs.Graph.from_edges(sources, targets, n, owner, ends)
        won = rs.solve(game).winner(endless=1) == 0
        assert np.array_equal(rs.attractor(game, 0, goal), won)


def test_targets_are_bool_or_numbers_and_are_not_changed() -> None:
    mask = np.array([False, False, True, False])
    expected = [False, False, True, True]
    for targets in ([2], (2,), np.array([2, 2], np.uint8), mask, mask.tolist()):
        assert rs.attractor(ROUTE, 0, targets).tolist() == expected
    assert mask.tolist() == [False, False, True, False]
    assert rs.attractor(ROUTE, 0, []).tolist() == [False] * 4
    assert rs.attractor(rs.Graph.from_edges([], [], 0, owner=[]), 0, []).tolist() == []


def test_result_is_not_the_argument() -> None:
    part = np.ones(4, bool)
    for function in (rs.attractor, rs.buchi, rs.co_buchi):
        result = function(ROUTE, 1, [0, 1, 2, 3], part)
        result[:] = False
        assert part.all()


def test_dead_ends_are_lost_by_buchi_and_won_by_co_buchi() -> None:
    ended = rs.Graph.from_edges([0, 2], [1, 2], owner=[0, 1, 1], terminal=[0, 0, 1])
    for player in (0, 1):
        assert not rs.buchi(ended, player, [0, 1, 2]).any()
        assert rs.co_buchi(ended, player, [0, 1, 2]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nim", 0, []), r"attractor\(\) of 'nim': expected a Graph with owners"),
        (
            (rs.Graph.from_edges([0], [1]), 0, [1]),
            r"attractor\(\) needs an owner for each vertex; here players just alternate",
        ),
        ((ROUTE, 2, [1]), r"player=2: expected 0 or 1"),
        ((ROUTE, True, [1]), r"player=True: expected 0 or 1"),
        ((ROUTE, 0, [1, 4]), r"targets\[1\] is 4, but the graph has 4 vertices \(0\.\.3\)"),
        ((ROUTE, 0, [-1]), r"targets\[0\] is -1: expected 0 or more"),
        ((ROUTE, 0, [True]), r"targets has 1 entries: expected 4, one a vertex"),
        ((ROUTE, 0, 2), r"targets has 0 dimensions: expected a flat list of integers"),
        ((ROUTE, 0, ["a"]), r"targets has dtype <U1: expected integers"),
        ((ROUTE, 0, [1], [7]), r"within\[0\] is 7, but the graph has 4 vertices \(0\.\.3\)"),
    ],
)
def test_wrong_arguments_raise_one_sentence(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(rs.GraphError, match=f"^{message}$"):
        rs.attractor(*arguments)
