"""The table of odd texts, ``tests/data/odd_texts.json``: lists of edges, and the graph that each is.

A text that has no reading is refused by every reader. Those in ``refused_by`` refuse others: ``page`` is
the editor of graphs, ``disk`` are edges on disk, ``content`` is a file without a known ending.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

REFUSED = "refused"


class Reading(NamedTuple):
    """The graph that a text is: its vertices in order, and its edges between them, sorted."""

    vertices: list[Any]
    edges: list[tuple[Any, Any]]

    @classmethod
    def of(cls, vertices: list[Any], edges: Iterable[Iterable[int]]) -> Reading:
        """Return the reading with some edges between indices of vertices."""
        return cls(vertices, sorted((vertices[v], vertices[w]) for v, w in edges))

    def as_text(self) -> Reading:
        """Return the same with vertices as text."""
        vertices = [str(vertex) for vertex in self.vertices]
        return Reading(vertices, sorted((str(v), str(w)) for v, w in self.edges))

    def in_any_order(self) -> Reading:
        """Return the same with sorted vertices."""
        return self._replace(vertices=sorted(self.vertices))


class OddText(NamedTuple):
    """A text and its reading; None if it is refused."""

    what: str
    data: bytes
    options: dict[str, Any]
    reading: Reading | None
    on_disk: Reading | None
    refused_by: list[str]

    def by(self, reader: str) -> Reading | None:
        """Return the reading by one reader."""
        if reader in self.refused_by:
            return None
        return self.on_disk if reader == "disk" else self.reading


def _reading(found: Any) -> Reading | None:
    return None if found == REFUSED else Reading.of(found["vertices"], found["edges"])


ODD_TEXTS = [
    OddText(
        row["what"],
        row["text"].encode(row.get("encoding", "utf-8")),
        row.get("options", {}),
        _reading(row["reading"]),
        _reading(row.get("on_disk", row["reading"])),
        row.get("refused_by", []),
    )
    for row in json.loads((Path(__file__).parent.parent / "data" / "odd_texts.json").read_text("utf-8"))
]
