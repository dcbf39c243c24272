"""Backward propagation over stored edges: the retrograde algorithm itself.

A decided vertex tells its predecessors. One that now sees a WIN (or, in the second phase, a TIE) is
decided at once; one that sees a LOSS counts down its undecided moves and is a LOSS at zero. The
queue is first in, first out, so vertices enter it in order of remoteness, and the move that brings
a counter to zero is the longest.
"""


def push(rindptr, rindices, owner, owned, value, remoteness, remaining, queue, head, tail, budget):
    """Take vertices from the queue until it is empty or ``budget`` edges have been visited.

    ``rindptr`` [n + 1] and ``rindices`` [m] are the reversed rows; ``owner`` [n] uint8 is read only
    if ``owned``; ``value`` [n] uint8, ``remoteness`` [n], ``remaining`` [n] (moves not yet seen to
    lose, 0 for what is decided) and ``queue`` [n] change in place. Returns the new ``head`` and
    ``tail`` of the queue.
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
