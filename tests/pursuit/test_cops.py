"""Cops and robber: published facts, theorems, certificates, and the same game in plain rules."""

import random
import tracemalloc
from itertools import combinations_with_replacement, product
from math import comb, floor
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.generators.atlas import graph_atlas_g

import retrosolve as rs
from retrosolve import Value, pursuit
from retrosolve.pursuit import cops as cops_module
from retrosolve.pursuit.cops import (
    CopsAndRobber,
    CopsPosition,
    all_placements,
    count_teams,
    on_graph,
)
from retrosolve.rules.ranking import multiset_counts, rank_multiset
from retrosolve.runtime import memory
from tests.support.marks import samples
from tests.support.published import figures

COUNTS = figures("copwin-counts")
NUMBERS = figures("cop-numbers")
NAMED = {
    "Petersen": nx.petersen_graph(),
    "Heawood": nx.heawood_graph(),
    "Q3": nx.hypercube_graph(3),
    "K33": nx.complete_bipartite_graph(3, 3),
    "octahedron": nx.octahedral_graph(),
}


@pytest.mark.long
def test_cop_numbers_of_all_connected_graphs_of_up_to_seven_vertices() -> None:
    counts: dict[tuple[int, int | None], int] = {}
    for graph in graph_atlas_g():
        if len(graph) and nx.is_connected(graph):
            key = len(graph), pursuit.cop_number(graph)
            counts[key] = counts.get(key, 0) + 1
    for number, name in ((1, "cop1"), (2, "cop2")):
        assert [counts.pop((n, number), 0) for n in range(1, 8)] == COUNTS[name]
    assert counts == {}


def least_by_solving(graph: Any) -> int:
    """The cop number by nothing but the game, nothing taken away first."""
    cops = 1
    while True:
        game = CopsAndRobber(graph, cops)
        if rs.solve(game)[game.start()].value is Value.WIN:
            return cops
        cops += 1


def test_taking_dominated_vertices_away_changes_no_cop_number() -> None:
    for graph in graph_atlas_g():
        if 0 < len(graph) <= 5:
            assert pursuit.cop_number(graph) == least_by_solving(graph)


@pytest.mark.parametrize("name", NUMBERS["cop_number"])
def test_named_graphs(name: str) -> None:
    assert pursuit.cop_number(NAMED[name]) == NUMBERS["cop_number"][name]


def test_capture_times() -> None:
    def published(key: str, **sizes: int) -> int:
        return int(eval(NUMBERS["capture_time"][key], {"floor": floor}, sizes))

    for n in range(1, 15):
        assert pursuit.capture_time(nx.path_graph(n)) == published("path_n", n=n)
    for m in range(2, 6):
        for n in range(m, 6):
            expected = published("grid_mxn_2cops", m=m, n=n)
            assert pursuit.capture_time(nx.grid_2d_graph(m, n), 2) == expected
    assert pursuit.capture_time(NAMED["Petersen"], 3) == NUMBERS["capture_time"]["Petersen_3cops"]
    assert pursuit.capture_time(NAMED["Petersen"], 2) is None
    assert pursuit.winning_placement(NAMED["Petersen"], 2) is None


@pytest.mark.long
def test_trees_and_chordal_graphs_need_one_cop_planar_graphs_at_most_three() -> None:
    rng = random.Random(8)
    for _ in range(samples(30, 60)):
        n = rng.randint(1, 12)
        tree = nx.Graph([(v, rng.randrange(v)) for v in range(1, n)])
        tree.add_node(0)
        chordal = tree.copy()
        for v in range(n, n + 6):  # a new vertex joined to a clique keeps a graph chordal
            clique = max(nx.find_cliques(chordal), key=lambda c: rng.random())
            chordal.add_edges_from((v, w) for w in rng.sample(clique, rng.randint(1, len(clique))))
        assert nx.is_chordal(chordal)
        for graph in (tree, chordal):
            order = pursuit.dismantling_order(graph)
            assert order is not None
            assert pursuit.is_dismantling_order(graph, order)
            assert pursuit.cop_number(graph) == 1
        planar = nx.Graph()
        planar.add_nodes_from(range(10))
        for _ in range(60):
            u, v = rng.sample(range(10), 2)
            planar.add_edge(u, v)
            if not nx.check_planarity(planar)[0]:
                planar.remove_edge(u, v)
        assert nx.is_connected(planar)
        assert pursuit.cop_number(planar) <= 3


@pytest.mark.long
def test_the_dodecahedron_needs_three() -> None:
    assert pursuit.cop_number(nx.dodecahedral_graph()) == 3


