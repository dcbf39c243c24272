"""Attractors, and the winners of Büchi and co-Büchi games, on a graph with owners or on a part of it.

The attractor of some targets is the set of vertices from which a player can force the token to one of
them. It grows backwards, by the loop of ``worklist``: a vertex of the player joins by one move to the
attractor, a vertex of the opponent once all of its moves lead there. The counter of open moves is
filled on the first visit, so a small attractor takes little time in a large graph.

Sources: Zielonka, "Infinite games on finitely coloured graphs with applications to automata on infinite
trees" (1998), doi:10.1016/S0304-3975(98)00009-7, has attractors on subsets and the loop of ``buchi``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.runtime.files import short_repr
from retrosolve.solvers.serial import reverse_rows
from retrosolve.spaces.base import CsrSpace
from retrosolve.spaces.csr import validation

BoolArray = NDArray[np.bool_]

# Where a vertex stands in a search: outside of the part, to be attracted, attracted, or without moves.
OUTSIDE, INSIDE, ATTRACTED, ENDED = range(4)


def attractor(graph: CsrSpace, player: int, targets: Any, within: Any = None) -> BoolArray:
    """Return the vertices from which a player can force the token to one of some targets.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex. Moves out of terminal vertices are ignored.
    player : {0, 1}
        The player who wants to reach a target.
    targets : array_like
        Vertices by number, or bool [n].
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.
        Targets outside of it and moves that leave it do not count.

    Returns
    -------
    bool [n]
        The attractor, targets included.

    Raises
    ------
    GraphError
        For a graph without owners, another player, and vertices that the graph does not have.

    See Also
    --------
    retrosolve.buchi : The vertices from which targets can be visited infinitely often.
    retrosolve.Solution.winner : The winners of a solved game.

    Notes
    -----
    A play that ends elsewhere has not reached a target: a vertex without moves joins the attractor only
    as a target. The complement of an attractor, within the part, is a trap: the player cannot leave it.

    O(n + m) time, 16 bytes per vertex and 4 per edge.

    Examples
    --------
    Player 0 owns vertices 0 and 2. From 1, player 1 avoids the target 2 by moving to 0:

    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 2], owner=[0, 1, 0, 1])
    >>> rs.attractor(graph, 0, [2]).tolist()
    [False, False, True, True]
    >>> rs.attractor(graph, 0, [2], within=[1, 2, 3]).tolist()
    [False, True, True, True]
    """
    game = _Part(graph, player, within, "attractor")
    return game.attract(player, game.vertices(targets, "targets"))


def buchi(graph: CsrSpace, player: int, targets: Any, within: Any = None) -> BoolArray:
    """Return the vertices from which a player can visit targets infinitely often.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex. Moves out of terminal vertices are ignored.
    player : {0, 1}
        The player with the Büchi condition.
    targets : array_like
        Vertices by number, or bool [n].
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.

    Returns
    -------
    bool [n]
        The winning region of the player. The opponent wins the rest of the part; see
        :func:`retrosolve.co_buchi`.

    Raises
    ------
    GraphError
        For a graph without owners, another player, and vertices that the graph does not have.

    Notes
    -----
    A play that ends visits every target only finitely often, so the player loses it, whoever has no
    move. An edge from such a vertex to itself makes its play endless instead.

    The vertices from which no target can be forced are lost, and so are those from which the opponent
    forces the token there; without them, this is repeated until nothing changes. Each pass takes
    O(n + m) time. In the worst case there are as many passes as targets; usually there are few.

    Examples
    --------
    Player 0 owns all vertices and visits 2 again and again by 0 -> 1 -> 2 -> 0; vertex 3 is a dead end:

    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], owner=[0, 0, 0, 1])
    >>> rs.buchi(graph, 0, [2]).tolist()
    [True, True, True, False]
    >>> rs.buchi(graph, 0, [3]).tolist()
    [False, False, False, False]
    """
    game = _Part(graph, player, within, "buchi")
    return game.visited_for_ever(player, game.vertices(targets, "targets"))


def co_buchi(graph: CsrSpace, player: int, targets: Any, within: Any = None) -> BoolArray:
    """Return the vertices from which a player can visit targets only finitely often.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex. Moves out of terminal vertices are ignored.
    player : {0, 1}
        The player with the co-Büchi condition.
    targets : array_like
        Vertices by number, or bool [n]. For the condition "stays in a set from some time on", the
        vertices that are not in that set.
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.

    Returns
    -------
    bool [n]
        The winning region of the player, which is the part without the winning region of the
        opponent's Büchi condition; see :func:`retrosolve.buchi`.

    Raises
    ------
    GraphError
        For a graph without owners, another player, and vertices that the graph does not have.

    Notes
    -----
    A play that ends is won by the player. The time is that of :func:`retrosolve.buchi`.

    Examples
    --------
    From vertex 0, player 1 can stay for ever, and so avoid 1; player 0 forces visits of 1 from 1 on:

    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 0, 1], [0, 1, 1], owner=[1, 0])
    >>> rs.co_buchi(graph, 1, [1]).tolist(), rs.buchi(graph, 0, [1]).tolist()
    ([True, False], [False, True])
    """
    game = _Part(graph, player, within, "co_buchi")
    return game.inside & ~game.visited_for_ever(1 - player, game.vertices(targets, "targets"))


class _Part:
    """A part of a graph, its edges reversed once for all attractors on it."""

    def __init__(self, graph: CsrSpace, player: int, within: Any, caller: str) -> None:
        if not isinstance(graph, CsrSpace):
            raise GraphError(f"{caller}() of {short_repr(graph)}: expected a Graph with owners")
        if graph.owner is None:
            raise GraphError(f"{caller}() needs an owner for each vertex; here players just alternate")
        if isinstance(player, bool) or player not in (0, 1):
            raise GraphError(f"player={player!r}: expected 0 or 1")
        self.graph, self.owner = graph, graph.owner
        n, self.work = graph.num_vertices, graph.num_vertices + graph.num_edges
        self.inside = np.ones(n, bool) if within is None else self.vertices(within, "within")
        self.over = graph.out_degrees() == 0
        if graph.terminals is not None:
            self.over |= graph.terminals != 0
        self.rindptr = np.zeros(n + 1, graph.indptr.dtype)
        self.rindices = np.empty(graph.num_edges, graph.indices.dtype)
        jit.run(
            reverse_rows, self.work, graph.indptr, graph.indices, self.rindptr, self.rindices,
        )  # fmt: skip
        self.open_moves = np.empty(n, graph.indptr.dtype)
        self.queue = np.empty(n, graph.indices.dtype)

    def vertices(self, some: Any, what: str) -> BoolArray:
        """Return vertices as bool [n]. Raises GraphError for another length or number."""
        n = self.graph.num_vertices
        array = validation.as_array(some, what)
        if array.dtype == np.bool_:
            if len(array) != n:
                raise GraphError(f"{what} has {len(array)} entries: expected {n}, one a vertex")
            return array.copy()
        numbers = validation.integer_array(array, what)
        validation.check_range(numbers, what, n)
        chosen = np.zeros(n, bool)
        chosen[numbers] = True
        return chosen

    def attract(self, player: int, targets: BoolArray, inside: BoolArray | None = None) -> BoolArray:
        """Return the attractor of targets inside a part of this part, by default all of it."""
        inside = self.inside if inside is None else inside
        reached = targets & inside
        state = np.where(inside, np.where(self.over, ENDED, INSIDE), OUTSIDE).astype(np.uint8)
        state[reached] = ATTRACTED
        seeds = np.flatnonzero(reached)
        self.queue[: len(seeds)] = seeds
        self.open_moves[:] = -1
        jit.run(
            attract, self.work, self.graph.indptr, self.graph.indices, self.rindptr, self.rindices,
            self.owner, int(player), state, self.open_moves, self.queue, len(seeds),
        )  # fmt: skip
        attracted: BoolArray = state == ATTRACTED
        return attracted

    def visited_for_ever(self, player: int, targets: BoolArray) -> BoolArray:
        """Return the winning region of a player with the Büchi condition."""
        region = self.inside
        lost = region & self._stuck()
        while True:
            if lost.any():
                region = region & ~self.attract(1 - player, lost, region)
            lost = region & ~self.attract(player, targets, region)
            if not lost.any():
                return region.copy()

    def _stuck(self) -> BoolArray:
        """Return the vertices from which no move stays inside."""
        stays = np.concatenate([[0], np.cumsum(self.inside[self.graph.indices], dtype=np.int64)])
        indptr = self.graph.indptr
        stuck: BoolArray = self.over | (stays[indptr[1:]] == stays[indptr[:-1]])
        return stuck


def attract(
    indptr: IntArray, indices: IntArray, rindptr: IntArray, rindices: IntArray, owner: ByteArray,
    player: int, state: ByteArray, open_moves: IntArray, queue: IntArray, tail: int,
) -> int:  # fmt: skip
    """Grow an attractor backwards until no vertex joins.

    Parameters
    ----------
    indptr, indices, rindptr, rindices : int32 or int64 [n + 1], [m], [n + 1], [m]
        Rows of the successors and of the predecessors.
    owner : uint8 [n]
        The player to move.
    player : int
        The player who attracts.
    state : uint8 [n]
        OUTSIDE, INSIDE, ATTRACTED or ENDED; changed in place.
    open_moves : int32 or int64 [n]
        -1 before; overwritten where vertices of the opponent are met.
    queue : int32 or int64 [n]
        Begins with the attracted vertices; overwritten.
    tail : int
        The number of attracted vertices.

    Returns
    -------
    int
        The same after.
    """
    head = 0
    while head < tail:
        w = queue[head]
        head += 1
        for e in range(rindptr[w], rindptr[w + 1]):
            v = rindices[e]
            if state[v] != INSIDE:
                continue
            if owner[v] != player:
                if open_moves[v] < 0:  # the first visit; moves that leave the part do not exist
                    count = 0
                    for f in range(indptr[v], indptr[v + 1]):
                        if state[indices[f]] != OUTSIDE:
                            count += 1
                    open_moves[v] = count
                open_moves[v] -= 1
                if open_moves[v] > 0:
                    continue
            state[v] = ATTRACTED
            queue[tail] = v
            tail += 1
    return tail
