"""Solves into a directory that are killed, interrupted or run out of room, and go on."""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import store
from retrosolve.games import parse_game
from retrosolve.runtime.context import Interruption, Progress
from retrosolve.store import resume
from retrosolve.store.resume import Journal
from tests.support import killed_solves
from tests.support.marks import samples
from tests.support.stopping import Stopped, stop_in

RUN = Path(killed_solves.__file__)
CONNECT = "connect4:rows=3,columns=3,connect=3"


def unfinished(path: Path, game: Any, share: float = 0.3, **options: Any) -> None:
    """Begin a solve into a directory and end it in the middle."""
    with pytest.raises(Stopped):
        rs.solve(game, out=path, checkpoint_every=1e-6, progress=stop_in("solving", share), **options)
    assert store.is_unfinished(path)


def kill_solves(path: Path, kills: int, by: str, *kinds: str) -> dict[str, tuple[int, int]]:
    """How many solves of each kind were finished and resumed."""
    path.mkdir()
    command = [sys.executable, str(RUN), str(path / "s"), str(kills), by, *kinds]
    root = str(RUN.parent.parent.parent)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.stderr == ""
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[0] for line in lines] == list(kinds)
    return {kind: (int(finished), int(resumed)) for kind, finished, resumed in lines}


@pytest.mark.long
def test_solves_of_every_kind_that_are_killed_go_on(tmp_path: Path) -> None:
    counts = kill_solves(tmp_path / "folder", samples(2, 17), "step", *killed_solves.KINDS)
    assert sum(resumed for _, resumed in counts.values()) >= len(counts)


@pytest.mark.long
def test_a_solve_of_edges_on_disk_that_is_killed_at_random_moments_goes_on(tmp_path: Path) -> None:
    """It leaves no scratch files either."""
    finished, resumed = kill_solves(tmp_path / "folder", samples(3, 17), "time", "edges")["edges"]
    assert finished + resumed >= 2


# -- what is resumed, and what is not -----------------------------------------------------------------


def test_a_solve_goes_on_where_it_ended(tmp_path: Path) -> None:
    path, game = tmp_path / "s", parse_game(CONNECT)
    unfinished(path, game)
    table = resume.partial_path(path) / resume.SOLUTION / "table"
    for left in (table / "half", table / "part-99" / "c" / "0"):  # by a process that was killed
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_bytes(b"{")
    reports: list[Progress] = []
    solution = rs.solve(game, out=path, resume=True, progress=reports.append)
    assert not {"half", "part-99"} & {entry.name for entry in path.rglob("*")}
    assert {report.stage for report in reports} == {"solving"}  # what are positions is known
    assert min(report.done for report in reports) > 0.3 * solution.space.num_vertices
    assert solution.digest() == rs.solve(game).digest()
    assert solution.num_edges == rs.solve(game).num_edges
    assert [entry.name for entry in tmp_path.iterdir()] == ["s"]


def test_a_solution_that_is_there_is_not_solved_again(tmp_path: Path) -> None:
    path, game = tmp_path / "s", parse_game(CONNECT)
    first = rs.solve(game, out=path)
    rs.verify(first)
    reports: list[Progress] = []
    again = rs.solve(game, out=path, resume=True, progress=reports.append)
    assert (again.digest(), reports) == (first.digest(), [])
    # Another game in its place is solved, and replaced.
    other = rs.solve(parse_game("hexapawn"), out=path, resume=True)
    assert other.digest() == rs.solve(parse_game("hexapawn")).digest()
    assert rs.open(path).digest() == other.digest()


def test_a_solve_that_was_killed_after_its_solution_was_in_place_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, game = tmp_path / "s", parse_game(CONNECT)

    def killed(partial: resume.PartialSolution) -> None:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr(resume.PartialSolution, "remove", killed)
        with pytest.raises(rs.StoreError):
            rs.solve(game, out=path, checkpoint_every=1e-6)
    assert store.is_unfinished(path)
    rs.solve(parse_game("hexapawn"), out=path)
    assert len(rs.open(path)) == len(rs.solve(parse_game("hexapawn")))
    assert [entry.name for entry in tmp_path.iterdir()] == ["s"]