def test_a_false_certificate_is_refused() -> None:
    path = [(0, 1), (1, 2), (2, 3)]
    good = pursuit.dismantling_order(path)
    assert good is not None
    assert pursuit.is_dismantling_order(path, good)
    far = [(1, 0), (0, 2), (2, 3)]  # beside 0, 1 is not dominated
    for bad in (
        far,
        good[:-1],
        [*good, (3, 2)],
        [(1, 2), *good[1:]],
        [(0, 0), *good[1:]],
        [good[0], *good],
    ):
        assert not pursuit.is_dismantling_order(path, bad)
    assert pursuit.dismantling_order(nx.cycle_graph(4)) is None
    one_way = nx.DiGraph([(0, 1)])
    for call in (
        pursuit.dismantling_order,
        lambda graph: pursuit.is_dismantling_order(graph, [(1, 0)]),
    ):
        with pytest.raises(rs.GraphError):
            call(one_way)


def random_graph(rng: random.Random, largest: int) -> nx.Graph | nx.DiGraph:
    n = rng.randint(1, largest)
    graph = rng.choice((nx.Graph, nx.DiGraph))()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 2 * n)))
    return graph


class PlainChase(rs.Game):
    """The same rules explored from the start, not numbered."""

    def __init__(self, game: CopsAndRobber) -> None:
        self.start, self.moves, self.terminal = game.start, game.moves, game.terminal

    def implements(self, name: str) -> bool:
        return name == "terminal"


@pytest.mark.long
def test_random_graphs_in_every_way() -> None:
    rng = random.Random(12)
    for _ in range(samples(80, 150)):
        graph, cops = random_graph(rng, 5), rng.randint(1, 3)
        game = CopsAndRobber(graph, cops, passing=rng.random() < 0.5)
        made = rs.solve(game)
        for solver in ("retrograde", "reference"):
            other = rs.solve(game, solver=solver)
            assert np.array_equal(made.table.values(), other.table.values())
            assert np.array_equal(made.remoteness(), other.remoteness())
            rs.verify(other)
        alone = rs.solve(game, objective="win-loss-draw")
        assert np.array_equal(made.table.values(), alone.table.values())
        rs.verify(made)
        rs.verify(alone)
        plain = rs.solve(PlainChase(game))
        for v in range(len(plain)):
            position = plain.space.position(v)
            assert plain[position] == made[position]
            assert {move.name for move in plain.moves(position)} == {
                m.name for m in made.moves(position)
            }
            assert made.space.position(made.space.index(position)) == position


def test_strategies_do_what_they_promise() -> None:
    game = CopsAndRobber(nx.grid_2d_graph(3, 3), 2)
    solution = rs.solve(game)
    cops = pursuit.cop_strategy(solution)
    rng = random.Random(4)
    for _ in range(50):
        position = cops[game.start()]
        moves = 0
        while game.terminal(position) is None:
            position = rng.choice(game.moves(position))[1]
            if game.terminal(position) is None:
                position = cops[position]
                moves += 1
        assert moves <= 2
    evading = CopsAndRobber(nx.cycle_graph(5), 1)
    robber = pursuit.robber_strategy(rs.solve(evading))
    position = evading.start()
    for _ in range(100):
        position = robber[rng.choice(evading.moves(position))[1]]
        assert evading.terminal(position) is None


def test_the_parts_of_a_graph_add_up() -> None:
    two = nx.disjoint_union(nx.cycle_graph(4), nx.path_graph(3))
    assert pursuit.cop_number(two) == 3 == least_by_solving(two)
    assert pursuit.cop_number(NAMED["Petersen"], max_cops=2) is None
    assert pursuit.cop_number(two, max_cops=2) is None
    assert pursuit.cop_number(two, max_cops=3) == 3


def test_directed_edges_are_one_way() -> None:
    ring = rs.Graph.from_edges([0, 1, 2], [1, 2, 0])
    assert pursuit.cop_number(ring) == 2
    assert pursuit.cop_number([(0, 1), (1, 2), (2, 0)]) == 1
    assert pursuit.cop_number(ring, passing=False) == 2


@given(n=st.integers(1, 6), cops=st.integers(1, 6))
def test_teams_are_in_colexicographic_order(n: int, cops: int) -> None:
    ordered = sorted(combinations_with_replacement(range(n), cops), key=lambda team: team[::-1])
    assert count_teams(n, cops) == len(ordered)
    assert list(map(tuple, all_placements(n, cops).tolist())) == ordered


