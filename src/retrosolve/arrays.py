"""Array types, the width of indices, ranges of them, and read-only views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

INT32_LIMIT = 2**31 - 1

IntArray = NDArray[np.integer[Any]]
ByteArray = NDArray[np.uint8]


def index_dtype(limit: int) -> type[np.int32] | type[np.int64]:
    """Return the smaller integer type that holds all numbers from 0 to ``limit``.

    >>> index_dtype(2**31 - 1).__name__, index_dtype(2**31).__name__
    ('int32', 'int64')
    """
    return np.int32 if limit <= INT32_LIMIT else np.int64


def is_whole(number: object) -> TypeGuard[int]:
    """Return whether something is a whole number, of Python or of numpy, and no truth value."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def python_int(number: Any) -> Any:
    """Return an integer of NumPy as one of Python, and any other number as it is.

    >>> python_int(np.int64(3)).bit_length()
    2
    """
    return number.item() if isinstance(number, np.integer) else number


def index_bytes(limit: int) -> int:
    """Return the bytes of the type that :func:`index_dtype` returns, in a tenth of the time.

    >>> index_bytes(2**31 - 1), index_bytes(2**31)
    (4, 8)
    """
    return 4 if limit <= INT32_LIMIT else 8


def read_only(array: Any) -> Any:
    """Return a read-only view of an array; the array itself stays writable."""
    view = array.view()
    view.flags.writeable = False
    return view


PLACEHOLDER: ByteArray = read_only(np.zeros(1, np.uint8))
"""The argument of a kernel for an array that a graph does not have.

It is read-only like the arrays of a graph, so the same compiled kernel accepts both.
"""


def or_placeholder(array: Any) -> tuple[Any, bool]:
    """Return an optional array as an argument of a kernel, and whether there is one."""
    return (PLACEHOLDER, False) if array is None else (array, True)


def row_bounds(lengths: Any, dtype: Any = np.int64) -> NDArray[Any]:
    """Return where each row begins, and where the last one ends, by their lengths.

    >>> row_bounds([2, 0, 1]).tolist()
    [0, 2, 2, 3]
    """
    bounds = np.zeros(len(lengths) + 1, dtype)
    np.cumsum(lengths, out=bounds[1:])
    return bounds


def numbered_ranges(first: IntArray, counts: IntArray) -> tuple[IntArray, IntArray]:
    """Return i for each number of the ranges ``first[i] : first[i] + counts[i]``, and the numbers.

    >>> which, numbers = numbered_ranges(np.array([5, 0]), np.array([2, 3]))
    >>> which.tolist(), numbers.tolist()
    ([0, 0, 1, 1, 1], [5, 6, 0, 1, 2])
    """
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + (first - row_bounds(counts)[:-1])[which]


VERTICES_PER_SPAN = 1 << 20


def spans(length: int, size: int = VERTICES_PER_SPAN, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield ``(start, stop)`` of consecutive ranges of at most ``size`` numbers, from ``first`` on.

    >>> list(spans(1_500_000))
    [(0, 1048576), (1048576, 1500000)]
    """
    for start in range(first, length, size):
        yield start, min(start + size, length)


def object_array(items: Iterable[Any]) -> NDArray[np.object_]:
    """Return items as an array of objects, whatever they are.

    >>> object_array([(1, 2), (3, 4)]).shape
    (2,)
    """
    return np.fromiter(items, np.object_)


def arrays_equal(left: Any, right: Any) -> bool:
    """Return whether two optional arrays are equal."""
    if left is None or right is None:
        return left is right
    return bool(np.array_equal(left, right))


class Immutable:
    """A base class of objects whose public attributes are set only once, on construction.

    >>> class Point(Immutable):
    ...     def __init__(self, x):
    ...         self.x = x
    >>> Point(1).x = 2
    Traceback (most recent call last):
    AttributeError: x of a Point does not change
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and hasattr(self, name):
            raise AttributeError(f"{name} of a {type(self).__name__} does not change")
        object.__setattr__(self, name, value)
