"""Memory: what bounds it, read from made-up files of the system, and work that does not fit."""

import ctypes
import gzip
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.formats import read_graph
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.files import Source, gunzip

MB = 10**6
Tree = Callable[..., None]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Write files below /proc and /sys/fs/cgroup, and let only those be seen."""
    monkeypatch.setattr(memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(memory, "CONTROL_GROUPS", tmp_path / "cgroup")

    def write(files: dict[str, str], total: int = 16_000, free: int = 12_000) -> None:
        machine = f"MemTotal: {total * 1000} kB\nMemFree: 7 kB\nMemAvailable: {free * 1000} kB\n"
        for name, text in ({"proc/meminfo": machine} | files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    return write


def total_and_free() -> tuple[int, int]:
    return memory.total(), memory.available()


GROUP_2 = {
    "proc/self/cgroup": "0::/user/app\n",
    "cgroup/user/app/memory.max": f"{800 * MB}\n",
    "cgroup/user/app/memory.current": f"{300 * MB}\n",
    "cgroup/user/app/memory.stat": f"anon {200 * MB}\ninactive_file {60 * MB}\nactive_file 4\n",
}
APP = "cgroup/user/app/memory."
GROUP_1 = {
    "proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/user/app\n0::/\n",
    "cgroup/memory/user/app/memory.limit_in_bytes": f"{800 * MB}\n",
    "cgroup/memory/user/app/memory.usage_in_bytes": f"{300 * MB}\n",
    "cgroup/memory/user/app/memory.stat": f"inactive_file 1\ntotal_inactive_file {60 * MB}\n",
}


MACHINE = 16_000 * 1_024_000, 12_000 * 1_024_000
LIMITS: dict[str, tuple[dict[str, str], tuple[int, int]]] = {
    "the machine alone": ({}, MACHINE),
    "version 2": (GROUP_2, (800 * MB, 560 * MB)),
    "version 1": (GROUP_1, (800 * MB, 560 * MB)),
    "a small group around": (GROUP_2 | {"cgroup/user/memory.max": f"{500 * MB}", "cgroup/user/memory.current": f"{450 * MB}"}, (500 * MB, 50 * MB)),
    "a large group around": (GROUP_2 | {"cgroup/user/memory.max": f"{2000 * MB}", "cgroup/user/memory.current": f"{450 * MB}"}, (800 * MB, 560 * MB)),
    "a use that is no number": (GROUP_2 | {APP + "current": "x"}, (800 * MB, 800 * MB)),
    "no list of what is used": (GROUP_2 | {APP + "stat": "inactive_file\nnonsense"}, (800 * MB, 500 * MB)),
    "more used than there is": (GROUP_2 | {APP + "current": f"{900 * MB}", APP + "stat": ""}, (800 * MB, 0)),
    **{
        f"limit {limit[:9]!r}": (GROUP_2 | {APP + "high": "1000\n", APP + "max": limit}, MACHINE)
        for limit in ("max\n", "9223372036854771712\n", "", "-1", "9" * 400, "²")
    },
    **{
        f"groups {text!r}": (GROUP_2 | {"proc/self/cgroup": text}, MACHINE)
        for text in ("", "no such thing\n\n::\n0:\n", "0::/elsewhere\n", "0::/user/app\0\n")
    },
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_total_and_free_memory(tree: Tree, name: str) -> None:
    files, expected = LIMITS[name]
    tree(files)
    assert total_and_free() == expected


@pytest.mark.parametrize(
    ("root", "files"), [("cgroup", GROUP_2), ("cgroup/unified", GROUP_2), ("cgroup/memory", GROUP_1)]
)
@pytest.mark.parametrize("path", ["/", "/docker/0a1b", "/../../other", ""])
def test_a_container_that_sees_its_own_group_as_the_root(
    tree: Tree, root: str, files: dict[str, str], path: str
) -> None:
    there = {
        name.replace("cgroup/memory/user/app", root).replace("cgroup/user/app", root): text
        for name, text in files.items()
    }
    there["proc/self/cgroup"] = there["proc/self/cgroup"].replace("/user/app", path)
    tree(there)
    assert total_and_free() == (800 * MB, 560 * MB)


def test_memory_without_any_statistics_and_of_a_smaller_machine(tree: Tree) -> None:
    total, free = total_and_free()
    assert total == free > 10**8  # what the C library says
    tree(GROUP_2, total=400, free=100)
    assert total_and_free() == (400 * 1_024_000, 100 * 1_024_000)


def refused(work: Callable[[], object]) -> str:
    """What is said of work that does not fit; nothing if it fits."""
    try:
        work()
    except rs.MemoryBudgetError as error:
        return str(error)
    return ""


def test_work_that_does_not_fit_is_refused(tree: Tree) -> None:
    tree({})
    assert not refused(
        lambda: memory.check_budget(15_000 * 1_024_000, "this")
    )  # what others hold may be freed
    assert (
        refused(lambda: memory.check_budget(20_000 * MB, "this"))
        == "this needs about 20 GB; this machine has 16.4 GB"
    )
    tree(GROUP_2)
    assert memory.room() == 560 * MB
    assert not refused(lambda: memory.check_budget(560 * MB, "this"))
    said = "this needs about 561 MB; this container may use 800 MB, of which 560 MB are free"
    assert refused(lambda: memory.check_budget(561 * MB, "this")) == said


@pytest.mark.parametrize(
    ("used", "left"), [(820, ""), (821, "39 MB are left"), (830, "30 MB are left")]
)
def test_work_stops_below_a_twentieth_of_free_memory(tree: Tree, used: int, left: str) -> None:
    tree(GROUP_2 | {APP + "current": f"{used * MB}"})
    said = refused(lambda: memory.check_headroom("much was found"))
    assert (left in said) if left else not said
    for total in (16_000, 400):
        tree({"proc/self/cgroup": ""}, total=total, free=total // 20)
        assert not refused(lambda: memory.check_headroom("much was found"))
        tree({"proc/self/cgroup": ""}, total=total, free=total // 20 - 1)
        assert refused(lambda: memory.check_headroom("much was found"))


def test_a_leaner_solver_is_taken_where_a_container_has_no_room(tree: Tree) -> None:
    vertex = np.arange(1_000_000)
    graph = rs.Graph.from_edges(vertex, (7 * vertex + 1) % 1_000_000)
    tree(GROUP_2)
    full = rs.plan(graph)
    assert full.memory_bytes > tuning.Tuning.max_unchecked_bytes
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{860 * MB - full.memory_bytes + 1}"})
    assert rs.plan(graph).solver != full.solver


@pytest.mark.parametrize(
    ("before", "work", "said"),
    [
        ("from retrosolve.rules.indexing import indexed_space; game = rs.game('chess:KRK')", "rs.solve(game)", "the compiler, numba, needs about"),
        ("import numpy; g = rs.Graph.from_csr(numpy.zeros(20_000_001, numpy.int32), numpy.zeros(0, numpy.int32))",
         "rs.solve(g, solver='retrograde')", "solving Graph(vertices=20000000, edges=0) needs about"),
    ],
)  # fmt: skip
def test_what_exceeds_the_limit_of_its_process_is_refused(before: str, work: str, said: str) -> None:
    script = f"""
