"""Graphs from the data of other libraries: networks, matrices, dictionaries and tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.csr.attribute_names import find_attributes
from retrosolve.csr.ids import SortedIds
from retrosolve.csr.validation import all_or_none
from retrosolve.errors import GraphError
from retrosolve.spaces.stored import StoredSpace

if TYPE_CHECKING:
    from retrosolve.spaces.graph import Graph

INT64_LIMIT = 2**63


class AdaptedGraph(StoredSpace):
    """The constructors of a graph that take the data of other libraries."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def from_edges(
        cls,
        source: Any,
        target: Any = None,
        vertices: int | None = None,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Construct a graph from its edges."""

    @classmethod
    @abstractmethod
    def from_csr(
        cls,
        indptr: Any,
        indices: Any,
        owner: Any = None,
        terminal: Any = None,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Construct a graph from CSR rows."""

    @classmethod
    def _of(cls, arguments: dict[str, Any]) -> Graph:
        """Construct a graph from arguments of :meth:`from_edges` and names of its ``players``."""
        players = arguments.pop("players", None)
        return cls.from_edges(**arguments).with_start(None, players)

    @classmethod
    def from_dict(
        cls,
        successors: Mapping[Hashable, Iterable[Hashable]],
        owner: Any = None,
        terminal: Any = None,
    ) -> Graph:
        """Construct a graph from a dictionary of successors.

        Parameters
        ----------
        successors : mapping from hashable to iterable of hashable
            The successors of each vertex. A vertex that is only a successor needs no key.
        owner, terminal
            See :meth:`retrosolve.Graph.from_edges`.

        Returns
        -------
        Graph
            Vertices are named in the order of the keys, then of first appearance. Whole numbers are as
            in :meth:`retrosolve.Graph.from_edges`.

        Raises
        ------
        GraphError
            For successors that are no list, and for invalid owners or terminal values.

        Examples
        --------
        >>> from retrosolve import Graph
        >>> graph = Graph.from_dict({"a": ["b"], "b": ["a", "c"], "d": []})
        >>> graph.names, graph.neighbors(1).tolist()
        (('a', 'b', 'd', 'c'), [0, 3])
        """
        return cls.from_edges(**dict_arguments(successors), owner=owner, terminal=terminal)

    @classmethod
    def from_pandas(
        cls,
        edges: Any,
        source: str = "source",
        target: str = "target",
        vertices: Any = None,
        vertex: str | None = None,
        owner: Any = None,
        terminal: Any = None,
    ) -> Graph:
        """Construct a graph from a table of edges and, optionally, a table of vertices.

        Parameters
        ----------
        edges : DataFrame
            Of pandas or Polars, a table of Arrow, or a mapping from names to columns.
        source, target : str
            The columns of ``edges`` with the ends of each edge, whole numbers or text.
        vertices : DataFrame, optional
            One row for each vertex, in any order. Vertices without edges are isolated.
        vertex : str, optional
            The column of ``vertices`` that names the vertex; by default the index of a pandas
            DataFrame.
        owner, terminal : str or mapping, optional
            The columns of ``vertices`` with owners (0 or 1, for all) and terminal values (a
            :class:`Value` or its label, missing elsewhere), by default "owner" and "terminal" if
            there are such columns; or a mapping, such as a Series, from vertex to owner or value. A
            column "player" has the names of the owners, and stands for "owner" if that is missing.
            Case, blanks and underscores in these names do not count.

        Returns
        -------
        Graph
            Text is numbered in the order of ``vertices``, then of first appearance. Whole numbers are
            as in :meth:`retrosolve.Graph.from_edges`.

        Raises
        ------
        GraphError
            For a column that is missing or has entries of another kind, with its place; and for one of
            ``vertices`` that looks like owners or terminal values, such as "to_move" or "payoff".

        Examples
        --------
        >>> from retrosolve import Graph
        >>> edges = {"from": ["a", "b", "b"], "to": ["b", "a", "c"]}
        >>> vertices = {"name": ["a", "b", "c"], "owner": [0, 1, 0], "terminal": [None, None, "win"]}
        >>> graph = Graph.from_pandas(edges, "from", "to", vertices, "name")
        >>> graph.owner.tolist(), graph.terminals.tolist()
        ([0, 1, 0], [0, 0, 1])
        """
        from retrosolve.spaces.edge_tables import table_arguments

        return cls._of(table_arguments((edges, source, target), vertices, vertex, owner, terminal))

    @classmethod
    def from_networkx(cls, G: Any, owner: str = "owner", terminal: str = "terminal") -> Graph:  # noqa: N803
        """Construct a graph from a NetworkX graph; an undirected edge is a move both ways.

        Parameters
        ----------
        G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
            Its nodes become names, unless they are exactly 0..n-1 in order.
        owner : str
            The node attribute with owners, 0 or 1, present at all nodes or none. The attribute
            "player" is as in :meth:`from_pandas`.
        terminal : str
            The node attribute with terminal values, a :class:`Value` or its label.

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
        >>> from retrosolve import Graph
        >>> Graph.from_networkx(nx.DiGraph([("a", "b"), ("b", "c")]))
        Graph(vertices=3, edges=2, names)
        """
        return cls._of(networkx_arguments(G, owner, terminal))

    @classmethod
    def from_scipy(cls, A: Any, owner: Any = None, terminal: Any = None) -> Graph:  # noqa: N803
        """Construct a graph from a SciPy sparse adjacency matrix or array.

        Parameters
        ----------
        A : scipy.sparse matrix or array [n, n]
            A nonzero entry in row v and column w is the edge v -> w.
        owner, terminal
            See :meth:`retrosolve.Graph.from_edges`.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            For anything else, and if the matrix is not square.

        Examples
        --------
        >>> import scipy.sparse as sp
        >>> from retrosolve import Graph
        >>> Graph.from_scipy(sp.csr_array([[0, 1], [1, 0]]))
        Graph(vertices=2, edges=2)
        """
        return cls.from_csr(*scipy_rows(A), owner, terminal)


