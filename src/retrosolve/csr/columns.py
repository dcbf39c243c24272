"""Columns of vertices in any form: lists, arrays, and columns of pandas, Polars and Arrow.

None of those libraries is imported, except pyarrow for a column that is Arrow's anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.csr import validation
from retrosolve.csr.labels import Categories, Labels, is_name, is_text, plain
from retrosolve.errors import GraphError

Column: TypeAlias = "IntArray | Labels"

EXPECTED = "expected a whole number or a name"


def is_numeric(column: Column) -> bool:
    """Return whether a column holds ids rather than labels."""
    return isinstance(column, np.ndarray) and column.dtype.kind in "iu"


def split_pairs(pairs: Any) -> tuple[Any, Any]:
    """Return the first and the second entries of pairs.

    Parameters
    ----------
    pairs : array [m, 2] or iterable of pairs

    Raises
    ------
    GraphError
        If an entry is no pair; the message names its place.
    """
    if isinstance(pairs, np.ndarray):
        if pairs.ndim == 2 and (pairs.shape[1] == 2 or not len(pairs)):
            return (pairs[:, 0], pairs[:, 1]) if len(pairs) else ([], [])
        if pairs.size:
            raise GraphError(f"the edges are an array of shape {pairs.shape}: expected [edges, 2]")
    if isinstance(pairs, str | bytes | Mapping) or not isinstance(pairs, Iterable):
        raise GraphError(
            f"the edges are {type(pairs).__name__}: expected source and target, pairs of vertices, "
            "or Graph.from_dict"
        )
    if hasattr(pairs, "columns"):
        raise GraphError(
            "the edges are a table: expected two of its columns, or Graph.from_pandas(table, ...)"
        )
    listed = list(pairs)
    for i, pair in enumerate(listed):
        if not isinstance(pair, Sequence | np.ndarray) or isinstance(pair, str) or len(pair) != 2:
            raise GraphError(f"edge {i} is {pair!r}: expected a pair of vertices")
    return [a for a, _ in listed], [b for _, b in listed]


def column(data: Any, what: str) -> Column:
    """Return the sources or the targets of edges as an array of ids, or as labels.

    Parameters
    ----------
    data : array_like
        Whole numbers or text.
    what : str
        The name of the column in error messages.

    Raises
    ------
    GraphError
        For anything else, and where an entry is missing; the message names the place.
    """
    if type(data) is np.ndarray and data.dtype.kind in "iu":  # at once: small graphs are built so
        return validation.integer_array(data, what, negative=True)
    if isinstance(data, Categories):
        return data
    if isinstance(data, np.ndarray | list | tuple | range):
        return _plain(data, what)
    if hasattr(data, "factorize") and hasattr(data, "isna"):
        return _pandas(data, what)
    if hasattr(data, "to_arrow") and find_spec("pyarrow"):
        data = data.to_arrow()
    if hasattr(data, "dictionary_encode") and hasattr(data, "null_count"):
        return _arrow(data, what)
    if hasattr(data, "to_list"):
        return _plain(data.to_list(), what)
    if isinstance(data, Iterable) and not isinstance(data, Sequence | Mapping):
        data = data if hasattr(data, "__array__") else list(data)
    return _plain(data, what)


def _plain(data: Any, what: str) -> Column:
    """Return a list or an array as a column."""
    if isinstance(data, np.ndarray) and data.dtype.kind == "O":
        data = data.tolist()
    if is_text(data):
        labels: Labels = data
        return labels
    array = validation.as_array(data, what)
    if len(array) == 0 or array.dtype.kind in "iu":
        return validation.integer_array(array, what, negative=True)
    items = data if isinstance(data, Sequence) else ()
    if any(isinstance(item, str) for item in items):
        for i, item in enumerate(items):
            if not is_name(item):
                raise _unexpected(what, i, item)
        return list(items)
    for i, item in enumerate(items):
        if is_missing(item):
            raise _unexpected(what, i, item)
    fix = ", such as column.astype('int64')" if array.dtype.kind == "f" else ""
    raise GraphError(f"{what} has dtype {array.dtype}: expected integers or names{fix}")


def is_missing(item: Any) -> bool:
    """Return whether an entry is None, NaN or a missing value of pandas."""
    nan = isinstance(item, float) and item != item  # noqa: PLR0124  # only NaN differs from itself
    return item is None or nan or type(item).__name__ in ("NAType", "NaTType")


def _unexpected(what: str, place: int, item: Any) -> GraphError:
    """Return the error for one entry."""
    found = "missing" if is_missing(item) else repr(item)
    return GraphError(f"{what}[{place}] is {found}: {EXPECTED}, as the others are")


def _pandas(data: Any, what: str) -> Column:
    """Return a Series or an Index of pandas as a column."""
    missing = np.asarray(data.isna())
    if missing.any():
        raise _unexpected(what, int(missing.argmax()), None)
    if data.dtype.kind in "iufb":
        return _plain(data.to_numpy(), what)
    codes, categories = data.factorize()
    return _categories(np.asarray(codes), list(categories), what)


def _arrow(data: Any, what: str) -> Column:
    """Return an array of Arrow, in one piece or several, as a column."""
    import pyarrow as pa

    if data.null_count:
        missing = np.asarray(data.is_null().to_numpy(zero_copy_only=False))
        raise _unexpected(what, int(missing.argmax()), None)
    if pa.types.is_integer(data.type):
        return _plain(np.asarray(data), what)
    try:
        encoded = data.dictionary_encode()
    except pa.ArrowException:
        raise GraphError(f"{what} has type {data.type}: expected integers or names") from None
    in_pieces = isinstance(encoded, pa.ChunkedArray)
    chunks = encoded.unify_dictionaries().chunks if in_pieces else [encoded]
    if not chunks:
        return np.zeros(0, np.int32)
    codes = np.concatenate([np.asarray(chunk.indices) for chunk in chunks])
    return _categories(codes, chunks[0].dictionary.to_pylist(), what)


def _categories(codes: IntArray, categories: list[Any], what: str) -> Column:
    """Return a column of categories, whole numbers or text; categories may occur nowhere."""
    occurring = np.zeros(len(categories), bool)
    occurring[codes] = True
    names = [categories[code] for code in np.flatnonzero(occurring).tolist()]
    kinds = set(map(type, names))
    if kinds <= {str}:
        return Categories(codes, categories)
    if all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        ids = np.zeros(len(categories), np.int64)
        ids[occurring] = names
        return ids[codes]
    if all(map(is_name, names)):
        return Categories(codes, [plain(name) if is_name(name) else name for name in categories])
    first = next((i for i, code in enumerate(codes.tolist()) if not is_name(categories[code])))
    raise _unexpected(what, first, categories[codes[first]])
