"""Two tokens, each on a graph of its own, solved 64 positions at a time.

Each place p of the first token has a row of bits, one for each place of the second. Four rows say what
is known: P_WINS and P_LOSES, where the first player is to move, T_WINS and T_LOSES, where the second
is. A move of the first player ORs or ANDs whole rows,

    P_WINS[p] |= T_LOSES[q] for each of his moves p -> q;  P_LOSES[p] |= AND of their T_WINS[q];

and the second player's moves stay within a row: a place is in T_LOSES if all its moves lead into
P_WINS,
and in T_WINS if one leads into P_LOSES. If the second graph has a linear layout, a move is a bit shift.

Arrays of all kernels: ``planes`` uint64 [k, rows, words] holds the four rows and, for
``propagate_level``, what each gained in the last level and in this one. Bits that stand for no
place are
set in P_WINS and T_LOSES, so that they are not counted and stop no move; invalid positions are set in
P_WINS and P_LOSES, or T_WINS and T_LOSES. ``line`` int64 [1 + offsets, 2] holds the margin of a row in
words, and for each move of the second token the words and bits that it shifts by.

A specialised module: ``second_player_step`` stands for ``step_by_shifts`` or ``step_on_graph``.
"""

import numpy as np

from retrosolve.kernels.words import LOSS, TIE, WIN, pack

P_WINS, T_LOSES, P_LOSES, T_WINS = 0, 1, 2, 3
DELTA = 4  # and 8, by turns
INLINED = (
    "bit_index",
    "write_remoteness",
    "commit_row",
    "merge_delta",
    "first_player_step",
    "step_by_shifts",
)
ZERO, ONE, MOST = np.uint64(0), np.uint64(1), np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
HALVES = np.array(
    [0xFFFFFFFF00000000, 0xFFFF0000FFFF0000, 0xFF00FF00FF00FF00,
     0xF0F0F0F0F0F0F0F0, 0xCCCCCCCCCCCCCCCC, 0xAAAAAAAAAAAAAAAA], np.uint64,
)  # fmt: skip


def second_player_step(row, gained, low, high, line, moves, losing, winning):
    """Stand for ``step_by_shifts`` or ``step_on_graph``.

    Parameters
    ----------
    row, gained, low, high, line, moves, losing, winning
        As in ``step_by_shifts``.
    """
    raise NotImplementedError


def bit_index(bit):
    """Return the number of the one bit that is set.

    Parameters
    ----------
    bit : uint64
        A power of two.
    """
    number = 0
    for half in range(6):
        number = 2 * number + (1 if bit & HALVES[half] != ZERO else 0)
    return number


