"""Numbers for the names of vertices, in order of first appearance, edge by edge.

Many short names are numbered by ``kernels.labels``, others with a dictionary; the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels.labels import factorize_strings
from retrosolve.runtime import tuning


def is_text(data: Any) -> bool:
    """Return whether the vertices of edges are given as strings rather than numbers."""
    if isinstance(data, np.ndarray):
        return data.dtype.kind in "UT" or (data.dtype.kind == "O" and _first_is_text(data))
    return isinstance(data, Sequence) and not isinstance(data, str) and _first_is_text(data)


def _first_is_text(data: Any) -> bool:
    """Return whether the first item is a string."""
    return len(data) > 0 and isinstance(data[0], str)


def factorize(source: Any, target: Any) -> tuple[IntArray, IntArray, list[str]]:
    """Number the names of vertices in order of first appearance, edge by edge.

    Parameters
    ----------
    source, target : sequence or array of str
        The edges.

    Returns
    -------
    source, target : integers [m]
        The same edges by number.
    names : list of str
        The names, in the order of their numbers.

    Raises
    ------
    GraphError
        If a name is not a string; the message names its place.
    """
    if len(source) != len(target):
        raise GraphError(f"source has {len(source)} edges and target {len(target)}: expected as many")
    if jit.pays(2 * tuning.current().work_per_label * len(source)):
        left, right = _in_columns(source), _in_columns(target)
        if left is not None and right is not None:
            return _hashed(left, right)
    edges = [*zip(_listed(source), _listed(target), strict=True)]
    number = _Numbers()
    names: Iterable[str] = chain.from_iterable(edges)
    if not set(map(type, chain.from_iterable(edges))) <= {str}:
        names = map(str, _only_names(edges))
    ends = np.fromiter(map(number.__getitem__, names), np.int64, 2 * len(edges))
    return ends[0::2], ends[1::2], list(number)


class _Numbers(dict[str, int]):
    """The number of each name, in order of first appearance."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


def _listed(data: Any) -> list[Any]:
    """Return a sequence or an array as a list."""
    return data.tolist() if isinstance(data, np.ndarray) else list(data)


def _only_names(edges: list[tuple[Any, Any]]) -> Iterator[str]:
    """Yield the names of edges. Raises GraphError for anything else, with its place."""
    for i, edge in enumerate(edges):
        for side, name in enumerate(edge):
            if not isinstance(name, str):
                where = ("source", "target")[side]
                raise GraphError(f"{where}[{i}] is {name!r}: expected a name, as the others are")
            yield name


def _in_columns(data: Any) -> NDArray[np.str_] | None:
    """Return names as an array of fixed width; None if that would change them or take much memory."""
    longest = tuning.current().max_label_length
    if isinstance(data, np.ndarray) and data.dtype.kind == "U" and data.ndim == 1:
        return data if data.dtype.itemsize <= 4 * longest else None
    names = _listed(data)
    if not set(map(type, names)) <= {str} or max(map(len, names), default=0) > longest:
        return None
    if "\0" in "".join(names):  # which numpy would drop at the end
        return None
    return np.array(names, np.str_)


def _hashed(source: NDArray[np.str_], target: NDArray[np.str_]) -> tuple[IntArray, IntArray, list[str]]:
    """Number names given as arrays of fixed width."""
    width = max(source.dtype.itemsize, target.dtype.itemsize) // 4
    names = np.empty(2 * len(source), f"=U{width}")
    names[0::2], names[1::2] = source, target
    numbers, firsts = np.empty((2, len(names)), index_dtype(len(names)))
    points = names.view(np.uint32).reshape(len(names), width)
    known = jit.compiled(factorize_strings)(points, numbers, firsts)
    source_numbers, target_numbers = numbers.reshape(-1, 2).T.copy()
    return source_numbers, target_numbers, names[firsts[:known]].tolist()
