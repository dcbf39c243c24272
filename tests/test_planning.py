"""Plan: the solver, the bytes and the rough time, told before any work; budgets kept or refused."""

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import solving
from retrosolve.cli import run
from retrosolve.compilation import jit
from retrosolve.games import parse_game
from retrosolve.games.stones import Stones
from retrosolve.objectives import objective_of
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import threads
from retrosolve.runtime.memory import format_bytes
from retrosolve.solvers import NAMES, SOLVERS, select
from retrosolve.spaces.base import Capability
from tests.support.marks import THOROUGH

EDGES = Capability.CSR | Capability.GENERATED


def cyclic(n: int, degree: int = 3) -> rs.Graph:
    source, target = np.random.default_rng(n).integers(0, n, (2, degree * n))
    return rs.Graph.from_edges(source, target, n)


def test_a_plan_names_the_solver_that_is_then_used() -> None:
    police = PoliceAndThief.from_text("P.E\n..T")
    for subject in (cyclic(100), rs.Graph.from_edges([0, 1], [1, 2]), police):
        for solver in ("auto", "reference"):
            planned = rs.plan(subject, solver=solver)
            solution = rs.solve(subject, solver=solver)
            assert planned.solver == solution.solver
            assert (planned.num_vertices, planned.num_edges) == (
                len(solution),
                solution.space.num_edges,
            )


def test_moves_are_sampled_only_where_their_number_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    space = parse_game("chess:KRK").state_space()
    sampled = []
    monkeypatch.setattr(type(space), "estimate", lambda self: sampled.append("moves"))
    chosen, needed = select(space)
    assert (chosen.name, needed) == ("retrograde", chosen.buffers(space, 7).num_bytes)
    assert sampled == []


def test_the_plan_of_a_small_game_in_plain_python_is_exact() -> None:
    planned, solution = rs.plan(Stones()), rs.solve(Stones())
    assert (planned.solver, planned.num_vertices) == (solution.solver, 11)
    assert planned.num_edges == solution.space.num_edges
    assert planned.sample is None
    assert rs.plan(Stones(), solver="reference").solver == "reference"


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
    with pytest.raises(rs.GraphError, match="solver='fast' is not known"):
        rs.plan(Endless(), solver="fast")


def test_a_plan_refuses_what_solve_refuses() -> None:
    with pytest.raises(rs.GraphError, match="cannot be solved: expected game"):
        rs.plan("graph")
    with pytest.raises(rs.GraphError, match="solver='fast' is not known"):
        rs.plan(cyclic(10), solver="fast")


@pytest.mark.long("*-lanes")
@pytest.mark.parametrize("solver", [name for name in NAMES if name not in ("bitset", "heaps")])
@pytest.mark.parametrize("rules", [False, True])
def test_estimated_time_grows_with_the_game_and_not_with_threads(solver: str, rules: bool) -> None:
    asked = {"nimbers": "nimber", "chance": "chance", "lanes": "chance:tolerance=1e-6"}
    objective = asked.get(solver, "outcome")
    if solver == "lanes":  # takes games of dice alone
        subjects: list[Any] = [parse_game(f"bearoff:points=6,checkers={n}") for n in (2, 5)]
    elif rules:
        subjects = [parse_game(f"foxhounds:n={n}") for n in (4, 8)]
    else:
        subjects = [cyclic(n) for n in (1_000, 1_000_000)]
    small, large, shared = (
        rs.plan(subject, objective=objective, solver=solver, threads=threads).seconds
        for subject, threads in ((subjects[0], 1), (subjects[1], 1), (subjects[1], 2))
    )
    assert small is not None
    assert large is not None
    assert shared is not None
    assert 0 < small < large
    assert 0 < shared <= large


@pytest.mark.parametrize(
    ("game", "one_pass"), [("chess:KRK,board=5", False), ("connect4:rows=4,columns=4", True)]
)
def test_a_sweep_of_moves_within_tiers_is_no_single_pass(game: str, one_pass: bool) -> None:
    found = rs.plan(parse_game(game), solver="sweep", threads=1)
    assert found.num_vertices is not None
    assert found.seconds is not None
    assert (found.seconds < 1e-6 * found.num_vertices) is one_pass  # a microsecond an index


@pytest.mark.thorough
def test_who_has_no_memory_for_a_solve_is_told_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, into = parse_game("chess:4men"), tmp_path / "table"
    planned = rs.plan(game, out=into)
    assert not into.exists()
    assert planned.memory_bytes is not None
    least = format_bytes(planned.memory_bytes)
    enough = rf"the budget is .*, enough to solve it into a folder \(out\), with about {least}$"
    with pytest.raises(rs.MemoryBudgetError, match=enough):
        rs.solve(game, memory=planned.memory_bytes)
    with pytest.raises(rs.MemoryBudgetError, match=r"the budget is 1 kB$"):
        rs.solve(game, memory=1_000)
    assert run(["plan", "chess:4men", "--out", str(into)]) in (0, None)
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
    with pytest.raises(rs.MemoryBudgetError, match=r"needs about 58.8 kB; the budget is 50 kB"):
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


