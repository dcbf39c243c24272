"""Cops and robbers: cop numbers, capture times, placements, strategies, certificates.

Every function takes a graph as CopsAndRobber does: a Graph (directed), a networkx graph, or pairs of
vertices.

>>> square = [(0, 1), (1, 2), (2, 3), (3, 0)]
>>> cop_number(square), capture_time(square, 2), winning_placement(square, 2)
(2, 1, (0, 1))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import retrosolve as rs
from retrosolve.errors import GraphError
from retrosolve.pursuit.cops import COPS, ROBBER, CopsAndRobber, CopsPosition, GraphLike, as_graph
from retrosolve.runtime.context import whole_numbers
from retrosolve.spaces.csr.components import strong_components
from retrosolve.values import Value


def cop_number(graph: GraphLike, passing: bool = True, max_cops: int | None = None) -> int | None:
    """Return the cop number: the smallest number of cops that win whatever the robber does.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        The graph; see :class:`CopsAndRobber`.
    passing : bool
        Whether a token may stay where it is.
    max_cops : int, optional
        Largest number to try.

    Returns
    -------
    int or None
        The cop number, the sum over the components of an undirected graph; None if it exceeds
        ``max_cops``.

    Raises
    ------
    GraphError
        For a ``max_cops`` that is no positive whole number.
    RulesError
        If there are too many positions for 64 bits.
    MemoryBudgetError
        If a game does not fit in memory.

    Notes
    -----
    If passing is allowed, dominated vertices of an undirected graph are removed first: one cop wins
    if and only if one vertex remains (Nowakowski and Winkler, 1983; Quilliot, 1978), and otherwise
    the cop number of the remaining graph is the same (Berarducci and Intrigila, 1993). Testing k cops
    on n vertices solves a game of about 2 * n^(k+1) / k! positions.

    Examples
    --------
    >>> cop_number([(0, 1), (1, 2), (2, 3), (3, 0)])
    2
    """
    [max_cops] = whole_numbers(max_cops=max_cops)
    whole = as_graph(graph)
    undirected = _is_undirected(whole)
    total = 0
    for component in _components(whole) if undirected else [whole]:
        part = component
        if undirected and passing:  # a dismantled graph has the cop number of its core
            part = _induced_subgraph(component, _dismantle(component)[1])
        cops = 1
        while part.num_vertices > 1:
            game = CopsAndRobber(part, cops, passing)
            if rs.solve(game, objective="win-loss-draw")[game.start()].value is Value.WIN:
                break
            cops += 1
            if max_cops is not None and total + cops > max_cops:
                return None
        total += cops
    return None if max_cops is not None and total > max_cops else total


def capture_time(graph: GraphLike, cops: int = 1, passing: bool = True) -> int | None:
    """Return the number of cop moves until the capture under perfect play.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        The graph; see :class:`CopsAndRobber`.
    cops : int
        Number of cops.
    passing : bool
        Whether a token may stay where it is.

    Returns
    -------
    int or None
        Moves of the cops after both sides have chosen their vertices, minimised by the cops and
        maximised by the robber; None if the robber is never caught.

    Raises
    ------
    RulesError
        If there are no vertices or no cops, or too many positions.
    MemoryBudgetError
        If the game does not fit in memory.

    Notes
    -----
    Cost: that of solving a game of about 2 * n^(k+1) / k! positions for k cops on n vertices.

    Examples
    --------
    >>> capture_time([(0, 1), (1, 2), (2, 3), (3, 4)])
    2
    """
    game = CopsAndRobber(graph, cops, passing)
    value, plies = rs.solve(game)[game.start()]
    # Two plies of choosing; then the cops move at every other ply.
    return (plies - 1) // 2 if value is Value.WIN and plies is not None else None


def winning_placement(
    graph: GraphLike, cops: int = 1, passing: bool = True
) -> tuple[Hashable, ...] | None:
    """Return vertices from which the cops win as fast as possible.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        The graph; see :class:`CopsAndRobber`.
    cops : int
        Number of cops.
    passing : bool
        Whether a token may stay where it is.

    Returns
    -------
    tuple or None
        A vertex for each cop; None if the cops do not win.

    Raises
    ------
    RulesError, MemoryBudgetError
        As for :func:`capture_time`.

    Notes
    -----
    Cost: that of :func:`capture_time`.

    Examples
    --------
    >>> winning_placement([(0, 1), (1, 2)])
    (1,)
    """
    game = CopsAndRobber(graph, cops, passing)
    solution = rs.solve(game)
    if solution[game.start()].value is not Value.WIN:
        return None
    best = solution.best_moves(game.start())[0].position
    assert isinstance(best, CopsPosition)
    return best.cops


def cop_strategy(solution: rs.Solution) -> dict[CopsPosition, CopsPosition]:
    """Return an optimal move of the cops for every position they win and have the move in.

    Parameters
    ----------
    solution : Solution
        Solution of a CopsAndRobber.

    Returns
    -------
    dict of CopsPosition to CopsPosition
        The position to move to.

    Raises
    ------
    AttributeError
        If the solution is of another game.

    Notes
    -----
    Cost: the moves of each position are looked up in plain Python, some 100 microseconds a position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(CopsAndRobber([(0, 1), (1, 2)]))
    >>> position = CopsPosition((0,), 2, "cops")
    >>> cop_strategy(solution)[position].cops
    (1,)
    """
    return _strategy(solution, COPS, Value.WIN)


def robber_strategy(solution: rs.Solution) -> dict[CopsPosition, CopsPosition]:
    """Return a safe move of the robber for every position in which he has the move and escapes.

    Parameters
    ----------
    solution : Solution
        Solution of a CopsAndRobber.

    Returns
    -------
    dict of CopsPosition to CopsPosition
        The position to move to.

    Raises
    ------
    AttributeError
        If the solution is of another game.

    Notes
    -----
    Cost: that of :func:`cop_strategy`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(CopsAndRobber([(0, 1), (1, 2), (2, 3), (3, 0)]))
    >>> robber_strategy(solution)[CopsPosition((0,), 1, "robber")].robber
    2
    """
    return _strategy(solution, ROBBER, Value.DRAW)


def _strategy(solution: rs.Solution, turn: str, value: Value) -> dict[CopsPosition, CopsPosition]:
    """Return a best move for each position of a value in which one side has the move."""
    positions: Iterator[Any] = solution.where(value)
    moves = ((p, solution.best_moves(p)) for p in positions if p.turn == turn)
    return {position: best[0].position for position, best in moves if best}  # type: ignore[misc]


def dismantling_order(graph: GraphLike) -> list[tuple[Hashable, Hashable]] | None:
    """Return a dismantling order, which certifies that one cop wins on an undirected graph.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        The graph; see :class:`CopsAndRobber`.

    Returns
    -------
    list of (vertex, vertex), or None
        Each vertex in turn is dominated by its partner among the vertices that remain: its closed
        neighbourhood is part of the partner's. One vertex remains at the end. None if there is no
        such order, so that one cop does not win.

    Raises
    ------
    GraphError
        If the graph is directed.

    Notes
    -----
    Cost: time at most O(n * m) for n vertices and m edges, usually much less.

    Examples
    --------
    >>> dismantling_order([("a", "b"), ("b", "c")])
    [('a', 'b'), ('b', 'c')]
    """
    whole = _undirected(graph)
    order, core = _dismantle(whole)
    if len(core) != 1:
        return None
    return [(whole.position(v), whole.position(w)) for v, w in order]


def is_dismantling_order(graph: GraphLike, order: Iterable[tuple[Hashable, Hashable]]) -> bool:
    """Return whether a list of pairs is a dismantling order, by the definition.

    Parameters
    ----------
    graph : Graph, networkx graph, or iterable of pairs
        The graph; see :class:`CopsAndRobber`.
    order : iterable of (vertex, vertex)
        As :func:`dismantling_order` returns it.

    Raises
    ------
    GraphError
        If the graph is directed, and for an order of anything else than pairs.
    PositionError
        If the order names a vertex that the graph does not have.

    Notes
    -----
    Cost: a comparison of two neighbourhoods for each pair.

    Examples
    --------
    >>> is_dismantling_order([(0, 1), (1, 2)], [(0, 1), (1, 2)])
    True
    """
    whole = _undirected(graph)
    near = _closed_neighbourhoods(whole)
    remaining = set(range(whole.num_vertices))
    if not isinstance(order, Iterable):
        raise GraphError(f"the order is {order!r}: expected pairs of vertices")
    for place, pair in enumerate(order):
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise GraphError(f"order[{place}] is {pair!r}: expected a pair of vertices")
        v, w = map(whole.index, pair)
        if v == w or not {v, w} <= remaining or not near[v] & remaining <= near[w]:
            return False
        remaining.remove(v)
    return len(remaining) == 1


def _undirected(graph: GraphLike) -> rs.Graph:
    """Return a graph as a Graph. Raises GraphError unless it is undirected."""
    whole = as_graph(graph)
    if not _is_undirected(whole):
        raise GraphError("a dismantling order is for undirected graphs: expected each edge both ways")
    return whole


def _closed_neighbourhoods(graph: rs.Graph) -> list[set[int]]:
    return [{v, *graph.neighbors(v).tolist()} for v in range(graph.num_vertices)]


def _dismantle(graph: rs.Graph) -> tuple[list[tuple[int, int]], list[int]]:
    """Remove dominated vertices while there are any; return them with dominators, and the rest."""
    near = _closed_neighbourhoods(graph)
    order: list[tuple[int, int]] = []
    waiting = dict.fromkeys(range(graph.num_vertices))
    remaining = set(waiting)
    while waiting:
        v = next(iter(waiting))
        del waiting[v]
        other = next((w for w in sorted(near[v]) if w != v and near[v] <= near[w]), None)
        if other is not None:
            order.append((v, other))
            remaining.remove(v)
            for w in near[v] - {v}:
                near[w].remove(v)
                waiting[w] = None
    return order, sorted(remaining)


def _is_undirected(graph: rs.Graph) -> bool:
    edges = {(v, w) for v in range(graph.num_vertices) for w in graph.neighbors(v).tolist()}
    return all((w, v) in edges for v, w in edges)


def _components(graph: rs.Graph) -> list[rs.Graph]:
    """Return the connected components of an undirected graph."""
    order, bounds, _ = strong_components(graph.indptr, graph.indices)
    parts = [sorted(order[start:stop].tolist()) for start, stop in pairwise(bounds)]
    return [_induced_subgraph(graph, part) for part in parts]


def _induced_subgraph(graph: rs.Graph, kept: list[int]) -> rs.Graph:
    """Return the subgraph induced by some vertices, numbered in their order."""
    number = {v: i for i, v in enumerate(kept)}
    edges = [(number[v], number[w]) for v in kept for w in graph.neighbors(v).tolist() if w in number]
    return rs.Graph.from_edges([v for v, _ in edges], [w for _, w in edges], len(kept))
