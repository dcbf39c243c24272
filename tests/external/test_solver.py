"""Edges on disk: the same answers as in memory, for any sizes of what is read, kept and written."""

import errno
import resource
import shutil
import tracemalloc
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.compilation import jit
from retrosolve.external import scratch, solver
from retrosolve.external.solver import RadixLayout
from retrosolve.external.space import EdgeParts
from retrosolve.runtime import tuning
from retrosolve.runtime.context import NO_CHECKPOINT, Checkpoint, Context, Progress
from retrosolve.spaces.csr import partition
from retrosolve.store.resume import PartialSolution
from retrosolve.testing import STUCK, random_graph
from retrosolve.testing.strategies import graphs
from tests.support.edge_files import pairs_of, write_parts
from tests.support.marks import COMPILED, examples
from tests.support.stopping import Recorder, Stopped

UNCOMPILED = {"compile_from": 10**9, "compile_again_from": 10**9}
TINY = UNCOMPILED | {"min_edges_per_chunk": 2, "max_edges_per_chunk": 4, "min_bucket_shift": 1}

# What a run is meant to go through, its tuning, and the bytes it has beyond the least.
WAYS = {
    "all on disk, whole blocks": (TINY, 0),
    "all on disk, single rows": (TINY | {"row_read_cost": 0, "max_serial_width": 0}, 0),
    "some in memory, the end there": (TINY | {"max_serial_width": 3}, 600),
    "all in memory, level by level": (TINY | {"max_serial_width": 0}, 10**6),
    "one block": (UNCOMPILED, 10**6),
    "three threads": (TINY | {"min_work_per_thread": 1, "live_share": 1.0}, 0),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "edges"
    made.mkdir()
    return made


def fresh(folder: Path, pairs: np.ndarray) -> Path:
    shutil.rmtree(folder)
    folder.mkdir()
    write_parts(folder, pairs)
    return folder


def run(parts: EdgeParts, stuck: str, way: str, checkpoint: Checkpoint = NO_CHECKPOINT) -> Any:
    fields, more = WAYS[way]
    with tuning.using(**fields):
        least = solver.workspace(parts.num_vertices, parts.num_edges)
        threads = 3 if way == "three threads" else 1
        context = Context(threads, max(least + more, 1), checkpoint=checkpoint)
        return solver.solve(parts, rs.Value.parse(stuck), context)


@examples(30, 300)
@given(graph=graphs(), stuck=st.sampled_from(STUCK), rng=st.randoms(use_true_random=False))
def test_edges_on_disk_give_the_answers_of_the_reference(
    tmp_path_factory: pytest.TempPathFactory, graph: rs.Graph, stuck: str, rng: Any
) -> None:
    pairs = pairs_of(graph)[rng.sample(range(graph.num_edges), graph.num_edges)]
    folder = fresh(tmp_path_factory.mktemp("edges"), pairs)
    parts = rs.EdgeParts(folder, graph.num_vertices, graph.owner, graph.terminals)
    expected = rs.solve(graph, stuck=stuck, solver="reference")
    for way in WAYS:
        table = run(parts, stuck, way).table
        assert table.values().tolist() == expected.table.values().tolist(), way
        assert table.remoteness().tolist() == expected.remoteness().tolist(), way
    shutil.rmtree(folder)


def test_every_way_goes_where_it_is_meant_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least memory leaves everything on disk, enough memory nothing; both read single rows or not."""
    n = 60
    pairs = np.concatenate([[(v, (v * 7 + k) % n) for v in range(10, n)] for k in (1, 5)])
    parts = rs.EdgeParts(fresh(folder, pairs), n)
    gathered: list[bool] = []
    found = solver.fetch_rows

    def seen(*arguments: Any) -> Any:
        rows = found(*arguments)
        gathered.append(not rows.whole)
        return rows

    monkeypatch.setattr("retrosolve.external.solver.fetch_rows", seen)
    use = {}
    for way in WAYS:
        gathered.clear()
        use[way] = run(parts, "loss", way).statistics.disk, any(gathered)
    assert use["all on disk, single rows"][1]
    assert not use["all on disk, whole blocks"][1]
    on_disk = use["all on disk, whole blocks"][0]
    assert on_disk.bytes_written >= 4 * len(pairs)
    assert on_disk.passes > 2
    assert use["all in memory, level by level"][0][1:] == (parts.num_bytes, 0)
    assert 0 < use["some in memory, the end there"][0].bytes_written < on_disk.bytes_written


@COMPILED
def test_large_blocks_of_compiled_kernels_give_the_same_digest_within_the_budget(folder: Path) -> None:
    """Several ranges of vertices, wide and narrow levels, on disk and in memory, one thread and two."""
    rng = np.random.default_rng(3)
    n = 150_000
    pairs = rng.integers(0, n, (3 * n, 2), dtype=np.int32)
    pairs[n:] //= 2  # the lower half has most edges
    owner = rng.integers(0, 2, n)
    terminal = np.where(rng.random(n) < 0.02, rng.integers(1, 4, n), 0)
    np.save(folder / "0.npy", pairs)
    np.save(folder / "owner.npy", owner)
    np.save(folder / "terminal.npy", terminal)
    parts = rs.EdgeParts(folder)
    expected = rs.solve(rs.Graph.from_edges(pairs[:, 0], pairs[:, 1], n, owner, terminal))
    sizes = {
        "max_edges_per_chunk": 1 << 16,
        "edges_per_round": 1 << 12,
        "min_edges_per_thread": 1 << 12,
    }
    with tuning.using(row_read_cost=1 << 9, max_serial_width=100, **sizes):
        least = rs.plan(parts).memory_bytes
        assert least is not None
        for memory, threads in ((least, 1), (least + 10**6, 2), (least + 10**9, 2)):
            found = rs.solve(parts, memory=memory, threads=threads)
            assert found.solver == "retrograde"
            assert found.digest() == expected.digest()
        for memory in (least, least + 10**6):
            tracemalloc.start()
            solver.solve(parts, rs.Value.LOSS, Context(2, memory))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert least / 4 < peak <= memory
    rs.verify(found)


@pytest.mark.parametrize("way", ["all on disk, whole blocks", "some in memory, the end there"])
def test_a_solve_is_resumed_from_every_level(folder: Path, way: str) -> None:
    stops = 0
    for seed in range(8):
        graph = random_graph(seed)
        pairs = pairs_of(graph)
        parts = rs.EdgeParts(fresh(folder, pairs), graph.num_vertices, graph.owner, graph.terminals)
        expected = run(parts, "tie", way).table
        for stop in range(20):
            recorder = Recorder(stop)
            try:
                run(parts, "tie", way, recorder)
            except Stopped:
                again = Recorder(10**9, recorder.saved)
                found = run(parts, "tie", "one block" if seed % 2 else way, again).table
                assert again.asked
                assert np.array_equal(found.packed(), expected.packed())
                stops += 1
            else:
                break
    assert stops > 8


def test_an_interrupted_solve_into_a_folder_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resumed, it begins at the level that was saved, and the table is where it was wanted."""
    monkeypatch.setattr(PartialSolution, "due", lambda self: True)
    n = 40
    path = np.stack([np.arange(n - 1), np.arange(1, n)], 1)
    parts = rs.EdgeParts(fresh(folder, path), n)
    reports: list[int] = []

    def stop(progress: Progress) -> None:
        if progress.stage == "solving":
            reports.append(progress.done)
            if len(reports) == 20:
                raise KeyboardInterrupt

    fields = TINY | {"max_serial_width": 0}
    with tuning.using(**fields):
        with pytest.raises(KeyboardInterrupt):
            rs.solve(parts, out=tmp_path / "solved", progress=stop)
        assert len(reports) == 20
        found = rs.solve(parts, out=tmp_path / "solved", progress=stop, resume=True)
    assert 20 < len(reports) < 20 + n - 2
    assert found.digest() == rs.solve(parts.materialize()).digest()
    with rs.open(tmp_path / "solved", check=True) as opened:
        rs.verify(opened)
        assert str(opened[0]) == f"{'WIN' if n % 2 == 0 else 'LOSS'} in {n - 1}"


def test_a_budget_too_small_is_refused_with_what_is_needed(folder: Path) -> None:
    parts = rs.EdgeParts(fresh(folder, np.array([[0, 1], [1, 2]])))
    plan = rs.plan(parts)
    assert plan.memory_bytes is not None
    for refused in (rs.plan, rs.solve):
        with pytest.raises(rs.MemoryBudgetError):
            refused(parts, memory=10)
    assert plan.disk is not None
    assert plan.disk.bytes_read == parts.num_bytes


def test_a_disk_too_small_is_refused_with_what_is_needed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = rs.EdgeParts(fresh(folder, np.array([[0, 1], [1, 2]])), scratch=folder)
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda path: usage(3))
    with pytest.raises(rs.StoreError, match="3 bytes free"):
        run(parts, "loss", "all on disk, whole blocks")


