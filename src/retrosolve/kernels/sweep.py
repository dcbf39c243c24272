"""Pull sweeps over sets kept as bits: every undecided vertex looks at its successors.

Sets of vertices are bits, vertex v in byte v >> 3, so that for ten million vertices a set stays in
the cache. There are two, side by side in ``sides`` [2 * bytes]: where players alternate, side 0 holds
the LOSS vertices and side 1 the WIN vertices; where vertices have owners, side 1 holds what player 0
wins and side 0 what player 1 wins. Either way a vertex is decided by one rule: it joins side ``join``
if some successor is on side ``good``, and the other one if all of them are on side ``bad``.

A sweep reads only what was known before it, so its number is the remoteness of what it decides, and
vertices may be visited in any order and by any number of threads. Bytes are dealt to threads whole.
"""

from retrosolve.kernels.unsigned import at


def first_look(
    indptr, terminal, ended, owner, owned, stuck, sides, tied, decided, remoteness, first, last
):
    """Settle terminal and stuck vertices, in the bytes ``first..last-1`` of every set.

    ``terminal`` [n] is read only if ``ended``, ``owner`` [n] only if ``owned``; ``stuck`` is the
    value of a vertex with no way out. Bits past the last vertex count as decided. ``remoteness`` [n]
    becomes 0 or -1. Returns the largest out-degree.
    """
    n = len(indptr) - 1
    size = len(decided)
    largest = 0
    for byte in range(first, last):
        for k in range(8):
            v = 8 * byte + k
            bit = 1 << k
            if v >= n:
                decided[byte] |= bit
                continue
            degree = indptr[v + 1] - indptr[v]
            largest = max(largest, degree)
            value = terminal[v] if ended else 0
            if value == 0 and degree == 0:
                value = stuck
            remoteness[v] = -1 if value in (0, 255) else 0
            if value != 0:
                decided[byte] |= bit
            if value == 3:
                tied[byte] |= bit
            elif value in (1, 2):
                won = 1 if value == 1 else 0
                side = won if not owned or owner[v] == 0 else 1 - won
                sides[side * size + byte] |= bit
    return largest


def sweep(indptr, indices, owner, owned, sides, decided, fresh, news, remoteness, level, first, last):
    """Visit the undecided vertices in the bytes ``first..last-1``; put those decided into ``fresh``.

    ``news`` holds two bits: whether each side has grown in the sweep before, without which nobody
    can join on its account. ``fresh`` [2 * bytes] is overwritten. Returns the edges visited and the
    vertices decided.
    """
    size = len(decided)
    edges = 0
    found = 0
    for byte in range(first, last):
        fresh[at(byte)] = 0
        fresh[at(size + byte)] = 0
        known = decided[at(byte)]
        if known == 255:
            continue
        for k in range(8):
            if (known >> k) & 1:
                continue
            v = 8 * byte + k
            good = 0
            join = 1
            if owned:
                good = join = 0 if owner[at(v)] == 1 else 1
            some = (news >> good) & 1
            every = (news >> (1 - good)) & 1
            if not (some or every):
                continue
            at_good = good * size
            at_bad = (1 - good) * size
            hit = 0
            begin, end = indptr[at(v)], indptr[at(v + 1)]
            e = begin
            while e < end:
                w = indices[at(e)]
                e += 1
                of, bit = w >> 3, w & 7
                if every and not (sides[at(at_bad + of)] >> bit) & 1:
                    every = 0
                    if not some:
                        break
                if some and (sides[at(at_good + of)] >> bit) & 1:
                    hit = 1
                    break
            edges += e - begin
            if hit:
                fresh[at(join * size + byte)] |= 1 << k
            elif every:
                fresh[at((1 - join) * size + byte)] |= 1 << k
            else:
                continue
            found += 1
            remoteness[at(v)] = level
    return edges, found


def sweep_ties(indptr, indices, tied, decided, fresh, remoteness, level, first, last):
    """Visit the undecided vertices in these bytes; those with a tied successor go into ``fresh``."""
    edges = 0
    found = 0
    for byte in range(first, last):
        fresh[at(byte)] = 0
        known = decided[at(byte)]
        if known == 255:
            continue
        for k in range(8):
            if (known >> k) & 1:
                continue
            v = 8 * byte + k
            begin, end = indptr[at(v)], indptr[at(v + 1)]
            e = begin
            while e < end:
                w = indices[at(e)]
                e += 1
                if (tied[at(w >> 3)] >> (w & 7)) & 1:
                    fresh[at(byte)] |= 1 << k
                    found += 1
                    remoteness[at(v)] = level
                    break
            edges += e - begin
    return edges, found


def values(sides, tied, owner, owned, value, first, last):
    """Write out ``value`` [n] for the vertices in the bytes ``first..last-1``."""
    n = len(value)
    size = len(tied)
    for byte in range(first, last):
        for k in range(8):
            v = 8 * byte + k
            if v >= n:
                break
            if (sides[byte] >> k) & 1:
                value[v] = 1 if owned and owner[v] == 1 else 2
            elif (sides[size + byte] >> k) & 1:
                value[v] = 2 if owned and owner[v] == 1 else 1
            else:
                value[v] = 3 if (tied[byte] >> k) & 1 else 0
