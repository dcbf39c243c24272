"""Explain decides exactly what the solvers decide, in order, and says so."""

import random
import re

import pytest

import retrosolve as rs
from retrosolve.explanation import explain
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import STUCK, random_graph


def decided(chapters: list) -> dict[str, str]:
    """What the sentences claim: the last outcome said of each position."""
    found: dict[str, str] = {}
    for chapter in chapters:
        for sentence in chapter.sentences:
            name = sentence.split(" ")[0]
            if chapter.heading.startswith("What is left"):
                assert name not in found
                found[name] = "DRAW"
            elif match := re.search(r": ((?:WIN|LOSS|TIE) in \d+)\.$", sentence):
                assert name not in found
                found[name] = match[1]
    return found


def test_every_outcome_is_explained_once() -> None:
    rng = random.Random(8)
    for i in range(500):
        graph = random_graph(rng)
        solution = rs.solve(graph, stuck=STUCK[i % 3])
        expected = {str(v): str(solution[v]) for v in range(graph.num_vertices)}
        assert decided(explain(graph, stuck=STUCK[i % 3])) == expected


def test_levels_are_explained_in_order() -> None:
    graph = rs.Graph.from_edges([0, 1, 2, 3, 4, 4], [1, 2, 3, 4, 4, 2])
    headings = [chapter.heading for chapter in explain(graph)]
    assert headings == ["At the start", "What is left: DRAW"]
    headings = [c.heading for c in explain(rs.Graph.from_edges([0, 1, 2], [1, 2, 3]), stuck="tie")]
    assert headings[1:] == [
        f"Ties, level {k}: looking back from what is decided in {k - 1}" for k in (1, 2, 3)
    ]


def test_the_sentences_say_why() -> None:
    graph = rs.Graph.from_edges(["a", "a", "b", "c", "x"], ["b", "c", "d", "d", "x"])
    text = "\n".join(s for chapter in explain(graph) for s in chapter.sentences)
    assert text == (
        "d has no move: LOSS in 0.\n"
        "b can move to d, which is LOSS for the player to move there: WIN in 1.\n"
        "c can move to d, which is LOSS for the player to move there: WIN in 1.\n"
        "Moving from a to b would lose, since b is WIN for the player to move there; "
        "moves left to examine: 1 of 2.\n"
        "a has only moves to positions that are WIN for the other player (b, c): LOSS in 2.\n"
        "x has no winning move, but can avoid losing by moving to x."
    )


def test_games_are_explained_under_their_own_names() -> None:
    chapters = explain(PoliceAndThief.from_text("P.E\n.T."))
    assert any("policeman 1,1, thief 2,2" in s for c in chapters for s in c.sentences)


def test_large_games_are_refused() -> None:
    with pytest.raises(rs.GraphError, match="201 positions are too many to explain"):
        explain(rs.Graph.from_edges([], [], 201))
