"""Pull sweeps over large graphs: every undecided vertex looks at its successors, a level in a sweep.

The result is that of ``worklist``, computed from the other end of each edge. The state is three bits
and a remoteness for each vertex. A set of vertices has a bit for each, vertex v in byte v >> 3, so that
for ten million vertices a set stays in the cache.

=========  ===========================  =======================================================
set        where the players alternate  where vertices have owners
=========  ===========================  =======================================================
side 0     LOSS                         what player 1 wins
side 1     WIN                          what player 0 wins
``tied``   TIE                          TIE
=========  ===========================  =======================================================

Either way a vertex is decided by one rule: it joins side ``join`` if some successor is on side
``good``, and the other one if all of them are on the side that is not ``good``.

A sweep reads only the sets before it, so its number is the remoteness of what it decides, and
vertices may be visited in any order and by any number of threads. Bytes are dealt to threads whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, or_placeholder
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.runtime.context import Context, Facts, Progress, Snapshot
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN, Value

SWEEP = "sweep"


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve by sweeps beyond the graph, the result included."""
    n, size = space.num_vertices, (space.num_vertices + 7) // 8
    return Buffers(
        value=(n, np.uint8),
        remoteness=(n, index_dtype(n)),
        sides=(2 * size, np.uint8),
        tied=(size, np.uint8),
        decided=(size, np.uint8),
        fresh=(2 * size, np.uint8),
        counts=(size, np.uint8),
    )


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph by sweeps, in O((n + m) * levels) time and the least memory.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.
    """
    n = graph.num_vertices
    with ThreadPool(context.threads, n + graph.num_edges) as pool:
        state = SweepState(graph, stuck, pool)
        snapshot = context.checkpoint.resumed(SWEEP)
        first = False if snapshot is None else state.restore(snapshot)
        for ties in (False, True)[first:]:
            if ties and snapshot is None:
                state.start_ties()
            snapshot = None
            while state.sweep(ties):
                if context.checkpoint.due():
                    context.checkpoint.save(*state.snapshot(ties))
                context.progress(Progress("solving", n - state.undecided, n))
            if not state.tied.any():
                break
        table = ArrayTable(state.values(), state.remoteness)
    return SolveResult(table, Statistics(graph.num_edges))


class SweepState:
    """The state of a solve by sweeps.

    Attributes
    ----------
    sides : uint8 [2 * num_bytes]
        Where players alternate, the LOSS and then the WIN vertices; with owners, the vertices that
        player 1 wins and then those that player 0 wins.
    tied, decided : uint8 [num_bytes]
        The vertices with a TIE, and all decided vertices.
    fresh : uint8 [2 * num_bytes]
        The vertices decided in the last sweep, as in ``sides``.
    remoteness : int32 or int64 [n]
    undecided : int
        The number of undecided vertices.
    """

    def __init__(self, graph: CsrSpace, stuck: Value, pool: ThreadPool) -> None:
        n = graph.num_vertices
        self.graph = graph
        self.pool = pool
        self.num_bytes = (n + 7) // 8
        self.cuts = pool.chunks(self.num_bytes)
        arrays = buffers(graph, graph.num_edges)
        self.sides, self.tied = arrays.zeros("sides"), arrays.zeros("tied")
        self.decided, self.fresh = arrays.zeros("decided"), arrays.zeros("fresh")
        self.remoteness = arrays.empty("remoteness")
        self.owner, self.owned = or_placeholder(graph.owner)
        terminals = or_placeholder(graph.terminals)
        kernel = jit.compiled(initialise)
        pool.map_ranges(
            lambda start, stop: kernel(
                graph.indptr, *terminals, self.owner, self.owned, int(stuck), self.sides, self.tied,
                self.decided, self.remoteness, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        self.level = 0
        self.fresh[:] = self.sides
        self.undecided = 8 * self.num_bytes - int(np.bitwise_count(self.decided).sum(dtype=np.int64))

    def snapshot(self, ties: bool) -> tuple[Facts, Mapping[str, NDArray[Any]]]:
        """Return the facts and the arrays of a snapshot after a sweep."""
        facts: Facts = {
            "stage": SWEEP, "ties": int(ties), "level": self.level, "undecided": self.undecided,
        }  # fmt: skip
        return facts, self._arrays()

    def restore(self, snapshot: Snapshot) -> bool:
        """Read a snapshot; return whether ties are swept."""
        facts: Any = snapshot.facts
        snapshot.read(self._arrays())
        self.level, self.undecided = facts["level"], facts["undecided"]
        return bool(facts["ties"])

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that sweeps change."""
        return {
            "sides": self.sides, "tied": self.tied, "decided": self.decided, "fresh": self.fresh,
            "remoteness": self.remoteness,
        }  # fmt: skip

    def halves(self, bits: ByteArray) -> tuple[ByteArray, ByteArray]:
        """Return both sets of a pair."""
        return bits[: self.num_bytes], bits[self.num_bytes :]

    def sweep(self, ties: bool) -> int:
        """Sweep once; return the number of vertices decided."""
        zero, one = self.halves(self.fresh)
        changed = int(zero.any()) | int(one.any()) << 1
        sides, owned = self.sides, self.owned
        if ties:  # joined like side 1 where players alternate, and never because of all successors
            sides, owned, changed = self.tied, False, 1
        if not changed:
            return 0
        self.level += 1
        kernel = jit.compiled(sweep)
        graph = self.graph
        joined = self.pool.map_ranges(
            lambda start, stop: kernel(
                graph.indptr, graph.indices, self.owner, owned, sides, self.decided,
                self.fresh, changed, self.remoteness, self.level, start, stop,
            ),
            self.cuts,
        )  # fmt: skip
        sides |= one if ties else self.fresh
        self.decided |= zero
        self.decided |= one
        decided = sum(int(vertices) for vertices in joined)
        self.undecided -= decided
        return decided

    def start_ties(self) -> None:
        """Start the phase of ties from the ties that are decided."""
        self.level = 0
        self.fresh[: self.num_bytes] = self.tied
        self.fresh[self.num_bytes :] = 0

    def values(self) -> ByteArray:
        """Return the value of every vertex, uint8 [n]."""
        value = np.empty(self.graph.num_vertices, np.uint8)
        kernel = jit.compiled(values)
        self.pool.map_ranges(
            lambda start, stop: kernel(
                self.sides, self.tied, self.owner, self.owned, value, start, stop
            ),
            self.cuts,
        )
        terminals = self.graph.terminals
        if terminals is not None:
            value[terminals == INVALID] = INVALID
        return value


