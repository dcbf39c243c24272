"""The local proof of a graph whose edges are on disk: one pass over the edges, in any order.

It checks the same conditions as ``verification.local``. Of each vertex two bytes are kept: whether it
has an edge, and whether an edge was found that its claim rests on (``kernels.edge_proof``).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from retrosolve.arrays import PLACEHOLDER, read_only
from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.kernels import edge_proof
from retrosolve.runtime.context import Context
from retrosolve.runtime.memory import check_budget, give_back
from retrosolve.runtime.prefetch import prefetched
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.blocks import blocks
from retrosolve.tables.summary import spans
from retrosolve.values import DRAW
from retrosolve.verification.claims import claim
from retrosolve.verification.local import check

MIN_EDGES, MAX_EDGES = 1 << 16, 1 << 22  # of a block
VERTEX_BYTES, EDGE_BYTES, BLOCKS_AT_ONCE = 7, 16, 4  # three blocks as read, and a copy of one


def memory_bytes(space: Any, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: in large blocks, or as many as a budget has room for."""
    return _bytes(space, num_edges, _edges_at_once(space, num_edges, budget))


def _bytes(space: Any, num_edges: int, edges_at_once: int) -> int:
    """Return the bytes of a proof in blocks of some edges."""
    edges = min(num_edges, BLOCKS_AT_ONCE * edges_at_once)
    return VERTEX_BYTES * int(space.num_vertices) + EDGE_BYTES * edges


def _edges_at_once(space: Any, num_edges: int, budget: int | None) -> int:
    """Return the edges of a block that a budget has room for, or the fewest."""
    if budget is None or _bytes(space, num_edges, MAX_EDGES) <= budget:
        return MAX_EDGES
    room = (budget - _bytes(space, 0, 0)) // (BLOCKS_AT_ONCE * EDGE_BYTES)
    return max(MIN_EDGES, min(room, MAX_EDGES))


def prove(solution: Solution, context: Context) -> None:
    """Prove all vertices; takes seven bytes for each of them, and the edges of a few blocks.

    The names of vertices of a saved solution are numbered first.
    """
    space: Any = solution.space
    n, m, progress = space.num_vertices, space.num_edges, context.progress
    size = _edges_at_once(space, m, context.memory)
    space.factorize_names(context.memory, progress)
    check_budget(_bytes(space, m, size), lambda: f"verifying {space!r}", context.memory)
    value, remoteness = solution.table.values(), solution.table.remoteness()
    has_edge, witness = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    claims = read_only(value), read_only(remoteness)
    owner = PLACEHOLDER if space.owner is None else space.owner
    terminal = PLACEHOLDER if space.terminals is None else space.terminals
    facts = owner, space.owner is not None, terminal, space.terminals is not None, has_edge, witness
    wrong: list[int] = []
    done = 0
    with ThreadPool(context.threads, n + m) as pool:
        for source, target in prefetched(space.edge_blocks(size)):
            ends = np.ascontiguousarray(source), np.ascontiguousarray(target)
            work = partial(jit.run, edge_proof.check_edges, n + m, *ends, *claims, *facts)
            found = pool.map_ranges(work, pool.chunks(len(source), pool.threads))
            wrong += [v for v in found if v >= 0]
            done += len(source)
            progress(Progress("verifying", done, m))
    del source, target, ends, work
    give_back()
    for start, stop in spans(n):
        part = slice(start, stop)
        ending = np.array(space.terminal(start, stop))
        ending[(has_edge[part] == 0) & (ending == 0)] = solution.stuck
        ended = (value[part] == ending) & (remoteness[part] == 0)
        going = (witness[part] == 1) & ((value[part] != DRAW) | (remoteness[part] == -1))
        right = np.where(ending != 0, ended, going)
        if not right.all():
            wrong.append(start + int(np.argmin(right)))
    if wrong:
        _refuse(solution, int(min(wrong)))


def _refuse(solution: Solution, v: int) -> None:
    """Raise VerificationError for a wrong vertex, and say what is right by its successors."""
    for block in blocks(solution.space, v, v + 1):
        check(solution, block)
    raise VerificationError(f"{claim(solution, v)}, which its moves do not bear out")
