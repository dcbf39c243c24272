"""Backward propagation over stored edges: the retrograde algorithm itself.

A decided vertex tells its predecessors. One that now sees a WIN (or, in the second phase, a TIE) is
decided at once; one that sees a LOSS counts down its undecided moves and is a LOSS at zero. The
queue is first in, first out, so vertices enter it in order of remoteness, and the move that brings
a counter to zero is the longest.
"""


def propagate(rindptr, rindices, owner, owned, value, remoteness, remaining, queue, head, tail, budget):
    """Take vertices from the queue until it is empty or ``budget`` edges have been visited.

    Parameters
    ----------
    rindptr, rindices : int32 or int64 [n + 1], [m]
        Rows of the predecessors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place.
    remaining : int32 or int64 [n]
        Moves not yet seen to lose, 0 for decided vertices. Changed in place.
    queue : int32 or int64 [n]
        Decided vertices in order of remoteness; changed in place.
    head, tail : int
        ``queue[head:tail]`` is still to be taken.
    budget : int
        Edges and vertices to visit.

    Returns
    -------
    head, tail : int
        The new ends of the queue.
    """
    while head < tail and budget > 0:
        w = queue[head]
        head += 1
        level = remoteness[w] + 1
        is_tie = value[w] == 3
        lost = value[w] == 2
        begin, end = rindptr[w], rindptr[w + 1]
        budget -= end - begin + 1
        for e in range(begin, end):
            v = rindices[e]
            left = remaining[v]
            if left == 0:
                continue
            good = is_tie or lost != (owned and owner[v] == owner[w])
            remaining[v] = 0 if good else left - 1
            if good or left == 1:
                value[v] = 3 if is_tie else (1 if good else 2)
                remoteness[v] = level
                queue[tail] = v
                tail += 1
    return head, tail
