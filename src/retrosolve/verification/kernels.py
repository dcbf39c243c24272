"""The proof of packed words, a position at a time, by rules or by two tokens. Specialised.

What ``verify`` checks with arrays; it shares no step with what finds answers.

A preference is a number, how good a move is by the claim about what it leads to: the smaller, the
better for who makes the move. A win comes before a tie, a tie before a draw, a draw before a loss; a
near win or tie before a far one, a far loss before a near one. So the least preference of all moves of
a position says what its own word must be. No chain of claims is so long that the ranges of two values
meet. What depends on the question is in ``end_word``, ``gain``, ``preference`` and ``word_of``: see
``proof_of``.
"""

from types import FunctionType

import numpy as np

from retrosolve.compilation.atomic import no_refcount, prefetch
from retrosolve.objectives.words import DRAW, INVALID_CODE, LOSS, TIE, WIN, code_of, pack, remoteness_of
from retrosolve.spaces.checked import (
    OVERRUN,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    checked_index,
    checked_target,
    index_of,
    position_limit,
    position_of,
    room_for,
    same_side,
    successors,
    terminal_or_invalid,
)

INLINED = ("claimed_word", "end_word", "gain", "preference", "word_of")
ALL, POSITIONS, REACHED = range(3)

RANGE = np.int64(1) << 58
WON, TIED, DRAWN, LOST, WORST = RANGE * np.arange(5)
WRONG = np.int64(-1)


