"""Hypothesis strategies for graphs, games and boards, which shrink to small counterexamples.

Importing this module needs hypothesis; the rest of ``retrosolve.testing`` does not. Kernels compile on
first use, so a test that solves needs ``deadline=None``.

>>> from hypothesis import HealthCheck, given, settings
>>> import retrosolve as rs
>>> @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
... @given(graphs(), stuck_values())
... def test_every_solution_is_proven(graph, stuck):
...     rs.verify(rs.solve(graph, stuck=stuck))
>>> test_every_solution_is_proven()
"""

from __future__ import annotations

try:
    from hypothesis import strategies as st
except ImportError:
    raise ImportError(f"{__name__} needs hypothesis: pip install hypothesis") from None

import retrosolve as rs
from retrosolve.testing.games import KINDS, STUCK, GraphGame, board_text, random_compiled_game


def stuck_values() -> st.SearchStrategy[str]:
    """Return the strategy of the values that ``solve(stuck=)`` accepts."""
    return st.sampled_from(STUCK)


@st.composite
def graphs(
    draw: st.DrawFn,
    acyclic: bool = False,
    owned: bool | None = None,
    max_vertices: int = 8,
    max_edges: int = 20,
) -> rs.Graph:
    """Return the strategy of small graphs of every kind.

    Parameters
    ----------
    acyclic
        True allows only graphs without cycles.
    owned
        Whether the graphs have owners; None allows both.
    max_vertices, max_edges
        The largest graph.
    """
    n = draw(st.integers(0, max_vertices))
    vertex = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=max_edges)) if n else []
    if acyclic:
        edges = [(min(e), max(e)) for e in edges if e[0] != e[1]]
        order = draw(st.permutations(range(n)))
        edges = [(order[a], order[b]) for a, b in edges]
    with_owner = draw(st.booleans()) if owned is None else owned
    owner = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)) if with_owner else None
    codes = st.sampled_from((0, 0, 0, 1, 2, 3))
    terminal = draw(st.none() | st.lists(codes, min_size=n, max_size=n))
    return rs.Graph.from_edges([a for a, _ in edges], [b for _, b in edges], n, owner, terminal)


def games(owned: bool | None = None) -> st.SearchStrategy[GraphGame]:
    """Return the strategy of small games in plain rules; ``owned`` is as for :func:`graphs`."""
    return st.builds(GraphGame, graphs(owned=owned))


def compiled_games(kind: str | None = None) -> st.SearchStrategy[rs.CompiledGame]:
    """Return the strategy of small compiled games.

    ``kind`` is as for :func:`retrosolve.testing.random_compiled_game`. The games are drawn by seed, so
    they do not shrink.
    """
    kinds = st.sampled_from(tuple(KINDS)) if kind is None else st.just(kind)
    return st.builds(random_compiled_game, st.integers(0, 2**32 - 1), kinds)


@st.composite
def boards(draw: st.DrawFn, max_side: int = 4) -> str:
    """Return the strategy of boards of policeman and thief as text.

    They have up to ``max_side`` rows and columns, and at least one free cell.
    """
    rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
    cells = draw(st.lists(st.sampled_from("..*E"), min_size=rows * columns, max_size=rows * columns))
    for token in "PT":
        at = draw(st.none() | st.integers(0, len(cells) - 1))
        if at is not None:
            cells[at] = token
    if set(cells) == {"*"}:
        cells[0] = "."
    return board_text("".join(cells), columns, sized=draw(st.booleans()))
