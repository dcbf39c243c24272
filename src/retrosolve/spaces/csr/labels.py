"""Numbers for names, in order of first appearance, by a hash table; and which ids occur.

Names are rows of code points, all as long as the longest, with zeros after their end.
"""

import numpy as np


def factorize_strings(points, numbers, firsts):
    """Number names in order of first appearance.

    Parameters
    ----------
    points : uint32 [names, width]
        The code points of each name, zeros after its end.
    numbers : int32 or int64 [names]
        Overwritten with the number of each name.
    firsts : int32 or int64 [names]
        Overwritten with where each different name first occurs.

    Returns
    -------
    int
        How many different names there are.
    """
    names, width = points.shape
    size = 1 << 12
    table = np.full((size, 2), -1, np.int64)  # a name's number, and its hash
    known = 0
    for at in range(names):
        mixed = np.int64(width)
        for i in range(width):
            if points[at, i] == 0:
                break
            mixed = (mixed ^ np.int64(points[at, i])) * 0x9E3779B1
            mixed = (mixed ^ (mixed >> 29)) & 0x7FFFFFFF
        place = mixed & (size - 1)
        number = -1
        while number < 0 and table[place, 0] >= 0:
            if table[place, 1] == mixed:
                first = firsts[table[place, 0]]
                same = True
                for i in range(width):
                    if points[at, i] != points[first, i]:
                        same = False
                        break
                if same:
                    number = table[place, 0]
            place = (place + 1) & (size - 1)
        if number >= 0:
            numbers[at] = number
            continue
        numbers[at] = known
        firsts[known] = at
        table[place, 0] = known
        table[place, 1] = mixed
        known += 1
        if 2 * known > size:
            smaller = table
            size *= 4
            table = np.full((size, 2), -1, np.int64)
            for i in range(len(smaller)):
                if smaller[i, 0] >= 0:
                    place = smaller[i, 1] & (size - 1)
                    while table[place, 0] >= 0:
                        place = (place + 1) & (size - 1)
                    table[place, 0] = smaller[i, 0]
                    table[place, 1] = smaller[i, 1]
    return known


def mark(ids, start, stop, occurs):
    """Set ``occurs`` at the ids ``start..stop-1``.

    Parameters
    ----------
    ids : int32 or int64 [count]
    start, stop : int
    occurs : bool [limit]
        Calls may share it: all write the same.
    """
    for i in range(start, stop):
        occurs[ids[i]] = True
