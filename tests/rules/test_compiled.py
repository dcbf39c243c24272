"""Compiled rules: every engine gives what the specification gives for the same game as a graph."""

import random
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import words
from retrosolve.rules.contract import INVALID, CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.testing import (
    STUCK,
    CompiledGraphGame,
    MirroredGame,
    random_component_graph,
    random_graph,
    random_tiered_graph,
    without_owner,
)
from tests.conftest import Tune
from tests.support.engines import solve_with
from tests.support.marks import ALL, samples

RULES = ((), ("predecessors",), ("predecessors", "survey", "predecessor_indices"))
OWNED = (("predecessors",), ("predecessors", "survey"))
ENGINES = ("auto", "retrograde", "sweep", "stored retrograde", "stored sweep", "reference")


def assert_same(solution: rs.Solution, expected: rs.Solution) -> None:
    """Every vertex of the graph, one in three of the game's indices, has the expected outcome."""
    assert solution.table.values()[1::3].tolist() == expected.table.values().tolist()
    assert solution.remoteness()[1::3].tolist() == expected.remoteness().tolist()
    assert solution.counts() == expected.counts()
    assert solution.histogram() == expected.histogram()


def made(kind: str, rng: random.Random) -> tuple[rs.Graph, dict[str, Any]]:
    """A graph of one vertex or more, and how it is divided."""
    if kind == "components":
        graph, tiers, size = random_component_graph(rng)
        return graph, {"tiers": tiers, "component_size": size}
    if kind == "tiers":
        graph, tiers = random_tiered_graph(rng)
        return graph, {"tiers": tiers}
    graph = random_graph(rng)
    return (graph, {}) if graph.num_vertices else made(kind, rng)


@pytest.mark.parametrize("kind", ["graph", "tiers", "components"])
def test_every_engine_gives_what_the_reference_gives_for_the_graph(kind: str) -> None:
    rng, solvers = random.Random(kind), set()
    for i in range(samples(30, 800)):
        graph, divided = made(kind, rng)
        stuck = STUCK[i % 3]
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        for rules in OWNED if graph.owner is not None else RULES:
            if kind == "components" and len(rules) > 1:
                continue
            game = CompiledGraphGame(graph, *rules, **divided)
            for engine in ENGINES:
                if engine == "retrograde" and (not rules or divided):
                    continue
                solution = solve_with(engine, game, stuck)
                assert_same(solution, expected)
                rs.verify(solution)
                if graph.owner is not None:
                    assert solution.winner()[1::3].tolist() == expected.winner().tolist()
            solvers.add(rs.plan(game).solver)
        found = rs.solve(CompiledGraphGame(graph, dense=False), stuck=stuck)
        rs.verify(found)
        interpreted = rs.solve(InterpretedGame(CompiledGraphGame(graph)), stuck=stuck)
        for v in range(graph.num_vertices):
            assert found[3 * v + 1] == interpreted[3 * v + 1] == expected[v]
    assert solvers == {"retrograde"} | ({"sweep"} if kind == "tiers" else set())


@pytest.mark.long
def test_symmetry_gives_the_same() -> None:
    rng = random.Random(5)
    own_image, count = 0, samples(40, 300)
    for i in range(count):
        graph, stuck = without_owner(made("graph", rng)[0]), STUCK[i % 3]
        stored = MirroredGame(graph, "predecessors").as_graph()
        expected = rs.solve(stored, stuck=stuck, solver="reference")
        for rules in (("predecessors",), ("predecessors", "canonical"), ("canonical",)):
            for engine in ("auto", "sweep", "reference"):
                solution = solve_with(engine, MirroredGame(graph, *rules), stuck)
                rs.verify(solution)
                for p in range(stored.num_vertices):
                    assert solution[p] == expected[p]
        own_image += any(stored.neighbors(p).tolist().count(p ^ 1) for p in range(stored.num_vertices))
    assert own_image > count // 6


@pytest.fixture
def compiling(tune: Tune) -> None:
    tune(compile_from=0)


@pytest.mark.long
@pytest.mark.usefixtures("compiling")
def test_compiled_equals_uncompiled(tune: Tune) -> None:
    tune(min_work_per_thread=1, min_chunk=1)
    rng = random.Random(11)
    for i in range(20):
        graph, tiers = random_tiered_graph(rng)
        graph = graph if ALL else without_owner(graph)  # with owners: test_random_games_compiled
        stuck = STUCK[i % 3]
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        game = CompiledGraphGame(graph, "predecessors", tiers=tiers)
        for engine in ("auto", "sweep"):
            for threads in (1, 2, 5):
                solution = rs.solve(game, stuck=stuck, solver=engine, threads=threads)
                assert_same(solution, expected)
        rs.verify(solution)


