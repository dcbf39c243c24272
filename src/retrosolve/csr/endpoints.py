"""The ends of edges, in any form, as vertex numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from retrosolve.arrays import IntArray
from retrosolve.csr import columns, ids, labels, validation
from retrosolve.errors import GraphError


class NumberedEdges(NamedTuple):
    """Edges between vertices ``0..num_vertices-1``, and the names of these.

    Parameters
    ----------
    source, target : integers [m]
    num_vertices : int
    names : sequence of hashable [num_vertices] or None
    declared : int64 [k] or None
        None if all vertices are known to exist. Otherwise a vertex exists if it is the end of an
        edge or in this array.
    """

    source: IntArray
    target: IntArray
    num_vertices: int
    names: Sequence[Hashable] | None
    declared: IntArray | None = None


def number_edges(
    source: Any,
    target: Any,
    vertices: int | None,
    owner: Any,
    terminal: Any,
    names: Iterable[Hashable] | None,
) -> NumberedEdges:
    """Return the edges that the arguments of ``Graph.from_edges`` stand for.

    Raises
    ------
    GraphError
        For invalid arguments; the message names the first wrong entry.
    """
    if target is None:
        source, target = columns.split_pairs(source)
    source, target = columns.column(source, "source"), columns.column(target, "target")
    are_ids = columns.is_numeric(source) and columns.is_numeric(target)
    count = len if are_ids else labels.length
    lengths = count(source), count(target)
    if lengths[0] != lengths[1]:
        raise GraphError(f"source has {lengths[0]} edges and target {lengths[1]}: expected as many")
    if not are_ids:
        if names is not None or vertices is not None:
            raise GraphError("edges between names take neither names= nor vertices=")
        source, target, found = labels.factorize(source, target)
        return NumberedEdges(source, target, len(found), found)
    if names is not None and not isinstance(names, ids.SortedIds):
        names = tuple(names)
    n = validation.vertex_count(vertices, owner, terminal, names)
    if n is None:
        declared = validation.mapped_ids(owner, terminal)
        top = max(
            validation.largest(source, "source"),
            validation.largest(target, "target"),
            int(declared.max(initial=-1)),
        )
        numbered = ids.number_sparse(source, target, top + 1, declared)
        return NumberedEdges(*numbered, None if numbered.ids else declared)
    validation.check_range(source, "source", n)
    validation.check_range(target, "target", n)
    return NumberedEdges(source, target, n, names)
