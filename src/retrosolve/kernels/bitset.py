"""Two tokens, each on a graph of its own, solved 64 positions at a time.

Each place p of the first token has a row of bits, one for each place of the second. Four rows say what
is known: A, the first player to move and winning; B, the second to move and losing; C, the first to
move and losing; D, the second to move and winning. The first player's moves join whole rows,

    A[p] gains the B[q] of all his steps p -> q; C[p] gains what all their D[q] have in common;

and the second player's moves stay within a row: a place is in B if all its steps lead into A, and in D
if one leads into C. If his graph is laid out on a line, a step is a shift of the row.

``planes`` [k, rows, words] holds A, B, C, D and for ``level`` also what each gained in the last level
and in this one. Places of the row that stand for nothing are set in A and B, which stops them from
being counted and lets no step be stopped by them; what is no position is set in A and C, or B and D.
A pattern, fitted so that helpers are compiled along: ``within`` stands for ``within_line`` or
``within_graph``.
"""

import numpy as np

from retrosolve.kernels.words import LOSS, TIE, WIN, pack

A, B, C, D = 0, 1, 2, 3
GAINED = 4  # and 8, by turns
INLINED = ("number_of", "put_down", "put_row", "join", "between", "within_line", "gain")
ZERO, ONE, MOST = np.uint64(0), np.uint64(1), np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
HALVES = np.array(
    [0xFFFFFFFF00000000, 0xFFFF0000FFFF0000, 0xFF00FF00FF00FF00,
     0xF0F0F0F0F0F0F0F0, 0xCCCCCCCCCCCCCCCC, 0xAAAAAAAAAAAAAAAA], np.uint64,
)  # fmt: skip


def within(row, gained, low, high, line, moves, losing, winning):
    """Stand for one of the two below."""
    raise NotImplementedError


def number_of(bit):
    """Give the number of the one bit that is set."""
    number = 0
    for half in range(6):
        number = 2 * number + (1 if bit & HALVES[half] != ZERO else 0)
    return number


def within_line(row, gained, low, high, line, moves, losing, winning):
    """Tell what B and D of a row gain from what A and C have gained in the words ``low..high-1``.

    ``line`` holds the margin and for each offset the words and bits it comes to. Leaves the gains in
    ``losing`` and ``winning`` and gives the words in which they lie. A step that leads into what A has
    gained makes a place worth looking at; it is lost if all its steps lead into A.
    """
    margin = line[0, 0]
    low, high = max(margin, low - margin), min(row.shape[1] - margin, high + margin)
    n = high - low
    lost, won = losing[low:high], winning[low:high]
    lost[:] = ZERO
    won[:] = ZERO
    for s in range(1, len(line)):
        begin, right = low + line[s, 0], np.uint64(line[s, 1])
        left = MOST - right
        a, a_next = row[gained + A, begin : begin + n], row[gained + A, begin + 1 : begin + 1 + n]
        c, c_next = row[gained + C, begin : begin + n], row[gained + C, begin + 1 : begin + 1 + n]
        for i in range(n):
            lost[i] |= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    b, d = row[B, low:high], row[D, low:high]
    for i in range(n):
        unknown = ~(b[i] | d[i])
        lost[i] &= unknown
        won[i] &= unknown
    for i in range(n):
        if lost[i] != ZERO:
            all_won = lost[i]
            for s in range(1, len(line)):
                at, right = low + i + line[s, 0], np.uint64(line[s, 1])
                all_won &= (row[A, at] >> right) | ((row[A, at + 1] << ONE) << (MOST - right))
            lost[i] = all_won
    return low, high


def within_graph(row, gained, low, high, line, moves, losing, winning):
    """Tell the same for a second token on any graph, a place at a time.

    ``moves`` are its rows and its reversed rows.
    """
    indptr, indices, rindptr, rindices = moves
    lowest, highest = row.shape[1], 0
    losing[:] = ZERO
    winning[:] = ZERO
    for w in range(low, high):
        left = row[gained + A, w] | row[gained + C, w]
        while left != ZERO:
            bit = left ^ (left & (left - ONE))
            left ^= bit
            t = 64 * w + number_of(bit)
            to_win = row[gained + C, w] & bit != ZERO
            for e in range(rindptr[t], rindptr[t + 1]):
                v = rindices[e]
                at, mark = v >> 6, ONE << np.uint64(v & 63)
                if (row[B, at] | row[D, at] | losing[at] | winning[at]) & mark != ZERO:
                    continue
                all_won = not to_win
                if all_won:
                    for f in range(indptr[v], indptr[v + 1]):
                        to = indices[f]
                        if (row[A, to >> 6] >> np.uint64(to & 63)) & ONE == ZERO:
                            all_won = False
                            break
                if to_win:
                    winning[at] |= mark
                elif all_won:
                    losing[at] |= mark
                if to_win or all_won:
                    lowest, highest = min(lowest, at), max(highest, at + 1)
    return lowest, max(lowest, highest)


