"""Long, wide and flat graphs: no recursion, no overflow, no cap."""

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.arrays import index_dtype

LONG = 500_000
WIDE = 300_000
MANY = 100_000


def chain(n: int) -> rs.Graph:
    return rs.Graph.from_edges(np.arange(n - 1), np.arange(1, n), n)


@pytest.mark.long
@pytest.mark.parametrize("solver", ["retrograde", "auto"])
def test_a_chain_of_half_a_million(solver: str) -> None:
    solution = rs.solve(chain(LONG), solver=solver)
    plies = np.arange(LONG)[::-1]
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
def test_a_cycle_of_half_a_million(stuck: str) -> None:
    source, target = np.arange(LONG), (np.arange(LONG) + 1) % LONG
    graph = rs.Graph.from_edges(source, target)
    assert rs.solve(graph, stuck=stuck).counts()[Value.DRAW] == LONG
    solution = rs.solve(rs.Graph.from_edges([*source, 0], [*target, LONG]), stuck=stuck)
    assert solution.counts()[Value.DRAW] == 0
    most = (Value.WIN, LONG - 1) if stuck == "loss" else (Value.TIE, LONG)
    assert solution.longest()[most[0]] == most[1]
    rs.verify(solution)


def test_a_star_with_a_large_in_degree() -> None:
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


def test_past_int32_indices_become_int64() -> None:
    assert index_dtype(2**31 - 1) is np.int32
    assert index_dtype(2**31) is np.int64
    assert rs.Graph.from_csr(np.array([0, 1, 1]), np.array([1])).indices.dtype == np.int32


def test_more_than_memory_or_a_budget_is_refused_before_any_work() -> None:
    with pytest.raises(rs.MemoryBudgetError, match="4 TB"):
        rs.Graph.from_edges([0], [1], vertices=10**12)
    graph = chain(1000)
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(graph, memory=10_000)
    assert rs.solve(graph, memory=100_000).counts()[Value.WIN] == 500
