"""The table of foreign files, ``tests/data/foreign_files.json``: files of all formats, and what is read.

The name of a file says its format; one without an ending is known by its content. ``table`` is a file of
vertices beside it. What is refused, or read with a note, says the sentences in ``messages.txt``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from retrosolve.formats import read_graph_file, read_pgsolver_solution
from retrosolve.formats.graphfile import GraphFile
from retrosolve.values import Value

WORDS = {0: None} | {int(value): value.label for value in Value if value}
DATA = Path(__file__).parent.parent / "data" / "foreign_files.json"


class ForeignFile(NamedTuple):
    """A file and what is read: see :func:`described`; a board; winners; or that it is refused."""

    what: str
    name: str
    text: str
    read: Any
    table: str | None = None
    options: dict[str, Any] = {}  # noqa: RUF012
    encoding: str = "utf-8"

    def put(self, folder: Path) -> Path:
        """Write the file, and the one beside it."""
        path = folder / self.name
        path.write_bytes(self.text.encode(self.encoding))
        if self.table is not None:
            path.with_name(f"{path.stem}.vertices{path.suffix}").write_text(self.table, newline="")
        return path

    def meet(self, folder: Path) -> GraphFile | dict[int, Any]:
        """Read the file."""
        path = self.put(folder)
        if self.name.endswith(".sol") and self.read != "no graph":
            return read_pgsolver_solution(path)
        return read_graph_file(path, **self.options)


def described(file: GraphFile | dict[int, Any]) -> dict[str, Any]:
    """Return what a file holds: vertices, their successors in order, and all else that is there."""
    if isinstance(file, dict):
        return {"winners": [[vertex, *answer] for vertex, answer in file.items()]}
    graph = file.graph
    positions = [graph.position(v) for v in range(graph.num_vertices)]
    found = {
        "vertices": graph.num_vertices if graph.names is None else positions,
        "successors": [graph.neighbors(v).tolist() for v in range(graph.num_vertices)],
        **{name: entry for name, entry in file.entries().items() if entry is not None},
    }
    for name in ("terminal", "value"):
        if name in found:
            words = WORDS | ({0: Value.DRAW.label} if name == "value" else {})
            found[name] = [words[code] for code in found[name].tolist()]
    if file.players is not None:
        found["players"] = list(file.players)
    if file.notes:
        found["notes"] = len(file.notes)
    return {name: x.tolist() if isinstance(x, np.ndarray) else x for name, x in found.items()}


FOREIGN_FILES = [ForeignFile(**row) for row in json.loads(DATA.read_text("utf-8"))]
