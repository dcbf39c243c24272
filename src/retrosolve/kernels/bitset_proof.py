"""The proof of a product graph's answers, a position at a time. Specialised.

What ``verify`` checks with arrays; it shares no step with what finds answers.
"""

import numpy as np

from retrosolve.kernels.preferences import WORST, preference, word_of
from retrosolve.kernels.words import code_of


def prove(start, stop, stuck, ends, indptr, indices, second_indptr, second_indices, words):
    """Return the first vertex whose word its moves do not bear out, -1 if there is none.

    Parameters
    ----------
    start, stop : int
        The vertices ``start..stop-1`` to prove.
    stuck : int
        The value of a position without moves.
    ends : uint8 [stop - start]
        Terminal values.
    indptr, indices : int32 or int64 [k + 1], [edges]
        Rows of the first token's moves.
    second_indptr, second_indices : int32 or int64 [m + 1], [edges]
        Rows of the second token's moves.
    words : words [2 * k * m]
        The solution to prove.
    """
    k, m = len(indptr) - 1, len(second_indptr) - 1
    half = k * m
    for v in range(start, stop):
        pair = v - half if v >= half else v
        p = pair // m
        t = pair - p * m
        word = np.int64(words[v])
        given = code_of(np.int64(ends[v - start]))
        if v < half:
            begin, end = indptr[p], indptr[p + 1]
        else:
            begin, end = second_indptr[t], second_indptr[t + 1]
        if given == 0 and begin == end:
            given = np.int64(stuck)
        if given != 0:
            if word != given:
                return v
            continue
        best = WORST
        for e in range(begin, end):
            w = half + indices[e] * m + t if v < half else p * m + second_indices[e]
            best = min(best, preference(np.int64(words[w]), False))
        if word != word_of(best):
            return v
    return -1
