"""Every solver agrees with answers made by hand, and with the specification on random subjects."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.rules.contract import CompiledGame
from retrosolve.testing import (
    STUCK,
    CompiledGraphGame,
    assert_same_answers,
    random_compiled_game,
    random_graph,
    random_tiered_graph,
    without_owner,
)
from tests.conftest import Tune
from tests.support.edge_files import pairs_of
from tests.support.solving import KINDS, STORED, check_all

pytestmark = pytest.mark.usefixtures("interpreted")

WIN, LOSS, TIE, DRAW = rs.Value.WIN, rs.Value.LOSS, rs.Value.TIE, rs.Value.DRAW


# Edges, owners, terminal values and the stuck rule; then the answer of each vertex, by hand.
BY_HAND = {
    "path": ([(0, 1), (1, 2), (2, 3)], None, {}, "loss", "WIN in 3, LOSS in 2, WIN in 1, LOSS in 0"),
    "misere path": ([(0, 1), (1, 2)], None, {}, "win", "WIN in 2, LOSS in 1, WIN in 0"),
    "tied path": ([(0, 1), (1, 2)], None, {}, "tie", "TIE in 2, TIE in 1, TIE in 0"),
    "cycle with an exit": ([(0, 1), (1, 0), (1, 2)], None, {}, "loss", "LOSS in 2, WIN in 1, LOSS in 0"),
    "cycle": ([(0, 1), (1, 0)], None, {}, "loss", "DRAW, DRAW"),
    "the nearest win": (
        [(0, 1), (0, 3), (1, 2), (2, 3)], None, {}, "loss", "WIN in 1, LOSS in 2, WIN in 1, LOSS in 0",
    ),
    "the farthest loss": (
        [(0, 1), (0, 2), (1, 5), (2, 3), (3, 4), (4, 5)], None, {}, "loss",
        "LOSS in 4, WIN in 1, WIN in 3, LOSS in 2, WIN in 1, LOSS in 0",
    ),
    "a tie rather than a draw": (
        [(0, 0), (0, 1), (1, 2)], None, {2: TIE}, "loss", "TIE in 2, TIE in 1, TIE in 0",
    ),
    "a draw rather than a loss": ([(0, 0), (0, 1)], None, {1: WIN}, "loss", "DRAW, WIN in 0"),
    "a tie rather than a loss": (
        [(0, 1), (0, 2)], None, {1: WIN, 2: TIE}, "loss", "TIE in 1, WIN in 0, TIE in 0",
    ),
    "one player alone": ([(0, 1), (1, 2)], [0, 0, 0], {}, "win", "WIN in 2, WIN in 1, WIN in 0"),
    "owners": (
        [(0, 1), (1, 2), (1, 3)], [0, 0, 1, 0], {}, "loss", "WIN in 2, WIN in 1, LOSS in 0, LOSS in 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("solver", ["reference", *STORED])
@pytest.mark.parametrize("name", BY_HAND)
def test_solver_equals_answers_by_hand(name: str, solver: str) -> None:
    edges, owner, terminal, stuck, answers = BY_HAND[name]
    source, target = zip(*edges, strict=True)
    count = answers.count(",") + 1
    graph = rs.Graph.from_edges(source, target, count, owner, terminal)
    if solver == "acyclic" and name.startswith(("cycle", "a draw", "a tie rather than a draw")):
        with pytest.raises(rs.GraphError, match="needs a graph without cycles"):
            rs.solve(graph, stuck=stuck, solver=solver)
        return
    solution = rs.solve(graph, stuck=stuck, solver=solver)
    assert ", ".join(str(solution[v]) for v in range(count)) == answers
    rs.verify(solution)


def test_stored_solvers_equal_reference() -> None:
    rng = random.Random(1)
    for i in range(100):
        check_all(random_graph(rng, acyclic=i % 4 == 0), STUCK[i % 3])


# Kernels of graphs that fit in the cache; scans alone; edges dropped; transposed ones from the first level on.
LARGE = {"max_serial_work": -1, "local_share": 2, "max_serial_csr_work": -1}
METHODS = {
    "serial": {},
    "scans": {"max_full_scans": 10**9, "tiny_fraction": 1},
    "scanned buckets": {**LARGE, "few_share": 0, "max_scans": 10**9},
    "shrinking buckets": {**LARGE, "few_share": 10**9, "edge_saving": 10**9},
    "frontier": {**LARGE, "few_share": 10**9, "level_edge_cost": 10**12, "owned_level_edge_cost": 10**12},
    "shared frontier": {
        **LARGE, "few_share": 10**9, "level_edge_cost": 10**12, "owned_level_edge_cost": 10**12, "min_work_per_thread": 1, "min_chunk": 1, "max_serial_width": 1,
        "min_edges_per_thread": 1,
    },
}  # fmt: skip


@pytest.mark.usefixtures("uncompiled_kernels")
@pytest.mark.parametrize("method", METHODS)
def test_retrograde_kernels_equal_reference(method: str, tune: Tune) -> None:
    tune(**METHODS[method])
    rng = random.Random(2)
    for i in range(40):
        graph, stuck = random_graph(rng), STUCK[i % 3]
        # First, for the specification looks at rows, and edges in any order are then no longer stored.
        threads = 2 if method == "shared frontier" else 1
        solution = rs.solve(graph, stuck=stuck, solver="retrograde", threads=threads)
        assert_same_answers(solution, rs.solve(graph, stuck=stuck, solver="reference"))


def check_game(game: CompiledGame, stuck: str) -> None:
    space = game.state_space()
    expected = rs.solve(space, stuck=stuck, solver="reference")
    for solver in ("auto", "retrograde", "sweep"):
        solution = rs.solve(space, stuck=stuck, solver=solver)
        assert_same_answers(solution, expected)
        rs.verify(solution)


@pytest.mark.parametrize("kind", KINDS)
def test_solvers_of_compiled_games_equal_reference(kind: str) -> None:
    rng = random.Random(3)
    for i in range(30):
        check_game(random_compiled_game(rng, kind), STUCK[i % 3])


def test_solvers_of_games_in_tiers_with_predecessors_equal_reference() -> None:
    rng = random.Random(6)
    for i in range(50):
        graph, tiers = random_tiered_graph(rng)
        check_game(CompiledGraphGame(without_owner(graph), "predecessors", tiers=tiers), STUCK[i % 3])


def test_loss_waits_for_its_longest_move_to_an_earlier_tier() -> None:
    # 4 loses in 2 plies by way of 5 and, as it prefers, in 4 by the move to 3.
    graph = rs.Graph.from_edges([1, 2, 3, 4, 4, 5], [0, 1, 2, 3, 5, 0])
    game = CompiledGraphGame(graph, "predecessors", tiers=(0, 4))
    solution = rs.solve(game, solver="retrograde")
    assert str(solution[3 * 4 + 1]) == "LOSS in 4"
    check_game(game, "loss")


def test_loss_in_a_tier_that_every_move_leaves_is_as_long_as_its_longest_move() -> None:
    graph = rs.Graph.from_edges([1, 2, 3, 4, 4], [0, 1, 2, 1, 3])
    game = CompiledGraphGame(graph, tiers=(0, 1, 2, 3, 4))
    solution = rs.solve(game, solver="sweep")
    assert [str(solution[3 * v + 1]) for v in range(5)] == [
        "LOSS in 0", "WIN in 1", "LOSS in 2", "WIN in 3", "LOSS in 4",
    ]  # fmt: skip
    check_game(game, "loss")


def test_bitset_equals_reference() -> None:
    rng = random.Random(4)
    for i in range(12):
        board = "\n".join("".join(rng.choice("....*E") for _ in range(3)) for _ in range(2))
        space, stuck = PoliceAndThief.from_text(board).state_space(), STUCK[i % 3]
        expected = rs.solve(space, stuck=stuck, solver="reference")
        solution = rs.solve(space, stuck=stuck, solver="bitset")
        assert_same_answers(solution, expected)
        rs.verify(solution)


def test_edges_on_disk_equal_reference(tmp_path: Path) -> None:
    rng = random.Random(5)
    for i in range(12):
        graph, stuck = random_graph(rng), STUCK[i % 3]
        if graph.num_edges == 0:
            continue
        folder = tmp_path / str(i)
        folder.mkdir()
        np.save(folder / "0.npy", pairs_of(graph))
        pairs = rs.EdgeParts(folder)
        expected = rs.solve(pairs, stuck=stuck, solver="reference")
        solution = rs.solve(pairs, stuck=stuck, solver="retrograde")
        assert_same_answers(solution, expected)
        rs.verify(solution)
