"""What a position's moves come to: each successor once, and its value for who moves. Specialised."""

from retrosolve.kernels.checked import (
    ZERO,
    canonical,
    same_side,
)
from retrosolve.kernels.words import LOSS, OPEN, TIE, WIN, pack

MAX_COMPARED = 64  # so many positions are compared with one another; more are sorted


def unique_canonical(out, count, limit, data):
    """Make positions canonical and keep each once.

    If one is not from 0 to ``limit`` - 1, or its canonical form is not, it is moved to the front.

    Parameters
    ----------
    out : int64 [more than count]
        The positions; changed in place.
    count, limit : int
        How many there are, and what they must be less than.
    data
        See ``kernels.checked``.

    Returns
    -------
    int
        How many are left, -1 if one is wrong.
    """
    kept = 0
    met = 0
    wrong = ZERO
    right = True
    for k in range(count):
        q = out[k]
        if q >= 0 and q < limit:
            q = canonical(q, data)
        if q < 0 or q >= limit:
            wrong, right = q, False  # to return here would cost the counting of references
        bit = 1 << ((q ^ (q >> 6) ^ (q >> 13) ^ (q >> 29)) & 31)
        if met & bit:
            again = False
            for j in range(kept):
                if out[j] == q:
                    again = True
            if again:
                continue
        met |= bit
        out[kept] = q
        kept += 1
    if not right:
        out[0] = wrong
        kept = -1
    return kept


def unique_canonical_sorted(out, count, limit, data):
    """Do as ``unique_canonical`` does for many positions, by sorting (Shell, 1959, with Knuth's gaps).

    Parameters
    ----------
    out, count, limit, data
        As in ``unique_canonical``.

    Returns
    -------
    int
        As there.
    """
    for k in range(count):
        if out[k] >= 0 and out[k] < limit:
            out[k] = canonical(out[k], data)
        if out[k] < 0 or out[k] >= limit:
            out[0] = out[k]
            return -1
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            q = out[k]
            j = k
            while j >= gap and out[j - gap] > q:
                out[j] = out[j - gap]
                j -= gap
            out[j] = q
        gap //= 3
    kept = 1
    for k in range(1, count):
        if out[k] != out[kept - 1]:
            out[kept] = out[k]
            kept += 1
    return kept


def value_for_mover(code, p, q, data):
    """Return the value of a successor for the player to move before it.

    Parameters
    ----------
    code : int
        WIN, LOSS or TIE, for the player to move at ``q``.
    p, q : int
        A position and its successor.
    data
        See ``kernels.checked``.
    """
    if code == TIE or same_side(p, q, data):
        return code
    return 3 - code


def last_word(win, tie, draw, loss):
    """Return the word of an index whose moves all lead to decided ones.

    Parameters
    ----------
    win, tie : int64
        The least remoteness of a successor that wins, and of one that ties, -1 for none.
    draw : bool
        Whether some successor is a DRAW.
    loss : int64
        The largest remoteness of a successor.
    """
    if win >= 0:
        return pack(WIN, win + 1)
    if tie >= 0:
        return pack(TIE, tie + 1)
    if draw:
        return OPEN
    return pack(LOSS, loss + 1)