import resource
import retrosolve as rs
{before}
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 200_000_000, resource.RLIM_INFINITY))
try:
    {work}
except rs.MemoryBudgetError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.startswith(said), done.stderr
    assert "; this process may use " in done.stdout


def test_memory_that_runs_out_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("retrosolve.solving._solved", fail)
    assert refused(lambda: rs.solve(rs.Graph.from_edges([0], [1]))).startswith(
        "memory ran out while solving; "
    )


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["g.csv", "g.csv.gz"])
def test_a_file_larger_than_what_is_free_is_refused_before_it_is_read(
    tree: Tree, name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        if name.endswith("gz"):
            file.write(gzip.compress(bytes(200 * MB), 1))
        else:
            file.truncate(70 * MB)  # takes no room on the disk
    tree(GROUP_2 | {APP + "current": f"{800 * MB}"})  # 60 MB are free
    tracemalloc.start()
    try:
        assert "of this container's 800 MB of memory 60 MB are free" in refused(
            lambda: read_graph(path)
        )
        assert tracemalloc.get_traced_memory()[1] < 40 * MB
    finally:
        tracemalloc.stop()


def test_decompressed_text_is_held_once() -> None:
    data = gzip.compress(b"# a line of some length\n" * (2 * MB), 1)
    tracemalloc.start()
    try:
        assert len(gunzip(Source("g", data))) == 48 * MB
        assert tracemalloc.get_traced_memory()[1] < 65 * MB
    finally:
        tracemalloc.stop()


FREED = """
from retrosolve.runtime.memory import give_back, resident

blocks = [bytes([1]) * 100_000 for _ in range(1000)]
last = blocks.pop()
held = resident()
blocks.clear()
kept = resident()
give_back()
print(held, kept, resident())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the system cannot be told")
def test_freed_memory_returns_to_the_system() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FREED], capture_output=True, text=True, check=True,
        env=os.environ | {"MALLOC_TRIM_THRESHOLD_": str(1 << 30)},
    )  # fmt: skip
    held, kept, left = map(int, done.stdout.split())
    assert kept > held - 50_000_000
    assert left < held - 90_000_000
