"""Solutions as a DataFrame of pandas or Polars, a table of Arrow and a graph of NetworkX."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from retrosolve.frames.outcomes import VALUE_LABELS, Column, Words, outcome_columns
from retrosolve.runtime import memory
from retrosolve.runtime.files import import_library
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK
from retrosolve.spaces.preference import best_successors
from retrosolve.tables import Table
from retrosolve.values import INVALID, Value

NULLABLE = ("remoteness", "best")
BYTES_PER_NODE = 1000
BYTES_PER_EDGE = 400


def to_pandas(space: StateSpace, table: Table) -> Any:
    """Return a DataFrame; see :meth:`retrosolve.Solution.to_pandas`."""
    pandas = import_library("pandas", "to_pandas()", "frames")
    frame: dict[str, Any] = {}
    for name, column in outcome_columns(space, table).items():
        if isinstance(column, Words):
            frame[name] = pandas.Categorical.from_codes(column.codes, categories=list(column.words))
        elif column.labels.dtype == object or name not in NULLABLE:
            frame[name] = column.labels
        else:
            frame[name] = pandas.arrays.IntegerArray(column.labels, column.missing)
    return pandas.DataFrame(frame)


def to_arrow(space: StateSpace, table: Table) -> Any:
    """Return a table of Arrow with the columns of :func:`to_pandas`."""
    pa = import_library("pyarrow", "a table of Arrow", "frames")
    return arrow_table(pa, outcome_columns(space, table))


def to_polars(space: StateSpace, table: Table) -> Any:
    """Return a DataFrame of Polars with the columns of :func:`to_pandas`."""
    polars = import_library("polars", "to_polars()", None)
    return polars.from_arrow(to_arrow(space, table))


def arrow_table(pa: Any, columns: Mapping[str, Column]) -> Any:
    """Return columns as a table of Arrow; ``pa`` is pyarrow."""
    arrays: dict[str, Any] = {}
    for name, column in columns.items():
        if isinstance(column, Words):
            arrays[name] = pa.DictionaryArray.from_arrays(
                pa.array(column.codes), pa.array(column.words)
            )
        else:
            kind = pa.large_string() if column.labels.dtype == object else None
            arrays[name] = pa.array(column.labels, kind, mask=column.missing)
    return pa.table(arrays)


def to_networkx(space: StateSpace, table: Table, stuck: Value, start: Hashable | None) -> Any:
    """Return a directed graph; see :meth:`retrosolve.Solution.to_networkx`."""
    networkx = import_library("networkx", "to_networkx()", "frames")
    size = BYTES_PER_NODE * space.num_vertices + BYTES_PER_EDGE * space.num_edges
    memory.check_budget(size, "a graph of NetworkX")
    network = networkx.DiGraph(stuck=stuck.label)
    for first in range(0, space.num_vertices, VERTICES_PER_BLOCK):
        _add_nodes(network, space, table, first, min(first + VERTICES_PER_BLOCK, space.num_vertices))
    for first in range(0, space.num_vertices, VERTICES_PER_BLOCK):
        _add_edges(network, space, table, first, min(first + VERTICES_PER_BLOCK, space.num_vertices))
    if start is not None:
        network.nodes[space.position(space.index(start))]["start"] = 1
    return network


def _add_nodes(network: Any, space: StateSpace, table: Table, start: int, stop: int) -> None:
    """Add the positions of a block with their attributes."""
    values = table.values(slice(start, stop))
    vertices = start + np.flatnonzero(values != INVALID)
    terminal = space.terminal(start, stop)
    movers = space.player(vertices)
    plies = table.remoteness(vertices).tolist() if table.has_remoteness else [-1] * len(vertices)
    for i, v in enumerate(vertices.tolist()):
        attributes: dict[str, Any] = {"value": VALUE_LABELS[values[v - start]]}
        if plies[i] >= 0:
            attributes["remoteness"] = plies[i]
        if movers is not None:
            attributes["owner"] = int(movers[i])
        if terminal[v - start]:
            attributes["terminal"] = VALUE_LABELS[terminal[v - start]]
        network.add_node(space.position(v), **attributes)


def _add_edges(network: Any, space: StateSpace, table: Table, start: int, stop: int) -> None:
    """Add the moves from the positions of a block, best moves marked."""
    valid = table.values(slice(start, stop)) != INVALID
    best = best_successors(space, table, start, stop)
    indptr, indices = space.successors(start, stop)
    row = np.repeat(np.arange(stop - start), np.diff(indptr))
    keep = valid[row]
    row, target = row[keep], indices[keep]
    names = space.move_labels(start + row, target).tolist()
    for v, w, name in zip(row.tolist(), target.tolist(), names, strict=True):
        network.add_edge(
            space.position(start + v), space.position(w), name=name, best=bool(best[v] == w)
        )
