"""Edges into rows by radix partition: two passes that write in order, and sorts that fit the cache.

A counting sort of many edges by vertex misses the cache at every edge. Instead edges are first dealt
into buckets of 2^shift neighbouring vertices, each bucket filled front to back, and every bucket is
then sorted on its own, which is small enough to stay near the processor. So edges on disk are sorted;
graphs in memory have simpler records (``csr.build``).

An edge is dealt to the place in ``dealt`` where its bucket will be sorted: its payload, a vertex, in
the lowest ``bits`` bits, and above them as many of the key's low bits as there is room for. Those that
do not fit go into ``low``. Every array that is written to at so many places at once costs as much as
the first; for up to four million vertices there is one alone.

The order within a row is that of the input, for any number of threads: each thread deals a range of
the input, in order, to places of its own, which were counted before.
"""

import numpy as np

from retrosolve.compilation.unsigned import u64


def count_edges(key, start, stop, shift, counts):
    """Count edges by the bucket of their key.

    Parameters
    ----------
    key : integers [m]
        The vertex of each edge to sort by.
    start, stop : int
        The edges ``start..stop-1`` to count.
    shift : int
        Buckets are of ``2 ** shift`` vertices.
    counts : int64 [buckets]
        Added to.
    """
    for e in range(start, stop):
        counts[u64(key[u64(e)] >> shift)] += 1


def deal_edges(key, payload, start, stop, shift, cursor, dealt, low, bits, fitting):
    """Deal edges into their buckets.

    Parameters
    ----------
    key, payload : integers [m]
        The vertex of each edge to sort by, and the other one.
    start, stop, shift
        As in ``count_edges``.
    cursor : int64 [buckets]
        The next place of each bucket; changed in place.
    dealt : uint32 or uint64 [m]
        Records: the payload in the lowest ``bits`` bits, and the ``fitting`` lowest bits of the key
        above.
    low : uint8 or uint16 [m] or [0]
        The bits of the key between those and ``shift``; empty if there are none.
    bits, fitting : int
        The layout of a record.
    """
    mask, fit = (u64(1) << u64(shift)) - u64(1), (u64(1) << u64(fitting)) - u64(1)
    above, lower, split = u64(bits), u64(fitting), len(low) > 0
    for e in range(start, stop):
        k = u64(key[u64(e)])
        b = k >> u64(shift)
        place = cursor[b]
        cursor[b] = place + 1
        rest = k & mask
        dealt[u64(place)] = u64(payload[u64(e)]) | ((rest & fit) << above)
        if split:
            low[u64(place)] = rest >> lower


def sort_buckets(bounds, start, stop, shift, dealt, low, bits, fitting, indptr):
    """Sort buckets stably and in place, which leaves payloads, and write row starts.

    Parameters
    ----------
    bounds : int64 [buckets + 1]
        Where each bucket starts in ``dealt``.
    start, stop : int
        The buckets ``start..stop-1`` to sort.
    shift, dealt, low, bits, fitting
        As in ``deal_edges``; ``dealt`` is changed in place.
    indptr : int32 or int64 [n + 1]
        Overwritten with the row starts of the buckets' vertices.
    """
    n = len(indptr) - 1
    size = 1 << shift
    largest = 0
    for b in range(start, stop):
        largest = max(largest, bounds[b + 1] - bounds[b])
    copy = np.empty(largest, dealt.dtype)
    cursor = np.empty(size, np.int64)
    payload, fit = (u64(1) << u64(bits)) - u64(1), (u64(1) << u64(fitting)) - u64(1)
    above, lower, split = u64(bits), u64(fitting), len(low) > 0
    for b in range(start, stop):
        begin, end = bounds[b], bounds[b + 1]
        cursor[:] = 0
        for i in range(begin, end):
            record = u64(dealt[u64(i)])
            copy[u64(i - begin)] = record
            k = (record >> above) & fit
            if split:
                k |= u64(low[u64(i)]) << lower
            cursor[k] += 1
        place = begin
        for k in range(size):
            count = cursor[u64(k)]
            cursor[u64(k)] = place
            if b * size + k < n:
                indptr[u64(b * size + k)] = place
            place += count
        for i in range(begin, end):
            record = u64(copy[u64(i - begin)])
            k = (record >> above) & fit
            if split:
                k |= u64(low[u64(i)]) << lower
            place = cursor[k]
            cursor[k] = place + 1
            dealt[u64(place)] = record & payload
