"""Games of which just what play reaches is solved: the answer, its proof, and what may share an index."""

import random

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.rules.contract import CompiledGame
from retrosolve.tables import PackedTable
from retrosolve.testing import (
    STUCK,
    CompiledGraphGame,
    random_graph,
    random_tiered_graph,
    reachable_vertices,
    without_owner,
)
from retrosolve.values import INVALID
from tests.conftest import Tune
from tests.support.engines import solve_with
from tests.support.marks import samples


def check(graph: rs.Graph, game: CompiledGame, starts: list[int], stuck: str, **given: object) -> None:
    """What is reached has the outcome of the whole graph, the rest is no position."""
    expected = rs.solve(graph, stuck=stuck, solver="reference")
    reached = reachable_vertices(graph, starts)
    for solver in ("auto", "sweep", "stored retrograde", "stored sweep"):
        solution = solve_with(solver, game, stuck, **given)
        value = [
            expected.table.values()[v] if v in reached else INVALID for v in range(graph.num_vertices)
        ]
        plies = [expected.remoteness()[v] if v in reached else -1 for v in range(graph.num_vertices)]
        assert solution.table.values()[1::3].tolist() == value
        assert solution.remoteness()[1::3].tolist() == plies
        assert len(solution) == len(reached)
        rs.verify(solution)


def try_games(rng: random.Random, count: int, owned: tuple[bool, ...], **given: object) -> int:
    """Random games, with predecessors and without; return how many had something that is not reached."""
    partly = 0
    for i in range(count):
        graph, tiers = random_tiered_graph(rng) if i % 2 else (random_graph(rng), None)
        if graph.num_vertices == 0 or (graph.owner is not None) not in owned:
            continue
        starts = rng.sample(range(graph.num_vertices), rng.randint(1, min(2, graph.num_vertices)))
        for rules in (("predecessors",), ()) if graph.owner is None else (("predecessors",),):
            game = CompiledGraphGame(graph, *rules, starts=starts, tiers=tiers)
            check(graph, game, starts, STUCK[i % 3], **given)
        partly += len(reachable_vertices(graph, starts)) < graph.num_vertices
    return partly


def test_random_games(interpreted: None) -> None:
    count = samples(40, 15_000)
    assert try_games(random.Random(0), count, (False, True)) > count // 3


@pytest.mark.long
def test_random_games_compiled(tune: Tune) -> None:
    """With owners and predecessors, which calls every kernel."""
    tune(compile_from=0, min_work_per_thread=1, min_chunk=1)
    for threads in (1, 3):
        assert try_games(random.Random(threads), 40, (True,), threads=threads) > 5


def test_positions_that_are_added_or_left_out_are_refused(interpreted: None) -> None:
    rng = random.Random(7)
    refused = 0
    for stuck in 10 * STUCK:
        graph = without_owner(random_graph(rng))
        if graph.num_vertices == 0:
            continue
        solution = rs.solve(CompiledGraphGame(graph, "predecessors", starts=[0]), stuck=stuck)
        full = rs.solve(CompiledGraphGame(graph, "predecessors"), stuck=stuck)  # as if all were reached
        words, every = solution.table.words, full.table.packed()
        for v in np.flatnonzero(words != every):
            changed = words.copy()
            changed[v] = every[v]  # right, but for not being reached
            wrong = rs.Solution(solution.space, PackedTable(changed), solution.stuck)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
            refused += 1
        for v in np.flatnonzero(words != 7):
            changed = words.copy()
            changed[v] = 7
            wrong = rs.Solution(solution.space, PackedTable(changed), solution.stuck)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
            refused += 1
    assert refused > 100


class Ladder(CompiledGame):
    """From 0 to 99; 100 and 50 more above it play among themselves, and nothing leads there."""

    max_moves, size, reachable_only = 1, 151, True

    def start(self):
        return 99

    @staticmethod
    def successors(position, out, data):
        out[0] = position - 1
        return 0 if position in (0, 100) else 1


def test_fifty_positions_that_play_does_not_reach() -> None:
    solution = rs.solve(Ladder())
    assert len(solution) == 100
    rs.verify(solution)
    words = solution.table.words.copy()
    words[100:] = words[:51]  # each of them is right, and bears the others out
    solution = rs.Solution(solution.space, PackedTable(words))
    assert len(solution) == 151
    with pytest.raises(rs.VerificationError):
        rs.verify(solution)


class Alias(CompiledGame):
    """0 and 1 move to each other for ever; 101 is never reached, moves to 2, and has the rank of 1."""

    max_moves = max_predecessors = 4
    size, reachable_only = 3, True

    def start(self):
        return 0

    @staticmethod
    def successors(position, out, data):
        if position == 0:
            out[0] = 1
            return 1
        if position == 1:
            out[0] = 0
            return 1
        if position == 101:
            out[0] = 2
            return 1
        return 0

    def starts(self):
        return (0, 2)

    @staticmethod
    def rank(position, data):
        return position % 100

    @staticmethod
    def unrank(index, data):
        return index

    @staticmethod
    def predecessors(position, out, data):
        if position == 0:
            out[0] = 1
            return 1
        if position == 1:
            out[0] = 0
            return 1
        out[0] = 101
        return 1


@pytest.mark.parametrize("threshold", [pytest.param(0, marks=pytest.mark.long), 10**9])
def test_a_predecessor_that_shares_an_index(threshold: int, tune: Tune) -> None:
    tune(compile_from=threshold)
    solution = rs.solve(Alias())
    assert solution.solver == "retrograde"
    assert [str(solution[p]) for p in (0, 1, 2)] == ["DRAW", "DRAW", "LOSS in 0"]
    rs.verify(solution)


def test_a_rank_that_is_said_to_be_injective_is_checked() -> None:
    class Promised(Alias):
        injective_rank = True

    rs.check_game(Alias())
    with pytest.raises(rs.RulesError):
        rs.check_game(Promised())
    solution = rs.solve(Promised())
    with pytest.raises(rs.RulesError):
        rs.verify(solution)
