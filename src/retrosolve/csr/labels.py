"""Numbers for the names of vertices, in order of first appearance, edge by edge.

Many short names are numbered by ``kernels.labels``, others with a dictionary; the numbers are the same.
Names that are numbered already, as in a column of categories, are only put in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.kernels.labels import factorize_strings
from retrosolve.runtime import tuning


class Categories(NamedTuple):
    """A column of names: ``names[codes[i]]`` for each row i. Names may occur nowhere or twice."""

    codes: IntArray
    names: list[Any]


LIKE_A_NUMBER = re.compile(r"\s*[-+]?[0-9]+(\.0*)?\s*", re.ASCII)
Labels: TypeAlias = "Sequence[Any] | NDArray[Any] | Categories"


def is_text(data: Any) -> bool:
    """Return whether the vertices of edges are given as strings rather than numbers."""
    if isinstance(data, np.ndarray):
        return data.dtype.kind in "UT" or (data.dtype.kind == "O" and _first_is_text(data))
    return isinstance(data, Sequence) and not isinstance(data, str) and _first_is_text(data)


def is_name(name: Any) -> bool:
    """Return whether a label is text or a whole number."""
    return isinstance(name, str | int | np.integer) and not isinstance(name, bool)


def _first_is_text(data: Any) -> bool:
    """Return whether the first item is a string."""
    return len(data) > 0 and isinstance(data[0], str)


def length(data: Labels) -> int:
    """Return the number of rows of a column."""
    return len(data.codes if isinstance(data, Categories) else data)


def joined(first: Labels, second: Labels) -> Labels:
    """Return two columns as one, the rows of ``first`` above those of ``second``."""
    if isinstance(first, Categories) and isinstance(second, Categories):
        codes = np.concatenate([first.codes, second.codes + len(first.names)])
        return Categories(codes, first.names + second.names)
    return [*_names(first), *_names(second)]


def _names(data: Labels) -> list[Any]:
    """Return the name in each row of a column."""
    if isinstance(data, Categories):
        return [data.names[code] for code in data.codes.tolist()]
    return _listed(data)


def factorize(source: Labels, target: Labels) -> tuple[IntArray, IntArray, list[str]]:
    """Number the names of vertices in order of first appearance, edge by edge.

    Parameters
    ----------
    source, target : sequence or array of str, or Categories
        The edges. Whole numbers may be among the names, unless a name looks like a number.

    Returns
    -------
    source, target : integers [m]
        The same edges by number.
    names : list of str, or of str and int
        The names, in the order of their numbers.

    Raises
    ------
    GraphError
        If a name is anything else; the message names its place.
    """
    if isinstance(source, Categories) or isinstance(target, Categories):
        return _not_alike(*_in_order(_coded(source, "source"), _coded(target, "target")))
    if jit.pays(2 * tuning.current().work_per_label * len(source)):
        left, right = _in_columns(source), _in_columns(target)
        if left is not None and right is not None:
            return _hashed(left, right)
    edges = [*zip(_listed(source), _listed(target), strict=True)]
    number = _Numbers()
    names: Iterable[Any] = chain.from_iterable(edges)
    are_text = set(map(type, chain.from_iterable(edges))) <= {str}
    if not are_text:
        names = map(plain, _only_names(edges))
    ends = np.fromiter(map(number.__getitem__, names), np.int64, 2 * len(edges))
    found = ends[0::2], ends[1::2], list(number)
    return found if are_text else _not_alike(*found)


def plain(name: Any) -> str | int:
    """Return a name as a string or an integer of Python."""
    return str(name) if isinstance(name, str) else int(name)


def _not_alike(
    source: IntArray, target: IntArray, names: list[Any]
) -> tuple[IntArray, IntArray, list[Any]]:
    """Return numbered edges. Raises GraphError for text that looks like a number among numbers."""
    whole = next((name for name in names if not isinstance(name, str)), None)
    for number, name in enumerate(names if whole is not None else ()):
        if isinstance(name, str) and LIKE_A_NUMBER.fullmatch(name):
            side, ends = ("source", source) if (source == number).any() else ("target", target)
            place = f"{side}[{int(np.argmax(ends == number))}]"
            raise GraphError(
                f"{place} is {name!r} and another vertex is {whole!r}: expected numbers or text "
                "throughout, such as column.astype(str)"
            )
    return source, target, names


def _coded(data: Labels, what: str) -> Categories:
    """Return a column as categories. Raises GraphError for an entry that is no name."""
    if isinstance(data, Categories):
        return data
    number = _Numbers()
    names = _listed(data)
    for i, name in enumerate(names):
        if not is_name(name):
            raise GraphError(f"{what}[{i}] is {name!r}: expected a name, as the others are")
    names = list(map(plain, names))
    codes = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
    return Categories(codes, list(number))


def _in_order(source: Categories, target: Categories) -> tuple[IntArray, IntArray, list[str]]:
    """Number names that have codes in order of first appearance."""
    number = _Numbers()
    codes = np.empty(2 * len(source.codes), np.int64)
    for side, column in enumerate((source, target)):
        common = np.fromiter(map(number.__getitem__, column.names), np.int64, len(column.names))
        codes[side::2] = common[column.codes]
    first = np.full(len(number), len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several, the last is kept
    order = np.argsort(first, kind="stable")[: np.count_nonzero(first < len(codes))]
    rank = np.empty(len(number), np.int64)
    rank[order] = np.arange(len(order))
    names = list(number)
    ends = rank[codes]
    return ends[0::2], ends[1::2], [names[code] for code in order.tolist()]


class _Numbers(dict[Any, int]):
    """The number of each name, in order of first appearance."""

    def __missing__(self, name: Any) -> int:
        number = self[name] = len(self)
        return number


def _listed(data: Any) -> list[Any]:
    """Return a sequence or an array as a list."""
    return data.tolist() if isinstance(data, np.ndarray) else list(data)


def _only_names(edges: list[tuple[Any, Any]]) -> Iterator[Any]:
    """Yield the names of edges. Raises GraphError for anything else, with its place."""
    for i, edge in enumerate(edges):
        for side, name in enumerate(edge):
            if not is_name(name):
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
