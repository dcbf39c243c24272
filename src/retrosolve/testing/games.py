"""Random games: a random graph as plain rules or as compiled ones."""

from __future__ import annotations

import random
from collections.abc import Callable

from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.spaces.graph import Graph
from retrosolve.testing.compiled import (
    CompiledGraphGame,
    OwnedGraphGame,
    OwnedReachableGraphGame,
    RankedGraphGame,
    ReachableGraphGame,
    ReversibleGraphGame,
)
from retrosolve.testing.graphs import (
    as_random,
    random_component_graph,
    random_graph,
    random_tiered_graph,
    without_owner,
)
from retrosolve.testing.mirrored import FoldedGame
from retrosolve.values import Value


class GraphGame(Game):
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

    def __init__(self, graph: Graph) -> None:
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


def random_compiled_game(seed: int | random.Random, kind: str | None = None) -> CompiledGame:
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


def _graph(rng: random.Random) -> Graph:
    """Return a random graph that is not empty: the size of a game is above 0."""
    while True:
        graph = random_graph(rng)
        if graph.num_vertices:
            return graph


def _owned(rng: random.Random) -> Graph:
    graph = _graph(rng)
    owner = [rng.randrange(2) for _ in range(graph.num_vertices)]
    return Graph.from_csr(graph.indptr, graph.indices, owner, graph.terminals)


def _in_tiers(rng: random.Random) -> CompiledGame:
    graph, tiers = random_tiered_graph(rng)
    return (CompiledGraphGame if graph.owner is None else OwnedGraphGame)(graph, tiers=tiers)


def _in_components(rng: random.Random) -> CompiledGame:
    graph, tiers, size = random_component_graph(rng)
    kind = CompiledGraphGame if graph.owner is None else OwnedGraphGame
    return kind(graph, tiers=tiers, component_size=size)


def _reachable(rng: random.Random) -> CompiledGame:
    graph = _graph(rng)
    kind = ReachableGraphGame if graph.owner is None else OwnedReachableGraphGame
    return kind(graph, [0])


class _ExploredGame(FoldedGame):
    """A folded game without an index."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.size = None

    def start(self) -> int:
        return 0


KINDS: dict[str, Callable[[random.Random], CompiledGame]] = {
    "successors": lambda rng: CompiledGraphGame(without_owner(_graph(rng))),
    "predecessors": lambda rng: ReversibleGraphGame(without_owner(_graph(rng))),
    "player": lambda rng: OwnedGraphGame(_owned(rng)),
    "rank": lambda rng: RankedGraphGame(without_owner(_graph(rng))),
    "tiers": _in_tiers,
    "components": _in_components,
    "reachable": _reachable,
    "canonical": lambda rng: FoldedGame(without_owner(_graph(rng))),
    "explored": lambda rng: _ExploredGame(without_owner(_graph(rng))),
}
