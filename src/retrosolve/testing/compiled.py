"""A graph as a compiled game, in every form that the contract of compiled games allows.

Each class reads its graph from ``data``, so its rules are compiled once and serve all graphs. Vertex v
is the position 3 v + 1; the numbers between are invalid positions. A mirrored game has two positions
for each vertex.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.rules.contract import INVALID, NOT_TERMINAL, CompiledGame
from retrosolve.spaces.graph import Graph


def csr_arrays(graph: Graph, reverse: bool = False) -> tuple[IntArray, IntArray]:
    """Return the CSR arrays of a graph, or of its reverse, as int64.

    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> [array.tolist() for array in csr_arrays(path, reverse=True)]
    [[0, 0, 1, 2], [0, 1]]
    """
    if reverse:
        source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
        graph = Graph.from_edges(graph.indices, source, graph.num_vertices)
    return graph.indptr.astype(np.int64), graph.indices.astype(np.int64)


def copy_row(indptr: Any, indices: Any, v: int, out: Any) -> int:
    """Copy the row of vertex ``v`` to ``out``; return its length.

    >>> out = np.zeros(4, np.int64)
    >>> copy_row(np.array([0, 2]), np.array([7, 8]), 0, out), out.tolist()
    (2, [7, 8, 0, 0])
    """
    count = 0
    for e in range(indptr[v], indptr[v + 1]):
        out[count] = indices[e]
        count += 1
    return count


def write_successors(position: int, out: Any, data: Any) -> int:
    """Write the positions that moves lead to; return how many."""
    count = copy_row(data[0], data[1], position // 3, out)
    for k in range(count):
        out[k] = 3 * out[k] + 1
    return count


def write_predecessors(position: int, out: Any, data: Any) -> int:
    """Write the positions with a move to this one; return how many."""
    count = copy_row(data[2], data[3], position // 3, out)
    for k in range(count):
        out[k] = 3 * out[k] + 1
    return count


def terminal_code(position: int, data: Any) -> int:
    """Return the terminal value of a position, INVALID for the numbers between."""
    code: int = data[4][position // 3] if position % 3 == 1 else INVALID
    return code


class CompiledGraphGame(CompiledGame):
    """A graph without owners as a compiled game with successors only.

    Parameters
    ----------
    graph
        The graph to play on. Its owners are ignored; see :class:`OwnedGraphGame`.
    dense
        False leaves ``size`` out: the positions are explored from the starts, which are all vertices.
    tiers
        The first vertex of each tier.
    component_size
        The number of vertices of a component.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = CompiledGraphGame(rs.Graph.from_edges([0, 1], [1, 2]))
    >>> str(rs.solve(game)[3 * 0 + 1])
    'LOSS in 2'
    """

    def __init__(
        self, graph: Graph, dense: bool = True, tiers: tuple[int, ...] | None = None,
        component_size: int | None = None,
    ) -> None:  # fmt: skip
        self.graph = graph
        n = graph.num_vertices
        zeros = np.zeros(n, np.uint8)
        self.data = (
            *csr_arrays(graph),
            *csr_arrays(graph, reverse=True),
            zeros if graph.terminals is None else np.array(graph.terminals),
            zeros if graph.owner is None else np.array(graph.owner),
        )
        self.max_moves = max(int(graph.out_degrees().max(initial=1)), 1)
        self.max_predecessors = max(int(np.diff(self.data[2]).max(initial=1)), 1)
        self.size = 3 * n if dense and n else None
        self.tiers = None if tiers is None else tuple(3 * first for first in tiers)
        self.component_size = None if component_size is None else 3 * component_size

    def starts(self) -> Iterable[int]:
        """Return the positions of all vertices."""
        return range(1, 3 * self.graph.num_vertices, 3)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the successors of the vertex."""
        return write_successors(position, out, data)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return the terminal value of the vertex."""
        return terminal_code(position, data)


class ReversibleGraphGame(CompiledGraphGame):
    """A graph without owners as a compiled game with predecessors.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ReversibleGraphGame(rs.Graph.from_edges([0, 1], [1, 2])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the predecessors of the vertex."""
        return write_predecessors(position, out, data)


class SurveyedGraphGame(ReversibleGraphGame):
    """A graph without owners as a compiled game that surveys an index and names predecessors by index.

    Parameters
    ----------
    graph, tiers
        As for :class:`CompiledGraphGame`.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(SurveyedGraphGame(rs.Graph.from_edges([0, 1], [1, 2])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    def __init__(self, graph: Graph, tiers: tuple[int, ...] = (0,)) -> None:
        super().__init__(graph, tiers=tiers)
        first = np.repeat(tiers, np.diff([*tiers, graph.num_vertices])).astype(np.int64)
        self.data = (*self.data, first)

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return the terminal value, the moves and the targets within the tier; write the others."""
        given = terminal_code(index, data)
        if given != NOT_TERMINAL:
            return given, 0, 0, 0
        v = index // 3
        moves = copy_row(data[0], data[1], v, out)
        within, beyond = 0, 0
        for k in range(moves):
            target = out[k]
            again = False
            for e in range(data[0][v], data[0][v] + k):
                if data[1][e] == target:
                    again = True
            if target < data[6][v]:
                out[beyond] = 3 * target + 1
                beyond += 1
            elif not again:
                within += 1
        return NOT_TERMINAL, moves, within, beyond

    @staticmethod
    def predecessor_indices(index: int, out: Any, data: Any) -> int:
        """Write the indices of the different predecessors of the vertex."""
        written = copy_row(data[2], data[3], index // 3, out)
        count = 0
        for k in range(written):
            again = False
            for j in range(count):
                if out[j] == 3 * out[k] + 1:
                    again = True
            if not again:
                out[count] = 3 * out[k] + 1
                count += 1
        return count


class OwnedGraphGame(ReversibleGraphGame):
    """A graph with owners as a compiled game with predecessors.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(OwnedGraphGame(rs.Graph.from_edges([0, 1], [1, 2], owner=[0, 1, 0])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return the owner of the vertex."""
        owner: int = data[5][position // 3]
        return owner


class RankedGraphGame(ReversibleGraphGame):
    """A graph as a compiled game whose index has no gaps: the vertices in reverse order.

    Parameters
    ----------
    graph
        The graph to play on.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(RankedGraphGame(rs.Graph.from_edges([0, 1], [1, 2])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.size = graph.num_vertices or None

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the number of vertices after this one."""
        return len(data[4]) - 1 - position // 3

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position with so many vertices after it."""
        return 3 * (len(data[4]) - 1 - index) + 1


class ReachableGraphGame(ReversibleGraphGame):
    """A graph as a compiled game of which only the positions reachable from ``starts`` are solved.

    Each vertex has a twin, 3 n further on, that plays alike, has the same index and is never reached.
    ``predecessors`` writes the twins too.

    Parameters
    ----------
    graph, tiers
        As for :class:`CompiledGraphGame`.
    starts
        The vertices that the game starts from.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ReachableGraphGame(rs.Graph.from_edges([0, 1], [1, 2]), [0]))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    reachable_only = True

    def __init__(self, graph: Graph, starts: list[int], tiers: tuple[int, ...] | None = None) -> None:
        super().__init__(graph, tiers=tiers)
        self.initial = [3 * v + 1 for v in starts]
        self.max_predecessors *= 2

    def starts(self) -> Iterable[int]:
        """Return the positions of the given vertices."""
        return self.initial

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index, which twins share."""
        return position % (3 * len(data[4]))

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the twin that play can reach."""
        return index

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the successors of the vertex."""
        return write_successors(position % (3 * len(data[4])), out, data)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return the terminal value of the vertex."""
        return terminal_code(position % (3 * len(data[4])), data)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the predecessors of the vertex and their twins."""
        count = write_predecessors(position % (3 * len(data[4])), out, data)
        for k in range(count):
            out[count + k] = out[k] + 3 * len(data[4])
        return 2 * count


class OwnedReachableGraphGame(ReachableGraphGame):
    """The same for a graph with owners.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1], [1, 2], owner=[0, 1, 0])
    >>> solution = rs.solve(OwnedReachableGraphGame(graph, [0]))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return the owner of the vertex."""
        owner: int = data[5][position % (3 * len(data[4])) // 3]
        return owner


class ForwardReachableGraphGame(ReachableGraphGame):
    """The same without predecessors.

    Notes
    -----
    Raises nothing. Cost: 16 bytes an edge, and 32 with predecessors.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ForwardReachableGraphGame(rs.Graph.from_edges([0, 1], [1, 2]), [0]))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    predecessors = None  # type: ignore[assignment]  # an optional rule, left out again


class MirroredGame(CompiledGame):
    """A graph without owners, played on the positions 2 v + s, where s = 0 and s = 1 are mirror images.

    A move from v to w changes s where v + w is odd or v = w: a self-loop leads to the mirror image of
    its own position. A move to a w that is a multiple of 3 leads to both images.

    Parameters
    ----------
    graph : Graph

    Notes
    -----
    Raises nothing. Cost: 32 bytes an edge.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1], [1, 2])
    >>> full, folded = rs.solve(MirroredGame(graph)), rs.solve(FoldedGame(graph))
    >>> [str(full[p]) for p in (0, 1)], str(folded[1]), len(full), len(folded)
    (['LOSS in 2', 'LOSS in 2'], 'LOSS in 2', 6, 3)
    """

    def __init__(self, graph: Graph) -> None:
        terminal = (
            np.zeros(graph.num_vertices, np.uint8) if graph.terminals is None else graph.terminals
        )
        self.data = (*csr_arrays(graph), *csr_arrays(graph, reverse=True), np.array(terminal))
        self.max_moves = 2 * max(int(graph.out_degrees().max(initial=1)), 1)
        self.max_predecessors = 2 * max(int(np.diff(self.data[2]).max(initial=1)), 1)
        self.size = 2 * graph.num_vertices or None

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return the terminal value of the vertex."""
        code: int = data[4][position // 2]
        return code

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions that moves lead to."""
        return write_images(data[0], data[1], position, out, False)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the positions with a move to this one."""
        return write_images(data[2], data[3], position, out, True)

    def as_graph(self) -> Graph:
        """Return the same game with every move of every position stored.

        >>> MirroredGame(Graph.from_edges([1], [2], 3)).as_graph().out_degrees().tolist()
        [0, 0, 1, 1, 0, 0]
        """
        out = np.zeros(self.max_moves, np.int64)
        edges = [
            (p, int(q))
            for p in range(self.size or 0)
            for q in out[: self.successors(p, out, self.data)].tolist()
        ]
        source, target = zip(*edges, strict=True) if edges else ((), ())
        return Graph.from_edges(source, target, self.size, terminal=np.repeat(self.data[4], 2))


class FoldedGame(MirroredGame):
    """The same, with one of two mirror images stored.

    Notes
    -----
    Raises nothing. Cost: 32 bytes an edge.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(FoldedGame(rs.Graph.from_edges([0, 1], [1, 2])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with s = 0."""
        return position - position % 2


class ForwardFoldedGame(FoldedGame):
    """The same without predecessors.

    Notes
    -----
    Raises nothing. Cost: 32 bytes an edge.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(ForwardFoldedGame(rs.Graph.from_edges([0, 1], [1, 2])))
    >>> {value.label: count for value, count in solution.counts().items() if count}
    {'win': 1, 'loss': 2}
    """

    predecessors = None  # type: ignore[assignment]  # an optional rule, left out again


def write_images(indptr: Any, indices: Any, position: int, out: Any, backwards: bool) -> int:
    """Write the positions at the other end of the moves; return how many."""
    count = copy_row(indptr, indices, position // 2, out)
    written = count
    for k in range(count):
        w = out[k]
        changes = 1 if (w + position // 2) % 2 == 1 or w == position // 2 else 0
        out[k] = 2 * w + (position % 2 + changes) % 2
        to = position // 2 if backwards else w
        if to % 3 == 0:
            out[written] = 2 * w + (position % 2 + changes + 1) % 2
            written += 1
    return written
