"""Backward propagation level by level, on one thread or shared by any number.

A frontier entry is ``2 * w + side``, as in ``kernels.sweep``: where vertices have owners, side 1 is
what player 0 wins; where players alternate, what is won by who moves. ``state`` [n] holds
``2 * open + own``: the moves of a vertex that are still open, 0 once it is decided, and the side on
which it likes a successor to be. A successor on that side decides it, and so does the last one on the
other; either way it joins the side of the successor, or with ``flip`` (players alternate) the other.

Most of an edge's time is waiting: for memory, and for branches that went another way than was
guessed. So levels go in batches. First comes where the rows of a batch are, then the rows, each of
which wait together. A row of at most ``AT_ONCE`` edges is copied as so many, whatever comes after it,
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

from retrosolve.kernels.unsigned import at

RANGE_SHIFT = 16
FOUND, AT_ONCE = 1 << 9, 4  # edges
BATCH = 128  # entries; where threads share a level, ``met`` makes the compiler read the rows at once
FEWEST_SORTED = 1 << 8  # of a range
NARROW = 32  # what is found is looked at so soon that guessing does better than waiting


def enter(fresh, queue):
    """Put the vertices in ``fresh`` [2 * bytes], a set for each side, into ``queue``; count them."""
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


def run_levels(
    rindptr, rindices, state, flip, ties, value, remoteness, queue, head, end, tail, level, widest,
    budget,
):  # fmt: skip
    """Run on one thread, first in, first out, for whole levels of at most ``widest`` entries.

    ``queue[head:end]`` is of ``level``, ``queue[end:tail]`` of the next one, which is settled, its
    values and remoteness written, when the level is done. Stops then if the next one is wider, or
    empty; or anywhere once ``budget`` edges have been visited. Returns the new ``head``, ``end``,
    ``tail`` and ``level``.
    """
    found = np.empty(FOUND, queue.dtype)
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, rest, met = len(rindices), np.int64(-1), 0
    while budget > 0 or rest >= 0:
        if head == end:
            if head == tail or tail - end > widest:
                break
            end = tail
            level += 1
        guess = end - head <= NARROW and rest < 0
        batch = min(BATCH, end - head)
        for i in range(batch):
            w = at(queue[at(head + i)] >> 1)
            begin = rindptr[w]
            begins[at(i)] = begin
            ends[at(i)] = rindptr[w + at(1)]
            if guess and begin < edges:
                met ^= rindices[at(begin)]
        if guess:
            for i in range(batch):
                joins = queue[at(head + i)] & 1
                budget -= ends[at(i)] - begins[at(i)] + 1
                for e in range(begins[at(i)], ends[at(i)]):
                    v = np.int64(rindices[at(e)])
                    s = state[at(v)]
                    if s >= 4 and not ties and (s & 1) != joins:
                        state[at(v)] = s - 2
                    elif s >= 2:
                        state[at(v)] = s & 1
                        queue[at(tail)] = 2 * v + (joins ^ flip)
                        tail += 1
            head += batch
        else:
            if rest >= 0:
                begins[0] = rest
            count, i = np.int64(0), np.int64(0)
            while i < batch and count <= FOUND - AT_ONCE:
                joins = queue[at(head + i)] & 1
                begin = begins[at(i)]
                length, rest = ends[at(i)] - begin, np.int64(-1)
                if length <= AT_ONCE and begin + AT_ONCE <= edges:
                    for e in range(AT_ONCE):
                        found[at(count + e)] = 2 * np.int64(rindices[at(begin + e)]) + joins
                else:
                    if length > FOUND - count:
                        length = FOUND - count
                        rest = begin + length
                    for e in range(length):
                        found[at(count + e)] = 2 * np.int64(rindices[at(begin + e)]) + joins
                count += length
                i += rest < 0
            head += i
            budget -= count + 1
            for i in range(count):
                entry = found[at(i)]
                v = at(entry >> 1)
                s = state[v]
                left = s - 2 if s >= 2 else s
                left = s & 1 if ties or (s ^ entry) & 1 == 0 else left
                state[v] = left
                queue[at(tail)] = entry ^ flip
                tail += (s >= 2) & (left < 2)
        if head == end:
            for i in range(end, tail):
                entry = queue[at(i)]
                v = at(entry >> 1)
                remoteness[v] = level + 1
                value[v] = 3 if ties else (1 if (entry ^ state[v] ^ flip) & 1 == 0 else 2)
    begins[0] = met
    return head, end, tail, level


def gather(rindptr, rindices, queue, first, edge, last, capacity, bins, filled):
    """Sort the predecessors of the entries ``first..last-1`` into bins by range, until one is full.

    ``bins`` [ranges * capacity] and ``filled`` [ranges] are this thread's own. Returns the entry and
    the edge to go on with; ``edge`` is -1 at the beginning of an entry.
    """
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    edges, met = len(rindices), 0
    filled[:] = 0
    full = False
    while first < last and not full:
        batch = min(BATCH, last - first)
        for i in range(batch):
            w = at(queue[at(first + i)] >> 1)
            begin = rindptr[w]
            begins[at(i)] = begin
            ends[at(i)] = rindptr[w + at(1)]
            if begin < edges:
                met ^= rindices[at(begin)]
        if edge >= 0:
            begins[0] = edge
            edge = -1
        for i in range(batch):
            joins = queue[at(first + i)] & 1
            for e in range(begins[at(i)], ends[at(i)]):
                v = rindices[at(e)]
                r = v >> RANGE_SHIFT
                count = filled[at(r)]
                if count == capacity:
                    full = True
                    edge = e
                    break
                bins[at(r * capacity + count)] = 2 * v + joins
                filled[at(r)] = count + 1
            if full:
                batch = i
                break
        first += batch
    begins[0] = met
    return first, edge


def absorb(state, flip, ties, found, counts, bins, filled, capacity, first, last):
    """Take what all threads have binned for the ranges ``first..last-1``; append what that decides.

    ``bins`` [threads * ranges * capacity] and ``filled`` [threads, ranges] are those of all threads.
    Each range has a part of ``found`` of its own, ``counts`` [ranges] tells how much of it is used.
    """
    threads, ranges = filled.shape
    for r in range(first, last):
        tail = (r << RANGE_SHIFT) + r + counts[r]
        for t in range(threads):
            start = (t * ranges + r) * capacity
            for i in range(start, start + filled[t, r]):
                entry = bins[at(i)]
                v = at(entry >> 1)
                s = state[v]
                left = s - 2 if s >= 2 else s
                left = s & 1 if ties or (s & 1) == (entry & 1) else left
                state[v] = left
                found[at(tail)] = entry ^ flip
                tail += (s >= 2) & (left < 2)
        counts[r] = tail - (r << RANGE_SHIFT) - r


def append(state, flip, ties, level, value, remoteness, found, counts, places, queue, first, last):
    """Settle what was found in the ranges ``first..last-1``; put it into ``queue`` at ``places``.

    In the order of their numbers, unless there are few: rows are then met one after the other.
    """
    marks = np.zeros(1 << RANGE_SHIFT, np.uint8)
    words = marks.view(np.uint64)
    for r in range(first, last):
        start = (r << RANGE_SHIFT) + r
        low = r << RANGE_SHIFT
        count = counts[r]
        if count < FEWEST_SORTED:
            for i in range(count):
                entry = found[at(start + i)]
                v = at(entry >> 1)
                remoteness[v] = level
                value[v] = 3 if ties else (1 if (entry ^ state[v] ^ flip) & 1 == 0 else 2)
                queue[at(places[r] + i)] = entry
            continue
        for i in range(count):
            entry = found[at(start + i)]
            marks[at(entry >> 1) - at(low)] = 2 + (entry & 1)
        tail = places[r]
        for w in range(len(words)):
            if words[at(w)] == 0:
                continue
            for k in range(8 * w, 8 * w + 8):
                mark = marks[at(k)]
                if mark == 0:
                    continue
                entry = 2 * np.int64(low + k) + (mark & 1)
                queue[at(tail)] = entry
                tail += 1
                remoteness[at(low + k)] = level
                value[at(low + k)] = (
                    3 if ties else (1 if (entry ^ state[at(low + k)] ^ flip) & 1 == 0 else 2)
                )
            words[at(w)] = 0
