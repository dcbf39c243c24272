"""Whole numbers as the labels of vertices.

Vertices 0..n-1 need no labels. Other numbers, such as ids from 1 or with gaps, are labels: only those
that occur are vertices, numbered in ascending order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype, read_only
from retrosolve.compilation import jit
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.csr.labels import mark

LIMIT = 2**63
IDS_PER_PASS = 1 << 16
IDS_PER_WORK = 8  # ids that numpy marks in the time that an edge takes elsewhere
MAX_SPREAD = 4  # ids are found with a byte for each possible one up to so many for each end of an edge


class SortedIds(Sequence[int]):
    """Ids in ascending order as the names of vertices: 8 bytes each, and no dictionary.

    Parameters
    ----------
    ids : int64 [vertices]
        Ascending and all different.

    Examples
    --------
    >>> ids = SortedIds(np.array([2, 5]))
    >>> ids[1], ids.numbers[5], ids == (2, 5)
    (5, 1, True)
    """

    def __init__(self, ids: NDArray[np.int64]) -> None:
        self.ids = ids

    @property
    def numbers(self) -> Mapping[Hashable, int]:
        """The vertex of each id."""
        return _Numbers(self)

    def vertices(self, ids: NDArray[Any]) -> NDArray[np.int64]:
        """Return the vertex of each of some ids, -1 where there is none, int64 [k]."""
        if ids.dtype.kind not in "iu" or not len(self.ids):
            numbers = self.numbers
            return np.array([numbers.get(i, -1) for i in ids.tolist()], np.int64)
        places = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[places] == ids, places, -1)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, vertex: Any) -> Any:
        found = self.ids[vertex].tolist()
        return tuple(found) if isinstance(vertex, slice) else found

    def __iter__(self) -> Iterator[int]:
        for start in range(0, len(self.ids), IDS_PER_PASS):
            yield from self.ids[start : start + IDS_PER_PASS].tolist()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SortedIds):
            return np.array_equal(self.ids, other.ids)
        return isinstance(other, tuple) and tuple(self) == other

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return repr(tuple(self))


class DistinctNames(list[Any]):
    """Names that are known to differ, so that nobody has to compare them again."""


class NameNumbers(Mapping[Hashable, int]):
    """The number of each of some different names, which is its place among them."""

    def __init__(self, names: Sequence[Hashable]) -> None:
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)


class NumbersOnDemand(NameNumbers):
    """The number of each name, in a dictionary that is made on first use."""

    @cached_property
    def dictionary(self) -> dict[Hashable, int]:
        """The dictionary."""
        return dict(zip(self.names, range(len(self.names)), strict=True))

    def __getitem__(self, name: Hashable) -> int:
        return self.dictionary[name]


class _Numbers(NameNumbers):
    """The vertex of each id, by binary search."""

    names: SortedIds

    def __getitem__(self, position: Hashable) -> int:
        ids = self.names.ids
        if isinstance(position, int | np.integer) and not isinstance(position, bool):
            vertex = int(np.searchsorted(ids, position))
            if vertex < len(ids) and ids[vertex] == position:
                return vertex
        raise KeyError(position)


def as_labels(names: Sequence[Hashable]) -> NDArray[Any]:
    """Return names as int64 [n] if all are whole numbers of 64 bits, otherwise as text, object [n]."""
    if isinstance(names, SortedIds):
        return names.ids
    if names and all(type(name) is int and -LIMIT <= name < LIMIT for name in names):
        return np.array(names, np.int64)
    found = np.empty(len(names), object)
    found[:] = list(map(str, names))
    return found


class NumberedEdges(NamedTuple):
    """Edges between vertices ``0..num_vertices-1``, and the names of these.

    Parameters
    ----------
    source, target : integers [m]
    num_vertices : int
    names : sequence of hashable [num_vertices] or None
        None if the names are the numbers.
    """

    source: IntArray
    target: IntArray
    num_vertices: int
    names: Sequence[Hashable] | None


def number_ids(source: IntArray, target: IntArray, limit: int, more: IntArray) -> NumberedEdges:
    """Number the ids at the ends of edges, unless none is missing between 0 and the largest.

    Parameters
    ----------
    source, target : int32 or int64 [m]
        The edges, all ids 0 or more.
    limit : int
        The largest id plus 1.
    more : int64 [k]
        The ids of vertices that may be isolated.

    Returns
    -------
    NumberedEdges
        The edges as they are if no id is missing.

    Notes
    -----
    O(m) time if ids are dense, otherwise O(m log m).
    """
    if limit <= MAX_SPREAD * (2 * len(source) + len(more)):
        return _close_gaps(source, target, limit, more)
    columns = (source, target, more)
    ids = np.unique(np.concatenate([column.astype(np.int64, copy=False) for column in columns]))
    left, right = np.searchsorted(ids, source), np.searchsorted(ids, target)
    return NumberedEdges(left, right, len(ids), SortedIds(ids))


def _close_gaps(source: IntArray, target: IntArray, limit: int, more: IntArray) -> NumberedEdges:
    """Number the ids as :func:`number_ids` does, with a byte for each possible one."""
    occurs = np.zeros(limit, np.bool_)
    for column in (more, target, source):
        _mark(column, occurs)
        if occurs.all():
            return NumberedEdges(source, target, limit, None)
    number: IntArray = np.cumsum(occurs, dtype=index_dtype(limit))
    number -= 1
    ids = SortedIds(np.flatnonzero(occurs).astype(np.int64, copy=False))
    left, right = number.take(source), number.take(target)  # faster than by index
    return NumberedEdges(left, right, len(ids), ids)


def _mark(ids: IntArray, occurs: NDArray[np.bool_]) -> None:
    """Set ``occurs`` at each id."""
    if jit.pays(len(ids) // IDS_PER_WORK):
        with ThreadPool(None, len(ids)) as pool:
            kernel, seen = jit.compiled(mark), read_only(ids)
            pool.map_ranges(
                lambda start, stop: kernel(seen, start, stop, occurs), pool.chunks(len(ids))
            )
        return
    for start in range(0, len(ids), IDS_PER_PASS):
        occurs[ids[start : start + IDS_PER_PASS]] = True
