"""Backward propagation level by level, on one thread or shared by any number.

A frontier entry is ``2 * w + side``, as in ``kernels.sweep``: where vertices have owners, side 1 is what
player 0 wins; where players alternate, what is won by who moves. ``state`` [n] holds ``2 * open + own``:
the moves of a vertex that are still open, 0 once it is decided, and the side on which it likes a
successor to be. A successor on that side decides it, and so does the last one on the other; either
way it joins the side of the successor, or with ``flip`` (players alternate) the other side.

Most of an edge's time is waiting: for memory, and for branches that went another way than was guessed.
So wide levels go in batches. First the row starts of a batch are read, which wait together; then its
edges, without a branch: what is decided goes to the end of the queue, and so does what is not, but
then the end does not move. The arrays that are appended to are one longer for that.

To share a level, vertices belong to threads in turn, in blocks of 4096: vertex v to ``(v >> 12) & mask``.
Each thread reads the predecessors of its own part of the frontier and sorts them into bins by whom
they belong to; then each takes the bins meant for it and is the only one to change the state of its
vertices. So nothing is locked, and nothing is decided differently for another number of threads.

A pattern, for ``begin_batch``.
"""

import numpy as np

from retrosolve.kernels.index import at

BLOCK_SHIFT = 12
BATCH = 128
NARROW = 32  # what is found is looked at so soon that guessing does better than waiting

INLINED = ("begin_batch",)


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


def begin_batch(rindptr, state, flip, ties, level, value, remoteness, queue, head, batch, begins, ends):
    """Settle ``batch`` entries from ``head`` on, and give where their rows begin and end."""
    for i in range(batch):
        entry = queue[at(head + i)]
        w = at(entry >> 1)
        remoteness[w] = level
        value[w] = 3 if ties else (1 if (entry ^ state[w] ^ flip) & 1 == 0 else 2)
        begins[at(i)] = rindptr[w]
        ends[at(i)] = rindptr[w + at(1)]


def run_levels(
    rindptr, rindices, state, flip, ties, value, remoteness, queue, head, end, tail, level, widest,
    budget,
):  # fmt: skip
    """Run on one thread, first in, first out, for whole levels of at most ``widest`` entries.

    ``queue[head:end]`` is of ``level``, ``queue[end:tail]`` of the next one. An entry is settled, its
    value and remoteness written, when it is taken. Stops before a wider level, at the end of the queue, or
    when ``budget`` edges have been visited. Returns the new ``head``, ``end``, ``tail`` and ``level``.
    """
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    while budget > 0:
        if head == end:
            if head == tail or tail - end > widest:
                break
            end = tail
            level += 1
        batch = min(BATCH, end - head)
        guess = end - head <= NARROW
        begin_batch(
            rindptr, state, flip, ties, level, value, remoteness, queue, head, batch, begins, ends
        )
        for i in range(batch):
            joins = queue[at(head + i)] & 1
            begin, stop = begins[at(i)], ends[at(i)]
            budget -= stop - begin + 1
            if guess:
                for e in range(begin, stop):
                    v = rindices[at(e)]
                    s = state[at(v)]
                    if s < 2:
                        continue
                    if ties or (s & 1) == joins or s < 4:
                        state[at(v)] = s & 1
                        queue[at(tail)] = 2 * v + (joins ^ flip)
                        tail += 1
                    else:
                        state[at(v)] = s - 2
                continue
            for e in range(begin, stop):
                v = rindices[at(e)]
                s = state[at(v)]
                left = s - 2 if s >= 2 else s
                left = s & 1 if ties or (s & 1) == joins else left
                state[at(v)] = left
                queue[at(tail)] = 2 * v + (joins ^ flip)
                tail += (s >= 2) & (left < 2)
        head += batch
    return head, end, tail, level


def gather(
    rindptr, rindices, state, flip, ties, level, value, remoteness, queue, first, edge, last, mask,
    capacity, bins, filled,
):  # fmt: skip
    """Settle the entries ``first..last-1``, and sort their predecessors into bins until one might overflow.

    ``bins`` [(mask + 1) * capacity] and ``filled`` [mask + 1] are this thread's own. Returns the entry
    and the edge to go on with; ``edge`` is -1 at the beginning of an entry.
    """
    begins, ends = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
    for o in range(mask + 1):
        filled[o] = 0
    room = capacity
    while first < last and room > 0:
        batch = min(BATCH, last - first)
        begin_batch(
            rindptr, state, flip, ties, level, value, remoteness, queue, first, batch, begins, ends
        )
        i = 0
        while i < batch and room > 0:
            joins = queue[at(first + i)] & 1
            begin = begins[at(i)] if edge < 0 else edge
            end = min(ends[at(i)], begin + room)
            for e in range(begin, end):
                v = rindices[at(e)]
                o = (v >> BLOCK_SHIFT) & mask
                bins[at(o * capacity + filled[at(o)])] = 2 * v + joins
                filled[at(o)] += 1
            room -= end - begin
            edge = end
            if end == ends[at(i)]:
                i += 1
                edge = -1
        first += i
    return first, edge


def absorb(state, flip, ties, queue, tail, bins, filled, mask, capacity, threads, o):
    """Take what ``threads`` threads have binned for thread ``o``; append what that decides.

    ``queue`` is this thread's own; returns its new end.
    """
    for t in range(threads):
        start = (t * (mask + 1) + o) * capacity
        for i in range(start, start + filled[t * (mask + 1) + o]):
            entry = bins[at(i)]
            v = at(entry >> 1)
            s = state[v]
            left = s - 2 if s >= 2 else s
            left = s & 1 if ties or (s & 1) == (entry & 1) else left
            state[v] = left
            queue[at(tail)] = entry ^ flip
            tail += (s >= 2) & (left < 2)
    return tail
