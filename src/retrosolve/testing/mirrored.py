"""A game with a mirror symmetry, solved with and without folding it."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.rules.contract import CompiledGame
from retrosolve.spaces.graph import Graph
from retrosolve.testing.compiled import copy_row, csr_arrays


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
