"""Random small graphs as compiled games of every kind: what they hold, they read from ``data``.

So one compiled game serves all graphs, and each kind is compiled once.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.rules.compiled import INVALID, CompiledGame


def rows_of(graph: rs.Graph, backwards: bool) -> tuple[np.ndarray, np.ndarray]:
    """The rows of a graph, or of its reverse, as int64."""
    if not backwards:
        return graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    source = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
    again = rs.Graph.from_edges(graph.indices, source, graph.num_vertices)
    return again.indptr.astype(np.int64), again.indices.astype(np.int64)


def row(rows, place, v, out):
    """Copy a row to ``out``; a tuple of arrays holds the row starts and the rows at ``place``."""
    count = 0
    for e in range(rows[place][v], rows[place][v + 1]):
        out[count] = rows[place + 1][e]
        count += 1
    return count


def moves_of(position, out, data):
    """Write the moves of a vertex that is at position 3 v + 1."""
    count = row((data[0], data[1]), 0, position // 3, out)
    for k in range(count):
        out[k] = 3 * out[k] + 1
    return count


def origins_of(position, out, data):
    """Write the predecessors."""
    count = row((data[2], data[3]), 0, position // 3, out)
    for k in range(count):
        out[k] = 3 * out[k] + 1
    return count


def code_of(position, data):
    """What ``terminal`` says."""
    return data[4][position // 3] if position % 3 == 1 else INVALID


class Stored(CompiledGame):
    """A graph as a game: position 3 v + 1 for vertex v, the numbers between them no positions."""

    def __init__(
        self, graph: rs.Graph, dense: bool = True, tiers: tuple[int, ...] | None = None
    ) -> None:
        self.graph = graph
        n = graph.num_vertices
        nothing = np.zeros(n, np.uint8)
        self.data = (
            *rows_of(graph, False),
            *rows_of(graph, True),
            nothing if graph.terminals is None else np.array(graph.terminals),
            nothing if graph.owner is None else np.array(graph.owner),
        )
        self.max_moves = max(int(graph.out_degrees().max(initial=1)), 1)
        self.max_predecessors = max(int(np.diff(self.data[2]).max(initial=1)), 1)
        self.size = 3 * n if dense and n else None
        self.tiers = tiers

    def starts(self):
        return range(1, 3 * self.graph.num_vertices, 3)

    @staticmethod
    def successors(position, out, data):
        return moves_of(position, out, data)

    @staticmethod
    def terminal(position, data):
        return code_of(position, data)


class WithPredecessors(Stored):
    @staticmethod
    def predecessors(position, out, data):
        return origins_of(position, out, data)


class Owned(WithPredecessors):
    @staticmethod
    def player(position, data):
        return data[5][position // 3]


class Ranked(WithPredecessors):
    """The same, in reverse order of the vertices and without gaps."""

    def __init__(self, graph: rs.Graph) -> None:
        super().__init__(graph)
        self.size = graph.num_vertices or None

    @staticmethod
    def rank(position, data):
        return len(data[4]) - 1 - position // 3

    @staticmethod
    def unrank(index, data):
        return 3 * (len(data[4]) - 1 - index) + 1


class Mirrored(CompiledGame):
    """A game on the positions 2 v + s: each has a mirror image, s the other way, that plays alike.

    A move from v to w changes s where the sum of v and w is odd, or v is w: then to its own mirror image.
    """

    def __init__(self, graph: rs.Graph) -> None:
        ends = np.zeros(graph.num_vertices, np.uint8) if graph.terminals is None else graph.terminals
        self.data = (*rows_of(graph, False), *rows_of(graph, True), np.array(ends))
        self.max_moves = 2 * max(int(graph.out_degrees().max(initial=1)), 1)
        self.max_predecessors = 2 * max(int(np.diff(self.data[2]).max(initial=1)), 1)
        self.size = 2 * graph.num_vertices or None

    @staticmethod
    def terminal(position, data):
        return data[4][position // 2]

    @staticmethod
    def successors(position, out, data):
        return mirrored_row((data[0], data[1]), position, out, False)

    @staticmethod
    def predecessors(position, out, data):
        return mirrored_row((data[2], data[3]), position, out, True)


class Folded(Mirrored):
    @staticmethod
    def canonical(position, data):
        return position - position % 2


class FoldedForwards(Folded):
    predecessors = None


def mirrored_row(rows, position, out, backwards):
    count = row(rows, 0, position // 2, out)
    twice = count
    for k in range(count):
        w = out[k]
        changes = 1 if (w + position // 2) % 2 == 1 or w == position // 2 else 0
        out[k] = 2 * w + (position % 2 + changes) % 2
        if (
            position // 2 if backwards else w
        ) % 3 == 0:  # two moves into the same pair of mirror images
            out[twice] = 2 * w + (position % 2 + changes + 1) % 2
            twice += 1
    return twice


def mirrored_graph(game: Mirrored) -> rs.Graph:
    """The same game with every move of every position stored."""
    out = np.zeros(game.max_moves, np.int64)
    edges = [
        (p, int(q))
        for p in range(game.size or 0)
        for q in out[: game.successors(p, out, game.data)].tolist()
    ]
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return rs.Graph.from_edges(source, target, game.size, terminal=np.repeat(game.data[4], 2))


def without_owner(graph: rs.Graph) -> rs.Graph:
    return rs.Graph(graph.indptr, graph.indices, None, graph.terminals)


def tiered(rng: random.Random) -> tuple[rs.Graph, tuple[int, ...]]:
    """A random graph whose vertices come in tiers: edges lead to the same tier or an earlier one."""
    sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
    first = np.cumsum([0, *sizes]).tolist()
    n = first[-1]
    edges = []
    for below, above in itertools.pairwise(first):
        inside = rng.random() < 0.6
        for v in range(below, above):
            top = above if inside else below
            edges += [(v, rng.randrange(top)) for _ in range(rng.randint(0, 4)) if top]
    terminal = [rng.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(n)] if rng.random() < 0.5 else None
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.4 else None
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return rs.Graph.from_edges(source, target, n, owner, terminal), tuple(3 * f for f in first[:-1])


class Reached(WithPredecessors):
    """Of which only what play reaches from a few vertices is solved.

    Every vertex has a twin, 3 n further on, that plays alike, has the same index and is never reached;
    ``predecessors`` writes the twins of unreached vertices and of reached ones.
    """

    reachable_only = True

    def __init__(
        self, graph: rs.Graph, starts: list[int], tiers: tuple[int, ...] | None = None
    ) -> None:
        super().__init__(graph, tiers=tiers)
        self.first = [3 * v + 1 for v in starts]
        self.max_predecessors *= 2

    def starts(self) -> Any:
        return self.first

    @staticmethod
    def rank(position, data):
        return position % (3 * len(data[4]))

    @staticmethod
    def unrank(index, data):
        return index

    @staticmethod
    def successors(position, out, data):
        return moves_of(position % (3 * len(data[4])), out, data)

    @staticmethod
    def terminal(position, data):
        return code_of(position % (3 * len(data[4])), data)

    @staticmethod
    def predecessors(position, out, data):
        count = origins_of(position % (3 * len(data[4])), out, data)
        for k in range(count):
            out[count + k] = out[k] + 3 * len(data[4])
        return 2 * count


class ReachedOwned(Reached):
    @staticmethod
    def player(position, data):
        return data[5][position % (3 * len(data[4])) // 3]


class ReachedForwards(Reached):
    predecessors = None


def reached_from(graph: rs.Graph, starts: list[int]) -> set[int]:
    """The vertices that play can reach."""
    found, todo = set(starts), list(starts)
    while todo:
        v = todo.pop()
        over = graph.terminals is not None and graph.terminals[v]
        for w in [] if over else graph.neighbors(v).tolist():
            if w not in found:
                found.add(w)
                todo.append(w)
    return found
