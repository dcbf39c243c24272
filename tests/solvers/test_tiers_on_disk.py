"""Games solved tier by tier into a directory: what is in memory, when it is written, and going on.

That what is written is what is in memory is a law of ``tests/conformance/test_writing.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime import tuning
from retrosolve.solvers import tiers
from retrosolve.spaces.bit_vector import BitVector
from retrosolve.spaces.tier_window import TierWindow, WordWindow, all_bytes, window_bytes
from retrosolve.store import is_unfinished
from retrosolve.store.resume import PartialSolution, TierFiles
from tests.support.stopping import Stopped, stop_in

CONNECT = "connect4:rows=3,columns=3,connect=3"
SMALL = [CONNECT, "foxhounds:n=4", "queenpawns:n=4", "circles"]
OBJECTIVES = ["outcome", "conversion:limit=2"]
WINDOW = {"max_held_bytes": 0}
HELD: dict[str, Any] = {}


class Steps(rs.CompiledGame):
    """Numbers, ten in a tier; from each one goes down by 1, 10 or, from every seventh, 20."""

    max_moves = 3
    targets: Any = range
    size = 60
    tiers = tuple(range(0, 60, 10))

    def start(self) -> int:
        return 59

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        count = 0
        for step in (1, 10, 20):
            if position >= step and (step < 20 or position % 7 == 0):
                out[count] = position - step
                count += 1
        return count

    def tier_targets(self, tier: int) -> Iterable[int]:
        return self.targets(tier)


class ReachableSteps(Steps):
    reachable_only = True


class Circles(rs.CompiledGame):
    """Places on circles of twenty: two steps on, or from every seventh down to the circle below."""

    max_moves = max_predecessors = 2
    reachable_only = injective_rank = True
    size = 80
    tiers = (0, 20, 40, 60)

    def start(self) -> int:
        return 60

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        if position < 4:
            return 0
        out[0] = position // 20 * 20 + (position + 2) % 20
        out[1] = position - 20
        return 2 if position % 7 == 0 and position >= 20 else 1

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        out[0] = position // 20 * 20 + (position + 18) % 20
        return 1 if out[0] >= 4 else 0

    def tier_targets(self, tier: int) -> Iterable[int]:
        return range(max(tier - 1, 0), tier)


def small_game(name: str) -> Any:
    return Circles() if name == "circles" else parse_game(name)


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


def noted(patch: pytest.MonkeyPatch, kind: type, name: str, note: Any) -> list[Any]:
    """What ``note`` makes of each call of a method, which also does what it did."""
    found: list[Any] = []
    method = getattr(kind, name)

    def noting(self: Any, *args: Any) -> Any:
        result = method(self, *args)
        found.append(note(self, *args))
        return result

    patch.setattr(kind, name, noting)
    return found


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of tiers in each part that is written."""
    return noted(monkeypatch, TierFiles, "_write_words", lambda self, number, *rest: number)


