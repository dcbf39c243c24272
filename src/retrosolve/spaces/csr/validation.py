"""Validation of the arrays of a graph; every error names the first wrong entry."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, is_whole, read_only
from retrosolve.errors import GraphError, PositionError
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.csr.ids import DistinctNames, NumbersOnDemand, SortedIds
from retrosolve.values import CHANCE, INVALID, Mover, Value

MANY = 1 << 22  # numbers that several threads compare in less time than one
EXPECTED = {
    "owner": "0 or 1, or rs.CHANCE for dice",
    "terminal": "a Value for the player to move, or win, loss or tie",
    "payoff": "a whole number",
}
MAX_POINTS = 10**6  # of a payoff or a reward
UNSIGNED = {np.dtype(np.int32): np.uint32, np.dtype(np.int64): np.uint64}  # by dtypes of columns


def as_array(data: object, what: str) -> NDArray[Any]:
    """Return a one-dimensional array. Raises GraphError for anything else.

    Entries that NumPy would change without a word are refused: masked ones, and truth values among
    numbers.
    """
    try:
        array = np.asarray(data)
    except (ValueError, TypeError, OverflowError) as error:
        raise GraphError(f"{what} is not an array: expected a flat list of integers") from error
    if array.ndim != 1:
        raise GraphError(f"{what} has {array.ndim} dimensions: expected a flat list of integers")
    if isinstance(data, np.ma.MaskedArray) and data.mask.any():
        raise GraphError(f"{what}[{int(data.mask.argmax())}] is missing: expected an integer")
    if isinstance(data, list | tuple) and array.dtype.kind in "fO" and all(map(is_whole, data)):
        array = _of_whole_numbers(data, what)
    if isinstance(data, list | tuple) and array.dtype.kind in "iu":
        for place in np.flatnonzero(array | 1 == 1).tolist():  # where truth values may be
            if isinstance(data[place], bool | np.bool_):
                raise GraphError(f"{what}[{place}] is {data[place]!r}: expected an integer")
    return array


def _of_whole_numbers(data: Sequence[int], what: str) -> NDArray[np.int64]:
    """Return whole numbers that NumPy takes for floats or objects: of several types, or too large."""
    for place, number in enumerate(data):
        if not -(2**63) <= int(number) < 2**63:
            raise GraphError(f"{what}[{place}] is out of range: expected -2^63 to 2^63 - 1")
    return np.array([int(number) for number in data], np.int64)


def integer_array(data: object, what: str, negative: bool = False) -> IntArray:
    """Return an int32 or int64 array. Raises GraphError for floats, bools and, by default, below 0."""
    array = as_array(data, what)
    if negative and array.dtype in UNSIGNED:
        return array
    if len(array) == 0:
        return np.zeros(0, np.int32)
    if array.dtype.kind not in "iu":
        raise GraphError(f"{what} has dtype {array.dtype}: expected integers")
    if not negative and int(array.min()) < 0:
        refuse(array, what, array < 0, "0 or more")
    if array.dtype == np.uint64:
        refuse(array, what, array > 2**63 - 1, f"at most {2**63 - 1}")
    if array.dtype in UNSIGNED:
        return array
    return array.astype(np.int64 if array.dtype.itemsize >= 4 else np.int32)


def refuse(array: IntArray, what: str, wrong: NDArray[np.bool_], expected: str) -> None:
    """Raise GraphError for the first number that is wrong, if there is one."""
    if wrong.any():
        place = int(np.argmax(wrong))
        raise GraphError(f"{what}[{place}] is {int(array[place])}: expected {expected}")


def largest(array: IntArray, what: str) -> int:
    """Return the largest number, -1 for none. Raises GraphError for a negative one."""
    if not len(array):
        return -1
    # Negative numbers become very large ones; the method max() would call the same by a detour.
    numbers = array.view(UNSIGNED[array.dtype])
    if len(array) < MANY:
        unsigned = int(np.maximum.reduce(numbers))
    else:
        with ThreadPool(None, len(array)) as pool:
            parts = pool.map_ranges(
                lambda start, stop: np.maximum.reduce(numbers[start:stop]), pool.chunks(len(array))
            )
        unsigned = int(max(parts))
    if unsigned >> (8 * array.itemsize - 1):
        refuse(array, what, array < 0, "0 or more")
    return unsigned


def check_range(array: IntArray, what: str, vertices: int, counted: str | None = None) -> None:
    """Raise GraphError unless all numbers are vertices; takes one pass if they are.

    ``counted`` is the argument whose length is the number of vertices, if there is one.
    """
    if largest(array, what) >= vertices:
        place = int(np.argmax(array >= vertices))
        span = f"0..{vertices - 1}" if vertices else "none"
        limit = f"the graph has {vertices} {'vertex' if vertices == 1 else 'vertices'} ({span})"
        if counted is not None:
            limit = f"{counted} has length {vertices}, one entry a vertex ({span})"
        raise GraphError(f"{what}[{place}] is {int(array[place])}, but {limit}")


def check_indptr(indptr: IntArray, edges: int) -> None:
    """Raise GraphError unless row starts ascend from 0 to the number of edges."""
    if len(indptr) == 0:
        raise GraphError("indptr is empty: expected one entry more than there are vertices")
    if indptr[0] != 0:
        raise GraphError(f"indptr[0] is {int(indptr[0])}: expected 0")
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        place = int(np.argmax(falls)) + 1
        raise GraphError(
            f"indptr[{place}] is {int(indptr[place])}, less than indptr[{place - 1}]: "
            "expected row starts that never fall"
        )
    if indptr[-1] != edges:
        raise GraphError(f"indptr ends at {int(indptr[-1])}: expected {edges}, the number of edges")


def vertex_count(
    given: int | None, arrays: Sequence[Any], names: Sequence[Hashable] | None
) -> int | None:
    """Return the number of vertices that arguments of ``Graph.from_edges`` declare, if any does."""
    if given is not None:
        if not is_whole(given):
            raise GraphError(f"vertices={given!r}: expected a whole number")
        if given < 0:
            raise GraphError(f"vertices={given}: expected 0 or more")
        return int(given)
    if names is not None:
        return len(names)
    for array in arrays:
        if array is not None and not isinstance(array, Mapping):
            return len(array)
    return None


def mapped_ids(*mappings: Any) -> NDArray[np.int64]:
    """Return the ids for which mappings have owners or terminal values."""
    keys = chain.from_iterable(given for given in mappings if isinstance(given, Mapping))
    return np.array([key for key in keys if is_whole(key) and 0 <= key < 2**63], np.int64)


def is_missing(item: Any) -> bool:
    """Return whether an entry is None, NaN of any type or a missing value of pandas."""
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, Number | np.generic) and bool(item != item)  # noqa: PLR0124  # as NaN alone


def names(
    given: Iterable[Hashable] | None, vertices: int
) -> tuple[Sequence[Hashable] | None, Mapping[Hashable, int] | None]:
    """Return the names and the number of each.

    Raises GraphError unless all differ and are hashable, and none stands for a missing one.
    """
    if given is None:
        return None, None
    if isinstance(given, SortedIds):
        return given, given.numbers
    kept = tuple(given)
    if len(kept) != vertices:
        raise GraphError(f"names has {len(kept)} entries: expected {vertices}, one a vertex")
    if isinstance(given, DistinctNames):
        return kept, NumbersOnDemand(kept)
    kinds = {*map(type, kept)}
    if not kinds <= {str, int} and any(map(is_missing, kept)):
        vertex = next(vertex for vertex, name in enumerate(kept) if is_missing(name))
        raise GraphError(
            f"names[{vertex}] is {kept[vertex]!r}, which stands for a missing one: expected a name"
        )
    if any(issubclass(kind, np.integer) for kind in kinds):
        kept = tuple(int(name) if isinstance(name, np.integer) else name for name in kept)
    numbers: dict[Hashable, int] = {}
    for vertex, name in enumerate(kept):
        try:
            first = numbers.setdefault(name, vertex)
        except TypeError:
            raise GraphError(f"names[{vertex}] is {name!r}: expected something hashable") from None
        if first != vertex:
            raise GraphError(f"names[{vertex}] is {name!r}, and so is names[{first}]: names differ")
    return kept, numbers


def vertex_of(position: Hashable, vertices: int, numbers: Mapping[Hashable, int] | None) -> int:
    """Return the vertex with a name or number. Raises PositionError if there is none."""
    if numbers is not None:
        try:
            return numbers[position]
        except (KeyError, TypeError):
            raise PositionError(f"no vertex is named {position!r}") from None
    if not is_whole(position):
        raise PositionError(f"{position!r} is not a vertex: expected a number, 0..{vertices - 1}")
    if not 0 <= position < vertices:
        raise PositionError(f"there is no vertex {position}: expected a number, 0..{vertices - 1}")
    return int(position)


def vertices_of(
    positions: NDArray[Any] | Sequence[Any], vertices: int, numbers: Mapping[Hashable, int] | None
) -> NDArray[np.int64]:
    """Return the vertex of each of some names or numbers, -1 where there is none, int64 [k].

    Parameters
    ----------
    positions : integer array [k] or sequence of hashable
    vertices : int
    numbers : mapping, optional
        The vertex of each name; by default vertices are numbers.
    """
    if numbers is None and isinstance(positions, np.ndarray) and positions.dtype.kind in "iu":
        inside = (positions >= 0) & (positions < vertices)
        return np.where(inside, positions, -1).astype(np.int64)
    listed = positions.tolist() if isinstance(positions, np.ndarray) else positions
    if isinstance(numbers, NumbersOnDemand):
        numbers = numbers.dictionary
    if isinstance(numbers, dict):
        with contextlib.suppress(TypeError):  # something cannot be hashed
            return np.fromiter(map(numbers.get, listed, repeat(-1)), np.int64, len(listed))
    found = np.full(len(listed), -1, np.int64)
    for place, position in enumerate(listed):
        with contextlib.suppress(PositionError):
            found[place] = vertex_of(position, vertices, numbers)
    return found


class Owners(np.ndarray[Any, np.dtype[Any]]):
    """Owners in which 2 is chance by the word of a file or of a graph, and not a third player."""


def known_owners(owner: IntArray | None) -> Owners | None:
    """Return owners of a graph, or of a file that this package wrote."""
    return None if owner is None else owner.view(Owners)


def is_chance(owner: object) -> bool:
    """Return whether an owner says that dice are thrown: ``rs.CHANCE``, or its label as in files."""
    label = owner.strip().lower() if isinstance(owner, str) else None
    return owner is Mover.CHANCE or label == Mover.CHANCE.label


def owner_number(given: object) -> int | None:
    """Return an owner as a number, ``rs.CHANCE`` where it says so; None for what is not an owner."""
    if is_chance(given):
        return Mover.CHANCE
    if isinstance(given, str) and given.strip() in ("0", "1"):
        return int(given)
    return int(given) if is_whole(given) and given in (0, 1, CHANCE) else None


def has_chance(owners: Any) -> bool:
    """Return whether an owner, of an array or a mapping, is chance or 2."""
    if isinstance(owners, np.ndarray):
        return bool((owners == CHANCE).any())
    listed = owners.values() if isinstance(owners, Mapping) else owners or ()
    return any(is_chance(owner) or owner == CHANCE for owner in listed)


def says_chance(owners: Any) -> bool:
    """Return whether all owners that are 2 say that dice are thrown, as a plain number does not."""
    listed = owners.values() if isinstance(owners, Mapping) else owners
    return isinstance(owners, Owners) or all(is_chance(x) for x in listed if x == CHANCE)


def vertex_array(
    data: object, what: str, vertices: int, numbers: Mapping[Hashable, int] | None
) -> ByteArray | None:
    """Return owners or terminal values, an array or a mapping, as uint8 [vertices], read-only."""
    if data is None:
        return None
    highest = CHANCE if what == "owner" else int(max(Value))
    expected = EXPECTED["owner"] if what == "owner" else "0 (not terminal) or a Value: WIN, LOSS, TIE"
    if isinstance(data, Mapping):
        data = _from_mapping(data, what, vertices, numbers)
    array = _integers(data, what, vertices, "one a vertex")
    wrong = (array < 0) | (array > highest)
    if what == "terminal":
        wrong &= array != INVALID
    refuse(array, what, wrong, expected)
    if array.dtype != np.uint8:
        array = array.astype(np.uint8)
    view: ByteArray = read_only(array)
    return view


def _from_mapping(
    data: Mapping[Hashable, Any], what: str, vertices: int, numbers: Mapping[Hashable, int] | None
) -> NDArray[np.int64]:
    """Return the array [vertices] for a mapping from vertex or name."""
    array = np.full(vertices, -1 if what == "owner" else 0, np.int64)
    for position, given in data.items():
        value = given
        if what == "terminal" and isinstance(given, str):
            value = next((v for v in Value if v.label == given.strip().lower()), Value.DRAW)
        if what == "owner" and is_chance(given):
            value = CHANCE
        if not is_whole(value):
            raise GraphError(f"{what}[{position!r}] is {given!r}: expected {EXPECTED[what]}")
        if what == "owner" and not 0 <= value <= CHANCE:
            raise GraphError(f"{what}[{position!r}] is {given!r}: expected {EXPECTED[what]}")
        if what == "terminal" and value not in (Value.WIN, Value.LOSS, Value.TIE):
            raise GraphError(f"{what}[{position!r}] is {given!r}: expected WIN, LOSS or TIE")
        if what == "payoff" and abs(int(value)) > MAX_POINTS:
            raise GraphError(f"{what}[{position!r}] is {given}: expected at most {MAX_POINTS}")
        try:
            array[vertex_of(position, vertices, numbers)] = value
        except PositionError as error:
            raise GraphError(f"{what} names {position!r}: {error}") from None
    if what == "owner" and vertices and (array < 0).any():
        missing = int(np.argmax(array < 0))
        name = next((p for p, v in (numbers or {}).items() if v == missing), missing)
        raise GraphError(f"owner leaves out vertex {name!r}: expected all or none")
    return array


def end_of_nobody(position: Hashable, result: str) -> str:
    """Return the sentence for an end that belongs to chance, with a result for the player to move."""
    return (
        f"the game ends at {position!r} with {result} for the player to move, but chance moves there: "
        "expected 0 or 1 as the player or owner there, for whom it is"
    )


def vertex_payoffs(
    data: object, vertices: int, numbers: Mapping[Hashable, int] | None
) -> IntArray | None:
    """Return payoffs, an array or a mapping from vertex or name, as int32 [vertices], read-only."""
    if data is None:
        return None
    if isinstance(data, Mapping):
        data = _from_mapping(data, "payoff", vertices, numbers)
    return _points(data, "payoff", vertices, "one a vertex")


def edge_numbers(data: object, what: str, edges: int) -> IntArray | None:
    """Return rewards or weights as int32 [edges], read-only; None without any, or if rewards are 0."""
    if data is None:
        return None
    numbers = _points(data, what, edges, "one an edge")
    if what == "weight":
        refuse(numbers, what, numbers < 0, "0 or more")
        return numbers
    return numbers if numbers.any() else None


def _integers(data: object, what: str, length: int, each: str) -> IntArray:
    """Return an array of whole numbers of this length. Raises GraphError for anything else."""
    array = as_array(data, what)
    if len(array) != length:
        raise GraphError(f"{what} has {len(array)} entries: expected {length}, {each}")
    if len(array) and array.dtype.kind not in "iu":
        expected = "integers"
        if what == "terminal":
            expected = "a Value for the player to move where the game ends, and 0 elsewhere"
            expected += ", such as np.where(goal, Value.WIN, 0)" if array.dtype == bool else ""
        raise GraphError(f"{what} has dtype {array.dtype}: expected {expected}")
    return array


def _points(data: object, what: str, length: int, each: str) -> IntArray:
    """Return numbers of points as int32. Raises GraphError for anything else."""
    array = _integers(data, what, length, each)
    refuse(array, what, (array > MAX_POINTS) | (array < -MAX_POINTS), f"at most {MAX_POINTS}")
    points: IntArray = read_only(array.astype(np.int32))
    return points


def all_or_none(owners: Sequence[Any], nodes: Sequence[Hashable]) -> Any:
    """Return the owners as numbers, or None if all are None. Raises GraphError if only some are."""
    missing = [node for node, owner in zip(nodes, owners, strict=True) if owner is None]
    if len(missing) == len(nodes):
        return None
    if missing:
        raise GraphError(f"{missing[0]!r} has no owner, others have one: expected all or none")
    numbers = list(map(owner_number, owners))
    if None in numbers:
        at = numbers.index(None)
        raise GraphError(f"the owner of {nodes[at]!r} is {owners[at]!r}: expected {EXPECTED['owner']}")
    return numbers
