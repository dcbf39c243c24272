"""Graph: positions as vertices 0..n-1 and moves as directed edges, in CSR form.

Row ``v``, the successors of vertex ``v``, is ``indices[indptr[v]:indptr[v + 1]]``. Beside the rows a
graph may carry an owner for each vertex (who moves there), terminal values (the game ends there),
and names. Everything is checked once, here; a ``Graph`` that exists is right, and it never changes.

Bytes: 4 an edge and 4 a vertex while both counts fit int32, 8 where they do not; 1 a vertex for
owners and 1 for terminal values, where given.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, arrays_equal, index_dtype, read_only
from retrosolve.csr import build, labels, order, validation
from retrosolve.errors import GraphError
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import Capability, Csr, CsrSpace, Size, StateSpace
from retrosolve.values import INVALID

Edges = tuple[IntArray, IntArray]


class Graph(CsrSpace):
    """A directed graph to play on.

    Build one with :meth:`from_edges`, :meth:`from_csr`, :meth:`from_networkx` or
    :meth:`from_scipy`. Cycles, self-loops, duplicate edges, unreachable and isolated vertices are
    all ordinary input. Without ``owner`` the players alternate.

    >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2])
    >>> graph
    Graph(vertices=3, edges=3)
    >>> graph.neighbors(1).tolist()
    [0, 2]
    """

    __slots__ = (
        "_direction", "_given", "_numbers", "_rows", "initial", "names", "num_vertices", "owner",
        "players", "terminals",
    )  # fmt: skip
    __hash__: ClassVar[None]  # type: ignore[assignment]  # equal by content, so not hashable

    num_vertices: int
    """The number of vertices."""
    owner: ByteArray | None
    """Who moves at each vertex, uint8 [num_vertices]; None where the players alternate."""
    terminals: ByteArray | None
    """The terminal value of each vertex, uint8 [num_vertices], 0 for none; None without any."""
    names: tuple[Hashable, ...] | None
    """What each vertex is called; None where it is called by its number."""
    initial: Hashable | None
    """The position that the game starts from; None without one."""
    players: tuple[str, str]
    """What the two players are called."""

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
        self.num_vertices = vertices
        self.names, self._numbers = validation.names(names, vertices)
        self.owner = validation.vertex_array(owner, "owner", vertices, self._numbers)
        self.terminals = validation.vertex_array(terminal, "terminal", vertices, self._numbers)
        self._start_from(None, ("0", "1"))
        self._direction: int | None = None

    def _start_from(self, initial: Hashable | None, players: tuple[str, str]) -> None:
        """Set what a copy may have otherwise."""
        object.__setattr__(self, "initial", initial)
        object.__setattr__(self, "players", players)

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
        >>> graph.names, graph.terminals.tolist()
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
            return cls(*_sorted(tails, heads, n), owner, terminal, names)._checked()
        graph = cls.__new__(cls)
        graph._rows = None
        # One array for both: the system gives large pages, and fast, to large arrays only.
        given = np.empty((2, len(tails)), narrow_dtype(n))
        given[0], given[1] = tails, heads
        graph._given = read_only(given[0]), read_only(given[1])
        graph._describe(n, owner, terminal, names)
        return graph._checked()

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
        )._checked()

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

    def _checked(self) -> Graph:
        """Return the graph. Raises GraphError for an edge that leads to an INVALID vertex."""
        terminals = self.terminals
        if terminals is None or int(terminals.max(initial=0)) != INVALID:
            return self
        degrees = self.out_degrees()
        wrong = (terminals[self.indices] == INVALID) & np.repeat(terminals == 0, degrees)
        if wrong.any():
            edge = int(wrong.argmax())
            v = int(np.searchsorted(self.indptr, edge, side="right")) - 1
            source, target = self.position(v), self.position(int(self.indices[edge]))
            raise GraphError(
                f"vertex {source!r} has an edge to {target!r}, whose terminal value is INVALID: "
                "expected edges between positions"
            )
        return self

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
    def num_edges(self) -> int:
        """The number of edges, duplicates and those out of terminal vertices counted."""
        return len((self._given or self._in_rows())[1])

    @property
    def edge_list(self) -> Edges | None:
        """The edges as sources and targets while nobody has asked for rows; then None."""
        return self._given

    def _in_rows(self) -> Edges:
        """Return the CSR arrays, sorted now if they were not before."""
        if self._rows is None:
            assert self._given is not None
            index = index_dtype(self.num_vertices)
            source, target = self._given
            indptr, indices = _sorted(
                source.astype(index, copy=False), target.astype(index, copy=False), self.num_vertices
            )
            self._rows = read_only(indptr), read_only(indices)
            self._given = None
        return self._rows

    @property
    def direction(self) -> int:
        """1 if the numbering is topological and all edges lead up, -1 if they lead down, else 0.

        Edges out of terminal vertices do not count. A graph without edges gives 1.
        """
        if self._direction is None:
            given = self._given
            stretches = (
                order.stretches_of_rows(*self._in_rows())
                if given is None
                else order.stretches_of_list(*given)
            )
            self._direction = order.topological_direction(stretches, self.terminals)
        return self._direction

    @property
    def has_names(self) -> bool:
        """Whether vertices have names."""
        return self.names is not None

    @property
    def capabilities(self) -> Capability:
        """CSR or EDGE_LIST, OWNED with owners, TOPOLOGICAL for a topological numbering."""
        found = Capability.CSR
        if self._given is not None:
            found |= Capability.EDGE_LIST
        if self.owner is not None:
            found |= Capability.OWNED
        return found | Capability.TOPOLOGICAL if self.direction else found

    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves at some vertices, uint8; None where the players alternate."""
        return None if self.owner is None else self.owner[indices]

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``, 0 where there are none."""
        if self.terminals is None:
            return np.zeros(stop - start, np.uint8)
        return self.terminals[start:stop]

    def out_degrees(self) -> IntArray:
        """Return the number of edges out of each vertex [num_vertices]."""
        return np.diff(self.indptr)

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``; the first row begins at 0."""
        indptr = self.indptr[start : stop + 1]
        return Csr(indptr - indptr[0], self.indices[indptr[0] : indptr[-1]])

    def neighbors(self, vertex: int) -> IntArray:
        """Return the vertices that ``vertex`` has edges to, duplicates kept, as a view."""
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]

    def estimate(self) -> Size:
        """Return the size, which is known."""
        return Size(self.num_vertices, self.num_edges, True)

    def materialize(self) -> Graph:
        """Return the graph itself."""
        return self

    # -- positions ----------------------------------------------------------------------------

    def index(self, position: Hashable) -> int:
        """Return the number of the vertex with this name (or number, in a graph without names)."""
        return validation.vertex_of(position, self.num_vertices, self._numbers)

    def position(self, index: int) -> Hashable:
        """Return the name of a vertex: its number in a graph without names."""
        return index if self.names is None else self.names[index]

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return each successor once, under its own name."""
        successors = dict.fromkeys(self.neighbors(self.index(position)).tolist())
        return [(self.text(self.position(w)), self.position(w)) for w in successors]

    def parse(self, text: str) -> Hashable:
        """Return the name or number that ``text`` is. Raises PositionError if there is none."""
        position: Hashable = text
        is_number = text.isascii() and text.isdigit() and len(text) < 19
        if is_number and (self._numbers is None or text not in self._numbers):
            position = int(text) if self._numbers is None or int(text) in self._numbers else text
        self.index(position)
        return position

    def starting(self, initial: Hashable | None, players: tuple[str, str] | None = None) -> Self:
        """Return the same graph with another initial position and other names of the players.

        Raises PositionError if ``initial`` is no vertex. Shares all arrays.
        """
        if initial is not None:
            self.index(initial)
        graph = copy.copy(self)
        graph._start_from(initial, players or self.players)
        return graph

    # -- saving -------------------------------------------------------------------------------

    def spec(self) -> dict[str, Any]:
        """Return the names, the initial vertex and the players; the edges are in :meth:`arrays`."""
        return {
            "kind": "graph",
            "names": None if self.names is None else list(self.names),
            "initial": None if self.initial is None else self.index(self.initial),
            "players": list(self.players),
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the edges as CSR, and the owners and terminal values where there are any."""
        found = {"indptr": self.indptr, "indices": self.indices}
        optional = {"owner": self.owner, "terminal": self.terminals}
        return found | {name: array for name, array in optional.items() if array is not None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and arrays_equal(self.owner, other.owner)
            and arrays_equal(self.terminals, other.terminals)
            and self.names == other.names
        )

    def __repr__(self) -> str:
        parts = [f"vertices={self.num_vertices}", f"edges={self.num_edges}"]
        if self.owner is not None:
            parts.append("owners")
        if self.terminals is not None:
            parts.append(f"terminals={np.count_nonzero(self.terminals)}")
        if self.names is not None:
            parts.append("names")
        return f"Graph({', '.join(parts)})"


