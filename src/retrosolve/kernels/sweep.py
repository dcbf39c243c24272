"""Pull sweeps over sets kept as bits: every undecided vertex looks at its successors.

Sets of vertices are bits, vertex v in byte v >> 3, so that for ten million vertices a set stays in
the cache. There are two, side by side in ``sides`` [2 * bytes]: where players alternate, side 0 holds
the LOSS vertices and side 1 the WIN vertices; where vertices have owners, side 1 holds what player 0
wins and side 0 what player 1 wins. Either way a vertex is decided by one rule: it joins side ``join``
if some successor is on side ``good``, and the other one if all of them are on side ``bad``.

A sweep reads only what was known before it, so its number is the remoteness of what it decides, and
vertices may be visited in any order and by any number of threads. Bytes are dealt to threads whole.
"""

from retrosolve.kernels.codes import INVALID
from retrosolve.kernels.unsigned import u64


def initialise(
    indptr, terminal, has_terminals, owner, owned, stuck, sides, tied, decided, remoteness, start,
    stop,
):  # fmt: skip
    """Settle terminal vertices and those without moves.

    Parameters
    ----------
    indptr : int32 or int64 [n + 1]
        Row starts.
    terminal, owner : uint8 [n]
        Terminal values, read only if ``has_terminals``; the player to move, read only if ``owned``.
    has_terminals, owned : bool
        Whether there are terminal values, and owners.
    stuck : int
        The value of a vertex without moves.
    sides, tied, decided : uint8 [2 * bytes], [bytes], [bytes]
        Sets of vertices, all empty before. Bits past the last vertex are set in ``decided``.
    remoteness : int32 or int64 [n]
        Overwritten with 0 or, where undecided, -1.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.

    Returns
    -------
    int
        The largest out-degree.
    """
    n = len(indptr) - 1
    size = len(decided)
    largest = 0
    for byte in range(start, stop):
        for k in range(8):
            v = 8 * byte + k
            bit = 1 << k
            if v >= n:
                decided[byte] |= bit
                continue
            degree = indptr[v + 1] - indptr[v]
            largest = max(largest, degree)
            value = terminal[v] if has_terminals else 0
            if value == 0 and degree == 0:
                value = stuck
            remoteness[v] = -1 if value in (0, INVALID) else 0
            if value != 0:
                decided[byte] |= bit
            if value == 3:
                tied[byte] |= bit
            elif value in (1, 2):
                won = 1 if value == 1 else 0
                side = won if not owned or owner[v] == 0 else 1 - won
                sides[side * size + byte] |= bit
    return largest


def sweep(indptr, indices, owner, owned, sides, decided, fresh, news, remoteness, level, start, stop):
    """Visit the undecided vertices; put those decided into ``fresh``.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners.
    sides, decided : uint8 [2 * bytes], [bytes]
        What was known before this sweep.
    fresh : uint8 [2 * bytes]
        Overwritten with what joins each side.
    news : int
        Two bits: whether each side grew in the last sweep, without which nobody can join because of it.
    remoteness : int32 or int64 [n]
        Changed in place for what is decided.
    level : int
        The remoteness of what is decided.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.

    Returns
    -------
    edges, found : int
        The edges visited and the vertices decided.
    """
    size = len(decided)
    edges = 0
    found = 0
    for byte in range(start, stop):
        fresh[u64(byte)] = 0
        fresh[u64(size + byte)] = 0
        known = decided[u64(byte)]
        if known == 255:
            continue
        for k in range(8):
            if (known >> k) & 1:
                continue
            v = 8 * byte + k
            good = 0
            join = 1
            if owned:
                good = join = 0 if owner[u64(v)] == 1 else 1
            some = (news >> good) & 1
            every = (news >> (1 - good)) & 1
            if not (some or every):
                continue
            at_good = good * size
            at_bad = (1 - good) * size
            hit = 0
            begin, end = indptr[u64(v)], indptr[u64(v + 1)]
            e = begin
            while e < end:
                w = indices[u64(e)]
                e += 1
                of, bit = w >> 3, w & 7
                if every and not (sides[u64(at_bad + of)] >> bit) & 1:
                    every = 0
                    if not some:
                        break
                if some and (sides[u64(at_good + of)] >> bit) & 1:
                    hit = 1
                    break
            edges += e - begin
            if hit:
                fresh[u64(join * size + byte)] |= 1 << k
            elif every:
                fresh[u64((1 - join) * size + byte)] |= 1 << k
            else:
                continue
            found += 1
            remoteness[u64(v)] = level
    return edges, found


def sweep_ties(indptr, indices, tied, decided, fresh, remoteness, level, start, stop):
    """Visit the undecided vertices; put those with a tied successor into ``fresh``.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    tied, decided, fresh : uint8 [bytes], [bytes], [2 * bytes]
        What was known before; the first half of ``fresh`` is overwritten.
    remoteness, level, start, stop
        As in ``sweep``.

    Returns
    -------
    edges, found : int
        The edges visited and the vertices decided.
    """
    edges = 0
    found = 0
    for byte in range(start, stop):
        fresh[u64(byte)] = 0
        known = decided[u64(byte)]
        if known == 255:
            continue
        for k in range(8):
            if (known >> k) & 1:
                continue
            v = 8 * byte + k
            begin, end = indptr[u64(v)], indptr[u64(v + 1)]
            e = begin
            while e < end:
                w = indices[u64(e)]
                e += 1
                if (tied[u64(w >> 3)] >> (w & 7)) & 1:
                    fresh[u64(byte)] |= 1 << k
                    found += 1
                    remoteness[u64(v)] = level
                    break
            edges += e - begin
    return edges, found


def values(sides, tied, owner, owned, value, start, stop):
    """Write the values of vertices.

    Parameters
    ----------
    sides, tied : uint8 [2 * bytes], [bytes]
        The sets of won and lost, and of tied vertices.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners.
    value : uint8 [n]
        Overwritten.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.
    """
    n = len(value)
    size = len(tied)
    for byte in range(start, stop):
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
