"""Graphs from dictionaries and tables."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve import Graph

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


def test_dictionaries() -> None:
    graph = Graph.from_dict({"a": ["b"], "d": [], "b": ("a", "c")}, terminal={"c": "tie"})
    assert graph.names == ("a", "d", "b", "c")
    assert graph == Graph.from_edges(
        [0, 2, 2], [2, 0, 3], names=["a", "d", "b", "c"], terminal=[0, 0, 0, 3]
    )
    assert Graph.from_dict({}).num_vertices == 0
    assert Graph.from_dict({(0, 0): [(0, 1)]}).names == ((0, 0), (0, 1))
    assert Graph.from_dict({"u": {"v": {"weight": 1}}}).names == ("u", "v")


def test_dictionaries_of_whole_numbers() -> None:
    assert Graph.from_dict({1: [0], 0: [1], 2: []}) == Graph.from_edges([0, 1], [1, 0], 3)
    graph = Graph.from_dict({7: [3], 5: []})
    assert (graph.names, graph.neighbors(2).tolist()) == ((3, 5, 7), [0])
    assert Graph.from_dict({-1: [2]}).names == (-1, 2)


@pytest.mark.parametrize(
    ("successors", "message"),
    [
        ({"a": "bc"}, r"the successors of 'a' are 'bc': expected a list of vertices"),
        ({1: 2}, r"the successors of 1 are 2: expected a list"),
        ({1: [[2]]}, r"unhashable type: 'list': expected hashable vertices"),
        ([(1, 2)], r"list is no dictionary"),
    ],
)
def test_bad_dictionaries(successors: Any, message: str) -> None:
    with pytest.raises(rs.GraphError, match=message):
        Graph.from_dict(successors)


def test_dictionary_of_the_moves_of_chance_is_refused() -> None:
    owner = {"a": rs.CHANCE, "b": 0, "c": 0}
    with pytest.raises(
        rs.GraphError, match="of 'a', where chance moves, are a dictionary: expected a l"
    ):
        Graph.from_dict({"a": {"b": 9, "c": 1}, "b": {}}, owner)
    assert Graph.from_dict({"a": ["b", "c"], "b": {"c": 1}}, owner).num_edges == 3


@pytest.mark.parametrize("kind", TABLES)
def test_tables(kind: str) -> None:
    make = TABLES[kind]
    assert Graph.from_pandas(make(EDGES), "from", "to") == Graph.from_edges(EDGES["from"], EDGES["to"])
    graph = Graph.from_pandas(make(EDGES), "from", "to", make(VERTICES), "id")
    assert graph.names == ("c", "a", "b", "z")
    assert graph.owner is not None
    assert graph.terminals is not None
    assert (graph.owner.tolist(), graph.terminals.tolist()) == ([0, 1, 0, 1], [0, 0, 1, 0])
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
    assert by_series.owner is not None
    assert by_series.owner.tolist() == [1, 0, 0]
    assert by_series.terminals is not None
    assert by_series.terminals.tolist() == [0, 1, 0]
    numbered = Graph.from_pandas({"source": [0], "target": [1]}, vertices={"v": [2, 1, 0]}, vertex="v")
    assert (numbered.names, numbered.num_vertices) == (None, 3)


def test_series_are_read_by_their_index() -> None:
    owner, ends = pd.Series({"c": 1, "a": 0, "b": 1}), pd.Series({"c": 2, "b": 0})
    named = Graph.from_dict({"a": ["b"], "b": ["c"]}, owner={"a": 0, "b": 1, "c": 1}, terminal={"c": 2})
    assert Graph.from_dict({"a": ["b"], "b": ["c"]}, owner=owner, terminal=ends) == named
    assert Graph.from_edges(["a", "b"], ["b", "c"], owner=owner, terminal=ends) == named
    rows = {"indptr": [0, 1, 2, 2], "indices": [1, 2], "names": ["a", "b", "c"]}
    assert Graph.from_csr(**rows, owner=owner, terminal=ends) == named
    column = pd.DataFrame({"owner": [0, 1, 1]})["owner"]
    assert Graph.from_csr(**rows, owner=column, terminal=ends) == named
    sparse = Graph.from_edges([5, 7], [7, 9], owner=pd.Series([1, 0, 0], index=[9, 7, 5]))
    assert sparse.names == (5, 7, 9)
    assert sparse.owner is not None
    assert sparse.owner.tolist() == [0, 0, 1]
    with pytest.raises(rs.GraphError, match="'a' is twice in the index of a Series: expected each ver"):
        Graph.from_edges(["a"], ["b"], owner=pd.Series([0, 1, 1], index=["a", "a", "b"]))


def test_columns_of_other_names() -> None:
    vertices = {"id": ["a", "b", "c"], "who": [1, 0, 1], "end": ["", "", 2]}
    graph = Graph.from_pandas(EDGES, "from", "to", vertices, "id", owner="who", terminal="end")
    assert graph.owner is not None
    assert graph.terminals is not None
    assert (graph.owner.tolist(), graph.terminals.tolist()) == ([1, 0, 1], [0, 0, 2])
    missing = pd.DataFrame({"id": ["a", "b", "c"], "terminal": [np.nan] * 3, "owner": [None] * 3})
    assert Graph.from_pandas(EDGES, "from", "to", missing, "id").terminals is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "tu"}, r"edges has no column 'tu': expected one of 'from', 'to', 'weight'"),
        ({"owner": "owner"}, r"owner='owner' names a column of vertices="),
        ({"vertices": pl.DataFrame(VERTICES)}, r"vertex=None: expected the column of vertices="),
        ({"vertices": pd.DataFrame(VERTICES)}, r"vertices has numbers and edges has text"),
        ({"vertices": {"id": ["a", "a"]}}, r"vertices has row 1 for a vertex that has a row"),
        ({"vertices": {"id": ["a"], "owner": [3]}}, r"owner\[0\] is 3: expected 0 or 1"),
        (
            {"vertices": {"id": ["a"], "owner": [1]}},
            r"leaves out 2 ends of edges, such as 'b': expected",
        ),
        (
            {"vertices": {"id": ["a"], "owner": ["Ann"]}},
            r"'Ann': expected 0 or 1, and names in a column 'pl",
        ),
        (
            {"vertices": pl.LazyFrame(VERTICES), "vertex": "id"},
            r"the table is a LazyFrame: .* table\.collect\(\)",
        ),
        (
            {"vertices": {"id": ["a"], "terminal": ["won"]}},
            r"terminal\[0\] is 'won': expected win, loss, tie",
        ),
        ({"vertices": {"id": ["a"], "terminal": [4]}}, r"terminal\[0\] is 4: expected win, loss, tie"),
        ({"vertices": {"id": ["a"]}, "terminal": "end"}, r"vertices has no column 'end'"),
        *(
            (
                {"vertices": {"id": list("abc"), what: [0, 0, cell]}},
                rf"{what}\[2\] is .*: expected {right}",
            )
            for cell in (float("inf"), 10**30, [1], 1j, np.array([1, 2]), True, 1.5)
            for what, right in (
                ("owner", "0 or 1"),
                ("terminal", "win, loss, tie"),
                ("payoff", "(a whole number or nothing|at most 1000000)"),
            )
        ),
        *(
            ({"vertices": {"id": ["a", "b"], what: [0]}}, f"vertices has 2 rows and {what} 1: expected")
            for what in ("owner", "player", "terminal", "payoff")
        ),
        (
            {"vertices": pd.DataFrame({"owner": [0]}, pd.MultiIndex.from_tuples([("a", "b")]))},
            r"vertices\.index has 2 levels: expected an index of one level",
        ),
        ({"vertices": [1]}, r"vertices.*|list is no table: expected a DataFrame"),
    ],
)
def test_bad_tables(arguments: dict[str, Any], message: str) -> None:
    if isinstance(arguments.get("vertices"), dict):
        arguments = {"vertex": "id"} | arguments
    with pytest.raises(rs.GraphError, match=message):
        Graph.from_pandas(EDGES, **({"source": "from", "target": "to"} | arguments))


@pytest.mark.parametrize("cell", [[1], np.array([1, 2]), 10**30, 2.5, True])
def test_networks_with_points_that_are_no_numbers(cell: Any) -> None:
    network = nx.DiGraph([("a", "b")])
    network.nodes["b"]["payoff"] = cell
    with pytest.raises(rs.GraphError, match=r"payoff\['b'\] is .*: expected (a whole number|at most)"):
        Graph.from_networkx(network)
    network = nx.DiGraph()
    network.add_edge("a", "b", reward=cell)
    with pytest.raises(rs.GraphError, match=r"reward\[0\] is .*: expected (a whole number|at most)"):
        Graph.from_networkx(network)
