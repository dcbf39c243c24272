"""``assert_same_answers``: what it accepts, what it refuses, and the sentence that it refuses with."""

import re

import pytest

import retrosolve as rs
from retrosolve.testing import (
    CompiledGraphGame,
    MirroredGame,
    assert_same_answers,
    random_graph,
)

PATH = rs.Graph.from_edges([0, 1, 2], [1, 2, 3])


def test_solutions_of_one_graph_agree() -> None:
    for seed in range(50):
        graph = random_graph(seed)
        assert_same_answers(rs.solve(graph), rs.solve(graph, solver="reference"))


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (([0, 1, 2, 2], [1, 2, 3, 2]), None),
        (([0, 1, 2, 2], [1, 2, 3, 0]), None),
        (([0, 1, 2, 3], [1, 2, 3, 3]), "4 of 4 answers differ, the first at 0: WIN in 3 and DRAW"),
        (([0, 1, 2, 0], [1, 2, 3, 3]), "1 of 4 answers differ, the first at 0: WIN in 3 and WIN in 1"),
        (([0, 1], [1, 2]), "the solutions have 4 and 3 indices"),
    ],
)
def test_any_difference_is_named(edges: tuple[list[int], list[int]], message: str | None) -> None:
    left, right = rs.solve(PATH), rs.solve(rs.Graph.from_edges(*edges))
    if message is None:
        assert_same_answers(left, right)
    else:
        with pytest.raises(AssertionError, match=f"^{re.escape(message)}$"):
            assert_same_answers(left, right)


def test_the_remoteness_can_be_left_out() -> None:
    right = rs.solve(rs.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3]))
    assert_same_answers(rs.solve(PATH), right, remoteness=False)
    assert_same_answers(rs.solve(PATH), right, range(4), remoteness=False)
    with pytest.raises(AssertionError, match="1 of 4 answers differ"):
        assert_same_answers(rs.solve(PATH), right, range(4))
    with pytest.raises(AssertionError, match=r"4 of 4 .*, the first at 0: WIN and LOSS"):
        assert_same_answers(rs.solve(PATH), rs.solve(PATH, stuck="win"), remoteness=False)


def test_invalid_indices_are_compared_too() -> None:
    left = rs.solve(CompiledGraphGame(rs.Graph.from_edges([0], [1])))
    right = rs.solve(rs.Graph.from_edges([], [], 6))
    with pytest.raises(AssertionError, match=r"5 of 6 .*, the first at 0: no position and LOSS in 0"):
        assert_same_answers(left, right)


def test_games_with_different_indices_are_compared_by_position() -> None:
    full, folded = (rs.solve(MirroredGame(PATH, *rules)) for rules in ((), ("canonical",)))
    assert_same_answers(full, folded, range(8))
    other = rs.solve(MirroredGame(PATH, "canonical"), stuck="win")
    with pytest.raises(
        AssertionError, match=r"^8 of 8 answers differ, the first at 0: WIN in 3 and LOSS"
    ):
        assert_same_answers(full, other, range(8))
