"""Backward propagation level by level, by any number of threads.

Vertices belong to threads in turn, in blocks of 4096: vertex v to ``(v >> 12) & mask``. A level goes
in two steps. In the first, each thread reads the predecessors of its own part of the frontier and
sorts them into bins by whom they belong to. In the second, each thread takes the bins meant for it and
is the only one to change the state of its vertices. So nothing is locked, and nothing is decided
differently for another number of threads. Reading predecessors and changing state are loops of their
own also because the processor then waits for many of their cache misses at once.

A frontier entry is ``2 * w + s``: vertex and side, as in ``kernels.sweep``; a bin entry likewise is the
predecessor and the side of the vertex it leads to.
"""

BLOCK_SHIFT = 12


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


def gather(rindptr, rindices, queue, first, edge, last, mask, capacity, bins, filled):
    """Sort the predecessors of the entries ``first..last-1`` into bins, until one might overflow.

    ``bins`` [(mask + 1) * capacity] and ``filled`` [mask + 1] are this thread's own. Returns the entry
    and the edge to go on with; ``edge`` is -1 at the beginning of an entry.
    """
    for o in range(mask + 1):
        filled[o] = 0
    room = capacity
    i = first
    while i < last and room > 0:
        entry = queue[i]
        w = entry >> 1
        side = entry & 1
        begin = rindptr[w] if edge < 0 else edge
        end = min(rindptr[w + 1], begin + room)
        for e in range(begin, end):
            v = rindices[e]
            o = (v >> 12) & mask
            bins[o * capacity + filled[o]] = 2 * v + side
            filled[o] += 1
        room -= end - begin
        edge = end
        if end == rindptr[w + 1]:
            i += 1
            edge = -1
    return i, edge


def absorb(owner, owned, ties, remaining, queue, tail, bins, filled, mask, capacity, threads, o):
    """Take what ``threads`` threads have binned for thread ``o``; append what that decides.

    ``remaining`` [n] holds the open moves of undecided vertices, 0 for decided ones. ``queue`` is this
    thread's own; returns its new end.
    """
    for t in range(threads):
        at = (t * (mask + 1) + o) * capacity
        for i in range(at, at + filled[t * (mask + 1) + o]):
            entry = bins[i]
            v = entry >> 1
            left = remaining[v]
            if left <= 0:
                continue
            good = 1 if owned and owner[v] == 0 else 0
            wins = ties or (entry & 1) == good
            remaining[v] = 0 if wins else left - 1
            if wins or left == 1:
                queue[tail] = 2 * v + (good if wins == owned else 1 - good)
                tail += 1
    return tail


def settle(owner, owned, ties, level, value, remoteness, queue):
    """Write value and remoteness of the entries in ``queue``."""
    for i in range(len(queue)):
        entry = queue[i]
        v = entry >> 1
        won = ((entry & 1) == 1) != (owned and owner[v] == 1)
        value[v] = 3 if ties else (1 if won else 2)
        remoteness[v] = level


def run_levels(
    rindptr, rindices, owner, owned, ties, remaining, value, remoteness, queue, head, tail, level,
    widest, budget,
):  # fmt: skip
    """Run on one thread, first in, first out, for whole levels of at most ``widest`` entries.

    Stops at the end of a level when the next is wider, or ``budget`` edges have been visited.
    Returns the new ``head`` and ``tail`` of ``queue``, which delimit the frontier, and its level.
    """
    while head < tail and tail - head <= widest and budget > 0:
        end = tail
        level += 1
        while head < end:
            entry = queue[head]
            head += 1
            w = entry >> 1
            begin, stop = rindptr[w], rindptr[w + 1]
            budget -= stop - begin + 1
            for e in range(begin, stop):
                v = rindices[e]
                left = remaining[v]
                if left <= 0:
                    continue
                good = 1 if owned and owner[v] == 0 else 0
                wins = ties or (entry & 1) == good
                remaining[v] = 0 if wins else left - 1
                if wins or left == 1:
                    side = good if wins == owned else 1 - good
                    won = (side == 1) != (owned and owner[v] == 1)
                    value[v] = 3 if ties else (1 if won else 2)
                    remoteness[v] = level
                    queue[tail] = 2 * v + side
                    tail += 1
    return head, tail, level
