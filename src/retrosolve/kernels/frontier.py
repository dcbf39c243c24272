"""Backward propagation level by level, on one thread or shared by any number.

A frontier entry is ``2 * w + side``, as in ``kernels.sweep``: where vertices have owners, side 1 is
what player 0 wins; where players alternate, what is won by who moves. ``state`` [n] holds
``2 * open + own``: the moves of a vertex that are still open, 0 once it is decided, and the side on
which it likes a successor to be. A successor on that side decides it, and so does the last one on the
other; either way it joins the side of the successor, or the other one if players alternate.

Most of an edge's time is waiting: for memory, and for branches that went another way than was
guessed. So levels go in batches. First comes where the rows of a batch are, then the rows, each of
which wait together. A row of at most ``SHORT_ROW`` edges is copied as so many, whatever comes after it,
and counted as long as it is: where it ends is nothing to guess. Then come the edges, without a branch:
what is decided goes to the end of the queue, and so does what is not, but then the end does not move.
The arrays that are appended to have a spare place for that.

To share a level, vertices are taken in ranges of 2^16, so few that the cache holds their state. Each
thread reads the predecessors of its own part of the frontier and sorts them into bins by range; then
each takes some of the ranges, and is the only one to change the state of their vertices. So nothing is
locked, nothing is decided differently for another number of threads, and the next frontier comes out
in order, so that the rows it asks for are read one after the other.
"""

import numpy as np

from retrosolve.kernels.unsigned import u64

RANGE_SHIFT = 16
MAX_FOUND, SHORT_ROW = 1 << 9, 4  # edges
BATCH = (
    128  # entries; where threads share a level, ``prefetch`` makes the compiler read the rows at once
)
MIN_SORTED = 1 << 8  # of a range
MAX_UINT8_DEGREE = 127  # the largest out-degree for which the state of a vertex fits a byte
MAX_NARROW = 32  # what is found is looked at so soon that guessing does better than waiting


def state_dtype(largest_degree: int, num_edges: int) -> type[np.integer]:
    """Return the narrowest dtype for the state of vertices of at most ``largest_degree`` edges."""
    if largest_degree <= MAX_UINT8_DEGREE:
        return np.uint8
    return np.int32 if 2 * num_edges + 1 <= np.iinfo(np.int32).max else np.int64


def seed(fresh, queue):
    """Put sets of vertices into a queue.

    Parameters
    ----------
    fresh : uint8 [2 * bytes]
        A set of vertices for each side, as bits.
    queue : int32 or int64 [n + 1]
        Overwritten with their entries, in order.

    Returns
    -------
    int
        The number of entries.
    """
    size = len(fresh) // 2
    tail = 0
    for byte in range(size):
        zero, one = fresh[byte], fresh[size + byte]
        if zero | one == 0:
            continue
        for k in range(8):
            if ((zero | one) >> k) & 1:
                queue[tail] = 2 * (8 * byte + k) + (1 if (one >> k) & 1 else 0)
                tail += 1
    return tail


