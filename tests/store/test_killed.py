"""Processes that are killed while they save, and disks that are full: the old solution or the new one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import retrosolve as rs
from tests.support.marks import samples
from tests.support.saved import snapshot

# Savers are forked by a process that has imported everything and started no thread.
KILLING = """
import os, random, signal, sys, time
from pathlib import Path

import numpy
import retrosolve as rs

path, kills = Path(sys.argv[1]), int(sys.argv[2])
rng = random.Random(kills)
solutions = [rs.solve(rs.Graph.from_edges(range(k, 2000), range(k + 1, 2001), 2001)) for k in (0, 1)]
found, halves = {None: 0, 1999: 0, 2000: 0}, 0
began = time.monotonic()
if not os.fork():
    solutions[0].save(path.with_name("first"))
    os._exit(0)
os.wait()
seconds = time.monotonic() - began
os.system(f"rm -r {path.with_name('first')}")
for _ in range(kills):
    child = os.fork()
    if not child:
        while True:
            for solution in solutions:
                solution.save(path)
    time.sleep(rng.random() * 2 * seconds)
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    there = {entry.name for entry in path.parent.iterdir()}
    assert there <= {path.name, "." + path.name + ".retrosolve-new"}, there
    halves += len(there) > 1
    if path.name not in there:
        assert found[1999] + found[2000] == 0
        found[None] += 1
        seconds *= 1.5  # the machine has become busier
        continue
    with rs.open(path, check=True) as solution:
        rs.verify(solution)
        longest = max(plies or 0 for plies in solution.longest().values())
        assert solution.remoteness()[-3:].tolist() == [2, 1, 0]
        found[longest] += 1
solutions[0].save(path)
assert [entry.name for entry in path.parent.iterdir()] == [path.name]
print(found[None], found[1999], found[2000], halves)
"""


@pytest.mark.long
def test_savers_that_are_killed_leave_a_complete_solution(tmp_path: Path) -> None:
    """At random moments: there is one as soon as there has been one."""
    kills = samples(20, 200)
    command = [sys.executable, "-c", KILLING, str(tmp_path / "s"), str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    none, first, second, halves = map(int, done.stdout.split())
    assert none + first + second == kills
    assert none < kills
    assert halves > 0  # some were killed in the middle


LIMITED = """
import resource, sys
import numpy
import retrosolve as rs

solution = rs.solve(rs.Graph.from_edges(range(60_000), range(1, 60_001)))
for limit in map(int, sys.argv[2:]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        solution.save(sys.argv[1])
        print("saved")
    except rs.StoreError as error:
        print(error)
"""


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    path = tmp_path / "s"
    rs.solve(rs.Graph.from_edges([0], [1])).save(path)
    before = snapshot(tmp_path)
    limits = [100, 2000, 30_000, 100_000, 400_000]
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run([*command, *map(str, limits)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"cannot save {path}: File too large"] * len(limits)
    assert done.stderr == ""
    assert snapshot(tmp_path) == before
    done = subprocess.run([*command, str(1 << 30)], capture_output=True, text=True, check=True)
    assert done.stdout == "saved\n"
    assert len(rs.open(path, check=True)) == 60_001


@pytest.mark.parametrize("folder", ["/proc/self", "/sys"])
def test_folders_that_cannot_be_written(folder: str) -> None:
    if Path(folder).is_dir():
        with pytest.raises(rs.StoreError):
            rs.solve(rs.Graph.from_edges([0], [1])).save(f"{folder}/s")
