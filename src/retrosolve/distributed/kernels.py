"""Retrograde analysis of the vertices of one partition.

``state`` [size] is that of ``kernels.open_moves``, ``2 * open + own``, and ``words`` [size] the packed
words of ``kernels.words``. A vertex with a pending win has one open move more than it has edges, so
that it never becomes a LOSS; one with a pending loss has none.

Edges are kept by target, in buckets of ``2 ** shift`` vertices: ``starts`` [buckets + 1] says where
each begins, and an edge is ``source << shift | target & mask``, the source counted from the first
vertex of the partition. Where ``shift`` is 0 these are ordinary rows; otherwise memory depends on the
edges only.
"""

import numpy as np

from retrosolve.kernels.unsigned import u64
from retrosolve.kernels.words import (
    LOSS,
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
)


def initialise_rows(
    start, indptr, targets, terminals, own, below, earlier, owner, alternating, stuck, state, words,
    tie_levels, kept_source, kept_target,
):  # fmt: skip
    """Settle what is terminal, stuck or decided by earlier tiers; keep the edges within the tier.

    Parameters
    ----------
    start : int
        The first vertex of the rows, counted from the first of the partition.
    indptr, targets : integers [rows + 1], [m]
        Rows of successors.
    terminals : uint8 [rows]
        Terminal values.
    own : uint8 [rows]
        The side on which each vertex likes a successor to be.
    below : int
        Where the tier begins.
    earlier : words [below] or more
        The words of earlier tiers.
    owner : uint8 [below] or more, or [1]
        Who moves in earlier tiers, unless players alternate.
    alternating : int
        1 if players alternate, 0 if vertices have owners.
    stuck : int
        The value of a vertex without edges.
    state, words : unsigned integers [size]
        Overwritten for these vertices.
    tie_levels : uint32 [size] or [0]
        Gets the level at which a vertex inherits a TIE, if it has room.
    kept_source, kept_target : uint32 or int64 [m], int32 or int64 [m]
        Overwritten with the edges within the tier, both ends counted from where it begins, the source
        from the first vertex of the partition.

    Returns
    -------
    kept, bad : int
        The number of edges kept, and a row with a move to an INVALID index, -1 if there is none.
    """
    kept, bad = 0, -1
    for i in range(len(indptr) - 1):
        v = u64(start + i)
        state[v] = own[u64(i)]
        begin, end = indptr[u64(i)], indptr[u64(i + 1)]
        given = terminals[u64(i)]
        if given != 0 or begin == end:
            words[v] = code_of(given) if given != 0 else stuck
            continue
        win, floor, tie, left = 0, 0, 0, 0
        for e in range(begin, end):
            j = np.int64(targets[u64(e)])
            if j >= below:
                kept_source[u64(kept)] = start + i
                kept_target[u64(kept)] = j - below
                kept += 1
                left += 1
                continue
            word = np.int64(earlier[u64(j)])
            code, level = code_of(word), remoteness_of(word) + 1
            if code in (WIN, LOSS):
                side = (code == WIN) ^ (owner[u64(j)] == 1) if alternating == 0 else code == WIN
                if side == own[u64(i)]:
                    win = level if win == 0 else min(win, level)
                else:
                    floor = max(floor, level)
                continue
            left += 1
            if code == TIE:
                tie = level if tie == 0 else min(tie, level)
            elif code != OPEN:
                bad = i
        if win > 0:
            words[v] = pack(PENDING_WIN, win)
            left += 1
        elif left == 0:
            words[v] = pack(PENDING_LOSS, floor)
        elif floor > 0:
            words[v] = pack(LOSS_NOT_BEFORE, floor)
        else:
            words[v] = OPEN
        state[v] += 2 * left
        if tie > 0 and len(tie_levels) > 0:
            tie_levels[v] = tie
    return kept, bad


def count_buckets(targets, shift, starts):
    """Count the edges of each bucket, at the place after it.

    Parameters
    ----------
    targets : int32 or int64 [m]
        The target of each edge.
    shift : int
        See the module.
    starts : int64 [buckets + 1]
        Added to.
    """
    for e in range(len(targets)):
        starts[u64((targets[u64(e)] >> shift) + 1)] += 1


def deal_buckets(sources, targets, shift, cursor, edges):
    """Put edges into their buckets.

    Parameters
    ----------
    sources, targets : integers [m]
        The ends of each edge.
    shift : int
        See the module.
    cursor : int64 [buckets + 1]
        Where each bucket begins; changed in place.
    edges : uint32 or uint64 [m]
        Overwritten.
    """
    mask = (1 << shift) - 1
    for e in range(len(targets)):
        target = np.int64(targets[u64(e)])
        bucket = u64(target >> shift)
        edges[u64(cursor[bucket])] = (np.int64(sources[u64(e)]) << shift) | (target & mask)
        cursor[bucket] += 1


def notify_sources(
    starts, edges, shift, first, entries, alternating, ties, level, state, words, found, late
):
    """Notify the sources of the edges that lead to what a partition has decided.

    Parameters
    ----------
    starts, edges, shift
        See the module.
    first : int
        The first vertex of that partition, counted from where the tier begins.
    entries : uint32 or uint64 [k]
        What it has decided, as in ``cluster.messages``.
    alternating, ties
        As in ``csr.propagation.propagate``.
    level : int
        The remoteness of the entries.
    state, words
        See the module; changed in place.
    found, late : uint32 or uint64 [size + 1], [size + 1]
        Overwritten with entries that are decided, and with vertices whose last move has lost but whose
        remoteness is larger than ``level + 1``.

    Returns
    -------
    found, late : int
        The number of each.
    """
    mask = (1 << shift) - 1
    num_found, num_late = 0, 0
    for i in range(len(entries)):
        entry = np.int64(entries[u64(i)])
        w, side = first + (entry >> 1), entry & 1
        bucket = u64(w >> shift)
        for e in range(starts[bucket], starts[bucket + u64(1)]):
            edge = np.int64(edges[u64(e)])
            if (edge ^ w) & mask != 0:
                continue
            v = edge >> shift
            s = np.int64(state[u64(v)])
            if s < 2:
                continue
            if ties or (s & 1) == side:
                word = np.int64(words[u64(v)])
                if code_of(word) == PENDING_WIN and remoteness_of(word) <= level + 1:
                    continue
            elif s >= 4:
                state[u64(v)] = s - 2
                continue
            else:
                word = np.int64(words[u64(v)])
                if code_of(word) == LOSS_NOT_BEFORE and remoteness_of(word) > level + 1:
                    words[u64(v)] = pack(PENDING_LOSS, remoteness_of(word))
                    state[u64(v)] = s & 1
                    late[u64(num_late)] = v
                    num_late += 1
                    continue
            state[u64(v)] = s & 1
            won = (s & 1) == side
            words[u64(v)] = pack(TIE if ties else (WIN if won else LOSS), level + 1)
            found[u64(num_found)] = 2 * v + (side ^ alternating)
            num_found += 1
    return num_found, num_late
