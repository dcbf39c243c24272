"""The data of rules in two forms with the same arithmetic: for compiled code and for plain Python.

NumPy and numba disagree on integers: an int32 entry shifted by 24 bits overflows in NumPy and is an
int64 in numba, and the difference of two uint8 entries wraps around in both, at different widths. So
one rule holds for both forms: an entry of an integer array, of any width, is an int64, and an entry of
a bool array is a bool.

Compiled, signed entries become an int64 in any expression but ``-x`` and ``abs(x)`` of the smallest
integer of a width, so only unsigned arrays and those with such an entry are copied, to the next wider
signed type. In plain Python, arrays are views that widen the entries read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrosolve.errors import RulesError

LARGEST = 2**63 - 1
WIDER = {1: np.int16, 2: np.int32, 4: np.int64, 8: np.int64}  # signed, by the bytes of a type


class WideningArray(np.ndarray[Any, Any]):
    """An array of bools or narrow integers of which a single entry is read as a bool or an int64."""

    def __getitem__(self, key: Any) -> Any:
        return _entry(super().__getitem__(key))

    def __iter__(self) -> Iterator[Any]:
        return map(_entry, super().__iter__())

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the result of a NumPy function, widened if it is a single number."""
        return _entry(array[()]) if return_scalar else super().__array_wrap__(array, context, False)


def compiled_data(data: object, name: str) -> Any:
    """Return the data of rules as arguments of compiled functions.

    Parameters
    ----------
    data : tuple, number or array
    name : str
        The name of the game, for error messages.

    Returns
    -------
    same kind
        The same object if it needs no change. Some arrays are copied to a wider type; NumPy integers
        become ints.

    Raises
    ------
    RulesError
        For anything but numbers and arrays in tuples, and for integers that an int64 does not hold.
    """
    if isinstance(data, tuple):
        return rebuilt(data, lambda part: compiled_data(part, name))
    if isinstance(data, np.ndarray) and data.dtype != object:
        return _signed(data, name)
    if isinstance(data, bool | np.bool_):
        return bool(data)
    if isinstance(data, int | np.integer):
        if not -LARGEST - 1 <= data <= LARGEST:
            raise _too_large(name, int(data))
        return data if type(data) is int else int(data)
    if isinstance(data, float | np.generic):
        return data
    raise RulesError(
        f"{name}.data holds a {type(data).__name__}: expected numbers and arrays in a tuple"
    )


def interpreted_data(data: object) -> Any:
    """Return compiled data as arguments of the same functions in plain Python; no array is copied."""
    if isinstance(data, tuple):
        return rebuilt(data, interpreted_data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "ib" and data.dtype != np.int64:
        return data.view(WideningArray)
    return data


def _signed(array: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """Return an array, copied if its type is unsigned or it holds the smallest narrow integer."""
    kind, width = array.dtype.kind, array.dtype.itemsize
    if kind == "u" and width == 8 and array.size and array.max() > LARGEST:
        raise _too_large(name, int(array.max()))
    narrow = kind == "i" and width < 8 and array.size and array.min() == np.iinfo(array.dtype).min
    return array.astype(WIDER[width]) if kind == "u" or narrow else array


def rebuilt(data: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """Return a tuple with changed parts; the tuple itself if none is another object."""
    parts = [change(part) for part in data]
    if all(new is old for new, old in zip(parts, data, strict=True)):
        return data
    return type(data)(*parts) if hasattr(data, "_fields") else tuple(parts)


def _entry(item: Any) -> Any:
    """Return an entry of an array widened, and anything else as it is."""
    if isinstance(item, np.integer):
        return np.int64(item)
    return bool(item) if isinstance(item, np.bool_) else item


def _too_large(name: str, number: int) -> RulesError:
    """Return the error for an integer outside of int64."""
    return RulesError(f"{name}.data holds {number}: expected integers from -2^63 to 2^63 - 1")