def late_each(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Let what waits be late whenever it was asked for so many times; never for 0."""
    asked = count(1)
    monkeypatch.setattr(
        PartialSolution, "late", property(lambda _: times > 0 and next(asked) % times == 0)
    )


# -- which tiers are in memory --------------------------------------------------------------------------


@pytest.mark.parametrize("name", SMALL)
def test_memory_holds_the_tiers_that_moves_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def loaded(window: TierWindow, *_: Any) -> int:
        return sum(high - low for low, high in window.loaded(0, len(window.words)))

    held = noted(monkeypatch, TierWindow, "keep", loaded)
    game = small_game(name)
    space = game.state_space()
    with interpreted(**WINDOW):
        solution = rs.solve(game, objective="conversion:limit=2", out=tmp_path / "s")
        rs.verify(solution)
        expected = rs.solve(game, objective="conversion:limit=2")
    assert (solution.digest(), solution.counts()) == (expected.digest(), expected.counts())
    assert 2 * max(held) <= window_bytes(space)
    if name.startswith(("connect4", "foxhounds")):  # moves lead to the tier before only
        assert max(held) < space.num_vertices / 2


@pytest.mark.parametrize("kind", [Steps, ReachableSteps])
def test_a_tier_that_is_left_out_is_an_error(tmp_path: Path, kind: type[Steps]) -> None:
    game = kind()
    with interpreted(**WINDOW):
        expected = rs.solve(game).digest()
        for targets in (range, lambda tier: range(max(tier - 3, 0), tier)):
            game.targets = targets
            assert rs.solve(game, out=tmp_path / "s", solver="sweep").digest() == expected
        game.targets = lambda tier: range(max(tier - 1, 0), tier)
        with pytest.raises(rs.RulesError):
            rs.solve(game, out=tmp_path / "t", solver="sweep")
        with pytest.raises(rs.RulesError):
            rs.check_game(game)
        assert rs.solve(game).digest() == expected  # in memory all tiers are there
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".retrosolve-partial"] == ["s"]


def test_a_window_is_invalid_where_nothing_is_loaded() -> None:
    window = WordWindow(300_000)
    page = 2048
    for start, stop in [(0, 10), (10, 5 * page), (5 * page + 3, 100_000)]:
        window.load(start, stop)
        window.words[start:stop] = start % 5
    assert (window.words[100_000:] == 7).all()
    assert window.words[5 * page : 5 * page + 3].tolist() == [7] * 3
    window.release(10, 5 * page)
    assert (window.words[10 : 5 * page] == 7).all()
    assert window.words[:10].tolist() == [0] * 10
    window.reserve(10_000)
    assert window.words.dtype == np.uint32
    assert (window.words[100_000:] == 7).all()
    assert (window.words[5 * page + 3 : 100_000] == (5 * page + 3) % 5).all()
    assert window.loaded(5, 50_000) == [(5, 10), (5 * page + 3, 50_000)]


# -- positions without gaps -----------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", SMALL)
def test_positions_without_gaps_have_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, objective: str
) -> None:
    game = small_game(name)
    made = noted(monkeypatch, tiers._OnDisk, "_compact_layout", lambda self: self)
    with interpreted(min_queue=1, **WINDOW):
        expected = rs.solve(game, objective=objective)
        budget = window_bytes(game.state_space()) - 1
        solution = rs.solve(game, objective=objective, out=tmp_path / "s", memory=budget)
        assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
        assert len(made) == 1
        rs.verify(solution)


def test_positions_that_do_not_fit_are_not_found_again(tmp_path: Path) -> None:
    game = parse_game(CONNECT)
    with interpreted(**WINDOW):
        for memory in (700, 100):
            with pytest.raises(rs.MemoryBudgetError):
                rs.solve(game, out=tmp_path / "s", memory=memory)
        stages: set[str] = set()
        again = rs.solve(game, out=tmp_path / "s", resume=True, progress=lambda p: stages.add(p.stage))
    assert stages == {"solving"}
    assert len(again) == 694


def test_bit_vector_rank_and_select() -> None:
    rng = np.random.default_rng(2)
    valid = rng.random(5000) < 0.3
    bits = BitVector(5000)
    for start, stop in [(0, 13), (13, 700), (700, 703), (703, 5000)]:
        bits.set(start, valid[start:stop])
    assert bits.finish() == valid.sum()
    for start, stop in rng.integers(0, 5001, (50, 2)).tolist():
        if start <= stop:
            assert np.array_equal(bits.bits(start, stop), valid[start:stop])
            assert bits.rank(stop) == valid[:stop].sum()


# -- when tiers are written, and going on ---------------------------------------------------------------


def test_a_short_solve_is_written_at_its_end_and_a_longer_one_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: list[int]
) -> None:
    late_each(monkeypatch, 0)
    released = noted(monkeypatch, TierWindow, "release", lambda self, *span: 1)
    game = parse_game(CONNECT)
    with interpreted():
        expected = rs.solve(game)
        assert rs.solve(game, out=tmp_path / "s").digest() == expected.digest()
        assert (parts, released) == ([], [])
        with interpreted(**WINDOW):
            assert rs.solve(game, out=tmp_path / "t").digest() == expected.digest()
        assert parts
        assert released
        parts.clear()
        late_each(monkeypatch, 1)
        longer = rs.solve(game, out=tmp_path / "u", checkpoint_every=1e-9)
        assert parts == [1] * len(expected.space.tiers)
        assert longer.digest() == expected.digest()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "t", "u"]


@pytest.mark.parametrize("stage", ["finding positions", "solving"])
@pytest.mark.parametrize(("first", "then"), [(HELD, WINDOW), (WINDOW, HELD)], ids=["less", "more"])
def test_a_solve_goes_on_with_more_or_less_memory(
    tmp_path: Path, stage: str, first: dict[str, Any], then: dict[str, Any]
) -> None:
    game = parse_game(CONNECT)
    with interpreted(**first), pytest.raises(Stopped):
        rs.solve(game, out=tmp_path / "s", checkpoint_every=1e-9, progress=stop_in(stage, 0.6))
    assert is_unfinished(tmp_path / "s")
    done: dict[str, int] = {}
    with interpreted(**then):
        solution = rs.solve(
            game, out=tmp_path / "s", resume=True, progress=lambda p: done.setdefault(p.stage, p.done)
        )
        expected = rs.solve(game)
    assert done[stage] > 0.4 * expected.space.num_vertices
    assert ("finding positions" in done) == (stage == "finding positions")
    assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_positions_in_work_when_saved_are_explored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A position that another thread has begun with may be marked before what it leads to."""
    game = parse_game(CONNECT)
    monkeypatch.setattr(PartialSolution, "due", lambda _: True)
    with interpreted(min_work_per_thread=1, min_chunk=1), fast_switching():
        expected = rs.solve(game).digest()
        for share in range(10, 100, 20):
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