@pytest.mark.long
@pytest.mark.usefixtures("compiling")
def test_compiled_exploring_equals_plain_rules() -> None:
    rng = random.Random(12)
    for i in range(30):
        graph, stuck = without_owner(made("graph", rng)[0]), STUCK[i % 3]
        game = MirroredGame(graph, "predecessors", "canonical")
        game.size = None
        game.start = lambda: 0  # type: ignore[method-assign]
        game.starts = lambda: (0,)  # type: ignore[method-assign]
        found, plain = rs.solve(game, stuck=stuck), rs.solve(InterpretedGame(game), stuck=stuck)
        assert len(found) == len(plain)
        for p in list(plain):
            assert found[p] == plain[p]
        rs.verify(found)


@pytest.mark.parametrize("rules", RULES[:2])
def test_levels_past_two_bytes(
    rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    """A chain longer than the levels that a word of two bytes can hold, and than the queue."""
    monkeypatch.setattr(words, "WORDS", ((np.uint8, 31), *words.WORDS[1:]))
    tune(min_queue=4)
    graph = rs.Graph.from_edges(range(300), range(1, 301))
    solution = rs.solve(CompiledGraphGame(graph, *rules), solver="auto" if rules else "sweep")
    assert solution[1] == rs.Outcome(rs.Value.LOSS, 300)
    assert solution.table.words.dtype == np.uint32
    rs.verify(solution)


def test_moves_between_components_of_different_tiers() -> None:
    graph = rs.Graph.from_edges([0, 2], [1, 1], 4)
    solution = rs.solve(CompiledGraphGame(graph, tiers=(0, 2), component_size=2))
    assert solution[3 * 2 + 1] == rs.Outcome(rs.Value.WIN, 1)


def test_more_moves_than_a_byte_counts() -> None:
    n = 400
    graph = rs.Graph.from_edges([0] * n + [*range(1, n + 1)], [*range(1, n + 1)] + [n + 1] * n, n + 2)
    solution = rs.solve(CompiledGraphGame(graph, "predecessors"))
    assert solution[1] == rs.Outcome(rs.Value.LOSS, 2)


@pytest.mark.parametrize("rules", [(), ("predecessors", "rank")])
def test_what_is_no_position_has_no_answer(rules: tuple[str, ...]) -> None:
    solution = rs.solve(CompiledGraphGame(rs.Graph.from_edges([0, 1], [1, 2]), *rules))
    assert len(solution) == 3
    assert solution.table.values().tolist().count(INVALID) == (0 if rules else 6)
    assert str(solution[1]) == "LOSS in 2"
    for position in (0, -1, 9, 99, 10**6, "a", 1.0, True, None):
        with pytest.raises(rs.PositionError):
            solution[position]


def test_what_a_plan_says() -> None:
    graph = rs.Graph.from_edges(range(1000), range(1, 1001))
    plan = rs.plan(CompiledGraphGame(graph, "predecessors"))
    assert (plan.solver, plan.num_vertices, plan.num_edges) == ("retrograde", 3003, 1000)
    assert rs.plan(CompiledGraphGame(graph)).solver == "retrograde"
    needed = rs.plan(CompiledGraphGame(graph)).memory_bytes
    assert needed is not None
    assert rs.plan(CompiledGraphGame(graph), memory=needed - 1).solver == "sweep"
    explored = rs.plan(CompiledGraphGame(graph, dense=False))
    assert (explored.num_vertices, explored.num_edges) == (1001, 1000)
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(CompiledGraphGame(graph), memory=100)


@pytest.mark.usefixtures("compiling")
def test_rules_are_tried_before_they_are_compiled() -> None:
    class Halved(CompiledGame):
        max_moves, size = 2, 1_000_000

        @staticmethod
        def successors(position, out, data):
            return position / 2

    with pytest.raises(rs.RulesError):
        rs.solve(Halved())


def test_tiers_without_predecessors_take_one_pass_or_stored_moves() -> None:
    chain = rs.Graph.from_edges(range(1, 30), range(29))
    assert rs.solve(CompiledGraphGame(chain, tiers=tuple(range(30)))).solver == "sweep"
    loops = rs.Graph.from_edges([*range(1, 30), 3], [*range(29), 3])
    assert rs.solve(CompiledGraphGame(loops, tiers=tuple(range(30)))).solver == "retrograde"