@pytest.mark.parametrize("n", [2, 3])
def test_many_cops(n: int) -> None:
    for cops in range(21, 41):
        teams = all_placements(n, cops)
        assert len(teams) == comb(n + cops - 1, cops)
        counts = multiset_counts(n, cops)
        assert [rank_multiset(team, counts) for team in teams.tolist()] == list(range(len(teams)))
    for cops in (21, 40):
        game = CopsAndRobber(nx.path_graph(n), cops)
        solution = rs.solve(game)
        rs.verify(solution)
        assert solution[game.start()] == (Value.WIN, 2)  # some cop stands wherever the robber goes
        for vertex in range(0, len(solution.table.values()), 97):
            if solution.table.values()[vertex] < 4:
                assert game.index(game.position(vertex)) == vertex


def by_all_choices(game: CopsAndRobber) -> tuple[list[int], list[list[int]]]:
    """Where the teams can go, by every choice of every cop: the slow twin of joint_moves."""
    n = game.graph.num_vertices
    ordered = sorted(combinations_with_replacement(range(n), game.cops), key=lambda team: team[::-1])
    number = {team: i for i, team in enumerate(ordered)}
    rows = []
    for team in ordered:
        goals = product(*(game._steps[cop] for cop in team))
        rows.append(sorted({number[tuple(sorted(goal))] for goal in goals}))
    return list(range(len(ordered))), rows


@pytest.mark.parametrize("block", [1, 50, cops_module.MOVES_PER_BLOCK])
def test_teams_move_as_their_cops_do(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cops_module, "MOVES_PER_BLOCK", block)
    rng = random.Random(31)
    for _ in range(60):
        game = CopsAndRobber(random_graph(rng, 6), rng.randint(1, 4), passing=rng.random() < 0.5)
        everywhere, rows = by_all_choices(game)
        graph = game.product().first
        assert graph.num_vertices == len(rows) + 1
        assert [graph.neighbors(v).tolist() for v in range(graph.num_vertices)] == [*rows, everywhere]


def test_moves_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CopsAndRobber(nx.complete_graph(9), 5)  # 1287 teams, 1.7 million moves
    monkeypatch.setattr(cops_module, "joint_moves", None)
    limit = memory.Limit("container", 30 * 10**6, 30 * 10**6)
    monkeypatch.setattr(memory, "limits", lambda: [limit, limit])
    with pytest.raises(rs.MemoryBudgetError):
        rs.plan(game)


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("graph", "cops"),
    [
        (nx.grid_2d_graph(20, 20), 2),
        (nx.complete_graph(9), 5),
        (nx.path_graph(3), 30),
    ],
)
def test_laying_the_game_out_takes_no_more_than_was_asked_for(
    graph: Any, cops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(cops_module, "check_budget", lambda needed, _: asked.append(needed))
    game = CopsAndRobber(graph, cops)
    game.product()  # loads what is not loaded yet
    tracemalloc.start()
    try:
        game.product()
        assert tracemalloc.get_traced_memory()[1] <= max(asked)
    finally:
        tracemalloc.stop()


def test_cops_are_looked_up_in_any_order() -> None:
    solution = rs.solve(CopsAndRobber([("a", "b")], 2))
    for bad in (
        ("a", "b"), (("a",), "b", "cops"), (("a", "a"), None, "cops"), ((), "a", "cops"),
        (("a", "a"), "c", "cops"), (("a", "c"), "b", "robber"), ((), None, "robber"), None,
    ):  # fmt: skip
        with pytest.raises(rs.PositionError):
            solution[bad]
    assert solution[("b", "a"), "b", "cops"] == solution[CopsPosition(("a", "b"), "b", "cops")]


def test_a_graph_from_a_file(tmp_path: Any) -> None:
    path = tmp_path / "ring.csv"
    path.write_text("source,target\n0,1\n1,2\n2,0\n")
    for cops, value in ((1, Value.DRAW), (2, Value.WIN)):
        game = on_graph(str(path), cops)
        assert rs.solve(game)[game.start()].value is value
    path.write_text("source,target\na,b\nb,c\nc,d\nd,a\n")
    game = rs.game(f"cops:graph={path},cops=2,directed=no")
    ring = CopsAndRobber([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")], 2)
    assert game.graph.names == ("a", "b", "c", "d")
    assert rs.solve(game).counts() == rs.solve(ring).counts()
    assert rs.solve(game)[game.start()] == rs.solve(ring)[ring.start()]
    assert rs.solve(on_graph(str(path), 2))[game.start()].value is Value.WIN
    assert rs.solve(on_graph(str(path), 1, directed=False))[game.start()].value is Value.DRAW
