"""``assert_same_answers``: what it accepts, what it refuses, and the sentence that it refuses with."""

import re
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.testing import CompiledGraphGame, MirroredGame, assert_same_answers, random_graph

PATH = rs.Graph.from_edges([0, 1, 2], [1, 2, 3])


def path_with(*more: tuple[int, int]) -> rs.Graph:
    return rs.Graph.from_edges([0, 1, 2, *(v for v, _ in more)], [1, 2, 3, *(w for _, w in more)])


def test_solutions_of_one_graph_agree() -> None:
    for seed in range(30):
        graph = random_graph(seed)
        assert_same_answers(rs.solve(graph), rs.solve(graph, solver="reference"))
    for more in ((2, 2), (2, 0)):
        assert_same_answers(rs.solve(PATH), rs.solve(path_with(more)))


@pytest.mark.parametrize(
    ("left", "right", "positions", "remoteness", "sentence"),
    [
        (PATH, rs.solve(path_with((3, 3))), None, True, "4 of 4 answers differ, the first at 0: WIN in 3 and DRAW"),
        (PATH, rs.solve(path_with((0, 3))), None, True, "1 of 4 answers differ, the first at 0: WIN in 3 and WIN in 1"),
        (PATH, rs.solve(path_with((0, 3))), range(4), True, "1 of 4 answers differ, the first at 0: WIN in 3 and WIN in 1"),
        (PATH, rs.solve(path_with((0, 3))), None, False, ""),
        (PATH, rs.solve(path_with((0, 3))), range(4), False, ""),
        (PATH, rs.solve(PATH, stuck="win"), None, False, "4 of 4 answers differ, the first at 0: WIN and LOSS"),
        (PATH, rs.solve(rs.Graph.from_edges([0, 1], [1, 2])), None, True, "the solutions have 4 and 3 indices"),
        (CompiledGraphGame(rs.Graph.from_edges([0], [1])), rs.solve(rs.Graph.from_edges([], [], 6)), None, True,
         "5 of 6 answers differ, the first at 0: no position and LOSS in 0"),
        (MirroredGame(PATH), rs.solve(MirroredGame(PATH, "canonical")), range(8), True, ""),
        (MirroredGame(PATH), rs.solve(MirroredGame(PATH, "canonical"), stuck="win"), range(8), True,
         "8 of 8 answers differ, the first at 0: WIN in 3 and LOSS"),
    ],
)  # fmt: skip
def test_any_difference_is_named(
    left: Any, right: rs.Solution, positions: Any, remoteness: bool, sentence: str
) -> None:
    if not sentence:
        assert_same_answers(rs.solve(left), right, positions, remoteness=remoteness)
        return
    with pytest.raises(AssertionError, match=f"^{re.escape(sentence)}"):
        assert_same_answers(rs.solve(left), right, positions, remoteness=remoteness)