def test_a_disk_that_becomes_full_is_an_error_that_names_what_is_needed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = rs.EdgeParts(fresh(folder, np.array([[0, 1], [1, 2]])), scratch=folder)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(scratch, "_write", full)
    with pytest.raises(rs.StoreError, match="the disk is full"):
        run(parts, "loss", "all on disk, whole blocks")
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize("size", [0, 7])
def test_a_file_that_may_not_grow_is_an_error_that_names_what_is_needed(
    folder: Path, size: int
) -> None:
    """The system refuses to write, after some bytes or at once."""
    parts = rs.EdgeParts(fresh(folder, np.array([[0, 1], [1, 2]])), scratch=folder)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(rs.StoreError, match="a file may not grow"):
            run(parts, "loss", "all on disk, whole blocks")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert len(list(folder.iterdir())) == 4


def test_arrays_that_shrink_are_written_where_they_were(tmp_path: Path) -> None:
    with scratch.Spill(0, tmp_path) as disk:
        first, second = (disk.keep(np.full(100, k, np.int8)) for k in range(2))
        less = disk.keep(np.full(60, 3, np.int8), np.full(10, 4, np.int16), instead=first)
        assert (less.place, disk.file.size) == (0, 200)
        assert less.read(1).tolist() == [4] * 10
        assert second.read(0, 98).tolist() == [1, 1]
        disk.allow(70)
        least = disk.keep(np.full(70, 5, np.int8), instead=less)
        assert (least.in_memory, disk.allowance, disk.file.size) == (True, 0, 200)
        assert disk.keep(np.full(30, 6, np.int8), instead=least).read(0).tolist() == [6] * 30
        assert disk.allowance == 40
        assert list(tmp_path.iterdir()) == []
        assert (disk.bytes_read, disk.bytes_written) == (22, 280)


