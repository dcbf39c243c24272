"""The numbers that decide how work is done, never what is found.

``docs/inside/tried.md`` says how they were measured: two cores of an AMD EPYC, 512 kB of second-level
cache a core. A function that needs some calls ``current()`` once, at its beginning.

>>> with using(compile_from=0):
...     current().compile_from
0
>>> current().compile_from
300000
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Tuning:
    """All tunables. Work is counted in vertices and edges, or moves, to visit; sizes are in bytes."""

    # compiling
    compile_from: int = 300_000
    """Work from which numba is loaded: a few tenths of a second, in which plain Python does as much."""
    compile_again_from: int = 10_000
    """The same once numba is there: what is left is to load kernels that were compiled before."""
    compile_beside_numpy_from: int = 1 << 22
    """Elements from which a kernel replaces passes of NumPy, which take 3 to 15 ns for each of them."""

    compile_look_ups_from: int = 1 << 14
    """Positions that are looked up at once from which rules are compiled to do so, which takes seconds
    the first time; in Python each takes 20 to 200 microseconds."""

    # threads
    min_work_per_thread: int = 500_000
    """With less, handing over costs more than it saves."""
    chunks_per_thread: int = 16
    """Chunks that a range is cut into for each thread, so that none waits long for the last one."""
    min_chunk: int = 1 << 11
    """Vertices, or bytes of eight, that are not worth handing to another thread."""

    # memory
    max_unchecked_bytes: int = 1 << 24
    """Budgets up to this are granted unchecked: reading the limits takes 0.4 ms, like a small solve."""
    max_kept_bytes: int = 1 << 24
    """The largest workspace that is kept for the next solve: a new page of 4 kB costs 3 µs."""
    max_held_bytes: int = 1 << 29
    """Up to this a solve into a directory keeps all its tiers in memory, to write them at its end."""

    # checkpoints
    checkpoint_cost_share: int = 20
    """A snapshot waits until its predecessor has taken less than one part in so many of the time."""

    # edges to buckets and rows
    bucket_shift: int = 16
    """Vertices of a bucket, as a power of two, 6 to 16: sets of them stay in the first-level cache."""
    bucket_gap: int = 4999
    """Edges left out between two buckets, which would begin in the same lines of the cache else."""
    target_buckets: int = 1 << 11
    """Buckets that edges are dealt into; dealing to that many places costs 4 to 6 ns an edge."""
    max_buckets: int = 1 << 12
    """Buckets that are still accepted where no low bits of a key then need an array of their own."""
    min_bucket_shift: int = 11
    """Vertices of a bucket at least, as a power of two."""
    sortedness_sample: int = 1 << 8
    """Sources compared first to see whether edges are sorted: that settles nearly all that are not."""
    sortedness_chunk: int = 1 << 16
    """Sources compared at a time after that."""
    max_serial_work: int = 3 << 20
    """Work up to which edges are kept as they are: the third-level cache holds what a solve touches."""
    max_serial_local_work: int = 1 << 26
    """The same for graphs whose edges lead to close numbers."""
    max_cores_serial: int = 4
    """Processors up to which that pays: on local graphs two take twice as long together as one."""
    locality_sample: int = 1 << 12
    """Edges looked at to see whether a graph is local."""
    local_distance: int = 1 << 15
    """How far apart close numbers are: a byte of state for each of them is 32 kB."""
    local_share: float = 0.95
    """Share of the sample that must be close."""
    max_label_length: int = 64
    """Characters of labels that are numbered compiled: each takes the room of the longest."""
    work_per_label: int = 4
    """The work of numbering one label with a dictionary, in edges."""

    # stored edges
    max_serial_csr_work: int = 1 << 19
    """Work up to which a graph that has rows is solved on one thread, its edges reversed whole."""
    max_full_scans: int = 2
    """Levels found by looking at all edges, each for a quarter of what reversing them costs."""
    tiny_fraction: int = 1 << 8
    """A level of fewer than one vertex in so many is found that way."""
    level_edge_cost: float = 2
    """Nanoseconds of one core for each edge that a level of a large graph reads and may drop."""
    owned_level_edge_cost: float = 3
    """The same where vertices have owners."""
    edge_saving: float = 16
    """Nanoseconds that an edge costs which no level has dropped: it is transposed and followed."""
    vertex_saving: float = 45
    """Nanoseconds that it costs to decide a vertex after that."""
    few_share: int = 1 << 8
    """While a level has fewer than one vertex in so many, edges are looked at and none is dropped."""
    max_scans: int = 5
    """Edges looked at by such levels, for each that is left, before these are transposed."""
    segments_per_thread: int = 8
    """Parts for each thread that a bucket is cut into at most, where it has most of the edges."""
    max_serial_width: int = 1 << 13
    """Width up to which levels are run by one thread, in one call: 10^6 levels cost what edges do."""
    edges_per_round: int = 1 << 21
    """Edges that all threads bin before they are applied: 8 MB of bins."""
    min_edges_per_thread: int = 1 << 17
    """Edges that each thread bins in a round, however many threads there are."""
    min_edges_per_bin: int = 1 << 8
    """Edges that a bin holds at least: 1 kB."""
    edges_per_report: int = 1 << 23
    """Edges visited between two reports of progress: some tenths of a second."""

    # edges on disk
    min_edges_per_chunk: int = 1 << 16
    """Edges read and dealt at a time at least."""
    max_edges_per_chunk: int = 1 << 23
    """And at most: what reading hides of dealing grows no further."""
    row_read_cost: int = 1 << 17
    """Bytes that are read in one go in about the time that it takes to look up a row on disk."""
    live_share: float = 0.75
    """A block is written anew if the share of its edges that still matter has fallen below this."""

    # generated edges
    min_queue: int = 1 << 12
    """Vertices that the queue for narrow levels holds at least."""
    queue_share: int = 1 << 9
    """And one vertex in so many of the tier: an eighth of a bit for each."""
    min_collected: int = 1 << 6
    """What a chunk decides is collected up to this number, for the queue to go on from."""
    collected_share: int = 1 << 14
    """And up to one vertex in so many: wider levels are found by a pass over the tier."""

    # two tokens
    bitset_chunks_per_thread: int = 8
    """Chunks of rows in a level."""
    fixpoint_chunks_per_thread: int = 4
    """Chunks of rows in a round without levels: 9.0 s at 200x200; one 10.0 s, sixteen 13.6 s."""
    interpreted_level_cost: int = 10
    """What a position costs uncompiled, by levels, in edges of other kernels."""
    interpreted_fixpoint_cost: int = 4
    """The same without levels."""


_current: ContextVar[Tuning] = ContextVar("tuning", default=Tuning())  # noqa: B039  # it is frozen


def current() -> Tuning:
    """Return the tuning that holds here."""
    return _current.get()


@contextmanager
def using(**fields: Any) -> Iterator[Tuning]:
    """Change some fields in a block, in the work that it hands to a ``ThreadPool`` too.

    Parameters
    ----------
    **fields
        The fields of ``Tuning`` to change. TypeError for a name that is none.
    """
    token = _current.set(replace(_current.get(), **fields))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