def propagate(
    rindptr, rindices, state, alternating, ties, value, remoteness, queue, head, end, tail, level,
    widest, budget,
):  # fmt: skip
    """Run whole levels of at most ``widest`` entries on one thread, first in, first out.

    A level is settled, its values and remoteness written, when the one before it is done. Stops
    when the
    next level is wider, or empty; or anywhere once ``budget`` edges have been visited.

    Parameters
    ----------
    rindptr, rindices : integers [n + 1], [m]
        Rows of the predecessors.
    state : uint8, int32 or int64 [n]
        See the module; changed in place.
    alternating : int
        1 if players alternate, 0 if vertices have owners.
    ties : bool
        Whether ties are propagated, not wins and losses.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place.
    queue : int32 or int64 [n + 1]
        Entries; changed in place.
    head, end, tail : int
        ``queue[head:end]`` is of ``level``, ``queue[end:tail]`` of the next one.
    level, widest, budget : int
        The level, the widest one to run, and the edges to visit.

    Returns
    -------
    head, end, tail, level : int
        Where to go on.
    """
    found = np.empty(MAX_FOUND, queue.dtype)
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, rest, prefetch = len(rindices), np.int64(-1), 0
    while budget > 0 or rest >= 0:
        if head == end:
            if head == tail or tail - end > widest:
                break
            end = tail
            level += 1
        guess = end - head <= MAX_NARROW and rest < 0
        batch = min(BATCH, end - head)
        for i in range(batch):
            w = u64(queue[u64(head + i)] >> 1)
            begin = rindptr[w]
            begins[u64(i)] = begin
            ends[u64(i)] = rindptr[w + u64(1)]
            if guess and begin < edges:
                prefetch ^= rindices[u64(begin)]
        if guess:
            for i in range(batch):
                side = queue[u64(head + i)] & 1
                budget -= ends[u64(i)] - begins[u64(i)] + 1
                for e in range(begins[u64(i)], ends[u64(i)]):
                    v = np.int64(rindices[u64(e)])
                    s = state[u64(v)]
                    if s >= 4 and not ties and (s & 1) != side:
                        state[u64(v)] = s - 2
                    elif s >= 2:
                        state[u64(v)] = s & 1
                        queue[u64(tail)] = 2 * v + (side ^ alternating)
                        tail += 1
            head += batch
        else:
            if rest >= 0:
                begins[0] = rest
            count, i = np.int64(0), np.int64(0)
            while i < batch and count <= MAX_FOUND - SHORT_ROW:
                side = queue[u64(head + i)] & 1
                begin = begins[u64(i)]
                length, rest = ends[u64(i)] - begin, np.int64(-1)
                if length <= SHORT_ROW and begin + SHORT_ROW <= edges:
                    for e in range(SHORT_ROW):
                        found[u64(count + e)] = 2 * np.int64(rindices[u64(begin + e)]) + side
                else:
                    if length > MAX_FOUND - count:
                        length = MAX_FOUND - count
                        rest = begin + length
                    for e in range(length):
                        found[u64(count + e)] = 2 * np.int64(rindices[u64(begin + e)]) + side
                count += length
                i += rest < 0
            head += i
            budget -= count + 1
            for i in range(count):
                entry = found[u64(i)]
                v = u64(entry >> 1)
                s = state[v]
                left = s - 2 if s >= 2 else s
                left = s & 1 if ties or (s ^ entry) & 1 == 0 else left
                state[v] = left
                queue[u64(tail)] = entry ^ alternating
                tail += (s >= 2) & (left < 2)
        if head == end:
            for i in range(end, tail):
                entry = queue[u64(i)]
                v = u64(entry >> 1)
                remoteness[v] = level + 1
                value[v] = 3 if ties else (1 if (entry ^ state[v] ^ alternating) & 1 == 0 else 2)
    begins[0] = prefetch
    return head, end, tail, level


def scatter_to_bins(rindptr, rindices, queue, start, edge, stop, capacity, bins, filled):
    """Sort the predecessors of entries into bins by range, until one is full.

    Parameters
    ----------
    rindptr, rindices : integers [n + 1], [m]
        Rows of the predecessors.
    queue : int32 or int64 [n + 1]
        Entries.
    start, stop : int
        The entries ``start..stop-1`` to work on.
    edge : int
        The edge of the first of them to go on with, -1 at its beginning.
    capacity : int
        The edges that a bin holds.
    bins, filled : int32 or int64 [ranges * capacity], int64 [ranges]
        Bins of this thread, overwritten, and how much of each is used.

    Returns
    -------
    start, edge : int
        The entry and the edge to go on with.
    """
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, prefetch = len(rindices), 0
    filled[:] = 0
    full = False
    while start < stop and not full:
        batch = min(BATCH, stop - start)
        for i in range(batch):
            w = u64(queue[u64(start + i)] >> 1)
            begin = rindptr[w]
            begins[u64(i)] = begin
            ends[u64(i)] = rindptr[w + u64(1)]
            if begin < edges:
                prefetch ^= rindices[u64(begin)]
        if edge >= 0:
            begins[0] = edge
            edge = -1
        for i in range(batch):
            side = queue[u64(start + i)] & 1
            for e in range(begins[u64(i)], ends[u64(i)]):
                v = rindices[u64(e)]
                r = v >> RANGE_SHIFT
                count = filled[u64(r)]
                if count == capacity:
                    full = True
                    edge = e
                    break
                bins[u64(r * capacity + count)] = 2 * v + side
                filled[u64(r)] = count + 1
            if full:
                batch = i
                break
        start += batch
    begins[0] = prefetch
    return start, edge


