"""Every solver agrees with the specification, and the proof accepts what they say."""

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime import tuning
from retrosolve.solvers import retrograde, serial
from retrosolve.spaces.csr import build, propagation
from retrosolve.testing import STUCK, assert_same_answers, random_graph
from retrosolve.testing.strategies import graphs
from tests.conftest import Tune
from tests.support.marks import samples
from tests.support.solving import check_all


@given(graphs(), st.sampled_from(STUCK), st.sampled_from([3, 10**9]))
def test_solvers_equal_reference(graph: rs.Graph, stuck: str, edges_per_report: int) -> None:
    with tuning.using(edges_per_report=edges_per_report):
        refusal = check_all(graph, stuck)
    if refusal:
        names = [int(v) for v in refusal.rsplit(": ", 1)[1].split(" -> ")]
        assert names[0] == names[-1]
        for v, w in itertools.pairwise(names):
            assert w in graph.neighbors(v).tolist()


@given(graphs(acyclic=True), st.sampled_from(STUCK))
def test_acyclic_graphs_are_solved_by_every_solver(graph: rs.Graph, stuck: str) -> None:
    assert check_all(graph, stuck) == ""


@pytest.fixture
def as_large(tune: Tune) -> None:
    """Nothing counts as small or local enough to be sorted and pushed directly."""
    tune(max_serial_work=-1, local_share=2, max_serial_csr_work=-1)


@pytest.fixture
def cramped(tune: Tune) -> None:
    """Everything that is shared out or done in batches, in the smallest portions."""
    tune(
        min_work_per_thread=1, min_chunk=1, max_serial_width=1, edges_per_round=1, min_edges_per_thread=1,
        min_edges_per_bin=2, edges_per_report=3, bucket_shift=6, bucket_gap=3,
    )  # fmt: skip


