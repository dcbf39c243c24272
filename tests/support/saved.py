"""What the tests of saved solutions share: a saved solution of each kind of space and table."""

from __future__ import annotations

from pathlib import Path

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime.sources import load_module
from retrosolve.store import directory
from retrosolve.tables import PackedTable

COMPILED = """
import retrosolve as rs


class Heap(rs.CompiledGame):
    max_moves = 2

    def __init__(self, n=10):
        self.n = n

    def start(self):
        return self.n

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)
"""

FILES = {
    "graph": ("names.json", "indptr.npy", "indices.npy", "owner.npy", "terminal.npy", "value.npy",
              "remoteness.npy"),
    "explored": ("positions.npy", "words.npy"),
    "board": ("planes.npy", "place.npy"),
}  # fmt: skip
"""The files of each kind, besides the manifest."""

ALL_FILES = sorted(name for names in FILES.values() for name in names)
assert {*ALL_FILES, directory.MANIFEST} == directory.FILES


def kind_with(name: str) -> str:
    """The kind of saved solution that has a file of this name; a graph for the manifest."""
    return next((kind for kind, names in FILES.items() if name in names), "graph")


def solved(kind: str, folder: Path) -> rs.Solution:
    """A solution of a kind; rules are written to the folder."""
    if kind == "graph":
        edges = [0, 1, 1, 2], [1, 0, 2, 3]
        names = ["a", "b", "c", "d", "e"]
        return rs.solve(rs.Graph.from_edges(*edges, 5, [0, 1, 0, 1, 0], {"e": "tie"}, names=names))
    if kind == "board":
        return rs.solve(parse_game("police"), remoteness=False)
    rules = folder / "heap.py"
    rules.write_text(COMPILED)
    solution = rs.solve(load_module(rules).Heap())
    return rs.Solution(solution.space, PackedTable(solution.table.packed()), solver=solution.solver)


def saved(kind: str, folder: Path) -> Path:
    """The path of a saved solution of a kind."""
    solved(kind, folder).save(folder / "s")
    return folder / "s"
