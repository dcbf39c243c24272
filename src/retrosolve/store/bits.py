"""Codes of few kinds, several to a byte: win/loss/draw takes two bits before compression."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.store.blocks import BlockArray
from retrosolve.tables.pairs import BITS, MASK, PER_BYTE, SHIFTS, unpack_pairs

BLOCK_BYTES = 1 << 17
PACKED_BLOCK_BYTES = 1 << 19  # these are small once compressed


def block_bytes(packed: bool) -> int:
    """Return the bytes of a block before compression, by whether several codes share a byte."""
    return PACKED_BLOCK_BYTES if packed else BLOCK_BYTES


class BitCodes:
    """An array of codes below 4 on disk, four to a byte.

    Parameters
    ----------
    packed : BlockArray
        The bytes.
    length : int
        The number of codes.
    limit : int
        More than any code.
    """

    def __init__(self, packed: BlockArray, length: int, limit: int) -> None:
        self._packed = packed
        self._length = length
        self._limit = limit

    def __len__(self) -> int:
        return self._length

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes ``start..stop-1``. Raises StoreError for a damaged block."""
        first = start // PER_BYTE
        found = self._packed.read(first, max(first, -(-stop // PER_BYTE)))
        return self._checked(unpack_pairs(found)[start - first * PER_BYTE : stop - first * PER_BYTE])

    def item(self, at: int) -> int:
        """Return the code at a place. Raises StoreError for a damaged block."""
        place, slot = divmod(at, PER_BYTE)
        code = self._packed.item(place) >> slot * BITS & MASK
        if code >= self._limit:
            self._checked(np.array([code]))
        return code

    def take(self, at: IntArray) -> NDArray[Any]:
        """Return the codes at some places. Raises StoreError for a damaged block."""
        place, slot = np.divmod(at, PER_BYTE)
        return self._checked(self._packed.take(place) >> SHIFTS[slot] & MASK)

    def _checked(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return codes. Raises StoreError for a code that stands for nothing."""
        if len(codes) and int(codes.max()) >= self._limit:
            raise self._packed.damaged(f"it holds the code {codes.max()}, not below {self._limit}")
        return codes
