"""Whole numbers as labels: only those that occur are vertices."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve import Graph
from retrosolve.runtime import tuning
from retrosolve.spaces.csr import ids
from retrosolve.spaces.csr.ids import SortedIds
from tests.conftest import Tune
from tests.support.marks import examples

IDS = st.integers(0, 12) | st.sampled_from([10**6, 2**40])


def rows(graph: Graph) -> dict[object, list[object]]:
    return {
        graph.position(v): [graph.position(w) for w in graph.neighbors(v).tolist()]
        for v in range(graph.num_vertices)
    }


@pytest.mark.parametrize("compile_from", [0, 10**9])
@pytest.mark.parametrize("dtype", [np.int64, list])
def test_ids_are_labels_unless_they_are_all_numbers_from_0(compile_from: int, dtype: type) -> None:
    @examples(150, 300)
    @given(st.lists(st.tuples(IDS, IDS), max_size=15), st.lists(IDS, max_size=2))
    def check(edges: list[tuple[int, int]], more: list[int]) -> None:
        source, target = [a for a, _ in edges], [b for _, b in edges]
        given = (
            (source, target) if dtype is list else (np.array(source, dtype), np.array(target, dtype))
        )
        with tuning.using(compile_from=compile_from):
            graph = Graph.from_edges(*given, terminal=dict.fromkeys(more, "tie"))
        expected = sorted({*source, *target, *more})
        assert (graph.names is None) == (expected == list(range(len(expected))))
        assert rows(graph) == {v: [b for a, b in edges if a == v] for v in expected}
        assert [graph.terminal(0, graph.num_vertices)[graph.index(v)] for v in more] == [3] * len(more)

    check()


def test_an_edge_list_that_is_kept_has_no_gaps_either(tune: Tune) -> None:
    tune(compile_from=0)
    graph = Graph.from_edges([3, 1], [1, 2])
    assert graph.edge_list is not None
    assert graph.names == (1, 2, 3)
    assert rows(graph) == {1: [2], 2: [], 3: [1]}


def test_ids_from_1_make_no_vertex_0() -> None:
    solution = rs.solve(Graph.from_edges([1, 2, 3], [2, 3, 4]))
    assert len(solution) == 4
    assert str(solution[1]) == "WIN in 3"
    assert solution.moves(3)[0].position == 4
    assert solution.space.parse("4") == 4
    with pytest.raises(rs.PositionError):
        solution[0]


def test_large_ids_cost_what_their_edges_cost() -> None:
    tracemalloc.start()
    graph = Graph.from_edges([10**9, 2], [2, 3])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**6
    assert graph.names == (2, 3, 10**9)
    assert (graph.index(10**9), graph.position(0)) == (2, 2)


@pytest.mark.parametrize(
    "declared",
    [{"vertices": 5}, {"owner": [0] * 5}, {"terminal": [0] * 5}, {"names": list("abcde")}],
    ids=lambda declared: next(iter(declared)),
)
def test_declared_vertices_are_0_to_n(declared: dict[str, object]) -> None:
    graph = Graph.from_edges([1, 3], [3, 1], **declared)
    assert graph.num_vertices == 5
    assert graph.neighbors(1).tolist() == [3]
    with pytest.raises(rs.GraphError):
        Graph.from_edges([1], [5], **declared)


def test_owners_of_ids_by_mapping() -> None:
    graph = Graph.from_edges([10, 20], [20, 30], owner={10: 1, 20: 0, 30: 1, 40: 0})
    assert graph.names == (10, 20, 30, 40)
    assert graph.owner is not None
    assert graph.owner.tolist() == [1, 0, 1, 0]
    with pytest.raises(rs.GraphError):
        Graph.from_edges([10, 20], [20, 30], owner={10: 1, 30: 1})


def test_vertices_declared_skip_the_search_for_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "number_ids", None)
    assert Graph.from_edges([0, 1], [1, 0], 2).num_edges == 2


def test_sorted_ids_are_a_sequence() -> None:
    named = SortedIds(np.array([2, 5, 9]))
    assert list(named) == [2, 5, 9]
    assert (named[-1], named[1:], repr(named), len(named)) == (9, (5, 9), "(2, 5, 9)", 3)
    assert named == SortedIds(np.array([2, 5, 9]))
    assert (2, 5, 9) == named != (2, 5)
    assert dict(named.numbers) == {2: 0, 5: 1, 9: 2}
    for missing in (3, 10, True, "2", 2.0, None):
        assert missing not in named.numbers
