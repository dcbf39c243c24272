"""Games solved tier by tier into a directory: what is in memory, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.games import parse_game
from retrosolve.objectives import LimitedValue
from retrosolve.runtime import tuning
from retrosolve.solvers import generated, tiers
from retrosolve.spaces.bit_vector import BitVector
from retrosolve.spaces.faults import checked_targets
from retrosolve.spaces.tier_window import TierWindow, WordWindow, window_bytes
from retrosolve.values import TIE

SMALL = ["connect4:rows=3,columns=3,connect=3", "foxhounds:n=4", "queenpawns:n=4", "circles"]
OBJECTIVES = ["outcome", "conversion:limit=2"]


class Steps(rs.CompiledGame):
    """Numbers, ten in a tier; from each one goes down by 1, 10 or, from every seventh, 20."""

    max_moves = 3
    targets: Any = None
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
        return range(tier) if self.targets is None else self.targets(tier)


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


def interpreted() -> Any:
    return tuning.using(compile_from=10**12, compile_again_from=10**12, max_held_bytes=0)


# -- which tiers are in memory --------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", SMALL)
def test_memory_holds_the_tiers_that_moves_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, objective: str
) -> None:
    held: list[int] = []
    keep = TierWindow.keep

    def noted(self: TierWindow, tiers: Iterable[int]) -> list[int]:
        fresh = keep(self, tiers)
        held.append(sum(high - low for low, high in self.loaded(0, len(self.words))))
        return fresh

    monkeypatch.setattr(TierWindow, "keep", noted)
    game = small_game(name)
    space = game.state_space()
    with interpreted():
        solution = rs.solve(game, objective=objective, out=tmp_path / "s")
        rs.verify(solution)
        expected = rs.solve(game, objective=objective)
    assert (solution.digest(), solution.counts()) == (expected.digest(), expected.counts())
    assert 2 * max(held) <= window_bytes(space)
    if name.startswith(("connect4", "foxhounds")):  # moves lead to the tier before only
        assert max(held) < space.num_vertices / 2


@pytest.mark.parametrize("out", [False, True])
def test_finished_tiers_are_not_searched_for_ties_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: bool
) -> None:
    looked: list[int] = []
    kernel = SpecializedKernels.kernel

    def noted(self: SpecializedKernels, function: Any, work: int) -> Any:
        found = kernel(self, function, work)
        if function is not generated.has_code:
            return found

        def has_code(start: int, stop: int, *args: Any) -> bool:
            looked.append(stop - start)
            return bool(found(start, stop, *args))

        return has_code

    monkeypatch.setattr(SpecializedKernels, "kernel", noted)
    game = Circles()
    with interpreted():
        rs.solve(game, objective="conversion", out=tmp_path / "s" if out else None)
    assert sum(looked) <= 2 * game.size


def test_later_tiers_see_a_finished_one_counted_anew(tmp_path: Path) -> None:
    with interpreted():
        solution = rs.solve(Circles(), objective="conversion:limit=2", out=tmp_path / "s")
    assert all(solution.counts()[value] > 0 for value in LimitedValue if value.ends and value != TIE)


@pytest.mark.parametrize("kind", [Steps, ReachableSteps])
def test_a_tier_that_is_left_out_is_an_error(tmp_path: Path, kind: type[Steps]) -> None:
    game = kind()
    with interpreted():
        expected = rs.solve(game).digest()
        for targets in (None, lambda tier: range(max(tier - 3, 0), tier)):
            game.targets = targets
            assert rs.solve(game, out=tmp_path / "s", solver="sweep").digest() == expected
        game.targets = lambda tier: range(max(tier - 1, 0), tier)
        sentence = (
            r"Steps: \d+ of tier (\d) leads to \d+ of tier \d, which tier_targets\(\1\) leaves out: "
            "expected every earlier tier that moves lead to"
        )
        with pytest.raises(rs.RulesError, match=sentence):
            rs.solve(game, out=tmp_path / "t", solver="sweep")
        with pytest.raises(rs.RulesError, match=r"tier_targets\(\d\) leaves out"):
            rs.check_game(game)
        assert rs.solve(game).digest() == expected  # in memory all tiers are there
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".retrosolve-partial"] == ["s"]


@pytest.mark.parametrize("targets", [[7], [-1], 3, ["a"], range(99), range(-1, 1)])
def test_targets_that_are_no_earlier_tiers(tmp_path: Path, targets: Any) -> None:
    game = Steps()
    game.targets = lambda tier: targets
    with (
        interpreted(),
        pytest.raises(rs.RulesError, match=r"Steps.tier_targets\(\d\) gave .*: expected"),
    ):
        rs.solve(game, out=tmp_path / "s", solver="sweep")


def test_earlier_tiers_are_not_scanned_one_by_one() -> None:
    tiers = range(10**6)
    assert checked_targets("Steps", 10**6, tiers) is tiers
    assert checked_targets("Steps", 0, range(0)) == range(0)


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
    made = []
    layout = tiers._OnDisk._compact_layout

    def noted(self: Any) -> Any:
        made.append(self)
        return layout(self)

    monkeypatch.setattr(tiers._OnDisk, "_compact_layout", noted)
    with interpreted(), tuning.using(min_queue=1):
        expected = rs.solve(game, objective=objective)
        budget = window_bytes(game.state_space()) - 1
        solution = rs.solve(game, objective=objective, out=tmp_path / "s", memory=budget)
        assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
        assert len(made) == 1
        rs.verify(solution)


def test_positions_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    game = parse_game(SMALL[0])
    expected = r"^solving the 694 positions of .* needs about .* kB; the budget is 700 bytes$"
    with interpreted(), pytest.raises(rs.MemoryBudgetError, match=expected):
        rs.solve(game, out=tmp_path / "s", memory=700)
    with (
        interpreted(),
        pytest.raises(rs.MemoryBudgetError, match=r"needs about .*; the budget is 100 by"),
    ):
        rs.solve(game, out=tmp_path / "t", memory=100)
    with interpreted():  # what was found is not found again
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
