"""Retrograde analysis of a graph with stored edges, linear in the edges, with exact remoteness.

``solvers.worklist`` is the algorithm as textbooks have it; this file computes the same faster, on edges
that are dealt into buckets of neighbouring sources (``csr.build``) and never sorted as long as that
pays. A level takes two passes over the edges: one marks the vertices that have a successor on their own
side, one keeps the edges between undecided vertices, and whoever keeps none has lost. All other edges
can never matter again. The sets that are looked up have a bit for each vertex; those of a bucket's
sources are in the first-level cache, and nobody else writes them.

Three rules keep the whole linear in vertices and edges:

- Two levels are followed by two more only if these cost no more than the last two have saved. They have
  saved what it takes to transpose and follow the edges that they dropped, and to decide their vertices
  that way; each edge is dropped once and each vertex decided once, so all levels cost O(n + m).
- A level of few vertices drops hardly any edge. It is scanned for instead, which writes no edge; all
  scans together look at about ``max_scans`` times as many edges as there are.
- After that the rest is transposed, and each decided vertex notifies its predecessors
  (``csr.propagation``), every edge once.

Eight sets hold the bits of the level of each vertex: at most 255 levels come before the transposition,
each of which also visits n / 64 words of every set.

Small graphs, and graphs whose edges lead to close numbers (see ``csr.build.prefers_edge_list``), are
solved by one thread (``solvers.serial``), and the smallest by ``solvers.worklist`` without a compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, or_placeholder, read_only
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import num_bits, u64
from retrosolve.objectives.words import DRAW, LOSS, TIE, WIN
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context, Facts, Progress, Snapshot
from retrosolve.runtime.threads import ThreadPool
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers import serial, worklist
from retrosolve.spaces.base import Capability, CsrSpace, StateSpace
from retrosolve.spaces.csr import propagation
from retrosolve.spaces.csr.build import Buckets, bucket_starts, even
from retrosolve.spaces.csr.open_moves import state_dtype
from retrosolve.spaces.csr.propagation import PROPAGATION, Propagation, seed
from retrosolve.tables import ArrayTable
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import INVALID, Value

LEVELS = "levels"  # the stage of a snapshot
MAX_LEVEL = 255  # what eight sets of levels hold
BLOCK = 1 << 12  # edges that are looked up before any of them is moved
LISTED = 1 << 9  # edges of a scan between two looks at how many are listed
SIEVE_SHIFT = 17  # bits of a set that the first-level cache holds: 16 kB
NONE: IntArray = np.zeros(0, np.uint16)
WORD = 6  # 2^6 vertices in a word of a set
# Nanoseconds of one core, for estimates.
SERIAL_VERTEX, SERIAL_EDGE, LARGE_VERTEX, LARGE_EDGE = 30, 6, 120, 3


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the arrays of a solve beyond the graph, the result included."""
    if _is_serial(space, num_edges):
        return serial.buffers(space, num_edges)
    n, vertex = space.num_vertices, index_dtype(space.num_vertices)
    unsigned = np.uint32 if vertex is np.int32 else np.uint64
    words = (n >> WORD) + (1 << tuning.current().bucket_shift - WORD)
    dealt = Capability.CSR in space.capabilities and space.materialize().is_dealt
    return Buffers(
        value=(n, np.uint8),
        remoteness=(n, vertex),
        sets=((18, words), np.uint64),
        low=(0 if dealt else num_edges, np.uint16),
        kept_low=(num_edges, np.uint16),
        kept_target=(num_edges, unsigned),  # or, later, the rows of the predecessors
        dealt_low=(num_edges, np.uint16),
        dealt=(num_edges, unsigned),
    ) | propagation.buffers(n, num_edges)


def seconds(space: StateSpace, num_edges: int, threads: int) -> float:
    """Estimate the time of ``solve`` if most vertices are decided; with few, it takes less."""
    if _is_serial(space, num_edges):
        return (SERIAL_VERTEX * space.num_vertices + SERIAL_EDGE * num_edges) / 1e9
    return (LARGE_VERTEX * space.num_vertices + LARGE_EDGE * num_edges) / threads / 1e9


def _is_serial(space: StateSpace, num_edges: int) -> bool:
    """Return whether one thread solves a space best."""
    if space.num_vertices + num_edges <= tuning.current().max_serial_csr_work:
        return True
    return Capability.CSR in space.capabilities and space.materialize().prefers_edge_list


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges in O(n + m) time.

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
    work = graph.num_vertices + graph.num_edges
    if not jit.pays(work):
        return worklist.solve(graph, stuck, context)
    if _is_serial(graph, graph.num_edges):
        arrays = serial.solve(graph, stuck, context)
    else:
        with ThreadPool(context.threads, work) as pool:
            arrays = _LevelSolve(graph, stuck, context, pool).solve()
    return SolveResult(ArrayTable(*arrays), Statistics(graph.num_edges))


