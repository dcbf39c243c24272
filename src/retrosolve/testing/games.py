"""Random graphs, boards and games, and graphs as games in plain rules."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np

import retrosolve as rs
from retrosolve.testing.compiled import CompiledGraphGame, MirroredGame
from retrosolve.values import Value

STUCK = ("loss", "win", "tie")
"""The values that ``solve(stuck=)`` accepts, as labels."""

MAX_VERTICES = 12
DENSITIES = (0.3, 0.8, 1.3, 2.0, 3.0)


def as_random(seed: int | random.Random) -> random.Random:
    """Return the generator that a seed stands for; a generator stands for itself.

    >>> as_random(1).random() == as_random(1).random()
    True
    """
    return seed if isinstance(seed, random.Random) else random.Random(seed)


def random_graph(seed: int | random.Random, acyclic: bool = False) -> rs.Graph:
    """Return a random graph of 0 to 12 vertices.

    Self-loops, duplicate edges, isolated vertices and vertices without successors all occur. Half of
    the graphs have owners and half have terminal values.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.
    acyclic
        True makes a graph without cycles.

    Notes
    -----
    Raises nothing. Cost: some 100 microseconds.

    Examples
    --------
    >>> graph = random_graph(8)
    >>> graph.indptr.tolist(), graph.indices.tolist()
    ([0, 2, 2, 3], [0, 0, 0])
    >>> graph == random_graph(8)
    True
    """
    rng = as_random(seed)
    n = rng.choice(range(MAX_VERTICES + 1))
    density = rng.choice(DENSITIES)
    m = rng.randint(0, int(n * density)) if n else 0
    source = [rng.randrange(n) for _ in range(m)]
    target = [rng.randrange(n) for _ in range(m)]
    if acyclic:
        order = list(range(n))
        rng.shuffle(order)
        kept = [(min(a, b), max(a, b)) for a, b in zip(source, target, strict=True) if a != b]
        source, target = [order[a] for a, _ in kept], [order[b] for _, b in kept]
    for _ in range(rng.choice((0, 0, 1, 3))):
        if source:
            copied = rng.randrange(len(source))
            source.append(source[copied])
            target.append(target[copied])
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.5 else None
    terminal = None
    if rng.random() < 0.5:
        terminal = [rng.randint(1, 3) if rng.random() < 0.25 else 0 for _ in range(n)]
    return rs.Graph.from_edges(source, target, n, owner, terminal)


def random_tiered_graph(seed: int | random.Random) -> tuple[rs.Graph, tuple[int, ...]]:
    """Return a random graph whose vertices come in tiers, and the first vertex of each tier.

    An edge leads to the same tier or to an earlier one. There are 1 to 4 tiers of 1 to 5 vertices, some
    of them without edges inside.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.

    Notes
    -----
    Raises nothing. Cost: some 100 microseconds.

    Examples
    --------
    >>> graph, tiers = random_tiered_graph(5)
    >>> len(graph.out_degrees()), tiers
    (9, (0, 3, 8))
    """
    rng = as_random(seed)
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
    first = np.cumsum([0, *sizes]).tolist()
    n = first[-1]
    edges = []
    for below, above in itertools.pairwise(first):
        inside = rng.random() < 0.6
        for v in range(below, above):
            top = above if inside else below
            edges += [(v, rng.randrange(top)) for _ in range(rng.randint(0, 4)) if top]
    return _with_ends(rng, edges, n), tuple(first[:-1])


def random_component_graph(seed: int | random.Random) -> tuple[rs.Graph, tuple[int, ...], int]:
    """Return a random graph in components, the first vertex of each tier, and the size of a component.

    An edge leads to the same component or to an earlier tier.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.

    Notes
    -----
    Raises nothing. Cost: some 100 microseconds.

    Examples
    --------
    >>> graph, tiers, size = random_component_graph(3)
    >>> len(graph.out_degrees()), tiers, size
    (10, (0, 4), 2)
    """
    rng = as_random(seed)
    size = rng.randint(1, 4)
    first = np.cumsum([0, *(size * rng.randint(1, 3) for _ in range(rng.randint(1, 4)))]).tolist()
    n = first[-1]
    edges = []
    for below, above in itertools.pairwise(first):
        for v in range(below, above):
            near = [*range(below), *range(v - v % size, v - v % size + size)]
            edges += [(v, rng.choice(near)) for _ in range(rng.randint(0, 4))]
    return _with_ends(rng, edges, n), tuple(first[:-1]), size


def _with_ends(rng: random.Random, edges: list[tuple[int, int]], n: int) -> rs.Graph:
    """Return a graph of edges, with random terminal values and owners in about half of the graphs."""
    terminal = [rng.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(n)] if rng.random() < 0.5 else None
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.4 else None
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return rs.Graph.from_edges(source, target, n, owner, terminal)


def without_owner(graph: rs.Graph) -> rs.Graph:
    """Return the graph on which the players alternate, edges and terminal values unchanged.

    Parameters
    ----------
    graph : Graph

    Notes
    -----
    Raises nothing. Cost: constant time; the edges are shared.

    Examples
    --------
    >>> graph = random_graph(9)
    >>> graph.owner is None, without_owner(graph).owner is None
    (False, True)
    """
    return rs.Graph.from_csr(graph.indptr, graph.indices, None, graph.terminals)


def reachable_vertices(graph: rs.Graph, starts: list[int]) -> set[int]:
    """Return the vertices that play from ``starts`` can reach, the starts included.

    Play does not go on from a terminal vertex.

    Parameters
    ----------
    graph : Graph
    starts : list of int

    Notes
    -----
    Raises nothing for vertices of the graph. Cost: O(n + m) time in plain Python.

    Examples
    --------
    >>> reachable_vertices(rs.Graph.from_edges([0, 1, 3], [1, 2, 0], terminal={1: "win"}), [0])
    {0, 1}
    """
    reached, todo = set(starts), list(starts)
    while todo:
        v = todo.pop()
        over = graph.terminals is not None and graph.terminals[v]
        for w in [] if over else graph.neighbors(v).tolist():
            if w not in reached:
                reached.add(w)
                todo.append(w)
    return reached


def random_board(seed: int | random.Random, max_side: int = 5) -> str:
    """Return a random board as text: walls, up to three exits, with or without either token.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.
    max_side
        The most rows and the most columns.

    Returns
    -------
    str
        One line per row, after a line with the number of rows and columns in half of the boards. At
        least one cell is free.

    Notes
    -----
    Raises nothing. Cost: time proportional to the number of cells.

    Examples
    --------
    >>> print(random_board(8))
    2 3
    *.*
    PT.
    """
    rng = as_random(seed)
    rows, columns = rng.randint(1, max_side), rng.randint(1, max_side)
    walls = rng.choice((0.0, 0.2, 0.5))
    cells = ["*" if rng.random() < walls else "." for _ in range(rows * columns)]
    for _ in range(rng.randint(0, 3)):
        cells[rng.randrange(len(cells))] = "E"
    for token in "PT":
        if rng.random() < 0.9:
            cells[rng.randrange(len(cells))] = token
    if "P" not in cells and "T" not in cells and "E" not in cells:
        cells[0] = "."
    return board_text("".join(cells), columns, sized=rng.random() < 0.5)


def board_text(cells: str, columns: int, sized: bool) -> str:
    """Return cells in rows, ``sized`` with a first line that gives the numbers of rows and columns.

    >>> board_text("P..T", 2, sized=True)
    '2 2\\nP.\\n.T'
    """
    rows = [cells[first : first + columns] for first in range(0, len(cells), columns)]
    return "\n".join([f"{len(rows)} {columns}", *rows] if sized else rows)


class GraphGame(rs.Game):
    """A graph as plain rules: the positions are its vertices, and the game starts from all of them.

    Parameters
    ----------
    graph : Graph

    Notes
    -----
    Raises nothing. Cost: that of exploring in plain Python.

    Examples
    --------
    >>> import retrosolve as rs
    >>> str(rs.solve(GraphGame(rs.Graph.from_edges([0, 1], [1, 2])))[0])
    'LOSS in 2'
    """

    def __init__(self, graph: rs.Graph) -> None:
        self.graph = graph

    def starts(self) -> range:
        """Return all vertices."""
        return range(self.graph.num_vertices)

    def moves(self, position: int) -> list[tuple[str, int]]:
        """Return a move for each edge, named by where it leads."""
        return [(f"to {w}", w) for w in self.graph.neighbors(position).tolist()]

    def terminal(self, position: int) -> Value | None:
        """Return the terminal value of the vertex, if it has one."""
        codes = self.graph.terminals
        return Value(int(codes[position])) if codes is not None and codes[position] else None

    def player(self, position: int) -> int:
        """Return the owner of the vertex."""
        if self.graph.owner is None:
            return super().player(position)
        return int(self.graph.owner[position])

    def implements(self, name: str) -> bool:
        """Return whether the game has the rule; ``player`` only where the graph has owners."""
        return self.graph.owner is not None if name == "player" else super().implements(name)


def random_game(seed: int | random.Random) -> GraphGame:
    """Return a random graph as plain rules.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.

    Notes
    -----
    Raises nothing. Cost: that of :func:`random_graph`.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = random_game(4)
    >>> rs.solve(game).counts() == rs.solve(game.graph).counts()
    True
    """
    return GraphGame(random_graph(seed))


def random_compiled_game(seed: int | random.Random, kind: str | None = None) -> rs.CompiledGame:
    """Return a random graph as a compiled game.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.
    kind
        What the game implements beyond ``successors`` and ``terminal``: ``"successors"`` (nothing
        more), ``"predecessors"``, ``"player"``, ``"rank"``, ``"tiers"``, ``"components"``,
        ``"reachable"`` (``reachable_only``), ``"canonical"``, or ``"explored"`` (no ``size``). By
        default one of them at random.

    Raises
    ------
    ValueError
        The kind is none of these.

    Notes
    -----
    Cost: that of :func:`random_graph`. Solving it compiles nothing.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = random_compiled_game(4, "rank")
    >>> game.implements("rank"), game.size
    (True, 3)
    """
    rng = as_random(seed)
    if kind is None:
        kind = rng.choice(tuple(KINDS))
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    return KINDS[kind](rng)


def _graph(rng: random.Random) -> rs.Graph:
    """Return a random graph that is not empty: the size of a game is above 0."""
    while True:
        graph = random_graph(rng)
        if graph.num_vertices:
            return graph


def _owned(rng: random.Random) -> rs.Graph:
    graph = _graph(rng)
    owner = [rng.randrange(2) for _ in range(graph.num_vertices)]
    return rs.Graph.from_csr(graph.indptr, graph.indices, owner, graph.terminals)


def _with_predecessors(graph: rs.Graph) -> tuple[str, ...]:
    """Return the rules of a game in tiers: it has predecessors where the graph has owners."""
    return () if graph.owner is None else ("predecessors",)


def _in_tiers(rng: random.Random) -> rs.CompiledGame:
    graph, tiers = random_tiered_graph(rng)
    return CompiledGraphGame(graph, *_with_predecessors(graph), tiers=tiers)


def _in_components(rng: random.Random) -> rs.CompiledGame:
    graph, tiers, size = random_component_graph(rng)
    return CompiledGraphGame(graph, *_with_predecessors(graph), tiers=tiers, component_size=size)


class _ExploredGame(MirroredGame):
    """A folded game without an index."""

    def __init__(self, graph: rs.Graph) -> None:
        super().__init__(graph, "predecessors", "canonical")
        self.size = None

    def start(self) -> int:
        return 0


KINDS: dict[str, Callable[[random.Random], rs.CompiledGame]] = {
    "successors": lambda rng: CompiledGraphGame(without_owner(_graph(rng))),
    "predecessors": lambda rng: CompiledGraphGame(without_owner(_graph(rng)), "predecessors"),
    "player": lambda rng: CompiledGraphGame(_owned(rng), "predecessors"),
    "rank": lambda rng: CompiledGraphGame(without_owner(_graph(rng)), "predecessors", "rank"),
    "tiers": _in_tiers,
    "components": _in_components,
    "reachable": lambda rng: CompiledGraphGame(_graph(rng), "predecessors", starts=[0]),
    "canonical": lambda rng: MirroredGame(without_owner(_graph(rng)), "predecessors", "canonical"),
    "explored": lambda rng: _ExploredGame(without_owner(_graph(rng))),
}
