"""The proof accepts every solution."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from tests.conformance.subjects import SUBJECTS, cases


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_solution_is_proven(name: str, tmp_path: Path, interpreted: None) -> None:
    for case in cases(name, tmp_path):
        solution = case.solve()
        if case.right is not None:
            said, right = case.right(solution)
            assert said == right
        report = rs.verify(solution)
        assert report
        assert solution.verified
