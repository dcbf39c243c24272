"""Two tokens without remoteness: do the claimed wins and losses follow from the ends of the game?

Wins that are only claimed might support each other in a cycle. So a claim counts for nothing until it
is derived: it is that of an end of the game, or its moves lead to what is derived and bear it out. Only
what is claimed and not yet derived is looked at, 64 positions at a time. Whatever else could be derived
would show at the draws, which are looked at last.

Each place of the first token has rows of bits, one for each place of the second: by the player to move,
what is derived as won and as lost, what is claimed so and not derived, and the draws. Bits that stand
for no place are set in WON of the first player: there the second cannot move to.

Arrays of all kernels: ``planes`` uint64 [k, PLANES, words]. ``shifts`` int64 [1 + offsets, 2] holds
the margin of a row in words, and the words and bits that each move of the second token shifts by; on a
graph only the margin, 0. ``moves`` are four int64 arrays: rows of the second token's moves, and the
reversed rows.
"""

import numpy as np

from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives.words import DRAW, LOSS, WIN

WON, LOST, OTHERS_WON, OTHERS_LOST = 0, 1, 2, 3  # derived; of the first player to move, of the second
CLAIMED = 4  # and not derived: the same four
DRAWN, OTHERS_DRAWN, PLANES = 8, 9, 10
AT_DRAW = 4  # the end of a game that is a DRAW, which has the value of no end
INLINED = ("settle", "shorten", "derive_for_first", "derive_by_shifts")
ZERO, ONE, MOST = np.uint64(0), np.uint64(1), np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def read_claims(start, stop, turn, values, ends, bits, begins, planes, left):
    """Set the claims of some rows; return whether the ends of the game bear them out.

    Plain loops without branches: the compiler handles several positions at a time.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1``.
    turn : int
        The player to move.
    values, ends : uint8 [stop - start, m]
        The claims, and the values of the positions where the game ends, AT_DRAW for a DRAW.
    bits : uint64 [m]
        The bit of each vertex of the second token in its word.
    begins : int64 [words + 1]
        Where the vertices of each word begin.
    planes
        See the module; overwritten, except for bits that stand for no place.
    left : int64 [k, 4, 2]
        Overwritten with the words that have claims, by row and plane.
    """
    refuted = ZERO
    side = 2 * turn
    for p in range(start, stop):
        row = planes[p]
        for w in range(len(begins) - 1):
            low, high = begins[w], begins[w + 1]
            part, given = values[p - start, low:high], ends[p - start, low:high]
            there = bits[low:high]
            won = lost = drawn = ended = ZERO
            for i in range(len(part)):
                v, e, bit = part[i], given[i], there[i]
                won |= bit if v == WIN else ZERO
                lost |= bit if v == LOSS else ZERO
                drawn |= bit if v == DRAW else ZERO
                ended |= bit if e != 0 else ZERO
                refuted |= bit if (e != 0) & (e != v) & ((e != AT_DRAW) | (v != DRAW)) else ZERO
                refuted |= bit if (e == 0) & (v > LOSS) else ZERO
            row[side, w] |= won & ended
            row[side + 1, w] = lost & ended
            row[CLAIMED + side, w] = won & ~ended
            row[CLAIMED + side + 1, w] = lost & ~ended
            row[DRAWN + turn, w] = drawn & ~ended
        for plane in range(side, side + 2):
            left[p, plane, 0], left[p, plane, 1] = 0, planes.shape[2]
            shorten(left[p, plane], row[CLAIMED + plane])
    return refuted == ZERO


def shorten(left, row):
    """Let a span of words begin and end with a word that is not 0.

    Parameters
    ----------
    left : int64 [2]
        Changed in place.
    row : uint64 [words]
        The words.
    """
    while left[0] < left[1] and row[left[0]] == ZERO:
        left[0] += 1
    while left[0] < left[1] and row[left[1] - 1] == ZERO:
        left[1] -= 1


