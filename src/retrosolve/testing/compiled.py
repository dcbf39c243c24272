"""A graph as a compiled game, in every form that the contract of compiled games allows.

Each class reads its graph from ``data``, so its rules are compiled once and serve all graphs. The
optional rules of a game are those it is made with.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.arrays import IntArray
from retrosolve.values import INVALID, NOT_TERMINAL

OPTIONAL = frozenset(
    {"canonical", "player", "predecessor_indices", "predecessors", "rank", "survey", "unrank"}
)
RANKED, TWINS = 1, 2  # kinds of index, besides that of a vertex as it is


def csr_arrays(graph: rs.Graph, reverse: bool = False) -> tuple[IntArray, IntArray]:
    """Return the CSR arrays of a graph, or of its reverse, as int64.

    >>> path = rs.Graph.from_edges([0, 1], [1, 2])
    >>> [array.tolist() for array in csr_arrays(path, reverse=True)]
    [[0, 0, 1, 2], [0, 1]]
    """
    if reverse:
        source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
        graph = rs.Graph.from_edges(graph.indices, source, graph.num_vertices)
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


class _GraphGame(rs.CompiledGame):
    """A game on a graph, which defines the optional rules that it is asked for."""

    def __init__(self, graph: rs.Graph, rules: Iterable[str], images: int) -> None:
        self.graph = graph
        self.rules = frozenset(rules)
        if not self.rules <= OPTIONAL:
            raise ValueError(f"rules are {sorted(self.rules)}: expected some of {sorted(OPTIONAL)}")
        zeros = np.zeros(graph.num_vertices, np.uint8)
        self.data = (
            *csr_arrays(graph),
            *csr_arrays(graph, reverse=True),
            zeros if graph.terminals is None else np.array(graph.terminals),
            zeros if graph.owner is None else np.array(graph.owner),
        )
        self.max_moves = images * max(int(graph.out_degrees().max(initial=1)), 1)
        self.max_predecessors = images * max(int(np.diff(self.data[2]).max(initial=1)), 1)

    def implements(self, name: str) -> bool:
        """Return whether the game has a rule: of the optional ones, those that it is asked for."""
        return super().implements(name) and (name not in OPTIONAL or name in self.rules)


class CompiledGraphGame(_GraphGame):
    """A graph as a compiled game.

    Vertex v is the position 3 v + 1; the numbers between are invalid positions.

    Parameters
    ----------
    graph : Graph
        The graph to play on. The game has ``player`` if the graph has owners.
    *rules : str
        Optional rules that it has: ``"predecessors"``; ``"survey"``; ``"predecessor_indices"``, for
        graphs without owners; ``"rank"``, an index without gaps, the vertices in reverse order.
    dense : bool
        False leaves ``size`` out: the positions are explored from the starts, which are all vertices.
    starts : sequence of int, optional
        Vertices that the game starts from. Only what is reachable from them is solved. Each vertex then
        has a twin, 3 n further on, that plays alike, has the same index and is never reached;
        ``predecessors`` writes the twins too.
    tiers : tuple of int, optional
        The first vertex of each tier.
    component_size : int, optional
        The number of vertices of a component.

    Raises
    ------
    ValueError
        For any other rule.

    Notes
    -----
    Cost: 32 bytes an edge.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1], [1, 2])
    >>> for rules in ((), ("predecessors",), ("predecessors", "rank")):
    ...     print(rs.solve(CompiledGraphGame(graph, *rules))[3 * 0 + 1])
    LOSS in 2
    LOSS in 2
    LOSS in 2
    """

    def __init__(
        self, graph: rs.Graph, *rules: str, dense: bool = True, starts: Iterable[int] | None = None,
        tiers: tuple[int, ...] | None = None, component_size: int | None = None,
    ) -> None:  # fmt: skip
        n, ranked, twins = graph.num_vertices, "rank" in rules, starts is not None
        more = ("rank", "unrank") if ranked or twins else ()
        super().__init__(graph, {*rules, *more} | ({"player"} if graph.owner is not None else set()), 1)
        first = np.repeat(tiers or (0,), np.diff([*(tiers or (0,)), n])).astype(np.int64)
        kind, owned = RANKED if ranked else TWINS if twins else 0, graph.owner is not None
        self.data = (*self.data, first, kind, owned)
        self.max_predecessors *= 1 + twins
        self.size = (n if ranked else 3 * n) or None if dense else None
        self.tiers = None if tiers is None else tuple(3 * first for first in tiers)
        self.component_size = None if component_size is None else 3 * component_size
        self.reachable_only = twins
        self.initial = range(1, 3 * n, 3) if starts is None else [3 * v + 1 for v in starts]

    def starts(self) -> Iterable[int]:
        """Return the positions of the starts, all vertices by default."""
        return self.initial

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the successors of the vertex."""
        count = copy_row(data[0], data[1], position // 3 % len(data[4]), out)
        for k in range(count):
            out[k] = 3 * out[k] + 1
        return count

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return the terminal value of the vertex, INVALID for the numbers between."""
        code: int = data[4][position // 3 % len(data[4])] if position % 3 == 1 else INVALID
        return code

    @staticmethod
    def player(position: int, data: Any) -> int:
        """Return the owner of the vertex."""
        owner: int = data[5][position // 3 % len(data[4])]
        return owner

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """Return the index, which twins share, or the number of vertices after this one."""
        if data[7] == RANKED:
            return len(data[4]) - 1 - position // 3
        return position % (3 * len(data[4]))

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """Return the position of an index: of twins the one that play can reach."""
        return 3 * (len(data[4]) - 1 - index) + 1 if data[7] == RANKED else index

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        """Write the predecessors of the vertex, and their twins."""
        n = len(data[4])
        count = copy_row(data[2], data[3], position // 3 % n, out)
        for k in range(count):
            out[k] = 3 * out[k] + 1
            if data[7] == TWINS:
                out[count + k] = out[k] + 3 * n
        return 2 * count if data[7] == TWINS else count

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return the terminal value, the moves and the targets within the tier; write the others."""
        v = index // 3
        code: int = data[4][v] if index % 3 == 1 else INVALID
        if code != NOT_TERMINAL:
            return code, 0, 0, 0
        moves = copy_row(data[0], data[1], v, out)
        within, beyond = 0, 0
        for k in range(moves):
            target = out[k]
            again = False
            for e in range(data[0][v], data[0][v] + k):
                if data[1][e] == target:
                    again = True
            if target < data[6][v]:
                same = data[8] and data[5][v] == data[5][target]
                out[beyond] = ~(3 * target + 1) if same else 3 * target + 1
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


class MirroredGame(_GraphGame):
    """A graph without owners, played on the positions 2 v + s, where s = 0 and s = 1 are mirror images.

    A move from v to w changes s where v + w is odd or v = w: a self-loop leads to the mirror image of
    its own position. A move to a w that is a multiple of 3 leads to both images.

    Parameters
    ----------
    graph : Graph
    *rules : str
        Optional rules that the game has: ``"predecessors"``, and ``"canonical"``, which is the image
        with s = 0.

    Raises
    ------
    ValueError
        For any other rule.

    Notes
    -----
    Cost: 32 bytes an edge.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1], [1, 2])
    >>> full, folded = rs.solve(MirroredGame(graph)), rs.solve(MirroredGame(graph, "canonical"))
    >>> [str(full[p]) for p in (0, 1)], str(folded[1]), len(full), len(folded)
    (['LOSS in 2', 'LOSS in 2'], 'LOSS in 2', 6, 3)
    """

    def __init__(self, graph: rs.Graph, *rules: str) -> None:
        super().__init__(graph, rules, 2)
        self.data = (*self.data, int("canonical" in rules))
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

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """Return the image with s = 0, where one of two is stored."""
        image: int = position - position % 2 * data[6]
        return image

    def as_graph(self) -> rs.Graph:
        """Return the same game with every move of every position stored.

        >>> MirroredGame(rs.Graph.from_edges([1], [2], 3)).as_graph().out_degrees().tolist()
        [0, 0, 1, 1, 0, 0]
        """
        out = np.zeros(self.max_moves, np.int64)
        edges = [
            (p, int(q))
            for p in range(self.size or 0)
            for q in out[: self.successors(p, out, self.data)].tolist()
        ]
        source, target = zip(*edges, strict=True) if edges else ((), ())
        return rs.Graph.from_edges(source, target, self.size, terminal=np.repeat(self.data[4], 2))


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
