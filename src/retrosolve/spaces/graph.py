"""Graph: a state space with stored edges, in CSR form.

Row ``v``, the successors of vertex ``v``, is ``indices[indptr[v]:indptr[v + 1]]``. Until rows are first
accessed, edges may be a list or dealt into buckets (``csr.build``). A graph may also have an owner for
each vertex (who moves there, chance included), terminal values (where the game ends), payoffs and
rewards (what a score counts), weights (how often chance takes an edge) and names. All arrays are
validated on construction; a graph never changes.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, arrays_equal, index_dtype, read_only, row_bounds
from retrosolve.errors import GraphError
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces import adapters
from retrosolve.spaces.base import (
    Capability,
    Csr,
    CsrSpace,
    Positions,
    SomeEdges,
    StateSpace,
    Vertices,
)
from retrosolve.spaces.csr import attribute_names, build, components, notes, validation
from retrosolve.spaces.csr.columns import number_edges
from retrosolve.spaces.csr.components import Components
from retrosolve.spaces.csr.ids import as_labels
from retrosolve.values import CHANCE, INVALID, Value

put = object.__setattr__  # what is set here once cannot be set by others


Edges = tuple[IntArray, IntArray]

_sorting = threading.Lock()

# By whether there are owners, chance apart, and whether the numbering is topological: joining flags
# takes microseconds, which a small solve would notice.
CAPABILITIES = {
    (False, False): Capability.CSR,
    (False, True): Capability.CSR | Capability.TOPOLOGICAL,
    (True, False): Capability.CSR | Capability.OWNED,
    (True, True): Capability.CSR | Capability.OWNED | Capability.TOPOLOGICAL,
}
CHANCE_CAPABILITIES = {
    numbered: CAPABILITIES[True, numbered] | Capability.CHANCE for numbered in (False, True)
}


def narrow_dtype(vertices: int) -> type[np.integer[Any]]:
    """Return the smallest integer type for vertex numbers."""
    return np.uint16 if vertices <= 1 << 16 else index_dtype(vertices)


FOR_USERS = {
    "from_csr", "from_dict", "from_edges", "from_networkx", "from_pandas", "from_scipy",
    "index", "indices", "indptr", "moves", "names", "neighbors", "num_edges", "num_vertices",
    "out_degrees", "owner", "parse", "payoff", "player", "players", "position", "reward", "start",
    "successors", "terminal", "terminals", "text", "weight", "with_start",
}  # fmt: skip


class Graph(CsrSpace):
    """A directed graph on which two players move alternately, or as its owners say.

    Graphs are made by :meth:`from_edges`, :meth:`from_dict`, :meth:`from_pandas`,
    :meth:`from_networkx`, :meth:`from_scipy`, :meth:`from_csr` and :func:`retrosolve.read_graph`, not
    by calling the class.
    Cycles, self-loops, duplicate edges, unreachable and isolated vertices are allowed.

    Raises
    ------
    GraphError
        By the class itself; by its constructors for edges, owners, terminal values or names that are
        wrong.

    Notes
    -----
    In rows, 4 bytes an edge and 4 a vertex while both counts fit int32, 8 where they do not; before
    rows are requested, 4 to 8 bytes an edge. 1 byte a vertex each for owners and terminal values, 4 a
    vertex for payoffs and 4 an edge each for rewards and weights.

    Examples
    --------
    >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2])
    >>> graph
    Graph(vertices=3, edges=3)
    >>> graph.neighbors(1).tolist()
    [0, 2]
    """

    __slots__ = (
        "_buckets", "_components", "_direction", "_edge_list", "_labels", "_numbers", "_rows",
        "has_chance", "is_dealt", "names", "num_edges", "num_vertices", "owner", "parities", "payoff",
        "players", "prefers_edge_list", "reward", "start", "terminals", "tiers_given", "weight",
    )  # fmt: skip
    __hash__: ClassVar[None]  # type: ignore[assignment]  # equal by content, so not hashable

    num_vertices: int
    """The number of vertices."""
    owner: ByteArray | None
    """Who moves at each vertex, uint8 [num_vertices]; None where the players alternate."""
    terminals: ByteArray | None
    """The terminal value of each vertex, uint8 [num_vertices], 0 for none; None without any."""
    payoff: IntArray | None
    """The payoff of each vertex where the game ends, int32 [num_vertices]; None without any."""
    reward: IntArray | None
    """The reward of each edge, row by row, int32 [num_edges]; None without any."""
    weight: IntArray | None
    """The weight of each edge, row by row, int32 [num_edges]; None without any."""
    num_edges: int
    """The number of edges, duplicates and those out of terminal vertices counted."""
    _edge_list: Edges | None
    _buckets: build.Buckets | None
    _rows: Edges | None
    _direction: int | None
    _components: Components | None
    names: Sequence[Hashable] | None
    """The name of each vertex; None if vertices are named by their numbers."""
    start: Hashable | None
    """The initial position; None without one."""
    players: tuple[str, str]
    """The names of the two players."""
    parities: tuple[int, ...]
    """Of the priorities that are not kept: (0, 1) if it is not the parity game that was read."""
    tiers_given: tuple[int, ...] | None
    """The first vertex of each tier, where results depend on tiers; None for none."""
    _numbers: Mapping[Hashable, int] | None
    _labels: NDArray[Any] | None

    def __init__(self, *_arguments: Any, **_options: Any) -> None:
        raise GraphError(
            "a Graph is not made by its class: expected Graph.from_edges(source, target) or another "
            "from_ method, or read_graph(path)"
        )

    @classmethod
    def _of_rows(cls, indptr: IntArray, indices: IntArray, *data: Any) -> Self:
        """Return the graph of CSR rows of the smallest index types, which are not checked.

        ``data`` are the other arguments of :meth:`_set_rows`, in order.
        """
        graph = cls.__new__(cls)
        graph._set_rows(indptr, indices, *data)
        return graph

    def _set_rows(
        self,
        indptr: IntArray,
        indices: IntArray,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
        payoff: Any = None,
        reward: Any = None,
        weight: Any = None,
    ) -> None:
        """Set everything, of CSR rows."""
        put(self, "_rows", (read_only(indptr), read_only(indices)))
        put(self, "num_edges", len(indices))
        self._describe(len(indptr) - 1, owner, terminal, names, payoff)
        put(self, "reward", validation.edge_numbers(reward, "reward", len(indices)))
        put(self, "weight", validation.edge_numbers(weight, "weight", len(indices)))

    def _describe(
        self,
        vertices: int,
        owner: Any,
        terminal: Any,
        names: Iterable[Hashable] | None,
        payoff: Any = None,
    ) -> None:
        """Set everything but the form in which the edges are, their number and their data."""
        for form in ("_rows", "_edge_list", "_buckets"):
            put(self, form, getattr(self, form, None))
        put(self, "prefers_edge_list", self._edge_list is not None)
        put(self, "is_dealt", self._buckets is not None)
        kept, numbers = validation.names(names, vertices)
        put(self, "num_vertices", vertices)
        put(self, "names", kept)
        put(self, "_numbers", numbers)
        put(self, "owner", validation.vertex_array(owner, "owner", vertices, numbers))
        put(self, "terminals", validation.vertex_array(terminal, "terminal", vertices, numbers))
        put(self, "payoff", validation.vertex_payoffs(payoff, vertices, numbers))
        put(self, "has_chance", self.owner is not None and bool((self.owner == CHANCE).any()))
        for later in ("reward", "weight", "_components", "_direction", "_labels", "tiers_given"):
            put(self, later, None)
        put(self, "parities", ())
        self._start_from(None, attribute_names.PLAYERS)

    def _start_from(self, start: Hashable | None, players: tuple[str, str]) -> None:
        """Set the attributes in which copies may differ."""
        put(self, "start", start)
        put(self, "players", players)

    # -- construction -------------------------------------------------------------------------

    @classmethod
    def from_edges(
        cls,
        source: Any,
        target: Any = None,
        vertices: int | None = None,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
        payoff: Any = None,
        reward: Any = None,
        weight: Any = None,
    ) -> Self:
        """Construct a graph from its edges ``source[i] -> target[i]``.

        Parameters
        ----------
        source, target : array_like [m]
            Strings or whole numbers: lists, arrays, columns of pandas, Polars or Arrow. Numbers among
            strings are names like these, if no string looks like a number. Without ``target``,
            ``source`` holds pairs: an iterable, or an array [m, 2].
        vertices : int, optional
            The number of vertices n, which are then 0..n-1. By default the length of ``names`` or of
            an array of owners or terminal values, otherwise what the edges have.
        owner : array_like [n] or mapping, optional
            Who moves at each vertex, 0 or 1, or ``retrosolve.CHANCE``. A plain 2 is chance only if
            edges have weights and some owner is 0: it may be a third player, or one of two that are
            called 1 and 2. A mapping from vertex or name must include all of them, and may use the
            label ``"chance"``. A Series of pandas is one, here and below, unless its index just counts
            the entries.
        terminal : array_like [n] or mapping, optional
            A :class:`Value` where the game ends, 0 elsewhere. A mapping may also use labels of values.
            WIN and LOSS are for the owner of the vertex, which must not be chance.
        names : iterable of hashable [n], optional
            The name of each vertex, all different.
        payoff : array_like [n] or mapping, optional
            For the objective ``score``: the whole number of points that the player to move wins where
            the game ends, which is at terminal vertices and those without edges; 0 elsewhere.
        reward : array_like [m], optional
            For the objective ``score``: the points that a move wins for its player. A move with a
            reward, which may be negative, must not be part of a cycle. Where chance moves there are
            none.
        weight : array_like [m], optional
            For the objective ``chance``: how often chance takes an edge out of a vertex that it owns,
            a whole number above 0, in proportion to the other ones there. By default all are equal.
            Other edges may have any weight, 0 or more, that does not count.

        Returns
        -------
        Graph
            The order within a row is the order of the edges.

        Raises
        ------
        GraphError
            For invalid arguments; the message names the first wrong entry.
        MemoryBudgetError
            If the graph does not fit in memory.

        Notes
        -----
        Strings are names, numbered in order of first appearance. Whole numbers are vertex numbers if
        they are just 0..n-1 or n is given. Otherwise they are names too, numbered in ascending order:
        a number that neither an edge nor a mapping has is not a vertex, and a warning is logged. So it
        is for names that may stand for a missing one, such as "NaN", and for those that differ only by
        blanks around them or by the normal form of Unicode.

        O(n + m) time and one copy of the edges. They are sorted into rows on first access, which the
        fastest solver does not need.

        Examples
        --------
        >>> graph = Graph.from_edges(["a", "b"], ["b", "c"], terminal={"c": "loss"})
        >>> graph.names, graph.terminals.tolist()
        (('a', 'b', 'c'), [0, 0, 2])
        >>> Graph.from_edges([(10**9, 2), (2, 3)]).names
        (2, 3, 1000000000)
        >>> Graph.from_edges([1, 2], [2, 3], vertices=4).names is None
        True
        """
        owner, terminal, payoff = adapters.by_labels(owner, terminal, payoff)
        are_numbers = names is None
        tails, heads, n, names = number_edges(source, target, vertices, owner, terminal, names, payoff)
        notes.log_notes(names, are_numbers)
        rewards = validation.edge_numbers(reward, "reward", len(tails))
        weights = validation.edge_numbers(weight, "weight", len(tails))
        has_data = not (rewards is None and weights is None)
        if has_data:
            by_row = np.argsort(tails, kind="stable")
            rewards, weights = (
                None if data is None else read_only(data[by_row]) for data in (rewards, weights)
            )
        graph = cls.__new__(cls)
        if not has_data and build.prefers_edge_list(tails, heads, n):
            # One array for both: the system gives large pages to large arrays only.
            kept = np.empty((2, len(tails)), narrow_dtype(n))
            kept[0], kept[1] = tails, heads
            put(graph, "_edge_list", (read_only(kept[0]), read_only(kept[1])))
        else:
            with ThreadPool(None, n + len(tails)) as pool:
                dealt = build.deal_or_sort(tails, heads, n, pool)
                if isinstance(dealt, build.Buckets) and has_data:
                    dealt = dealt.rows(pool)
                if isinstance(dealt, build.Buckets):
                    put(graph, "_buckets", dealt)
                else:
                    put(graph, "_rows", (read_only(dealt[0]), read_only(dealt[1])))
        put(graph, "num_edges", len(tails))
        graph._describe(n, owner, terminal, names, payoff)
        put(graph, "reward", rewards)
        put(graph, "weight", weights)
        return graph._checked(owner)

    @classmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
        payoff: Any = None,
        reward: Any = None,
        weight: Any = None,
    ) -> Self:
        """Construct a graph from CSR rows.

        Parameters
        ----------
        indptr : array_like [n + 1]
            Row starts, ascending from 0.
        indices : array_like [m]
            Successors, row by row.
        owner, terminal, names, payoff, reward, weight
            See :meth:`from_edges`; rewards and weights are row by row.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            For invalid arguments; the message names the first wrong entry.

        Notes
        -----
        O(n + m) time. Arrays of the right dtype are not copied.

        Examples
        --------
        >>> Graph.from_csr([0, 1, 2, 2], [1, 2])
        Graph(vertices=3, edges=2)
        """
        indptr = validation.integer_array(indptr, "indptr")
        indices = validation.integer_array(indices, "indices", negative=True)
        validation.check_indptr(indptr, len(indices))
        owner, terminal, payoff = adapters.by_labels(owner, terminal, payoff)
        n = len(indptr) - 1
        validation.check_range(indices, "indices", n)
        return cls._of_rows(
            indptr.astype(index_dtype(len(indices)), copy=False),
            indices.astype(index_dtype(n), copy=False),
            owner,
            terminal,
            names,
            payoff,
            reward,
            weight,
        )._checked(owner)

    @classmethod
    def _of(cls, arguments: dict[str, Any]) -> Self:
        """Construct a graph from arguments of :meth:`from_edges` and names of its ``players``."""
        players = arguments.pop("players", None)
        with notes.quiet():  # about numbers, which are names in a table
            graph = cls.from_edges(**arguments)
        notes.log_notes(graph.names)
        return graph.with_start(None, players)

    @classmethod
    def from_dict(
        cls,
        successors: Mapping[Hashable, Iterable[Hashable]],
        owner: Any = None,
        terminal: Any = None,
        payoff: Any = None,
    ) -> Self:
        """Construct a graph from a dictionary of successors.

        Parameters
        ----------
        successors : mapping from hashable to iterable of hashable
            The successors of each vertex. A vertex that is only a successor needs no key.
        owner, terminal, payoff
            See :meth:`from_edges`.

        Returns
        -------
        Graph
            Vertices are named in the order of the keys, then of first appearance. Whole numbers are as
            in :meth:`from_edges`.

        Raises
        ------
        GraphError
            For successors that are no list, and for invalid owners or terminal values.

        Examples
        --------
        >>> graph = Graph.from_dict({"a": ["b"], "b": ["a", "c"], "d": []})
        >>> graph.names, graph.neighbors(1).tolist()
        (('a', 'b', 'd', 'c'), [0, 3])
        """
        arguments = adapters.dict_arguments(successors)
        graph = cls.from_edges(**arguments, owner=owner, terminal=terminal, payoff=payoff)
        if graph.has_chance:
            adapters.refuse_weighted_rows(successors, graph.owner, graph.index)
        return graph

    @classmethod
    def from_pandas(
        cls,
        edges: Any,
        source: str | None = None,
        target: str | None = None,
        vertices: Any = None,
        vertex: str | None = None,
        owner: Any = None,
        terminal: Any = None,
        payoff: Any = None,
        reward: str | None = None,
        weight: str | None = None,
    ) -> Self:
        """Construct a graph from a table of edges and, optionally, a table of vertices.

        Parameters
        ----------
        edges : DataFrame
            Of pandas or Polars, a table of Arrow, or a mapping from names to columns.
        source, target : str, optional
            The columns of ``edges`` with the ends of each edge, whole numbers or text. By default the
            first usual pair that is there, such as source and target, from and to, or parent and child.
        vertices : DataFrame, optional
            One row for each vertex, in any order. Vertices without edges are isolated.
        vertex : str, optional
            The column of ``vertices`` that names the vertex; by default the index of a pandas
            DataFrame.
        owner, terminal : str or mapping, optional
            The columns of ``vertices`` with owners (0 or 1, for all) and terminal values (a
            :class:`Value` or its label, missing elsewhere), by default "owner" and "terminal" if
            there are such columns; or a mapping, such as a Series, from vertex to owner or value.
            ``owner`` may name a column of the names of two players. A column "player" has the names
            of the owners, and stands for "owner" if that is missing. Case, blanks and underscores in
            these names do not count.
        payoff : str or mapping, optional
            The column of ``vertices`` with payoffs, as for owners; missing for 0.
        reward : str, optional
            The column of ``edges`` with rewards, by default "reward" if there is such a column; missing
            for 0.
        weight : str, optional
            The column of ``edges`` with weights, by default "weight" if there is such a column and
            chance moves.

        Returns
        -------
        Graph
            Text is numbered in the order of ``vertices``, then of first appearance. Whole numbers are
            as in :meth:`from_edges`.

        Raises
        ------
        GraphError
            For a column that is missing or has entries of another kind, with its place; and for one of
            ``vertices`` that looks like owners or terminal values, such as "to_move" or "result".

        Examples
        --------
        >>> edges = {"from": ["a", "b", "b"], "to": ["b", "a", "c"]}
        >>> vertices = {"name": ["a", "b", "c"], "owner": [0, 1, 0], "terminal": [None, None, "win"]}
        >>> graph = Graph.from_pandas(edges, "from", "to", vertices, "name")
        >>> graph.owner.tolist(), graph.terminals.tolist()
        ([0, 1, 0], [0, 0, 1])
        """
        return cls._of(
            adapters.table_arguments(
                (edges, source, target), vertices, vertex, owner, terminal, payoff, reward, weight
            )
        )

    @classmethod
    def from_networkx(cls, G: Any, owner: str = "owner", terminal: str = "terminal") -> Self:  # noqa: N803
        """Construct a graph from a NetworkX graph; an undirected edge is a move both ways.

        Parameters
        ----------
        G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
            Its nodes become names, unless they are exactly 0..n-1 in order.
        owner : str
            The node attribute with owners, 0 or 1, or ``retrosolve.CHANCE`` or its label "chance",
            present at all nodes or none. The attribute "player" is as in :meth:`from_pandas`.
        terminal : str
            The node attribute with terminal values, a :class:`Value` or its label. Payoffs are the node
            attribute "payoff", rewards the edge attribute "reward". Where chance moves, the edge
            attribute "weight" counts, 1 if it is missing.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            For invalid attributes, and for one that looks like owners or terminal values.

        Examples
        --------
        >>> import networkx as nx
        >>> Graph.from_networkx(nx.DiGraph([("a", "b"), ("b", "c")]))
        Graph(vertices=3, edges=2, names)
        """
        return cls._of(adapters.networkx_arguments(G, owner, terminal))

    @classmethod
    def from_scipy(cls, A: Any, owner: Any = None, terminal: Any = None) -> Self:  # noqa: N803
        """Construct a graph from a SciPy sparse adjacency matrix or array.

        Parameters
        ----------
        A : scipy.sparse matrix or array [n, n]
            A nonzero entry in row v and column w is the edge v -> w. Where chance moves it is the
            weight of that edge, a whole number; entries that are all 1 are not weights.
        owner, terminal
            See :meth:`from_edges`.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            For anything else, if the matrix is not square, and for weights that are no whole numbers.

        Examples
        --------
        >>> import scipy.sparse as sp
        >>> Graph.from_scipy(sp.csr_array([[0, 1], [1, 0]]))
        Graph(vertices=2, edges=2)
        """
        rows = adapters.scipy_rows(A)
        weight = None
        if owner is not None and validation.has_chance(owner):
            owners = validation.vertex_array(owner, "owner", rows.shape[0], None)
            assert owners is not None
            weight = adapters.entries_as_weights(rows, owners)
        return cls.from_csr(rows.indptr, rows.indices, owner, terminal, weight=weight)

    def _checked(self, owner: Any) -> Self:
        """Return the graph, whose owners were given as ``owner``.

        Raises GraphError for an owner 2 that may be a third player, for an edge to an INVALID vertex,
        for the payoff of a vertex at which the game goes on, for a reward on a cycle, for chance
        without weights above 0 or with rewards, and for an end that chance owns and a player wins.
        """
        if self.has_chance and not validation.says_chance(owner):
            self._refuse_third_player()
        self._check_scores()
        self._check_chance()
        terminals = self.terminals
        if terminals is None or int(terminals.max(initial=0)) != INVALID:
            return self
        degrees = self.out_degrees()
        wrong = (terminals[self.indices] == INVALID) & np.repeat(terminals == 0, degrees)
        if wrong.any():
            source, target = self._ends_of(int(wrong.argmax()))
            raise GraphError(
                f"vertex {source!r} has an edge to {target!r}, whose terminal value is INVALID: "
                "expected edges between positions"
            )
        return self

    def _refuse_third_player(self) -> None:
        """Raise GraphError for owners that are 2, unless edges have weights and an owner is 0."""
        assert self.owner is not None
        dice = "and rs.CHANCE ('chance' in a file) for dice"
        if (self.owner == 1).any() and not (self.owner == 0).any():
            raise GraphError(f"the owners are 1 and 2: expected 0 and 1 for two players, {dice}")
        if self.weight is None:
            name = self.position(int((self.owner == CHANCE).argmax()))
            raise GraphError(
                f"vertex {name!r} has the owner 2, and edges have no weights: expected 0 and 1 for two "
                f"players, {dice}, or weights"
            )

    def _check_scores(self) -> None:
        """Raise GraphError for the payoff of a vertex with moves, and for a reward on a cycle."""
        if self.payoff is not None:
            wrong = (self.payoff != 0) & (self.terminal(0, self.num_vertices) == 0)
            wrong &= self.out_degrees() > 0
            if wrong.any():
                v = int(wrong.argmax())
                raise GraphError(
                    f"vertex {self.position(v)!r} has the payoff {self.payoff[v]} and goes on: "
                    "expected payoffs where the game ends"
                )
        if self.reward is not None:
            source = np.repeat(np.arange(self.num_vertices), self.out_degrees())
            number = self.components.number
            wrong = (self.reward != 0) & (number[source] == number[self.indices])
            if self.terminals is not None:
                wrong &= self.terminals[source] == 0
            if wrong.any():
                edge = int(wrong.argmax())
                tail, head = self._ends_of(edge)
                raise GraphError(
                    f"the move from {tail!r} to {head!r} has the reward {self.reward[edge]}, and play "
                    "can return to it: expected rewards on moves that no cycle contains"
                )

    def _check_chance(self) -> None:
        """Raise GraphError for a vertex of chance that has no moves, a weight of 0 or a winner.

        The same for rewards, which nobody would count.
        """
        if not self.has_chance:
            return
        assert self.owner is not None
        by_chance, terminal = self.owner == CHANCE, self.terminal(0, self.num_vertices)
        decided = (terminal == Value.WIN) | (terminal == Value.LOSS)
        if self.payoff is not None:
            decided = self.payoff != 0
        if (by_chance & decided).any():
            v = int((by_chance & decided).argmax())
            result = Value(terminal[v]).name if self.payoff is None else f"the payoff {self.payoff[v]}"
            raise GraphError(validation.end_of_nobody(self.position(v), result))
        live = by_chance & (terminal == 0)
        degrees = self.out_degrees()
        if (live & (degrees == 0)).any():
            v = int((live & (degrees == 0)).argmax())
            raise GraphError(
                f"chance owns vertex {self.position(v)!r}, which has no edges: expected some, or a "
                "terminal value"
            )
        if self.weight is not None:
            wrong = (self.weight == 0) & np.repeat(live, degrees)
            if wrong.any():
                tail, head = self._ends_of(int(wrong.argmax()))
                raise GraphError(
                    f"chance takes the edge from {tail!r} to {head!r} with the weight 0: expected more"
                )
        if self.reward is not None and self.reward.any():
            edge = int((self.reward != 0).argmax())
            tail, head = self._ends_of(edge)
            raise GraphError(
                f"the move from {tail!r} to {head!r} has the reward {self.reward[edge]}, and chance "
                "moves in this game: expected payoffs where the game ends"
            )

    def _ends_of(self, edge: int) -> tuple[Hashable, Hashable]:
        """Return the names of the vertices that an edge leads from and to."""
        v = int(np.searchsorted(self.indptr, edge, side="right")) - 1
        return self.position(v), self.position(int(self.indices[edge]))

    @property
    def has_names(self) -> bool:
        """Whether vertices have names."""
        return self.names is not None

    def materialize(self) -> Self:
        """Return the graph itself."""
        return self

    # -- positions ----------------------------------------------------------------------------

    @property
    def positions(self) -> Positions:
        """The vertices by their names, or their numbers."""
        return Vertices(self, self.names, self._numbers)

    # Three of its methods once more, for those who look up many vertices one by one.

    def index(self, position: Hashable) -> int:
        """Return the number of the vertex with this name (or number, in a graph without names)."""
        return validation.vertex_of(position, self.num_vertices, self._numbers)

    def resolved(self, position: Hashable) -> tuple[Hashable, int]:
        """Return the name of a vertex and its number. Raises PositionError."""
        return position, validation.vertex_of(position, self.num_vertices, self._numbers)

    def position(self, index: int) -> Hashable:
        """Return the name of a vertex: its number in a graph without names."""
        return index if self.names is None else self.names[index]

    def edges_of(self, vertices: IntArray) -> SomeEdges:
        """Return the edges out of some vertices, none out of those where the game is over."""
        begins = self.indptr[vertices].astype(np.int64)
        degrees = self.indptr[vertices + 1] - begins
        if self.terminals is not None:
            degrees[self.terminals[vertices] != 0] = 0
        indptr = row_bounds(degrees)
        places = np.arange(indptr[-1]) + np.repeat(begins - indptr[:-1], degrees)
        reward = 0 if self.reward is None else self.reward[places]
        return SomeEdges(indptr, self.indices[places], reward)

    def labels(self, vertices: IntArray) -> NDArray[Any]:
        """Return the names of some vertices: text, or numbers if all names are that."""
        if self.names is None:
            return vertices.astype(np.int64)
        if self._labels is None:
            self._labels = as_labels(self.names)
        return self._labels[vertices]

    def move_labels(self, vertices: IntArray, targets: IntArray) -> NDArray[Any]:
        """Return the names of the targets."""
        return self.labels(targets)

    def with_start(self, start: Hashable | None, players: tuple[str, str] | None = None) -> Self:
        """Return the same graph with another start and other names of the players.

        Parameters
        ----------
        start : hashable or None
            The name or number of a vertex.
        players : tuple of two str, optional

        Returns
        -------
        Graph
            Shares all arrays.

        Raises
        ------
        PositionError
            If ``start`` is not a vertex.
        GraphError
            For ``players`` that are not two names that differ.
        """
        if start is not None:
            self.index(start)
        if players is not None and not attribute_names.are_players(players):
            raise GraphError(f"players={players!r}: expected two names that differ")
        graph = copy.copy(self)
        graph._start_from(start, self.players if players is None else (players[0], players[1]))
        return graph

    # -- saving -------------------------------------------------------------------------------

    def with_tiers(self, tiers: Sequence[int]) -> Self:
        """Return the same graph with tiers, by the first vertex of each; all arrays are shared."""
        graph = copy.copy(self)
        put(graph, "tiers_given", tuple(tiers))
        return graph

    @property
    def tiers(self) -> Sequence[int]:
        """The first vertex of each tier, all in one unless they are given."""
        return self.tiers_given or (0,)

    def spec(self) -> dict[str, Any]:
        """Return the names, the initial vertex and the players; the edges are in :meth:`arrays`."""
        spec = {
            "kind": "graph",
            "names": None if self.names is None else list(self.names),
            "initial": None if self.start is None else self.index(self.start),
            "players": list(self.players),
        }
        return spec | ({"parities": list(self.parities)} if self.parities else {})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the edges as CSR, and the owners and terminal values where there are any."""
        found = {"indptr": self.indptr, "indices": self.indices}
        optional = {
            "owner": self.owner, "terminal": self.terminals, "payoff": self.payoff,
            "reward": self.reward, "weight": self.weight,
            "tiers": None if self.tiers_given is None else np.array(self.tiers, np.int64),
        }  # fmt: skip
        return found | {name: array for name, array in optional.items() if array is not None}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        arrays = attrgetter("indptr", "indices", "owner", "terminals", "payoff", "reward", "weight")
        return all(map(arrays_equal, arrays(self), arrays(other))) and self.names == other.names

    def __dir__(self) -> list[str]:
        """Return the names for users; the others are for solvers, provers and the store."""
        return sorted(FOR_USERS | {name for name in super().__dir__() if name.startswith("_")})

    def __repr__(self) -> str:
        parts = [f"vertices={self.num_vertices}", f"edges={self.num_edges}"]
        if self.owner is not None:
            parts.append("owners")
        if self.terminals is not None:
            parts.append(f"terminals={np.count_nonzero(self.terminals)}")
        if self.payoff is not None:
            parts.append("payoffs")
        if self.reward is not None:
            parts.append(f"rewards={np.count_nonzero(self.reward)}")
        if self.has_chance:
            parts.append("chance")
        if self.names is not None:
            parts.append("names")
        return f"Graph({', '.join(parts)})"

    def _repr_html_(self) -> str:
        """Return a picture of at most 60 vertices for a notebook, otherwise the text of the graph."""
        from retrosolve.drawing.graphs import MAX_SHOWN, graph_picture

        n = self.num_vertices
        if not 0 < n <= MAX_SHOWN:
            return f"<pre>{self!r}</pre>"
        labels = [self.text(self.position(vertex)) for vertex in range(n)]
        sources = np.repeat(np.arange(n), self.out_degrees())
        return str(graph_picture(repr(self), labels, sources, self.indices))

    # -- edges, and what the vertices and edges have ------------------------------------------------

    @property
    def indptr(self) -> IntArray:
        """The start of each row, int [n + 1]."""
        return self._in_rows()[0]

    @property
    def indices(self) -> IntArray:
        """The successors of each vertex, row by row, int [m]."""
        return self._in_rows()[1]

    @property
    def edge_list(self) -> Edges | None:
        """The edges as sources and targets until rows are first accessed; then None."""
        return self._edge_list

    def buckets(self, pool: ThreadPool) -> build.Buckets:
        """Return the edges in buckets of neighbouring sources."""
        return self._buckets or build.rows_as_buckets(*self._in_rows(), pool)

    def _in_rows(self) -> Edges:
        """Return the CSR arrays; sort the edges on first access."""
        if self._rows is None:
            with _sorting:  # threads that share the work on a graph ask for its rows at the same time
                self._rows = self._rows or self._sorted()
            self._edge_list = self._buckets = None
        return self._rows

    def _sorted(self) -> Edges:
        """Sort the edges into CSR arrays."""
        with ThreadPool(None, self.num_vertices + self.num_edges) as pool:
            if self._buckets is not None:
                indptr, indices = self._buckets.rows(pool)
            else:
                assert self._edge_list is not None
                index = index_dtype(self.num_vertices)
                source, target = self._edge_list
                indptr, indices = build.edges_to_csr(
                    source.astype(index, copy=False), target.astype(index, copy=False),
                    self.num_vertices, pool,
                )  # fmt: skip
        return read_only(indptr), read_only(indices)

    @property
    def direction(self) -> int:
        """1 if the numbering is topological and all edges lead up, -1 if they lead down, else 0.

        Edges out of terminal vertices do not count. 1 for a graph without edges.
        """
        if self._direction is None:
            if self._edge_list is not None:
                chunks = components.edge_list_chunks(*self._edge_list)
            elif self._buckets is not None:
                chunks = self._buckets.chunks()
            else:
                chunks = components.row_chunks(*self._in_rows())
            self._direction = components.topological_direction(chunks, self.terminals)
        return self._direction

    @property
    def components(self) -> Components:
        """The strongly connected components; edges out of terminal vertices do not count."""
        if self._components is None:
            self._components = components.strong_components(self.indptr, self.indices, self.terminals)
        return self._components

    @property
    def capabilities(self) -> Capability:
        """CSR, OWNED with owners, TOPOLOGICAL for a topological numbering."""
        direction = self.direction if self._direction is None else self._direction
        if self.has_chance:
            return CHANCE_CAPABILITIES[direction != 0]
        return CAPABILITIES[self.owner is not None, direction != 0]

    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves at some vertices, uint8; None where the players alternate."""
        return None if self.owner is None else self.owner[indices]

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``, 0 where there are none."""
        if self.terminals is None:
            return np.zeros(stop - start, np.uint8)
        return self.terminals[start:stop]

    def payoffs(self, start: int, stop: int) -> IntArray | None:
        """Return the payoffs of the vertices ``start..stop-1``."""
        return None if self.payoff is None else self.payoff[start:stop]

    def rewards(self, start: int, stop: int) -> IntArray | None:
        """Return the rewards of the edges out of the vertices ``start..stop-1``."""
        if self.reward is None:
            return None
        return self.reward[self.indptr[start] : self.indptr[stop]]

    def weights(self, start: int, stop: int) -> IntArray | None:
        """Return the weights of the edges out of the vertices ``start..stop-1``."""
        if self.weight is None:
            return None
        return self.weight[self.indptr[start] : self.indptr[stop]]

    def out_degrees(self) -> IntArray:
        """Return the number of edges out of each vertex [num_vertices]."""
        indptr = self.indptr
        return indptr[1:] - indptr[:-1]  # np.diff takes microseconds more, which a small solve notices

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``; the first row begins at 0."""
        indptr = self.indptr[start : stop + 1]
        return Csr(indptr - indptr[0], self.indices[indptr[0] : indptr[-1]])

    def neighbors(self, vertex: int) -> IntArray:
        """Return the vertices that a vertex has edges to, all by number, duplicates kept, as a view.

        In a graph with names, ``moves(name)`` has the successors of a name, by name.
        """
        return self.indices[self.indptr[vertex] : self.indptr[vertex + 1]]


def compact(space: StateSpace) -> tuple[Graph, NDArray[np.int64]]:
    """Return a graph of the positions of a space, INVALID indices left out.

    Parameters
    ----------
    space : StateSpace

    Returns
    -------
    graph : Graph
        Every edge stored, without names.
    indices : int64 [graph.num_vertices]
        The index in ``space`` of each vertex.

    Notes
    -----
    The graph of a space without INVALID indices is its materialization, not a copy.
    """
    graph = cast(Graph, space.materialize())  # there is no other space with all edges
    valid = graph.valid()
    if len(valid) == graph.num_vertices:
        return graph, valid
    number = np.zeros(graph.num_vertices, np.int64)
    number[valid] = np.arange(len(valid))
    degrees = graph.out_degrees()
    inside = np.zeros(graph.num_vertices, bool)
    inside[valid] = True
    chosen = np.repeat(inside, degrees)
    indices = number[graph.indices[chosen]]
    indptr = row_bounds(degrees[valid])
    owner = None if graph.owner is None else validation.known_owners(graph.owner[valid])
    terminals = None if graph.terminals is None else graph.terminals[valid]
    payoff = None if graph.payoff is None else graph.payoff[valid]
    reward = None if graph.reward is None else graph.reward[chosen]
    weight = None if graph.weight is None else graph.weight[chosen]
    return Graph.from_csr(indptr, indices, owner, terminals, None, payoff, reward, weight), valid
