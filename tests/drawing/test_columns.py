"""Drawn games lie in columns by remoteness, one place a position."""

from hypothesis import given

import retrosolve as rs
from retrosolve.drawing.layout import in_columns
from retrosolve.explanation import trace
from retrosolve.testing.strategies import graphs
from tests.support.marks import examples


@examples(30, 60)
@given(graphs())
def test_the_layout_is_one_place_a_position_by_remoteness(graph: rs.Graph) -> None:
    found = trace(graph)
    remoteness = [outcome.remoteness for outcome in found.outcomes if outcome]
    moves = [(v, w) for v, row in enumerate(found.successors) for w in row]
    places = in_columns(remoteness, moves)
    assert len(set(places)) == len(places) == graph.num_vertices
    assert places == in_columns(remoteness, moves)
    for v, (column, _) in enumerate(places):
        for w, (other, _) in enumerate(places):
            if remoteness[v] is not None and remoteness[w] is not None and column < other:
                assert remoteness[v] >= remoteness[w]
            if remoteness[v] is None and remoteness[w] is not None:
                assert column < other


def test_long_columns_are_divided() -> None:
    places = in_columns([0] * 150, [])
    assert len(set(places)) == 150
    assert max(column for column, _ in places) > 5
    assert max(row for _, row in places) <= 5
