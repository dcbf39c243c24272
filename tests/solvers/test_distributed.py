"""Solving in partitions, the workers in this process: any number of them, and any loss."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve import distributed
from retrosolve.distributed.driver import packed, rows_of
from retrosolve.distributed.group import WorkerLost
from retrosolve.distributed.plan import message_bytes
from retrosolve.pursuit.cops import CopsAndRobber
from retrosolve.runtime.context import ClusterOptions, Context
from retrosolve.tables.result import SolveResult
from retrosolve.testing import STUCK, random_graph
from retrosolve.testing.strategies import graphs
from retrosolve.values import stuck_value
from tests.conformance.subjects import cases
from tests.conftest import Tune
from tests.support.marks import samples
from tests.support.partitions import InlineGroup, long_graph, subjects

PARTITIONS = (1, 2, 3, 7)


def in_partitions(subject: Any, partitions: int, stuck: str = "loss") -> SolveResult:
    options = ClusterOptions(partitions=partitions, open_group=InlineGroup)
    return distributed.solve(subject.state_space(), stuck_value(stuck), Context(cluster=options))


def check_same(result: SolveResult, expected: rs.Solution) -> None:
    assert np.array_equal(result.table.values(), expected.table.values())
    assert np.array_equal(result.table.remoteness(), expected.remoteness())


@given(graphs(), st.sampled_from(STUCK), st.sampled_from(PARTITIONS))
def test_partitions_agree_with_the_specification(graph: rs.Graph, stuck: str, partitions: int) -> None:
    check_same(
        in_partitions(graph, partitions, stuck), rs.solve(graph, stuck=stuck, solver="reference")
    )


@pytest.mark.parametrize("kind", subjects())
def test_the_number_of_partitions_changes_nothing(kind: str, interpreted: None) -> None:
    subject = subjects()[kind]
    expected = rs.solve(subject)
    for partitions in PARTITIONS:
        result = in_partitions(subject, partitions)
        check_same(result, expected)
        assert result.statistics.num_edges in (None, expected.num_edges)


@pytest.mark.parametrize("name", ["two tokens", "tiers", "compiled: reachable", "edges on disk"])
def test_subjects_in_partitions(name: str, tmp_path: Path, interpreted: None) -> None:
    for number, case in enumerate(cases(name, tmp_path)):
        if case.options["stuck"] == "loss" or name != "two tokens":
            result = in_partitions(case.subject, PARTITIONS[number % 4], case.options["stuck"])
            check_same(result, case.solve())


def test_cops_in_partitions() -> None:
    rng = random.Random(1)
    for _ in range(samples(4, 60)):
        graph = random_graph(rng)
        game = CopsAndRobber(graph if graph.num_vertices else rs.Graph.from_edges([0], [0]), 1)
        check_same(in_partitions(game, rng.choice(PARTITIONS)), rs.solve(game))


def test_long_play_widens_the_words() -> None:
    graph = rs.Graph.from_edges(range(9000), range(1, 9001))
    check_same(in_partitions(graph, 1), rs.solve(graph))


def test_few_edges_of_many_targets_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sources, targets = rng.integers(0, 50, 400), rng.integers(0, 10**6, 400)
    rows = rows_of(sources, targets, 10**6, 50)
    assert rows.shift > 0
    assert sum(array.nbytes for array in rows[:2]) < 400 * 16
    monkeypatch.setattr("retrosolve.distributed.driver.SPARSE", 0)
    check_same(in_partitions(long_graph(), 3), rs.solve(long_graph()))


# -- messages ---------------------------------------------------------------------------------------


@given(st.integers(1, 300), st.data())
def test_a_message_holds_its_entries_in_the_bytes_of_the_model(size: int, data: Any) -> None:
    vertices = data.draw(st.lists(st.integers(0, size - 1), unique=True))
    sides = data.draw(st.lists(st.integers(0, 1), min_size=len(vertices), max_size=len(vertices)))
    entries = 2 * np.array(vertices, np.int64) + np.array(sides, np.int64)
    message = packed(0, size, entries)
    assert message.unpacked().tolist() == sorted(entries.tolist())
    assert message.nbytes == message_bytes(size, (sides.count(0), sides.count(1)))


def test_bytes_are_those_of_the_model() -> None:
    """Each vertex is published once, in a number or in a bit, whatever the number of edges."""
    graph = long_graph()
    result = in_partitions(graph, 1)
    remoteness, value = result.table.remoteness(), result.table.values()
    for level in result.statistics.levels:
        here = (remoteness == level.level) & ((value == rs.Value.TIE) == level.ties)
        assert level.decided == here.sum()
        won = int((value[here] == rs.Value.WIN).sum())
        sides = (level.decided, 0) if level.ties else (level.decided - won, won)
        assert level.num_bytes == message_bytes(graph.num_vertices, sides)


# -- losses -----------------------------------------------------------------------------------------


class LosingGroup(InlineGroup):
    """A group that loses a worker when it is called for the nth time."""

    calls_left = 0

    def call_one(self, worker: int, method: str, *args: Any) -> Any:
        LosingGroup.calls_left -= 1
        if LosingGroup.calls_left == 0:
            raise WorkerLost("it was killed")
        return super().call_one(worker, method, *args)


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``solver="ray"`` have its workers in this process, and lose them now and then."""
    monkeypatch.setattr("retrosolve.distributed.group.connect", lambda address: None)
    monkeypatch.setattr(
        "retrosolve.distributed.group.open_group", lambda address, size: LosingGroup(size)
    )


