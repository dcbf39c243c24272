"""Two tokens without remoteness: rows gain what they can in any order. Specialised, with ``bitset``."""

import numpy as np

from retrosolve.kernels.bitset import ALL, MOST, ONE, P_LOSES, P_WINS, T_LOSES, T_WINS, ZERO

INLINED = ("add_new",)


def fixpoint(start, stop, forwards, afresh, planes, before, after, indptr, indices, line, scratch):
    """Let rows gain what they can from what stands now, in no order of levels; count the rows
    looked at.

    Rows of other threads may change at the same time: words only gain bits, and what is missed
    is met again
    in the next round.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    forwards, afresh : bool
        Whether to go forwards through them, and whether each row looks at all of its own.
    planes : uint64 [k, DELTA, words]
        Changed in place.
    before, after : int64 [k, 2]
        The words in which T_LOSES or T_WINS changed in the last round; overwritten with
        those of this one.
    indptr, indices : int64 [k + 1], [m]
        Rows of the first token's moves.
    line : int64 [1 + offsets, 2]
        See the module.
    scratch : uint64 [2, words]
        Room to work in.
    """
    words, margin = planes.shape[2], line[0, 0]
    count = 0
    for step in range(stop - start):
        p = start + step if forwards else stop - 1 - step
        row = planes[p]
        low, high = words, 0
        for e in range(indptr[p], indptr[p + 1]):
            q = indices[e]
            low, high = min(low, before[q, 0], after[q, 0]), max(high, before[q, 1], after[q, 1])
        after[p, 0], after[p, 1] = words, 0
        if low < high or afresh:
            count += 1
            low, high = fixpoint_first_player(
                row, planes, low, high, indptr[p], indptr[p + 1], indices, scratch
            )
            if afresh:
                low, high = margin, words - margin
            if low < high:
                after[p, 0], after[p, 1] = fixpoint_second_player(row, low, high, line, scratch)
    return count


def fixpoint_first_player(row, planes, low, high, begin, end, indices, scratch):
    """Let P_WINS and P_LOSES of a row gain what they can in some words.

    Parameters
    ----------
    row, planes : uint64 [rows, words], [k, rows, words]
        The row, changed in place, and all rows.
    low, high : int
        The words ``low..high-1`` to work on.
    begin, end, indices : int, int, int64 [m]
        The moves are ``indices[begin:end]``.
    scratch : uint64 [2, words]
        Room to work in.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    n = max(high - low, 0)
    won, lost = scratch[0, :n], scratch[1, :n]
    won[:] = ZERO
    lost[:] = ALL
    for e in range(begin, end):
        b, d = planes[indices[e], T_LOSES, low : low + n], planes[indices[e], T_WINS, low : low + n]
        for i in range(n):
            won[i] |= b[i]
            lost[i] &= d[i]
    return add_new(row[P_WINS, low : low + n], row[P_LOSES, low : low + n], won, lost, low)


def fixpoint_second_player(row, low, high, line, scratch):
    """Let T_LOSES and T_WINS of a row gain what they can from some words of P_WINS and P_LOSES.

    Parameters
    ----------
    row, low, high, line, scratch
        As in ``fixpoint_first_player`` and ``fixpoint``.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    margin = line[0, 0]
    low, high = max(margin, low - margin), min(row.shape[1] - margin, high + margin)
    n = high - low
    lost, won = scratch[0, :n], scratch[1, :n]
    lost[:] = ALL
    won[:] = ZERO
    for s in range(1, len(line)):
        begin, right = low + line[s, 0], np.uint64(line[s, 1])
        left = MOST - right
        a, a_next = row[P_WINS, begin : begin + n], row[P_WINS, begin + 1 : begin + 1 + n]
        c, c_next = row[P_LOSES, begin : begin + n], row[P_LOSES, begin + 1 : begin + 1 + n]
        for i in range(n):
            lost[i] &= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    return add_new(row[T_LOSES, low:high], row[T_WINS, low:high], lost, won, low)


def add_new(x, y, to_x, to_y, low):
    """Add to two sets what is in neither yet.

    Parameters
    ----------
    x, y : uint64 [words]
        The sets; changed in place.
    to_x, to_y : uint64 [words]
        What to add.
    low : int
        The number of the first word.

    Returns
    -------
    low, high : int
        The words that gained something.
    """
    lowest, highest = len(x), 0
    for i in range(len(x)):
        more = to_x[i] & ~(x[i] | y[i])
        others = to_y[i] & ~(x[i] | y[i] | more)
        if more | others != ZERO:
            x[i] |= more
            y[i] |= others
            lowest, highest = min(lowest, i), i + 1
    return low + lowest, low + highest
