"""The local proof of a graph whose edges are on disk: one pass over the edges, in any order.

It checks the same conditions as ``verification.local``. A claim is right if no edge contradicts it and
some edge is its witness. A WIN of remoteness r needs a successor lost in r - 1 as its witness and none
lost sooner; for a LOSS all successors must win, the latest of them in r - 1; for a TIE none may lose,
and the nearest tie is the witness; for a DRAW none may lose or be a TIE, and a DRAW is the witness.

Of each vertex two bytes are in memory: whether it has an edge, and whether its claim has a witness.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, or_placeholder, read_only, spans
from retrosolve.compilation import jit
from retrosolve.external.files import reading_bytes
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.memory import check_budget, give_back
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import EdgeBlockSpace, StateSpace
from retrosolve.tables import Table
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN, Value

MIN_EDGES, MAX_EDGES = 1 << 16, 1 << 22  # of a block
VERTEX_BYTES, EDGE_BYTES, BLOCKS_AT_ONCE = 7, 16, 4  # three blocks as read, and a copy of one


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: in large blocks, or as many as a budget has room for."""
    return _bytes(space, num_edges, _edges_at_once(space, num_edges, budget))


def _bytes(space: StateSpace, num_edges: int, edges_at_once: int) -> int:
    """Return the bytes of a proof in blocks of some edges."""
    edges = min(num_edges, BLOCKS_AT_ONCE * edges_at_once)
    return VERTEX_BYTES * space.num_vertices + EDGE_BYTES * edges + reading_bytes(num_edges)


def _edges_at_once(space: StateSpace, num_edges: int, budget: int | None) -> int:
    """Return the edges of a block that a budget has room for, or the fewest."""
    if budget is None or _bytes(space, num_edges, MAX_EDGES) <= budget:
        return MAX_EDGES
    room = (budget - _bytes(space, num_edges, 0)) // (BLOCKS_AT_ONCE * EDGE_BYTES)
    return max(MIN_EDGES, min(room, MAX_EDGES))


def prove(
    space: StateSpace, table: Table, stuck: Value, context: Context, refuse: Callable[[int], None]
) -> None:
    """Prove all vertices; takes seven bytes for each of them, and the edges of a few blocks.

    The names of vertices of a saved solution are numbered first.

    Parameters
    ----------
    space : EdgeBlockSpace
    table : Table
    stuck : Value
        The value of a vertex without edges.
    context : Context
    refuse : callable
        ``refuse(v)`` raises VerificationError for the first vertex that is wrong.
    """
    space = cast(EdgeBlockSpace, space)
    n, m, progress = space.num_vertices, space.num_edges, context.progress
    size = _edges_at_once(space, m, context.memory)
    space.factorize_names(context.memory, progress)
    check_budget(_bytes(space, m, size), lambda: f"verifying {space!r}", context.memory)
    value, remoteness = table.values(), table.remoteness()
    has_edge, witness = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    claims = read_only(value), read_only(remoteness)
    facts = *or_placeholder(space.owner), *or_placeholder(space.terminals), has_edge, witness
    wrong: list[int] = []
    done = 0
    with ThreadPool(context.threads, n + m) as pool:

        def refuted(source: IntArray, target: IntArray) -> list[int]:
            ends = np.ascontiguousarray(source), np.ascontiguousarray(target)
            work = partial(jit.run, check_edges, n + m, *ends, *claims, *facts)
            found = pool.map_ranges(work, pool.chunks(len(source), pool.threads))
            return [v for v in found if v >= 0]

        for block in space.edge_blocks(size):
            wrong += refuted(*block)
            done += len(block[0])
            progress(Progress("verifying", done, m))
            del block  # before the wait for the next one
    give_back()
    for start, stop in spans(n):
        part = slice(start, stop)
        ending = np.array(space.terminal(start, stop))
        ending[(has_edge[part] == 0) & (ending == 0)] = stuck
        ended = (value[part] == ending) & (remoteness[part] == 0)
        going = (witness[part] == 1) & ((value[part] != DRAW) | (remoteness[part] == -1))
        right = np.where(ending != 0, ended, going)
        if not right.all():
            wrong.append(start + int(np.argmin(right)))
    if wrong:
        refuse(int(min(wrong)))


def check_edges(  # a kernel
    source: IntArray, target: IntArray, value: ByteArray, remoteness: IntArray, owner: ByteArray,
    owned: bool, terminal: ByteArray, has_terminals: bool, has_edge: ByteArray, witness: ByteArray,
    start: int, stop: int,
) -> int:  # fmt: skip
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
        if seen in (WIN, LOSS) and not (owned and owner[v] == owner[w]):
            seen = WIN + LOSS - seen
        expected, plies = remoteness[v], remoteness[w] + 1
        if claim == LOSS:
            contradicts = seen != LOSS or plies > expected
        elif claim == WIN:
            contradicts = seen == WIN and plies < expected
        elif claim == TIE:
            contradicts = seen == WIN or (seen == TIE and plies < expected)
        else:
            contradicts = seen in (WIN, TIE)
        if contradicts or seen == INVALID:
            wrong = v if wrong < 0 else min(wrong, v)
        elif seen == claim and (claim == DRAW or plies == expected):
            witness[v] = 1
    return wrong