@pytest.fixture
def cramped_kernels(cramped: None, uncompiled_kernels: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same within kernels; never where they are compiled, for that would be kept on disk."""
    monkeypatch.setattr(propagation, "RANGE_SHIFT", 3)
    monkeypatch.setattr(propagation, "BATCH", 2)
    monkeypatch.setattr(propagation, "MAX_GATHERED", 3)
    monkeypatch.setattr(propagation, "SHORT_ROW", 2)
    monkeypatch.setattr(propagation, "MAX_NARROW", 1)


# What a level does: it scans and never drops an edge, it drops edges to the end, or it leaves nearly all to
# the propagation; or as it judges itself.
WAYS: dict[str, dict[str, float]] = {
    "scanning": {"few_share": 0, "max_scans": 10**9},
    "dropping": {"few_share": 10**9, "edge_saving": 10**9},
    "scanning, then dropping": {"few_share": 0, "max_scans": 2},
    "propagating": {"few_share": 10**9, "level_edge_cost": 10**12, "owned_level_edge_cost": 10**12},
    "as judged": {},
}


@pytest.mark.parametrize("looks", [0, 2, 10**9])
@pytest.mark.parametrize("unsorted", [False, True])
def test_small_graphs_solved_directly_equal_reference(
    unsorted: bool, looks: int, cramped_kernels: None, tune: Tune
) -> None:
    tune(compile_from=0, max_full_scans=looks, tiny_fraction=1)
    rng = random.Random(4)
    taken_unsorted, count = 0, samples(40, 400)
    for i in range(count):
        graph, stuck = random_graph(rng), STUCK[i % 3]
        source = np.repeat(np.arange(graph.num_vertices, dtype=np.int32), graph.out_degrees())
        order = rng.sample(range(graph.num_edges), graph.num_edges)
        arrays = source[order], graph.indices[order], graph.num_vertices, graph.owner, graph.terminals
        again = rs.Graph.from_edges(*arrays)
        if not unsorted:
            assert again.indptr.tolist() == graph.indptr.tolist()
        taken_unsorted += again.edge_list is not None
        solution = rs.solve(again, stuck=stuck, solver="retrograde")
        assert_same_answers(solution, rs.solve(graph, stuck=stuck, solver="reference"))
    assert (taken_unsorted > count // 4) == unsorted


@pytest.mark.parametrize("vertices", [2**16, 2**16 + 1])
def test_vertex_numbers_around_the_uint16_limit(vertices: int, tune: Tune) -> None:
    """A chain along the largest numbers, all the others stuck."""
    tune(compile_from=0)
    source = np.arange(vertices - 301, vertices - 1)[::-1]
    graph = rs.Graph.from_edges(source, source + 1, vertices)
    assert graph.edge_list is not None
    assert graph.edge_list[0].dtype == (np.uint16 if vertices <= 2**16 else np.int32)
    solution = rs.solve(graph, solver="retrograde")
    plies = np.zeros(vertices, np.int32)
    plies[-301:] = np.arange(300, -1, -1)
    assert np.array_equal(solution.remoteness(), plies)
    assert np.array_equal(solution.table.values(), np.where(plies % 2, rs.Value.WIN, rs.Value.LOSS))
    assert graph.indices.dtype == np.int32


def test_graph_with_few_decided_vertices_is_not_transposed(
    monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    """Two levels of one vertex each: all edges are looked at twice, and never sorted."""
    tune(compile_from=0)
    monkeypatch.setattr(serial, "reverse_edges", None)
    n = 10_000
    ring = np.arange(n - 1)[::-1]
    source = np.concatenate([ring, ring, [n - 2]])
    target = np.concatenate([ring, (ring + 1) % (n - 1), [n - 1]])
    solution = rs.solve(rs.Graph.from_edges(source, target, n), solver="retrograde")
    assert [*solution.counts().values()] == [1, 1, 0, n - 2]


def test_local_graphs_keep_their_edge_list(monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    tune(max_serial_work=-1)
    rng = np.random.default_rng(1)
    source = (np.arange(200_000) * 7 % 1000 + np.arange(200_000)).astype(np.int32)
    near = source + rng.integers(0, 3000, len(source), dtype=np.int32)
    far = rng.integers(0, 300_000, len(source), dtype=np.int32)
    tune(compile_from=0)
    for target, processors, kept in ((near, 2, True), (far, 2, False), (near, 64, False)):
        monkeypatch.setattr(build, "cpu_count", lambda number=processors: number)
        graph = rs.Graph.from_edges(source, target, 300_000)
        assert (graph.edge_list is not None) == kept
        rs.verify(rs.solve(graph, solver="retrograde"))


def looks(graph: rs.Graph) -> Iterator[Callable[[rs.Graph], object]]:
    """Each property of a graph, and each of its methods on vertex 0 or without arguments."""
    for name in [name for name in dir(type(graph)) if not name.startswith(("_", "from_"))]:
        if callable(getattr(graph, name)):
            yield lambda graph, name=name: getattr(graph, name)()  # type: ignore[misc]
            yield lambda graph, name=name: getattr(graph, name)(0)  # type: ignore[misc]
            yield lambda graph, name=name: getattr(graph, name)(0, 1)  # type: ignore[misc]
        else:
            yield lambda graph, name=name: getattr(graph, name)  # type: ignore[misc]
    yield lambda graph: graph == rs.Graph.from_edges([0], [0], graph.num_vertices)
    yield repr


@pytest.mark.parametrize("kept", [True, False])
def test_solver_and_plan_do_not_depend_on_earlier_looks_at_a_graph(
    kept: bool, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    tune(compile_from=0, max_serial_csr_work=0, max_serial_work=1000 if kept else -1)
    source, target = np.random.default_rng(3).integers(0, 30, (2, 90))
    ways: list[str] = []
    for owner, module in ((serial, serial), (retrograde._LevelSolve, retrograde)):
        solve, way = owner.solve, module.__name__
        monkeypatch.setattr(owner, "solve", lambda *a, w=way, f=solve: ways.append(w) or f(*a))
    fresh = rs.Graph.from_edges(source, target, 30)
    expected, planned = rs.solve(fresh), rs.plan(fresh)  # the compiler is loaded by then
    taken = 0
    for look in looks(fresh):
        graph = rs.Graph.from_edges(source, target, 30)
        assert (graph.edge_list is not None) == kept
        with contextlib.suppress(Exception):  # some take other arguments
            look(graph)
            taken += 1
        assert rs.plan(graph) == planned
        assert_same_answers(rs.solve(graph), expected)
    assert taken > 30
    assert set(ways) == {serial.__name__ if kept else retrograde.__name__}


@pytest.mark.usefixtures("as_large", "cramped_kernels")
@pytest.mark.parametrize("way", WAYS)
def test_levels_and_propagation_equal_reference(way: str, tune: Tune) -> None:
    tune(compile_from=0, **WAYS[way])
    rng = random.Random(1)
    subjects = [random_graph(rng) for _ in range(samples(20, 200))]
    for graph in (*subjects, larger_graph(1, 2.0, n=500)):  # where no byte holds a number
        stuck = rng.choice(STUCK)
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        for threads in (1, 2):
            found = rs.solve(graph, stuck=stuck, solver="retrograde", threads=threads)
            assert_same_answers(found, expected)


@given(
    graphs(),
    st.sampled_from(STUCK),
    st.sampled_from([0, 1, 63, 64, 65, 5000]),
    st.sampled_from(sorted(WAYS)),
    st.integers(1, 3),
    st.randoms(),
)
def test_buckets_of_any_size_and_gap_equal_reference(
    graph: rs.Graph, stuck: str, gap: int, way: str, threads: int, rng: random.Random
) -> None:
    """Every vertex of a small graph is copied, so that there are several buckets of 64."""
    copies = rng.choice([1, 5, 40])
    n, m = graph.num_vertices * copies, graph.num_edges * copies
    source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
    order = np.array(rng.sample(range(m), m), np.int64)
    shift = np.repeat(np.arange(copies), graph.num_edges) * graph.num_vertices
    owner = None if graph.owner is None else np.tile(graph.owner, copies)
    terminal = None if graph.terminals is None else np.tile(graph.terminals, copies)
    edges = [(np.tile(ends, copies) + shift)[order] for ends in (source, graph.indices)]
    expected = rs.solve(graph, stuck=stuck, solver="reference").table
    large: dict[str, float] = {
        "compile_from": 0, "compile_again_from": 0, "max_serial_work": -1, "local_share": 2,
        "max_serial_csr_work": -1, "min_work_per_thread": 1,
    }  # fmt: skip
    with tuning.using(**large, **WAYS[way], bucket_shift=6, bucket_gap=gap, segments_per_thread=3):
        again = rs.Graph.from_edges(*edges, n, owner, terminal)
        for _ in range(2):  # a solve leaves the edges as they are
            found = rs.solve(again, stuck=stuck, solver="retrograde", threads=threads).table
            assert np.array_equal(found.values(), np.tile(expected.values(), copies))
            assert np.array_equal(found.remoteness(), np.tile(expected.remoteness(), copies))
        assert again == rs.Graph.from_edges(*edges, n, owner, terminal)


@pytest.mark.usefixtures("as_large")
def test_more_levels_than_a_byte_holds(tune: Tune) -> None:
    tune(compile_from=0, bucket_shift=6, few_share=10**9, edge_saving=10**9)
    n = 2000
    path = np.arange(n - 1)[::-1]
    solution = rs.solve(rs.Graph.from_edges(path, path + 1, n), solver="retrograde")
    assert solution.remoteness().tolist() == list(range(n))[::-1]


@pytest.mark.usefixtures("as_large")
def test_threads_share_a_bucket_that_has_most_of_the_edges(tune: Tune) -> None:
    tune(compile_from=0, bucket_shift=6, min_work_per_thread=1, segments_per_thread=4)
    rng = np.random.default_rng(2)
    source = np.concatenate([rng.integers(0, 20, 3000), rng.integers(0, 500, 300)])
    graph = rs.Graph.from_edges(source, rng.integers(0, 500, len(source)), 500)
    expected = rs.solve(graph, solver="reference")
    for threads in (1, 2, 5):
        assert_same_answers(rs.solve(graph, solver="retrograde", threads=threads), expected)


def test_compiled_acyclic_equals_plain_python(tune: Tune) -> None:
    rng = random.Random(99)
    for stuck in 20 * STUCK:
        graph = random_graph(rng, acyclic=True)
        tune(compile_from=10**9)
        slow = rs.solve(graph, stuck=stuck, solver="acyclic")
        tune(compile_from=0)
        assert_same_answers(rs.solve(graph, stuck=stuck, solver="acyclic"), slow)


@pytest.mark.long
@pytest.mark.usefixtures("as_large")
def test_int64_indices_give_the_same(tune: Tune) -> None:
    tune(compile_from=0, few_share=10**9)
    rng = random.Random(7)
    for i in range(100):
        graph, stuck = random_graph(rng, acyclic=i % 2 == 0), STUCK[i % 3]
        rows = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
        wide = rs.Graph._of_rows(*rows, graph.owner, graph.terminals)
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        for name in ("retrograde", "acyclic") if i % 2 == 0 else ("retrograde",):
            assert_same_answers(rs.solve(wide, stuck=stuck, solver=name), expected)


def larger_graph(seed: int, degree: float, n: int = 40_000) -> rs.Graph:
    """Forty thousand vertices: levels wide enough to be shared between threads."""
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, n, (2, int(degree * n)))
    owner = rng.integers(0, 2, n) if seed % 2 else None
    terminal = rng.choice(4, n, p=[0.9, 0.03, 0.03, 0.04]) if seed % 3 else None
    return rs.Graph.from_edges(source, target, n, owner, terminal)


@pytest.mark.long(but=3)
@pytest.mark.usefixtures("as_large")
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("way", WAYS)
def test_the_answer_does_not_depend_on_the_number_of_threads(seed: int, way: str, tune: Tune) -> None:
    tune(compile_from=0, bucket_shift=10, **WAYS[way])
    tune(
        min_work_per_thread=1, max_serial_width=500, edges_per_round=300, min_edges_per_thread=300,
        min_edges_per_bin=100,
    )  # fmt: skip
    graph, stuck = larger_graph(seed, (1.5, 2, 3)[seed % 3]), STUCK[seed % 3]
    first = rs.solve(graph, stuck=stuck, solver="retrograde", threads=1)
    rs.verify(first)
    for threads in (2, 3, 4, 7):
        assert_same_answers(rs.solve(graph, stuck=stuck, solver="retrograde", threads=threads), first)


@pytest.mark.usefixtures("as_large")
@pytest.mark.parametrize("moves", [127, 128, 255, 256])
@pytest.mark.parametrize("winning", [False, True])
def test_more_moves_than_a_byte_counts_equal_reference(moves: int, winning: bool, tune: Tune) -> None:
    tune(compile_from=0, **WAYS["propagating"])
    # A hub whose moves lead to wins of the other player, one of them later than the others.
    hub, lost, late = moves, moves + 1, moves + 2
    source = [hub] * moves + [*range(moves), late, late + 1]
    target = [*range(moves)] + [lost] * (moves - 1) + [late + 1, lost, lost if winning else late]
    graph = rs.Graph.from_edges(source, target, moves + 4)
    expected = rs.solve(graph, solver="reference")
    for threads in (1, 2):
        assert_same_answers(rs.solve(graph, solver="retrograde", threads=threads), expected)


def test_auto_takes_topological_numbering_in_one_pass() -> None:
    assert rs.solve(rs.Graph.from_edges([0, 1], [1, 2])).solver == "acyclic"
    assert rs.solve(rs.Graph.from_edges([2, 1], [1, 0])).solver == "acyclic"
    assert rs.solve(rs.Graph.from_edges([0, 2], [1, 1])).solver == "retrograde"
    assert rs.solve(rs.Graph.from_edges([0, 0], [0, 1])).solver == "retrograde"


def test_a_cycle_through_a_terminal_vertex_is_none() -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 0], terminal={1: rs.Value.TIE})
    assert rs.solve(graph, solver="acyclic")[0] == (rs.Value.TIE, 1)


def test_long_stages_are_reported_in_parts(tune: Tune) -> None:
    tune(min_chunk=64)
    seen: list[rs.Progress] = []
    solution = rs.solve(parse_game("foxhounds:n=4"), solver="sweep", progress=seen.append)
    rs.verify(solution, progress=seen.append)
    n = solution.space.num_vertices
    assert seen[-1] == rs.Progress("verifying", n, n)
    for stage, parts in (("finding positions", 5), ("solving", 5), ("verifying", 5)):
        done = {progress.done for progress in seen if progress.stage == stage}
        assert len(done) >= parts, stage
        assert max(done) == n
