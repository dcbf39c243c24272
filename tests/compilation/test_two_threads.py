"""Compiled games solved by several threads at once: right answers, and each kernel kept where it belongs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MAGIC = b"retrosolve kernel 1\n"
SIZE = 40_000
LAST = 20  # positions whose answers are compared
STEPS = (3, 4)

GAMES = """
import sys, threading
import retrosolve as rs

class Heap{step}(rs.CompiledGame):
    max_moves, size = 2, {size}
    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - {step}
        return 1 if 0 < position < {step} else (2 if position else 0)
"""

TOGETHER = """
from heaps import *
from numba.core import event

class Compiled(event.Listener):
    kernels = []
    def on_start(self, event):
        made = event.data["dispatcher"]
        stem = getattr(made._cache, "stem", None)  # what Python calls and what kernels call differ by it
        if made.py_func.__module__ == "retrosolve.compilation.specialize":
            self.kernels.append((made.py_func.__qualname__, stem, event.data["args"]))
    def on_end(self, event):
        pass

sys.setswitchinterval(1e-6)
games = [globals()[f"Heap{step}"] for step in sys.argv[1:]]
barrier, answers = threading.Barrier(len(games)), {}

def solve(number, game):
    barrier.wait()
    solution = rs.solve(game())
    answers[number] = [str(solution[p]) for p in range(game.size - 20, game.size)]

def solve_at_once():
    threads = [threading.Thread(target=solve, args=item) for item in enumerate(games)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()

event.register("numba:compile", Compiled())
solve_at_once()
once = len(Compiled.kernels)
print(len(set(Compiled.kernels)) == once > 0)
solve_at_once()
print(len(Compiled.kernels) == once)
for number in range(len(games)): print(*answers[number], sep=";")
"""

IN_TURN = """
from heaps import *

for step in sys.argv[1:]:
    game = globals()[f"Heap{step}"]
    solution = rs.solve(game())
    print(*[str(solution[p]) for p in range(game.size - 20, game.size)], sep=";")
"""


def expected(step: int) -> list[str]:
    """The answers at the last positions, from the definition."""
    answers = [("LOSS", 0)]
    for position in range(1, SIZE):
        targets = [answers[position - back] for back in (1, step) if back <= position]
        lost = [plies for word, plies in targets if word == "LOSS"]
        plies = 1 + (min(lost) if lost else max(plies for _, plies in targets))
        answers.append(("WIN" if lost else "LOSS", plies))
    return [f"{word} in {plies}" for word, plies in answers[-LAST:]]


def run(folder: Path, code: str, steps: tuple[int, ...]) -> list[list[str]]:
    """Solve games in a process of its own; what it prints, by lines."""
    header, heap = GAMES.split("\n\n")
    classes = [heap.format(step=step, size=SIZE) for step in STEPS]
    (folder / "heaps.py").write_text("\n\n".join([header, *classes]))
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, steps)],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split(";") for line in done.stdout.splitlines()]


def check_places(games: Path, steps: tuple[int, ...]) -> None:
    """Each kernel has the digest of its game in its name; none but that of its folder may occur."""
    digests = [place.name for place in games.iterdir()]
    assert len(digests) == len(steps)
    for place in games.iterdir():
        for file in place.iterdir():
            content = file.read_bytes()
            assert content.startswith(MAGIC)
            assert [digest for digest in digests if digest.encode() in content] == [place.name]
    names = [sorted(file.name for file in place.iterdir()) for place in games.iterdir()]
    assert names[0]
    assert all(other == names[0] for other in names)


@pytest.mark.long
def test_games_solved_at_once_keep_their_kernels_apart(tmp_path: Path) -> None:
    """One is solved by three threads: each kernel is compiled once, then loaded by another process."""
    steps = (*STEPS, STEPS[-1], STEPS[-1])
    answers = [expected(step) for step in steps]
    assert run(tmp_path, TOGETHER, steps) == [["True"], ["True"], *answers]
    assert run(tmp_path, IN_TURN, STEPS) == answers[: len(STEPS)]
    check_places(tmp_path / "cache" / "games", STEPS)
