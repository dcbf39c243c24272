"""Compiled games solved by several threads at once: right answers, and each kernel kept where it belongs."""

import os
import subprocess
import sys
from pathlib import Path

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

sys.setswitchinterval(1e-6)
games = [globals()[f"Heap{step}"] for step in sys.argv[1:]]
barrier, answers = threading.Barrier(len(games)), {}

def solve(number, game):
    barrier.wait()
    solution = rs.solve(game())
    answers[number] = [str(solution[p]) for p in range(game.size - 20, game.size)]

threads = [threading.Thread(target=solve, args=item) for item in enumerate(games)]
for thread in threads: thread.start()
for thread in threads: thread.join()
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
    """Solve games in a process of its own; a line of answers for each."""
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


def one_try(folder: Path, steps: tuple[int, ...]) -> None:
    """Solve games at the same time with an empty cache, then again with what that left."""
    answers = [expected(step) for step in steps]
    assert run(folder, TOGETHER, steps) == answers
    assert run(folder, IN_TURN, steps) == answers
    check_places(folder / "cache" / "games", steps)


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


def test_games_solved_at_once_keep_their_kernels_apart(tmp_path: Path) -> None:
    one_try(tmp_path, STEPS)


COUNTED = """
from heaps import *
from numba.core import event

class Count(event.Listener):
    compiled = 0
    def on_start(self, event):
        self.compiled += 1
    def on_end(self, event):
        pass

def count(*games):
    counter, barrier = Count(), threading.Barrier(len(games))
    def solve(game):
        barrier.wait()
        rs.solve(game())
    with event.install_listener("numba:compile", counter):
        threads = [threading.Thread(target=solve, args=(game,)) for game in games]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    return counter.compiled

one = count(Heap3)
print(count(Heap4, Heap4, Heap4) <= one, count(Heap3), count(Heap4))
"""


def test_a_game_is_compiled_once_by_all_threads(tmp_path: Path) -> None:
    assert run(tmp_path, COUNTED, ()) == [["True 0 0"]]
