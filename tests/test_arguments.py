"""Arguments of other kinds are accepted where they can mean one thing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import retrosolve as rs
from retrosolve.objectives import Conversion
from retrosolve.pursuit.police import PoliceAndThief

GRAPH = rs.Graph.from_edges(["a", "b"], ["b", "c"])
SOLUTION: Any = rs.solve(GRAPH)


def test_options_are_given_by_name() -> None:
    game: Any = rs.game("stones:n=4")
    calls: list[Callable[[], object]] = [
        lambda: rs.solve(game, "win"),
        lambda: rs.plan(game, "reference"),
        lambda: rs.verify(SOLUTION, print),
        lambda: rs.check_game(game, 10),
        lambda: rs.perft(game, 2, 3),
        lambda: rs.open("saved", game),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_arguments_that_mean_one_thing_are_accepted() -> None:
    assert [rs.Value(word) for word in ("win", "LOSS")] == [rs.Value.WIN, rs.Value.LOSS]
    for stuck in ("WIN", "win", rs.Value.WIN):
        assert rs.solve(GRAPH, stuck=stuck).stuck is rs.Value.WIN
    assert rs.plan(GRAPH, memory=2e9).solver == rs.plan(GRAPH, memory="2GB").solver
    matrix = scipy.sparse.csr_array([[0, 1], [0, 0]])
    assert rs.Graph.from_scipy(matrix).num_edges == 1
    assert rs.perft(rs.game("stones:n=4"), 2) == 4
    indented, flat = "\n    P.*\n    ..T\n", "P.*\n..T"
    boards = [str(PoliceAndThief.from_text(text).board) for text in (indented, flat)]
    assert boards[0] == boards[1]


def test_numbers_of_numpy_are_accepted() -> None:
    one, two = np.int64(1), np.uint8(2)
    stones = rs.game("stones:n=4")
    solution = rs.solve(stones, threads=one, limit=np.int32(9), memory=np.int64(10**9))
    assert len(solution) == 5
    assert rs.plan(GRAPH, threads=two, nodes=two).memory_bytes == rs.plan(GRAPH, threads=2).memory_bytes
    ending = rs.solve(rs.game("chess:KRK,board=4"))
    assert rs.verify(ending, sample=two).sample == 2
    assert rs.verify(ending, part=(one, two)).part == (1, 2)
    assert Conversion(limit=np.int64(100)) == Conversion(limit=100)
    explained = str(rs.explain(solution, 4, depth=two, width=one))
    assert explained == str(rs.explain(solution, 4, depth=2, width=1))
    assert rs.perft(stones, two) == 4
    assert rs.check_game(stones, samples=two, seed=np.int64(0), limit=two)
