"""Owners that may be a third player, or two players that are called 1 and 2."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx

import retrosolve as rs
from tests.bad_input import Input, command

EDGES = [("a", "b"), ("b", "c"), ("c", "a")]
TABLE = "source,target\na,b\nb,c\nc,a\n"
DOT = "digraph { a [owner=0]; b [owner=1]; c [owner=2]; a -> b; b -> c; c -> a }"


def network() -> nx.DiGraph:
    found = nx.DiGraph(EDGES)
    nx.set_node_attributes(found, {"a": 0, "b": 1, "c": 2}, "owner")
    return found


def table(**columns: Any) -> rs.Graph:
    edges = {"source": ["a", "b", "c"], "target": ["b", "c", "a"]}
    return rs.Graph.from_pandas(edges, vertices={"name": ["a", "b", "c"]} | columns, vertex="name")


def json_file(*owner: object) -> str:
    rows = {"vertices": 3, "successors": [[1], [2], [0]], "owner": owner}
    return json.dumps({"format": "retrosolve", "version": 1} | rows)


INPUTS: dict[str, Input] = {
    "three owners": lambda _: rs.Graph.from_edges(EDGES, owner={"a": 0, "b": 1, "c": 2}),
    "owners 1 and 2": lambda _: rs.Graph.from_edges(EDGES, owner={"a": 1, "b": 1, "c": 2}),
    "owner 3": lambda _: rs.Graph.from_edges(EDGES, owner={"a": 0, "b": 1, "c": 3}),
    "three owners of a network": lambda _: rs.Graph.from_networkx(network()),
    "three owners of a table": lambda _: table(owner=[0, 1, 2]),
    "owners 1 and 2 of a table, with weights": lambda _: rs.Graph.from_pandas(
        {"source": ["a", "b"], "target": ["b", "a"], "weight": [1, 1]},
        vertices={"name": ["a", "b"], "owner": [1, 2]}, vertex="name",
    ),
    "an unknown owner of a table": lambda _: table(owner=["0", "1", "dice"]),
    "three players of a table": lambda _: table(player=["Ann", "Bob", "Cy"]),
    "three owners of a vertex table": command(
        "solve", "g.csv", **{"g.csv": TABLE, "g.vertices.csv": "name,owner\na,0\nb,1\nc,2\n"}
    ),
    "an unknown owner of a vertex table": command(
        "solve", "g.csv", **{"g.csv": TABLE, "g.vertices.csv": "name,owner\na,0\nb,1\nc,dice\n"}
    ),
    "three owners in DOT": command("solve", "g.dot", **{"g.dot": DOT}),
    "owners 1 and 2 in JSON": command("solve", "g.json", **{"g.json": json_file(1, 2, 1)}),
    "an unknown owner in JSON": command("solve", "g.json", **{"g.json": json_file(0, "dice", 1)}),
}  # fmt: skip
