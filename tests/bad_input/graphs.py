"""Graphs from lists, rows, dictionaries, networks, matrices and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse as sp

from retrosolve import CHANCE, Graph, attractor
from tests.bad_input import Input

WHERE = {"source": "from", "target": "to"}
EDGES = {"from": ["a", "b", "b"], "to": ["b", "a", "c"]}
ROUTE = Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 2], owner=[0, 1, 0, 1])
NAMED = Graph.from_edges(
    ["a", "b", "b", "d"], ["b", "a", "c", "c"], owner={"a": 0, "b": 1, "c": 0, "d": 1}
)


def masked(*values: int) -> Any:
    return np.ma.array(values, mask=[*[0] * (len(values) - 1), 1])


def rows(of: Callable[..., object], table: dict[str, tuple[Any, ...]]) -> dict[str, Input]:
    """Calls of a function: their arguments, and named ones if a dictionary is last."""

    def call(given: tuple[Any, ...]) -> Input:
        is_named = (
            len(given) > 1
            and isinstance(given[-1], dict)
            and "".join(map(str, given[-1])).isidentifier()
        )
        plain, named = (given[:-1], given[-1]) if is_named else (given, {})
        return lambda _: of(*plain, **named)

    return {name: call(given) for name, given in table.items()}


def network(cell: Any, what: str, *, edge: bool = False) -> nx.DiGraph:
    found = nx.DiGraph([("a", "b")])
    (found.edges["a", "b"] if edge else found.nodes["b"])[what] = cell
    return found


def matrix(entry: float) -> Any:
    return sp.csr_array(([entry, 1], ([0, 0], [1, 2])), shape=(3, 3))


def table(vertices: Any = None, **more: Any) -> Graph:
    named = {"vertex": "id"} if isinstance(vertices, dict) else {}
    return Graph.from_pandas(EDGES, **{**WHERE, "vertices": vertices, **named, **more})


INPUTS: dict[str, Input] = {
    **rows(Graph.from_edges, {
        "edges of two lengths": ([0], [0, 1]),
        "named edges of two lengths": (["a"], ["b", "c"]),
        "a fraction as a vertex": ([0.0], [1]),
        "a missing vertex": ([float("nan")], [1]),
        "a negative vertex": ([0], [-4]),
        "ragged lists as vertices": ([[0], [1, 2]], [0, 1]),
        "a table as vertices": ([[0]], [[1]]),
        "a number as edges": (0, 1),
        "an array of triples as edges": (np.zeros((2, 3), int), None),
        "a vertex past 64 bits": ([2**70], [0]),
        "a vertex past 63 bits": (np.array([2**63], np.uint64), [0]),
        "a vertex past the last": ([0], [5], 3),
        "a vertex of an empty graph": ([0], [0], 0),
        "a negative number of vertices": ([0], [1], -1),
        "half a vertex": ([0], [1], 2.5),
        "too few owners": ([0], [1], 2, {"owner": [0]}),
        "fractions as owners": ([0], [1], {"owner": [0.0, 1.0]}),
        "a negative owner": ([0], [1], {"owner": [-1, 0]}),
        "an owner that is left out": ([0], [1], {"owner": {0: 1}}),
        "True as an owner": ([0], [1], {"owner": [True, 0]}),
        "an unknown code of an end": ([0], [1], {"terminal": [0, 4]}),
        "code 0 of an end that is named": ([0], [1], {"terminal": {1: 0}}),
        "an unknown word of an end": ([0], [1], {"terminal": {1: "won"}}),
        "an end of no vertex": ([0], [1], 2, {"terminal": {5: 1}}),
        "ends as True and False": ([0], [1], {"terminal": np.array([False, True])}),
        "a vertex past the owners": ([0, 7], [1, 2], {"owner": [0, 1, 0]}),
        "a vertex past the names": ([0], [7], {"terminal": [0, 1], "names": ["a", "b"]}),
        "a masked owner": ([0], [1], {"owner": masked(0, 1)}),
        "a masked reward": ([0], [1], {"reward": masked(1)}),
        "too few names": ([0], [1], 2, {"names": ["a"]}),
        "a name twice": ([0], [1], {"names": ["a", "a"]}),
        "a list as a name": ([0], [1], {"names": ["a", []]}),
        "a number of vertices beside names": (["a"], ["b"], 2),
        "a name that is no text": (["a", "b"], ["b", ()]),
        "a Series that names a vertex twice": (["a"], ["b"], {"owner": pd.Series([0, 1, 1], [*"aab"])}),
        "owner 2 without weights": ([0, 0], [1, 2], {"owner": [2, 1, 0]}),
        "owners 1 and 2 with weights": ([0, 0], [1, 2], {"owner": [2, 1, 1], "weight": [1, 2]}),
    }),
    **rows(Graph.from_csr, {
        "rows without an end": ([], []),
        "rows that start late": ([1, 1], [0]),
        "rows that go back": ([0, 2, 1], [0, 0]),
        "rows that end early": ([0, 1], [0, 0]),
        "a row to no vertex": ([0, 1], [1]),
    }),
    **rows(Graph.from_dict, {
        "text as successors": ({"a": "bc"},),
        "a number as successors": ({1: 2},),
        "a list as a vertex": ({1: [[2]]},),
        "pairs as a dictionary": ([(1, 2)],),
        "weights of chance in a dictionary": ({"a": {"b": 9}, "b": {}}, {"owner": {"a": CHANCE, "b": 0}}),
    }),
    **rows(Graph.from_networkx, {
        "an owner of some vertices of a network": (network(1, "owner"),),
        "a list as points in a network": (network([1], "payoff"),),
        "points of a network past the largest": (network(10**30, "payoff"),),
        "a fraction as a reward in a network": (network(2.5, "reward", edge=True),),
    }),
    **rows(Graph.from_scipy, {
        "a matrix that is not square": (sp.csr_array((2, 3)),),
        "a matrix with a fraction as a weight": (matrix(0.9), [CHANCE, 0, 0]),
    }),
    **rows(table, {
        "a column that a table has not": (None, {"target": "tu"}),
        "an owner of a column without vertices": (None, {"owner": "owner"}),
        "a table without its column of vertices": (pl.DataFrame({"id": ["a"]}), {"owner": None}),
        "a table of numbers for text": (pd.DataFrame({"id": ["c"]}),),
        "a row twice": ({"id": ["a", "a"]},),
        "a table that leaves out vertices": ({"id": ["a"], "owner": [1]},),
        "a table that is lazy": (pl.LazyFrame({"id": ["a"]}), {"vertex": "id"}),
        "an unknown word in a column of ends": ({"id": [*"abc"], "terminal": [0, 0, "won"]},),
        "infinity in a column of owners": ({"id": [*"abc"], "owner": [0, 0, float("inf")]},),
        "an array in a column of points": ({"id": [*"abc"], "payoff": [0, 0, np.array([1, 2])]},),
        "columns of two lengths": ({"id": ["a", "b"], "owner": [0]},),
        "an index of two levels": (pd.DataFrame({"owner": [0]}, [["a"], ["b"]]),),
        "a list as a table": ([1], {"vertex": "id"}),
    }),
    **rows(attractor, {
        "an attractor of a name": ("nim", 0, []),
        "an attractor without owners": (Graph.from_edges([0], [1]), 0, [1]),
        "an attractor of player 2": (ROUTE, 2, [1]),
        "targets past the last vertex": (ROUTE, 0, [1, 4]),
        "a negative target": (ROUTE, 0, [-1]),
        "too few targets as True and False": (ROUTE, 0, [True]),
        "a number as targets": (ROUTE, 0, 2),
        "text as targets": (ROUTE, 0, ["a"]),
        "a table of targets": (ROUTE, 0, np.ones((2, 2), bool)),
        "a mapping of targets to numbers": (ROUTE, 0, {2: 1},),
        "masked targets": (ROUTE, 0, masked(0, 1, 2, 3)),
        "masked names as targets": (NAMED, 0, np.ma.array(["a", "b"], mask=[0, 1])),
        "a name as targets": (NAMED, 0, "d"),
        "a number among names as targets": (NAMED, 0, np.array([2])),
        "an unknown name as a part": (NAMED, 0, ["c"], ["e"]),
        "a part past the last vertex": (ROUTE, 0, [1], [7]),
    }),
}  # fmt: skip
