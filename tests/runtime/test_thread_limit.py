"""No more threads than are asked for: solving with every solver, proving, saving and packing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime import tuning
from retrosolve.runtime.threads import limited
from retrosolve.solvers import NAMES
from retrosolve.store import pack

SPREAD = {"min_work_per_thread": 1, "min_chunk": 1, "max_serial_csr_work": 0, "max_serial_work": 0}
INTERPRETED = {"compile_from": 10**12, "compile_again_from": 10**12}


def graph() -> rs.Graph:
    source = np.random.default_rng(1).integers(1, 300, 900)
    return rs.Graph.from_edges(source, np.random.default_rng(2).integers(0, source), 300)


ELSE = ("bitset", "chance", "heaps", "lanes", "nimbers", "ray")
SUBJECTS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "graph": (
        graph,
        tuple(name for name in NAMES if name not in ELSE),
    ),
    "generated": (lambda: parse_game("chess:KRK,board=4"), ("retrograde", "sweep")),
    "tiers": (lambda: parse_game("connect4:rows=3,columns=3,connect=3"), ("sweep",)),
    "board": (lambda: parse_game("police"), ("bitset",)),
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("kind", SUBJECTS)
def test_threads_are_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, threads: int
) -> None:
    alive: list[int] = []
    before = threading.active_count()
    start = threading.Thread.start

    def counted(self: threading.Thread) -> None:
        start(self)
        alive.append(threading.active_count() - before)

    monkeypatch.setattr(threading.Thread, "start", counted)
    make, solvers = SUBJECTS[kind]
    with tuning.using(**SPREAD, **INTERPRETED):
        for solver in solvers:
            path = tmp_path / solver
            solution = rs.solve(make(), solver=solver, threads=threads, out=path)
            rs.verify(solution, threads=threads)
            with limited(threads):
                pack(path)
    assert max(alive, default=0) <= threads - 1
    assert bool(alive) == (threads > 1)
