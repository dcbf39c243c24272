"""Backward propagation level by level, by any number of threads.

Vertices belong to threads in turn, in blocks of 4096: vertex v to ``(v >> 12) & mask``. A level goes
in two steps. In the first, each thread reads the predecessors of its own part of the frontier and
sorts them into bins by whom they belong to. In the second, each thread takes the bins meant for it and
is the only one to change the state of its vertices. So nothing is locked, and nothing is decided
differently for another number of threads. Reading predecessors and changing state are loops of their
own also because the processor then waits for many of their cache misses at once.

A frontier entry is ``2 * w + s``: vertex and side, as in ``kernels.sweep``; a bin entry likewise is the
predecessor and the side of the vertex it leads to. ``queue`` holds, for each thread from its ``base``
on, all entries of its vertices in the order in which they were decided.
"""

BLOCK_SHIFT = 12


def enter(fresh, mask, queue, tails):
    """Put the vertices in ``fresh`` [2 * bytes], a set for each side, at the ends of ``queue``."""
    size = len(fresh) // 2
    for byte in range(size):
        zero, one = fresh[byte], fresh[size + byte]
        if zero | one == 0:
            continue
        for k in range(8):
            if ((zero | one) >> k) & 1:
                v = 8 * byte + k
                o = (v >> 12) & mask
                queue[tails[o]] = 2 * v + ((one >> k) & 1)
                tails[o] += 1


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

    ``remaining`` [n] holds the open moves of undecided vertices, 0 for decided ones. Returns the new
    end of this thread's part of ``queue``.
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


def settle(owner, owned, ties, level, value, remoteness, queue, first, last):
    """Write value and remoteness of the entries ``first..last-1``."""
    for i in range(first, last):
        entry = queue[i]
        v = entry >> 1
        won = ((entry & 1) == 1) != (owned and owner[v] == 1)
        value[v] = 3 if ties else (1 if won else 2)
        remoteness[v] = level


def run_levels(
    rindptr, rindices, owner, owned, ties, remaining, value, remoteness, queue, mask, ends, heads,
    tails, batch, level, widest, budget,
):  # fmt: skip
    """Run whole levels on one thread while frontiers are at most ``widest``, for ``budget`` edges.

    ``heads`` and ``tails`` [mask + 1] delimit the frontier in each thread's part of ``queue``;
    ``ends`` [mask + 1] and ``batch`` are scratch. Returns the level reached and the width of the
    frontier that is left.
    """
    threads = mask + 1
    while True:
        width = 0
        for o in range(threads):
            width += tails[o] - heads[o]
            ends[o] = tails[o]
        if width == 0 or width > widest or budget <= 0:
            return level, width
        level += 1
        for part in range(threads):
            i = heads[part]
            edge = -1
            while i < ends[part]:
                k = 0
                while i < ends[part] and k < len(batch):
                    entry = queue[i]
                    w = entry >> 1
                    begin = rindptr[w] if edge < 0 else edge
                    end = min(rindptr[w + 1], begin + len(batch) - k)
                    for e in range(begin, end):
                        batch[k] = 2 * rindices[e] + (entry & 1)
                        k += 1
                    edge = end
                    if end == rindptr[w + 1]:
                        i += 1
                        edge = -1
                budget -= k
                for j in range(k):
                    entry = batch[j]
                    v = entry >> 1
                    left = remaining[v]
                    if left <= 0:
                        continue
                    good = 1 if owned and owner[v] == 0 else 0
                    wins = ties or (entry & 1) == good
                    remaining[v] = 0 if wins else left - 1
                    if wins or left == 1:
                        o = (v >> 12) & mask
                        queue[tails[o]] = 2 * v + (good if wins == owned else 1 - good)
                        tails[o] += 1
        budget -= width
        for o in range(threads):
            heads[o] = ends[o]
            for i in range(heads[o], tails[o]):
                entry = queue[i]
                v = entry >> 1
                won = ((entry & 1) == 1) != (owned and owner[v] == 1)
                value[v] = 3 if ties else (1 if won else 2)
                remoteness[v] = level
