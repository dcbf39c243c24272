"""The proof of a solution edge by edge, in any order: what each edge says about a claim.

A claim is right if no edge contradicts it and some edge is its witness. A WIN of remoteness r needs a
successor lost in r - 1 as its witness and none lost sooner; for a LOSS all successors must win, the
latest of them in r - 1; for a TIE none may lose, and the nearest tie is the witness; for a DRAW none
may lose or be a TIE, and a DRAW is the witness.
"""

from retrosolve.kernels.codes import INVALID


def check_edges(
    source, target, value, remoteness, owner, owned, terminal, has_terminals, has_edge, witness,
    start, stop,
):  # fmt: skip
    """Compare the claims at both ends of some edges.

    Parameters
    ----------
    source, target : int32 or int64 [m]
        The edges.
    value, remoteness : uint8 [n], int32 or int64 [n]
        The claims.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners; if not, players alternate.
    terminal : uint8 [n]
        Terminal values, read only if ``has_terminals``; edges out of such vertices do not count.
    has_terminals : bool
        Whether there are terminal values.
    has_edge, witness : uint8 [n]
        Set to 1 for vertices with an edge, and with a witness of their claim.
    start, stop : int
        The edges ``start..stop-1`` to look at.

    Returns
    -------
    int
        The smallest vertex whose claim an edge contradicts, -1 without one.
    """
    wrong = -1
    for e in range(start, stop):
        v, w = source[e], target[e]
        if has_terminals and terminal[v] != 0:
            continue
        has_edge[v] = 1
        claim, seen = value[v], value[w]
        if seen in (1, 2) and not (owned and owner[v] == owner[w]):
            seen = 3 - seen
        expected, plies = remoteness[v], remoteness[w] + 1
        if claim == 2:
            contradicts = seen != 2 or plies > expected
        elif claim == 1:
            contradicts = seen == 1 and plies < expected
        elif claim == 3:
            contradicts = seen == 1 or (seen == 3 and plies < expected)
        else:
            contradicts = seen in (1, 3)
        if contradicts or seen == INVALID:
            wrong = v if wrong < 0 else min(wrong, v)
        elif seen == claim and (claim == 0 or plies == expected):
            witness[v] = 1
    return wrong
