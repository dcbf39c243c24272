"""Many small tiers are written together, and resumed all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import zarr

import retrosolve as rs
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Progress
from retrosolve.spaces.tier_window import TierWindow
from retrosolve.store import blocks, is_unfinished, pack, resume

pytestmark = pytest.mark.thorough

TIERS = 300


class Chain(rs.CompiledGame):
    """Numbers, one a tier; from each one goes down by 1 or 2."""

    max_moves = 2
    size = TIERS
    tiers = tuple(range(TIERS))

    def start(self) -> int:
        return TIERS - 1

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)


def stop_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resume.time, "monotonic", lambda: 0.0)


@pytest.mark.parametrize("held", [0, 1 << 29])
def test_small_tiers_are_written_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    stop_the_clock(monkeypatch)
    written: list[int] = []
    write = resume.Journal.write
    monkeypatch.setattr(
        resume.Journal, "write", lambda self, folder: written.append(1) or write(self, folder)
    )
    with tuning.using(max_held_bytes=held):
        solution = rs.solve(Chain(), out=tmp_path / "s")
    assert solution.digest() == rs.solve(Chain()).digest()
    table = zarr.open_group(tmp_path / "s", mode="r")["table"]
    assert sorted(table) == ["part-0", "remoteness", "value"]  # type: ignore[arg-type]
    assert table["part-0"].shape == (TIERS,)  # type: ignore[union-attr, index]
    assert len(written) <= 4


@pytest.mark.long("1")
@pytest.mark.parametrize("size", [1, 7, 100])
def test_parts_of_any_size_hold_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setattr(resume, "WORDS_PER_PART", size)
    with tuning.using(max_held_bytes=0):
        solution = rs.solve(Chain(), out=tmp_path / "s")
    expected = rs.solve(Chain())
    assert solution.digest() == expected.digest()
    assert [solution[v] for v in range(0, TIERS, 7)] == [expected[v] for v in range(0, TIERS, 7)]
    assert (solution.remoteness() == expected.remoteness()).all()
    rs.verify(solution)
    names = {path.name for path in (tmp_path / "s" / "table").glob("part-*")}
    assert len(names) == -(-TIERS // size)
    pack(tmp_path / "s", tmp_path / "t")
    packed = rs.open(tmp_path / "t", check=True, game=Chain())
    assert packed.digest() == expected.digest()
    assert [path.name for path in (tmp_path / "t" / "table").glob("part-*")] == ["part-0"]


def test_parts_keep_their_decompressed_blocks_within_one_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setattr(resume, "WORDS_PER_PART", 10)
    limit = 2 * blocks.BLOCK_BYTES
    monkeypatch.setattr(blocks, "MAX_CACHED_BYTES", limit)
    with tuning.using(max_held_bytes=0):
        rs.solve(Chain(), out=tmp_path / "s").close()
    opened, expected = rs.open(tmp_path / "s", game=Chain()), rs.solve(Chain())
    assert [opened[v] for v in range(TIERS)] == [expected[v] for v in range(TIERS)]
    parts = opened.table.parts  # type: ignore[attr-defined]
    caches = {id(part._cache): part._cache for part in parts}
    assert len(parts) == 30
    assert 0 < sum(block.nbytes for cache in caches.values() for block in cache.values()) <= limit


@pytest.mark.long("1e-09")
@pytest.mark.parametrize("every", [1e-9, 60.0])
def test_a_solve_of_small_tiers_goes_on(tmp_path: Path, every: float) -> None:
    seen: list[int] = []

    def stop(progress: Progress) -> None:
        seen.append(progress.done)
        if progress.done >= TIERS // 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        rs.solve(Chain(), out=tmp_path / "s", progress=stop, checkpoint_every=every)
    assert is_unfinished(tmp_path / "s")
    seen.clear()
    solution = rs.solve(
        Chain(), out=tmp_path / "s", resume=True, progress=lambda p: seen.append(p.done)
    )
    assert min(seen) >= TIERS // 2  # what waited in memory was written at the end
    assert solution.digest() == rs.solve(Chain()).digest()


def test_no_tier_is_looked_at_for_each_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[int] = []
    load = TierWindow.load
    monkeypatch.setattr(TierWindow, "load", lambda self, *span: loads.append(1) or load(self, *span))
    monkeypatch.setattr(TierWindow, "keep", None)
    solution = rs.solve(Chain(), out=tmp_path / "s")
    assert len(loads) == TIERS
    rs.verify(solution)
    assert len(loads) == 2 * TIERS
