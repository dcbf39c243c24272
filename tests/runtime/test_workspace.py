"""Memory that one small solve leaves to the next: nothing of an answer lies in it."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.runtime import tuning, workspace
from retrosolve.runtime.workspace import Buffers
from retrosolve.testing import assert_same_answers, random_graph
from tests.conftest import Tune


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    monkeypatch.setattr(workspace, "_kept", [])
    tune(compile_from=0)


def test_arrays_are_apart_and_as_asked_for() -> None:
    buffers = Buffers(a=(3, np.int64), b=(0, np.uint8), c=(5, np.uint8), d=(2, np.int32))
    with buffers.scratch("a", "b", "c", "d") as cut:
        for number, array in enumerate(cut):
            array[:] = number
        assert [array.tolist() for array in cut] == [[0] * 3, [], [2] * 5, [3] * 2]
        assert [array.dtype for array in cut] == [np.int64, np.uint8, np.uint8, np.int32]


def test_buffers_allocate_the_bytes_of_their_sum() -> None:
    buffers = Buffers(a=(3, np.int64), b=((2, 5), np.uint16), c=(0, np.uint8))
    assert buffers.num_bytes == sum(buffers.empty(name).nbytes for name in "abc") == 44
    assert buffers.zeros("b").tolist() == [[0] * 5] * 2
    assert buffers.empty("a", np.uint8).dtype == np.uint8
    with pytest.raises(AssertionError):
        buffers.empty("b", np.int32)


def test_the_piece_is_lent_again_if_it_is_large_enough() -> None:
    def place(length: int) -> int:
        with Buffers(a=(length, np.uint8)).scratch("a") as (array,):
            return int(array.ctypes.data)

    first = place(1000)
    assert place(1000) == place(10) == first
    place(100_000)
    assert [len(piece) >= 100_000 for piece in workspace._kept] == [True]


def test_little_is_kept_however_much_was_lent() -> None:
    with Buffers(a=(tuning.Tuning.max_kept_bytes + 1, np.uint8)).scratch("a"):
        pass
    assert workspace._kept == []
    buffers = Buffers(a=(10, np.uint8))
    with pytest.raises(ZeroDivisionError), buffers.scratch("a"):
        raise ZeroDivisionError
    assert len(workspace._kept) == 1
    with buffers.scratch("a"), buffers.scratch("a"):
        assert workspace._kept == []
    assert len(workspace._kept) == 1


def test_a_solution_stays_as_it_is_while_others_are_made() -> None:
    rng = random.Random(5)
    graphs = [random_graph(rng) for _ in range(50)]
    solved = [rs.solve(graph, solver="retrograde") for graph in graphs]
    for graph, solution in zip(graphs, solved, strict=True):
        assert_same_answers(solution, rs.solve(graph, solver="reference"))


def test_solves_at_the_same_time_do_not_meet() -> None:
    rng = np.random.default_rng(7)
    graphs = [rs.Graph.from_edges(*rng.integers(0, 30_000, (2, 60_000)), 30_000) for _ in range(4)]
    alone = [rs.solve(graph, solver="retrograde") for graph in graphs]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            together = pool.map(lambda graph: rs.solve(graph, solver="retrograde"), graphs)
            for solution, expected in zip(together, alone, strict=True):
                assert_same_answers(solution, expected)
