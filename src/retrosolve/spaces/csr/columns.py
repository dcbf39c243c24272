"""Edges in any form as vertex numbers: lists, arrays, and columns of pandas, Polars and Arrow.

None of those libraries is imported, except pyarrow for a column that is Arrow's anyway. Names are
numbered in order of first appearance, edge by edge: many short ones by ``csr.labels``, others with
a dictionary. Names that are numbered already, as in a column of categories, are only put in order.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.runtime import tuning
from retrosolve.spaces.csr import ids, validation
from retrosolve.spaces.csr.labels import factorize_strings

INT64_LIMIT = 2**63
EXPECTED = "expected a whole number or a name"
LIKE_A_NUMBER = re.compile(r"\s*[-+]?[0-9]+(\.0*)?\s*", re.ASCII)


class Categories(NamedTuple):
    """A column of names: ``names[codes[i]]`` for each row i. Names may occur nowhere or twice."""

    codes: IntArray
    names: list[Any]


class Text(NamedTuple):
    """A column of text as an array of Arrow, large_string [k], no entry missing."""

    array: Any


Labels: TypeAlias = "Sequence[Any] | NDArray[Any] | Categories | Text"
Column: TypeAlias = "IntArray | Labels"


@runtime_checkable
class PandasColumn(Protocol):
    """A Series or an Index of pandas, as far as it is used."""

    dtype: Any

    def isna(self) -> Any:
        """Return where entries are missing."""

    def to_numpy(self) -> Any:
        """Return the entries as an array."""

    def factorize(self) -> Any:
        """Return codes and categories."""


@runtime_checkable
class ArrowColumn(Protocol):
    """An array of Arrow in one piece or several, as far as it is used."""

    null_count: int
    type: Any

    def is_null(self) -> Any:
        """Return where entries are missing."""

    def dictionary_encode(self) -> Any:
        """Return codes and categories."""

    def cast(self, target_type: Any) -> Any:
        """Return the entries as another type."""


def number_edges(
    source: Any,
    target: Any,
    vertices: int | None,
    owner: Any,
    terminal: Any,
    names: Iterable[Hashable] | None,
    payoff: Any = None,
) -> ids.NumberedEdges:
    """Return the edges that the arguments of ``Graph.from_edges`` stand for.

    Raises
    ------
    GraphError
        For invalid arguments; the message names the first wrong entry.
    """
    if target is None:
        source, target = split_pairs(source)
    source, target = column(source, "source"), column(target, "target")
    are_ids = is_numeric(source) and is_numeric(target)
    count = len if are_ids else length
    lengths = count(source), count(target)
    if lengths[0] != lengths[1]:
        raise GraphError(f"source has {lengths[0]} edges and target {lengths[1]}: expected as many")
    if not are_ids:
        if names is not None or vertices is not None:
            raise GraphError("edges between names take neither names= nor vertices=")
        source, target, found = factorize(source, target)
        return ids.NumberedEdges(source, target, len(found), found)
    if names is not None and not isinstance(names, ids.SortedIds | ids.DistinctNames):
        names = tuple(names)
    n = validation.vertex_count(vertices, (owner, terminal, payoff), names)
    if n is None:
        declared = validation.mapped_ids(owner, terminal, payoff)
        top = max(
            validation.largest(source, "source"),
            validation.largest(target, "target"),
            int(declared.max(initial=-1)),
        )
        return ids.number_ids(source, target, top + 1, declared)
    lengths_of = {"names": names, "owner": owner, "terminal": terminal, "payoff": payoff}
    declaring = (
        what
        for what, data in lengths_of.items()
        if vertices is None and data is not None and not isinstance(data, Mapping)
    )
    counted = next(declaring, None)
    validation.check_range(source, "source", n, counted)
    validation.check_range(target, "target", n, counted)
    return ids.NumberedEdges(source, target, n, names)


# -- columns of any library --------------------------------------------------------------------------


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


def column(data: object, what: str) -> Column:
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
    if isinstance(data, Categories | Text):
        return data
    if isinstance(data, np.ndarray | list | tuple | range):
        return _plain(data, what)
    if isinstance(data, PandasColumn):
        return _pandas(data, what)
    if hasattr(data, "to_arrow") and find_spec("pyarrow"):
        with contextlib.suppress(ValueError):  # a type that Arrow does not have, such as Int128
            data = data.to_arrow()
    if isinstance(data, ArrowColumn):
        return _arrow(data, what)
    if hasattr(data, "to_list"):
        return _plain(data.to_list(), what)
    if isinstance(data, Iterable) and not isinstance(data, Sequence | Mapping):
        data = data if hasattr(data, "__array__") else list(data)
    return _plain(data, what)


def _plain(data: object, what: str) -> Column:
    """Return a list or an array as a column."""
    if isinstance(data, np.ma.MaskedArray) or (isinstance(data, np.ndarray) and data.dtype.kind == "O"):
        data = data.tolist()  # None where the mask is set
    if is_text(data):
        return data
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
        if validation.is_missing(item):
            raise _unexpected(what, i, item)
    fix = ", such as column.astype('int64')" if array.dtype.kind == "f" else ""
    raise GraphError(f"{what} has dtype {array.dtype}: expected integers or names{fix}")


def cells(column: Iterable[Any]) -> list[Any]:
    """Return a column of any library as a list."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _unexpected(what: str, place: int, item: Any) -> GraphError:
    """Return the error for one entry."""
    found = "missing" if validation.is_missing(item) else repr(item)
    return GraphError(f"{what}[{place}] is {found}: {EXPECTED}, as the others are")


