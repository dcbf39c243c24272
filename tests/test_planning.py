"""Plan: the solver, the bytes and the rough time, told before any work; budgets kept or refused."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.games.stones import Stones
from retrosolve.objectives import objective_of
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import threads
from retrosolve.runtime.memory import format_bytes
from retrosolve.solvers import NAMES, select


def cyclic(n: int, degree: int = 3) -> rs.Graph:
    source, target = np.random.default_rng(n).integers(0, n, (2, degree * n))
    return rs.Graph.from_edges(source, target, n)


def test_a_plan_names_the_solver_that_is_then_used() -> None:
    police = PoliceAndThief.from_text("P.E\n..T")
    for subject in (cyclic(100), rs.Graph.from_edges([0, 1], [1, 2]), police, Stones()):
        for solver in ("auto", "reference"):
            planned, solution = rs.plan(subject, solver=solver), rs.solve(subject, solver=solver)
            assert (planned.solver, planned.sample) == (solution.solver, None)
            assert planned.num_vertices == len(solution)
            assert planned.num_edges == solution.space.num_edges


def test_moves_are_sampled_only_where_their_number_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    space = parse_game("chess:KRK").state_space()
    sampled = []
    monkeypatch.setattr(type(space), "estimate", lambda self: sampled.append("moves"))
    chosen, needed = select(space)
    assert (chosen.name, needed) == ("retrograde", chosen.buffers(space, 7).num_bytes)
    assert sampled == []


def test_the_plan_of_a_large_game_is_an_estimate_from_a_sample() -> None:
    class Endless(rs.Game):
        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("left", 2 * n + 1), ("right", 2 * n + 2)]

    planned = rs.plan(Endless(), memory=10**9)
    assert (planned.num_vertices, planned.num_edges, planned.memory_bytes) == (None,) * 3
    sample = planned.sample
    assert sample is not None
    assert sample.moves == 2
    assert 1 <= sample.explored < sample.positions <= 2 * sample.explored + 1
    assert 50 < sample.memory_bytes < 250
    assert sample.positions_that_fit == int(10**9 / sample.memory_bytes)
    lines = dict(planned.rows())
    assert lines["positions"] == (
        f"more than {sample.positions} (estimate from the first {sample.explored})"
    )
    assert lines["edges"] == "about 2.0 a position"


ASKED = {"nimbers": "nimber", "chance": "chance", "lanes": "chance:tolerance=1e-6"}


@pytest.mark.long("lanes")
@pytest.mark.parametrize("solver", [name for name in NAMES if name not in ("bitset", "heaps")])
def test_estimated_time_grows_with_the_game_and_not_with_threads(solver: str) -> None:
    pairs: list[Any] = [[parse_game(f"foxhounds:n={n}") for n in (4, 8)]]
    pairs.append([cyclic(n) for n in (1_000, 300_000)])
    if solver == "lanes":  # takes games of dice alone
        pairs = [[parse_game(f"bearoff:points=6,checkers={n}") for n in (2, 3)]]
    for small, large in pairs:
        short, long, shared = (
            rs.plan(it, objective=ASKED.get(solver, "outcome"), solver=solver, threads=threads).seconds
            for it, threads in ((small, 1), (large, 1), (large, 2))
        )
        assert short is not None
        assert long is not None
        assert shared is not None
        assert 0 < short < long
        assert 0 < shared <= long


@pytest.mark.parametrize(
    ("game", "one_pass"), [("chess:KRK,board=5", False), ("connect4:rows=4,columns=4", True)]
)
def test_a_sweep_of_moves_within_tiers_is_no_single_pass(game: str, one_pass: bool) -> None:
    found = rs.plan(parse_game(game), solver="sweep", threads=1)
    assert found.num_vertices is not None
    assert found.seconds is not None
    assert (found.seconds < 1e-6 * found.num_vertices) is one_pass  # a microsecond an index


def test_who_has_no_memory_for_a_solve_is_told_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, into = parse_game("connect4:rows=5,columns=5"), tmp_path / "table"
    planned = rs.plan(game, out=into)
    assert not into.exists()
    assert planned.memory_bytes is not None
    least = format_bytes(planned.memory_bytes)
    with pytest.raises(rs.MemoryBudgetError, match=rf"into a folder \(out\), with about {least}$"):
        rs.solve(game, memory=planned.memory_bytes)
    with pytest.raises(rs.MemoryBudgetError, match=r"the budget is 1 kB$"):
        rs.solve(game, memory=1_000)
    assert run(["plan", "connect4:rows=5,columns=5", "--out", str(into)]) in (0, None)
    assert f"memory    {least}\n" in capsys.readouterr().out


def test_a_leaner_way_is_taken_before_a_refusal() -> None:
    graph = cyclic(10_000)
    full, lean = rs.plan(graph), rs.plan(graph, memory=100_000)
    assert (full.solver, lean.solver) == ("retrograde", "sweep")
    assert full.memory_bytes is not None
    assert lean.memory_bytes is not None
    assert lean.memory_bytes <= 100_000 < full.memory_bytes
    solution = rs.solve(graph, memory=100_000)
    assert solution.solver == "sweep"
    assert np.array_equal(solution.remoteness(), rs.solve(graph).remoteness())
    with pytest.raises(rs.MemoryBudgetError, match=r"58.8 kB"):
        rs.solve(graph, memory=50_000)


def test_rows_are_planned_only_for_solvers_that_sort_edges_into_them() -> None:
    graph = cyclic(1_000_000)
    assert graph.is_dealt
    sorted_bytes = 4 * (graph.num_vertices + graph.num_edges)
    for solver, objective, rows in (
        ("retrograde", "outcome", 0),
        ("retrograde", "score", sorted_bytes),
        ("sweep", "outcome", sorted_bytes),
    ):
        chosen, needed = select(graph, solver, objective_of(objective))
        assert needed == chosen.buffers(graph, graph.num_edges).num_bytes + rows


@pytest.mark.parametrize("objective", ["outcome", "win-loss-draw"])
def test_the_proof_has_an_estimate(objective: str) -> None:
    boards = [PoliceAndThief.from_text("\n".join(["." * n] * n)) for n in (8, 12)]
    small, large = (rs.plan(board, objective=objective) for board in boards)
    assert small.proof_seconds is not None
    assert large.proof_seconds is not None
    assert 0 < small.proof_seconds < large.proof_seconds
    assert large.proof_memory_bytes is not None
    assert dict(large.rows())["proof"].endswith(f" s, {format_bytes(large.proof_memory_bytes)}")


def test_a_budget_may_be_text() -> None:
    graph = cyclic(10_000)
    assert rs.plan(graph, memory="100 kB") == rs.plan(graph, memory=100_000)
    assert rs.solve(graph, memory="0.1MB").solver == rs.solve(graph, memory=100_000).solver == "sweep"
    for wrong in ("", "-3MB", "0", 0, 1.5, True):
        with pytest.raises(rs.GraphError):
            rs.solve(graph, memory=wrong)  # type: ignore[arg-type]


def test_plan_with_more_machines_divides_time_and_memory() -> None:
    subjects: list[Any] = [cyclic(10_000), parse_game("foxhounds:n=6")]
    subjects.append(PoliceAndThief.from_text("\n".join(["." * 9] * 9)))
    for subject in subjects:
        plans = [rs.plan(subject, solver="ray", nodes=nodes) for nodes in (1, 2, 8)]
        found: list[Any] = [plan.cluster for plan in plans]
        assert [cluster.nodes for cluster in found] == [1, 2, 8]
        assert found[0].node_memory_bytes > found[1].node_memory_bytes > found[2].node_memory_bytes
        none, half, most = (cluster.node_traffic_bytes for cluster in found)
        assert none == 0 < half
        assert 4 * most == pytest.approx(7 * half, rel=0.01)  # what 1 of 2 and 7 of 8 others decide
        times = [plan.seconds for plan in plans]
        assert times[1:] == pytest.approx([times[0] / 2, times[0] / 8])
        assert "into each node" in dict(plans[1].rows())["traffic"]
    assert rs.plan(cyclic(10)).cluster is None


def test_times_are_ranges_and_busy_processors_lengthen_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = dataclasses.replace(rs.plan(Stones()), seconds=9.87, proof_seconds=0.01)
    assert dict(plan.rows())["time"] == "9.9 to 20 s"
    assert dict(plan.rows())["proof"].startswith("under 0.1 s")
    monkeypatch.setattr(rs, "plan", lambda *_, **__: plan)
    for load, factor in ((0.0, 1), (9.0 * threads.cpu_count(), 10)):
        monkeypatch.setattr(threads.os, "getloadavg", lambda load=load: (load, 0.0, 0.0))
        assert threads.busy_factor() == factor
        assert run(["plan", "stones:n=5"]) == 0
        assert ("about 10 times as long" in capsys.readouterr().err) == (factor == 10)


@pytest.mark.parametrize("objective", ["outcome", "conversion", "score"])
def test_the_proof_of_a_folder_takes_at_most_the_memory_of_the_plan(
    objective: str, tmp_path: Path, interpreted: None
) -> None:
    game = parse_game("awari:seeds=3" if objective == "score" else "chess:KRK,board=3")
    folder = tmp_path / "solved"
    most = rs.plan(game, objective=objective, out=folder).proof_memory_bytes
    assert most is not None
    with rs.solve(game, objective=objective, out=folder):
        pass
    with rs.open(folder) as opened:
        assert rs.verify(opened, memory=most)
        with pytest.raises(rs.MemoryBudgetError):
            rs.verify(opened, memory=most // 3)