def networkx_arguments(G: Any, owner: str, terminal: str) -> dict[str, Any]:  # noqa: N803
    """Return the arguments of ``Graph.from_edges`` for a NetworkX graph of any kind.

    Parameters
    ----------
    G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    owner, terminal : str
        The node attributes that hold owners and terminal values.
    """
    from retrosolve.spaces.edge_tables import with_players

    if not hasattr(G, "adjacency"):
        raise GraphError(f"{type(G).__name__} is no network: expected a Graph or DiGraph of NetworkX")
    nodes: list[Hashable] = list(G.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    parallel = G.is_multigraph()
    pairs = [
        (number[u], number[v])
        for u, neighbors in G.adjacency()
        for v, keys in neighbors.items()
        for _ in (keys if parallel else (0,))
    ]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    numbered = all(type(node) is int and node == i for i, node in enumerate(nodes))
    attributes = [data for _, data in G.nodes(data=True)]
    found = _node_attributes(attributes, owner, terminal)
    owners, values, players = (
        [None if what not in found else data.get(found[what]) for data in attributes]
        for what in ("owner", "terminal", "player")
    )
    arguments = {
        "source": edges[:, 0],
        "target": edges[:, 1],
        "vertices": len(nodes),
        "owner": all_or_none(owners, nodes),
        "terminal": {node: x for node, x in zip(nodes, values, strict=True) if x is not None} or None,
        "names": None if numbered else nodes,
    }
    return with_players(arguments, [(v, str(x)) for v, x in enumerate(players) if x is not None])


def _node_attributes(attributes: list[dict[Any, Any]], owner: str, terminal: str) -> dict[str, Any]:
    """Return the names of the node attributes that hold owners, players and terminal values."""
    given = {"owner": owner, "terminal": terminal}
    chosen = {what: name for what, name in given.items() if what != name}
    names = dict.fromkeys(name for data in attributes for name in data)
    found = find_attributes(
        [name for name in names if name not in chosen.values()],
        [what for what in ("owner", "player", "terminal") if what not in chosen],
        GraphError,
        "attribute",
        lambda name: (data.get(name) for data in attributes),
    )
    if found.unused:
        raise GraphError(f"the nodes: {found.unused[0]}")
    return found.columns | chosen


def scipy_rows(A: Any) -> tuple[IntArray, IntArray]:  # noqa: N803
    """Return indptr and indices of a square SciPy sparse matrix or array, explicit zeros left out.

    Raises GraphError if the matrix is not square.
    """
    if not hasattr(A, "tocsr"):
        raise GraphError(
            f"{type(A).__name__} is no sparse matrix: expected scipy.sparse.csr_array(A) of it"
        )
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise GraphError(f"the adjacency matrix has shape {A.shape}: expected a square one")
    rows = A.tocsr(copy=True)
    rows.eliminate_zeros()
    return rows.indptr, rows.indices


def dict_arguments(successors: Mapping[Hashable, Iterable[Hashable]]) -> dict[str, Any]:
    """Return the arguments of ``Graph.from_edges`` for a dictionary of successors."""
    if not isinstance(successors, Mapping):
        raise GraphError(
            f"{type(successors).__name__} is no dictionary: expected the successors of each vertex"
        )
    pairs: list[tuple[Hashable, Hashable]] = []
    for vertex, row in successors.items():
        if isinstance(row, str | bytes) or not isinstance(row, Iterable):
            raise GraphError(f"the successors of {vertex!r} are {row!r}: expected a list of vertices")
        pairs += [(vertex, successor) for successor in row]
    try:
        names = list(dict.fromkeys([*successors, *(successor for _, successor in pairs)]))
    except TypeError as error:
        raise GraphError(f"{error}: expected hashable vertices") from None
    found: Any = names
    if all(type(name) is int and 0 <= name < INT64_LIMIT for name in names):
        found = SortedIds(np.sort(np.array(names, np.int64)))
    number = {name: i for i, name in enumerate(found)}
    edges = np.array([(number[v], number[w]) for v, w in pairs], np.int64).reshape(-1, 2)
    return {
        "source": edges[:, 0],
        "target": edges[:, 1],
        "vertices": len(names),
        "names": None if number == {v: v for v in range(len(names))} else found,
    }