def narrow_dtype(vertices: int) -> type[np.integer[Any]]:
    """Return the smallest integer type for vertex numbers: touching less memory saves most time."""
    return np.uint16 if vertices <= 1 << 16 else index_dtype(vertices)


def _sorted(source: IntArray, target: IntArray, vertices: int) -> Edges:
    with ThreadPool(None, vertices + len(source)) as pool:
        return build.edges_to_csr(source, target, vertices, pool)


def compact(space: StateSpace) -> tuple[Graph, NDArray[np.int64]]:
    """Return a graph of the positions of a space, every edge stored, and each one's index in it.

    INVALID indices are left out.
    """
    graph = space.materialize()
    real = graph.valid()
    if len(real) == graph.num_vertices:
        return graph, real
    number = np.zeros(graph.num_vertices, np.int64)
    number[real] = np.arange(len(real))
    degrees = graph.out_degrees()
    inside = np.zeros(graph.num_vertices, bool)
    inside[real] = True
    indices = number[graph.indices[np.repeat(inside, degrees)]]
    indptr = np.concatenate([[0], np.cumsum(degrees[real])])
    owner = None if graph.owner is None else graph.owner[real]
    terminals = None if graph.terminals is None else graph.terminals[real]
    return Graph.from_csr(indptr, indices, owner, terminals), real