def put_down(bits, number, state, base, word):
    """Write ``word`` at each position of the bits; ``number`` are their second tokens. Counts them."""
    count = 0
    while bits != ZERO:
        bit = bits ^ (bits & (bits - ONE))
        bits ^= bit
        count += 1
        if len(state) > 0:
            state[base + number[number_of(bit)]] = word
    return count


def level(
    first, last, turn, ties, planes, spans, indptr, indices, line, moves, numbers, state, remoteness,
    scratch,
):  # fmt: skip
    """Find what the rows ``first..last-1`` gain in one level. Gives the number of positions.

    What was gained in the last level stands in the planes GAINED + 4 * ``turn`` and on, and what is
    gained in this one goes to the other four; ``spans`` [k, 2, 4], by turns, tells in which words
    something may be: for A and C, then for B and D. ``scratch`` [4, words]. For ``ties``, which only
    the rules of A and D move, what A gains goes on as C's and what D gains as B's.

    ``state`` gets a word of this ``remoteness`` for each position; it may be empty.
    """
    gained, gaining = GAINED + 4 * turn, GAINED + 4 * (1 - turn)
    win, loss = pack(TIE if ties else WIN, remoteness), pack(TIE if ties else LOSS, remoteness)
    to_a, to_d = (C, B) if ties else (A, D)
    count = 0
    for p in range(first, last):
        row, span, new = planes[p], spans[p, turn], spans[p, 1 - turn]
        join(row, gained, gaining, span, new)
        if span[0] < span[1]:
            losing, winning = scratch[0], scratch[1]
            low, high = within(row, gained, span[0], span[1], line, moves, losing, winning)
            count += put_row(
                row, low, high, losing[low:high], winning[low:high], gaining + B, gaining + to_d,
                numbers, state, (len(planes) + p) * (len(moves[0]) - 1), loss, win, new[2:4],
            )  # fmt: skip
        low, high = between(p, planes, spans, turn, indptr, indices, scratch[2], scratch[3])
        if low < high:
            count += put_row(
                row, low, high, scratch[2, low:high], scratch[3, low:high], gaining + to_a, gaining + C,
                numbers, state, p * (len(moves[0]) - 1), win, loss, new[0:2],
            )  # fmt: skip
    return count


def join(row, gained, gaining, span, new):
    """Join what a row gained in the last level to what it had, and clear what it gained before that."""
    for half in range(0, 4, 2):
        x, y = (A, C) if half == 0 else (B, D)
        for w in range(span[half], span[half + 1]):
            row[x, w] |= row[gained + x, w]
            row[y, w] |= row[gained + y, w]
        for w in range(new[half], new[half + 1]):
            row[gaining + x, w] = ZERO
            row[gaining + y, w] = ZERO
        new[half], new[half + 1] = row.shape[1], 0


def between(p, planes, spans, turn, indptr, indices, winning, losing):
    """Tell what A and C of a row gain from what B and D of others have gained, as ``within`` does.

    Another thread may just be joining what D of a row has gained to it: both are read.
    """
    gained = GAINED + 4 * turn
    low, high = planes.shape[2], 0
    for e in range(indptr[p], indptr[p + 1]):
        q = indices[e]
        low, high = min(low, spans[q, turn, 2]), max(high, spans[q, turn, 3])
    if low >= high:
        return low, low
    won, lost = winning[low:high], losing[low:high]
    won[:] = ZERO
    lost[:] = ZERO
    for e in range(indptr[p], indptr[p + 1]):
        q = indices[e]
        begin, end = spans[q, turn, 2], spans[q, turn, 3]
        if begin < end:
            b, d = planes[q, gained + B, begin:end], planes[q, gained + D, begin:end]
            to_won, to_lost = won[begin - low : end - low], lost[begin - low : end - low]
            for i in range(end - begin):
                to_won[i] |= b[i]
                to_lost[i] |= d[i]
    a, c = planes[p, A, low:high], planes[p, C, low:high]
    for i in range(high - low):
        unknown = ~(a[i] | c[i])
        won[i] &= unknown
        lost[i] &= unknown
    for i in range(high - low):
        if lost[i] != ZERO:
            all_lost = lost[i]
            for e in range(indptr[p], indptr[p + 1]):
                q = indices[e]
                all_lost &= planes[q, D, low + i] | planes[q, gained + D, low + i]
            lost[i] = all_lost
    return low, high


