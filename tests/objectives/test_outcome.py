"""The local rule of outcomes against its definition in scalars."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve import objectives
from retrosolve.arrays import index_dtype
from retrosolve.objectives.base import VALUES, EdgeData, EndData
from retrosolve.runtime.context import Context
from retrosolve.solvers.reference import solve
from retrosolve.spaces.blocks import blocks
from retrosolve.testing.strategies import graphs, stuck_values
from retrosolve.values import DRAW, INVALID, LOSS, TIE, WIN

OUTCOME = objectives.Outcome()
CLAIMS = st.tuples(st.sampled_from([DRAW, WIN, LOSS, TIE]), st.integers(0, 1 << 33))


def chosen(moves: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the best of moves as DESIGN words it: a value for the mover and the plies to the end."""
    for value, best in ((WIN, min), (TIE, min)):
        if plies := [plies for seen, plies in moves if seen == value]:
            return value, best(plies)
    if any(seen == DRAW for seen, _ in moves):
        return DRAW, -1
    return LOSS, max(plies for _, plies in moves)


@given(st.lists(st.lists(st.tuples(CLAIMS, st.booleans()), max_size=5), min_size=1, max_size=6))
def test_fold_chooses_the_best_successor(rows: list[list[tuple[tuple[int, int], bool]]]) -> None:
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    edges = [edge for row in rows for edge in row]
    value = np.array([claim[0] for claim, _ in edges], np.uint8)
    remoteness = np.array([-1 if code == DRAW else plies for (code, plies), _ in edges], np.int64)
    same = np.array([same for _, same in edges], bool)
    folded = OUTCOME.fold(
        indptr, OUTCOME.seen(OUTCOME.words(VALUES, value, remoteness), EdgeData(same))
    )
    best, plies = VALUES.values_of(folded), VALUES.remoteness_of(folded)
    opposite = {WIN: LOSS, LOSS: WIN, TIE: TIE, DRAW: DRAW}
    for v, row in enumerate(rows):
        if row:
            seen = [(code if same else opposite[code], level + 1) for (code, level), same in row]
            assert (best[v], plies[v]) == chosen(seen)


@given(graphs(), stuck_values())
def test_reference_is_the_fixed_point_of_fold(graph: rs.Graph, stuck: str) -> None:
    objective = objectives.Outcome(stuck)
    table = solve(graph, objective.stuck, Context()).table
    if not graph.num_vertices:
        return
    (block,) = blocks(graph)
    seen = objective.seen(table.packed(block.target).astype(np.int64), block.edges)
    ends = np.diff(block.indptr) == 0
    words = np.where(ends, objective.end(block.ends), objective.fold(block.indptr, seen))
    value, remoteness = VALUES.values_of(words), VALUES.remoteness_of(words)
    assert value.tolist() == table.values().tolist()
    assert remoteness.tolist() == table.remoteness().tolist()
    assert table.remoteness().dtype == index_dtype(graph.num_vertices)


def test_end_keeps_terminal_values_and_the_stuck_rule() -> None:
    for stuck in ("loss", "win", "tie"):
        words = objectives.Outcome(stuck).end(EndData(np.array([0, WIN, LOSS, TIE, INVALID], np.uint8)))
        value, remoteness = VALUES.values_of(words), VALUES.remoteness_of(words)
        assert value.tolist() == [rs.Value.parse(stuck), WIN, LOSS, TIE, INVALID]
        assert remoteness.tolist() == [0, 0, 0, 0, -1]


def test_draw_as_stuck_rule_raises() -> None:
    with pytest.raises(rs.GraphError):
        objectives.Outcome(rs.Value.DRAW)


def test_objectives_with_the_same_parameters_are_equal() -> None:
    assert objectives.Outcome() == objectives.Outcome(rs.Value.LOSS) != objectives.Outcome("win")
    assert objectives.WinLossDraw() != objectives.Outcome()
    assert len({objectives.Outcome(), objectives.Outcome("loss"), objectives.WinLossDraw()}) == 2


@pytest.mark.parametrize("name", objectives.OBJECTIVES)
def test_objective_is_the_one_of_its_record(name: str) -> None:
    objective = objectives.objective_of(name)
    assert objectives.from_record(objective.record()) == objective
    if name not in ("nimber", "chance"):
        asked = objectives.objective_of(f"{name}:stuck=tie")
        assert asked == objectives.objective_of(name, "tie") == objectives.objective_of(asked.text)
        assert asked != objective


def test_values_of_outcomes_alone_are_another_objective() -> None:
    outcome = objectives.Outcome("tie")
    assert objectives.without_levels(outcome) == objectives.WinLossDraw("tie")
    with pytest.raises(rs.GraphError):
        objectives.without_levels(objectives.Nimber())


def test_finished_solve_of_values_is_resumed_and_not_taken_for_outcomes(tmp_path: Path) -> None:
    game, out = rs.game("foxhounds:n=4"), tmp_path / "s"
    first = rs.solve(game, objective="win-loss-draw", out=out)
    with pytest.raises(rs.GraphError):
        first.remoteness()
    assert rs.solve(game, objective="win-loss-draw", out=out, resume=True).digest() == first.digest()
    assert rs.solve(game, out=out, resume=True).table.has_remoteness