@pytest.mark.long
@THOROUGH
@pytest.mark.parametrize("solver", ["retrograde", "sweep"])
def test_a_solve_takes_no_more_memory_than_planned(solver: str) -> None:
    """Measured in processes of their own, kernels loaded, as the growth of their peak."""
    script = f"""
import os
import numpy as np, retrosolve as rs
def held(which):
    # Not getrusage, whose figure a process inherits from the one that started it.
    for line in open("/proc/self/status"):
        if line.startswith(which):
            return 1024 * int(line.split()[1])
def graph(n, degree):
    source, target = np.random.default_rng(n).integers(0, n, (2, degree * n), dtype=np.int32)
    return rs.Graph.from_edges(source, target, n)
for degree in (2, 6):  # an array more for each vertex or edge is seen with one of them
    if not os.fork():
        rs.solve(graph(200_000, degree), solver={solver!r})
        large = graph(6_000_000 // degree, degree)
        open("/proc/self/clear_refs", "w").write("5")  # forget the peak of making the graph
        before = held("VmRSS")
        planned = rs.plan(large, solver={solver!r})
        rs.solve(large, solver={solver!r})
        print(held("VmHWM") - before, planned.memory_bytes, flush=True)
        os._exit(0)
    os.wait()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    measured = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    assert len(measured) == 2
    for grown, planned in measured:
        assert grown <= planned + 8_000_000  # thread stacks and the interpreter's own


def test_every_low_memory_alternative_needs_less_memory() -> None:
    graph: Any = rs.Graph.from_edges(range(1000), range(1, 1001))
    game: Any = parse_game("quoridor:n=3").state_space()
    met = 0
    for solver in SOLVERS:
        space = game if Capability.GENERATED in solver.requires else graph
        for other in SOLVERS:
            alternative = solver.low_memory_alternative, solver.requires & EDGES
            alike = solver.objective == other.objective
            if alike and alternative == (other.name, other.requires & EDGES):
                met += 1
                lean, full = (row.buffers(space, 10**7).num_bytes for row in (other, solver))
                assert lean < full
    assert met == sum(solver.low_memory_alternative is not None for solver in SOLVERS) > 0


@pytest.mark.parametrize("objective", ["outcome", "win-loss-draw"])
def test_the_proof_has_an_estimate(objective: str) -> None:
    boards = [PoliceAndThief.from_text("\n".join(["." * n] * n)) for n in (12, 20)]
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
    for wrong in ("", "2 apples", "-3MB", "0", 0, 1.5, True):
        with pytest.raises(
            rs.GraphError, match=r"^memory=.*: expected a whole number of bytes above 0"
        ):
            rs.solve(graph, memory=wrong)  # type: ignore[arg-type]


def test_machines_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the row of the solver has it: 250 ns a vertex and 60 ns an edge, of one core of one machine."""
    monkeypatch.setattr(jit, "loaded", lambda: True)
    n, degree, threads = 100_000, 3, 2
    for nodes in (1, 2, 8):
        planned = rs.plan(cyclic(n, degree), solver="ray", threads=threads, nodes=nodes)
        assert planned.seconds == pytest.approx((250 + 60 * degree) * n / threads / nodes / 1e9)


@pytest.mark.thorough
def test_plan_with_more_machines_divides_time_and_memory() -> None:
    subjects: list[Any] = [cyclic(100_000), parse_game("chess:KRK")]
    subjects.append(PoliceAndThief.from_text("\n".join(["." * 20] * 20)))
    for subject in subjects:
        plans = [rs.plan(subject, solver="ray", nodes=nodes) for nodes in (1, 2, 8)]
        found = [plan.cluster for plan in plans]
        assert [cluster.nodes for cluster in found if cluster] == [1, 2, 8]
        memory = [cluster.node_memory_bytes for cluster in found if cluster]
        traffic = [cluster.node_traffic_bytes for cluster in found if cluster]
        assert memory[0] > memory[1] > memory[2]
        assert [plan.seconds for plan in plans[1:]] == pytest.approx(
            [plans[0].seconds / 2, plans[0].seconds / 8]
        )
        assert 0 == traffic[0] < traffic[1] < traffic[2]
        assert "into each node" in dict(plans[1].rows())["traffic"]
    assert rs.plan(cyclic(10)).cluster is None


@pytest.mark.thorough
def test_times_are_ranges_and_busy_processors_lengthen_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = solving.plan(rs.game("chess:KRK"))
    shown = str(dataclasses.replace(plan, seconds=9.87, proof_seconds=0.01))
    assert "time      9.9 to 20 s" in shown
    assert "proof     under 0.1 s" in shown
    long = dataclasses.replace(plan, seconds=9.87)
    monkeypatch.setattr(rs, "plan", lambda *_, **__: long)
    monkeypatch.setattr(threads.os, "getloadavg", lambda: (0.0, 0.0, 0.0))
    assert threads.busy_factor() == 1
    assert run(["plan", "stones:n=5"]) == 0
    assert "other programs" not in capsys.readouterr().err
    monkeypatch.setattr(threads.os, "getloadavg", lambda: (9.0 * threads.cpu_count(), 0.0, 0.0))
    assert run(["plan", "stones:n=5"]) == 0
    assert "it will take about 10 times as long" in capsys.readouterr().err


@pytest.mark.parametrize("objective", ["outcome", "conversion", "score"])
def test_the_proof_of_a_folder_takes_at_most_the_memory_of_the_plan(
    objective: str, tmp_path: Path
) -> None:
    game = parse_game("awari:seeds=6" if objective == "score" else "chess:KRK,board=4")
    folder = tmp_path / "solved"
    most = rs.plan(game, objective=objective, out=folder).proof_memory_bytes
    assert most is not None
    with rs.solve(game, objective=objective, out=folder):
        pass
    with rs.open(folder) as opened:
        assert rs.verify(opened, memory=most)
        with pytest.raises(rs.MemoryBudgetError):
            rs.verify(opened, memory=most // 3)
