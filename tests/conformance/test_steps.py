"""The steps of the algorithm end in the table, or are refused for what they do not answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.explanation import trace
from tests.conformance.subjects import SUBJECTS, cases


@pytest.mark.parametrize("name", SUBJECTS)
def test_steps_end_in_the_table_or_are_refused(name: str, tmp_path: Path, interpreted: None) -> None:
    for case in cases(name, tmp_path):
        solution = case.solve()
        if not solution.objective.has_steps:
            with pytest.raises(rs.GraphError):
                trace(solution)
            continue
        table = solution.table
        for vertex, outcome in enumerate(trace(solution).outcomes):
            value = int(table.values([vertex])[0])
            if outcome is None:
                assert value == rs.values.INVALID
                continue
            plies = outcome.remoteness if table.has_remoteness else None
            assert table.decoded(vertex) == (outcome.value, plies)