@pytest.mark.parametrize(
    ("kind", "snapshots"),
    [("graph", None), ("tiers", None), ("tiers", "memory://retrosolve-test"), ("board", "memory://b")],
)
@pytest.mark.usefixtures("inline", "interpreted")
def test_a_loss_at_any_moment_changes_nothing(
    tmp_path: Path, tune: Tune, kind: str, snapshots: str | None
) -> None:
    tune(checkpoint_cost_share=0)
    subject, rng = subjects()[kind], random.Random(kind)
    expected = rs.solve(subject).digest()
    for number in range(samples(2, 20)):
        LosingGroup.calls_left = rng.randrange(1, 200)
        out = tmp_path / str(number)
        solution = rs.solve(
            subject, solver="ray", partitions=rng.choice(PARTITIONS), out=out, snapshots=snapshots,
            checkpoint_every=1e-6,
        )  # fmt: skip
        assert solution.digest() == expected
        rs.verify(solution)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(map(str, range(number + 1)))


@pytest.mark.usefixtures("inline")
def test_a_solve_goes_on_with_another_number_of_partitions(tmp_path: Path, tune: Tune) -> None:
    left = [30]

    def report(progress: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    tune(checkpoint_cost_share=0)
    options: dict[str, Any] = {"solver": "ray", "out": tmp_path / "out", "checkpoint_every": 1e-6}
    with pytest.raises(KeyboardInterrupt):
        rs.solve(long_graph(), partitions=3, progress=report, **options)
    solution = rs.solve(long_graph(), partitions=7, resume=True, **options)
    assert solution.digest() == rs.solve(long_graph()).digest()
    assert 0 < len(solution.levels) < len(in_partitions(long_graph(), 1).statistics.levels) - 10


@pytest.mark.usefixtures("inline")
def test_losses_without_progress_end_the_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(self: Any, worker: int, method: str, *args: Any) -> Any:
        raise WorkerLost("it was killed")

    monkeypatch.setattr(LosingGroup, "call_one", never)
    with pytest.raises(rs.ClusterError):
        rs.solve(long_graph(), solver="ray")


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(rs.ClusterError, match=r"pip install 'retrosolve\[ray\]'"):
        rs.solve(long_graph(), solver="ray")
