"""Many small tiers are written together, and resumed all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import zarr

import retrosolve as rs
from retrosolve.runtime import tuning
from retrosolve.spaces.tier_window import TierWindow
from retrosolve.store import blocks, resume
from tests.support.stopping import Stopped, stop_in

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


def test_what_waited_in_memory_is_written_when_a_solve_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        rs.solve(Chain(), out=tmp_path / "s", progress=stop_in("solving", 0.5), checkpoint_every=60)
    seen: list[int] = []
    solution = rs.solve(
        Chain(), out=tmp_path / "s", resume=True, progress=lambda p: seen.append(p.done)
    )
    assert min(seen) >= TIERS // 2
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
