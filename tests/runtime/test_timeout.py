"""timeout=: a solve ends at the first report of progress after it."""

from __future__ import annotations

import time
from typing import Any

import pytest

import retrosolve as rs


def slow(report: rs.Progress) -> None:
    """Take longer than the timeout."""
    time.sleep(0.002)


def test_a_solve_ends_after_its_timeout() -> None:
    with pytest.raises(rs.LimitError, match=r"timeout=0.001 s is over, in the stage \w+"):
        rs.solve(rs.game("tictactoe"), timeout=0.001, progress=slow)
    reports: list[rs.Progress] = []
    solution = rs.solve(rs.game("tictactoe"), timeout=1000.0, progress=reports.append)
    assert str(solution["........."]) == "TIE in 9"
    assert reports


@pytest.mark.parametrize("timeout", [0, -1, True, "5", float("nan")])
def test_a_timeout_is_a_number_of_seconds(timeout: Any) -> None:
    with pytest.raises(rs.GraphError, match=r"^timeout=.*: expected a number of seconds above 0"):
        rs.solve(rs.game("stones:n=3"), timeout=timeout)
