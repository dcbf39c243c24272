"""Bits of ints: counting, moving together and apart. Plain Python and compiled rules alike."""

from __future__ import annotations


def popcount(bits: int) -> int:
    """Return the number of set bits.

    Parameters
    ----------
    bits : int
        A set of points, not negative.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: one instruction.

    Examples
    --------
    >>> popcount(0b1011)
    3
    """
    return bits.bit_count()


def deposit(bits: int, mask: int) -> int:
    """Move the lowest bits, in order, to where the mask is set (PDEP).

    Parameters
    ----------
    bits : int
        The bits to move.
    mask : int
        The places, as many as there are bits to move, or more.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of bits that are moved.

    Examples
    --------
    >>> bin(deposit(0b101, 0b11010))
    '0b10010'
    """
    moved = 0
    while bits != 0:
        place = mask & -mask
        if bits & 1 != 0:
            moved |= place
        mask ^= place
        bits >>= 1
    return moved


def extract(bits: int, mask: int) -> int:
    """Move the bits where the mask is set, in order, to the lowest places (PEXT).

    Parameters
    ----------
    bits : int
        The bits to move.
    mask : int
        The places, as many as there are bits to move, or more.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of bits of the mask.

    Examples
    --------
    >>> bin(extract(0b10010, 0b11010))
    '0b101'
    """
    moved, place = 0, 1
    while mask != 0:
        if bits & mask & -mask != 0:
            moved |= place
        place <<= 1
        mask &= mask - 1
    return moved


def deposit_outside(bits: int, holes: int) -> int:
    """Move the bits, in order, to the places that are not holes; the cost is that of the holes.

    Equal to ``deposit(bits, ~holes)``, as in finding a player's points among those that the other
    player leaves free.

    Parameters
    ----------
    bits : int
        The bits to move.
    holes : int
        The places that are left out.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of holes.

    Examples
    --------
    >>> bin(deposit_outside(0b101, 0b00110))
    '0b10001'
    """
    while holes != 0:
        below = (holes & -holes) - 1
        bits = (bits & below) | (bits & ~below) << 1
        holes &= holes - 1
    return bits


def extract_outside(bits: int, holes: int) -> int:
    """Remove the holes and close up the other bits; the cost is that of the holes.

    Equal to ``extract(bits, ~holes)``, and the inverse of :func:`deposit_outside`.

    Parameters
    ----------
    bits : int
        The bits to move.
    holes : int
        The places that are left out.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it.
    Cost: time proportional to the number of holes.

    Examples
    --------
    >>> bin(extract_outside(0b10001, 0b00110))
    '0b101'
    """
    removed = 0
    while holes != 0:
        below = ((holes & -holes) >> removed) - 1
        bits = (bits & below) | (bits >> 1 & ~below)
        holes &= holes - 1
        removed += 1
    return bits
