"""The algorithm step by step: as a film, as sentences and as pages.

That each step follows from those before is a law of ``tests/conformance/test_explanation.py``.
"""

import random

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.errors import LimitError
from retrosolve.explanation import trace
from retrosolve.explanation.steps import SENTENCES, steps_of
from retrosolve.explanation.tracing import MAX_MOVES, Phase
from retrosolve.games.stones import Stones
from retrosolve.languages import NUMERALS
from retrosolve.languages.phrases import OUTCOMES
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import STUCK, random_graph
from retrosolve.values import Outcome, Value


def test_a_level_decides_one_remoteness_and_levels_come_in_order() -> None:
    graph = rs.Graph.from_edges(
        ["a", "b", "c", "x", "y", "o"], ["b", "c", "d", "y", "t", "o"], terminal={"t": "tie"}
    )
    found, steps = trace(graph), rs.explain(graph)
    assert [(level.phase, level.remoteness) for level in found.levels] == [
        (Phase.START, 0), (Phase.WINS, 1), (Phase.WINS, 2), (Phase.WINS, 3), (Phase.TIES, 1),
        (Phase.TIES, 2), (Phase.DRAWS, None),
    ]  # fmt: skip
    assert [part.heading for part in steps][3:] == [
        "Level 3: looking back from what is decided in 2",
        "Ties, level 1: looking back from what is decided in 0",
        "Ties, level 2: looking back from what is decided in 1",
        "What is left: DRAW",
    ]
    assert steps_of(found) == steps
    with pytest.raises(AttributeError):
        found.levels = ()
    loop = rs.explain(rs.Graph.from_edges([0], [0]))
    assert [part.heading for part in loop] == ["At the start", "What is left: DRAW"]
    assert len(loop[0].sentences) == 1


def test_the_sentences_say_why() -> None:
    graph = rs.Graph.from_edges(["a", "a", "b", "c", "x"], ["b", "c", "d", "d", "x"])
    assert "\n".join(s for chapter in rs.explain(graph) for s in chapter.sentences) == (
        "d has no move: LOSS in 0.\n"
        "b can move to d, which is LOSS for the player to move there: WIN in 1.\n"
        "c can move to d, which is LOSS for the player to move there: WIN in 1.\n"
        "Moving from a to b would lose, since b is WIN for the player to move there; "
        "moves left to examine: 1 of 2.\n"
        "a has only moves to positions that are WIN for the other player (b, c): LOSS in 2.\n"
        "x has no winning move, but can avoid losing by moving to x."
    )


def test_a_subject_and_its_solution_have_the_same_film() -> None:
    rng = random.Random(1)
    for stuck in 5 * STUCK:
        graph = random_graph(rng)
        assert trace(graph, stuck=stuck) == trace(rs.solve(graph, stuck=stuck))
    assert rs.explain(rs.solve(Stones(n=3), stuck="win")) == rs.explain(Stones(n=3), stuck="win")
    assert trace(Stones(n=4)).start == trace(Stones(n=4)).names.index("4")
    board = rs.explain(PoliceAndThief.from_text("P.E\n.T."))
    assert any("policeman 1,1, thief 2,2" in s for part in board for s in part.sentences)


def test_sentences_are_translated_whole() -> None:
    asked = []

    def translate(text: str) -> str:
        asked.append(text)
        return text if text == NUMERALS else f"<{text}>"

    words = steps_of(trace(rs.Graph.from_edges(["a"], ["b"])), translate)
    assert words[1].sentences == [
        "<a can move to b, which is LOSS for the player to move there: <WIN in 1>.>"
    ]
    assert {SENTENCES["stuck"], SENTENCES["win"], OUTCOMES[Value.WIN]} <= set(asked)


def test_an_index_that_is_no_position_is_left_out() -> None:
    found = trace(rs.Graph.from_edges([0], [1], 3, terminal=[0, 0, 255]))
    assert found.outcomes == (Outcome(Value.WIN, 1), Outcome(Value.LOSS, 0), None)
    assert found.names == ("0", "1", "")
    assert 2 not in {event.vertex for event in found.events}


def test_game_too_large_to_trace_raises_before_exploring() -> None:
    class Endless(rs.Game):
        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("on", n + 1)]

    with pytest.raises(LimitError, match=f"more than {MAX_MOVES} positions"):
        trace(Endless())


def test_steps_are_headings_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "stones:n=2", "--as", "markdown"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "## At the start", "", "- 0 has no move: LOSS in 0.",
    ]  # fmt: skip
    assert run(["explain", "stones:n=2", "--as", "html"]) == 0
    page = capsys.readouterr().out
    assert page.startswith('<!doctype html><html lang="en" dir="ltr">')
    assert "<h2>At the start</h2><ul><li>0 has no move: LOSS in 0.</li></ul>" in page
    names = rs.explain(rs.Graph.from_edges(["<b>"], ["a&b"]))._repr_html_()
    assert "&lt;b&gt;" in names
    assert "<b>" not in names
