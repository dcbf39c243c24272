"""Graph: positions as vertices 0..n-1 and moves as directed edges, in CSR form.

Row ``v``, the successors of vertex ``v``, is ``indices[indptr[v]:indptr[v + 1]]``. Beside the rows a
graph may carry an owner for each vertex (who moves there), terminal values (the game ends there),
and names. Everything is checked once, here; a ``Graph`` that exists is right, and it never changes.

Bytes: 4 an edge and 4 a vertex while both counts fit int32, 8 where they do not; 1 a vertex for
owners and 1 for terminal values, where given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Protocol

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, arrays_equal, index_dtype, read_only
from retrosolve.csr import build, labels, validation
from retrosolve.errors import GraphError
from retrosolve.runtime.threads import ThreadPool
from retrosolve.values import INVALID

Edges = tuple[IntArray, IntArray]


class StateSpace(Protocol):
    """What a solver's result is proven against: vertices, terminals, and moves a block at a time.

    ``Graph`` stores its edges; others make them as they are asked for.
    """

    @property
    def vertices(self) -> int:
        """How many vertices there are."""

    @property
    def edges(self) -> int:
        """How many edges there are, duplicates counted."""

    @property
    def owner(self) -> ByteArray | None:
        """Who moves, 0 or 1, at each vertex; None where players simply alternate."""

    @property
    def terminal(self) -> ByteArray | None:
        """The terminal value at each vertex, 0 where there is none; None where there are none."""

    def movers(self, at: IntArray) -> ByteArray | None:
        """Give who moves at some vertices; None where players simply alternate."""

    def ends(self, start: int, stop: int) -> ByteArray | None:
        """Give the terminal values of the vertices ``start..stop-1``; None where there are none."""

    def out_degrees(self) -> IntArray:
        """Give the number of edges out of each vertex [vertices]."""

    def successors(self, vertex: int) -> IntArray:
        """Give the vertices that ``vertex`` has edges to, duplicates kept."""

    def rows(self, start: int, stop: int) -> tuple[IntArray, IntArray]:
        """Give the CSR rows of the vertices ``start..stop-1``, the first row starting at 0."""


class Graph:
    """A directed graph to play on.

    Build one with :meth:`from_edges`, :meth:`from_csr`, :meth:`from_networkx` or
    :meth:`from_scipy`. Cycles, self-loops, duplicate edges, unreachable and isolated vertices are
    all ordinary input. Without ``owner`` the players alternate.

    >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2])
    >>> graph
    Graph(vertices=3, edges=3)
    >>> graph.successors(1).tolist()
    [0, 2]
    """

    __slots__ = ("_given", "_numbers", "_rows", "names", "owner", "terminal", "vertices")
    __hash__: ClassVar[None]  # type: ignore[assignment]  # equal by content, so not hashable

    vertices: int
    """How many vertices there are."""
    owner: ByteArray | None
    terminal: ByteArray | None
    names: tuple[Hashable, ...] | None

    def __init__(
        self,
        indptr: IntArray,
        indices: IntArray,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
    ) -> None:
        self._given: Edges | None = None
        self._rows: Edges | None = (read_only(indptr), read_only(indices))
        self._describe(len(indptr) - 1, owner, terminal, names)

    def _describe(
        self, vertices: int, owner: Any, terminal: Any, names: Iterable[Hashable] | None
    ) -> None:
        self.vertices = vertices
        self.names, self._numbers = validation.names(names, vertices)
        self.owner = validation.vertex_array(owner, "owner", vertices, self._numbers)
        self.terminal = validation.vertex_array(terminal, "terminal", vertices, self._numbers)

    # -- making one ---------------------------------------------------------------------------

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any,
        vertices: int | None = None,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Build a graph from its edges, ``source[i] -> target[i]``.

        ``source`` and ``target`` are integer arrays [m] of vertex numbers, or arrays of strings,
        which then name the vertices in order of first appearance. ``vertices`` is their number;
        left out, it is what the other arguments imply. ``owner`` [n] holds 0 or 1 and ``terminal``
        [n] a Value (0: not terminal); both may be mappings from vertex or name instead, where an
        owner must be given for all. ``names`` [n] are hashable and differ.

        Order within a row is the order of the edges. Edges that a solver takes as they are (small
        graphs, and those whose edges lead to close numbers) are copied, and sorted when asked for.
        Raises GraphError for anything else. Costs O(n + m) time and one copy of the edges.

        >>> graph = Graph.from_edges(["a", "b"], ["b", "c"], terminal={"c": "loss"})
        >>> graph.names, graph.terminal.tolist()
        (('a', 'b', 'c'), [0, 0, 2])
        """
        if labels.is_text(source) or labels.is_text(target):
            if names is not None or vertices is not None:
                raise GraphError("edges between names take neither names= nor vertices=")
            source, target, names = labels.factorize(source, target)
        tails = validation.integer_array(source, "source", negative=True)
        heads = validation.integer_array(target, "target", negative=True)
        if len(tails) != len(heads):
            raise GraphError(f"source has {len(tails)} edges and target {len(heads)}: expected as many")
        names = None if names is None else tuple(names)
        n = validation.vertex_count(vertices, (tails, heads), owner, terminal, names)
        validation.check_range(tails, "source", n)
        validation.check_range(heads, "target", n)
        if not build.prefers_edge_list(tails, heads, n):
            return cls(*_sorted(tails, heads, n), owner, terminal, names)
        graph = cls.__new__(cls)
        graph._rows = None
        # One array for both: the system gives large pages, and fast, to large arrays only.
        given = np.empty((2, len(tails)), narrow_dtype(n))
        given[0], given[1] = tails, heads
        graph._given = read_only(given[0]), read_only(given[1])
        graph._describe(n, owner, terminal, names)
        return graph

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Build a graph from CSR rows: ``indptr`` [n + 1] row starts, ``indices`` [m] successors.

        Arrays that already have the right dtype are used as they are, not copied. The other
        arguments and errors are those of :meth:`from_edges`.

        >>> Graph.from_csr([0, 1, 2, 2], [1, 2])
        Graph(vertices=3, edges=2)
        """
        indptr = validation.integer_array(indptr, "indptr")
        indices = validation.integer_array(indices, "indices", negative=True)
        validation.check_indptr(indptr, len(indices))
        n = len(indptr) - 1
        validation.check_range(indices, "indices", n)
        return cls(
            indptr.astype(index_dtype(len(indices)), copy=False),
            indices.astype(index_dtype(n), copy=False),
            owner,
            terminal,
            names,
        )

    @classmethod
    def from_networkx(cls, G: Any, owner: str = "owner", terminal: str = "terminal") -> Graph:  # noqa: N803
        """Build a graph from a NetworkX graph of any kind; an undirected edge is a move both ways.

        Nodes become names, unless they are just 0..n-1 in order. The node attributes named by
        ``owner`` (0 or 1, on all nodes or none) and ``terminal`` (a Value or its word) are used
        where present. Raises GraphError.
        """
        nodes = list(G.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        parallel = G.is_multigraph()
        pairs = [
            (number[u], number[v])
            for u, neighbours in G.adjacency()
            for v, keys in neighbours.items()
            for _ in (keys if parallel else (0,))
        ]
        edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        plain = all(type(node) is int and node == i for i, node in enumerate(nodes))
        attributes = dict(G.nodes(data=True))
        owners = [attributes[node].get(owner) for node in nodes]
        values = [attributes[node].get(terminal) for node in nodes]
        return cls.from_edges(
            edges[:, 0],
            edges[:, 1],
            len(nodes),
            validation.all_or_none(owners, nodes),
            {node: value for node, value in zip(nodes, values, strict=True) if value is not None}
            or None,
            None if plain else nodes,
        )

    @classmethod
    def from_scipy(cls, A: Any, owner: Any = None, terminal: Any = None) -> Graph:  # noqa: N803
        """Build a graph from a SciPy sparse adjacency matrix or array.

        A stored entry that is not zero at row v and column w is the edge v -> w. Raises GraphError
        where the matrix is not square.
        """
        if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
            raise GraphError(f"the adjacency matrix has shape {A.shape}: expected a square one")
        rows = A.tocsr(copy=True)
        rows.eliminate_zeros()
        return cls.from_csr(rows.indptr, rows.indices, owner, terminal)

    # -- looking at it ------------------------------------------------------------------------

    @property
    def indptr(self) -> IntArray:
        """Where each row starts [n + 1]."""
        return self._in_rows()[0]

    @property
    def indices(self) -> IntArray:
        """The successors of each vertex, row by row [m]."""
        return self._in_rows()[1]

    @property
    def edges(self) -> int:
        """How many edges there are, duplicates and those out of terminal vertices counted."""
        return len((self._given or self._in_rows())[1])

    @property
    def unsorted(self) -> Edges | None:
        """The edges as sources and targets, where nobody has asked for rows yet; else None."""
        return self._given

    def _in_rows(self) -> Edges:
        """Give the rows, sorted now if they were not before."""
        if self._rows is None:
            assert self._given is not None
            index = index_dtype(self.vertices)
            source, target = self._given
            indptr, indices = _sorted(
                source.astype(index, copy=False), target.astype(index, copy=False), self.vertices
            )
            self._rows = read_only(indptr), read_only(indices)
            self._given = None
        return self._rows

    def movers(self, at: IntArray) -> ByteArray | None:
        """Give who moves at some vertices; None where players simply alternate."""
        return None if self.owner is None else self.owner[at]

    def ends(self, start: int, stop: int) -> ByteArray | None:
        """Give the terminal values of the vertices ``start..stop-1``; None where there are none."""
        return None if self.terminal is None else self.terminal[start:stop]

    def out_degrees(self) -> IntArray:
        """Give the number of edges out of each vertex [vertices]."""
        return np.diff(self.indptr)

    def successors(self, vertex: int) -> IntArray:
        """Give the vertices that ``vertex`` has edges to, duplicates kept, as a view."""
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def rows(self, start: int, stop: int) -> tuple[IntArray, IntArray]:
        """Give the CSR rows of the vertices ``start..stop-1``, the first row starting at 0."""
        indptr = self.indptr[start : stop + 1]
        return indptr - indptr[0], self.indices[indptr[0] : indptr[-1]]

    def vertex(self, position: Hashable) -> int:
        """Give the number of the vertex with this name (or number, in a graph without names)."""
        return validation.vertex_of(position, self.vertices, self._numbers)

    def name(self, vertex: int) -> Hashable:
        """Give the name of a vertex: its number in a graph without names."""
        return vertex if self.names is None else self.names[vertex]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and arrays_equal(self.owner, other.owner)
            and arrays_equal(self.terminal, other.terminal)
            and self.names == other.names
        )

    def __repr__(self) -> str:
        parts = [f"vertices={self.vertices}", f"edges={self.edges}"]
        if self.owner is not None:
            parts.append("owners")
        if self.terminal is not None:
            parts.append(f"terminals={np.count_nonzero(self.terminal)}")
        if self.names is not None:
            parts.append("names")
        return f"Graph({', '.join(parts)})"


def narrow_dtype(vertices: int) -> type[np.integer[Any]]:
    """Give the smallest integer type for vertex numbers: less memory to touch is most of the time."""
    return np.uint16 if vertices <= 1 << 16 else index_dtype(vertices)


def _sorted(source: IntArray, target: IntArray, vertices: int) -> Edges:
    with ThreadPool(None, vertices + len(source)) as pool:
        return build.edges_to_csr(source, target, vertices, pool)


def compact(game: Any) -> tuple[Graph, IntArray]:
    """Give a Graph of what is a position of a game, every edge stored, and each one's vertex in it.

    ``game`` is a graph that makes its edges, some of whose vertices may stand for no position.
    """
    graph: Graph = game.materialize()
    real = np.flatnonzero(game.terminal != INVALID)
    if len(real) == graph.vertices:
        return graph, real
    number = np.zeros(graph.vertices, np.int64)
    number[real] = np.arange(len(real))
    degrees = graph.out_degrees()
    inside = np.zeros(graph.vertices, bool)
    inside[real] = True
    indices = number[graph.indices[np.repeat(inside, degrees)]]
    indptr = np.concatenate([[0], np.cumsum(degrees[real])])
    owner = None if graph.owner is None else graph.owner[real]
    terminal = None if graph.terminal is None else graph.terminal[real]
    return Graph.from_csr(indptr, indices, owner, terminal), real
