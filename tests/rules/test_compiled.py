"""Compiled rules: every engine gives what the specification gives for the same game as a graph."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import words
from retrosolve.rules.contract import INVALID, LOSS, CompiledGame
from retrosolve.rules.indexing import indexed_space
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
from tests.support.marks import ALL, SLOW, samples

pytestmark = pytest.mark.thorough

# What runs always, and what only with RETROSOLVE_SLOW_TESTS.
PARTS = (0, *(pytest.param(part, marks=SLOW) for part in range(1, 8)))
KINDS_OF_RULES = ((), ("predecessors",), ("predecessors", "survey", "predecessor_indices"))
ENGINES = ("auto", "retrograde", "sweep", "stored retrograde", "stored sweep", "reference")


def assert_same(solution: rs.Solution, expected: rs.Solution, step: int = 1, first: int = 0) -> None:
    """Every vertex of the graph, one in ``step`` of the game's indices, has the expected outcome."""
    assert solution.table.values()[first::step].tolist() == expected.table.values().tolist()
    assert solution.remoteness()[first::step].tolist() == expected.remoteness().tolist()


def check(
    game: CompiledGame, expected: rs.Solution, stuck: str, engines=ENGINES, step=1, first=0
) -> None:
    for engine in engines:
        if engine == "retrograde" and not game.implements("predecessors"):
            continue
        solution = solve_with(engine, game, stuck)
        assert_same(solution, expected, step, first)
        rs.verify(solution)
        assert solution.counts() == expected.counts()
        assert solution.histogram() == expected.histogram()


@pytest.mark.parametrize("part", PARTS)
def test_engines_equal_reference_on_random_games(part: int) -> None:
    rng = random.Random(part)
    for i in range(100):
        graph, stuck = random_graph(rng, acyclic=i % 5 == 0), STUCK[i % 3]
        if graph.num_vertices == 0:
            continue
        plain = without_owner(graph)
        expected = rs.solve(plain, stuck=stuck, solver="reference")
        check(CompiledGraphGame(plain), expected, stuck, step=3, first=1)
        check(CompiledGraphGame(plain, "predecessors"), expected, stuck, step=3, first=1)
        ranked = rs.solve(CompiledGraphGame(plain, "predecessors", "rank"), stuck=stuck)
        assert ranked.table.values()[::-1].tolist() == expected.table.values().tolist()
        if graph.owner is not None:
            owned = rs.solve(graph, stuck=stuck, solver="reference")
            game = CompiledGraphGame(graph, "predecessors")
            check(game, owned, stuck, step=3, first=1)
            assert rs.solve(game, stuck=stuck).winner()[1::3].tolist() == owned.winner().tolist()
        found = rs.solve(CompiledGraphGame(plain, dense=False), stuck=stuck)
        rs.verify(found)
        interpreted = rs.solve(InterpretedGame(CompiledGraphGame(plain)), stuck=stuck)
        for v in range(graph.num_vertices):
            assert found[3 * v + 1] == interpreted[3 * v + 1] == expected[v]


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_tiers_give_the_same(part: int) -> None:
    rng = random.Random(100 + part)
    passes = 0
    for i in range(160):
        graph, tiers = random_tiered_graph(rng)
        stuck = STUCK[i % 3]
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        for rules in KINDS_OF_RULES[1:2] if graph.owner is not None else KINDS_OF_RULES:
            game = CompiledGraphGame(graph, *rules, tiers=tiers)
            check(game, expected, stuck, ("auto", "sweep", "stored retrograde"), 3, 1)
        passes += len(tiers) > 1
    assert passes > 60


@pytest.mark.parametrize("part", PARTS)
def test_components_give_the_same(part: int) -> None:
    rng = random.Random(200 + part)
    solvers = set()
    for i in range(120):
        graph, tiers, size = random_component_graph(rng)
        stuck = STUCK[i % 3]
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        rules = KINDS_OF_RULES[graph.owner is not None]
        game = CompiledGraphGame(graph, *rules, tiers=tiers, component_size=size)
        check(game, expected, stuck, ("auto", "sweep", "stored retrograde"), 3, 1)
        solvers.add(rs.plan(game).solver)
    assert solvers == {"retrograde"}


