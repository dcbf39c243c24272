"""Elements looked up one by one: packed words to codes, and codes to those of another dictionary."""

from retrosolve.kernels.unsigned import u64

LANES_OF_COUNTS = 4
"""Counts are kept this many times over: adding to one that was just added to waits for it."""


def recode(source, lookup, out, counts):
    """Look up each element of an array, and count what is found.

    Parameters
    ----------
    source : unsigned [n]
    lookup : unsigned [k]
        For each number that an element may be.
    out : unsigned [n]
        Overwritten.
    counts : int64 [4, m]
        Added to; the sum of its rows counts.
    """
    for at in range(len(source)):
        code = lookup[source[u64(at)]]
        out[u64(at)] = code
        counts[u64(at) & u64(3), code] += 1


def mark_seen(source, seen):
    """Mark the numbers that occur in an array.

    Parameters
    ----------
    source : unsigned [n]
    seen : uint8 [k]
        Changed in place: 1 for each number that occurs.
    """
    for at in range(len(source)):
        seen[source[u64(at)]] = 1
