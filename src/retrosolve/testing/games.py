"""Random graphs, boards and games, graphs as games, and a comparison of two solutions.

A graph is a game in plain rules, or a compiled one in every form that the contract of compiled games
allows. The latter read it from ``data``, so that their rules are compiled once and serve all graphs.
The optional rules of a game are those it is made with.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.arrays import IntArray
from retrosolve.values import INVALID, NOT_TERMINAL, Outcome, Value

OPTIONAL = frozenset(
    {"canonical", "player", "predecessor_indices", "predecessors", "rank", "survey", "unrank"}
)
RANKED, TWINS = 1, 2  # kinds of index, besides that of a vertex as it is
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
        owner = int(self.graph.owner[position])
        return rs.CHANCE if owner == rs.CHANCE else owner

    def implements(self, name: str) -> bool:
        """Return whether the game has the rule; ``player`` only where the graph has owners."""
        return self.graph.owner is not None if name == "player" else super().implements(name)


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
        return data[4][position // 3 % len(data[4])] if position % 3 == 1 else INVALID

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


def _in_tiers(
    graph: rs.Graph, tiers: tuple[int, ...], component_size: int | None = None
) -> rs.CompiledGame:
    """Return a game in tiers, which has predecessors where the graph has owners."""
    rules = () if graph.owner is None else ("predecessors",)
    return CompiledGraphGame(graph, *rules, tiers=tiers, component_size=component_size)


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
    "tiers": lambda rng: _in_tiers(*random_tiered_graph(rng)),
    "components": lambda rng: _in_tiers(*random_component_graph(rng)),
    "reachable": lambda rng: CompiledGraphGame(_graph(rng), "predecessors", starts=[0]),
    "canonical": lambda rng: MirroredGame(without_owner(_graph(rng)), "predecessors", "canonical"),
    "explored": lambda rng: _ExploredGame(without_owner(_graph(rng))),
}


def assert_same_answers(
    left: rs.Solution,
    right: rs.Solution,
    positions: Iterable[Hashable] | None = None,
    *,
    remoteness: bool = True,
) -> None:
    """Raise AssertionError unless two solutions agree.

    Parameters
    ----------
    left, right
        The solutions to compare.
    positions
        The positions to look up in both. Left out, the solutions are compared index by index, which
        suits solutions of the same graph or of games with the same index.
    remoteness
        False compares only the values. Needed if a solution was made without its remoteness.

    Raises
    ------
    AssertionError
        The message names the first position that differs, and how many do.

    Notes
    -----
    O(n) time and a few bytes per vertex, or one lookup per position and solution.

    Examples
    --------
    >>> import retrosolve as rs
    >>> path = rs.Graph.from_edges([0, 1], [1, 2])
    >>> assert_same_answers(rs.solve(path), rs.solve(path, solver="reference"))
    >>> assert_same_answers(rs.solve(path), rs.solve(path, stuck="win"))
    Traceback (most recent call last):
    ...
    AssertionError: 3 of 3 answers differ, the first at 0: LOSS in 2 and WIN in 2
    """
    at: Iterable[Any]
    if positions is None:
        values = left.table.values(), right.table.values()
        if len(values[0]) != len(values[1]):
            raise AssertionError(f"the solutions have {len(values[0])} and {len(values[1])} indices")
        wrong = values[0] != values[1]
        if remoteness:
            wrong |= left.remoteness() != right.remoteness()
        compared, at = len(wrong), np.flatnonzero(wrong).tolist()
        answers = [[solution.table.position_outcome(v) for v in at] for solution in (left, right)]
    else:
        at = list(positions)
        compared, answers = len(at), [[solution[p] for p in at] for solution in (left, right)]
    if not remoteness:
        answers = [[side and Outcome(side.value, None) for side in both] for both in answers]
    differ = [row for row in zip(at, *answers, strict=True) if row[1] != row[2]]
    if differ:
        place, *both = differ[0]
        one, other = (outcome or "no position" for outcome in both)
        raise AssertionError(
            f"{len(differ)} of {compared} answers differ, the first at {place}: {one} and {other}"
        )