def initialise(
    indptr: IntArray, terminal: ByteArray, has_terminals: bool, owner: ByteArray, owned: bool,
    stuck: int, sides: ByteArray, tied: ByteArray, decided: ByteArray, remoteness: IntArray,
    start: int, stop: int,
) -> None:  # fmt: skip
    """Settle terminal vertices and those without moves.

    Parameters
    ----------
    indptr : int32 or int64 [n + 1]
        Row starts.
    terminal, owner : uint8 [n]
        Terminal values, read only if ``has_terminals``; the player to move, read only if ``owned``.
    has_terminals, owned : bool
        Whether there are terminal values, and owners.
    stuck : int
        The value of a vertex without moves.
    sides, tied, decided : uint8 [2 * bytes], [bytes], [bytes]
        Sets of vertices, all empty before. Bits past the last vertex are set in ``decided``.
    remoteness : int32 or int64 [n]
        Overwritten with 0 or, where undecided, -1.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.
    """
    n = len(indptr) - 1
    size = len(decided)
    for byte in range(start, stop):
        for k in range(8):
            v = 8 * byte + k
            bit = 1 << k
            if v >= n:
                decided[byte] |= bit
                continue
            value = terminal[v] if has_terminals else DRAW
            if value == DRAW and indptr[v] == indptr[v + 1]:
                value = stuck
            remoteness[v] = -1 if value in (DRAW, INVALID) else 0
            if value != DRAW:
                decided[byte] |= bit
            if value == TIE:
                tied[byte] |= bit
            elif value in (WIN, LOSS):
                won = 1 if value == WIN else 0
                side = won if not owned or owner[v] == 0 else 1 - won
                sides[side * size + byte] |= bit


