"""Names that may be a slip, and those that are missing."""

import networkx as nx

import retrosolve as rs
from tests.bad_input import Input, command, notes

INPUTS: dict[str, Input] = {
    "NaN in a dictionary": lambda folder: rs.Graph.from_dict({"a": [float("nan")]}),
    "NaN in a network": lambda folder: rs.Graph.from_networkx(nx.DiGraph([("a", float("nan"))])),
    "NaN as text in a file": command("stats", "g.csv", **{"g.csv": "a,b\nb,NaN\nNaN,c\n"}),
    "names that differ by normal form in a file": command(
        "stats", "g.csv", **{"g.csv": "\u00e9,b\nb,e\u0301\n"}
    ),
    "names that differ by blanks in lists": notes(
        lambda folder: rs.Graph.from_edges(["a ", "b"], ["b", "a"])
    ),
    "edges that leave out numbers": notes(lambda folder: rs.Graph.from_edges([1, 2], [2, 5])),
}
