"""Partitions in processes of a Ray cluster of two nodes on this machine, some of which are lost."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.distributed import group
from retrosolve.runtime.context import Progress
from retrosolve.tables import ArrayTable
from tests.support.marks import samples
from tests.support.partitions import long_graph, subjects

# About the least memory that Ray takes for an object store, and nothing beside the node itself.
NODE = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_log_monitor": False}
DIES = """
import os, signal, sys
import retrosolve as rs
from tests.support.partitions import long_graph
left = [int(sys.argv[3])]
def report(progress):
    left[0] -= progress.stage == "solving"
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
rs.solve(long_graph(), solver="ray", address=sys.argv[1], partitions=3, out=sys.argv[2],
         checkpoint_every=1e-6, progress=report)
"""

RULES = """
import retrosolve as rs

class Heap(rs.CompiledGame):
    max_moves = 2
    size = 101
    def start(self): return 100
    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)
    @staticmethod
    def rank(position, data): return position
    @staticmethod
    def unrank(index, data): return index
"""


class Nodes:
    """A cluster of two nodes with a processor each, to which this process is connected."""

    def __init__(self) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        from ray.cluster_utils import Cluster

        def recorded(address: str | None, size: int) -> Any:
            self.group = self.original(address, size)
            return self.group

        self.original, group.open_group = group.open_group, recorded
        self.group: Any = None
        self.was_hit = False
        head = NODE | {"include_dashboard": False, "no_monitor": True}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.second = self.add()
        self.ray = group.connect(self.cluster.address)

    def add(self) -> Any:
        """Add a node."""
        return self.cluster.add_node(**NODE)

    def shutdown(self) -> None:
        """End the cluster."""
        group.open_group = self.original
        self.ray.shutdown()
        self.cluster.shutdown()

    def remove(self) -> None:
        """Remove the second node, as if it had lost its power."""
        raylet = psutil.Process(self.second.all_processes["raylet"][0].process.pid)
        lost = [raylet, *raylet.children(recursive=True)]
        self.was_hit = bool({process.pid for process in lost} & {*self.group.processes})
        for process in lost:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.cluster.remove_node(self.second, allow_graceful=False)

    def kill_worker(self) -> None:
        """Kill the process of a worker of the solve."""
        os.kill(self.group.processes[-1], signal.SIGKILL)
        self.was_hit = True


def same_as_on_one_machine(nodes: Nodes, tmp_path: Path) -> None:
    """In processes; the other subjects are solved in partitions of one by ``test_distributed``."""
    for kind in ("graph", "cycles", "board"):
        subject = subjects()[kind]
        solution, expected = rs.solve(subject, solver="ray", partitions=3), rs.solve(subject)
        assert (solution.digest(), solution.num_edges) == (expected.digest(), expected.num_edges)
        if kind == "graph":
            rs.verify(solution, partitions=2)
            assert solution.verified


def proof_names_the_first_wrong_vertex(nodes: Nodes, tmp_path: Path) -> None:
    solution = rs.solve(long_graph())
    value, remoteness = solution.table.values().copy(), solution.remoteness().copy()
    remoteness[[3010, 3020]] += 1
    wrong = rs.Solution(solution.space, ArrayTable(value, remoteness))
    with pytest.raises(rs.VerificationError) as expected:
        rs.verify(wrong)
    with pytest.raises(rs.VerificationError) as found:
        rs.verify(wrong, partitions=2)
    assert str(found.value) == str(expected.value)


def rules_in_a_file_are_sent_along(nodes: Nodes, tmp_path: Path) -> None:
    path = tmp_path / "own_rules.py"
    path.write_text(RULES)
    arguments = ["solve", f"{path}:Heap", "--solver", "ray", "--partitions", "2", "--levels", "--json"]
    with redirect_stdout(io.StringIO()) as printed:
        assert run(arguments) == 0
    record = json.loads(printed.getvalue())
    assert (record["solver"], record["verified"]) == ("ray", True)
    assert record["start"] == {"position": 100, "value": "win", "remoteness": 67}
    assert sum(level["decided"] for level in record["levels"]) == record["positions"] - 1


def losing(lose: Callable[[], None], after: int) -> Callable[[Progress], None]:
    """Return a progress callback that loses something, once, after so many levels."""
    left = [after]

    def report(progress: Progress) -> None:
        left[0] -= progress.stage == "solving"
        if left[0] == 0:
            lose()

    return report


def what_is_lost_changes_nothing(nodes: Nodes, tmp_path: Path, what: str) -> None:
    """At least one loss hits a solve; which worker or node has a part of it is up to Ray."""
    expected, rng = rs.solve(long_graph()), random.Random(what)
    hits = done = 0
    lost: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group.logger, "info", lambda text, *_: lost.append(text))
        while done < samples(1, 20) or (hits == 0 and done < 30):
            lose = nodes.kill_worker if what == "worker" else nodes.remove
            lost.clear()
            solution = rs.solve(
                long_graph(), solver="ray", partitions=3, out=tmp_path / f"{what}-{done}",
                checkpoint_every=1e-6, progress=losing(lose, rng.randrange(2, 40)),
            )  # fmt: skip
            assert solution.digest() == expected.digest()
            assert bool(lost) == nodes.was_hit
            hits += nodes.was_hit
            done += 1
            if what == "node":
                nodes.second = nodes.add()
    assert hits > 0


def killed_driver_is_resumed(nodes: Nodes, tmp_path: Path) -> None:
    expected, rng = rs.solve(long_graph()), random.Random(1)
    levels = len(rs.solve(long_graph(), solver="ray").levels)
    for number in range(samples(1, 20)):
        out = tmp_path / f"driver-{number}"
        arguments = nodes.cluster.address, str(out), str(rng.randrange(2, 40))
        done = subprocess.run(
            [sys.executable, "-c", DIES, *arguments], capture_output=True, check=False
        )
        assert done.returncode == -signal.SIGKILL
        solution = rs.solve(long_graph(), solver="ray", partitions=2, out=out, resume=True)
        assert solution.digest() == expected.digest()
        assert len(solution.levels) < levels


STEPS = (
    same_as_on_one_machine,
    proof_names_the_first_wrong_vertex,
    rules_in_a_file_are_sent_along,
    killed_driver_is_resumed,
    partial(what_is_lost_changes_nothing, what="worker"),
    partial(what_is_lost_changes_nothing, what="node"),
)


@pytest.mark.long
def test_a_cluster_of_two_nodes(tmp_path: Path) -> None:
    """One test, so that one process starts a cluster, which takes longer than the rest."""
    # Ray's own nodes leave a handler in which processes that later tests fork would not end.
    handler = signal.getsignal(signal.SIGTERM)
    nodes = Nodes()
    try:
        for step in STEPS:
            step(nodes, tmp_path)
    finally:
        nodes.shutdown()
        signal.signal(signal.SIGTERM, handler)
