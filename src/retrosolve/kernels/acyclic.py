"""Loop-free graphs: depth-first, with a stack of its own, each vertex decided after its successors.

No reversed graph is needed. If the vertices are numbered so that edges lead to decided ones first,
the stack never grows and this is one pass over the edges.
"""


def search(indptr, indices, owner, owned, value, remoteness, cursor, stack, root, step, depth, budget):
    """Decide vertices until none is left, a cycle is met, or ``budget`` edges have been visited.

    ``indptr`` [n + 1] and ``indices`` [m] are the rows; ``owner`` [n] uint8 is read only if
    ``owned``; ``value`` [n] uint8 and ``remoteness`` [n] (-1; -2 while on the stack) change in
    place, as do ``cursor`` [n] (the next edge to take, the row starts at first) and ``stack`` [n].
    Roots are tried from ``root`` on, by ``step``. Returns the new ``root`` and ``depth``, and the
    vertex on the stack that an edge led back to, or -1.
    """
    n = len(indptr) - 1
    while budget > 0:
        if depth == 0:
            while 0 <= root < n and value[root] != 0:
                root += step
                budget -= 1
            if not 0 <= root < n:
                return root, 0, -1
            stack[0] = root
            depth = 1
            remoteness[root] = -2
        v = stack[depth - 1]
        if cursor[v] < indptr[v + 1]:
            w = indices[cursor[v]]
            cursor[v] += 1
            budget -= 1
            if value[w] == 0:
                if remoteness[w] == -2:
                    return root, depth, w
                stack[depth] = w
                depth += 1
                remoteness[w] = -2
            continue
        depth -= 1
        best = 2
        plies = 0
        for e in range(indptr[v], indptr[v + 1]):
            w = indices[e]
            seen = value[w]
            if seen != 3 and not (owned and owner[v] == owner[w]):
                seen = 3 - seen
            r = remoteness[w] + 1
            if seen == best:
                plies = max(plies, r) if best == 2 else min(plies, r)
            elif seen == 1 or best == 2:
                best = seen
                plies = r
        value[v] = best
        remoteness[v] = plies
    return root, depth, -1
