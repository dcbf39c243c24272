"""Nimbers by their definition, and by what they mean; no line of the solver used."""

from __future__ import annotations

import random

import retrosolve as rs
from retrosolve.objectives import NimValue

Rows = list[list[int]]


def random_impartial(rng: random.Random, most: int = 9) -> rs.Graph:
    """A random graph without owners and terminal values; one in four has no cycle."""
    n = rng.randint(0, most)
    m = rng.randint(0, int(n * rng.choice((0.5, 1, 1.5, 2, 3))))
    edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(m)]
    if rng.random() < 0.25:
        edges = [(max(e), min(e)) for e in edges if e[0] != e[1]]
    return rs.Graph.from_edges([a for a, _ in edges], [b for _, b in edges], n)


def rows_of(graph: rs.Graph) -> Rows:
    return [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]


def labelling(rows: Rows) -> list[tuple[NimValue, int]]:
    """The value and the remoteness of each vertex, k after k and round after round."""
    n = len(rows)
    found: dict[int, tuple[int, int]] = {}
    for k in range(n + 2):
        smaller = {v: {found[w][0] for w in rows[v] if w in found} for v in range(n)}
        candidates = [v for v in range(n) if v not in found and smaller[v] >= set(range(k))]
        lost: dict[int, int] = {}
        fresh = [-1]
        while fresh:
            won = {u for u in range(n) if any(w in lost for w in rows[u])}
            fresh = [
                v for v in candidates if v not in lost and all(u in found or u in won for u in rows[v])
            ]
            lost.update(dict.fromkeys(fresh, 2 * (max(lost.values(), default=-2) // 2 + 1)))
        found.update({v: (k, plies) for v, plies in lost.items()})
    return [
        (NimValue(found[v][0]), found[v][1])
        if v in found
        else (NimValue.infinite(found[w][0] for w in rows[v] if w in found), -1)
        for v in range(n)
    ]


def product(one: rs.Graph, other: rs.Graph) -> rs.Graph:
    """The sum of two games as a graph: vertex ``v * len(other) + w``."""
    first, second, size = rows_of(one), rows_of(other), other.num_vertices
    edges = [
        (v * size + w, target)
        for v in range(one.num_vertices)
        for w in range(size)
        for target in [*(x * size + w for x in first[v]), *(v * size + x for x in second[w])]
    ]
    n = one.num_vertices * size
    return rs.Graph.from_edges([a for a, _ in edges], [b for _, b in edges], n)


def heap(n: int) -> rs.Graph:
    """The game of Nim with one heap of up to n stones, vertex by size."""
    pairs = [(size, less) for size in range(n + 1) for less in range(size)]
    return rs.Graph.from_edges([a for a, _ in pairs], [b for _, b in pairs], n + 1)