def apply_bins(state, alternating, ties, found, counts, bins, filled, capacity, start, stop):
    """Apply what all threads have binned for some ranges; append what that decides to ``found``.

    Parameters
    ----------
    state, alternating, ties
        As in ``propagate``.
    found : int32 or int64 [n + ranges]
        Decided entries; each range has a part of its own.
    counts : int64 [ranges]
        How much of each part is used; changed in place.
    bins, filled : int32 or int64 [threads * ranges * capacity], int64 [threads, ranges]
        The bins of all threads, and how much of each is used.
    capacity : int
        The edges that a bin holds.
    start, stop : int
        The ranges ``start..stop-1`` to work on.
    """
    threads, ranges = filled.shape
    for r in range(start, stop):
        tail = (r << RANGE_SHIFT) + r + counts[r]
        for t in range(threads):
            base = (t * ranges + r) * capacity
            for i in range(base, base + filled[t, r]):
                entry = bins[u64(i)]
                v = u64(entry >> 1)
                s = state[v]
                left = s - 2 if s >= 2 else s
                left = s & 1 if ties or (s & 1) == (entry & 1) else left
                state[v] = left
                found[u64(tail)] = entry ^ alternating
                tail += (s >= 2) & (left < 2)
        counts[r] = tail - (r << RANGE_SHIFT) - r


def commit_level(
    state, alternating, ties, level, value, remoteness, found, counts, places, queue, start, stop
):
    """Settle what was found in some ranges and put it into the queue.

    The entries of a range come in the order of their numbers, unless there are few: rows are
    then read one
    after the other.

    Parameters
    ----------
    state, alternating, ties, value, remoteness
        As in ``propagate``.
    level : int
        The remoteness of what was found.
    found, counts
        As in ``apply_bins``.
    places : int64 [ranges]
        Where the entries of each range go in ``queue``.
    queue : int32 or int64 [n + 1]
        Changed in place.
    start, stop : int
        The ranges ``start..stop-1`` to work on.
    """
    marks = np.zeros(1 << RANGE_SHIFT, np.uint8)
    words = marks.view(np.uint64)
    for r in range(start, stop):
        base = (r << RANGE_SHIFT) + r
        low = r << RANGE_SHIFT
        count = counts[r]
        if count < MIN_SORTED:
            for i in range(count):
                entry = found[u64(base + i)]
                v = u64(entry >> 1)
                remoteness[v] = level
                value[v] = 3 if ties else (1 if (entry ^ state[v] ^ alternating) & 1 == 0 else 2)
                queue[u64(places[r] + i)] = entry
            continue
        for i in range(count):
            entry = found[u64(base + i)]
            marks[u64(entry >> 1) - u64(low)] = 2 + (entry & 1)
        tail = places[r]
        for w in range(len(words)):
            if words[u64(w)] == 0:
                continue
            for k in range(8 * w, 8 * w + 8):
                mark = marks[u64(k)]
                if mark == 0:
                    continue
                entry = 2 * np.int64(low + k) + (mark & 1)
                queue[u64(tail)] = entry
                tail += 1
                remoteness[u64(low + k)] = level
                value[u64(low + k)] = (
                    3 if ties else (1 if (entry ^ state[u64(low + k)] ^ alternating) & 1 == 0 else 2)
                )
            words[u64(w)] = 0
