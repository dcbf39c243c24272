"""The edges of one partition, by target, and the state of its vertices before any level."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np

from retrosolve.arrays import PLACEHOLDER, ByteArray, IntArray, index_dtype, read_only
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.csr.build import edges_to_csr
from retrosolve.distributed import kernels
from retrosolve.errors import RulesError
from retrosolve.kernels.open_moves import state_dtype
from retrosolve.kernels.words import code_of, word_dtype
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import Capability, EdgeBlockSpace, RulesSpace, StateSpace
from retrosolve.tables.summary import spans
from retrosolve.values import INVALID, Value

VERTICES_AT_ONCE = 1 << 18
SPARSE = 4  # vertices for each edge from which rows of all targets take more than buckets
EDGES_PER_BUCKET = 4


class Tier(NamedTuple):
    """A tier and the part of it that a partition owns.

    Parameters
    ----------
    below, above : int
        The tier is ``below..above-1``.
    start, stop : int
        The vertices of the partition.
    """

    below: int
    above: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """The number of vertices of the partition."""
        return self.stop - self.start


class Rows(NamedTuple):
    """Edges by target; see ``distributed.kernels``."""

    starts: IntArray
    edges: IntArray
    shift: int


class Initial(NamedTuple):
    """What is known of the vertices of a partition before any level.

    Parameters
    ----------
    rows : Rows
        The edges within the tier.
    state, words : unsigned integers [size]
        See ``distributed.kernels``.
    own : uint8 [size]
        The side on which each vertex likes a successor to be.
    tie_levels : uint32 [size] or [0]
        The level at which a vertex inherits a TIE from an earlier tier, 0 where it does not.
    num_edges : int
        The number of edges, those of terminal vertices left out.
    """

    rows: Rows
    state: IntArray
    words: IntArray
    own: ByteArray
    tie_levels: IntArray
    num_edges: int


@functools.cache
def _kernels() -> SpecializedKernels:
    return SpecializedKernels({})


def kernel(function: Any, work: int) -> Any:
    """Return a kernel, compiled where that much work pays for it."""
    return _kernels().kernel(function, work)


def rows_of(sources: IntArray, targets: IntArray, num_targets: int, size: int) -> Rows:
    """Return edges by target, in memory that depends on the edges where they are few."""
    work = num_targets + len(sources)
    if num_targets <= SPARSE * len(sources) or num_targets < 64:
        with ThreadPool(1, work) as pool:
            starts, edges = edges_to_csr(targets, sources, max(num_targets, size), pool)
        return Rows(starts, edges, 0)
    shift = max(1, (num_targets * EDGES_PER_BUCKET // (len(sources) + 1)).bit_length() - 1)
    starts = np.zeros((num_targets >> shift) + 2, np.int64)
    kernel(kernels.count_buckets, work)(targets, shift, starts)
    np.cumsum(starts, out=starts)
    kind = index_dtype(size << shift)
    dealt: IntArray = np.empty(len(sources), kind)
    kernel(kernels.deal_buckets, work)(sources, targets, shift, starts.copy(), dealt)
    return Rows(starts, dealt, shift)


def initial(space: StateSpace, stuck: Value, tier: Tier, earlier: IntArray, has_ties: bool) -> Initial:
    """Return the edges of a partition and what is decided before any level.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    tier : Tier
    earlier : unsigned integers [tier.below] or more
        The words of earlier tiers.
    has_ties : bool
        Whether some vertex of an earlier tier is a TIE.

    Raises
    ------
    RulesError
        For a move to a later tier, or to an INVALID index.
    """
    player = space.player(np.arange(tier.start, tier.stop))
    own = np.zeros(tier.size, np.uint8) if player is None else (player == 0).astype(np.uint8)
    if Capability.EDGE_BLOCKS in space.capabilities:
        return _from_blocks(cast(EdgeBlockSpace, space), stuck, tier, own)
    tie_levels: IntArray = np.zeros(tier.size if has_ties else 0, np.uint32)
    words: IntArray = np.zeros(tier.size, earlier.dtype)
    owner = PLACEHOLDER
    if player is not None and tier.below:
        owner = read_only(space.player(np.arange(tier.below)))
    parts = [_no_edges(tier.size, tier.above - tier.below)]
    state: IntArray = np.zeros(tier.size, np.uint8)
    work = space.num_vertices + tier.size
    initialise = kernel(kernels.initialise_rows, work)
    num_edges = 0
    for low, high in spans(tier.size, VERTICES_AT_ONCE):
        start, stop = tier.start + low, tier.start + high
        indptr, targets = space.successors(start, stop)
        terminals = space.terminal(start, stop)
        if len(targets) and int(targets.max()) >= tier.above:
            _refuse_later(cast(RulesSpace, space), tier, start, indptr, targets)
        largest = int(np.diff(indptr).max(initial=0)) + 2
        state = state.astype(np.promote_types(state.dtype, state_dtype(largest, largest)), copy=False)
        inner: tuple[IntArray, IntArray] = (
            np.empty(len(targets), index_dtype(tier.size)),
            np.empty(len(targets), index_dtype(tier.above - tier.below)),
        )
        count, bad = initialise(
            low, read_only(indptr), read_only(targets), terminals, own[low:high], tier.below, earlier,
            owner, int(player is None), int(stuck), state, words, tie_levels, *inner,
        )  # fmt: skip
        if bad >= 0:
            _refuse_invalid(cast(RulesSpace, space), start + int(bad))
        live = terminals == 0
        num_edges += int(np.diff(indptr)[live].sum(dtype=np.int64))
        parts.append((inner[0][:count], inner[1][:count]))
    sources, targets = (np.concatenate(side) for side in zip(*parts, strict=True))
    del parts
    rows = rows_of(sources, targets, tier.above - tier.below, tier.size)
    return Initial(rows, state, words, own, tie_levels, num_edges)


def _no_edges(size: int, num_targets: int) -> tuple[IntArray, IntArray]:
    """Return no sources and no targets."""
    return np.zeros(0, index_dtype(size)), np.zeros(0, index_dtype(num_targets))


def _from_blocks(space: EdgeBlockSpace, stuck: Value, tier: Tier, own: ByteArray) -> Initial:
    """Return the edges of a partition of a graph whose edges are in files, which are read once."""
    sources, targets = (np.concatenate(side) for side in zip(*_own_edges(space, tier), strict=True))
    degrees = np.bincount(sources, minlength=tier.size)
    value = np.array(space.terminal(tier.start, tier.stop))
    num_edges = int(degrees[value == 0].sum())
    value[(degrees == 0) & (value == 0)] = int(stuck)
    largest = int(degrees.max(initial=0))
    open_moves = np.where(value == 0, 2 * degrees, 0)
    state: IntArray = (open_moves + own).astype(state_dtype(largest, largest))
    words: IntArray = code_of(value).astype(word_dtype(0))
    rows = rows_of(sources, targets, space.num_vertices, tier.size)
    return Initial(rows, state, words, own, np.zeros(0, np.uint32), num_edges)


def _own_edges(space: EdgeBlockSpace, tier: Tier) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the edges out of the vertices of a partition, their sources counted from the first."""
    none = _no_edges(tier.size, space.num_vertices)
    source, target = none[0].dtype, none[1].dtype
    yield none
    for sources, targets in space.edge_blocks():
        chosen = np.flatnonzero((sources >= tier.start) & (sources < tier.stop))
        yield (sources[chosen] - tier.start).astype(source), targets[chosen].astype(target)


def _refuse_later(
    space: RulesSpace, tier: Tier, start: int, indptr: IntArray, targets: IntArray
) -> None:
    """Raise the error for a move to a later tier."""
    edge = int(np.argmax(targets >= tier.above))
    v = start + int(np.searchsorted(indptr, edge, side="right")) - 1
    name, target = (space.text(space.position(at)) for at in (v, int(targets[edge])))
    raise RulesError(f"{space.name}: {name} leads to {target}, which is in a later tier")


def _refuse_invalid(space: RulesSpace, v: int) -> None:
    """Raise the error for a move to an INVALID index."""
    name = space.text(space.position(v))
    target = next(w for w in space.neighbors(v).tolist() if space.terminal(w, w + 1)[0] == INVALID)
    to = space.text(space.position(target))
    raise RulesError(f"{space.name}: {name} leads to {to}, which is no position by terminal()")
