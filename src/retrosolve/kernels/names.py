"""Numbers for names in UTF-8, in order of first appearance, by a hash table.

The different names are in ``text`` one after the other; ``bounds`` [room + 1] has where each begins and
the last one ends. An entry of ``table`` [a power of two] is the hash of a name, 31 bits, and below it
its number, 31 bits; -1 where free.
"""

import numpy as np

from retrosolve.kernels.unsigned import u64

GROUP = 64  # names whose places in memory are fetched together: a quarter of the time of one by one
LOW = 0x7FFFFFFF


def hash_names(data, stops, hashes):
    """Hash names.

    Parameters
    ----------
    data, stops : uint8 [bytes], int64 [names + 1]
        The names one after the other, and where each begins and the last one ends.
    hashes : int64 [names]
        Overwritten with numbers below 2^31.
    """
    for k in range(len(hashes)):
        begin, end = stops[u64(k)], stops[u64(k + 1)]
        mixed = end - begin
        for i in range(begin, end):
            mixed = (mixed ^ np.int64(data[u64(i)])) * 0x9E3779B1
            mixed = (mixed ^ (mixed >> 29)) & LOW
        hashes[u64(k)] = mixed & LOW


def factorize_names(data, stops, hashes, text, bounds, table, known, numbers, first, step):
    """Number names after those that are known.

    Parameters
    ----------
    data, stops, hashes : uint8 [bytes], int64 [names + 1], int64 [names]
        The names, as for ``hash_names``; ``hashes[0]`` is changed.
    text, bounds, table : uint8, int64, int64
        The names that are known, with room for all of these.
    known : int
        The number of known names.
    numbers : int32 [any length]
        The number of name k is written to ``numbers[first + step * k]``.
    first, step : int

    Returns
    -------
    int
        The number of names that are known now.
    """
    mask, total, fetched = len(table) - 1, len(hashes), np.int64(0)
    for start in range(0, total, GROUP):
        stop = min(start + GROUP, total)
        for k in range(start, stop):  # no access waits for another one, so they overlap
            entry = table[u64(hashes[u64(k)] & mask)]
            if entry >= 0:
                fetched ^= bounds[u64(entry & LOW)]
        for k in range(start, stop):
            entry = table[u64(hashes[u64(k)] & mask)]
            if entry >= 0:
                fetched ^= np.int64(text[u64(bounds[u64(entry & LOW)])])
        for k in range(start, stop):
            begin, mixed = stops[u64(k)], hashes[u64(k)]
            length = stops[u64(k + 1)] - begin
            place, number = mixed & mask, np.int64(-1)
            while number < 0:
                entry = table[u64(place)]
                if entry < 0:
                    number = np.int64(known)
                    table[u64(place)] = (mixed << 32) | number
                    at = bounds[u64(number)]
                    for i in range(length):
                        text[u64(at + i)] = data[u64(begin + i)]
                    known += 1
                    bounds[u64(known)] = at + length
                elif entry >> 32 == mixed:
                    number = entry & LOW
                    at = bounds[u64(number)]
                    if bounds[u64(number + 1)] - at != length:
                        number = np.int64(-1)
                    else:
                        for i in range(length):
                            if text[u64(at + i)] != data[u64(begin + i)]:
                                number = np.int64(-1)
                                break
                place = (place + 1) & mask
            numbers[u64(first + step * k)] = number
    if total:
        hashes[u64(0)] = fetched  # so that the compiler leaves the accesses
    return known


def enlarge_table(table, larger):
    """Insert the entries of a table into a larger one.

    Parameters
    ----------
    table, larger : int64 [power of two]
        As in the module; ``larger`` is free everywhere before.
    """
    mask = len(larger) - 1
    for i in range(len(table)):
        entry = table[u64(i)]
        if entry >= 0:
            place = (entry >> 32) & mask
            while larger[u64(place)] >= 0:
                place = (place + 1) & mask
            larger[u64(place)] = entry
