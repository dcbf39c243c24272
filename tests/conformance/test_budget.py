"""The budget that a plan names is enough for a solve, and too small a one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from tests.conformance.subjects import SHORT, cases

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("name", SHORT)
def test_the_planned_budget_is_enough_and_less_is_refused(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for case in cases(name, tmp_path, 4):
        expected = case.solve()
        plan = rs.plan(case.subject, objective=expected.objective)
        assert plan.memory_bytes is not None
        assert case.solve(memory=plan.memory_bytes) == expected
        if len(expected):
            with pytest.raises(rs.MemoryBudgetError):
                case.solve(memory=1)
