"""Edges into rows by radix partition: two passes that write in order, and sorts that fit the cache.

A counting sort of many edges by vertex misses the cache at every edge. Instead edges are first dealt
into buckets of 2^shift neighbouring vertices, each bucket filled front to back, and every bucket is
then sorted on its own, which is small enough to stay near the processor. Edges come as two arrays
(``*_edges``) or as the rows of undecided vertices, to be reversed (``*_rows``).

An edge is dealt to the place in ``dealt`` where its bucket will be sorted: its payload, a vertex, in
the lowest ``bits`` bits, and above them as many of the key's low bits as there is room for. Those that
do not fit go into ``low``. Every array that is written to at so many places at once costs as much as
the first; for up to four million vertices there is one alone.

The order within a row is that of the input, for any number of threads: each thread deals a range of
the input, in order, to places of its own, which were counted before.
"""

import numpy as np

from retrosolve.kernels.unsigned import at


def count_edges(key, first, last, shift, counts):
    """Count the edges ``first..last-1`` by bucket of ``key`` [m], into ``counts`` [buckets]."""
    for e in range(first, last):
        counts[at(key[at(e)] >> shift)] += 1


def deal_edges(key, payload, first, last, shift, cursor, dealt, low, bits, fitting):
    """Deal the edges ``first..last-1`` into their buckets.

    ``cursor`` [buckets] holds the next place of each bucket. ``dealt`` [m] takes the payload and the
    ``fitting`` lowest bits of the key there, ``low`` [m] those between them and ``shift``, or is empty.
    """
    mask, fit = (at(1) << at(shift)) - at(1), (at(1) << at(fitting)) - at(1)
    above, lower, split = at(bits), at(fitting), len(low) > 0
    for e in range(first, last):
        k = at(key[at(e)])
        b = k >> at(shift)
        place = cursor[b]
        cursor[b] = place + 1
        rest = k & mask
        dealt[at(place)] = at(payload[at(e)]) | ((rest & fit) << above)
        if split:
            low[at(place)] = rest >> lower


def count_rows(indptr, indices, decided, dropped, first, last, shift, counts, state):
    """Count the edges out of undecided vertices in ``8 * first .. 8 * last - 1`` by target bucket.

    ``decided`` and ``dropped`` are sets as bits. ``state`` [n] takes, for each undecided vertex, twice
    the number of its edges to vertices not ``dropped``; for decided ones 0.
    """
    n = len(indptr) - 1
    for v in range(8 * first, min(8 * last, n)):
        if (decided[at(v >> 3)] >> (v & 7)) & 1:
            state[at(v)] = 0
            continue
        begin, end = indptr[at(v)], indptr[at(v + 1)]
        live = end - begin
        for e in range(begin, end):
            w = indices[at(e)]
            counts[at(w >> shift)] += 1
            live -= (dropped[at(w >> 3)] >> (w & 7)) & 1
        state[at(v)] = 2 * live


def deal_rows(indptr, indices, decided, first, last, shift, cursor, dealt, low, bits, fitting):
    """Deal the same edges, reversed: the source as payload, the target as key.

    Edges to dropped vertices are dealt too. Nobody will follow them, and to leave them out would
    cost a branch that cannot be foreseen.
    """
    n = len(indptr) - 1
    mask, fit = (at(1) << at(shift)) - at(1), (at(1) << at(fitting)) - at(1)
    above, lower, split = at(bits), at(fitting), len(low) > 0
    for v in range(8 * first, min(8 * last, n)):
        if (decided[at(v >> 3)] >> (v & 7)) & 1:
            continue
        for e in range(indptr[at(v)], indptr[at(v + 1)]):
            k = at(indices[at(e)])
            b = k >> at(shift)
            place = cursor[b]
            cursor[b] = place + 1
            rest = k & mask
            dealt[at(place)] = at(v) | ((rest & fit) << above)
            if split:
                low[at(place)] = rest >> lower


def sort_buckets(bounds, bucket, stop, shift, dealt, low, bits, fitting, indptr):
    """Sort the buckets ``bucket..stop-1`` stably and in place, which leaves payloads; fill ``indptr``.

    ``bounds`` [buckets + 1] holds where each bucket starts in ``dealt``. ``indptr`` [n + 1] takes the
    row starts of the buckets' vertices.
    """
    n = len(indptr) - 1
    size = 1 << shift
    largest = 0
    for b in range(bucket, stop):
        largest = max(largest, bounds[b + 1] - bounds[b])
    copy = np.empty(largest, dealt.dtype)
    cursor = np.empty(size, np.int64)
    payload, fit = (at(1) << at(bits)) - at(1), (at(1) << at(fitting)) - at(1)
    above, lower, split = at(bits), at(fitting), len(low) > 0
    for b in range(bucket, stop):
        begin, end = bounds[b], bounds[b + 1]
        cursor[:] = 0
        for i in range(begin, end):
            record = at(dealt[at(i)])
            copy[at(i - begin)] = record
            k = (record >> above) & fit
            if split:
                k |= at(low[at(i)]) << lower
            cursor[k] += 1
        place = begin
        for k in range(size):
            count = cursor[at(k)]
            cursor[at(k)] = place
            if b * size + k < n:
                indptr[at(b * size + k)] = place
            place += count
        for i in range(begin, end):
            record = at(copy[at(i - begin)])
            k = (record >> above) & fit
            if split:
                k |= at(low[at(i)]) << lower
            place = cursor[k]
            cursor[k] = place + 1
            dealt[at(place)] = record & payload
