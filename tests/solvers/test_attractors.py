"""Attractors, Büchi and co-Büchi winners against fixpoints of one controllable step.

What they refuse is in ``tests/bad_input/graphs.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.runtime import tuning

Step = Callable[[set[int]], set[int]]

ROUTE = rs.Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 2], owner=[0, 1, 0, 1])

NAMED = rs.Graph.from_edges(
    ["a", "b", "b", "d"], ["b", "a", "c", "c"], owner={"a": 0, "b": 1, "c": 0, "d": 1}
)
IDS = rs.Graph.from_edges(
    [(1, 2), (2, 3), (3, 4), (4, 5), (4, 1)], owner={1: 0, 2: 1, 3: 0, 4: 1, 5: 0}
)


class Ring(rs.Game):
    """Positions that are tuples, in a row: the first player owns 0 and 2, the second 1."""

    def start(self) -> tuple[str, int]:
        return "at", 0

    def player(self, position: tuple[str, int]) -> int:
        return position[1] % 2

    def moves(self, position: tuple[str, int]) -> list[tuple[str, tuple[str, int]]]:
        return [(str(w), ("at", w)) for w in {0: (1,), 1: (2,), 2: ()}[position[1]]]


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


def moves_within(graph: rs.Graph, part: set[int]) -> dict[int, list[int]]:
    """Return the moves of each vertex of a part that stay in it, none where the game is over."""
    ended = np.zeros(graph.num_vertices) if graph.terminals is None else graph.terminals
    return {v: [] if ended[v] else [w for w in graph.neighbors(v).tolist() if w in part] for v in part}


def reachable(rows: dict[int, list[int]], start: int, avoided: set[int]) -> set[int]:
    """Return the vertices that play from a vertex can reach in one move or more, without some."""
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        new = {w for w in rows[waiting.pop()] if w not in seen and w not in avoided}
        seen |= new
        waiting += new
    return seen


@st.composite
def owned_games(draw: st.DrawFn) -> tuple[rs.Graph, int, list[int], set[int]]:
    """Draw a graph with owners, chance perhaps among them, a player, targets and a part."""
    n = draw(st.integers(1, 9))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=24))
    tails = {tail for tail, _ in edges}
    movers = [0, 1, rs.CHANCE]
    owner = [movers[draw(st.integers(0, 2 if v in tails else 1))] for v in range(n)]
    ends = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 3, 3]  # nobody wins where chance moves
    terminal = [draw(st.sampled_from(ends[player])) for player in owner]
    graph = rs.Graph.from_edges(
        [tail for tail, _ in edges], [head for _, head in edges], n, owner, terminal
    )
    part = set(range(n)) - draw(st.sets(vertex, max_size=3))
    return graph, draw(st.integers(0, 1)), draw(st.lists(vertex, max_size=4)), part


@pytest.mark.parametrize("compile_from", [0, None])
@given(game=owned_games())
def test_strategies_win_against_all_replies(
    compile_from: int | None, game: tuple[rs.Graph, int, list[int], set[int]]
) -> None:
    graph, player, targets, part = game
    assert graph.owner is not None
    goal, mine = set(targets) & part, {v for v in part if graph.owner[v] == player}
    with nullcontext() if compile_from is None else tuning.using(compile_from=compile_from):
        answers = {
            function: function(graph, player, targets, part, strategy=True)
            for function in (rs.attractor, rs.buchi, rs.co_buchi)
        }
        for function, (region, _) in answers.items():
            assert np.array_equal(region, function(graph, player, targets, part))

    def visiting(who: int) -> set[int]:
        step = controllable(two_players, who, part)
        return greatest(lambda outer: least(lambda now: goal & step(outer) | step(now)), part)

    owner = [player if v in mine else 1 - player for v in range(graph.num_vertices)]
    two_players = rs.Graph.from_csr(graph.indptr, graph.indices, owner, graph.terminals)
    step = controllable(two_players, player, part)
    every = moves_within(graph, part)
    expected = {
        rs.attractor: (least(lambda now: goal | step(now)), goal),
        rs.buchi: (visiting(player), set()),
        rs.co_buchi: (part - visiting(1 - player), {v for v in part if not every[v]}),
    }
    for function, (region, moves) in answers.items():
        winning, over = expected[function]
        assert numbers(region) == winning
        moving = winning & mine - over
        assert set(np.flatnonzero(moves != -1).tolist()) == moving
        assert all(moves[v] in every[v] for v in moving)
        rows = {v: [int(moves[v])] if v in moving else every[v] for v in winning}
        if function is rs.attractor:
            rows |= {v: [] for v in goal}
        assert all(w in winning for v in winning for w in rows[v])
        for v in winning:
            if function is rs.attractor:
                assert v in goal or (rows[v] and v not in reachable(rows, v, goal))
            elif function is rs.buchi:
                assert rows[v]
                assert v in goal or v not in reachable(rows, v, goal)
            else:
                assert v not in goal or v not in reachable(rows, v, set())


def test_names_stand_for_vertices_in_every_form() -> None:
    targets: Any
    mask = [False, False, True, False]
    for targets in (["c"], {"c"}, ("c",), np.array(["c"]), {"c": True, "a": False}, mask):
        assert rs.attractor(NAMED, 0, targets).tolist() == [False, False, True, True]
    for targets in ([4], {4}, np.array([4]), {4: True}, pd.Series([4], [7]), pd.Series([True], [4])):
        assert rs.attractor(IDS, 0, targets).tolist() == [True, True, True, True, False]
    assert rs.buchi(IDS, 1, {1}, {1, 2, 3, 4}).tolist() == [True, True, True, True, False]
    assert rs.co_buchi(NAMED, 1, ["c"]).tolist() == [True, True, True, True]


def test_positions_of_rules_are_targets() -> None:
    space = rs.solve(Ring()).space
    assert isinstance(space, rs.Graph)
    assert rs.attractor(space, 0, [("at", 1)]).tolist() == [True, True, False]


def test_targets_are_bool_or_numbers_and_are_not_changed() -> None:
    mask = np.array([False, False, True, False])
    expected = [False, False, True, True]
    for targets in ([2], (2,), np.array([2, 2], np.uint8), mask, mask.tolist()):
        assert rs.attractor(ROUTE, 0, targets).tolist() == expected
    assert mask.tolist() == [False, False, True, False]
    assert rs.attractor(ROUTE, 0, []).tolist() == [False] * 4
    for wrong in ([True], 2, ["a"], {2: 1}):
        with pytest.raises(rs.GraphError):
            rs.attractor(ROUTE, 0, wrong)
    for name in (0, 2**70):
        with pytest.raises(rs.GraphError):
            rs.attractor(IDS, 0, [name])
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
