"""Scores of compiled games tier by tier: in one pass, by several threads, going on after a stop."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.arrays import spans
from retrosolve.games.awari import Awari
from retrosolve.games.dots import DotsAndBoxes
from retrosolve.games.kalah import Kalah
from retrosolve.runtime import tuning
from retrosolve.solvers import score
from retrosolve.spaces.tier_window import Marks
from retrosolve.testing import random_compiled_game
from tests.conftest import Tune
from tests.support.scored import Lines
from tests.support.stopping import Stopped, stop_in

KINDS = (
    "successors",
    "predecessors",
    "player",
    "rank",
    "tiers",
    "components",
    "reachable",
    "canonical",
)


def in_small_steps(**more: int) -> Any:
    """Everything in plain Python, and finished tiers given back to the system."""
    return tuning.using(compile_from=10**12, compile_again_from=10**12, max_held_bytes=0, **more)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
@pytest.mark.parametrize(
    "game",
    [Kalah(2, 2), DotsAndBoxes(1, 2), Lines(9, 3), Lines(9, 900_000)],
    ids=["kalah", "dots", "lines", "many-points"],
)
def test_tiers_in_the_order_of_the_index_take_one_pass(
    game: rs.CompiledGame, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as by_levels:
        by_levels.setattr(score._Solved, "orders", ())
        expected = rs.solve(game, objective=objective)
    with monkeypatch.context() as in_order:
        in_order.delattr(score._Tier, "_decide")
        solution = rs.solve(game, objective=objective)
        in_order.setattr(score, "spans", lambda n: spans(n, 8))
        with tuning.using(min_work_per_thread=1, min_chunk=1):
            shared = rs.solve(game, objective=objective, threads=4)
    for other in (solution, shared):
        assert (other.digest(), other.num_edges) == (expected.digest(), expected.num_edges)
    rs.verify(solution)


def test_queue_that_is_too_short_takes_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rs.solve(Awari(6, 3), objective="score")
    monkeypatch.setattr(score, "_queue_length", lambda size: min(size, 3))
    assert rs.solve(Awari(6, 3), objective="score").digest() == expected.digest()


@pytest.mark.long
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_threads_share_what_a_level_decides(
    objective: str, tune: Tune, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune(compile_from=0, compile_again_from=0)
    rng = random.Random(2)
    games = [random_compiled_game(rng, kind) for kind in KINDS]
    for game in [*games, Awari(6, 3), Kalah(2, 2)]:
        alone = rs.solve(game, objective=objective, threads=1)
        with monkeypatch.context() as small, tuning.using(min_work_per_thread=1):
            small.setattr(score, "LEAST_SHARED", 1)
            small.setattr(score, "spans", lambda n: spans(n, 8))
            shared = rs.solve(game, objective=objective, threads=4)
        assert shared.digest() == alone.digest()


def test_solve_of_scores_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, path = Awari(7, 3), tmp_path / "s"
    with in_small_steps():
        expected = rs.solve(game, objective="score")
        with pytest.raises(Stopped):
            rs.solve(
                game, objective="score", out=path, checkpoint_every=1e-6,
                progress=stop_in("solving", 0.5),
            )  # fmt: skip
        begun: list[int] = []
        tier = score._Tier

        def noted(*arguments: Any) -> Any:
            begun.append(arguments[-1])
            return tier(*arguments)

        monkeypatch.setattr(score, "_Tier", noted)
        solution = rs.solve(game, objective="score", out=path, resume=True)
    assert min(begun) > game.tiers[3]
    assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)


def test_memory_holds_tiers_that_moves_lead_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back: list[tuple[int, int]] = []
    monkeypatch.setattr(Marks, "forget", lambda _self, *span: given_back.append(span))
    game = Lines(9, 2)
    game.tier_targets = lambda tier: [tier - 1] if tier else []  # type: ignore[method-assign]
    with in_small_steps():
        solution = rs.solve(game, objective="score", out=tmp_path / "s")
    assert set(given_back) == {(0, 9)}
    rs.verify(solution)


def test_memory_that_is_given_back_is_no_position() -> None:
    marks = Marks(3 * 4096, np.uint16)
    marks.values[:] = 7
    marks.forget(100, 9000)
    assert not marks.values[100:9000].any()
    assert marks.values[:100].all()
    assert marks.values[9000:].all()
    marks.forget(9000, 20_000)
    assert not marks.values[9000:].any()
    Marks(0, np.uint16).forget(100, 9000)  # plies of scores without levels


def test_budget_of_scores_on_disk_is_less_than_in_memory(tmp_path: Path) -> None:
    game = Awari(20)
    least = score.tier_disk_bytes(game.state_space())
    whole = score.tier_buffers(game.state_space(), 0).num_bytes
    assert least < whole
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(game, objective="score", memory=least // 2, out=tmp_path / "s")