def put_row(
    row, low, high, one, other, one_plane, other_plane, numbers, state, base, one_word, other_word, span
):  # fmt: skip
    """Put gains in their planes, tell in which words they are, write the positions' words. Counts."""
    count = 0
    span[0], span[1] = row.shape[1], 0
    for i in range(high - low):
        if one[i] | other[i] != ZERO:
            w = low + i
            row[one_plane, w] |= one[i]
            row[other_plane, w] |= other[i]
            number = numbers[64 * w : 64 * w + 64]
            count += put_down(one[i], number, state, base, one_word)
            count += put_down(other[i], number, state, base, other_word)
            span[0], span[1] = min(span[0], w), w + 1
    return count


def settle(first, last, forwards, afresh, planes, before, after, indptr, indices, line, scratch):
    """Let the rows ``first..last-1`` gain what they can from what stands now, in no order of levels.

    ``before`` [k, 2] tells in which words B or D of a row changed in the last round, ``after`` is told
    the same of this one; ``afresh`` makes each row look at all of its own. Gives how many rows were
    looked at. Rows of other threads may change at the same time: words only gain bits, and what is
    missed is met again in the next round.
    """
    words, margin = planes.shape[2], line[0, 0]
    count = 0
    for step in range(last - first):
        p = first + step if forwards else last - 1 - step
        row = planes[p]
        low, high = words, 0
        for e in range(indptr[p], indptr[p + 1]):
            q = indices[e]
            low, high = min(low, before[q, 0], after[q, 0]), max(high, before[q, 1], after[q, 1])
        after[p, 0], after[p, 1] = words, 0
        if low < high or afresh:
            count += 1
            low, high = settle_between(
                row, planes, low, high, indptr[p], indptr[p + 1], indices, scratch
            )
            if afresh:
                low, high = margin, words - margin
            if low < high:
                after[p, 0], after[p, 1] = settle_within(row, low, high, line, scratch)
    return count


def settle_between(row, planes, low, high, begin, end, indices, scratch):
    """Let A and C of a row gain what they can in some words. Gives where they did."""
    n = max(high - low, 0)
    won, lost = scratch[0, :n], scratch[1, :n]
    won[:] = ZERO
    lost[:] = ALL
    for e in range(begin, end):
        b, d = planes[indices[e], B, low : low + n], planes[indices[e], D, low : low + n]
        for i in range(n):
            won[i] |= b[i]
            lost[i] &= d[i]
    return gain(row[A, low : low + n], row[C, low : low + n], won, lost, low)


def settle_within(row, low, high, line, scratch):
    """Let B and D of a row gain what they can from some words of A and C. Gives where they did."""
    margin = line[0, 0]
    low, high = max(margin, low - margin), min(row.shape[1] - margin, high + margin)
    n = high - low
    lost, won = scratch[0, :n], scratch[1, :n]
    lost[:] = ALL
    won[:] = ZERO
    for s in range(1, len(line)):
        begin, right = low + line[s, 0], np.uint64(line[s, 1])
        left = MOST - right
        a, a_next = row[A, begin : begin + n], row[A, begin + 1 : begin + 1 + n]
        c, c_next = row[C, begin : begin + n], row[C, begin + 1 : begin + 1 + n]
        for i in range(n):
            lost[i] &= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    return gain(row[B, low:high], row[D, low:high], lost, won, low)


def gain(x, y, to_x, to_y, low):
    """Join to x and y what is in neither yet. Gives where something was, counted from ``low``."""
    lowest, highest = len(x), 0
    for i in range(len(x)):
        more = to_x[i] & ~(x[i] | y[i])
        others = to_y[i] & ~(x[i] | y[i] | more)
        if more | others != ZERO:
            x[i] |= more
            y[i] |= others
            lowest, highest = min(lowest, i), i + 1
    return low + lowest, low + highest
