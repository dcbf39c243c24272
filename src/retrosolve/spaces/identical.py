"""identical(): whether two positions are equal and of the same types, inside containers too."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import copysign
from typing import Any

ATOMS = frozenset({int, str, bytes, bool})  # without items


def identical(first: Any, second: Any) -> bool:
    """Return whether two objects are equal and of the same type, and so are the items in them.

    ``np.int64(5)`` and 5 are equal, and so the same position, but not identical. Items are those of
    tuples and frozensets and the compared fields of dataclasses; the sign of a zero counts. A NaN is
    identical to itself only, because no other NaN finds its position in a dictionary.

    Examples
    --------
    >>> identical((1, frozenset({2})), (1, frozenset({2})))
    True
    >>> identical((1, True), (1, 1))
    False
    """
    if first is second:
        return True
    kind = type(first)
    if kind is not type(second) or first != second:
        return False
    if kind in ATOMS:
        return True
    if isinstance(first, tuple):
        return all(map(identical, first, second))
    if isinstance(first, frozenset):
        equal = {item: item for item in second}
        return all(identical(item, equal[item]) for item in first)
    if isinstance(first, float):
        return copysign(1, first) == copysign(1, second)
    if is_dataclass(first):
        names = [field.name for field in fields(first) if field.compare]
        return all(identical(getattr(first, name), getattr(second, name)) for name in names)
    return True
