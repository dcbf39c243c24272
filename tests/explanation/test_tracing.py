"""The trace ends where the solvers do, and every step of it follows from those before."""

import json

import pytest
from hypothesis import given

import retrosolve as rs
from retrosolve.errors import LimitError
from retrosolve.explanation import Trace, trace
from retrosolve.explanation.steps import SENTENCES, sentence_key, steps_of
from retrosolve.explanation.tracing import MAX_MOVES, Level, Phase, Rule
from retrosolve.games import parse_game
from retrosolve.games.stones import Stones
from retrosolve.languages import NUMERALS
from retrosolve.languages.phrases import OUTCOMES
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing.strategies import boards, games, graphs, stuck_values
from retrosolve.values import Outcome, Value
from tests.support.marks import examples


def seen(found: Trace, source: int, target: int) -> Value:
    """The final value of a target for the player who moves at the source."""
    outcome = found.outcomes[target]
    assert outcome is not None
    return outcome.value if found.same_player(source, target) else outcome.value.opposite()


def check_counters(found: Trace) -> None:
    """Every counter goes down by one at a time, and ends at the number of moves that do not lose."""
    counter = [len(row) for row in found.successors]
    for event in found.events:
        lowers = event.rule in (Rule.REFUTED, Rule.LOSS)
        assert event.open_moves == counter[event.vertex] - lowers
        counter[event.vertex] = event.open_moves
    assert list(found.state(len(found.events)).open_moves) == counter
    for v, row in enumerate(found.successors):
        outcome = found.outcomes[v]
        if not row or outcome is None:
            continue
        kept = sum(seen(found, v, w) is not Value.LOSS for w in row)
        if outcome.value is Value.WIN:
            assert kept <= counter[v]
            assert counter[v] >= 1
        else:
            assert counter[v] == kept
            assert (counter[v] == 0) == (outcome.value is Value.LOSS)


def check_steps(found: Trace) -> None:
    """Each event is about a move whose target was decided one level before."""
    decided: dict[int, Outcome] = {}
    for level in found.levels:
        for event in level.events:
            v = event.vertex
            assert v not in decided
            for source, target in found.deciding_moves(event):
                assert source == v
                assert target in found.successors[v]
            if event.target is not None:
                assert decided[event.target].remoteness == level.remoteness - 1
            if event.outcome is not None:
                assert event.outcome.remoteness == level.remoteness
                decided[v] = event.outcome
    assert [decided.get(v) for v in range(len(found.names))] == list(found.outcomes)


@given(graphs(max_vertices=12, max_edges=30), stuck_values())
def test_the_trace_of_a_graph_ends_in_its_solution(graph: rs.Graph, stuck: str) -> None:
    found = trace(graph, stuck=stuck)
    solution = rs.solve(graph, stuck=stuck)
    assert list(found.outcomes) == [solution[v] for v in range(graph.num_vertices)]
    check_counters(found)
    check_steps(found)


@examples(30, 60)
@given(games(), stuck_values())
def test_the_trace_of_a_game_ends_in_its_solution(game: rs.Game, stuck: str) -> None:
    solution = rs.solve(game, stuck=stuck)
    found = trace(solution)
    expected = {solution.space.text(position): outcome for position, outcome in solution.items()}
    assert dict(zip(found.names, found.outcomes, strict=True)) == expected


@examples(30, 60)
@given(boards())
def test_the_trace_of_a_board_ends_in_its_solution(board: str) -> None:
    game = PoliceAndThief.from_text(board)
    found = trace(game)
    solution = rs.solve(game)
    assert list(found.outcomes) == [
        solution[solution.space.position(v)] for v in range(len(found.names))
    ]
    check_counters(found)


def test_a_level_decides_one_remoteness_and_levels_come_in_order() -> None:
    graph = rs.Graph.from_edges(
        ["a", "b", "c", "x", "y", "o"], ["b", "c", "d", "y", "t", "o"], terminal={"t": "tie"}
    )
    found = trace(graph)
    assert [(level.phase, level.remoteness) for level in found.levels] == [
        (Phase.START, 0),
        (Phase.WINS, 1),
        (Phase.WINS, 2),
        (Phase.WINS, 3),
        (Phase.TIES, 1),
        (Phase.TIES, 2),
        (Phase.DRAWS, None),
    ]
    with pytest.raises(AttributeError):
        found.levels = ()
    assert all(isinstance(level, Level) for level in found.levels)


def test_words_and_film_come_from_one_trace() -> None:
    subject = parse_game("hexapawn")
    found = trace(subject)
    assert steps_of(found) == rs.explain(subject)
    assert [len(level.events) for level in found.levels] == [
        len(section.sentences) for section in rs.explain(subject)
    ]


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


@examples(30, 60)
@given(graphs(), stuck_values())
def test_every_event_has_a_sentence(graph: rs.Graph, stuck: str) -> None:
    found = trace(graph, stuck=stuck)
    assert {sentence_key(found, event) for event in found.events} <= set(SENTENCES)


def test_a_trace_is_ready_for_json() -> None:
    found = trace(Stones(n=4))
    assert json.loads(json.dumps(found.to_json())) == found.to_json()
    assert found.to_json()["start"] == found.names.index("4")


def test_an_index_that_is_no_position_is_left_out() -> None:
    graph = rs.Graph.from_edges([0], [1], 3, terminal=[0, 0, 255])
    found = trace(graph)
    assert found.outcomes == (Outcome(Value.WIN, 1), Outcome(Value.LOSS, 0), None)
    assert found.names == ("0", "1", "")
    assert 2 not in {event.vertex for event in found.events}


def test_game_too_large_to_trace_raises_before_exploring() -> None:
    with pytest.raises(rs.GraphError, match="131073 positions are too many to trace"):
        trace(rs.Graph.from_edges([], [], MAX_MOVES + 1))
    with pytest.raises(rs.GraphError, match="131073 moves are too many to trace"):
        trace(rs.Graph.from_edges([0] * (MAX_MOVES + 1), [1] * (MAX_MOVES + 1)))

    class Endless(rs.Game):
        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("on", n + 1)]

    with pytest.raises(LimitError, match=f"more than {MAX_MOVES} positions"):
        trace(Endless())
