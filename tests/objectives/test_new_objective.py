"""What a new objective takes: its class, a row for it, a row of a solver and a row of a prover."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve import objectives, solvers
from retrosolve.arrays import ByteArray, IntArray
from retrosolve.objectives.base import ChoiceObjective, Codec, EdgeData, EndData
from retrosolve.objectives.words import DRAW, OPEN, TIE, code_of, pack, remoteness_of
from retrosolve.runtime.context import Context
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers import Solver
from retrosolve.spaces.base import Capability, CsrSpace, linear
from retrosolve.spaces.blocks import blocks
from retrosolve.tables import PackedTable
from retrosolve.tables.result import SolveResult
from retrosolve.testing.strategies import graphs
from retrosolve.values import INVALID, Outcome, Value
from retrosolve.verification import local
from retrosolve.verification.verify import PROVERS, Prover


class ShortestEnd(ChoiceObjective):
    """In how many plies a game can end if both players help: a TIE at that distance, or a DRAW."""

    name = "shortest-end"
    has_levels = True
    stuck = Value.TIE

    @property
    def parameters(self) -> dict[str, Any]:
        return {}

    def words(self, codec: Codec, values: ByteArray, remoteness: IntArray) -> IntArray:
        return pack(code_of(values).astype(np.int64), remoteness + (values != TIE))

    def outcome(self, word: int) -> Outcome:
        return Outcome(Value(code_of(word)), remoteness_of(word) if code_of(word) == TIE else None)

    def end(self, ends: EndData) -> IntArray:
        return np.where(ends.terminal == INVALID, code_of(ends.terminal.astype(np.int64)), TIE)

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        code = code_of(words).astype(np.int64)
        return pack(code, np.where(code == TIE, remoteness_of(words).astype(np.int64) + 1, 0))

    def keys(self, words: IntArray) -> IntArray:
        return np.where(code_of(words) == TIE, remoteness_of(words), np.int64(1) << 40)


def solve(space: CsrSpace, objective: ShortestEnd, context: Context) -> SolveResult:
    """Apply the rule to all vertices until nothing changes."""
    words, changed = np.full(space.num_vertices, OPEN, np.int64), True
    while changed:
        changed = False
        for block in blocks(space):
            ends, span = np.diff(block.indptr) == 0, slice(block.start, block.stop)
            folded = objective.fold(block.indptr, objective.seen(words[block.target], block.edges))
            fresh = np.where(ends, objective.end(block.ends), folded)
            changed |= bool((fresh != words[span]).any())
            words[span] = fresh
    return SolveResult(PackedTable(words.astype(np.uint16)))


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the three rows, as their files would."""
    kinds = objectives.OBJECTIVES | {ShortestEnd.name: ShortestEnd}
    monkeypatch.setattr(objectives, "OBJECTIVES", kinds)
    size = lambda space, edges: Buffers(words=(space.num_vertices, np.int64))  # noqa: E731
    row = Solver(
        "iteration", "apply the rule until nothing changes", Capability.CSR, solve, size,
        linear(1000, 1000), automatic=Capability.CSR, objective=ShortestEnd.name,
    )  # fmt: skip
    monkeypatch.setattr(solvers, "SOLVERS", (*solvers.SOLVERS, row))
    proof = Prover(
        "local",
        Capability.NONE,
        ShortestEnd.name,
        False,
        local.prove,
        linear(80, 85),
        local.memory_bytes,
    )
    monkeypatch.setattr(sys.modules[rs.verify.__module__], "PROVERS", (*PROVERS, proof))
    solvers._row.cache_clear()


def distances(graph: rs.Graph) -> list[int | None]:
    """The distance of each vertex to the nearest end, by its definition."""
    found: list[int | None] = [None] * graph.num_vertices
    ended = np.zeros(graph.num_vertices, bool) if graph.terminals is None else graph.terminals != 0
    rows = [[] if ended[v] else graph.neighbors(v).tolist() for v in range(graph.num_vertices)]
    for plies in range(graph.num_vertices + 1):
        for v, row in enumerate(rows):
            if found[v] is None and (
                not row if plies == 0 else any(found[w] == plies - 1 for w in row)
            ):
                found[v] = plies
    return found


@given(graphs(), st.randoms(use_true_random=False))
def test_new_objective_is_solved_proven_and_looked_up(graph: rs.Graph, rng: Any) -> None:
    solution = rs.solve(graph, objective="shortest-end")
    assert solution.objective == ShortestEnd()
    expected = distances(graph)
    assert [solution[v].remoteness for v in range(graph.num_vertices)] == expected
    assert {solution[v].value for v in range(graph.num_vertices)} <= {Value.TIE, Value.DRAW}
    assert rs.plan(graph, objective=ShortestEnd()).solver == "iteration"
    rs.verify(solution)
    if expected:
        words = solution.table.packed().copy()
        v = rng.randrange(len(words))
        words[v] = pack(TIE, remoteness_of(words[v]) + 1) if code_of(words[v]) != DRAW else TIE
        wrong = rs.Solution(graph, PackedTable(words), objective=ShortestEnd())
        with pytest.raises(rs.VerificationError):
            rs.verify(wrong)


class FewestRewards(ShortestEnd):
    """The same, but only moves with a reward count, so that others make no word longer."""

    name = "fewest-rewards"

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        return np.where(np.asarray(edges.reward) == 0, words, super().seen(words, edges))


@pytest.mark.parametrize("reward", [None, [1, 0, 0]])
def test_an_objective_whose_words_need_not_grow_is_not_proven(
    reward: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = PROVERS[-1]._replace(objective=FewestRewards.name, prove=local.prove)
    monkeypatch.setattr(sys.modules[rs.verify.__module__], "PROVERS", (*PROVERS, proof))
    endless = rs.Graph.from_edges([0, 1], [1, 0]) if reward is None else None
    graph = endless or rs.Graph.from_edges([0, 1, 2], [1, 2, 1], reward=reward)
    words = np.full(graph.num_vertices, TIE, np.uint16)  # no vertex is an end
    words[0] = pack(TIE, 0 if reward is None else 1)
    false = rs.Solution(graph, PackedTable(words), objective=FewestRewards())
    with pytest.raises(rs.VerificationError):
        rs.verify(false)
    assert not false.verified
