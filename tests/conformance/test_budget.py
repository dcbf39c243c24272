"""A plan names what a solve then uses; its budget is enough for it, and too small a one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from tests.conformance.subjects import SHORT, cases


@pytest.mark.parametrize("name", SHORT)
def test_the_planned_budget_is_enough_and_less_is_refused(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for case in cases(name, tmp_path, 4):
        expected = case.solve()
        plan = rs.plan(case.subject, objective=expected.objective)
        if name != "compiled: explored":  # where the plan is that of the graph which it has found
            assert plan.solver == expected.solver
        assert plan.num_vertices == expected.space.num_vertices
        assert plan.num_edges in (None, expected.num_edges)
        assert plan.proof_seconds is not None
        assert plan.memory_bytes is not None
        assert case.solve(memory=plan.memory_bytes) == expected
        if len(expected):
            with pytest.raises(rs.MemoryBudgetError):
                case.solve(memory=1)
