"""Every kernel is a plain Python function too, and gives the same where nothing is compiled."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.compilation.atomic import exchange
from retrosolve.games import parse_game

# In a process of its own: numba asks once, when it is imported. Threads share even the smallest work.
SCRIPT = """
import sys
import retrosolve as rs
from retrosolve.runtime import tuning
from retrosolve.games import parse_game

with tuning.using(compile_from=0, min_work_per_thread=1, min_chunk=1):
    solution = rs.solve(parse_game(sys.argv[1]), threads=3)
    rs.verify(solution)
print(solution.counts(), solution.longest())
"""


@pytest.mark.long("cops")
@pytest.mark.parametrize("game", ["police", "cops", "foxhounds:n=4", "chess:KRK,board=4"])
def test_threads_and_proofs_do_the_same_where_nothing_is_compiled(game: str) -> None:
    expected = rs.solve(parse_game(game), threads=1)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{expected.counts()} {expected.longest()}\n"


def test_no_thread_comes_between_an_exchange_that_is_not_compiled() -> None:
    counter = np.array([60_000])
    seen: list[set[int]] = [set() for _ in range(3)]

    def count_down(mine: set[int]) -> None:
        for _ in range(20_000):
            found = int(counter[0])
            while (before := exchange(counter, 0, found, found - 1)) != found:
                found = before
            mine.add(found)

    kept = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=count_down, args=(mine,)) for mine in seen]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(kept)
    assert counter[0] == 0
    assert set.union(*seen) == set(range(1, 60_001))
