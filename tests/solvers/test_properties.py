"""Facts that hold of every solution, whatever solver made it."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve import Value
from retrosolve.testing import STUCK, random_graph
from retrosolve.testing.strategies import graphs

WIN, LOSS, TIE, DRAW = Value.WIN, Value.LOSS, Value.TIE, Value.DRAW


def edges_of(graph: rs.Graph) -> tuple[list[int], list[int]]:
    source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
    return source.tolist(), graph.indices.tolist()


def arrays(solution: rs.Solution) -> tuple[list[int], list[int]]:
    return solution.table.values().tolist(), solution.remoteness().tolist()


def live(graph: rs.Graph, v: int) -> bool:
    return graph.terminals is None or graph.terminals[v] == 0


@given(graphs(acyclic=True), st.sampled_from(STUCK))
def test_acyclic_graph_has_no_draw(graph: rs.Graph, stuck: str) -> None:
    assert rs.solve(graph, stuck=stuck, solver="retrograde").counts()[DRAW] == 0


@given(graphs(owned=False), st.sampled_from(STUCK))
def test_a_self_loop_is_never_lost_when_players_alternate(graph: rs.Graph, stuck: str) -> None:
    source, target = edges_of(graph)
    n = graph.num_vertices
    looped = rs.Graph.from_edges(
        source + list(range(n)), target + list(range(n)), n, terminal=graph.terminals
    )
    solution = rs.solve(looped, stuck=stuck)
    for v in range(n):
        assert solution.table.values()[v] != LOSS or not live(graph, v)


@given(graphs(), st.sampled_from(STUCK), st.randoms())
def test_duplicating_edges_changes_nothing(graph: rs.Graph, stuck: str, rng: random.Random) -> None:
    source, target = edges_of(graph)
    copied = [rng.randrange(len(source)) for _ in range(5)] if source else []
    doubled = rs.Graph.from_edges(
        source + [source[e] for e in copied],
        target + [target[e] for e in copied],
        graph.num_vertices,
        graph.owner,
        graph.terminals,
    )
    assert arrays(rs.solve(doubled, stuck=stuck)) == arrays(rs.solve(graph, stuck=stuck))


@given(graphs(), st.sampled_from(STUCK), st.randoms())
def test_renumbering_permutes_the_answer(graph: rs.Graph, stuck: str, rng: random.Random) -> None:
    n = graph.num_vertices
    order = list(range(n))
    rng.shuffle(order)
    source, target = edges_of(graph)
    inverse = np.argsort(order)
    renumbered = rs.Graph.from_edges(
        [order[v] for v in source],
        [order[v] for v in target],
        n,
        None if graph.owner is None else graph.owner[inverse],
        None if graph.terminals is None else graph.terminals[inverse],
    )
    before, after = rs.solve(graph, stuck=stuck), rs.solve(renumbered, stuck=stuck)
    for v in range(n):
        assert before.table.values()[v] == after.table.values()[order[v]]
        assert before.remoteness()[v] == after.remoteness()[order[v]]


@given(graphs())
def test_normal_and_misere_differ_only_through_stuck_vertices(graph: rs.Graph) -> None:
    stuck = [v for v in range(graph.num_vertices) if not len(graph.neighbors(v)) and live(graph, v)]
    terminal = (
        np.zeros(graph.num_vertices, np.uint8) if graph.terminals is None else graph.terminals.copy()
    )
    source, target = edges_of(graph)
    for rule, value in (("loss", LOSS), ("win", WIN), ("tie", TIE)):
        terminal[stuck] = value
        closed = rs.Graph.from_edges(source, target, graph.num_vertices, graph.owner, terminal)
        answers = {str(arrays(rs.solve(closed, stuck=other))) for other in STUCK}
        assert answers == {str(arrays(rs.solve(graph, stuck=rule)))}


@given(graphs())
def test_a_graph_where_nothing_ends_is_all_draws(graph: rs.Graph) -> None:
    n = graph.num_vertices
    source, target = edges_of(graph)
    endless = rs.Graph.from_edges(source + list(range(n)), target + list(range(n)), n, graph.owner)
    assert rs.solve(endless).counts()[DRAW] == n


@given(graphs(owned=False))
def test_without_terminals_wins_are_odd_and_losses_even(graph: rs.Graph) -> None:
    plain = rs.Graph.from_csr(graph.indptr, graph.indices)
    solution = rs.solve(plain)
    for value, plies in zip(*arrays(solution), strict=True):
        assert {WIN: plies % 2 == 1, LOSS: plies % 2 == 0, DRAW: plies == -1}[Value(value)]


@given(graphs(), st.sampled_from(STUCK))
def test_every_draw_keeps_a_draw_and_has_no_win_or_tie(graph: rs.Graph, stuck: str) -> None:
    solution = rs.solve(graph, stuck=stuck)
    for v in np.flatnonzero(solution.table.values() == DRAW).tolist():
        outcomes = [move.outcome.value for move in solution.moves(v)]
        assert DRAW in outcomes
        assert TIE not in outcomes


@given(graphs(owned=False))
def test_losses_of_an_acyclic_graph_are_its_kernel(graph: rs.Graph) -> None:
    source, target = edges_of(graph)
    up = [(a, b) for a, b in zip(source, target, strict=True) if a < b]
    plain = rs.Graph.from_edges([a for a, _ in up], [b for _, b in up], graph.num_vertices)
    kernel = set(np.flatnonzero(rs.solve(plain).table.values() == LOSS).tolist())
    for v in range(plain.num_vertices):
        inside = [w for w in plain.neighbors(v).tolist() if w in kernel]
        assert (v in kernel) == (not inside)


@given(graphs(owned=False), st.randoms())
def test_a_move_added_from_a_win_to_anything_leaves_it_a_win(
    graph: rs.Graph, rng: random.Random
) -> None:
    solution = rs.solve(graph)
    wins = [v for v in np.flatnonzero(solution.table.values() == WIN).tolist() if live(graph, v)]
    if wins and graph.num_vertices:
        v, w = rng.choice(wins), rng.randrange(graph.num_vertices)
        source, target = edges_of(graph)
        more = rs.Graph.from_edges(
            [*source, v], [*target, w], graph.num_vertices, terminal=graph.terminals
        )
        if len(graph.neighbors(v)):
            assert rs.solve(more).table.values()[v] == WIN


@given(graphs(owned=False), st.sampled_from(STUCK))
def test_alternation_is_ownership_of_a_doubled_graph(graph: rs.Graph, stuck: str) -> None:
    """Positions (vertex, player) with owners say what the alternating graph says."""
    n = graph.num_vertices
    source, target = edges_of(graph)
    doubled = rs.Graph.from_edges(
        source + [v + n for v in source],
        [w + n for w in target] + target,
        2 * n,
        [0] * n + [1] * n,
        None if graph.terminals is None else np.tile(graph.terminals, 2),
    )
    value, plies = arrays(rs.solve(graph, stuck=stuck))
    assert arrays(rs.solve(doubled, stuck=stuck)) == (value * 2, plies * 2)


def attractor(graph: rs.Graph, player: int, targets: set[int]) -> set[int]:
    """The textbook attractor: where ``player`` can force a visit to ``targets``."""
    inside = set(targets)
    grown = True
    while grown:
        grown = False
        for v in set(range(graph.num_vertices)) - inside:
            row = graph.neighbors(v).tolist() if live(graph, v) else []
            assert graph.owner is not None
            hits = [w in inside for w in row]
            if row and (any(hits) if graph.owner[v] == player else all(hits)):
                inside.add(v)
                grown = True
    return inside


@given(graphs(owned=True), st.sampled_from(STUCK))
def test_the_winner_of_each_vertex_follows_from_the_owner(graph: rs.Graph, stuck: str) -> None:
    """A player who wins endless play takes a tie only where he cannot help it."""
    solution = rs.solve(graph, stuck=stuck)
    assert graph.owner is not None
    owner = graph.owner.tolist()
    winners = {WIN: owner, LOSS: [1 - player for player in owner]}
    nobody = [-1] * graph.num_vertices
    values = [Value(code) for code in solution.table.values().tolist()]
    assert solution.winner().tolist() == [winners.get(x, nobody)[v] for v, x in enumerate(values)]
    for endless in (0, 1):
        other = 1 - endless
        won = {v for v, x in enumerate(values) if winners.get(x, nobody)[v] == other}
        tied = {v for v, plies in enumerate(solution.remoteness()) if (values[v], plies) == (TIE, 0)}
        reached = attractor(graph, other, won | tied)
        assert solution.winner(endless).tolist() == [
            other if v in won else -1 if v in reached else endless for v in range(graph.num_vertices)
        ]


@pytest.mark.parametrize("player", [0, 1])
def test_a_reachability_game_is_an_attractor(player: int) -> None:
    rng = random.Random(11)
    for _ in range(60):
        base = random_graph(rng)
        n = base.num_vertices
        owner = [rng.randrange(2) for _ in range(n)]
        targets = {v for v in range(n) if rng.random() < 0.2}
        terminal = {v: WIN if owner[v] == player else LOSS for v in targets}
        loops = [v for v in range(n) if not len(base.neighbors(v))]  # so that nothing is stuck
        source, target = edges_of(base)
        graph = rs.Graph.from_edges(source + loops, target + loops, n, owner, terminal)
        won = np.flatnonzero(rs.solve(graph).winner(endless=1 - player) == player)
        assert set(won.tolist()) == attractor(graph, player, targets)


@pytest.mark.parametrize("solver", ["reference", "retrograde", "sweep"])
def test_a_vertex_won_in_two_ways_is_counted_once(solver: str) -> None:
    """Vertex 0 reaches the goal by two successors; 8 can still go to 2, where it wins."""
    source, target = [0, 0, 1, 7, 8, 8], [6, 7, 6, 1, 0, 2]
    owner = [0, 0, 0, 0, 0, 0, 1, 1, 1]
    graph = rs.Graph.from_edges(source, target, 9, owner, {6: LOSS})
    solution = rs.solve(graph, solver=solver)
    first_wins = np.flatnonzero(solution.winner() == 0)
    assert first_wins.tolist() == [0, 1, 6, 7]
    assert solution[8] == (WIN, 1)