def _pandas(data: PandasColumn, what: str) -> Column:
    """Return a Series or an Index of pandas as a column."""
    text = _as_text(data)
    if text is not None and not text.array.null_count:  # looking for missing objects takes as long
        return text
    levels = getattr(data, "nlevels", 1)
    if levels > 1:
        raise GraphError(f"{what} has {levels} levels: expected an index of one level, or a column")
    missing = np.asarray(data.isna())
    if missing.any():
        raise _unexpected(what, int(missing.argmax()), None)
    if data.dtype.kind in "iufb":
        return _plain(data.to_numpy(), what)
    codes, categories = data.factorize()
    return _categories(np.asarray(codes), list(categories), what)


def _as_text(data: PandasColumn) -> Text | None:
    """Return a Series of text as an array of Arrow, if pandas has loaded that; None for others."""
    arrow, pandas = sys.modules.get("pyarrow"), sys.modules.get("pandas")
    if arrow is None or pandas is None or data.dtype.kind != "O" or hasattr(data.dtype, "categories"):
        return None
    if pandas.api.types.infer_dtype(data, skipna=False) != "string":
        return None
    try:
        array = arrow.array(data, arrow.large_string(), from_pandas=True)
    except (arrow.ArrowException, UnicodeError):  # half of a surrogate pair, for instance
        return None
    return Text(array.combine_chunks() if isinstance(array, arrow.ChunkedArray) else array)


def _arrow(data: ArrowColumn, what: str) -> Column:
    """Return an array of Arrow, in one piece or several, as a column."""
    import pyarrow as pa

    if data.null_count:
        missing = np.asarray(data.is_null().to_numpy(zero_copy_only=False))
        raise _unexpected(what, int(missing.argmax()), None)
    if pa.types.is_integer(data.type):
        return _plain(np.asarray(data), what)
    if "string" in str(data.type) and not pa.types.is_dictionary(data.type):
        text = data.cast(pa.large_string())
        return Text(text.combine_chunks() if isinstance(text, pa.ChunkedArray) else text)
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
        large = next((name for name in names if not -INT64_LIMIT <= name < INT64_LIMIT), None)
        if large is not None:
            first = int(np.argmax(codes == categories.index(large)))
            raise GraphError(f"{what}[{first}] is {large}: expected at most {INT64_LIMIT - 1}")
        ids = np.zeros(len(categories), np.int64)
        ids[occurring] = names
        return ids[codes]
    if all(map(is_name, names)):
        return Categories(codes, [plain(name) if is_name(name) else name for name in categories])
    first = next((i for i, code in enumerate(codes.tolist()) if not is_name(categories[code])))
    raise _unexpected(what, first, categories[codes[first]])


# -- names ---------------------------------------------------------------------------------------------


def is_text(data: object) -> TypeGuard[Sequence[Any] | NDArray[Any]]:
    """Return whether the vertices of edges are given as strings rather than numbers."""
    if isinstance(data, np.ndarray):
        return data.dtype.kind in "UT" or (data.dtype.kind == "O" and _first_is_text(data))
    return isinstance(data, Sequence) and not isinstance(data, str) and _first_is_text(data)


def is_name(name: Any) -> bool:
    """Return whether a label is text or a whole number."""
    return isinstance(name, str | int | np.integer) and not isinstance(name, bool)


def _first_is_text(data: Sequence[Any] | NDArray[Any]) -> bool:
    """Return whether the first item is a string."""
    return len(data) > 0 and isinstance(data[0], str)


def length(data: Labels) -> int:
    """Return the number of rows of a column."""
    if isinstance(data, Text):
        return len(data.array)
    return len(data.codes if isinstance(data, Categories) else data)


