"""Solve into a directory in processes that are killed, resuming each time, until all kills are spent.

Arguments: the directory, the number of kills, "time" for kills at random moments or "step" for kills when
something is flushed to disk or renamed, and the kinds of games. Prints for each kind how many solves were
finished in spite of it, and how many were resumed from something on disk.
"""

import atexit
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy

import retrosolve as rs
from retrosolve import store
from retrosolve.games import parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime import tuning

# Small steps, so that kills meet many states.
STEPS: dict[str, Any] = {"checkpoint_cost_share": 0, "edges_per_report": 500, "min_collected": 0}
INTERPRETED = {**STEPS, "compile_from": 10**12, "compile_again_from": 10**12, "collected_share": 10**9}
COMPILED = {**STEPS, "compile_from": 0, "compile_again_from": 0}
SHARED = {
    "max_serial_csr_work": 0, "max_serial_work": 0, "max_serial_local_work": 0, "max_serial_width": 64,
    "min_work_per_thread": 1000,
}  # fmt: skip
SMALL_CHUNKS = {"min_edges_per_chunk": 100, "max_edges_per_chunk": 500, "max_serial_width": 0}


def graph(n: int) -> rs.Graph:
    """Random edges, some ties, and a long path."""
    rng = numpy.random.default_rng(1)
    source, target = rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n)
    terminal = numpy.zeros(n + 50, numpy.uint8)
    terminal[: n : n // 50] = 3
    path = range(n, n + 49)
    edges = numpy.append(source, path), numpy.append(target, [v + 1 for v in path])
    return rs.Graph.from_edges(*edges, n + 50, None, terminal)


def acyclic(n: int) -> rs.Graph:
    rng = numpy.random.default_rng(1)
    source = rng.integers(1, n, 2 * n)
    return rs.Graph.from_edges(source, rng.integers(0, source), n)


def board() -> Any:
    wall = "." * 4 + "*" + "." * 5
    return PoliceAndThief.from_text(
        "\n".join(["P" + "." * 9, *[wall] * 6, "." * 9 + "T", "E" + "." * 9])
    )


def edges() -> Any:
    """The edges of a graph in files, of which nothing fits in memory, beside the folder for scratch."""
    folder = Path(tempfile.mkdtemp(prefix="edges-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "parts").mkdir()
    made = graph(4000)
    pairs = numpy.stack([numpy.repeat(numpy.arange(4050), numpy.diff(made.indptr)), made.indices], 1)
    for number, part in enumerate(numpy.array_split(pairs, 3)):
        numpy.save(folder / "parts" / f"{number}.npy", part)
    return rs.EdgeParts(folder / "parts", 4050, None, made.terminals, folder)


# By kind: the game, the options of the solve, and the tuning.
KINDS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "tiers": (lambda: parse_game("connect4:rows=3,columns=3,connect=3"), {}, INTERPRETED),
    "window": (
        lambda: parse_game("connect4:rows=3,columns=3,connect=3"),
        {},
        INTERPRETED | {"max_held_bytes": 0},
    ),
    "scores": (
        lambda: parse_game("awari:seeds=5,pits=3"),
        {"objective": "score"},
        INTERPRETED | {"max_held_bytes": 0},
    ),
    "cycles": (lambda: parse_game("chess:KRK,board=4"), {}, INTERPRETED),
    "sweeps": (lambda: parse_game("chess:KRK,board=4"), {"solver": "sweep"}, INTERPRETED),
    "serial": (lambda: graph(5000), {}, COMPILED),
    "shared": (lambda: graph(20_000), {"threads": 2}, COMPILED | SHARED),
    "sweep": (lambda: graph(5000), {"solver": "sweep"}, COMPILED),
    "acyclic": (lambda: acyclic(5000), {}, COMPILED),
    "edges": (edges, {"memory": 871_000}, COMPILED | SMALL_CHUNKS),
    "board": (board, {}, COMPILED),
    "values": (board, {"objective": "win-loss-draw"}, COMPILED),
}


class Killing:
    """Runs solves in processes and kills them."""

    def __init__(self, path: Path, kind: str, rng: random.Random) -> None:
        make, self.options, _ = KINDS[kind]
        self.path, self.game, self.rng = path, make(), rng
        self.expected = rs.solve(
            self.game, **self.options
        )  # the kernels are then loaded in each process
        began = time.monotonic()
        assert self.child(None) == 0
        self.longest = time.monotonic() - began

    def solve(self, resume: bool) -> rs.Solution:
        return rs.solve(
            self.game, out=self.path, resume=resume, checkpoint_every=1e-6, **self.options
        )  # fmt: skip

    def child(self, steps: int | None) -> int:
        """Solve in a process, killed when it flushes or renames something for the nth time."""
        child = os.fork()
        if child == 0:
            if steps is not None:
                die_at(steps)
            self.solve(True)
            os._exit(0)
        if steps is None and hasattr(self, "longest"):
            time.sleep(self.rng.random() * 0.7 * self.longest)
            os.kill(child, signal.SIGKILL)
        return os.waitpid(child, 0)[1]


def die_at(steps: int) -> None:
    """End this process without warning at its nth call of fsync or replace."""
    left = [steps]

    def dying(call: Any) -> Any:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return wrapped

    for name in ("fsync", "replace", "rename"):
        setattr(os, name, dying(getattr(os, name)))


def no_fsync(handle: int) -> None:
    """Do nothing: a process that is killed leaves to the system what it wrote."""


def main() -> None:
    path, kills, by = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    os.fsync = no_fsync
    rng = random.Random(kills)
    for kind in sys.argv[4:]:
        with tuning.using(**KINDS[kind][2]):
            print(kind, *kill_solves(path, kind, kills, by, rng), flush=True)


def kill_solves(path: Path, kind: str, kills: int, by: str, rng: random.Random) -> tuple[int, int]:
    """Kill solves of a kind; return how many were finished, and how many were resumed."""
    killing = Killing(path, kind, rng)
    expected = killing.expected
    facts = expected.digest(), expected.counts(), expected.num_edges

    def check() -> None:
        with rs.open(path, game=checked_game(killing.game), check=True) as solution:
            assert (solution.digest(), solution.counts(), solution.num_edges) == facts
        shutil.rmtree(path)

    check()
    finished = resumed = killed = 0
    while killed < kills:
        resumed += store.is_unfinished(path)
        status = killing.child(rng.randrange(60) if by == "step" else None)
        assert status in (0, signal.SIGKILL)
        killed += status != 0
        if path.exists():
            check()
            finished += 1
    resumed += store.is_unfinished(path)
    rs.verify(killing.solve(True))
    check()
    assert list(path.parent.iterdir()) == []
    scratch = getattr(killing.game, "scratch", None)
    assert scratch is None or [left.name for left in scratch.iterdir()] == ["parts"]
    return finished, resumed


def checked_game(game: Any) -> Any:
    """The game of a solution, None for a graph, which is in the solution."""
    return None if hasattr(game, "num_vertices") else game


if __name__ == "__main__":
    main()
