"""Graph: rows of edges, names and attributes. What it refuses is in ``tests/bad_input/graphs.py``."""

import itertools

import numpy as np
import pytest
from hypothesis import given

import retrosolve as rs
from retrosolve import Graph
from retrosolve.runtime import threads as threading
from retrosolve.spaces.csr import build as edge_rows
from retrosolve.testing.strategies import graphs
from tests.conftest import Tune


def rows(graph: Graph) -> list[list[int]]:
    return [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]


@pytest.mark.parametrize("threshold", [0, 10**9])
def test_edges_to_rows_equals_sorting(threshold: int, tune: Tune) -> None:
    tune(compile_from=threshold)
    rng = np.random.default_rng(0)
    for dtype in (np.int32, np.int64, np.uint8):
        source, target = rng.integers(0, 50, (2, 400)).astype(dtype)
        graph = Graph.from_edges(source, target, 60)
        order = np.argsort(source, kind="stable")
        assert graph.indices.tolist() == target[order].tolist()
        assert graph.indptr.tolist() == np.searchsorted(np.sort(source), np.arange(61)).tolist()


@pytest.mark.parametrize(
    ("shift", "gap", "vertices", "threads"),
    [(6, 0, 65, 1), (6, 1, 3000, 3), (7, 5000, 3000, 1), (16, 10, 64, 3), (6, 0, 1, 3)],
)
def test_rows_are_sorted_out_of_buckets(
    shift: int, gap: int, vertices: int, threads: int, tune: Tune
) -> None:
    tune(compile_from=0, min_work_per_thread=1, bucket_shift=shift, bucket_gap=gap)
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, vertices, (2, 5000), dtype=np.int32)
    with threading.ThreadPool(threads, 10**9) as pool:
        dealt = edge_rows.deal(source, target, vertices, pool)
        for _ in range(2):
            indptr, indices = dealt.rows(pool)
            assert np.array_equal(indices, target[np.argsort(source, kind="stable")])
            assert np.array_equal(indptr, np.searchsorted(np.sort(source), np.arange(vertices + 1)))
        again = edge_rows.rows_as_buckets(indptr, indices, pool)
        assert np.shares_memory(again.target, indices)
        assert [row.tolist() for row in again.rows(pool)] == [indptr.tolist(), indices.tolist()]
    columns = [np.concatenate(ends) for ends in zip(*dealt.chunks(), strict=True)]
    pairs = np.sort(columns[0].astype(np.int64) * vertices + columns[1])
    assert np.array_equal(pairs, np.sort(source.astype(np.int64) * vertices + target))


def test_threads_that_ask_for_rows_at_once_share_them(tune: Tune) -> None:
    tune(compile_from=0, max_serial_work=-1)
    source, target = np.random.default_rng(1).integers(0, 10**5, (2, 10**6), dtype=np.int32)
    graph = Graph.from_edges(source, target, 10**5)
    with threading.ThreadPool(4, 10**9) as pool:
        rows = pool.map(lambda i: graph.indices, 4)
    assert all(indices is rows[0] for indices in rows)


def test_vertex_numbers_above_32_bits_are_dealt_as_they_are(
    monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(compile_from=0)
    monkeypatch.setattr(edge_rows, "index_bytes", lambda count: 8)
    source, target = np.random.default_rng(1).integers(0, 1000, (2, 5000))
    with threading.ThreadPool(2, 10**9) as pool:
        dealt = edge_rows.deal(source, target + 2**33, 1000, pool)
        assert np.array_equal(
            dealt.rows(pool)[1].view(np.int64) - 2**33, target[np.argsort(source, kind="stable")]
        )


def test_a_graph_cannot_be_changed_and_leaves_the_callers_arrays_alone() -> None:
    indptr, indices = np.array([0, 1], np.int32), np.array([0], np.int32)
    graph = Graph.from_csr(indptr, indices)
    assert np.shares_memory(graph.indices, indices)
    with pytest.raises(ValueError, match="read-only"):  # NumPy's word
        graph.indices[0] = 0
    indices[0] = 0


def test_edges_kept_unsorted_do_not_follow_the_callers_arrays(tune: Tune) -> None:
    tune(compile_from=0)
    source, target = np.array([1, 0], np.int32), np.array([0, 1], np.int32)
    graph = Graph.from_edges(source, target)
    assert graph.edge_list is not None
    source[:] = target[:] = 0
    assert (graph.num_edges, rows(graph), graph.edge_list) == (2, [[1], [0]], None)


def test_names_owner_and_terminal_by_mapping() -> None:
    graph = Graph.from_edges(
        ["x", "y"], ["y", "z"], owner={"x": 0, "y": 1, "z": 0}, terminal={"z": "TIE"}
    )
    assert graph.owner is not None
    assert graph.owner.tolist() == [0, 1, 0]
    assert (graph.index("z"), graph.position(1)) == (2, "y")
    assert repr(graph) == "Graph(vertices=3, edges=2, owners, terminals=1, names)"


def test_vertices_follow_from_what_is_given() -> None:
    assert Graph.from_edges([], []).num_vertices == 0
    assert Graph.from_edges([], [], 5).num_vertices == 5
    assert Graph.from_edges([0], [1], owner=[0, 1, 1]).num_vertices == 3
    assert Graph.from_edges([0], [1], names="abcd").num_vertices == 4
    assert Graph.from_csr([0], []).num_vertices == 0


@given(graphs())
def test_rows_give_any_span_and_equality_is_by_content(graph: Graph) -> None:
    for start, stop in itertools.combinations_with_replacement(range(graph.num_vertices + 1), 2):
        indptr, indices = graph.successors(start, stop)
        spans = [indices[a:b].tolist() for a, b in itertools.pairwise(indptr)]
        assert spans == rows(graph)[start:stop]
    again = Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.terminals)
    assert again == graph
    names = [f"v{i}" for i in range(graph.num_vertices)]
    plain = Graph.from_csr(graph.indptr, graph.indices)
    assert Graph.from_csr(graph.indptr, graph.indices, names=names) != plain
    assert graph != "graph"


@pytest.mark.parametrize("position", [-1, 3, 1.0, "a", None])
def test_positions_that_are_none_are_refused(position: object) -> None:
    solution = rs.solve(Graph.from_edges([0, 1], [1, 2]))
    with pytest.raises(rs.PositionError):
        solution[position]