@pytest.mark.long
def test_symmetry_gives_the_same() -> None:
    rng = random.Random(5)
    own_image, count = 0, samples(100, 300)
    for i in range(count):
        graph, stuck = without_owner(random_graph(rng)), STUCK[i % 3]
        if graph.num_vertices == 0:
            continue
        game = MirroredGame(graph, "predecessors")
        stored = game.as_graph()
        expected = rs.solve(stored, stuck=stuck, solver="reference")
        check(game, expected, stuck)
        for rules in (("predecessors", "canonical"), ("canonical",)):
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
    for i in range(40):
        graph, tiers = random_tiered_graph(rng)
        graph = graph if ALL else without_owner(graph)  # with owners: test_random_games_compiled
        stuck = STUCK[i % 3]
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        game = CompiledGraphGame(graph, "predecessors", tiers=tiers)
        for engine in ("auto", "sweep"):
            for threads in (1, 2, 5):
                solution = rs.solve(game, stuck=stuck, solver=engine, threads=threads)
                assert_same(solution, expected, 3, 1)
        rs.verify(solution)


@pytest.mark.long
@pytest.mark.usefixtures("compiling")
def test_compiled_exploring_equals_plain_rules() -> None:
    rng = random.Random(12)
    for i in range(60):
        graph, stuck = without_owner(random_graph(rng)), STUCK[i % 3]
        if graph.num_vertices == 0:
            continue
        game = MirroredGame(graph, "predecessors", "canonical")
        game.size = None
        game.start = lambda: 0  # type: ignore[method-assign]
        game.starts = lambda: (0,)  # type: ignore[method-assign]
        found, plain = rs.solve(game, stuck=stuck), rs.solve(InterpretedGame(game), stuck=stuck)
        assert len(found) == len(plain)
        for p in list(plain):
            assert found[p] == plain[p]
        rs.verify(found)


@pytest.mark.parametrize("rules", KINDS_OF_RULES[:2])
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


