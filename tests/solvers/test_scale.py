"""Long, wide and flat graphs: no recursion, no overflow, no cap."""

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.arrays import index_dtype

pytestmark = pytest.mark.thorough

LONG = 2_000_000
WIDE = 1_000_000
MANY = 100_000


def chain(n: int) -> rs.Graph:
    return rs.Graph.from_edges(np.arange(n - 1), np.arange(1, n), n)


@pytest.mark.long
@pytest.mark.parametrize("solver", ["retrograde", "acyclic", "auto"])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_chain_of_two_million(solver: str, backwards: bool) -> None:
    graph = chain(LONG)
    if backwards:
        graph = rs.Graph.from_edges(np.arange(1, LONG), np.arange(LONG - 1), LONG)
    solution = rs.solve(graph, solver=solver)
    plies = np.arange(LONG) if backwards else np.arange(LONG)[::-1]
    assert np.array_equal(solution.remoteness(), plies)
    assert np.array_equal(solution.table.values(), np.where(plies % 2, Value.WIN, Value.LOSS))
    assert solution.longest() == {Value.WIN: LONG - 1, Value.LOSS: LONG - 2, Value.TIE: None}
    rs.verify(solution)


def test_acyclic_goes_down_a_shuffled_chain_without_recursion() -> None:
    order = np.random.default_rng(1).permutation(LONG)
    graph = rs.Graph.from_edges(order[:-1], order[1:], LONG)
    solution = rs.solve(graph, solver="acyclic")
    assert np.array_equal(solution.remoteness()[order], np.arange(LONG)[::-1])
    assert np.array_equal(rs.solve(graph).remoteness(), solution.remoteness())


@pytest.mark.long
@pytest.mark.parametrize("stuck", ["loss", "tie"])
def test_a_cycle_of_two_million(stuck: str) -> None:
    graph = rs.Graph.from_edges(np.arange(LONG), (np.arange(LONG) + 1) % LONG)
    assert rs.solve(graph, stuck=stuck).counts()[Value.DRAW] == LONG
    with_way_out = rs.Graph.from_edges(
        np.append(np.arange(LONG), 0), np.append((np.arange(LONG) + 1) % LONG, LONG)
    )
    solution = rs.solve(with_way_out, stuck=stuck)
    assert solution.counts()[Value.DRAW] == 0
    expected = (0, LONG) if stuck == "loss" else (1, LONG)
    assert solution.longest()[Value.WIN if stuck == "loss" else Value.TIE] == expected[1] - (
        stuck == "loss"
    )
    rs.verify(solution)


def test_a_star_with_in_degree_one_million() -> None:
    graph = rs.Graph.from_edges(np.arange(1, WIDE + 1), np.zeros(WIDE, int))
    solution = rs.solve(graph, solver="retrograde")
    assert solution.counts()[Value.WIN] == WIDE
    assert solution.histogram()[Value.WIN] == {1: WIDE}
    rs.verify(solution)


@pytest.mark.long
def test_a_vertex_with_a_hundred_thousand_successors() -> None:
    hub = MANY
    lost = rs.Graph.from_edges([hub] * MANY + list(range(MANY)), list(range(MANY)) + [MANY + 1] * MANY)
    for solver in ("retrograde", "acyclic", "auto"):
        solution = rs.solve(lost, solver=solver)
        assert solution[hub] == (Value.LOSS, 2)
        assert len(solution.best_moves(hub)) == MANY
    rs.verify(solution)


def test_remoteness_is_not_capped_along_ties() -> None:
    solution = rs.solve(chain(70_000), stuck="tie", solver="retrograde")
    assert solution.longest()[Value.TIE] == 69_999


def test_past_int32_indices_become_int64() -> None:
    assert index_dtype(2**31 - 1) is np.int32
    assert index_dtype(2**31) is np.int64
    assert rs.Graph.from_csr(np.array([0, 1, 1]), np.array([1])).indices.dtype == np.int32


def test_more_vertices_than_memory_are_refused_before_any_work() -> None:
    with pytest.raises(rs.MemoryBudgetError, match="needs about 4 TB"):
        rs.Graph.from_edges([0], [1], vertices=10**12)


def test_a_budget_is_kept_or_refused() -> None:
    graph = chain(1000)
    with pytest.raises(rs.MemoryBudgetError, match="the budget is 10 kB"):
        rs.solve(graph, memory=10_000)
    assert rs.solve(graph, memory=100_000).counts()[Value.WIN] == 500
