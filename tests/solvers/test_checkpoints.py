"""Solvers stopped at each of their snapshots, and resumed from it: the same answers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import Outcome, WinLossDraw
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Checkpoint, Context
from retrosolve.solvers import select
from retrosolve.tables.result import SolveResult
from retrosolve.testing import random_board, random_graph
from tests.support.killed_solves import COMPILED, SHARED
from tests.support.stopping import Recorder, Stopped

KINDS = {
    "serial": ("retrograde", {}),
    "shared": (
        "retrograde",
        SHARED | {"few_share": 10**9, "level_edge_cost": 10**12, "owned_level_edge_cost": 10**12},
    ),
    "scanned": ("retrograde", SHARED | {"few_share": 0, "max_scans": 10**9}),
    "dropped": ("retrograde", SHARED | {"few_share": 10**9, "edge_saving": 10**9}),
    "sweep": ("sweep", {}),
    "acyclic": ("acyclic", {}),
}


def resume_everywhere(space: Any, solver: Any, stuck: rs.Value, most: int = 25) -> int:
    """Stop and resume a solve at up to ``most`` snapshots; return at how many."""

    def run(checkpoint: Checkpoint) -> SolveResult:
        result: SolveResult = solver.run(
            space, Outcome(stuck), Context(threads=2, checkpoint=checkpoint)
        )
        return result

    expected = run(Checkpoint())
    for stop in range(most):
        recorder = Recorder(stop)
        try:
            run(recorder)
        except Stopped:
            again = Recorder(10**9, recorder.saved)
            found = run(again)
            assert again.asked
            assert np.array_equal(found.table.packed(), expected.table.packed())
            assert np.array_equal(found.table.values(), expected.table.values())
            assert found.statistics == expected.statistics
        else:
            return stop
    return most


@pytest.mark.long("shared", "scanned", "dropped")
@pytest.mark.parametrize("kind", KINDS)
def test_graphs_are_resumed_at_every_snapshot(kind: str) -> None:
    name, tuned = KINDS[kind]
    rng = random.Random(3)
    stops = 0
    with tuning.using(**COMPILED | {"edges_per_report": 5} | tuned):
        for _ in range(8):
            graph = random_graph(rng, acyclic=kind == "acyclic")
            stops += resume_everywhere(
                graph, select(graph, name).solver, rng.choice([rs.Value.LOSS, rs.Value.TIE])
            )
        path = rs.Graph.from_edges(range(60), range(1, 61))
        stops += resume_everywhere(path, select(path, name).solver, rs.Value.LOSS)
    assert stops > 20


@pytest.mark.parametrize("objective", [Outcome(), WinLossDraw()], ids=repr)
def test_boards_are_resumed_at_every_level(objective: Outcome) -> None:
    rng = random.Random(4)
    stops = 0
    for _ in range(6):
        space = rs.pursuit.PoliceAndThief.from_text(random_board(rng)).state_space()
        stops += resume_everywhere(space, select(space, "bitset", objective).solver, rs.Value.LOSS)
    assert stops > 20
