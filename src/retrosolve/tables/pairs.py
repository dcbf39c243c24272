"""Codes of at most four kinds as pairs of bits, four to a byte, the first code in the lowest bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray

MAX_KINDS = 4
BITS = 2
PER_BYTE = 8 // BITS
MASK = (1 << BITS) - 1
TOGETHER = np.uint32(
    1 << 24 | 1 << 18 | 1 << 12 | 1 << 6
)  # moves the codes in four bytes to the highest
SHIFTS = (np.arange(PER_BYTE) * BITS).astype(np.uint8)


def pack_pairs(codes: NDArray[Any]) -> ByteArray:
    """Return codes below 4 as bytes; the last byte is filled up with zeros.

    >>> pack_pairs(np.array([1, 2, 3, 0, 2])).tolist()
    [57, 2]
    """
    missing = -len(codes) % PER_BYTE
    whole = np.append(codes, np.zeros(missing, np.uint8)) if missing else np.ascontiguousarray(codes)
    four = whole.astype(np.uint8, copy=False).view("<u4") * TOGETHER
    four >>= 24
    packed: ByteArray = four.astype(np.uint8)
    return packed


def unpack_pairs(packed: ByteArray) -> ByteArray:
    """Return the codes in some bytes.

    >>> unpack_pairs(np.array([57, 2], np.uint8)).tolist()
    [1, 2, 3, 0, 2, 0, 0, 0]
    """
    codes: ByteArray = (packed[:, None] >> SHIFTS & np.uint8(MASK)).reshape(-1)
    return codes