@pytest.mark.parametrize(
    ("other", "options"),
    [
        (CONNECT, {"resume": False}),
        (CONNECT, {"stuck": "win"}),
        (CONNECT, {"solver": "retrograde"}),
        ("connect4:rows=3,columns=3,connect=4", {}),
        ("hexapawn", {"solver": "sweep"}),
    ],
)
def test_an_unfinished_solve_is_not_lost(tmp_path: Path, other: str, options: dict[str, Any]) -> None:
    """Neither to a solve of something else, nor by forgetting ``resume``."""
    path = tmp_path / "s"
    unfinished(path, parse_game(CONNECT))
    with pytest.raises(rs.StoreError):
        rs.solve(parse_game(other), out=path, **{"resume": True} | options)
    assert store.is_unfinished(path)


@pytest.mark.parametrize("part", ["journal.json", "marks-9", "solution/table/part-0/c/0"])
@pytest.mark.parametrize("damage", ["flip", "cut"])
def test_damage_to_an_unfinished_solve_is_noticed(tmp_path: Path, part: str, damage: str) -> None:
    path, game = tmp_path / "s", parse_game(CONNECT)
    unfinished(path, game)
    file = resume.partial_path(path) / part
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data[: len(data) // 2] if damage == "cut" else data)
    with pytest.raises(rs.StoreError):
        rs.solve(game, out=path, resume=True)


def test_a_solve_of_a_list_of_edges_goes_on_with_the_same_edges_in_rows(tmp_path: Path) -> None:
    """Each has an algorithm of its own, with other snapshots."""
    listed = killed_solves.graph(200_000)
    rows = rs.Graph.from_csr(listed.indptr, listed.indices, terminal=listed.terminals)
    assert listed.prefers_edge_list
    assert not rows.prefers_edge_list
    digest = rs.solve(rows).digest()
    for first, second in ((listed, rows), (rows, listed)):
        path = tmp_path / "s"
        unfinished(path, first, share=0)
        assert rs.solve(second, out=path, resume=True).digest() == digest
        shutil.rmtree(path)


def test_files_of_edges_that_change_in_the_middle_are_other_edges(tmp_path: Path) -> None:
    edges = np.random.default_rng(1).integers(0, 40_000, (80_000, 2))
    file, path = tmp_path / "edges.npy", tmp_path / "s"
    np.save(file, edges)
    unfinished(path, rs.EdgeParts(file, 40_000))
    edges[39_000:41_000] = edges[39_000:41_000, ::-1].copy()
    np.save(file, edges)
    with pytest.raises(rs.StoreError):
        rs.solve(rs.EdgeParts(file, 40_000), out=path, resume=True)
    shutil.rmtree(resume.partial_path(path))
    rs.solve(rs.EdgeParts(file, 40_000), out=path)
    edges[0] = edges[0, ::-1].copy()
    np.save(file, edges)
    expected = rs.solve(rs.EdgeParts(file, 40_000)).digest()
    assert rs.solve(rs.EdgeParts(file, 40_000), out=path, resume=True).digest() == expected


def test_a_failure_leaves_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        rs.solve(parse_game(CONNECT), out=tmp_path / "s", progress=stop_in("finding positions", 0))
    assert list(tmp_path.iterdir()) == []


def test_the_second_of_two_solves_into_a_directory_is_refused(tmp_path: Path) -> None:
    path, game = tmp_path / "s", parse_game(CONNECT)
    refused = []

    def second(progress: Progress) -> None:
        if not refused:
            for resume in (False, True):
                with pytest.raises(rs.StoreError):
                    rs.solve(game, out=path, resume=resume)
                refused.append(resume)

    assert rs.solve(game, out=path, progress=second).digest() == rs.solve(game).digest()
    assert refused == [False, True]


def test_snapshots_take_a_twentieth_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(resume.time, "monotonic", lambda: now[0])
    write = resume.write_snapshot

    def slowly(*arguments: Any) -> Any:
        now[0] += 5
        return write(*arguments)

    monkeypatch.setattr(resume, "write_snapshot", slowly)
    interruption = Interruption()
    made = resume.PartialSolution(tmp_path, Journal({}), 60, interruption)
    due = []
    for second in range(1, 200):
        now[0] = second
        if made.due():
            due.append(second)
            made.save({"stage": "any"}, {})
            now[0] = second
    assert due == [60, 165]  # the next one 20 times 5 seconds after the first, which ended at 65
    interruption.requested = True
    assert made.due()


# -- rooms and signals ---------------------------------------------------------------------------------

LIMITED = """
import resource, sys, tempfile
import numpy
import retrosolve as rs
from retrosolve.games import parse_game

game = parse_game("connect4:rows=4,columns=4")
with tempfile.TemporaryDirectory() as folder:
    rs.solve(game, out=folder + "/s")  # so that its kernels are kept already
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    rs.solve(game, out=sys.argv[1])
except rs.StoreError:
    print("no room")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(rs.solve(game, out=sys.argv[1], resume=True).digest())
"""


def test_a_tier_that_finds_no_room(tmp_path: Path) -> None:
    path = tmp_path / "s"
    command = [sys.executable, "-c", LIMITED, str(path), "7000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "no room",
        rs.solve(parse_game("connect4:rows=4,columns=4")).digest(),
    ]
    assert (done.stderr, [entry.name for entry in tmp_path.iterdir()]) == ("", ["s"])


INTERRUPTED = """
import os, signal, sys, threading
from retrosolve.cli import run
from retrosolve.store.resume import TierFiles

write = TierFiles.write
def interrupt(self, tier, *rest):
    write(self, tier, *rest)
    if tier == 3:
        os.kill(os.getpid(), int(sys.argv[2]))
if sys.argv[2] != "0":
    TierFiles.write = interrupt
sys.exit(run(["solve", "connect4:rows=3,columns=3,connect=3", "--out", sys.argv[1], "--json", *sys.argv[3:]]))
"""


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_command_says_how_to_go_on(tmp_path: Path, number: int) -> None:
    path = tmp_path / "s"
    command = [sys.executable, "-c", INTERRUPTED, str(path), str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    folder = tmp_path / ".s.retrosolve-partial"
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr == (
        f"retrosolve: interrupted: what was found is in {folder}, "
        "and the same with resume goes on from there\n"
    )
    command = [sys.executable, "-c", INTERRUPTED, str(path), "0", "--resume"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["verified"] is True
    with rs.open(path, check=True) as solution:
        assert solution.verified
        assert solution.digest() == rs.solve(parse_game(CONNECT)).digest()


def called_by_address(most: int) -> rs.CompiledGame:
    """Take up to so many from a heap, by a function that has no digest."""
    absolute = ctypes.CDLL(None).abs

    class Heap(rs.CompiledGame):
        max_moves, size = 2, 50

        def start(self):
            return 49

        @staticmethod
        def successors(position, out, data):
            count = 0
            for taken in range(1, most + 1):
                if taken <= position:
                    out[count] = absolute(position - taken)
                    count += 1
            return count

    return Heap()


def test_rules_without_a_digest_are_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "s"
    solution = rs.solve(called_by_address(1), out=path)
    assert str(solution[49]) == "WIN in 49"
    for most in (1, 2):
        with pytest.raises(rs.StoreError):
            rs.solve(called_by_address(most), out=path, resume=True)
    with pytest.raises(rs.StoreError):
        rs.open(path, game=called_by_address(2))
    with rs.open(path, game=called_by_address(1)) as opened:
        assert opened[49] == solution[49]
    assert str(rs.solve(called_by_address(2), out=path)[49]) == "WIN in 33"
    unfinished(tmp_path / "t", called_by_address(1), solver="sweep")
    with pytest.raises(rs.StoreError):
        rs.solve(called_by_address(2), out=tmp_path / "t", solver="sweep", resume=True)
    assert rs.solve(called_by_address(2), out=tmp_path / "new", resume=True)[49].remoteness == 33
