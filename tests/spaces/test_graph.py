"""Graph: what it takes, what it gives, and what it refuses."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given

import retrosolve as rs
from retrosolve import Graph, Value
from retrosolve.runtime import threads as threading
from retrosolve.spaces.csr import build as edge_rows
from retrosolve.testing.strategies import graphs
from tests.conftest import Tune


def rows(graph: Graph) -> list[list[int]]:
    return [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]


def test_a_graph_lists_the_names_for_users_only() -> None:
    graph = Graph.from_edges([0], [1])
    public = {name for name in dir(graph) if not name.startswith("_")}
    assert all(hasattr(graph, name) for name in public)
    assert {"neighbors", "from_edges", "with_start"} <= public
    assert not public & {"capabilities", "spec", "arrays", "edge_list", "direction", "materialize"}


def test_edges_keep_their_order_within_a_row() -> None:
    graph = Graph.from_edges([2, 0, 2, 2], [1, 2, 0, 1])
    assert rows(graph) == [[2], [], [1, 0, 1]]
    assert (graph.num_vertices, graph.num_edges) == (3, 4)


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


@pytest.mark.parametrize(("shift", "gap"), [(6, 0), (6, 1), (7, 5000), (16, 10)])
@pytest.mark.parametrize("vertices", [1, 64, 65, 3000])
@pytest.mark.parametrize("threads", [1, 3])
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


@pytest.mark.thorough
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
    with pytest.raises(ValueError, match="read-only"):
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


def test_networkx() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "c")])
    graph.nodes["c"]["terminal"] = "loss"
    nx.set_node_attributes(graph, {"a": 0, "b": 1, "c": 1}, "owner")
    ours = Graph.from_networkx(graph)
    assert (ours.names, rows(ours)) == (("a", "b", "c"), [[1], [2], [2]])
    assert rs.solve(ours)["b"] == (Value.LOSS, 1)  # c is the same player's loss
    assert rows(Graph.from_networkx(nx.path_graph(3))) == [[1], [0, 2], [1]]
    assert Graph.from_networkx(nx.path_graph(3)).names is None
    assert Graph.from_networkx(nx.MultiDiGraph([(0, 1), (0, 1)])).num_edges == 2
    assert rows(Graph.from_networkx(nx.Graph([(0, 0)]))) == [[0]]
    assert Graph.from_networkx(nx.DiGraph([(1, 0)])).names == (1, 0)


def test_scipy() -> None:
    dense = np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    for make in (sp.csr_array, sp.coo_array, sp.csc_matrix, sp.lil_array):
        assert rows(Graph.from_scipy(make(dense))) == [[1], [2], []]
    stored_zero = sp.csr_array((np.zeros(1), ([0], [1])), shape=(2, 2))
    assert Graph.from_scipy(stored_zero).num_edges == 0
    assert stored_zero.nnz == 1
    with pytest.raises(rs.GraphError, match=r"shape \(2, 3\): expected a square"):
        Graph.from_scipy(sp.csr_array((2, 3)))


def test_entries_of_matrices_are_weights_where_chance_moves() -> None:
    owner, terminal = [rs.CHANCE, 0, 0], [0, Value.WIN, Value.LOSS]
    for entries in ([9, 1], [9.0, 1.0]):
        matrix = sp.csr_array((entries, ([0, 0], [1, 2])), shape=(3, 3))
        graph = Graph.from_scipy(matrix, owner, terminal)
        assert str(rs.solve(graph)[0]) == "90 %"
    message = "entry in row 0 and column 1 is {}, the weight of a move of chance: expected a whole numb"
    for entry in (0.9, -9, np.nan, 1e9):
        matrix = sp.csr_array(([entry, 1], ([0, 0], [1, 2])), shape=(3, 3))
        with pytest.raises(rs.GraphError, match=message.format(entry)):
            Graph.from_scipy(matrix, owner, terminal)
        assert Graph.from_scipy(matrix, [0, 0, 0], terminal).weight is None


@pytest.mark.parametrize("third", [2, np.uint8(2), rs.CHANCE])
@pytest.mark.parametrize(
    "make",
    [
        lambda owner: Graph.from_edges([0, 0, 1], [1, 2, 0], owner=owner),
        lambda owner: Graph.from_edges([(0, 1), (0, 2), (1, 0)], owner=list(owner.values())),
        lambda owner: Graph.from_csr([0, 2, 3, 3], [1, 2, 0], list(owner.values())),
        lambda owner: Graph.from_dict({0: [1, 2], 1: [0]}, owner),
        lambda owner: Graph.from_scipy(sp.csr_array([[0, 1, 1], [1, 0, 0], [0, 0, 0]]), owner),
    ],
)
def test_a_third_player_is_not_chance(make: Callable[[dict[int, Any]], Graph], third: Any) -> None:
    owner = {0: third, 1: 1, 2: 0}
    if third is rs.CHANCE:
        assert make(owner).has_chance
    else:
        with pytest.raises(rs.GraphError, match="vertex 0 has the owner 2, and edges have no weights"):
            make(owner)
        with pytest.raises(rs.GraphError, match="the owners are 1 and 2"):
            make(owner | {2: 1})


@pytest.mark.parametrize("owner", [[2, 1, 0], np.array([2, 1, 0]), {0: 2, 1: 1, 2: 0}])
def test_owner_2_is_chance_with_weights(owner: Any) -> None:
    edges = [(0, 1), (0, 2), (1, 0)]
    assert Graph.from_edges(edges, owner=owner, weight=[1, 2, 1]).has_chance
    with pytest.raises(rs.GraphError, match="the owners are 1 and 2"):
        Graph.from_edges(edges, owner=[2, 1, 1], weight=[1, 2, 1])


@given(graphs())
def test_rows_give_any_span(graph: Graph) -> None:
    for start in range(graph.num_vertices + 1):
        for stop in range(start, graph.num_vertices + 1):
            indptr, indices = graph.successors(start, stop)
            assert [indices[a:b].tolist() for a, b in itertools.pairwise(indptr)] == rows(graph)[
                start:stop
            ]


@given(graphs())
def test_equality_is_by_content(graph: Graph) -> None:
    again = Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.terminals)
    assert again == graph
    named = Graph.from_csr(
        graph.indptr, graph.indices, names=[f"v{i}" for i in range(graph.num_vertices)]
    )
    assert named != Graph.from_csr(graph.indptr, graph.indices)
    assert graph != "graph"


BAD = [
    (lambda: Graph.from_edges([0], [0, 1]), r"source has 1 edges and target 2"),
    (lambda: Graph.from_edges([0.0], [1]), r"source has dtype float64: expected integers"),
    (lambda: Graph.from_edges([float("nan")], [1]), r"source\[0\] is missing"),
    (lambda: Graph.from_edges([True], [0]), r"source has dtype bool: expected integers"),
    (lambda: Graph.from_edges([0], [-4]), r"target\[0\] is -4: expected 0 or more"),
    (lambda: Graph.from_edges([[0], [1, 2]], [0, 1]), r"source is not an array"),
    (lambda: Graph.from_edges([[0]], [[1]]), r"source has 2 dimensions"),
    (lambda: Graph.from_edges(0, 1), r"source has 0 dimensions"),
    (lambda: Graph.from_edges([2**70], [0]), r"source\[0\] is out of range"),
    (
        lambda: Graph.from_edges(np.array([2**63], np.uint64), [0]),
        r"expected at most 9223372036854775807",
    ),
    (
        lambda: Graph.from_edges([0], [5], 3),
        r"target\[0\] is 5, but the graph has 3 vertices \(0\.\.2\)",
    ),
    (lambda: Graph.from_edges([0], [0], 0), r"has 0 vertices \(none\)"),
    (lambda: Graph.from_edges([0], [1], -1), r"vertices=-1: expected 0 or more"),
    (lambda: Graph.from_edges([0], [1], 2.5), r"vertices=2\.5: expected a whole number"),
    (lambda: Graph.from_edges([0], [1], True), r"vertices=True: expected a whole number"),
    (lambda: Graph.from_edges([0], [1], owner=[0, 3]), r"owner\[1\] is 3: expected 0 or 1"),
    (lambda: Graph.from_edges([0], [1], 2, owner=[0]), r"owner has 1 entries: expected 2"),
    (lambda: Graph.from_edges([0], [1], owner=[0.0, 1.0]), r"owner has dtype float64"),
    (lambda: Graph.from_edges([0], [1], owner=[-1, 0]), r"owner\[0\] is -1"),
    (lambda: Graph.from_edges([0], [1], owner={0: 1}), r"owner leaves out vertex 1"),
    (lambda: Graph.from_edges([0], [1], terminal=[0, 4]), r"terminal\[1\] is 4: expected 0 \(not"),
    (lambda: Graph.from_edges([0], [1], terminal={1: 0}), r"terminal\[1\] is 0: expected WIN, LOSS or"),
    (
        lambda: Graph.from_edges([0], [1], terminal={1: "won"}),
        r"terminal\[.*\] is 'won': expected WIN, LOSS or TIE",
    ),
    (lambda: Graph.from_edges([0], [1], 2, terminal={5: 1}), r"terminal names 5: there is no vertex 5"),
    (
        lambda: Graph.from_edges([0], [1], terminal={1: 1.5}),
        r"terminal\[1\] is 1\.5: expected a Value for the player to move, or win, loss or tie",
    ),
    (
        lambda: Graph.from_edges(["a"], ["b"], terminal={"b": True}),
        r"terminal\['b'\] is True: expected a Value for the player to move, or win, loss or tie",
    ),
    (
        lambda: Graph.from_edges([0], [1], terminal=np.array([False, True])),
        r"terminal has dtype bool: expected a Value for the player to move where the game ends, and 0 "
        r"elsewhere, such as np\.where\(goal, Value\.WIN, 0\)",
    ),
    (
        lambda: Graph.from_edges([0, 7], [1, 2], owner=[0, 1, 0]),
        r"source\[1\] is 7, but owner has length 3, one entry a vertex \(0\.\.2\)",
    ),
    (
        lambda: Graph.from_edges([0], [7], terminal=[0, 1], names=["a", "b"]),
        r"target\[0\] is 7, but names has length 2, one entry a vertex",
    ),
    *(
        (
            partial(Graph.from_edges, [0], [1], **{what: np.ma.array([0, 1], mask=[0, 1])}),
            rf"{what}\[1\] is missing: expected an integer",
        )
        for what in ("owner", "terminal", "payoff")
    ),
    (
        lambda: Graph.from_edges([0], [1], reward=np.ma.array([1], mask=[1])),
        r"reward\[0\] is missing: expected an integer",
    ),
    (
        lambda: Graph.from_csr(np.ma.array([0, 1], mask=[0, 1]), [0]),
        r"indptr\[1\] is missing: expected an integer",
    ),
    (lambda: Graph.from_edges([0], [1], owner=[True, 0]), r"owner\[0\] is True: expected an integer"),
    (lambda: Graph.from_edges([0], [1], 2, names=["a"]), r"names has 1 entries: expected 2"),
    (lambda: Graph.from_edges([0], [1], names=["a", "a"]), r"names\[1\] is 'a', and so is names\[0\]"),
    (lambda: Graph.from_edges([0], [1], names=["a", []]), r"names\[1\] is \[\]: expected something h"),
    (lambda: Graph.from_edges(["a"], ["b"], 2), r"edges between names take neither"),
    (lambda: Graph.from_edges(["a", "b"], ["b", ()]), r"target\[1\] is \(\): expected a name"),
    (lambda: Graph.from_edges(["a"], ["b", "c"]), r"source has 1 edges and target 2"),
    (lambda: Graph.from_csr([], []), r"indptr is empty"),
    (lambda: Graph.from_csr([1, 1], [0]), r"indptr\[0\] is 1: expected 0"),
    (lambda: Graph.from_csr([0, 2, 1], [0, 0]), r"indptr\[2\] is 1, less than indptr\[1\]"),
    (lambda: Graph.from_csr([0, 1], [0, 0]), r"indptr ends at 1: expected 2"),
    (lambda: Graph.from_csr([0, 1], [1]), r"indices\[0\] is 1, but the graph has 1 vertex \(0\.\.0\)"),
    (lambda: rs.solve("graph"), r"'graph' cannot be solved: expected game"),
    (
        lambda: rs.solve(Graph.from_edges([0], [1]), stuck="draw"),
        r"stuck='draw' is not known: expected 'loss'",
    ),
    (lambda: rs.solve(Graph.from_edges([0], [1]), solver="fast"), r"solver='fast' is not known"),
    (
        lambda: rs.solve(Graph.from_edges([0], [1]), solver="bitset"),
        r"bitset solver takes games of two tokens",
    ),
    (lambda: rs.solve(Graph.from_edges([0], [1]), threads=0), r"threads=0: expected a whole number"),
    (lambda: rs.solve(Graph.from_edges([0], [1]), memory=0.5), r"memory=0\.5: expected a whole number"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_graphs_are_refused_with_the_place(make: object, message: str) -> None:
    with pytest.raises(rs.GraphError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("position", [-1, 3, 1.0, "a", True, None])
def test_positions_that_are_none_are_refused(position: object) -> None:
    solution = rs.solve(Graph.from_edges([0, 1], [1, 2]))
    with pytest.raises(rs.PositionError):
        solution[position]


def test_networkx_owners_are_all_or_none() -> None:
    graph = nx.DiGraph([("a", "b")])
    graph.nodes["a"]["owner"] = 1
    with pytest.raises(rs.GraphError, match="'b' has no owner, others have one"):
        Graph.from_networkx(graph)
    graph.nodes["b"]["owner"] = "me"
    with pytest.raises(rs.GraphError, match="the owner of 'b' is 'me': expected 0 or 1"):
        Graph.from_networkx(graph)
