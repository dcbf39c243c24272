"""Solve into a directory in processes that are killed at random moments, resuming each time.

Arguments: the directory, the kind of game, and the number of kills. Prints how many solves were finished,
how many were resumed with something on disk, and how many of the kills met a solve that was going on.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import zarr  # noqa: F401  # so that a fork need not import it

import retrosolve as rs
from retrosolve import store
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import tuning

INTERPRETED = {"compile_from": 10**12, "compile_again_from": 10**12, "checkpoint_cost_share": 0}
COMPILED = {"compile_from": 0, "compile_again_from": 0, "checkpoint_cost_share": 0}


def graph(n: int, degree: int) -> rs.Graph:
    rng = numpy.random.default_rng(1)
    source = rng.integers(0, n, degree * n)
    terminal = numpy.zeros(n, numpy.uint8)
    terminal[:: n // 50] = 3
    return rs.Graph.from_edges(source, rng.integers(0, n, degree * n), n, None, terminal)


def acyclic(n: int) -> rs.Graph:
    rng = numpy.random.default_rng(1)
    source = rng.integers(1, n, 2 * n)
    return rs.Graph.from_edges(source, rng.integers(0, source), n)


def board() -> Any:
    rows = [
        "P" + "." * 19,
        *["." * 9 + "*" + "." * 10 for _ in range(17)],
        "." * 19 + "T",
        "E" + "." * 19,
    ]
    return PoliceAndThief.from_text("\n".join(rows))


# By kind: the game, the options of the solve, and the tuning: small steps, so that kills meet many states.
KINDS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "tiers": (lambda: parse_game("foxhounds:n=4"), {}, INTERPRETED),
    "tiers with cycles": (lambda: parse_game("chess:KRK,board=4"), {}, INTERPRETED),
    "one tier": (lambda: parse_game("morris3"), {}, INTERPRETED),
    "serial": (lambda: graph(20_000, 2), {}, COMPILED | {"edges_per_report": 300}),
    "shared": (
        lambda: graph(60_000, 2), {"threads": 2},
        COMPILED | {"max_serial_csr_work": 0, "max_serial_work": 0, "max_serial_local_work": 0,
         "edges_per_report": 2000, "max_serial_width": 64, "min_work_per_thread": 1000},
    ),
    "sweep": (lambda: graph(60_000, 2), {"solver": "sweep"}, COMPILED),
    "acyclic": (lambda: acyclic(60_000), {}, COMPILED | {"edges_per_report": 300}),
    "board": (board, {}, COMPILED),
    "values": (board, {"remoteness": False}, COMPILED),
}  # fmt: skip


def main() -> None:
    path, kind, kills = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    make, options, tuned = KINDS[kind]
    rng = random.Random(kills)
    with tuning.using(**tuned):
        game = make()
        expected = rs.solve(game, **options)
        digest, counts = expected.digest(), expected.counts()

        def solve(resume: bool) -> rs.Solution:
            return rs.solve(game, out=path, resume=resume, checkpoint_every=1e-6, **options)

        began = time.monotonic()
        if os.fork() == 0:
            solve(False)
            os._exit(0)
        os.wait()
        longest = time.monotonic() - began
        finished = resumed = met = 0
        while met < kills:
            if path.exists():
                with rs.open(path, check=True) as solution:
                    assert (solution.digest(), solution.counts()) == (digest, counts)
                os.system(f"rm -r {path}")
                finished += 1
            resumed += store.is_unfinished(path)
            child = os.fork()
            if child == 0:
                solve(True)
                os._exit(0)
            time.sleep(rng.random() * longest * 0.7)
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            assert status in (0, signal.SIGKILL)
            met += status != 0
        solution = solve(True)
        rs.verify(solution)
        assert (solution.digest(), solution.counts()) == (digest, counts)
        assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name]
    print(finished, resumed, met, round(longest, 2))


if __name__ == "__main__":
    main()