def joined(first: Labels, second: Labels) -> Labels:
    """Return two columns as one, the rows of ``first`` above those of ``second``."""
    if isinstance(first, Categories) and isinstance(second, Text):
        second = _coded(second, "target")
    if isinstance(second, Categories) and isinstance(first, Text):
        first = _coded(first, "source")
    if isinstance(first, Categories) and isinstance(second, Categories):
        codes = np.concatenate([first.codes, second.codes + len(first.names)])
        return Categories(codes, first.names + second.names)
    return [*_names(first), *_names(second)]


def _names(data: Labels) -> list[Any]:
    """Return the name in each row of a column."""
    if isinstance(data, Categories):
        return [data.names[code] for code in data.codes.tolist()]
    return data.array.to_pylist() if isinstance(data, Text) else _listed(data)


def factorize_rows(
    rows: Labels, source: Labels, target: Labels
) -> tuple[IntArray, IntArray, IntArray, list[Any]]:
    """Number the names of vertices in the order of ``rows``, then as :func:`factorize` does.

    Parameters
    ----------
    rows, source, target : sequence or array of str, Categories or Text

    Returns
    -------
    rows, source, target : integers
        The same by number.
    names : list of str, or of str and int
    """
    if isinstance(rows, Text) and isinstance(source, Text) and isinstance(target, Text):
        return _encoded(source, target, rows)
    count = length(rows)
    left, right, names = factorize(joined(rows, source), joined(rows, target))
    return left[:count], left[count:], right[count:], names


def _encoded(
    source: Text, target: Text, rows: Text | None
) -> tuple[IntArray, IntArray, IntArray, list[Any]]:
    """Number text in the order of ``rows``, then of first appearance, edge by edge."""
    import pyarrow as pa

    above = source.array[:0] if rows is None else rows.array
    encoded = pa.concat_arrays([above, source.array, target.array]).dictionary_encode()
    codes: IntArray = np.asarray(encoded.indices)
    at, tails, heads = np.split(codes, [len(above), len(above) + len(source.array)])
    mixed = codes.copy()
    mixed[len(above) :: 2], mixed[len(above) + 1 :: 2] = tails, heads
    rank, order = _by_appearance(mixed, len(encoded.dictionary))
    names = ids.DistinctNames(encoded.dictionary.take(pa.array(order)).to_pylist())
    return rank[at], rank[tails], rank[heads], names


def _by_appearance(codes: IntArray, num_codes: int) -> tuple[IntArray, IntArray]:
    """Return the number of each code in order of first appearance, and the code of each number."""
    first = np.full(num_codes, len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several, the last is kept
    order = np.argsort(first)[: np.count_nonzero(first < len(codes))]
    rank = np.empty(num_codes, index_dtype(num_codes))
    rank[order] = np.arange(len(order))
    return rank, order


def factorize(source: Labels, target: Labels) -> tuple[IntArray, IntArray, list[Any]]:
    """Number the names of vertices in order of first appearance, edge by edge.

    Parameters
    ----------
    source, target : sequence or array of str, Categories or Text
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
    if isinstance(source, Text) and isinstance(target, Text):
        return _encoded(source, target, None)[1:]
    if isinstance(source, Categories | Text) or isinstance(target, Categories | Text):
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
        sides = enumerate(zip(("source", "target"), edge, strict=True) for edge in edges)
        names = (_checked(name, what, i) for i, ends in sides for what, name in ends)
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
    if isinstance(data, Text):
        encoded = data.array.dictionary_encode()
        return Categories(np.asarray(encoded.indices), encoded.dictionary.to_pylist())
    number = _Numbers()
    names = [_checked(name, what, i) for i, name in enumerate(_listed(data))]
    codes = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
    return Categories(codes, list(number))


def _in_order(source: Categories, target: Categories) -> tuple[IntArray, IntArray, list[str]]:
    """Number names that have codes in order of first appearance."""
    number = _Numbers()
    codes = np.empty(2 * len(source.codes), np.int64)
    for side, column in enumerate((source, target)):
        common = np.fromiter(map(number.__getitem__, column.names), np.int64, len(column.names))
        codes[side::2] = common[column.codes]
    rank, order = _by_appearance(codes, len(number))
    names = list(number)
    return rank[codes[0::2]], rank[codes[1::2]], [names[code] for code in order.tolist()]


class _Numbers(dict[Any, int]):
    """The number of each name, in order of first appearance."""

    def __missing__(self, name: Any) -> int:
        number = self[name] = len(self)
        return number


def _listed(data: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """Return a sequence or an array as a list."""
    return data.tolist() if isinstance(data, np.ndarray) else list(data)


def _checked(name: Any, what: str, place: int) -> str | int:
    """Return a name as :func:`plain` does. Raises GraphError for anything else, with its place."""
    if not is_name(name):
        raise GraphError(f"{what}[{place}] is {name!r}: expected a name, as the others are")
    return plain(name)


def _in_columns(data: Sequence[Any] | NDArray[Any]) -> NDArray[np.str_] | None:
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
