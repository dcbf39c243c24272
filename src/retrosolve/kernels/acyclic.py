"""Loop-free graphs: depth-first, with a stack of its own, each vertex decided after its successors.

No reversed graph is needed. If the vertices are numbered so that edges lead to decided ones first,
the stack never grows and this is one pass over the edges.
"""


def search(indptr, indices, owner, owned, value, remoteness, cursor, stack, root, step, depth, budget):
    """Decide vertices until none is left, a cycle is met, or ``budget`` edges have been visited.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    value, remoteness : uint8 [n], int32 or int64 [n]
        Changed in place; the remoteness is -1 where undecided, -2 while on the stack.
    cursor, stack : int32 or int64 [n]
        The next edge to take, at first the row starts; and the path that leads to the vertex at work.
    root, step, depth : int
        The vertex to try next, how to go on from it (1 or -1), and the length of the path.
    budget : int
        Edges and roots to visit.

    Returns
    -------
    root, depth, clash : int
        Where to go on, and the vertex on the stack that an edge leads back to, or -1.
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
