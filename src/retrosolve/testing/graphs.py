"""Random small graphs with everything that a graph can hold."""

from __future__ import annotations

import itertools
import random

import numpy as np

from retrosolve.spaces.graph import Graph

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


def random_graph(seed: int | random.Random, acyclic: bool = False) -> Graph:
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
    return Graph.from_edges(source, target, n, owner, terminal)


def random_tiered_graph(seed: int | random.Random) -> tuple[Graph, tuple[int, ...]]:
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
    terminal = [rng.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(n)] if rng.random() < 0.5 else None
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.4 else None
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return Graph.from_edges(source, target, n, owner, terminal), tuple(first[:-1])


def random_component_graph(seed: int | random.Random) -> tuple[Graph, tuple[int, ...], int]:
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
    terminal = [rng.choice((0, 0, 0, 0, 1, 2, 3)) for _ in range(n)] if rng.random() < 0.5 else None
    owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.4 else None
    source, target = zip(*edges, strict=True) if edges else ((), ())
    return Graph.from_edges(source, target, n, owner, terminal), tuple(first[:-1]), size


def without_owner(graph: Graph) -> Graph:
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
    return Graph.from_csr(graph.indptr, graph.indices, None, graph.terminals)


def reachable_vertices(graph: Graph, starts: list[int]) -> set[int]:
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
    >>> reachable_vertices(Graph.from_edges([0, 1, 3], [1, 2, 0], terminal={1: "win"}), [0])
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
