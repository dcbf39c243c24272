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


def test_the_machine_alone(tree: Tree) -> None:
    tree({})
    assert total_and_free() == (16_000 * 1_024_000, 12_000 * 1_024_000)
    memory.check_budget(15_000 * 1_024_000, "this")  # what others hold may be freed
    with pytest.raises(
        rs.MemoryBudgetError, match=r"^this needs about 20 GB; this machine has 16\.4 GB$"
    ):
        memory.check_budget(20_000 * MB, "this")


GROUP_2 = {
    "proc/self/cgroup": "0::/user/app\n",
    "cgroup/user/app/memory.max": f"{800 * MB}\n",
    "cgroup/user/app/memory.current": f"{300 * MB}\n",
    "cgroup/user/app/memory.stat": f"anon {200 * MB}\ninactive_file {60 * MB}\nactive_file 4\n",
}
GROUP_1 = {
    "proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/user/app\n0::/\n",
    "cgroup/memory/user/app/memory.limit_in_bytes": f"{800 * MB}\n",
    "cgroup/memory/user/app/memory.usage_in_bytes": f"{300 * MB}\n",
    "cgroup/memory/user/app/memory.stat": f"inactive_file 1\ntotal_inactive_file {60 * MB}\n",
}


@pytest.mark.parametrize("files", [GROUP_2, GROUP_1])
def test_a_container(tree: Tree, files: dict[str, str]) -> None:
    tree(files)
    assert total_and_free() == (800 * MB, 560 * MB)
    assert memory.room() == 560 * MB
    memory.check_budget(560 * MB, "this")
    expected = r"^this needs about 561 MB; this container may use 800 MB, of which 560 MB are free$"
    with pytest.raises(rs.MemoryBudgetError, match=expected):
        memory.check_budget(561 * MB, "this")


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


@pytest.mark.parametrize("outer", [500, 2000])
def test_the_smallest_of_nested_groups_counts(tree: Tree, outer: int) -> None:
    tree(
        GROUP_2
        | {"cgroup/user/memory.max": f"{outer * MB}", "cgroup/user/memory.current": f"{450 * MB}"}
    )
    assert total_and_free() == ((500 * MB, 50 * MB) if outer == 500 else (800 * MB, 560 * MB))


@pytest.mark.parametrize(
    "changed",
    [
        {"cgroup/user/app/memory.max": "max\n"},
        {"cgroup/user/app/memory.max": "9223372036854771712\n"},
        {"cgroup/user/app/memory.max": ""},
        {"cgroup/user/app/memory.max": "-1"},
        {"cgroup/user/app/memory.max": "9" * 400},
        {"cgroup/user/app/memory.max": "²"},
        {"proc/self/cgroup": ""},
        {"proc/self/cgroup": "no such thing\n\n::\n0:\n"},
        {"proc/self/cgroup": "0::/elsewhere\n"},
        {"proc/self/cgroup": "0::/user/app\0\n"},
    ],
)
def test_implausible_memory_limit_is_ignored(tree: Tree, changed: dict[str, str]) -> None:
    tree(GROUP_2 | {"cgroup/user/app/memory.high": "1000\n"} | changed)
    assert total_and_free() == (16_000 * 1_024_000, 12_000 * 1_024_000)


@pytest.mark.parametrize(
    ("changed", "free"),
    [
        ({"cgroup/user/app/memory.current": "x"}, 800),
        ({"cgroup/user/app/memory.stat": "inactive_file\nnonsense"}, 500),
        ({"cgroup/user/app/memory.current": f"{900 * MB}", "cgroup/user/app/memory.stat": ""}, 0),
    ],
)
def test_used_memory_without_detailed_statistics(
    tree: Tree, changed: dict[str, str], free: int
) -> None:
    tree(GROUP_2 | changed)
    assert total_and_free() == (800 * MB, free * MB)


def test_memory_without_any_statistics(tree: Tree, tmp_path: Path) -> None:
    assert not (tmp_path / "proc").exists()
    total, free = total_and_free()
    assert total == free > 10**8  # what the C library says


def test_the_machine_counts_where_it_is_smaller(tree: Tree) -> None:
    tree(GROUP_2, total=400, free=100)
    assert total_and_free() == (400 * 1_024_000, 100 * 1_024_000)


