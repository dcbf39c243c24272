"""Writing edge lists, ``.csv`` and ``.tsv``, with a vertex table where edges do not say everything."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Sequence
from typing import IO, Literal

import numpy as np

from retrosolve.errors import FormatError
from retrosolve.formats import vertex_table
from retrosolve.formats.attributes import attributes_of
from retrosolve.formats.edge_list import SIGNED
from retrosolve.formats.graphfile import GraphFile, OutputFile, text_names
from retrosolve.formats.vertex_table import MAX_DIGITS
from retrosolve.runtime.files import Utf8, short_repr
from retrosolve.spaces.graph import Graph


def write(graph_file: GraphFile, delimiter: str = ",") -> list[OutputFile]:
    """Return the files to write: the vertex table, if it is needed, and the edge list."""
    graph = graph_file.graph
    names = text_names(graph)
    ids = _as_ids(graph.names)
    for name in names or ():
        if "\0" in name or len(name) > csv.field_size_limit():
            raise FormatError(
                f"delimited text cannot hold the name {short_repr(name)}: "
                f"expected no NUL and at most {csv.field_size_limit()} characters"
            )
    quoting = _quoting(names)

    def write_edges(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n", quoting=quoting)
        out.writerow(("source", "target"))
        for v in range(graph.num_vertices):
            row = graph.neighbors(v).tolist()
            if names is None:
                out.writerows((v, w) for w in row)
            else:
                out.writerows((names[v], names[w]) for w in row)

    def table(file: IO[bytes]) -> None:
        out = csv.writer(Utf8(file), delimiter=delimiter, lineterminator="\n", quoting=quoting)
        out.writerows(vertex_table.table_rows(graph_file, names, ids))

    needed = bool(attributes_of(graph_file)) or not _edges_suffice(graph, names, ids)
    return [OutputFile(table, ".vertices", needed=needed), OutputFile(write_edges)]


def _quoting(names: list[str] | None) -> Literal[0, 1]:
    """Return the quoting style; the csv module would leave a carriage return unquoted."""
    returns = names is not None and any("\r" in name for name in names)
    return csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL


def _as_ids(names: Sequence[Hashable] | None) -> bool:
    """Return whether vertices would be read as ids: numbers, and names that are ascending numbers."""
    if names is None:
        return True
    if not all(type(name) is int and 0 <= name < 10**MAX_DIGITS for name in names):
        return False
    ids = np.array(list(names), np.int64)
    return bool((ids[1:] > ids[:-1]).all()) and len(ids) > 0 and int(ids[-1]) >= len(ids)


def _edges_suffice(graph: Graph, names: list[str] | None, ids: bool) -> bool:
    """Return whether the edge list alone would be read as this graph."""
    n = graph.num_vertices
    if ids:
        occurs = graph.out_degrees() > 0
        occurs[graph.indices] = True
        return bool(occurs.all())
    assert names is not None
    if not n or all(SIGNED.fullmatch(name) for name in names):
        return False
    if any(name != name.strip() or not name for name in names):
        return False
    appeared: dict[int, None] = {}
    for v in range(n):
        for w in graph.neighbors(v).tolist():
            appeared[v] = appeared[w] = None
    return list(appeared) == list(range(n))