def test_levels_past_two_bytes_in_a_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two components, one of which is a chain that is longer than words of two bytes can hold."""
    monkeypatch.setattr(words, "WORDS", ((np.uint8, 31), *words.WORDS[1:]))
    graph = rs.Graph.from_edges([*range(50), *range(51, 100)], [*range(1, 51), *range(52, 101)], 102)
    game = CompiledGraphGame(graph, tiers=(0, 51), component_size=51)
    solution = rs.solve(game)
    assert solution[1] == rs.Outcome(rs.Value.LOSS, 50)
    assert solution[3 * 51 + 1] == rs.Outcome(rs.Value.WIN, 49)
    assert solution.table.words.dtype == np.uint32
    rs.verify(solution)


def test_moves_out_of_a_component() -> None:
    graph = rs.Graph.from_edges([0, 2], [1, 1], 4)
    fine = CompiledGraphGame(graph, tiers=(0, 2), component_size=2)
    assert rs.solve(fine)[3 * 2 + 1] == rs.Outcome(rs.Value.WIN, 1)
    wrong = CompiledGraphGame(graph, tiers=(0,), component_size=2)
    with pytest.raises(rs.RulesError, match="7 leads to 4, whose index is 4: expected one of its own"):
        rs.solve(wrong)
    with pytest.raises(
        rs.RulesError, match="7 of component 1 leads to 4 of component 0 of the same tier"
    ):
        rs.check_game(wrong)
    with pytest.raises(rs.RulesError, match="component_size is 9: expected a divisor"):
        rs.solve(CompiledGraphGame(graph, component_size=3))


def test_more_moves_than_a_byte_counts() -> None:
    n = 400
    source = [0] * n + list(range(1, n + 1))
    target = [*range(1, n + 1)] + [n + 1] * n
    graph = rs.Graph.from_edges(source, target, n + 2)
    solution = rs.solve(CompiledGraphGame(graph, "predecessors"))
    assert solution[1] == rs.Outcome(rs.Value.LOSS, 2)


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


def test_positions_that_are_none() -> None:
    solution = rs.solve(CompiledGraphGame(rs.Graph.from_edges([0, 1], [1, 2])))
    assert len(solution) == 3
    assert (solution.table.values().tolist().count(INVALID), str(solution[1])) == (6, "LOSS in 2")
    for position in (0, -1, 9, "a", 1.0, True, None):
        with pytest.raises(rs.PositionError):
            solution[position]


def test_a_solution_is_written_without_what_is_no_position(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1, 1, 3], [1, 2, 0, 1])
    solution = rs.solve(CompiledGraphGame(graph, "predecessors"))
    expected = rs.solve(graph)
    rs.write(solution, tmp_path / "saved.json")
    again = rs.read_solution(tmp_path / "saved.json")
    rs.verify(again)
    assert len(again) == again.space.num_vertices == graph.num_vertices
    for v in range(graph.num_vertices):
        assert again[str(3 * v + 1)] == expected[v]
        names = [str(3 * int(move.position) + 1) for move in expected.best_moves(v)]
        assert [move.position for move in again.best_moves(str(3 * v + 1))] == names


class Broken(CompiledGraphGame):
    def __init__(self, **given: object) -> None:
        super().__init__(rs.Graph.from_edges([0, 1], [1, 2]))
        vars(self).update(given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 0}, r"Broken.size is 0: expected a whole number above 0"),
        ({"size": 2.5}, r"Broken.size is 2.5"),
        ({"size": 2**63}, r"Broken.size is 9223372036854775808: expected less than 2\^63"),
        ({"max_moves": 0}, r"Broken.max_moves is 0"),
        ({"max_moves": 2**32}, r"Broken.max_moves is 4294967296: expected less than 2\^32"),
        ({"tiers": (1, 3)}, r"Broken.tiers is \(1, 3\): expected rising indices from 0, all below 9"),
        ({"tiers": (0, 9)}, r"Broken.tiers"),
    ],
)
def test_what_is_wrong_with_a_game(given: dict[str, object], message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        indexed_space(Broken(**given))


def test_a_limit_and_moves_that_cannot_be() -> None:
    class Endless(CompiledGame):
        max_moves = 1

        def start(self):
            return 1

        @staticmethod
        def successors(position, out, data):
            out[0] = position * 2 if position < 2**60 else -5
            return 1

    with pytest.raises(rs.RulesError, match="leads to -5: expected a whole number, 0 or more"):
        rs.solve(Endless())


class Crooked(CompiledGraphGame):
    """A graph as a game whose functions go wrong in one way each."""

    @staticmethod
    def successors(position, out, data):
        if position == 4:
            out[1000] = 1
        return CompiledGraphGame.successors(position, out, data)


def test_exception_in_compiled_rules_names_the_position() -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(rs.RulesError, match=r"Crooked.successors\(4\) wrote past the end of out"):
        rs.solve(Crooked(graph))


@pytest.mark.usefixtures("compiling")
def test_uncompilable_rules_raise_rules_error() -> None:
    class Wordy(CompiledGame):
        max_moves, size = 1, 10

        @staticmethod
        def successors(position, out, data):
            out[0] = len(dir(position)) - len(dir(position))
            return 1

    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":  # plain Python, which can do this
        assert len(rs.solve(Wordy())) == 10
        return
    with pytest.raises(
        rs.RulesError, match=r"^the rules of Wordy cannot be compiled: .*test_compiled.py"
    ):
        rs.solve(Wordy())


@pytest.mark.usefixtures("compiling")
def test_rules_are_tried_before_they_are_compiled() -> None:
    class Halved(CompiledGame):
        max_moves, size = 2, 1_000_000

        @staticmethod
        def successors(position, out, data):
            return position / 2

    with pytest.raises(rs.RulesError, match=r"Halved.successors\(\d+\) gave \d+\.\d"):
        rs.solve(Halved())


class Explored(CompiledGame):
    """Whole numbers, twice as large at each move."""

    max_moves = 1

    def start(self) -> int:
        return 1

    @staticmethod
    def successors(position, out, data):
        out[0] = 2 * position
        return 1 if position < 1000 else 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"data": {"a": 1}}, r"Explored.data holds a dict: expected numbers and arrays in a tuple"),
        ({"data": (1, [2])}, r"Explored.data holds a list"),
        (
            {"successors": Explored.successors},
            r"Explored.successors is no static method: expected @static",
        ),
        ({"terminal": lambda self, p, data: 0}, r"Explored.terminal is no static method"),
        ({"start": lambda self: 1 // 0}, r"Explored.starts\(\) raised ZeroDivisionError"),
        ({"start": lambda self: 2.0}, r"Explored starts from 2.0: expected a whole number below 2\^63"),
        (
            {"terminal": staticmethod(lambda p, data: 7)},
            r"terminal\(1\) gave 7: expected NOT_TERMINAL, WIN",
        ),
        (
            {"terminal": staticmethod(lambda p, data: LOSS if p == 2 else None)},
            r"Explored.terminal\(1\) gave None: expected a whole number, 0 or more .*line \d+",
        ),
        (
            {"terminal": staticmethod(lambda p, data: None if p == 512 else 0)},
            r"Explored.terminal\(512\) gave None: expected a whole number, 0 or more",
        ),
        (
            {"terminal": staticmethod(lambda p, data: INVALID)},
            r"1 is reached, but terminal\(\) says",
        ),
        (
            {"successors": staticmethod(lambda p, out, data: 5)},
            r"Explored.successors\(1\) gave 5: expected at",
        ),
    ],
)
def test_what_is_wrong_with_explored_rules(changed: dict[str, object], message: str) -> None:
    assert len(rs.solve(Explored())) == 11
    with pytest.raises(rs.RulesError, match=message):
        rs.solve(type("Explored", (Explored,), changed)())


def test_a_position_that_rules_fail_on_is_none() -> None:
    solution = rs.solve(CompiledGraphGame(rs.Graph.from_edges([0, 1], [1, 2]), "predecessors", "rank"))
    for position in (99, 10**6):
        with pytest.raises(rs.PositionError, match=f"{position} is not a position"):
            solution[position]
    with pytest.raises(rs.GraphError, match="expected an instance of it"):
        rs.solve(CompiledGraphGame)


def test_tiers_without_predecessors_take_one_pass_or_stored_moves() -> None:
    chain = rs.Graph.from_edges(range(1, 30), range(29))
    assert rs.solve(CompiledGraphGame(chain, tiers=tuple(range(30)))).solver == "sweep"
    loops = rs.Graph.from_edges([*range(1, 30), 3], [*range(29), 3])
    assert rs.solve(CompiledGraphGame(loops, tiers=tuple(range(30)))).solver == "retrograde"


HEAP = """
import retrosolve as rs
class Heap(rs.CompiledGame):
    max_moves, size = 1, 200_000
    @staticmethod
    def successors(position, out, data):
        out[0] = position // 3
        return 1 if position else 0
"""


@pytest.mark.long
def test_what_was_compiled_serves_the_same_rules_under_another_name(tmp_path: Path) -> None:
    for name in ("heapgame", "sameheap"):
        (tmp_path / f"{name}.py").write_text(HEAP)
        code = f"import {name}; print({name}.Heap().state_space().out_degrees().sum())"
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "199999\n"
    folders = list((tmp_path / "cache" / "games").glob("*"))
    assert len(folders) == 1
