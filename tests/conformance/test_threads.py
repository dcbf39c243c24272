"""Threads, and processes that call plain rules, find the same as one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.arrays import spans
from retrosolve.rules import exploring, workers
from retrosolve.solvers import score
from retrosolve.verification import local
from tests.conformance.subjects import SHORT, cases
from tests.conftest import Tune

# Everything is shared, however small it is.
SHARED = {"min_work_per_thread": 1, "min_chunk": 1, "max_serial_width": 1, "min_edges_per_thread": 1}


@pytest.mark.parametrize("name", SHORT)
def test_threads_and_workers_find_the_same(
    name: str, tmp_path: Path, interpreted: None, tune: Tune, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score, "LEAST_SHARED", 1)
    monkeypatch.setattr(score, "spans", lambda n: spans(n, 8))
    monkeypatch.setattr(local, "LEAST_SHARED", 1)
    monkeypatch.setattr(local, "VERTICES_PER_BLOCK", 3)
    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 1)
    monkeypatch.setattr(exploring, "MAX_CHUNK", 2)
    for case in cases(name, tmp_path, 3):
        alone = case.solve(threads=1)
        tune(**SHARED)
        shared = case.solve(threads=4)
        assert (shared.digest(), shared.num_edges) == (alone.digest(), alone.num_edges)
        rs.verify(shared, threads=3)
        if isinstance(case.subject, rs.Game):
            assert case.solve(workers=2) == alone