def test_work_stops_where_a_container_is_nearly_full(tree: Tree) -> None:
    tree(GROUP_2)
    memory.check_headroom("much was found")
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{830 * MB}"})
    with pytest.raises(
        rs.MemoryBudgetError,
        match=r"^much was found, and of this container's 800 MB of memory 30 MB are left: expected",
    ):
        memory.check_headroom("much was found")


@pytest.mark.parametrize(("used", "enough"), [(820, True), (821, False)])
def test_work_stops_below_a_twentieth_of_free_memory(tree: Tree, used: int, enough: bool) -> None:
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{used * MB}"})
    if enough:
        memory.check_headroom("much was found")
    else:
        with pytest.raises(rs.MemoryBudgetError, match="39 MB are left"):
            memory.check_headroom("much was found")


def test_a_leaner_solver_is_taken_where_a_container_has_no_room(tree: Tree) -> None:
    vertex = np.arange(1_000_000)
    graph = rs.Graph.from_edges(vertex, (7 * vertex + 1) % 1_000_000)
    tree(GROUP_2)
    full = rs.plan(graph)
    assert full.memory_bytes > tuning.Tuning.max_unchecked_bytes
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{860 * MB - full.memory_bytes + 1}"})
    assert rs.plan(graph).solver != full.solver


LIMITED = """
import resource
import sys
import tracemalloc

import numpy as np

import retrosolve as rs

with open("/proc/self/statm") as pages:
    held = int(pages.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + 400_000_000, resource.RLIM_INFINITY))
n = 20_000_000
graph = rs.Graph.from_csr(np.zeros(n + 1, np.int32), np.zeros(0, np.int32))
try:
    rs.solve(graph, solver="retrograde")
except rs.MemoryBudgetError as error:
    print(error)
"""


@pytest.mark.thorough
def test_a_solve_over_the_limit_of_its_process_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.stdout.startswith("solving Graph(vertices=20000000, edges=0) needs about "), done.stderr
    assert "; this process may use " in done.stdout


# -- unpacking ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_bomb_is_refused_before_it_has_grown(tree: Tree, tmp_path: Path) -> None:
    path = tmp_path / "g.csv.gz"
    path.write_bytes(gzip.compress(bytes(200 * MB), 1))
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{800 * MB}"})  # 60 MB are free
    tracemalloc.start()
    try:
        with pytest.raises(
            rs.MemoryBudgetError,
            match=r"^reading .*g\.csv\.gz needs about 6\d(\.\d)? MB more; of this container's 800 MB of "
            r"memory 60 MB are free$",
        ):
            read_graph(path)
        assert tracemalloc.get_traced_memory()[1] < 40 * MB
    finally:
        tracemalloc.stop()


@pytest.mark.thorough
def test_decompressed_text_is_held_once() -> None:
    data = gzip.compress(b"# a line of some length\n" * (2 * MB), 1)
    tracemalloc.start()
    try:
        assert len(gunzip(Source("g", data))) == 48 * MB
        assert tracemalloc.get_traced_memory()[1] < 65 * MB
    finally:
        tracemalloc.stop()


def test_a_file_larger_than_what_is_free_is_refused(tree: Tree, tmp_path: Path) -> None:
    with (tmp_path / "g.csv").open("wb") as file:
        file.truncate(70 * MB)  # takes no room on the disk
    tree(GROUP_2 | {"cgroup/user/app/memory.current": f"{800 * MB}"})
    with pytest.raises(
        rs.MemoryBudgetError, match=r"^reading .*g\.csv needs about 70 MB more; of this"
    ):
        read_graph(tmp_path / "g.csv")


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


@pytest.mark.parametrize("total", [16_000, 400])
def test_headroom_is_a_twentieth_of_the_memory(tree: Tree, total: int) -> None:
    tree({}, total=total, free=total // 20)
    memory.check_headroom("much was found")
    tree({}, total=total, free=total // 20 - 1)
    with pytest.raises(rs.MemoryBudgetError, match="expected a smaller game"):
        memory.check_headroom("much was found")


def test_a_compiler_for_which_the_address_space_is_too_short_is_refused_before_it_is_loaded() -> None:
    script = """
import resource
import retrosolve as rs

game = rs.game("chess:KRK")
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 200_000_000, resource.RLIM_INFINITY))
try:
    rs.solve(game)
except rs.MemoryBudgetError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("the compiler, numba, needs about")


def test_memory_that_runs_out_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("retrosolve.solving._solved", fail)
    with pytest.raises(rs.MemoryBudgetError, match=r"^memory ran out while solving; "):
        rs.solve(rs.Graph.from_edges([0], [1]))
