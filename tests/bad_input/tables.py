"""Columns, tables, networks and matrices that are no graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse

import retrosolve as rs
from retrosolve import CHANCE, Graph
from tests.bad_input import Input

EDGES = {"from": ["a", "b", "b"], "to": ["b", "a", "c"], "weight": [1.5, 2.5, 3.5]}
PAYMENTS = {"payer": ["a"], "payee": ["b"], "amount": [1]}

# What is given as the sources of two edges.
SOURCES: dict[str, Any] = {
    "numbers of 1.0": pd.Series([1.0, 2.0]), "pairs in a series": pd.Series([(1, 2), (3, 4)]),
    "name 1.5 of a series": pd.Series(["a", 1.5]), "negative": pd.Series([-1, 2]),
    "lists of arrow": pa.array([[1], [2]]), "missing in a list": [1, None], "truth among numbers": [True, 2],
    "truth among objects": np.array([2, True], object), "more than 64 bits": pd.Series([2**70, 7], dtype=object),
    "Int128": pl.Series([1, 2**100], dtype=pl.Int128), "two levels": pd.MultiIndex.from_tuples([(0, 1), (0, 2)]),
    "masked": np.ma.array([0, 1], mask=[0, 1]), "name 2.5": ["a", 2.5],
    "text that is a number among numbers": [3, "4"], "three of two": [0, 1, 2],
}  # fmt: skip
# What is given as the edges.
PAIRS: dict[str, Any] = {
    "edge of three": [(0, 1), (0, 1, 2)], "three columns": np.zeros((3, 3), int), "text": "ab",
    "dictionary": {"a": "b"}, "table": pd.DataFrame({"u": [0], "v": [1]}),
}  # fmt: skip
# Arguments of from_edges beside an edge from 0 to 1.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "vertices of text": {"vertices": "2"}, "negative vertices": {"vertices": -1}, "vertex 1 of 1": {"vertices": 1},
    "owner 1.5": {"owner": [0, 1.5]}, "owner of one": {"owner": {0: 1}},
    "terminal value 7": {"terminal": [0, 7]}, "terminal value of text": {"terminal": {1: "won"}},
    "owner of nobody": {"owner": {0: 1, 1: 0, "x": 1}}, "payoff of a million million": {"payoff": {1: 10**12}},
    "names of one": {"names": ["a"]}, "name as a list": {"names": [[1], [2]]}, "same names": {"names": ["a", "a"]},
}  # fmt: skip
# Arguments of from_csr.
ROWS: dict[str, tuple[Any, Any]] = {
    "no rows": ([], []), "rows from 1": ([1, 1], []), "rows that fall": ([0, 2, 1], [0, 0]),
    "rows that end early": ([0, 1], [0, 0]), "two dimensions": ([[0, 0]], []), "ragged": ([[0], [1, 2]], []),
    "masked rows": (np.ma.array([0, 0], mask=[0, 1]), []), "fractions": ([0.5, 1], []),
}  # fmt: skip
# Arguments of from_pandas beside the edges; a dictionary of vertices is named by its column id.
TABLES: dict[str, dict[str, Any]] = {
    "no table": {"vertices": [1], "vertex": "id"}, "no column of the vertices": {"vertices": {"id": ["a"]}, "vertex": "name"},
    "no column chosen": {"vertices": {"id": ["a"]}, "terminal": "end"}, "no vertex column": {"vertices": {"id": ["a"]}, "vertex": None},
    "owner of a table without one": {"owner": "side"}, "row twice": {"vertices": {"id": ["a", "a"]}},
    "numbers beside text": {"vertices": {"id": [1]}}, "owner of some ends": {"vertices": {"id": ["a"], "owner": [0]}},
    "terminal value won": {"vertices": {"id": ["a"], "terminal": ["won"]}},
    "payoff of 1.5": {"vertices": {"id": ["a"], "payoff": [1.5]}}, "huge payoff": {"vertices": {"id": ["a"], "payoff": [10**30]}},
    "column of one": {"vertices": {"id": ["a", "b"], "owner": [0]}}, "two ways to spell": {"vertices": {"id": ["a"], "Owner": [0], "OWNER": [0]}},
    "name like an owner": {"vertices": {"id": ["a"], "to_move": [0]}}, "name like an end": {"vertices": {"id": ["a"], "outcome": ["win"]}},
    "priorities": {"vertices": {"id": ["a"], "priority": [3]}}, "value alone": {"vertices": {"id": ["a"], "value": ["loss"]}},
    "third player": {"vertices": {"id": list("abc"), "player": list("xyz")}}, "player of one": {"vertices": {"id": ["a"], "player": ["x"]}},
    "label twice": {"owner": pd.Series([0, 1], ["a", "a"])}, "source alone": {"target": None},
}  # fmt: skip


def of_edges(**arguments: Any) -> Graph:
    return Graph.from_edges([0], [1], **arguments)


def table(vertices: Any = None, **arguments: Any) -> Graph:
    named = {"vertex": "id"} if isinstance(vertices, dict) else {}
    return Graph.from_pandas(
        EDGES, vertices=vertices, **{"source": "from", "target": "to"} | named | arguments
    )


def network(nodes: dict[str, dict[str, Any]], **edge: Any) -> Graph:
    found = nx.DiGraph()
    found.add_nodes_from(nodes.items())
    found.add_edge("a", "b", **edge)
    return Graph.from_networkx(found)


def file(columns: dict[str, list[Any]], folder: Path, **arguments: Any) -> Graph:
    pq.write_table(pa.table(columns), folder / "g.parquet")
    return rs.read_graph(folder / "g.parquet", **arguments)


CALLS: dict[str, Callable[[Path], object]] = {
    "dictionary: text as successors": lambda _: Graph.from_dict({"a": "bc"}),
    "dictionary: list as a vertex": lambda _: Graph.from_dict({1: [[2]]}),  # type: ignore[list-item]
    "dictionary: list": lambda _: Graph.from_dict([(1, 2)]),  # type: ignore[arg-type]
    "dictionary: weights": lambda _: Graph.from_dict({"a": {"b": 1}}, owner={"a": CHANCE, "b": 0}),
    "table: lazy": lambda _: Graph.from_pandas(pl.DataFrame(EDGES).lazy()),
    "table: other columns": lambda _: Graph.from_pandas(PAYMENTS),
    "table: source twice": lambda _: Graph.from_pandas({"from": ["a"], "to": ["b"], "FROM": ["c"]}),
    "table: short column": lambda _: Graph.from_pandas({"from": ["a"], "to": ["b", "c"]}),
    "table: reward of text": lambda _: Graph.from_pandas({"from": ["a"], "to": ["b"], "reward": ["x"]}),
    "table: weight by another name": lambda _: Graph.from_pandas(
        {"from": ["a"], "to": ["b"], "prob": [1]}, vertices={"id": ["a", "b"], "owner": ["chance", "0"]}, vertex="id"
    ),
    "network: none": lambda _: Graph.from_networkx([1]),
    "network: owner of one": lambda _: network({"a": {"owner": 0}}),
    "network: owner of text": lambda _: network({"a": {"owner": "x"}, "b": {"owner": 0}}),
    "network: payoff of 2.5": lambda _: network({"b": {"payoff": 2.5}}),
    "network: reward as a list": lambda _: network({}, reward=[1]),
    "network: name like an owner": lambda _: network({"a": {"turn": 0}}),
    "matrix: none": lambda _: Graph.from_scipy([[0]]),
    "matrix: not square": lambda _: Graph.from_scipy(scipy.sparse.csr_array((2, 3))),
    "matrix: weight 0.5": lambda _: Graph.from_scipy(scipy.sparse.csr_array([[0, 0.5], [0, 0]]), owner=[CHANCE, 0]),
    "parquet: no columns of ends": lambda folder: file(PAYMENTS, folder),
    "parquet: column that is not there": lambda folder: file(PAYMENTS, folder, source="payer", target="to"),
    "parquet: source alone": lambda folder: file(PAYMENTS, folder, source="payer"),
    "parquet: one column for both": lambda folder: file(PAYMENTS, folder, source="payer", target="payer"),
    "parquet: number as a column": lambda folder: file(PAYMENTS, folder, source=3, target="payee"),
    "parquet: owner without vertices": lambda folder: file(
        PAYMENTS, folder, source="payer", target="payee", owner="side"
    ),
}  # fmt: skip

INPUTS: dict[str, Input] = (
    {f"source: {what}": lambda _, x=x: Graph.from_edges(x, [2, 1]) for what, x in SOURCES.items()}
    | {f"pairs: {what}": lambda _, x=x: Graph.from_edges(x) for what, x in PAIRS.items()}
    | {f"edges: {what}": lambda _, x=x: of_edges(**x) for what, x in ARGUMENTS.items()}
    | {f"rows: {what}": lambda _, x=x: Graph.from_csr(*x) for what, x in ROWS.items()}
    | {f"table: {what}": lambda _, x=x: table(**x) for what, x in TABLES.items()}
    | CALLS
)
