"""Edges into rows by radix partition: two passes that write in order, and sorts that fit the cache.

A counting sort of many edges by vertex misses the cache at every edge. Instead edges are first dealt
into buckets of 2^shift neighbouring vertices, each bucket filled front to back, and every bucket is
then sorted on its own, which is small enough to stay near the processor. Edges come as two arrays
(``*_edges``) or as the rows of undecided vertices, to be reversed (``*_rows``).

The order within a row is that of the input, for any number of threads: each thread deals a range of
the input, in order, to places of its own, which were counted before.
"""

import numpy as np


def count_edges(key, first, last, shift, counts):
    """Count the edges ``first..last-1`` by bucket of ``key`` [m], into ``counts`` [buckets]."""
    for e in range(first, last):
        counts[key[e] >> shift] += 1


def deal_edges(key, payload, first, last, shift, bucket, stop, cursor, origin, dealt, low):
    """Deal edges into the buckets ``bucket..stop-1``; others are passed over.

    ``cursor`` [buckets] holds the next place of each bucket; ``dealt`` [m] takes the payload there,
    ``low`` [edges of these buckets] the low bits of the key, ``origin`` places earlier.
    """
    mask = (1 << shift) - 1
    for e in range(first, last):
        b = key[e] >> shift
        if bucket <= b < stop:
            place = cursor[b]
            cursor[b] = place + 1
            dealt[place] = payload[e]
            low[place - origin] = key[e] & mask


def count_rows(indptr, indices, decided, dropped, first, last, shift, counts, remaining):
    """Count the edges out of undecided vertices in ``8 * first .. 8 * last - 1`` by target bucket.

    ``decided`` and ``dropped`` are sets as bits. ``remaining`` [n] takes, for each undecided vertex,
    the number of its edges to vertices not ``dropped``; for decided ones 0.
    """
    n = len(indptr) - 1
    for v in range(8 * first, min(8 * last, n)):
        if (decided[v >> 3] >> (v & 7)) & 1:
            remaining[v] = 0
            continue
        begin, end = indptr[v], indptr[v + 1]
        live = end - begin
        for e in range(begin, end):
            w = indices[e]
            counts[w >> shift] += 1
            live -= (dropped[w >> 3] >> (w & 7)) & 1
        remaining[v] = live


def deal_rows(indptr, indices, decided, first, last, shift, bucket, stop, cursor, origin, dealt, low):
    """Deal the same edges, reversed: the source as payload, the target as key.

    Edges to dropped vertices are dealt too. Nobody will follow them, and to leave them out would
    cost a branch that cannot be foreseen.
    """
    n = len(indptr) - 1
    mask = (1 << shift) - 1
    for v in range(8 * first, min(8 * last, n)):
        if (decided[v >> 3] >> (v & 7)) & 1:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            b = w >> shift
            if bucket <= b < stop:
                place = cursor[b]
                cursor[b] = place + 1
                dealt[place] = v
                low[place - origin] = w & mask


def sort_buckets(low, origin, bounds, bucket, stop, shift, dealt, indptr):
    """Sort the buckets ``bucket..stop-1`` by their low bits, stably and in place; fill ``indptr``.

    ``bounds`` [buckets + 1] holds where each bucket starts in ``dealt``, and ``low`` is ``origin``
    places behind. ``indptr`` [n + 1] takes the row starts of the buckets' vertices.
    """
    n = len(indptr) - 1
    size = 1 << shift
    largest = 0
    for b in range(bucket, stop):
        largest = max(largest, bounds[b + 1] - bounds[b])
    copy = np.empty(largest, dealt.dtype)
    cursor = np.empty(size, np.int64)
    for b in range(bucket, stop):
        begin, end = bounds[b], bounds[b + 1]
        cursor[:] = 0
        for i in range(begin, end):
            copy[i - begin] = dealt[i]
            cursor[low[i - origin]] += 1
        place = begin
        for k in range(size):
            count = cursor[k]
            cursor[k] = place
            if b * size + k < n:
                indptr[b * size + k] = place
            place += count
        for i in range(begin, end):
            k = low[i - origin]
            dealt[cursor[k]] = copy[i - begin]
            cursor[k] += 1