class _LevelSolve:
    """The state of a solve, in sets of vertices: vertex v is bit ``v & 63`` of word ``v >> 6``.

    =============  ===========================  =====================================================
    set            where the players alternate  where vertices have owners
    =============  ===========================  =====================================================
    ``sides[0]``   LOSS                         what player 1 wins
    ``sides[1]``   WIN                          what player 0 wins
    ``own``        all vertices                 the vertices of player 0
    =============  ===========================  =====================================================

    A vertex with a successor on the side that it likes joins side 1 if it is in ``own``, otherwise
    side 0. If all its successors are on the other side, it joins the side that is left. It likes side 0
    where the players alternate, and with owners the side that it joins. ``fresh`` is what the last
    level decided, in sets like ``sides``; ``levels`` has a set for each bit of a level.
    """

    def __init__(self, graph: CsrSpace, stuck: Value, context: Context, pool: ThreadPool) -> None:
        self.graph, self.context, self.pool = graph, context, pool
        self.n = graph.num_vertices
        self.owned = graph.owner is not None
        edges = graph.buckets(pool)
        self.shift = edges.shift
        self.num_buckets = len(edges.starts)
        self.low, self.target = read_only(edges.low), read_only(edges.target)
        self._cut(edges)
        words = self.num_buckets << self.shift - WORD
        self.undecided, self.own, self.tied, self.candidates = np.zeros((4, words), np.uint64)
        self.sides, self.fresh = np.zeros((2, 2 * words), np.uint64)
        self.hits, self.live = np.zeros((2, len(self.starts), 1 << self.shift - WORD), np.uint64)
        self.levels = np.zeros((8, words), np.uint64)
        self.level = 0
        self.spent = 0  # vertices and edges of scans
        self.is_filtered = False  # whether the last level dropped what does not matter to the next one
        self.is_worthwhile = True  # whether to drop edges again
        self.before = self.num_kept, self.n  # edges and undecided vertices two levels ago
        self.kept: tuple[IntArray, IntArray] | None = None  # edges, once some have been dropped
        self._initialise(int(stuck))

    def _cut(self, edges: Buckets) -> None:
        """Cut the buckets into segments, so that threads share one that has most of the edges."""
        sizes = edges.sizes
        most = int(sizes.sum()) // (self.pool.threads * tuning.current().segments_per_thread) + 1
        parts = np.maximum(-(-sizes // most), 1)
        self.first = np.concatenate([[0], np.cumsum(parts)])  # segment of each bucket
        self.bucket = np.repeat(np.arange(self.num_buckets), parts)
        part = np.arange(len(self.bucket)) - self.first[self.bucket]
        begin, size, parts = edges.starts[self.bucket], sizes[self.bucket], parts[self.bucket]
        self.starts = begin + size * part // parts
        self.stops = begin + size * (part + 1) // parts

    @property
    def num_kept(self) -> int:
        """The number of edges that have not been dropped."""
        return int((self.stops - self.starts).sum())

    # -- passes ---------------------------------------------------------------------------------

    def _over_segments(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call a kernel for the edges of all segments, shared evenly."""
        compiled = jit.compiled(kernel)
        self.pool.map_ranges(
            lambda first, last: compiled(
                self.low, self.target, self.bucket, self.starts, self.stops, first, last, self.shift,
                *arguments,
            ),
            even(self.stops - self.starts, 4 * self.pool.threads),
        )  # fmt: skip

    def _over_buckets(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a kernel for the vertices of all buckets, shared evenly."""
        compiled = jit.compiled(kernel)
        return self.pool.map_ranges(
            lambda start, stop: compiled(*arguments, start, stop, self.shift),
            self.pool.chunks(self.num_buckets, 4 * self.pool.threads),
        )

    def _initialise(self, stuck: int) -> None:
        """Settle terminal vertices and those without moves."""
        graph = self.graph
        self._over_segments(mark_sources, self.hits)
        self._over_buckets(
            initialise, *or_placeholder(graph.terminals), *or_placeholder(graph.owner), stuck, self.n,
            self.first, self.hits, self.undecided, self.own, self.sides, self.tied,
        )  # fmt: skip
        self.fresh[:] = self.sides
        self._count()

    def _count(self) -> None:
        """Count what the last level decided, and what is undecided."""
        bits = np.bitwise_count(self.fresh).reshape(2, -1).sum(axis=1, dtype=np.int64)
        self.num_fresh = int(bits[0]), int(bits[1])
        self.num_undecided = int(np.bitwise_count(self.undecided).sum(dtype=np.int64))

    def _run_level(self, ties: bool) -> bool:
        """Run a level, unless the rest is better transposed: return whether it was run."""
        tuned = tuning.current()
        if self.level == MAX_LEVEL:
            return False
        if sum(self.num_fresh) * tuned.few_share < self.n:
            if self.spent > tuned.max_scans * (self.num_kept + self.n // 8):
                return False
            self.spent += self.num_kept + self.n // 16
            self.level += 1
            self._scan(ties)
            return True
        if not self.is_worthwhile:
            return False
        self.level += 1
        owned = self.owned and not ties
        zero, one = self.num_fresh
        marked, self.is_filtered = ties or zero > 0, ties or owned or one > 0
        if marked and not owned:
            self._over_segments(mark, self.tied if ties else self.sides, self.hits)
        if self.is_filtered:
            self._keep(self.sides, owned)
        self._settle(ties, marked or owned, self.is_filtered, self.undecided)
        if self.level % 2 == 0:
            edges, vertices = self.before
            self.before = self.num_kept, self.num_undecided
            saved = tuned.edge_saving * (edges - self.num_kept)
            saved += tuned.vertex_saving * (vertices - self.num_undecided)
            cost = tuned.owned_level_edge_cost if owned else tuned.level_edge_cost
            self.is_worthwhile = 2 * cost * self.num_kept <= saved
        return True

    def _keep(self, sides: NDArray[np.uint64], marking: bool = False) -> None:
        """Keep the edges out of undecided vertices that do not lead to the wrong side.

        With ``marking``, mark in the same pass who has a successor on the right one.
        """
        if self.kept is None:  # those of the graph stay as they are
            self.kept = np.empty_like(self.low), np.empty_like(self.target)
        low, target = self.kept
        self._over_segments(
            keep, low, target, self.undecided, self.owned, self.own, sides, self.live, marking,
            self.hits,
        )  # fmt: skip
        self.low, self.target = read_only(low), read_only(target)

    def _scan(self, ties: bool) -> None:
        """Run a level of few vertices: look for edges into it, and drop none."""
        sieve = np.zeros(1 << SIEVE_SHIFT - WORD, np.uint64)
        jit.compiled(fill_sieve)(self.fresh, sieve)
        owned = self.owned and not ties
        self._over_segments(scan, owned, self.own, self.fresh, sieve, self.hits, self.live)
        self._over_buckets(
            choose_candidates, self.first, self.hits, self.live, self.undecided, self.candidates
        )
        filtered = bool(self.candidates.any())
        if filtered:
            self._over_segments(examine, self.candidates, self.owned, self.own, self.sides, self.live)
        self.is_filtered = False
        self._settle(ties, True, filtered, self.candidates)

    def _settle(self, ties: bool, marked: bool, filtered: bool, candidates: NDArray[np.uint64]) -> None:
        """Settle who was hit, and the candidates that have no live edge."""
        joined = self._over_buckets(
            settle, self.first, self.hits, marked, self.live, filtered, candidates, ties, self.owned,
            self.own, self.undecided, self.sides, self.tied, self.fresh, self.level, self.levels,
        )  # fmt: skip
        self.num_fresh = sum(int(zero) for zero, _ in joined), sum(int(one) for _, one in joined)
        self.num_undecided -= sum(self.num_fresh)

    # -- phases ---------------------------------------------------------------------------------

    def solve(self) -> tuple[ByteArray, IntArray]:
        """Solve for wins and losses, then for ties; return values and remotenesses."""
        checkpoint = self.context.checkpoint
        snapshot = checkpoint.resumed(PROPAGATION)
        if snapshot is not None:
            self.undecided, self.fresh = snapshot.array("undecided"), snapshot.array("fresh")
            self.sides = snapshot.array("sides")
            rest = self._propagation()
            return self._propagate_ties(rest, rest.resume(snapshot))
        snapshot = checkpoint.resumed(LEVELS)
        first = False if snapshot is None else self._restore(snapshot)
        for ties in (False, True)[first:]:
            if ties and snapshot is None:
                self._start_ties()
            snapshot = None
            while any(self.num_fresh):
                if not self._run_level(ties):
                    return self._propagate_rest(ties)
                if checkpoint.due():
                    checkpoint.save(*self._snapshot(ties))
                self.context.progress(Progress("solving", self.n - self.num_undecided, self.n))
            if not self.tied.any():
                break
        return self._result()

    def _start_ties(self) -> None:
        """Start the phase of ties from the ties that are decided."""
        self.level = 0
        self.is_worthwhile, self.is_filtered = True, False
        self._seed_ties()
        self._count()

    def _seed_ties(self) -> None:
        """Let the ties that are decided be those of the last level."""
        self.fresh[:] = 0
        self.fresh[: len(self.tied)] = self.tied

    def _propagate_rest(self, ties: bool) -> tuple[ByteArray, IntArray]:
        """Transpose the rest and propagate from what the last level has decided."""
        rest = self._propagation()
        decided = jit.compiled(seed)(self.fresh, rest.queue)
        rest.run(int(decided), ties, self.level)
        return self._propagate_ties(rest, ties)

    def _propagate_ties(self, rest: Propagation, finished: bool) -> tuple[ByteArray, IntArray]:
        """Propagate ties unless that is ``finished``; return values and remotenesses."""
        if not finished:
            self._seed_ties()
            decided = jit.compiled(seed)(self.fresh, rest.queue)
            rest.run(int(decided), ties=True, level=0)
        return rest.value, rest.remoteness

    def _propagation(self) -> Propagation:
        """Transpose the edges that still matter; return a propagation along them."""
        transposed, state = self._dealt_by_target()
        room = None if self.kept is None else self.kept[1]  # whose edges have just been dealt
        self.kept, self.low, self.target = None, NONE, NONE
        rindptr, rindices = transposed.rows(self.pool, room)
        del transposed
        value, remoteness = self._result()
        queue = np.empty(*propagation.queue_shape(self.n))
        return Propagation(
            rindptr, rindices, self.owned, state, value, remoteness, queue, self.pool,
            self.context.progress, tuning.current().max_serial_width, self.context.checkpoint,
            {"undecided": self.undecided, "fresh": self.fresh, "sides": self.sides},
        )  # fmt: skip

    def _dealt_by_target(self) -> tuple[Buckets, IntArray]:
        """Return the edges kept, reversed, and the state of all vertices."""
        cuts = even(np.add.reduceat(self.stops - self.starts, self.first[:-1]), 4 * self.pool.threads)
        chunks = len(cuts) - 1
        edges = self.low, self.target, self.first, self.starts, self.stops
        dropped = self.sides & ~self.fresh  # nobody is notified of them

        def counted(largest: int) -> tuple[IntArray, IntArray, bool]:
            """Return counts by bucket, states with room for ``largest``, and whether one is full."""
            counts = np.zeros((chunks, self.num_buckets), np.int64)
            state = np.empty(self.num_buckets << self.shift, state_dtype(largest, self.num_kept))
            count = jit.compiled(count_kept)
            full = self.pool.map(
                lambda i: count(
                    *edges, cuts[i], cuts[i + 1], self.shift, self.undecided, self.owned, self.own,
                    dropped, not self.is_filtered, counts[i], state, int(np.iinfo(state.dtype).max),
                ),
                chunks,
            )  # fmt: skip
            return counts, state, any(full)

        counts, state, is_full = counted(0)
        if is_full:
            counts, state, _ = counted(self.num_kept)
        sizes = counts.sum(axis=0)
        starts = bucket_starts(sizes)
        cursor = starts[:-1] + np.cumsum(counts, axis=0) - counts
        low = np.empty(starts[-1], np.uint16)
        dealt = np.empty(starts[-1], self.target.dtype)
        distribute = jit.compiled(deal_kept)
        self.pool.map(
            lambda i: distribute(*edges, cuts[i], cuts[i + 1], self.shift, cursor[i], dealt, low),
            chunks,
        )
        by_target = Buckets(low, dealt, starts[:-1], starts[:-1] + sizes, self.shift, self.n)
        return by_target, state[: self.n]

    def _result(self) -> tuple[ByteArray, IntArray]:
        """Return values and remotenesses as far as they are decided."""
        value, remoteness = np.empty(self.n, np.uint8), np.empty(self.n, index_dtype(self.n))
        self._over_buckets(finish, self.sides, self.tied, self.own, self.levels, value, remoteness)
        terminals = self.graph.terminals
        if terminals is not None:
            value[terminals == INVALID] = INVALID
        return value, remoteness

    # -- snapshots --------------------------------------------------------------------------------

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that levels change."""
        return {
            "undecided": self.undecided, "sides": self.sides, "tied": self.tied, "fresh": self.fresh,
            "levels": self.levels,
        }  # fmt: skip

    def _snapshot(self, ties: bool) -> tuple[Facts, Mapping[str, NDArray[Any]]]:
        """Return the facts and the arrays of a snapshot after a level."""
        facts: Facts = {"stage": LEVELS, "ties": int(ties), "spent": self.spent, "level": self.level}
        return facts, self._arrays()

    def _restore(self, snapshot: Snapshot) -> bool:
        """Read a snapshot; return whether it is of the phase of ties."""
        facts: Any = snapshot.facts
        snapshot.read(self._arrays())
        self.level, self.spent = facts["level"], facts["spent"]
        self._count()
        return bool(facts["ties"])


# -- kernels ----------------------------------------------------------------------------------------
#
# Those over edges share their first parameters: ``low, target``, the edges; ``bucket, starts, stops``,
# int64 [segments], the bucket of each segment and where its edges are; ``first, last``, the segments to
# work on; and ``shift``, for buckets of 2 ** shift vertices. A set is uint64 [words], a pair of sets
# uint64 [2 * words]; ``hits`` and ``live`` have a set for each segment, of the vertices of its bucket.
# ``own`` is the set of vertices that side 1 belongs to, read only if ``owned``.


def mark_sources(
    low: IntArray, target: IntArray, bucket: IntArray, starts: IntArray, stops: IntArray, first: int,
    last: int, shift: int, hits: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Mark the vertices that have edges in ``hits``, overwritten."""
    for i in range(first, last):
        row = hits[i]
        row[:] = 0
        for e in range(starts[i], stops[i]):
            s = u64(low[u64(e)])
            row[s >> u64(6)] |= u64(1) << (s & u64(63))


def mark(
    low: IntArray, target: IntArray, bucket: IntArray, starts: IntArray, stops: IntArray, first: int,
    last: int, shift: int, good: NDArray[np.uint64], hits: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Mark the vertices with a successor in ``good`` in ``hits``, overwritten.

    Computes ``if any(w in good for w in successors): hit(v)``, without a branch, which nothing could
    predict.
    """
    for i in range(first, last):
        row = hits[i]
        row[:] = 0
        for e in range(starts[i], stops[i]):
            t = u64(target[u64(e)])
            s = u64(low[u64(e)])
            row[s >> u64(6)] |= ((good[t >> u64(6)] >> (t & u64(63))) & u64(1)) << (s & u64(63))


def keep(
    low: IntArray, target: IntArray, bucket: IntArray, starts: IntArray, stops: IntArray, first: int,
    last: int, shift: int, low_kept: IntArray, target_kept: IntArray, undecided: NDArray[np.uint64],
    owned: bool, own: NDArray[np.uint64], sides: NDArray[np.uint64], live: NDArray[np.uint64],
    marking: bool, hits: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Keep the edges that still matter, and mark their sources in ``live``, overwritten.

    Computes for each vertex::

        if v in undecided:
            if any(w in good for w in successors):
                hit(v)
            successors = [w for w in successors if w not in bad]
            if successors:
                live(v)

    where the first condition is left to ``mark`` unless ``marking``, which is for vertices with owners.
    Edges are moved to the front of those of segments ``first..last-1``, in place or into other arrays.
    Each is written to the next place, which the loop only leaves if the edge is kept: a branch on that
    would be mispredicted at every third edge. Targets are looked up before, 64 edges into the bits of
    a word: a loop that writes nothing else is one that LLVM gathers eight words at a time in.
    """
    words = u64(len(own))
    gone, met = np.empty(BLOCK >> WORD, np.uint64), np.empty(BLOCK >> WORD, np.uint64)
    place = u64(starts[first]) if first < last else u64(0)
    for i in range(first, last):
        row, hit = live[i], hits[i]
        row[:] = 0
        if marking:
            hit[:] = 0
        base = u64(bucket[i] << (shift - 6))
        before = place
        for begin in range(starts[i], stops[i], BLOCK):
            size = min(BLOCK, stops[i] - begin)
            for w in range(0, size, 64):
                bad = good = u64(0)
                for j in range(min(64, size - w)):
                    t = u64(target[u64(begin + w + j)])
                    liked = u64(0)
                    if owned:
                        s = u64(low[u64(begin + w + j)])
                        liked = ((own[base + (s >> u64(6))] >> (s & u64(63))) & u64(1)) * words
                    at, of = t >> u64(6), t & u64(63)
                    bad |= ((sides[words - liked + at] >> of) & u64(1)) << u64(j)
                    if marking:
                        good |= ((sides[liked + at] >> of) & u64(1)) << u64(j)
                gone[u64(w >> 6)], met[u64(w >> 6)] = bad, good
            for w in range(0, size, 64):
                bad, good = gone[u64(w >> 6)], met[u64(w >> 6)]
                for j in range(min(64, size - w)):
                    t = target[u64(begin + w + j)]
                    s = u64(low[u64(begin + w + j)])
                    of, bit = s >> u64(6), s & u64(63)
                    if marking:
                        hit[of] |= ((good >> u64(j)) & u64(1)) << bit
                    kept = (undecided[base + of] >> bit) & ~(bad >> u64(j)) & u64(1)
                    target_kept[place] = t
                    low_kept[place] = s
                    place += kept
                    row[of] |= kept << bit
        starts[i] = before
        stops[i] = place


def fill_sieve(fresh: NDArray[np.uint64], sieve: NDArray[np.uint64]) -> None:
    """Put both of a pair of sets into one small set, all vertices of equal low bits as one.

    ``sieve`` is a set of a power of two of vertices, all zeros before.
    """
    words, mask = len(fresh) // 2, len(sieve) - 1
    for w in range(words):
        sieve[u64(w & mask)] |= fresh[u64(w)] | fresh[u64(words + w)]


def scan(
    low: IntArray, target: IntArray, bucket: IntArray, starts: IntArray, stops: IntArray, first: int,
    last: int, shift: int, owned: bool, own: NDArray[np.uint64], fresh: NDArray[np.uint64],
    sieve: NDArray[np.uint64], hits: NDArray[np.uint64], live: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Look for edges into few vertices; mark the sources of those on their own side, and of the others.

    The first are marked in ``hits`` and the others in ``live``, both overwritten. Most targets are not
    even in the ``sieve``, which the first-level cache holds. The others are listed first, without a
    branch: each edge is written to the next place, which only one in the sieve takes. What is listed
    is looked up once there is much of it, so that many of these loads, each of which misses the caches,
    wait together.
    """
    words, mask = u64(len(own)), u64(len(sieve) - 1)
    found = np.empty(2 * LISTED, np.int64)
    for i in range(first, last):
        row, other = hits[i], live[i]
        row[:] = 0
        other[:] = 0
        base = u64(bucket[i] << (shift - 6))
        count = u64(0)
        for begin in range(starts[i], stops[i], LISTED):
            end = min(begin + LISTED, stops[i])
            for e in range(begin, end):
                t = u64(target[u64(e)])
                found[count] = e
                count += (sieve[(t >> u64(6)) & mask] >> (t & u64(63))) & u64(1)
            if count <= u64(LISTED) and end < stops[i]:
                continue
            met = u64(0)
            for k in range(count):
                e = found[u64(k)]
                t = u64(target[u64(e)])
                found[met] = e
                at = t >> u64(6)
                met += ((fresh[at] | fresh[words + at]) >> (t & u64(63))) & u64(1)
            for k in range(met):
                e = found[u64(k)]
                t, s = u64(target[u64(e)]), u64(low[u64(e)])
                of, bit, at = s >> u64(6), s & u64(63), t >> u64(6)
                good = ((own[base + of] >> bit) & u64(1)) * words if owned else u64(0)
                row[of] |= ((fresh[good + at] >> (t & u64(63))) & u64(1)) << bit
                other[of] |= ((fresh[words - good + at] >> (t & u64(63))) & u64(1)) << bit
            count = u64(0)


def examine(
    low: IntArray, target: IntArray, bucket: IntArray, starts: IntArray, stops: IntArray, first: int,
    last: int, shift: int, candidates: NDArray[np.uint64], owned: bool, own: NDArray[np.uint64],
    sides: NDArray[np.uint64], live: NDArray[np.uint64],
) -> None:  # fmt: skip
    """Mark the candidates with a successor not on the other one of two ``sides`` in ``live``.

    The edges of candidates are listed as in ``scan``.
    """
    words = u64(len(own))
    found = np.empty(2 * LISTED, np.int64)
    for i in range(first, last):
        row = live[i]
        row[:] = 0
        base = u64(bucket[i] << (shift - 6))
        some = u64(0)
        for w in range(1 << (shift - 6)):
            some |= candidates[base + u64(w)]
        if some == 0:
            continue
        count = u64(0)
        for begin in range(starts[i], stops[i], LISTED):
            end = min(begin + LISTED, stops[i])
            for e in range(begin, end):
                s = u64(low[u64(e)])
                found[count] = e
                count += (candidates[base + (s >> u64(6))] >> (s & u64(63))) & u64(1)
            if count <= u64(LISTED) and end < stops[i]:
                continue
            for k in range(count):
                e = found[u64(k)]
                t, s = u64(target[u64(e)]), u64(low[u64(e)])
                of, bit, at = s >> u64(6), s & u64(63), t >> u64(6)
                good = ((own[base + of] >> bit) & u64(1)) * words if owned else u64(0)
                row[of] |= (~(sides[words - good + at] >> (t & u64(63))) & u64(1)) << bit
            count = u64(0)


def choose_candidates(
    first: IntArray, hits: NDArray[np.uint64], live: NDArray[np.uint64],
    undecided: NDArray[np.uint64], candidates: NDArray[np.uint64], start: int, stop: int, shift: int,
) -> None:  # fmt: skip
    """Choose who may have lost: the undecided vertices that are marked in ``live`` and not in ``hits``.

    ``candidates`` is overwritten for the buckets ``start..stop-1``; ``first`` is as in ``settle``.
    """
    size = 1 << (shift - 6)
    for b in range(start, stop):
        for w in range(size):
            hit = met = u64(0)
            for i in range(first[b], first[b + 1]):
                hit |= hits[i, w]
                met |= live[i, w]
            at = u64(b * size + w)
            candidates[at] = met & undecided[at] & ~hit


def settle(
    first: IntArray, hits: NDArray[np.uint64], marked: bool, live: NDArray[np.uint64], filtered: bool,
    candidates: NDArray[np.uint64], ties: bool, owned: bool, own: NDArray[np.uint64],
    undecided: NDArray[np.uint64], sides: NDArray[np.uint64], tied: NDArray[np.uint64],
    fresh: NDArray[np.uint64], level: int, levels: NDArray[np.uint64], start: int, stop: int,
    shift: int,
) -> tuple[int, int]:  # fmt: skip
    """Settle the vertices of some buckets that were hit, and the candidates that have no live edge.

    Computes, for each undecided vertex, with what the passes over the edges have marked::

        if hit:
            join its own side (the other one where players alternate), or the ties
        elif candidate and not live:
            join the side that is left

    Parameters
    ----------
    first : int64 [buckets + 1]
        The first segment of each bucket.
    hits, live : uint64 [segments, 2 ** (shift - 6)]
        Read if ``marked``, if ``filtered``.
    candidates, own, undecided, tied : uint64 [words]
        Sets; the last two are changed in place.
    ties, owned : bool
        Whether this is the phase of ties, and whether vertices have owners.
    sides, fresh : uint64 [2 * words]
        Pairs of sets; the first is added to, the second overwritten with what is decided.
    level : int
        The remoteness of what is decided.
    levels : uint64 [8, words]
        Set j has the vertices whose level has bit j; added to.
    start, stop : int
        The buckets ``start..stop-1`` to work on.

    Returns
    -------
    int, int
        The numbers of vertices that joined each side; those tied count for the first one.
    """
    size = 1 << (shift - 6)
    words = u64(len(own))
    joined_zero: Any = u64(0)
    joined_one: Any = u64(0)
    for b in range(start, stop):
        for k in range(size):
            w = u64(b * size + k)
            before = undecided[w]
            hit = alive = u64(0)
            for i in range(first[b], first[b + 1]):
                hit |= hits[i, k] if marked else u64(0)
                alive |= live[i, k] if filtered else u64(0)
            hit &= before
            lost = candidates[w] & before & ~hit & ~alive if filtered and not ties else u64(0)
            if ties:
                zero, one = hit, u64(0)
                tied[w] |= hit
            else:
                owners = own[w]
                one, zero = (hit & owners) | (lost & ~owners), (hit & ~owners) | (lost & owners)
                sides[w] |= zero
                sides[words + w] |= one
            fresh[w] = zero
            fresh[words + w] = one
            if zero | one == 0:
                continue
            undecided[w] = before & ~(zero | one)
            joined_zero += num_bits(zero)
            joined_one += num_bits(one)
            for j in range(8):
                if (level >> j) & 1:
                    levels[j, w] |= zero | one
    return joined_zero, joined_one


def initialise(
    terminal: ByteArray, has_terminals: bool, owner: ByteArray, owned: bool, stuck: int, n: int,
    first: IntArray, hits: NDArray[np.uint64], undecided: NDArray[np.uint64], own: NDArray[np.uint64],
    sides: NDArray[np.uint64], tied: NDArray[np.uint64], start: int, stop: int, shift: int,
) -> None:  # fmt: skip
    """Settle terminal vertices and those without moves.

    Parameters
    ----------
    terminal, owner : uint8 [n]
        Terminal values, read only if ``has_terminals``; the player to move, read only if ``owned``.
    has_terminals, owned : bool
        Whether there are terminal values, and owners.
    stuck : int
        The value of a vertex without moves.
    n : int
    first, hits
        As in ``settle``; ``hits`` marks the vertices with moves.
    undecided, own, sides, tied : uint64 [words], [words], [2 * words], [words]
        Sets, overwritten.
    start, stop : int
        The buckets ``start..stop-1`` to work on.
    """
    size = 1 << (shift - 6)
    words = u64(len(own))
    for b in range(start, stop):
        for k in range(size):
            w = u64(b * size + k)
            moves = u64(0)
            for i in range(first[b], first[b + 1]):
                moves |= hits[i, k]
            length = max(0, min(64, n - 64 * (b * size + k)))
            ones = ~u64(0) if length == 64 else (u64(1) << u64(length)) - u64(1)
            owners = ones
            if owned:
                owners = u64(0)
                for j in range(length):
                    owners |= u64(owner[u64(64) * w + u64(j)] == 0) << u64(j)
            won = lost = ties = over = u64(0)
            if has_terminals:
                for j in range(length):
                    value = terminal[u64(64) * w + u64(j)]
                    won |= u64(value == WIN) << u64(j)
                    lost |= u64(value == LOSS) << u64(j)
                    ties |= u64(value == TIE) << u64(j)
                    over |= u64(value != DRAW) << u64(j)
            at_end = ones & ~over & ~moves
            won |= at_end if stuck == WIN else u64(0)
            lost |= at_end if stuck == LOSS else u64(0)
            ties |= at_end if stuck == TIE else u64(0)
            own[w] = owners
            undecided[w] = moves & ~over
            tied[w] = ties
            sides[w] = (won & ~owners) | (lost & owners)
            sides[words + w] = (won & owners) | (lost & ~owners)


def finish(
    sides: NDArray[np.uint64], tied: NDArray[np.uint64], own: NDArray[np.uint64],
    levels: NDArray[np.uint64], value: ByteArray, remoteness: IntArray, start: int, stop: int,
    shift: int,
) -> None:  # fmt: skip
    """Write the values and remotenesses of the vertices of buckets ``start..stop-1``.

    Sets are as in ``settle``; ``value`` and ``remoteness``, uint8 and int32 or int64 [n], are
    overwritten.
    """
    n, words = len(value), u64(len(own))
    size = 1 << (shift - 6)
    for w in range(start * size, stop * size):
        owners = own[u64(w)]
        zero, one, ties = sides[u64(w)], sides[words + u64(w)], tied[u64(w)]
        won, lost = (one & owners) | (zero & ~owners), (zero & owners) | (one & ~owners)
        length = min(64, n - 64 * w)
        if won | lost | ties == 0:  # as nearly all are where little is decided
            for j in range(length):
                remoteness[u64(64 * w + j)] = -1
                value[u64(64 * w + j)] = DRAW
            continue
        for j in range(length):
            k, v = u64(j), u64(64 * w + j)
            level = np.int64(-1) + np.int64(((won | lost | ties) >> k) & u64(1))
            for plane in range(8):
                level += np.int64((levels[plane, u64(w)] >> k) & u64(1)) << plane
            remoteness[v] = level
            value[v] = (
                ((won >> k) & u64(1)) * u64(WIN)
                + ((lost >> k) & u64(1)) * u64(LOSS)
                + ((ties >> k) & u64(1)) * u64(TIE)
            )


def count_kept(
    low: IntArray, target: IntArray, first: IntArray, starts: IntArray, stops: IntArray, start: int,
    stop: int, shift: int, undecided: NDArray[np.uint64], owned: bool, own: NDArray[np.uint64],
    dropped: NDArray[np.uint64], dropping: bool, counts: IntArray, state: IntArray, mask: int,
) -> bool:  # fmt: skip
    """Count the edges of the buckets ``start..stop-1`` by the bucket of their target, and by source.

    Those that no longer matter are among them where no level has dropped them. They do not count for
    their source, and nobody follows them.

    Parameters
    ----------
    low, target : uint16 [k], uint32 or uint64 [k]
        The edges.
    first, starts, stops : int64 [buckets + 1], [segments], [segments]
        The first segment of each bucket, and where the edges of segments are.
    undecided, owned, own
        As in ``settle``.
    dropped : uint64 [2 * words]
        What has notified its predecessors, read only if ``dropping``.
    counts : int64 [buckets]
        Added to.
    state : uint8, int32 or int64 [vertices]
        Overwritten as ``csr.open_moves`` says.
    mask : int
        The bits of a state.

    Returns
    -------
    bool
        Whether some vertex has too many edges for its state.
    """
    size = 1 << shift
    words = u64(len(own))
    full = 0
    for b in range(start, stop):
        base = u64(b * size)
        for k in range(size):
            v = base + u64(k)
            state[v] = (own[v >> u64(6)] >> (v & u64(63))) & u64(1) if owned else 0
        for i in range(first[b], first[b + 1]):
            for e in range(starts[i], stops[i]):
                t = u64(target[u64(e)])
                counts[t >> u64(shift)] += 1
                v = base + u64(low[u64(e)])
                live = undecided[v >> u64(6)] >> (v & u64(63))
                if dropping:
                    good = u64(state[v] & 1) * words if owned else u64(0)
                    live &= ~(dropped[words - good + (t >> u64(6))] >> (t & u64(63)))
                more = np.int64(state[v]) + 2 * np.int64(live & u64(1))
                full |= 1 if more > mask else 0
                state[v] = more & mask
    return full > 0


def deal_kept(
    low: IntArray, target: IntArray, first: IntArray, starts: IntArray, stops: IntArray, start: int,
    stop: int, shift: int, cursor: IntArray, dealt: IntArray, dealt_low: IntArray,
) -> None:  # fmt: skip
    """Deal the edges that ``count_kept`` counts, reversed, into the buckets of their targets.

    ``cursor``, int64 [buckets], has the next place of each bucket in ``dealt`` and ``dealt_low``, for
    the source and the low bits of the target; changed in place.
    """
    size = 1 << shift
    mask = u64(size - 1)
    for b in range(start, stop):
        base = u64(b * size)
        for i in range(first[b], first[b + 1]):
            for e in range(starts[i], stops[i]):
                t = u64(target[u64(e)])
                c = t >> u64(shift)
                place = u64(cursor[c])
                cursor[c] = place + u64(1)
                dealt[place] = base | u64(low[u64(e)])
                dealt_low[place] = t & mask
