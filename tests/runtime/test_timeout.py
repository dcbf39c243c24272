"""timeout=: a solve ends at the first report of progress after it."""

from __future__ import annotations

import itertools

import pytest

import retrosolve as rs


def test_a_solve_ends_after_its_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[rs.Progress] = []
    solution = rs.solve(rs.game("tictactoe"), timeout=1000.0, progress=reports.append)
    assert str(solution["........."]) == "TIE in 9"
    assert reports
    later = itertools.count(step=1000)
    monkeypatch.setattr("time.monotonic", lambda: float(next(later)))
    with pytest.raises(rs.LimitError, match=r"timeout=500 s is over, in the stage \w+"):
        rs.solve(rs.game("tictactoe"), timeout=500)