def test_a_file_that_is_damaged_later_stops_the_solve(folder: Path) -> None:
    parts = rs.EdgeParts(fresh(folder, np.array([[0, 1], [1, 2], [2, 0], [2, 1]])))
    np.save(folder / "0.npy", np.array([[0, 9]], np.int32))
    with pytest.raises(rs.FormatError, match="edge 0 has target 9"):
        run(parts, "loss", "one block")


# The last three as for ten million vertices, a thousand million, and more than 2^31.
@pytest.mark.parametrize(
    ("vertices", "layout"),
    [
        (3000, RadixLayout(shift=5, bits=12, fitting=5, low_bytes=0)),
        (1 << 14, RadixLayout(shift=9, bits=14, fitting=3, low_bytes=1)),
        (1 << 14, RadixLayout(shift=12, bits=14, fitting=1, low_bytes=2)),
        (1 << 14, RadixLayout(shift=12, bits=34, fitting=12, low_bytes=0)),
    ],
)
def test_edges_are_dealt_and_sorted_in_every_layout(vertices: int, layout: RadixLayout) -> None:
    source, target = np.random.default_rng(1).integers(0, vertices, (2, 20_000), dtype=np.int32)
    shift, record = layout.shift, (layout.bits, layout.fitting)
    counts = np.zeros(((vertices - 1) >> shift) + 1, np.int64)
    jit.compiled(partition.count_edges)(source, 0, len(source), shift, counts)
    bounds = np.concatenate([[0], np.cumsum(counts)])
    dealt = np.empty(len(source), np.uint64 if layout.bits > 32 else np.uint32)
    low = np.empty(len(source) if layout.low_bytes else 0, f"u{layout.low_bytes or 1}")
    deal, sort = jit.compiled(partition.deal_edges), jit.compiled(partition.sort_buckets)
    deal(source, target, 0, len(source), shift, bounds[:-1].copy(), dealt, low, *record)
    indptr = np.empty(vertices + 1, np.int32)
    indptr[-1] = len(source)
    sort(bounds, 0, len(counts), shift, dealt, low, *record, indptr)
    assert np.array_equal(dealt, target[np.argsort(source, kind="stable")])
    assert np.array_equal(indptr, np.searchsorted(np.sort(source), np.arange(vertices + 1)))


@pytest.mark.parametrize("vertices", [1, 2, 1000, 2**20, 2**22, 10**7, 2**25, 10**8, 2**31, 2**33])
def test_a_layout_has_room_for_what_it_deals(vertices: int) -> None:
    layout = RadixLayout.of(vertices)
    word = 32 if vertices < 2**31 else 64
    assert vertices - 1 < 1 << layout.bits
    assert layout.bits + layout.fitting <= word
    assert layout.shift <= layout.fitting + 8 * layout.low_bytes
    assert vertices >> layout.shift <= max(1 << 12, vertices >> 16)
