"""Backward propagation over two tokens, each on a graph of its own; no edge of the product stored.

The position of tokens p (of k) and t (of m) with player s to move is the vertex (s * k + p) * m + t.
A move changes one coordinate, so the predecessors of a vertex are read off the reversed moves of the
token that the other player has just moved.
"""


def push_product(
    first_rindptr,
    first_rindices,
    second_rindptr,
    second_rindices,
    value,
    remoteness,
    remaining,
    queue,
    head,
    tail,
    budget,
):
    """Take vertices from the queue until it is empty or ``budget`` edges have been visited.

    The first four arrays are the reversed moves of either token; the others are those of
    ``kernels.push.push``, over the 2 * k * m vertices. Returns the new ``head`` and ``tail``.
    """
    k = len(first_rindptr) - 1
    m = len(second_rindptr) - 1
    half = k * m
    while head < tail and budget > 0:
        w = queue[head]
        head += 1
        level = remoteness[w] + 1
        seen = value[w]
        if seen != 3:
            seen = 3 - seen
        second_moved = w < half
        pair = w if second_moved else w - half
        p = pair // m
        t = pair - p * m
        if second_moved:
            begin, end = second_rindptr[t], second_rindptr[t + 1]
        else:
            begin, end = first_rindptr[p], first_rindptr[p + 1]
        budget -= end - begin + 1
        for e in range(begin, end):
            v = half + p * m + second_rindices[e] if second_moved else first_rindices[e] * m + t
            if value[v] != 0:
                continue
            if seen == 2:
                remaining[v] -= 1
                if remaining[v] > 0:
                    continue
            value[v] = seen
            remoteness[v] = level
            queue[tail] = v
            tail += 1
    return head, tail