def derive_rows(
    start, stop, forwards, first, planes, left, before, after, indptr, indices, shifts, moves, scratch
):
    """Derive what follows in some rows; count the rows in which something did.

    Other threads may do the same with other rows. What is read too early is read again in the next
    round.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1``.
    forwards, first : bool
        Whether to go forwards through them, and whether this is the first round.
    planes, left
        As in ``read_claims``; changed in place.
    before, after : int64 [k, 2, 2]
        The words in which OTHERS_WON and OTHERS_LOST changed in the round before; overwritten with
        those of this round.
    indptr, indices : int64 [k + 1], [m]
        Rows of the first token's moves.
    shifts, moves
        See the module.
    scratch : uint64 [2, words]
        Room to work in.
    """
    planes, left, scratch = no_refcount(planes), no_refcount(left), no_refcount(scratch)
    before, after = no_refcount(before), no_refcount(after)
    indptr, indices, shifts = no_refcount(indptr), no_refcount(indices), no_refcount(shifts)
    words = planes.shape[2]
    count = 0
    for step in range(stop - start):
        p = start + step if forwards else stop - 1 - step
        changed = first
        for kind in range(2):
            # What is lost for the others makes a win, what is won for them all makes a loss.
            source = 1 - kind
            low, high = (0, words) if first else (words, 0)
            open_row = left[p, kind, 0] < left[p, kind, 1] and not first
            for e in range(indptr[p], indptr[p + 1] if open_row else indptr[p]):
                q = indices[e]
                low = min(low, before[q, source, 0], after[q, source, 0])
                high = max(high, before[q, source, 1], after[q, source, 1])
            low, high = max(low, left[p, kind, 0]), min(high, left[p, kind, 1])
            if low < high:
                low, high = derive_for_first(
                    p, kind, planes, low, high, indptr, indices, left, scratch[kind]
                )
            if first:
                low, high = 0, words
            changed |= low < high
            # Meanwhile these are the words for the second player.
            after[p, kind, 0], after[p, kind, 1] = low, high
        count += changed
        lost_low, lost_high = after[p, LOST]
        won_low, won_high = after[p, WON]
        after[p, 0, 0], after[p, 0, 1] = words, 0
        after[p, 1, 0], after[p, 1, 1] = words, 0
        for kind in range(2):
            low, high = (lost_low, lost_high) if kind == 0 else (won_low, won_high)
            if low >= high:
                continue
            if len(shifts) > 1:
                low, high = derive_by_shifts(p, kind, planes, low, high, left, shifts, scratch[0])
            else:
                low, high = derive_on_graph(p, kind, planes, low, high, first, moves, scratch[1 - kind])
            if low < high:
                after[p, kind, 0], after[p, kind, 1] = low, high
    return count


def derive_for_first(p, kind, planes, low, high, indptr, indices, left, follows):
    """Derive what is won or lost where the first player is to move, in some words of a row.

    Parameters
    ----------
    p, kind : int
        The row; WON or LOST.
    planes, left, indptr, indices
        As in ``derive_rows``.
    low, high : int
        The words ``low..high-1``.
    follows : uint64 [words]
        Overwritten in these words with what was derived.

    Returns
    -------
    low, high : int
        The words in which something was derived.
    """
    n = high - low
    here = follows[low : low + n]
    here[:] = ZERO if kind == WON else ALL
    for e in range(indptr[p], indptr[p + 1]):
        theirs = planes[indices[e], OTHERS_LOST if kind == WON else OTHERS_WON, low : low + n]
        if kind == WON:
            for i in range(n):
                here[i] |= theirs[i]
        else:
            for i in range(n):
                here[i] &= theirs[i]
    return settle(p, kind, planes, low, here, left)


def derive_by_shifts(p, kind, planes, low, high, left, shifts, follows):
    """Derive what is won or lost where the second player is to move, by moves that are shifts.

    Parameters
    ----------
    p, kind, planes, left, follows
        As in ``derive_for_first``.
    low, high : int
        The words in which LOST has changed, for a loss WON.
    shifts : int64 [1 + offsets, 2]
        See the module.

    Returns
    -------
    low, high : int
        The words in which something was derived.
    """
    margin, words = shifts[0, 0], planes.shape[2]
    low = max(low - margin, margin, left[p, 2 + kind, 0])
    n = min(high + margin, words - margin, left[p, 2 + kind, 1]) - low
    if n <= 0:
        return words, 0
    row, here = planes[p, LOST if kind == WON else WON], follows[low : low + n]
    here[:] = ZERO if kind == WON else ALL
    for s in range(1, len(shifts)):
        begin, right = low + shifts[s, 0], np.uint64(shifts[s, 1])
        up = MOST - right
        a, a_next = row[begin : begin + n], row[begin + 1 : begin + 1 + n]
        if kind == WON:
            for i in range(n):
                here[i] |= (a[i] >> right) | ((a_next[i] << ONE) << up)
        else:
            for i in range(n):
                here[i] &= (a[i] >> right) | ((a_next[i] << ONE) << up)
    return settle(p, 2 + kind, planes, low, here, left)


