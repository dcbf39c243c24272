"""Solving a game over an index, its moves made as they are needed. A pattern, fitted to each game.

The functions of a game are names of ``pattern`` that are bound anew for each game before its kernels
are compiled: see ``fitting``.

State, one word an index: a code in the low 3 bits, and the remoteness above. OPEN is undecided, and a
DRAW in the end. DUE_WIN and DUE_LOSS are decided but not yet: they come about at that level, by
moves to lower tiers. FLOOR is undecided, and if it becomes a LOSS then not before its level. NONE is no
position. ``remaining`` counts the different successors not yet seen to lose.

A level is a pass over the state that takes what has its remoteness: no vertex gets the level that is
being passed, so parts may be passed at the same time, and the answer is the same for any number of
threads.
"""

import numpy as np

from retrosolve.kernels.pattern import (
    NO_POSITION,
    canonical,
    index_of,
    player,
    position_of,
    predecessors,
    same_side,
    subtract_one,
    successors,
    told,
)

OPEN, WIN, LOSS, TIE, DUE_WIN, FLOOR, DUE_LOSS, NONE = range(8)


def reach(first, last, below, above, state, moves, data, found):
    """Mark what the moves of the marked indices in ``first..last-1`` lead to.

    What is marked is OPEN and becomes FLOOR; what is not is NONE. No move may lead to ``above`` or past
    it. Returns whether something of the tier, from ``below`` on, was marked, and an index with a wrong
    move or that is no position, -1 if there is none.
    """
    out = np.empty(moves, np.int64)
    more = False
    for i in range(first, last):
        if state[i] & 7 != OPEN:
            continue
        state[i] = FLOOR
        p = position_of(i, data, found)
        given = told(p, data)
        if given == NO_POSITION:
            return more, i
        if given != 0:
            continue
        for k in range(successors(p, out, data)):
            j = index_of(canonical(out[k], data), data, found)
            if j < 0 or j >= above:
                return more, i
            if state[j] & 7 == NONE:
                state[j] = OPEN
                if j >= below:
                    more = True
    return more, -1


def different(out, count, data):
    """Make the first ``count`` positions of ``out`` canonical and keep each once; count those."""
    kept = 0
    met = 0
    for k in range(count):
        q = canonical(out[k], data)
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
    return kept


def seen(code, p, q, data):
    """Say what the player to move at ``p`` makes of a successor ``q`` that is WIN, LOSS or TIE."""
    if code == TIE or same_side(p, q, data):
        return code
    return 3 - code


def look(first, last, below, stuck, state, remaining, moves, data, found):
    """Take the first look at the indices ``first..last-1``, whose tier begins at ``below``.

    Fills ``state`` and ``remaining``, the latter ``below`` places behind. Returns the last level that
    something is due at, and the number of moves.
    """
    out = np.empty(moves, np.int64)
    due, edges = 0, 0
    for i in range(first, last):
        remaining[i - below] = 0
        if state[i] & 7 == NONE:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given != 0:
            state[i] = NONE if given == NO_POSITION else given
            continue
        count = successors(p, out, data)
        edges += count
        if count == 0:
            state[i] = stuck
            continue
        count = different(out, count, data)
        win, floor = 0, 0
        left = count
        for k in range(count if below > 0 else 0):
            q = out[k]
            j = index_of(q, data, found)
            if j >= below:
                continue
            word = np.int64(state[j])
            code, level = word & 7, word >> 3
            if code not in (WIN, LOSS):
                continue
            if seen(code, p, q, data) == WIN:
                win = level + 1 if win == 0 else min(win, level + 1)
            else:
                floor = max(floor, level + 1)
                left -= 1
        if win > 0:
            state[i] = DUE_WIN | (win << 3)
        elif left == 0:
            state[i] = DUE_LOSS | (floor << 3)
        elif floor > 0:
            state[i] = FLOOR | (floor << 3)
        else:
            state[i] = OPEN
        remaining[i - below] = left
        due = max(due, win, floor)
    return due, edges


def look_for_ties(first, last, below, state, moves, data, found):
    """Mark what is undecided and has a TIE in a lower tier; return the last level that is due."""
    out = np.empty(moves, np.int64)
    due = 0
    for i in range(first, last):
        if state[i] & 7 != OPEN and state[i] & 7 != FLOOR:
            continue
        p = position_of(i, data, found)
        count = successors(p, out, data)
        tie = 0
        for k in range(count):
            j = index_of(canonical(out[k], data), data, found)
            if j < below and state[j] & 7 == TIE:
                level = (np.int64(state[j]) >> 3) + 1
                tie = level if tie == 0 else min(tie, level)
        if tie > 0:
            state[i] = DUE_WIN | (tie << 3)
            due = max(due, tie)
    return due


def pass_level(first, last, below, above, level, ties, state, remaining, origins, queue, data, found):
    """Tell the predecessors of every index in ``first..last-1`` that has this level.

    ``below..above-1`` is the tier, ``origins`` the most predecessors there are. What is decided goes
    into ``queue`` while that has room. Returns how many were decided, more than ``len(queue)`` if it
    overflowed, and how many had the level.
    """
    out = np.empty(origins, np.int64)
    decided, had = 0, 0
    for j in range(first, last):
        word = np.int64(state[j])
        code = word & 7
        if word >> 3 != level or code in (OPEN, NONE, FLOOR):
            continue
        if code == DUE_WIN:
            code = TIE if ties else WIN
            state[j] = code | (level << 3)
        elif code == DUE_LOSS:
            code = LOSS
            state[j] = code | (level << 3)
        if (code == TIE) != ties:
            continue
        had += 1
        decided = tell(j, code, below, above, level, state, remaining, out, queue, decided, data, found)
    return decided, had


