"""Graphs from dictionaries, tables, networks and matrices. What they refuse is in ``tests/bad_input/graphs.py``."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import retrosolve as rs
from retrosolve import Graph, Value

TABLES: dict[str, Callable[[Any], Any]] = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "pandas category": lambda columns: pd.DataFrame(columns).astype("category"),
    "polars": pl.DataFrame,
    "arrow": pa.table,
}
EDGES = {"from": ["a", "b", "b"], "to": ["b", "a", "c"], "weight": [1.5, 2.5, 3.5]}
VERTICES = {
    "id": ["c", "a", "b", "z"],
    "owner": [0, 1, 0, 1],
    "terminal": [None, None, "win", None],
    "colour": ["red", "red", "blue", "red"],
}


def rows(graph: Graph) -> list[list[int]]:
    return [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]


def attributes(graph: Graph) -> tuple[Any, Any]:
    """Its owners and ends as lists."""
    return tuple(None if found is None else found.tolist() for found in (graph.owner, graph.terminals))


def test_dictionaries() -> None:
    graph = Graph.from_dict({"a": ["b"], "d": [], "b": ("a", "c")}, terminal={"c": "tie"})
    assert graph == Graph.from_edges([0, 2, 2], [2, 0, 3], names=[*"adbc"], terminal=[0, 0, 0, 3])
    assert Graph.from_dict({}).num_vertices == 0
    assert Graph.from_dict({(0, 0): [(0, 1)]}).names == ((0, 0), (0, 1))
    assert Graph.from_dict({"u": {"v": {"weight": 1}}}).names == ("u", "v")
    assert Graph.from_dict({1: [0], 0: [1], 2: []}) == Graph.from_edges([0, 1], [1, 0], 3)
    graph = Graph.from_dict({7: [3], 5: []})
    assert (graph.names, graph.neighbors(2).tolist()) == ((3, 5, 7), [0])
    assert Graph.from_dict({-1: [2]}).names == (-1, 2)
    owner = {"a": rs.CHANCE, "b": 0, "c": 0}
    assert Graph.from_dict({"a": ["b", "c"], "b": {"c": 1}}, owner).num_edges == 3


@pytest.mark.parametrize("kind", TABLES)
def test_tables(kind: str) -> None:
    make = TABLES[kind]
    assert Graph.from_pandas(make(EDGES), "from", "to") == Graph.from_edges(EDGES["from"], EDGES["to"])
    graph = Graph.from_pandas(make(EDGES), "from", "to", make(VERTICES), "id")
    assert graph.names == ("c", "a", "b", "z")
    assert attributes(graph) == ([0, 1, 0, 1], [0, 0, 1, 0])
    assert [graph.position(w) for w in graph.neighbors(2).tolist()] == ["a", "c"]
    numbers = make({"source": [1, 2], "target": [2, 3]})
    graph = Graph.from_pandas(numbers, vertices=make({"v": [9, 1, 2, 3]}), vertex="v")
    assert (graph.names, graph.num_edges) == ((1, 2, 3, 9), 2)


def test_vertices_by_their_index_and_by_series() -> None:
    edges, vertices = pd.DataFrame(EDGES), pd.DataFrame(VERTICES).set_index("id")
    graph = Graph.from_pandas(edges, "from", "to", vertices)
    assert graph == Graph.from_pandas(edges, "from", "to", VERTICES, "id")
    by_series = Graph.from_pandas(
        edges, "from", "to", owner=vertices["owner"].drop("z"), terminal=pd.Series({"b": "win"})
    )
    assert attributes(by_series) == ([1, 0, 0], [0, 1, 0])
    numbered = Graph.from_pandas({"source": [0], "target": [1]}, vertices={"v": [2, 1, 0]}, vertex="v")
    assert (numbered.names, numbered.num_vertices) == (None, 3)


def test_series_are_read_by_their_index() -> None:
    owner, ends = pd.Series({"c": 1, "a": 0, "b": 1}), pd.Series({"c": 2, "b": 0})
    named = Graph.from_dict({"a": ["b"], "b": ["c"]}, owner={"a": 0, "b": 1, "c": 1}, terminal={"c": 2})
    assert Graph.from_dict({"a": ["b"], "b": ["c"]}, owner=owner, terminal=ends) == named
    assert Graph.from_edges(["a", "b"], ["b", "c"], owner=owner, terminal=ends) == named
    given = {"indptr": [0, 1, 2, 2], "indices": [1, 2], "names": ["a", "b", "c"]}
    for column in (owner, pd.DataFrame({"owner": [0, 1, 1]})["owner"]):
        assert Graph.from_csr(**given, owner=column, terminal=ends) == named
    sparse = Graph.from_edges([5, 7], [7, 9], owner=pd.Series([1, 0, 0], index=[9, 7, 5]))
    assert (sparse.names, attributes(sparse)[0]) == ((5, 7, 9), [0, 0, 1])


def test_columns_of_other_names() -> None:
    vertices = {"id": ["a", "b", "c"], "who": [1, 0, 1], "end": ["", "", 2]}
    graph = Graph.from_pandas(EDGES, "from", "to", vertices, "id", owner="who", terminal="end")
    assert attributes(graph) == ([1, 0, 1], [0, 0, 2])
    missing = pd.DataFrame({"id": ["a", "b", "c"], "terminal": [np.nan] * 3, "owner": [None] * 3})
    assert Graph.from_pandas(EDGES, "from", "to", missing, "id").terminals is None


def test_networkx() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "c")])
    graph.nodes["c"]["terminal"] = "loss"
    nx.set_node_attributes(graph, {"a": 0, "b": 1, "c": 1}, "owner")
    ours = Graph.from_networkx(graph)
    assert (ours.names, rows(ours)) == (("a", "b", "c"), [[1], [2], [2]])
    assert rs.solve(ours)["b"] == (Value.LOSS, 1)  # c is the same player's loss
    assert rows(Graph.from_networkx(nx.path_graph(3))) == [[1], [0, 2], [1]]
    assert Graph.from_networkx(nx.path_graph(3)).names is None
    assert Graph.from_networkx(nx.MultiDiGraph([(0, 1), (0, 1)])).num_edges == 2
    assert rows(Graph.from_networkx(nx.Graph([(0, 0)]))) == [[0]]
    assert Graph.from_networkx(nx.DiGraph([(1, 0)])).names == (1, 0)


def test_scipy() -> None:
    dense = np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    for make in (sp.csr_array, sp.coo_array, sp.csc_matrix, sp.lil_array):
        assert rows(Graph.from_scipy(make(dense))) == [[1], [2], []]
    stored_zero = sp.csr_array((np.zeros(1), ([0], [1])), shape=(2, 2))
    assert Graph.from_scipy(stored_zero).num_edges == 0
    assert stored_zero.nnz == 1


def test_entries_of_matrices_are_weights_where_chance_moves() -> None:
    owner, terminal = [rs.CHANCE, 0, 0], [0, Value.WIN, Value.LOSS]

    def matrix(*entries: float) -> Any:
        return sp.csr_array((entries, ([0, 0], [1, 2])), shape=(3, 3))

    for entries in ([9, 1], [9.0, 1.0]):
        assert str(rs.solve(Graph.from_scipy(matrix(*entries), owner, terminal))[0]) == "90 %"
    for entry in (0.9, -9, np.nan, 1e9):
        with pytest.raises(rs.GraphError):
            Graph.from_scipy(matrix(entry, 1), owner, terminal)
        assert Graph.from_scipy(matrix(entry, 1), [0, 0, 0], terminal).weight is None


@pytest.mark.parametrize("make", [list, np.array, lambda owner: dict(enumerate(owner))])
def test_owner_2_is_chance_with_weights_alone(make: Callable[[Any], Any]) -> None:
    edges = [(0, 1), (0, 2), (1, 0)]
    assert Graph.from_edges(edges, owner=make([2, 1, 0]), weight=[1, 2, 1]).has_chance
    assert Graph.from_edges(edges, owner=[rs.CHANCE, 1, 0]).has_chance
    for owner in ([2, 1, 0], [2, 1, 1]):
        with pytest.raises(rs.GraphError):
            Graph.from_edges(edges, owner=make(owner))


@pytest.mark.parametrize("cell", [[1], np.array([1, 2]), 10**30, 2.5, True, float("inf"), 1j])
def test_points_that_are_no_numbers(cell: Any) -> None:
    network = nx.DiGraph([("a", "b")])
    network.nodes["b"]["payoff"] = cell
    with pytest.raises(rs.GraphError):
        Graph.from_networkx(network)
    network = nx.DiGraph()
    network.add_edge("a", "b", reward=cell)
    with pytest.raises(rs.GraphError):
        Graph.from_networkx(network)
    for what in ("owner", "terminal", "payoff"):
        with pytest.raises(rs.GraphError):
            Graph.from_pandas(EDGES, "from", "to", {"id": [*"abc"], what: [0, 0, cell]}, "id")
