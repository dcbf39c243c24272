"""What a partition publishes of a level: the vertices that it has decided.

An entry is ``2 * v + side``, as in ``kernels.open_moves``, with ``v`` counted from the first vertex of
the partition. Entries are sent as sorted numbers, or as a set of bits for each side that occurs,
whichever takes fewer bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrosolve.arrays import ByteArray, IntArray

NO_BITS: ByteArray = np.zeros(0, np.uint8)


class Message(NamedTuple):
    """The vertices that a partition has decided in a level.

    Parameters
    ----------
    first, size : int
        The vertices of the partition are ``first..first+size-1``.
    num_entries : int
    entries : uint32 or uint64 [num_entries] or [0]
        The entries, ascending, unless they are sent as bits.
    bits : uint8 [(size + 7) // 8] or [0], twice
        For each side, the set of its vertices.
    """

    first: int
    size: int
    num_entries: int
    entries: IntArray
    bits: tuple[ByteArray, ByteArray] = (NO_BITS, NO_BITS)

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays."""
        return self.entries.nbytes + sum(bits.nbytes for bits in self.bits)

    def unpacked(self) -> IntArray:
        """Return the entries, ascending, as numbers."""
        if len(self.entries) == self.num_entries:
            return self.entries
        sides = []
        for side, bits in enumerate(self.bits):
            members = np.flatnonzero(np.unpackbits(bits, bitorder="little")) if len(bits) else NO_BITS
            sides.append(2 * members.astype(self.entries.dtype) + self.entries.dtype.type(side))
        if not len(sides[0]) or not len(sides[1]):
            return sides[0] if len(sides[0]) else sides[1]
        return np.sort(np.concatenate(sides))


def entry_dtype(size: int) -> type[np.unsignedinteger]:
    """Return the type of the entries of a partition with so many vertices."""
    return np.uint32 if 2 * size < 1 << 32 else np.uint64


def message_bytes(size: int, sides: tuple[int, int]) -> int:
    """Return the bytes of a message: the model that runs are compared with.

    Parameters
    ----------
    size : int
        The vertices of the partition.
    sides : tuple of two int
        How many entries of each side there are.

    Examples
    --------
    >>> message_bytes(800, (5, 0)), message_bytes(800, (700, 0)), message_bytes(800, (700, 30))
    (20, 100, 200)
    """
    as_bits = (size + 7) // 8 * sum(number > 0 for number in sides)
    return min(sum(sides) * np.dtype(entry_dtype(size)).itemsize, as_bits)


def packed(first: int, size: int, entries: IntArray) -> Message:
    """Return the message of some entries, in any order."""
    entries = entries.astype(entry_dtype(size), copy=False)
    ones = int((entries & 1).sum(dtype=np.int64))
    sides = len(entries) - ones, ones
    if message_bytes(size, sides) == entries.nbytes:
        return Message(first, size, len(entries), np.sort(entries))
    bits = [NO_BITS, NO_BITS]
    for side in (0, 1):
        if sides[side]:
            members = np.zeros(size, np.uint8)
            members[entries[(entries & 1) == side] >> 1] = 1
            bits[side] = np.packbits(members, bitorder="little")
    return Message(first, size, len(entries), np.zeros(0, entries.dtype), (bits[0], bits[1]))