def tell(j, code, below, above, level, state, remaining, out, queue, tail, data, found):
    """Tell the predecessors of one index. Returns the new end of ``queue``."""
    q = position_of(j, data, found)
    count = different(out, predecessors(q, out, data), data)
    for k in range(count):
        p = out[k]
        i = index_of(p, data, found)
        if i < below or i >= above:
            continue
        word = np.int64(state[i])
        kind = word & 7
        if kind not in (OPEN, FLOOR, DUE_WIN):
            continue
        result = seen(code, p, q, data)
        if result != LOSS:
            if kind == DUE_WIN and word >> 3 <= level + 1:
                continue
            state[i] = result | ((level + 1) << 3)
        else:
            if kind == DUE_WIN or subtract_one(remaining, i - below) != 1:
                continue
            if kind == FLOOR and word >> 3 > level + 1:
                state[i] = DUE_LOSS | (word >> 3 << 3)
                continue
            state[i] = LOSS | ((level + 1) << 3)
        if tail < len(queue):
            queue[tail] = i
        tail += 1
    return tail


def run_queue(queue, head, tail, below, above, level, state, remaining, origins, highest, data, found):
    """Run level after level on one thread, first in, first out, from ``queue[head:tail]``.

    All of it has ``level``. Stops where the queue is full, or past level ``highest``. Returns the head,
    the tail and the level of what is left.
    """
    out = np.empty(origins, np.int64)
    while head < tail <= len(queue) and level <= highest:
        end = tail
        while head < end:
            j = queue[head]
            head += 1
            code = np.int64(state[j]) & 7
            tail = tell(j, code, below, above, level, state, remaining, out, queue, tail, data, found)
        level += 1
    return head, tail, level


def sweep(first, last, level, ties, state, moves, data, found):
    """Decide what has remoteness ``level + 1``, by looking at the successors of what is undecided.

    Returns how many were decided, and whether some successor is decided later than ``level``.
    """
    out = np.empty(moves, np.int64)
    decided, later = 0, 0
    for i in range(first, last):
        if state[i] & 7 != OPEN:
            continue
        p = position_of(i, data, found)
        count = successors(p, out, data)
        good = False
        bad = 0
        for k in range(count):
            q = canonical(out[k], data)
            word = np.int64(state[index_of(q, data, found)])
            code = word & 7
            if code == OPEN or (code == TIE) != ties:
                continue
            if word >> 3 > level:
                later = 1
                continue
            if ties or seen(code, p, q, data) == WIN:
                good = True
                break
            bad += 1
        if good or (bad == count and not ties):
            state[i] = ((TIE if ties else WIN) if good else LOSS) | ((level + 1) << 3)
            decided += 1
    return decided, later


def look_open(first, last, stuck, state, moves, data, found):
    """Take the first look for ``sweep``: what is over, stuck, or no position. Returns the moves."""
    out = np.empty(moves, np.int64)
    edges = 0
    for i in range(first, last):
        if state[i] & 7 == NONE:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given != 0:
            state[i] = NONE if given == NO_POSITION else given
        else:
            count = successors(p, out, data)
            edges += count
            state[i] = stuck if count == 0 else OPEN
    return edges


def pass_once(first, last, below, stuck, state, moves, data, found):
    """Settle the indices ``first..last-1`` of a tier all of whose moves lead below it.

    Returns the number of moves; -1, having stopped, if one leads into the tier itself.
    """
    out = np.empty(moves, np.int64)
    edges = 0
    for i in range(first, last):
        if state[i] & 7 == NONE:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        if given != 0:
            state[i] = NONE if given == NO_POSITION else given
            continue
        count = successors(p, out, data)
        edges += count
        win, tie, loss = -1, -1, 0
        draw = False
        for k in range(count):
            q = canonical(out[k], data)
            j = index_of(q, data, found)
            if j >= below:
                return -1
            word = np.int64(state[j])
            code, level = word & 7, word >> 3
            if code == OPEN:
                draw = True
                continue
            result = seen(code, p, q, data)
            if result == WIN and (win < 0 or level < win):
                win = level
            if result == TIE and (tie < 0 or level < tie):
                tie = level
            loss = max(loss, level)
        if count == 0:
            state[i] = stuck
        elif win >= 0:
            state[i] = WIN | ((win + 1) << 3)
        elif tie >= 0:
            state[i] = TIE | ((tie + 1) << 3)
        elif draw:
            state[i] = OPEN
        else:
            state[i] = LOSS | ((loss + 1) << 3)
    return edges


def has(first, last, code, state):
    """Tell whether some index has this code."""
    for i in range(first, last):  # noqa: SIM110  # numba has no any()
        if state[i] & 7 == code:
            return True
    return False


def count_moves(first, last, real, counts, ends, moves, data, found):
    """Count the moves of each ``real`` index, ``counts`` [last - first]; say in ``ends`` what it is."""
    out = np.empty(moves, np.int64)
    for i in range(first, last):
        if not real[i - first]:
            continue
        p = position_of(i, data, found)
        given = told(p, data)
        ends[i - first] = given
        counts[i - first] = successors(p, out, data) if given == 0 else 0


def write_moves(first, last, indptr, indices, moves, data, found):
    """Write the index that each move leads to, row by row, as counted before."""
    out = np.empty(moves, np.int64)
    for i in range(first, last):
        if indptr[i - first] == indptr[i - first + 1]:
            continue
        count = successors(position_of(i, data, found), out, data)
        at = indptr[i - first]
        for k in range(count):
            indices[at + k] = index_of(canonical(out[k], data), data, found)


def sides(first, last, real, owner, data, found):
    """Write who moves at each index that is a position, ``owner`` and ``real`` [last - first]."""
    for i in range(first, last):
        if real[i - first]:
            owner[i - first] = player(position_of(i, data, found), data)
