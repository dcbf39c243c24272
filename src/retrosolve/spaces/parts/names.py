"""Names of vertices that stay on disk, in ascending order."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, object_array


class Bytes(Protocol):
    """Whole numbers in memory, mapped from a file, or in compressed blocks."""

    def __len__(self) -> int: ...
    def take(self, at: Any) -> Any: ...  # noqa: D102


class SortedNames(Sequence[str]):
    """Names in ascending order: a name is found by binary search, and nothing is kept in memory.

    Parameters
    ----------
    data : uint8 [bytes]
        The names in UTF-8, one after the other.
    stops : int64 [names]
        Where each of them ends.

    Examples
    --------
    >>> names = SortedNames(np.frombuffer(b"aabbc", np.uint8), np.array([1, 3, 5]))
    >>> list(names), names.numbers["ab"]
    (['a', 'ab', 'bc'], 1)
    """

    def __init__(self, data: Bytes, stops: Bytes) -> None:
        self.data = data
        self.stops = stops

    @property
    def numbers(self) -> Mapping[Hashable, int]:
        """The vertex of each name."""
        return _Numbers(self)

    def __len__(self) -> int:
        return len(self.stops)

    def __getitem__(self, vertex: Any) -> Any:
        if isinstance(vertex, slice):
            return tuple(self.take(np.arange(len(self))[vertex]))
        if not -len(self) <= vertex < len(self):
            raise IndexError(f"{vertex}: expected 0..{len(self) - 1}")
        return self.encoded(vertex % len(self)).decode()

    def encoded(self, vertex: int) -> bytes:
        """Return the name of a vertex in UTF-8."""
        ends = self.stops.take(np.array([max(vertex - 1, 0), vertex])).tolist()
        start = ends[0] if vertex else 0
        found: bytes = self.data.take(np.arange(start, ends[1])).tobytes()
        return found

    def take(self, vertices: IntArray) -> NDArray[Any]:
        """Return the names of some vertices, object [k]."""
        return object_array(self.encoded(v).decode() for v in vertices.tolist())

    def __iter__(self) -> Iterator[str]:
        return (self[v] for v in range(len(self)))


class _Numbers(Mapping[Hashable, int]):
    """The vertex of each name, by binary search."""

    def __init__(self, names: SortedNames) -> None:
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, position: Hashable) -> int:
        if isinstance(position, str):
            wanted = position.encode("utf-8", "surrogatepass")
            low, high = 0, len(self.names)
            while low < high:
                middle = (low + high) // 2
                found = self.names.encoded(middle)
                if found == wanted:
                    return middle
                low, high = (middle + 1, high) if found < wanted else (low, middle)
        raise KeyError(position)
