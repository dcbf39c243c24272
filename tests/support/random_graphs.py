"""Random small graphs with everything a graph may carry, from a seed or from hypothesis."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from retrosolve import Graph, Solution

STUCK = ("loss", "win", "tie")


def assert_same(left: Solution, right: Solution) -> None:
    assert left.values().tolist() == right.values().tolist()
    assert left.remoteness().tolist() == right.remoteness().tolist()


def random_graph(rng: random.Random, loop_free: bool = False) -> Graph:
    """A graph of 0 to 12 vertices: self-loops, duplicates, isolated and stuck vertices, all."""
    n = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    density = rng.choice((0.3, 0.8, 1.3, 2.0, 3.0))
    m = rng.randint(0, int(n * density)) if n else 0
    source = [rng.randrange(n) for _ in range(m)]
    target = [rng.randrange(n) for _ in range(m)]
    if loop_free:
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


@st.composite
def graphs(draw: st.DrawFn, loop_free: bool = False, owned: bool | None = None) -> Graph:
    """Like ``random_graph``, but shrinking to the smallest counterexample."""
    n = draw(st.integers(0, 8))
    vertex = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=20)) if n else []
    if loop_free:
        edges = [(min(e), max(e)) for e in edges if e[0] != e[1]]
        order = draw(st.permutations(range(n)))
        edges = [(order[a], order[b]) for a, b in edges]
    with_owner = draw(st.booleans()) if owned is None else owned
    owner = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) if with_owner else None
    codes = st.sampled_from((0, 0, 0, 1, 2, 3))
    terminal = draw(st.none() | st.lists(codes, min_size=n, max_size=n))
    return Graph.from_edges([a for a, _ in edges], [b for _, b in edges], n, owner, terminal)