def settle(p, plane, planes, begin, follows, left):
    """Derive the claims among what follows.

    Plain loops over parts of arrays: the compiler handles several words at a time.

    Parameters
    ----------
    p, plane : int
        The row and the plane.
    planes, left
        As in ``derive_rows``.
    begin, follows : int, uint64 [n]
        What follows, and the word at which it begins; overwritten with what was derived.

    Returns
    -------
    low, high : int
        The words in which something was derived.
    """
    n = len(follows)
    sets, claims = planes[p, plane, begin : begin + n], planes[p, CLAIMED + plane, begin : begin + n]
    for i in range(n):
        follows[i] &= claims[i]
    low, high = 0, n
    while low < high and follows[low] == ZERO:
        low += 1
    if low == high:
        return planes.shape[2], 0
    while follows[high - 1] == ZERO:
        high -= 1
    for i in range(n):
        sets[i] |= follows[i]
        claims[i] ^= follows[i]
    shorten(left[p, plane], planes[p, CLAIMED + plane])
    return begin + low, begin + high


def derive_on_graph(p, kind, planes, low, high, first, moves, changed):
    """Derive what is won or lost where the second player is to move along the edges of a graph.

    Parameters
    ----------
    p, kind, planes
        As in ``derive_for_first``.
    low, high : int
        The words in which LOST has changed, for a loss WON.
    first : bool
        Whether all of it counts as changed, not only what is in ``changed``.
    moves
        See the module.
    changed : uint64 [words]
        What has changed.

    Returns
    -------
    low, high : int
        The words in which something was derived.
    """
    indptr, indices, rindptr, rindices = moves
    row, sets, claims = planes[p, 1 - kind], planes[p, 2 + kind], planes[p, CLAIMED + 2 + kind]
    lowest, highest = len(row), 0
    for w in range(low, high):
        bits = row[w] if first else changed[w]
        for t in range(64 * w, min(64 * w + 64, len(indptr) - 1) if bits != ZERO else 0):
            if (bits >> np.uint64(t & 63)) & ONE == ZERO:
                continue
            for e in range(rindptr[t], rindptr[t + 1]):
                v = rindices[e]
                at, mark = v >> 6, ONE << np.uint64(v & 63)
                if claims[at] & mark == ZERO:
                    continue
                follows = True
                if kind == LOST:
                    for f in range(indptr[v], indptr[v + 1]):
                        to = indices[f]
                        if (row[to >> 6] >> np.uint64(to & 63)) & ONE == ZERO:
                            follows = False
                            break
                if follows:
                    sets[at] |= mark
                    claims[at] ^= mark
                    lowest, highest = min(lowest, at), max(highest, at + 1)
    return lowest, highest


def find_wrong_row(start, stop, planes, indptr, indices, shifts, moves, scratch):
    """Find a row with a claim that is not derived, or a draw that has a way to win or none to go on.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    planes, indptr, indices, shifts, moves
        As in ``derive_rows``.
    scratch : uint64 [2, words]
        Room to work in.

    Returns
    -------
    int
        The first one, -1 if there is none.
    """
    words, margin = planes.shape[2], shifts[0, 0]
    won, kept = scratch[0], scratch[1]
    for p in range(start, stop):
        row = planes[p]
        wrong = ZERO
        for i in range(words):
            won[i] = ZERO
            kept[i] = ZERO
            wrong |= row[CLAIMED, i] | row[CLAIMED + 1, i] | row[CLAIMED + 2, i] | row[CLAIMED + 3, i]
        for e in range(indptr[p], indptr[p + 1]):
            theirs = planes[indices[e]]
            for i in range(words):
                won[i] |= theirs[OTHERS_LOST, i]
                kept[i] |= ~theirs[OTHERS_WON, i]
        for i in range(words):
            wrong |= row[DRAWN, i] & (won[i] | ~kept[i])
        for i in range(words):
            won[i] = ZERO
            kept[i] = ZERO
        for s in range(1, len(shifts)):
            begin, right = margin + shifts[s, 0], np.uint64(shifts[s, 1])
            up = MOST - right
            for i in range(words - 2 * margin):
                w = begin + i
                a, b = row[LOST, w] >> right, ~row[WON, w] >> right
                won[margin + i] |= a | ((row[LOST, w + 1] << ONE) << up)
                kept[margin + i] |= b | ((~row[WON, w + 1] << ONE) << up)
        if len(shifts) == 1:
            for t in range(len(moves[0]) - 1):
                for e in range(moves[0][t], moves[0][t + 1]):
                    w, by = moves[1][e] >> 6, np.uint64(moves[1][e] & 63)
                    won[t >> 6] |= ((row[LOST, w] >> by) & ONE) << np.uint64(t & 63)
                    kept[t >> 6] |= ((~row[WON, w] >> by) & ONE) << np.uint64(t & 63)
        for i in range(words):
            wrong |= row[OTHERS_DRAWN, i] & (won[i] | ~kept[i])
        if wrong != ZERO:
            return p
    return -1