def prove(
    start, stop, below, which, sample, stuck, words, meaning, marks, max_moves, data, index_table,
    fault,
):  # fmt: skip
    """Find an index whose word its moves do not bear out.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    below : int
        Where the tier begins.
    which : int
        ALL indices, the POSITIONS only, or those that are REACHED.
    sample : int64 [any length]
        If not empty, ``start..stop-1`` are places in it, and it holds the indices.
    stuck : int
        The value of a position without moves, or what ``end_word`` asks for.
    words : words or codes [n]
        The solution to prove.
    meaning : int64 [k]
        The word of each code; empty if ``words`` are words.
    marks : uint8 [n]
        If ``which`` is REACHED: 1 for an index that a proven one leads to, 2 once it is proven itself.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    index, more : int, bool
        The first such index, -1 if there is none; whether an index from ``below`` on was marked.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    # Claims are looked up at random places. So those about the moves of a position are only asked for,
    # and compared while the moves of the next one are made. Nothing returns from within: numba would
    # count references to arrays again and again.
    targets, gains = np.empty((2, max_moves), np.int64), np.empty((2, max_moves), np.int64)
    waiting, length, turn = np.int64(-1), 0, 0
    limit = position_limit(len(words))
    wrong, more = np.int64(-1), False
    for place in range(start, stop):
        i = np.int64(sample[place] if len(sample) > 0 else place)
        word = claimed_word(words, meaning, i)
        if which == REACHED:
            if marks[i] != 1:
                continue
            marks[i] = 2
            if word == INVALID_CODE:
                wrong = i
                break
        elif which == POSITIONS and word == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        given = checked_code(terminal_or_invalid(p, data), p, fault)
        if given != 0:
            if word != end_word(given, stuck, p, data):
                wrong = i
                break
            continue
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        if count == 0:
            if word != end_word(ZERO, stuck, p, data):
                wrong = i
                break
            continue
        before, now = targets[1 - turn], targets[turn]
        best = WORST
        for k in range(count):
            q = checked_target(out[k], p, limit, fault)
            raw = q
            q = canonical(q, data)
            j = checked_index(index_of(q, data, index_table), p, q, len(words), fault)
            gains[turn, k] = gain(p, raw, j < below, stuck, data)
            prefetch(words, j)
            if which == REACHED and marks[j] == 0:
                marks[j] = 1
                if j >= below:
                    more = True
            now[k] = ~j if same_side(p, q, data) else j
            if k < length:
                j = before[k]
                answer = claimed_word(words, meaning, ~j if j < 0 else j)
                best = min(best, preference(answer, j < 0, gains[1 - turn, k]))
        for k in range(count, length):
            j = before[k]
            answer = claimed_word(words, meaning, ~j if j < 0 else j)
            best = min(best, preference(answer, j < 0, gains[1 - turn, k]))
        if length > 0 and claimed_word(words, meaning, waiting) != word_of(best):
            wrong, length = waiting, 0
            break
        waiting, length, turn = i, count, 1 - turn
    best = WORST
    for k in range(length):
        j = targets[1 - turn, k]
        answer = claimed_word(words, meaning, ~j if j < 0 else j)
        best = min(best, preference(answer, j < 0, gains[1 - turn, k]))
    if length > 0 and claimed_word(words, meaning, waiting) != word_of(best):
        wrong = waiting
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return wrong, more


def proof_of(name, **own):
    """Return ``prove`` for another question, under another name.

    Parameters
    ----------
    name : str
    own : functions and constants
        What takes the place of those of this file.
    """
    return FunctionType(prove.__code__, globals() | own, name)


def claimed_word(words, meaning, i):
    """Return the word of an index; see ``prove``.

    Parameters
    ----------
    words : words or codes [n]
    meaning : int64 [k]
    i : int
    """
    if len(meaning) == 0:
        return np.int64(words[i])
    return np.int64(meaning[words[i]])


def first_unmarked(start, stop, words, meaning, marks):
    """Find an index that is said to be a position and is not marked.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    words, meaning, marks
        As in ``prove``.

    Returns
    -------
    int
        The first one, -1 if there is none.
    """
    for i in range(start, stop):
        if marks[i] == 0 and claimed_word(words, meaning, i) != INVALID_CODE:
            return i
    return -1


def prove_pairs(start, stop, stuck, ends, indptr, indices, second_indptr, second_indices, words):
    """Return the first pair of tokens whose word its moves do not bear out, -1 if there is none.

    Parameters
    ----------
    start, stop : int
        The vertices ``start..stop-1`` to prove.
    stuck : int
        The value of a position without moves.
    ends : uint8 [stop - start]
        Terminal values.
    indptr, indices : int32 or int64 [k + 1], [edges]
        Rows of the first token's moves.
    second_indptr, second_indices : int32 or int64 [m + 1], [edges]
        Rows of the second token's moves.
    words : words [2 * k * m]
        The solution to prove.
    """
    k, m = len(indptr) - 1, len(second_indptr) - 1
    half = k * m
    for v in range(start, stop):
        pair = v - half if v >= half else v
        p = pair // m
        t = pair - p * m
        word = np.int64(words[v])
        given = code_of(np.int64(ends[v - start]))
        if v < half:
            begin, end = indptr[p], indptr[p + 1]
        else:
            begin, end = second_indptr[t], second_indptr[t + 1]
        if given == 0 and begin == end:
            given = np.int64(stuck)
        if given != 0:
            if word != given:
                return v
            continue
        best = WORST
        for e in range(begin, end):
            w = half + indices[e] * m + t if v < half else p * m + second_indices[e]
            best = min(best, preference(np.int64(words[w]), False, ZERO))
        if word != word_of(best):
            return v
    return -1


def end_word(given, stuck, p, data):
    """Return the word of a position at which the game is over, or which is none.

    Parameters
    ----------
    given : int64
        The terminal value, 0 for a position without moves.
    stuck : int
        The value of that.
    p, data
        The position; see ``spaces.checked``.
    """
    return code_of(given) if given != 0 else np.int64(stuck)


def gain(p, q, leaves, stuck, data):
    """Return 0, a number about the move that ``preference`` gets and only other questions need.

    Parameters
    ----------
    p, q, data
        Where it leads from and to, canonical or not; see ``spaces.checked``.
    leaves : bool
        Whether it leaves its tier.
    stuck : int
        As in ``prove``.
    """
    return ZERO


def preference(answer, stays, gained):
    """Return how good a move is, by the claim about what it leads to; WRONG if that is no position.

    The compiler selects one of five numbers: no branch on the answer, which no processor could predict.

    Parameters
    ----------
    answer : int64
        The word of what it leads to.
    stays : bool
        Whether the same player moves there.
    gained : int64
        What ``gain`` says of the move.
    """
    code, plies = code_of(answer), remoteness_of(answer) + 1
    best = WORST - plies
    if code == (WIN if stays else LOSS):
        best = WON + plies
    if code == TIE:
        best = TIED + plies
    if code == DRAW:
        best = DRAWN
    if code > TIE:
        best = WRONG
    return best


def word_of(best):
    """Return the word that a position must have by its best move, WRONG if one is WRONG.

    Parameters
    ----------
    best : int64
        The least preference of a move.
    """
    if best < WON:
        return WRONG
    if best < TIED:
        return pack(WIN, best - WON)
    if best < DRAWN:
        return pack(TIE, best - TIED)
    if best == DRAWN:
        return np.int64(DRAW)
    return pack(LOSS, WORST - best)