def sweep(
    indptr: IntArray, indices: IntArray, owner: ByteArray, owned: bool, sides: ByteArray,
    decided: ByteArray, fresh: ByteArray, news: int, remoteness: IntArray, level: int, start: int,
    stop: int,
) -> int:  # fmt: skip
    """Visit the undecided vertices; put those decided into ``fresh``.

    Computes for each of them, with the sets of the last sweep::

        if any(w in good for w in successors):
            join(v)
        elif all(w in bad for w in successors):
            join_other(v)

    in one pass over the row, which ends as soon as neither can be or the first is.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners.
    sides, decided : uint8 [2 * bytes] or, for ties, [bytes]; uint8 [bytes]
        The sets before this sweep.
    fresh : uint8 [2 * bytes]
        Overwritten with what joins each side.
    news : int
        Two bits: whether each side grew in the last sweep, without which nobody can join because of it.
    remoteness : int32 or int64 [n]
        Changed in place for what is decided.
    level : int
        The remoteness of what is decided.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.

    Returns
    -------
    int
        The number of vertices decided.
    """
    size = len(decided)
    joined = 0
    for byte in range(start, stop):
        fresh[u64(byte)] = 0
        fresh[u64(size + byte)] = 0
        done = decided[u64(byte)]
        if done == 255:  # all eight are decided, as most are after some sweeps
            continue
        for k in range(8):
            if (done >> k) & 1:
                continue
            v = 8 * byte + k
            good = 0
            join = 1
            if owned:
                good = join = 0 if owner[u64(v)] == 1 else 1
            # A side that did not grow in the last sweep decides nobody in this one: what it could
            # decide is decided, so half of the looks at a successor are saved.
            some = (news >> good) & 1
            every = (news >> (1 - good)) & 1
            if not (some or every):
                continue
            at_good = good * size
            at_bad = (1 - good) * size
            hit = 0
            for e in range(indptr[u64(v)], indptr[u64(v + 1)]):
                w = indices[u64(e)]
                of, bit = w >> 3, w & 7
                if every and not (sides[u64(at_bad + of)] >> bit) & 1:
                    every = 0
                    if not some:
                        break
                if some and (sides[u64(at_good + of)] >> bit) & 1:
                    hit = 1
                    break
            if hit:
                fresh[u64(join * size + byte)] |= 1 << k
            elif every:
                fresh[u64((1 - join) * size + byte)] |= 1 << k
            else:
                continue
            joined += 1
            remoteness[u64(v)] = level
    return joined


def values(
    sides: ByteArray, tied: ByteArray, owner: ByteArray, owned: bool, value: ByteArray, start: int,
    stop: int,
) -> None:  # fmt: skip
    """Write the values of vertices.

    Parameters
    ----------
    sides, tied : uint8 [2 * bytes], [bytes]
        The sets of won and lost, and of tied vertices.
    owner : uint8 [n]
        The player to move, read only if ``owned``.
    owned : bool
        Whether vertices have owners.
    value : uint8 [n]
        Overwritten.
    start, stop : int
        The bytes ``start..stop-1`` of every set to work on.
    """
    n = len(value)
    size = len(tied)
    for byte in range(start, stop):
        for k in range(8):
            v = 8 * byte + k
            if v >= n:
                break
            if (sides[byte] >> k) & 1:
                value[v] = WIN if owned and owner[v] == 1 else LOSS
            elif (sides[size + byte] >> k) & 1:
                value[v] = LOSS if owned and owner[v] == 1 else WIN
            else:
                value[v] = TIE if (tied[byte] >> k) & 1 else DRAW
