"""Solve games under memory budgets; print one line of JSON for each, with the growth of the peak.

Each solve runs in a process of its own, after small games of the same rules have been solved, so that all
kernels are loaded.
"""

import json
import os
from pathlib import Path

import retrosolve as rs
from retrosolve.runtime import tuning

LARGE, HUGE = 750_000, 3_000_000
# Small graphs take the way of large ones, so that no kernel is compiled while memory is measured.
AS_LARGE = {"max_serial_csr_work": 0, "max_serial_work": 0, "max_serial_local_work": 0}
SHARED = AS_LARGE | {"min_work_per_thread": 1, "max_serial_width": 0, "min_edges_per_thread": 1}


class Indexed(rs.CompiledGame):
    """Six moves to numbers all over, so that play is short; with a dense index, and no predecessors."""

    max_moves = 6

    def __init__(self, n):
        self.size = n
        self.data = (n,)

    def start(self):
        return 0

    @staticmethod
    def successors(position, out, data):
        if position % 1009 == 3:
            return 0
        out[0] = (position + 1) % data[0]
        for k in range(1, 6):
            out[k] = (position * 5 + k * k * 7919 + 13) % data[0]
        return 6


class Explored(Indexed):
    def __init__(self, n):
        super().__init__(n)
        self.size = None

    def start(self):
        return 1


def held(which):
    # Not getrusage, whose figure a process inherits from the one that started it.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(which):
            return 1024 * int(line.split()[1])
    raise SystemExit(f"no {which}")


def measured(game, memory):
    """Print what came of a solve: the solver, or null where it was refused."""
    if os.fork():
        os.wait()
        return
    warm_up(type(game))  # a page of the parent counts when it is touched
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = held("VmRSS")
    try:
        solver = rs.solve(game, memory=memory).solver
    except rs.MemoryBudgetError:
        solver = None
    peak = held("VmHWM") - before
    record = {"game": type(game).__name__, "memory": memory, "solver": solver, "peak": peak}
    print(json.dumps(record), flush=True)
    os._exit(0)


def warm_up(kind):
    """Solve small games in every way."""
    for way in ({}, AS_LARGE, SHARED):
        with tuning.using(compile_from=0, compile_again_from=0, **way):
            for memory in (None, 900_000, 1_400_000, 2_400_000, 4_000_000):
                try:
                    rs.solve(kind(50_000), memory=memory)
                except rs.MemoryBudgetError:
                    continue


def main():
    warm_up(Indexed)
    warm_up(Explored)
    stored = rs.plan(Indexed(LARGE)).memory_bytes
    assert stored is not None
    measured(Indexed(LARGE), stored)
    measured(Indexed(HUGE), 2 * HUGE)
    measured(Indexed(HUGE), 2 * HUGE - 1)
    for megabytes in (15, 20, 40, 55, 130):  # a page here or there does not matter
        measured(Explored(LARGE), megabytes * 1_000_000)


if __name__ == "__main__":
    main()
