"""Games solved into a directory whose tiers all stay in memory: when they are written, and going on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Progress
from retrosolve.spaces.tier_window import TierWindow, all_bytes, window_bytes
from retrosolve.store import is_unfinished
from retrosolve.store.resume import PartialSolution, TierFiles
from tests.support.marks import THOROUGH
from tests.support.stopping import Stopped, stop_in

CONNECT = "connect4:rows=3,columns=3,connect=3"
WINDOW = {"max_held_bytes": 0}
HELD: dict[str, Any] = {}


def interpreted(**more: Any) -> Any:
    return tuning.using(compile_from=10**12, compile_again_from=10**12, checkpoint_cost_share=0, **more)


@contextmanager
def fast_switching() -> Iterator[None]:
    """Let threads take turns every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of tiers in each part that is written."""
    found: list[int] = []
    write = TierFiles._write_words

    def noted(self: TierFiles, num_tiers: int, *rest: Any) -> None:
        found.append(num_tiers)
        write(self, num_tiers, *rest)

    monkeypatch.setattr(TierFiles, "_write_words", noted)
    return found


def late_each(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let what waits be late whenever it was asked for so many times; never for 0."""
    asked = count(1)
    monkeypatch.setattr(
        PartialSolution, "late", property(lambda _: times > 0 and next(asked) % times == 0)
    )


def test_a_short_solve_is_written_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: list[int]
) -> None:
    late_each(monkeypatch, 0)
    released: list[int] = []
    release = TierWindow.release

    def noted(self: TierWindow, *span: int) -> None:
        released.append(1)
        release(self, *span)

    monkeypatch.setattr(TierWindow, "release", noted)
    game = parse_game(CONNECT)
    with interpreted():
        expected = rs.solve(game)
        solution = rs.solve(game, out=tmp_path / "s")
        assert (parts, released) == ([], [])
        assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
        rs.verify(solution)
        with interpreted(**WINDOW):
            assert rs.solve(game, out=tmp_path / "t").digest() == expected.digest()
        assert parts
        assert released
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "t"]


def test_a_longer_one_is_written_meanwhile(tmp_path: Path, parts: list[int]) -> None:
    game = parse_game(CONNECT)
    with interpreted():
        expected = rs.solve(game)
        solution = rs.solve(game, out=tmp_path / "s", checkpoint_every=1e-9)
    assert parts == [1] * len(expected.space.tiers)
    assert solution.digest() == expected.digest()
    assert solution.counts() == expected.counts()


@pytest.mark.thorough
@pytest.mark.parametrize("stage", ["finding positions", "solving"])
@pytest.mark.parametrize("first", [HELD, WINDOW], ids=["held", "window"])
@pytest.mark.parametrize("then", [HELD, WINDOW], ids=["held", "window"])
def test_a_solve_goes_on_with_more_or_less_memory(
    tmp_path: Path, stage: str, first: dict[str, Any], then: dict[str, Any]
) -> None:
    game = parse_game(CONNECT)
    with interpreted(**first), pytest.raises(Stopped):
        rs.solve(game, out=tmp_path / "s", checkpoint_every=1e-9, progress=stop_in(stage, 0.6))
    assert is_unfinished(tmp_path / "s")
    done: dict[str, int] = {}

    def note(progress: Progress) -> None:
        done.setdefault(progress.stage, progress.done)

    with interpreted(**then):
        solution = rs.solve(
            game, out=tmp_path / "s", resume=True,
            progress=note,
        )  # fmt: skip
        expected = rs.solve(game)
    assert done[stage] > 0.4 * expected.space.num_vertices
    assert ("finding positions" in done) == (stage == "finding positions")
    assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


@pytest.mark.parametrize("memory", [HELD, WINDOW], ids=["held", "window"])
def test_an_interrupted_search_for_positions_goes_on(tmp_path: Path, memory: dict[str, Any]) -> None:
    found: list[int] = []

    def interrupt(progress: Progress) -> None:
        if progress.stage == "finding positions":
            found.append(progress.done)
            if progress.done >= 0.6 * (progress.total or 1):
                os.kill(os.getpid(), signal.SIGINT)

    game = parse_game(CONNECT)
    with interpreted(**memory):
        with pytest.raises(KeyboardInterrupt, match="with resume goes on from there"):
            rs.solve(game, out=tmp_path / "s", progress=interrupt)
        reached = found[-1]
        found.clear()
        solution = rs.solve(
            game, out=tmp_path / "s", resume=True, progress=lambda p: found.append(p.done)
        )
        assert found[0] >= reached
        assert solution.digest() == rs.solve(game).digest()


@THOROUGH
def test_positions_in_work_when_saved_are_explored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A position that another thread has begun with may be marked before what it leads to."""
    game = parse_game(CONNECT)
    monkeypatch.setattr(PartialSolution, "due", lambda _: True)
    with interpreted(min_work_per_thread=1, min_chunk=1), fast_switching():
        expected = rs.solve(game).digest()
        for share in range(5, 100, 5):
            path = tmp_path / str(share)
            with pytest.raises(Stopped):
                rs.solve(game, out=path, progress=stop_in("finding positions", share / 100), threads=2)
            assert rs.solve(game, out=path, resume=True, threads=2).digest() == expected


def test_waiting_tiers_are_written_when_a_solve_ends_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: list[int]
) -> None:
    late_each(monkeypatch, 0)
    game = parse_game(CONNECT)
    with interpreted(min_work_per_thread=1, min_chunk=1):
        with pytest.raises(Stopped):
            rs.solve(game, out=tmp_path / "s", progress=stop_in("solving", 0.6))
        assert len(parts) == 1
        assert parts[0] > 1
        stages: set[str] = set()
        again = rs.solve(game, out=tmp_path / "s", resume=True, progress=lambda p: stages.add(p.stage))
        assert stages == {"solving"}
        assert again.digest() == rs.solve(game).digest()


class Countdown(rs.CompiledGame):
    """A number goes down by one: longer than two bytes a word have room for."""

    max_moves = 1
    size = 8400
    tiers = tuple(range(size))

    def start(self) -> int:
        return self.size - 1

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0] = position - 1
        return min(position, 1)


@pytest.mark.long
@THOROUGH
@pytest.mark.parametrize("times", [0, 100])
def test_words_are_widened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: list[int], times: int
) -> None:
    late_each(monkeypatch, times)
    with interpreted():
        solution = rs.solve(Countdown(), out=tmp_path / "s", solver="sweep")
        assert solution.remoteness().tolist() == list(range(Countdown.size))
        assert solution.digest() == rs.solve(Countdown(), solver="sweep").digest()
    assert bool(parts) == (times > 0)


def test_a_budget_too_small_for_all_tiers_is_enough(tmp_path: Path, parts: list[int]) -> None:
    game = parse_game(CONNECT)
    with interpreted():
        space = rs.solve(game).space
        needed = all_bytes(space, window_bytes(space))
        for budget, is_held in ((needed, True), (needed - 1, False)):
            parts.clear()
            solution = rs.solve(game, out=tmp_path / str(budget), memory=budget, solver="sweep")
            assert bool(parts) != is_held
            assert solution.digest() == rs.solve(game).digest()
