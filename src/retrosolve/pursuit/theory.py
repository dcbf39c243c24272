"""Cops and robbers: cop numbers, capture times, placements, strategies, certificates.

A graph is given as to CopsAndRobber: a Graph (directed), one of NetworkX, or pairs of vertices.

>>> square = [(0, 1), (1, 2), (2, 3), (3, 0)]
>>> cop_number(square), capture_time(square, 2), winning_placement(square, 2)
(2, 1, (0, 1))
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from retrosolve.errors import GraphError
from retrosolve.pursuit.cops import COPS, ROBBER, CopsAndRobber, CopsPosition, as_graph
from retrosolve.solution import Solution
from retrosolve.solving import solve
from retrosolve.spaces.graph import Graph
from retrosolve.values import Value

__all__ = [
    "CopsAndRobber",
    "CopsPosition",
    "capture_time",
    "cop_number",
    "cop_strategy",
    "dismantling_order",
    "is_dismantling_order",
    "robber_strategy",
    "winning_placement",
]


def cop_number(graph: Any, passing: bool = True, at_most: int | None = None) -> int | None:
    """Give the least number of cops that catch the robber whatever he does.

    ``at_most`` is the largest number to try; None comes back if that is too few. The parts of an
    undirected graph count one by one. Where passing is allowed an undirected graph is first freed of
    dominated vertices: one cop suffices just if a vertex is left (Nowakowski and Winkler, 1983;
    Quilliot, 1978), and else what is left needs as many (Berarducci and Intrigila, 1993).

    Cost of k cops on n vertices: that of solving a game of about 2 * n^(k+1) / k! positions.
    """
    whole = as_graph(graph)
    undirected = _is_undirected(whole)
    total = 0
    for part in _parts(whole) if undirected else [whole]:
        if undirected and passing:
            kept = _kept(part)[1]
            part = _induced(part, kept)  # noqa: PLW2901  # the rest decides nothing
        cops = 1
        while not (part.num_vertices == 1 or _suffice(part, cops, passing)):
            cops += 1
            if at_most is not None and total + cops > at_most:
                return None
        total += cops
    return None if at_most is not None and total > at_most else total


def _suffice(graph: Graph, cops: int, passing: bool) -> bool:
    game = CopsAndRobber(graph, cops, passing)
    return solve(game, remoteness=False)[game.start()].value is Value.WIN


def capture_time(graph: Any, cops: int = 1, passing: bool = True) -> int | None:
    """Give how many moves of theirs the cops need at most, after all have chosen; None if for ever.

    The cops choose and move for as few as they can, the robber for as many.

    >>> capture_time([(0, 1), (1, 2), (2, 3), (3, 4)])
    2
    """
    game = CopsAndRobber(graph, cops, passing)
    value, plies = solve(game)[game.start()]
    # Two plies of choosing; then the cops move at every other ply, the first included.
    return (plies - 1) // 2 if value is Value.WIN and plies is not None else None


def winning_placement(graph: Any, cops: int = 1, passing: bool = True) -> tuple[Hashable, ...] | None:
    """Give vertices from which the cops win, soonest; None if there are none."""
    game = CopsAndRobber(graph, cops, passing)
    solution = solve(game)
    if solution[game.start()].value is not Value.WIN:
        return None
    best = solution.best_moves(game.start())[0].position
    assert isinstance(best, CopsPosition)
    return best.cops


def cop_strategy(solution: Solution) -> dict[CopsPosition, CopsPosition]:
    """Give for each position that the cops win at their turn the position to move to, soonest.

    ``solution`` is that of a CopsAndRobber.
    """
    return _strategy(solution, COPS, (Value.WIN,))


def robber_strategy(solution: Solution) -> dict[CopsPosition, CopsPosition]:
    """Give for each position at the robber's turn where he is not caught the position to move to."""
    return _strategy(solution, ROBBER, (Value.DRAW,))


def _strategy(
    solution: Solution, turn: str, values: tuple[Value, ...]
) -> dict[CopsPosition, CopsPosition]:
    found: dict[CopsPosition, CopsPosition] = {}
    value = solution.values()
    for vertex in range(len(value)):
        if value[vertex] in values:
            position: Any = solution.space.position(vertex)
            if position.turn == turn:
                best: Any = solution.best_moves(position)
                if best:
                    found[position] = best[0].position
    return found


def dismantling_order(graph: Any) -> list[tuple[Hashable, Hashable]] | None:
    """Give a certificate that one cop suffices on an undirected graph, None if one does not.

    It is a list of (vertex, another): each vertex in turn is dominated by the other among those that
    are left, the other's neighbours and itself holding all of its own; one vertex is left at last.
    Raises GraphError for a directed graph.

    >>> dismantling_order([("a", "b"), ("b", "c")])
    [('a', 'b'), ('b', 'c')]
    """
    whole = as_graph(graph)
    if not _is_undirected(whole):
        raise GraphError("a dismantling order is for undirected graphs: expected each edge both ways")
    order, kept = _kept(whole)
    if len(kept) != 1:
        return None
    return [(whole.position(v), whole.position(w)) for v, w in order]


def is_dismantling_order(graph: Any, order: Sequence[tuple[Hashable, Hashable]]) -> bool:
    """Check a certificate, by its definition alone."""
    whole = as_graph(graph)
    near = _closed(whole)
    left = set(range(whole.num_vertices))
    for vertex, other in order:
        v, w = whole.index(vertex), whole.index(other)
        if v == w or not {v, w} <= left or not near[v] & left <= near[w]:
            return False
        left.remove(v)
    return len(left) == 1


def _closed(graph: Graph) -> list[set[int]]:
    return [{v, *graph.neighbors(v).tolist()} for v in range(graph.num_vertices)]


def _kept(graph: Graph) -> tuple[list[tuple[int, int]], list[int]]:
    """Take dominated vertices away while there are any. Give them, by whom each is, and the rest."""
    near = _closed(graph)
    order: list[tuple[int, int]] = []
    waiting = dict.fromkeys(range(graph.num_vertices))
    left = set(waiting)
    while waiting:
        v = next(iter(waiting))
        del waiting[v]
        if v not in left:
            continue
        other = next((w for w in sorted(near[v]) if w != v and near[v] <= near[w]), None)
        if other is not None:
            order.append((v, other))
            left.remove(v)
            for w in near[v] - {v}:
                near[w].remove(v)
                waiting[w] = None
    return order, sorted(left)


def _is_undirected(graph: Graph) -> bool:
    edges = {(v, w) for v in range(graph.num_vertices) for w in graph.neighbors(v).tolist()}
    return all((w, v) in edges for v, w in edges)


def _parts(graph: Graph) -> list[Graph]:
    """Give the connected parts of an undirected graph."""
    parts: list[Graph] = []
    met: set[int] = set()
    for start in range(graph.num_vertices):
        if start in met:
            continue
        part, stack = {start}, [start]
        while stack:
            for w in graph.neighbors(stack.pop()).tolist():
                if w not in part:
                    part.add(w)
                    stack.append(w)
        met |= part
        parts.append(_induced(graph, sorted(part)))
    return parts


def _induced(graph: Graph, kept: list[int]) -> Graph:
    """Give the graph of some vertices and the edges between them."""
    number = {v: i for i, v in enumerate(kept)}
    edges = [(number[v], number[w]) for v in kept for w in graph.neighbors(v).tolist() if w in number]
    return Graph.from_edges([v for v, _ in edges], [w for _, w in edges], len(kept))
