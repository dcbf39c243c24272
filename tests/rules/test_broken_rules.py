"""Rules that break their contract: an error that names the place, never a crash or a wrong answer.

Games are made at random, something in them is made wrong, and each is solved by every engine, compiled
and as plain Python, in a process of its own. Either RulesError comes of it or an answer that its proof
accepts.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.rules.contract import INVALID, CompiledGame
from retrosolve.runtime import tuning
from retrosolve.testing import STUCK
from tests.support.engines import solve_with
from tests.support.marks import ALL, samples
from tests.support.tabulated import (
    WIDTH,
    Backwards,
    Everything,
    Ranked,
    Reached,
    Tables,
    Wild,
)

FAR = (-1, -(10**12), 10**9, 10**12, 2**62)
SOLVERS = ("auto", "retrograde", "sweep", "stored retrograde", "stored sweep")

KINDS = (Wild, Backwards, Ranked, Everything, Reached)


def is_compiled(game: CompiledGame) -> bool:
    """Whether a game is tried compiled as well, which takes as long as trying a thousand games.

    Reached has every function, and others call no more in the same kernels, but those that are explored.
    """
    return ALL or isinstance(game, Reached) or (type(game) is Wild and game.size is None)


def tables(rng: random.Random, n: int) -> Tables:
    """A right game of n positions: moves lead down or about, predecessors and ranks agree."""
    target = np.zeros((n, WIDTH), np.int64)
    count = np.array([rng.randrange(4) for _ in range(n)])
    origin: list[list[int]] = [[] for _ in range(n)]
    for p in range(n):
        for k in range(count[p]):
            q = rng.randrange(n)
            if len(origin[q]) == WIDTH:
                q = min(range(n), key=lambda v: len(origin[v]))
            target[p, k] = q
            origin[q].append(p)
    code = np.array([rng.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(n)])
    back = np.zeros((n, WIDTH), np.int64)
    for q, row in enumerate(origin):
        back[q, : len(row)] = row
    origins = np.array([len(row) for row in origin])
    order = np.array(rng.sample(range(n), n))
    place = np.zeros(n, np.int64)
    place[order] = np.arange(n)
    side = np.array([rng.randrange(2) for _ in range(n)])
    return Tables(
        target, count, count.copy(), back, origins, origins.copy(), code, side, order, place,
        np.arange(n),
    )  # fmt: skip


def break_something(rng: random.Random, data: Tables, n: int) -> str:
    """Make one thing wrong; return what."""
    what = rng.choice(
        ("target", "target", "count", "written", "origin", "origins", "origins_written", "code", "hole",
         "side", "index", "position", "own")
    )  # fmt: skip
    p = rng.randrange(n)
    if what == "target":
        data.code[p] = 0
        data.count[p] = data.written[p] = min(max(data.count[p], 1), WIDTH)
        data.target[p, rng.randrange(data.count[p])] = rng.choice((*FAR, n, n + 5))
    elif what in ("count", "origins"):
        getattr(data, what)[p] = rng.choice((-1, WIDTH + 1, WIDTH + 50, 2**40))
    elif what in ("written", "origins_written"):
        getattr(data, what)[p] = WIDTH + rng.randint(1, 900)
    elif what == "origin":
        data.origins[p] = data.origins_written[p] = min(max(data.origins[p], 1), WIDTH)
        data.origin[p, rng.randrange(data.origins[p])] = rng.choice((-1, -(10**12)))
    elif what == "code":
        data.code[p] = rng.choice((4, 7, 9, 254, 256, 257, -1, -255, 10**12))
    elif what == "hole":
        data.code[p] = INVALID
    elif what == "side":
        data.side[p] = rng.choice((2, -1, 255, 10**10))
    else:
        getattr(data, what)[p] = rng.choice((*FAR, n))
    return what


def broken_game(seed: int) -> tuple[CompiledGame, str, str]:
    """A game with one to three things wrong, its stuck value, and what is wrong."""
    rng = random.Random(seed)
    n = rng.choice((3, 8, 20, 60))
    data = tables(rng, n)
    wrong = [break_something(rng, data, n) for _ in range(rng.choice((1, 1, 2, 3)))]
    kind = KINDS[seed % len(KINDS)]
    size: int | None = n
    if rng.random() < 0.15:
        size = max(1, n // rng.choice((2, 3)))
        wrong.append("size")
    if kind in (Wild, Everything) and rng.random() < 0.4:
        size = None
    tiers = None
    if size and size > 2 and rng.random() < 0.3:
        tiers = (0, *sorted(rng.sample(range(1, size), rng.randint(1, 2))))
        wrong.append("tiers")
    return kind(data, size, tiers), STUCK[seed % 3], ", ".join(wrong)


def outcomes(seeds: range) -> dict[str, int]:
    """Solve broken games in every way; count what came of it. Anything but the two is an assertion."""
    counts = {"refused": 0, "proven": 0}
    for seed in seeds:
        for threshold in (0, 10**9) if is_compiled(broken_game(seed)[0]) else (10**9,):
            for solver in SOLVERS:
                game, stuck, wrong = broken_game(seed)
                if solver == "retrograde" and not game.implements("predecessors"):
                    continue
                try:
                    with tuning.using(compile_from=threshold):
                        rs.verify(solve_with(solver, game, stuck))
                except rs.RulesError:
                    counts["refused"] += 1
                except rs.GraphError:
                    assert solver == "retrograde"
                    assert game.size is None
                except Exception as error:
                    raise AssertionError(f"game {seed}, {solver}, {wrong}: {error!r}") from error
                else:
                    counts["proven"] += 1
    return counts


def in_a_process(seeds: range) -> dict[str, int]:
    """Try these games in a process of its own, so that a crash is one failure."""
    # A compiler leaves much behind that stays: looking for cycles in it takes a tenth of the time.
    code = f"import gc, json; gc.disable(); import tests.rules.test_broken_rules as t; print(json.dumps(t.outcomes({seeds!r})))"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent.parent,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    counts: dict[str, int] = json.loads(done.stdout)
    return counts


# One kind of game in each process: what compiling takes is then spread over the workers, none of it twice.
@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_games_that_break_their_contract(kind: type[Wild]) -> None:
    seeds = samples(200 if kind is Reached else 400, 5000)
    counts = in_a_process(range(KINDS.index(kind), seeds, len(KINDS)))
    assert counts["refused"] > 100, counts