def step_by_shifts(row, gained, low, high, line, moves, losing, winning):
    """Find what T_LOSES and T_WINS of a row gain, where a move of the second token is a shift.

    A move that leads into what P_WINS has gained makes a place a candidate; it is lost if all
    of its moves
    lead into P_WINS.

    Parameters
    ----------
    row : uint64 [rows, words]
        The planes of one place of the first token.
    gained : int
        The first plane of the last level's gains.
    low, high : int
        The words ``low..high-1`` in which P_WINS or P_LOSES gained something.
    line : int64 [1 + offsets, 2]
        See the module.
    moves : tuple of int64 arrays
        Rows of the second token's moves, and the reversed rows.
    losing, winning : uint64 [words]
        Overwritten with what T_LOSES and T_WINS gain.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
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
        a, a_next = (
            row[gained + P_WINS, begin : begin + n],
            row[gained + P_WINS, begin + 1 : begin + 1 + n],
        )
        c, c_next = (
            row[gained + P_LOSES, begin : begin + n],
            row[gained + P_LOSES, begin + 1 : begin + 1 + n],
        )
        for i in range(n):
            lost[i] |= (a[i] >> right) | ((a_next[i] << ONE) << left)
            won[i] |= (c[i] >> right) | ((c_next[i] << ONE) << left)
    b, d = row[T_LOSES, low:high], row[T_WINS, low:high]
    for i in range(n):
        unknown = ~(b[i] | d[i])
        lost[i] &= unknown
        won[i] &= unknown
    for i in range(n):
        if lost[i] != ZERO:
            all_won = lost[i]
            for s in range(1, len(line)):
                at, right = low + i + line[s, 0], np.uint64(line[s, 1])
                all_won &= (row[P_WINS, at] >> right) | ((row[P_WINS, at + 1] << ONE) << (MOST - right))
            lost[i] = all_won
    return low, high


def step_on_graph(row, gained, low, high, line, moves, losing, winning):
    """Find what T_LOSES and T_WINS of a row gain, where the second token moves on any graph.

    Parameters
    ----------
    row, gained, low, high, line, moves, losing, winning
        As in ``step_by_shifts``.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
    """
    indptr, indices, rindptr, rindices = moves
    lowest, highest = row.shape[1], 0
    losing[:] = ZERO
    winning[:] = ZERO
    for w in range(low, high):
        left = row[gained + P_WINS, w] | row[gained + P_LOSES, w]
        while left != ZERO:
            bit = left ^ (left & (left - ONE))
            left ^= bit
            t = 64 * w + bit_index(bit)
            to_win = row[gained + P_LOSES, w] & bit != ZERO
            for e in range(rindptr[t], rindptr[t + 1]):
                v = rindices[e]
                at, mark = v >> 6, ONE << np.uint64(v & 63)
                if (row[T_LOSES, at] | row[T_WINS, at] | losing[at] | winning[at]) & mark != ZERO:
                    continue
                all_won = not to_win
                if all_won:
                    for f in range(indptr[v], indptr[v + 1]):
                        to = indices[f]
                        if (row[P_WINS, to >> 6] >> np.uint64(to & 63)) & ONE == ZERO:
                            all_won = False
                            break
                if to_win:
                    winning[at] |= mark
                elif all_won:
                    losing[at] |= mark
                if to_win or all_won:
                    lowest, highest = min(lowest, at), max(highest, at + 1)
    return lowest, max(lowest, highest)


def write_remoteness(bits, number, state, base, word):
    """Write a word at each position of some bits, and count them.

    Parameters
    ----------
    bits : uint64
        The positions.
    number : int32 [64]
        The second token's vertex at each bit.
    state : words [n] or [0]
        Changed in place, unless it is empty.
    base, word : int
        The index of the second token's vertex 0, and the word.
    """
    count = 0
    while bits != ZERO:
        bit = bits ^ (bits & (bits - ONE))
        bits ^= bit
        count += 1
        if len(state) > 0:
            state[base + number[bit_index(bit)]] = word
    return count


def propagate_level(
    start, stop, turn, ties, planes, spans, indptr, indices, line, moves, numbers, state, remoteness,
    scratch,
):  # fmt: skip
    """Find what rows gain in one level, and count the positions.

    Parameters
    ----------
    start, stop : int
        The rows ``start..stop-1`` to work on.
    turn : int
        The last level's gains are in the planes from DELTA + 4 * ``turn`` on, this one's go
        to the other four.
    ties : bool
        For ties, only P_WINS and T_WINS gain by the rules; their gains go on as those of
        P_LOSES and T_LOSES.
    planes : uint64 [k, DELTA + 8, words]
        See the module; changed in place.
    spans : int64 [k, 2, 4]
        By turns, the words in which something may be: for P_WINS and P_LOSES, then for
        T_LOSES and T_WINS.
    indptr, indices : int64 [k + 1], [m]
        Rows of the first token's moves.
    line, moves
        As in ``step_by_shifts``.
    numbers : int32 [64 * words]
        The second token's vertex at each bit.
    state : words [n] or [0]
        Gets a word for each position, unless it is empty.
    remoteness : int
        The remoteness of the gains.
    scratch : uint64 [4, words]
        Room to work in.
    """
    gained, gaining = DELTA + 4 * turn, DELTA + 4 * (1 - turn)
    win, loss = pack(TIE if ties else WIN, remoteness), pack(TIE if ties else LOSS, remoteness)
    to_a, to_d = (P_LOSES, T_LOSES) if ties else (P_WINS, T_WINS)
    count = 0
    for p in range(start, stop):
        row, span, new = planes[p], spans[p, turn], spans[p, 1 - turn]
        merge_delta(row, gained, gaining, span, new)
        if span[0] < span[1]:
            losing, winning = scratch[0], scratch[1]
            low, high = second_player_step(row, gained, span[0], span[1], line, moves, losing, winning)
            count += commit_row(
                row, low, high, losing[low:high], winning[low:high], gaining + T_LOSES, gaining + to_d,
                numbers, state, (len(planes) + p) * (len(moves[0]) - 1), loss, win, new[2:4],
            )  # fmt: skip
        low, high = first_player_step(p, planes, spans, turn, indptr, indices, scratch[2], scratch[3])
        if low < high:
            count += commit_row(
                row, low, high, scratch[2, low:high], scratch[3, low:high], gaining + to_a,
                gaining + P_LOSES, numbers, state, p * (len(moves[0]) - 1), win, loss, new[0:2],
            )  # fmt: skip
    return count


def merge_delta(row, gained, gaining, span, new):
    """Merge what a row gained in the last level into what it had; clear what it gained before that.

    Parameters
    ----------
    row : uint64 [rows, words]
        Changed in place.
    gained, gaining : int
        The first planes of the last level's gains and of this one's.
    span, new : int64 [4]
        The words in which something may be, in the last level and in this one; ``new`` is made empty.
    """
    for half in range(0, 4, 2):
        x, y = (P_WINS, P_LOSES) if half == 0 else (T_LOSES, T_WINS)
        for w in range(span[half], span[half + 1]):
            row[x, w] |= row[gained + x, w]
            row[y, w] |= row[gained + y, w]
        for w in range(new[half], new[half + 1]):
            row[gaining + x, w] = ZERO
            row[gaining + y, w] = ZERO
        new[half], new[half + 1] = row.shape[1], 0


def first_player_step(p, planes, spans, turn, indptr, indices, winning, losing):
    """Find what P_WINS and P_LOSES of a row gain from what T_LOSES and T_WINS of others have gained.

    Another thread may be merging what T_WINS of a row has gained into it: both are read.

    Parameters
    ----------
    p : int
        The row.
    planes, spans, turn, indptr, indices
        As in ``propagate_level``.
    winning, losing : uint64 [words]
        Overwritten with what P_WINS and P_LOSES gain.

    Returns
    -------
    low, high : int
        The words in which the gains lie.
    """
    gained = DELTA + 4 * turn
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
            b, d = planes[q, gained + T_LOSES, begin:end], planes[q, gained + T_WINS, begin:end]
            to_won, to_lost = won[begin - low : end - low], lost[begin - low : end - low]
            for i in range(end - begin):
                to_won[i] |= b[i]
                to_lost[i] |= d[i]
    a, c = planes[p, P_WINS, low:high], planes[p, P_LOSES, low:high]
    for i in range(high - low):
        unknown = ~(a[i] | c[i])
        won[i] &= unknown
        lost[i] &= unknown
    for i in range(high - low):
        if lost[i] != ZERO:
            all_lost = lost[i]
            for e in range(indptr[p], indptr[p + 1]):
                q = indices[e]
                all_lost &= planes[q, T_WINS, low + i] | planes[q, gained + T_WINS, low + i]
            lost[i] = all_lost
    return low, high


def commit_row(
    row, low, high, one, other, one_plane, other_plane, numbers, state, base, one_word, other_word, span
):  # fmt: skip
    """Put gains in their planes, write the words of their positions, and count them.

    Parameters
    ----------
    row : uint64 [rows, words]
        Changed in place.
    low, high : int
        The words ``low..high-1`` in which the gains lie.
    one, other : uint64 [high - low]
        Two sets of gains.
    one_plane, other_plane : int
        The planes that they go to.
    numbers, state
        As in ``propagate_level``.
    base, one_word, other_word : int
        The index of the second token's vertex 0, and the words of either set.
    span : int64 [2]
        Overwritten with the words in which something was gained.
    """
    count = 0
    span[0], span[1] = row.shape[1], 0
    for i in range(high - low):
        if one[i] | other[i] != ZERO:
            w = low + i
            row[one_plane, w] |= one[i]
            row[other_plane, w] |= other[i]
            number = numbers[64 * w : 64 * w + 64]
            count += write_remoteness(one[i], number, state, base, one_word)
            count += write_remoteness(other[i], number, state, base, other_word)
            span[0], span[1] = min(span[0], w), w + 1
    return count
