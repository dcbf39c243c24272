"""Attractors, and the winners of Büchi and co-Büchi games, on a graph with owners or on a part of it.

The attractor of some targets is the set of vertices from which a player can force the token to one of
them. It grows backwards, by the loop of ``worklist``: a vertex of the player joins by one move to the
attractor, a vertex of the opponent once all of its moves lead there. The counter of open moves is
filled on the first visit, so a small attractor takes little time in a large graph. The moves by which
vertices of the player join are a winning strategy.

Sources: Zielonka, "Infinite games on finitely coloured graphs with applications to automata on infinite
trees" (1998), doi:10.1016/S0304-3975(98)00009-7, has attractors on subsets and the loop of ``buchi``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, is_whole, row_bounds
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.runtime.files import short_repr
from retrosolve.solvers.serial import reverse_rows
from retrosolve.spaces.adapters import as_mapping
from retrosolve.spaces.base import CsrSpace
from retrosolve.spaces.csr import validation

BoolArray = NDArray[np.bool_]
Strategy = NDArray[np.int64]

# Where a vertex stands in a search: outside of the part, to be attracted, attracted, or without moves.
OUTSIDE, INSIDE, ATTRACTED, ENDED = range(4)


@overload
def attractor(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[False] = False
) -> BoolArray: ...
@overload
def attractor(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[True]
) -> tuple[BoolArray, Strategy]: ...
def attractor(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: bool = False
) -> BoolArray | tuple[BoolArray, Strategy]:
    """Return the vertices from which a player can force the token to one of some targets.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex; chance counts as the opponent. Moves out of terminal vertices
        are ignored.
    player : {0, 1}
        The player who wants to reach a target.
    targets : array_like or set
        Vertices by name, or by number in a graph without names; or bool [n], or a mapping or Series
        from vertex to bool.
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.
        Targets outside of it and moves that leave it do not count.
    strategy : bool
        Whether to return moves too.

    Returns
    -------
    region : bool [n]
        The attractor, targets included.
    moves : int64 [n]
        With ``strategy`` only: for each vertex of the region that the player owns, the number of a
        successor. Whoever always moves there wins. -1 at all other vertices, and at targets.

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

    O(n + m) time, 16 bytes per vertex and 4 per edge; 8 more per vertex for a strategy. It leads to a
    target in at most as many moves of the player as the attractor has vertices.

    Examples
    --------
    Player 0 owns vertices 0 and 2. From 1, player 1 avoids the target 2 by moving to 0:

    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 2], owner=[0, 1, 0, 1])
    >>> rs.attractor(graph, 0, [2]).tolist()
    [False, False, True, True]
    >>> rs.attractor(graph, 0, [2], within=[1, 2, 3]).tolist()
    [False, True, True, True]
    >>> named = rs.Graph.from_edges(["a", "b"], ["b", "c"], owner={"a": 0, "b": 1, "c": 0})
    >>> region, moves = rs.attractor(named, 0, ["b"], strategy=True)
    >>> region.tolist(), moves.tolist()
    ([True, True, False], [1, -1, -1])
    """
    game = _Part(graph, player, within, "attractor")
    region = game.attract(game.player, game.vertices(targets, "targets"))
    return (region, game.moves_into(region)) if strategy else region


@overload
def buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[False] = False
) -> BoolArray: ...
@overload
def buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[True]
) -> tuple[BoolArray, Strategy]: ...
def buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: bool = False
) -> BoolArray | tuple[BoolArray, Strategy]:
    """Return the vertices from which a player can visit targets infinitely often.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex; chance counts as the opponent. Moves out of terminal vertices
        are ignored.
    player : {0, 1}
        The player with the Büchi condition.
    targets : array_like or set
        Vertices by name, or by number in a graph without names; or bool [n], or a mapping or Series
        from vertex to bool.
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.
    strategy : bool
        Whether to return moves too.

    Returns
    -------
    region : bool [n]
        The winning region of the player. The opponent wins the rest of the part; see
        :func:`retrosolve.co_buchi`.
    moves : int64 [n]
        With ``strategy`` only: for each vertex of the region that the player owns, the number of a
        successor. Whoever always moves there wins. -1 at all other vertices.

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
    goal = game.vertices(targets, "targets")
    region = game.visited_for_ever(game.player, goal)
    if not strategy:
        return region
    moves = game.moves_into(region)  # the last attractor is the region
    return region, game.add_moves(moves, region & goal, region.astype(np.int32))


@overload
def co_buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[False] = False
) -> BoolArray: ...
@overload
def co_buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: Literal[True]
) -> tuple[BoolArray, Strategy]: ...
def co_buchi(
    graph: CsrSpace, player: int, targets: Any, within: Any = None, *, strategy: bool = False
) -> BoolArray | tuple[BoolArray, Strategy]:
    """Return the vertices from which a player can visit targets only finitely often.

    Parameters
    ----------
    graph : Graph
        With an owner for each vertex; chance counts as the opponent. Moves out of terminal vertices
        are ignored.
    player : {0, 1}
        The player with the co-Büchi condition.
    targets : array_like or set
        Vertices by name, or by number in a graph without names; or bool [n], or a mapping or Series
        from vertex to bool. For the condition "stays in a set from some time on", the
        vertices that are not in that set.
    within : array_like, optional
        The part of the graph on which the game is played, in the same form; by default all vertices.
    strategy : bool
        Whether to return moves too.

    Returns
    -------
    region : bool [n]
        The winning region of the player, which is the part without the winning region of the
        opponent's Büchi condition; see :func:`retrosolve.buchi`.
    moves : int64 [n]
        With ``strategy`` only: for each vertex of the region that the player owns, the number of a
        successor. Whoever always moves there wins. -1 at all other vertices, and where play ends.

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
    goal = game.vertices(targets, "targets")
    if not strategy:
        return game.inside & ~game.visited_for_ever(1 - game.player, goal)
    moves = np.full(graph.num_vertices, -1, np.int64)
    traps = np.zeros(graph.num_vertices, np.int32)
    region = game.inside & ~game.visited_for_ever(1 - game.player, goal, (moves, traps))
    return region, game.add_moves(moves, traps > 0, traps)


class _Part:
    """A part of a graph, its edges reversed once for all attractors on it."""

    def __init__(self, graph: CsrSpace, player: int, within: Any, caller: str) -> None:
        if not isinstance(graph, CsrSpace):
            raise GraphError(f"{caller}() of {short_repr(graph)}: expected a Graph with owners")
        if graph.owner is None:
            raise GraphError(f"{caller}() needs an owner for each vertex; here players just alternate")
        if not is_whole(player) or player not in (0, 1):
            raise GraphError(f"player={player!r}: expected 0 or 1")
        self.graph, self.player = graph, int(player)
        self.mine = graph.owner == self.player  # chance does whatever the opponent wants
        self.owner = np.where(self.mine, self.player, 1 - self.player).astype(np.uint8)
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
        self.open_moves = np.empty(n, np.promote_types(graph.indptr.dtype, graph.indices.dtype))
        self.queue = np.empty(n, graph.indices.dtype)

    def vertices(self, some: Any, what: str) -> BoolArray:
        """Return vertices in any form as a new array, bool [n]. Raises GraphError for anything else.

        Where vertices have names, whole numbers are names too, and never numbers of vertices.
        """
        n, flags = self.graph.num_vertices, None
        expected = f"expected a list of vertices, or a bool array of length {n}"
        if str(getattr(some, "dtype", None)).startswith("bool"):
            some = as_mapping(some)  # a Series, whose index has the vertices
        if isinstance(some, Mapping):
            values = list(some.values())
            if not {*map(type, values)} <= {bool, np.bool_}:
                raise GraphError(f"{what} is a mapping, and not to True or False: {expected}")
            some, flags = list(some), np.array(values, bool)
        if isinstance(some, str | bytes) or not isinstance(some, Iterable):
            raise GraphError(f"{what}={short_repr(some)}: {expected}")
        if np.ma.is_masked(some):
            raise GraphError(f"{what} has masked entries: {expected}")
        entries = np.asarray(some) if hasattr(some, "__array__") else list(some)
        if isinstance(entries, np.ndarray) and entries.ndim != 1:
            raise GraphError(f"{what} has {entries.ndim} dimensions: {expected}")
        kinds = {entries.dtype.type} if isinstance(entries, np.ndarray) else {*map(type, entries)}
        if flags is None and kinds and kinds <= {bool, np.bool_}:
            if len(entries) != n:
                raise GraphError(f"{what} has {len(entries)} entries: expected {n}, one a vertex")
            return np.array(entries, bool)
        if self.graph.has_names:
            numbers: IntArray = self.graph.indices_of(entries)
            if len(wrong := np.flatnonzero(numbers < 0)):
                name = entries[int(wrong[0])]
                name = name.item() if isinstance(name, np.generic) else name
                example = f", such as {short_repr(self.graph.position(0))}" if n else ""
                raise GraphError(
                    f"{what} has {short_repr(name)}, which is the name of no vertex: "
                    f"expected names{example}, or a bool array of length {n}"
                )
        else:
            numbers = validation.integer_array(entries, what)
            validation.check_range(numbers, what, n)
        chosen = np.zeros(n, bool)
        chosen[numbers if flags is None else numbers[flags]] = True
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
            self.owner, player, state, self.open_moves, self.queue, len(seeds),
        )  # fmt: skip
        attracted: BoolArray = state == ATTRACTED
        return attracted

    def moves_into(self, attracted: BoolArray) -> Strategy:
        """Return the moves by which vertices of the player joined the last attractor, -1 elsewhere."""
        return np.where(attracted & self.mine, self.open_moves, -1).astype(np.int64)

    def add_moves(self, moves: Strategy, chosen: BoolArray, group: IntArray) -> Strategy:
        """Return moves with those of the chosen vertices of the player that stay in their group."""
        jit.run(
            first_moves, self.work, self.graph.indptr, self.graph.indices, chosen & self.mine, group,
            moves,
        )  # fmt: skip
        return moves

    def visited_for_ever(
        self, player: int, targets: BoolArray, opponent: tuple[Strategy, IntArray] | None = None
    ) -> BoolArray:
        """Return the winning region of a player with the Büchi condition.

        The opponent wins by moving into a trap, where no target can be forced, and staying there.

        Parameters
        ----------
        player : int
        targets : bool [n]
        opponent : tuple of int64 [n] and int32 [n], optional
            If ``self.player`` is the opponent: the moves into traps, and the number of the trap that a
            vertex belongs to, from 1. Both are changed in place.
        """
        region = self.inside
        lost = region & self._stuck()
        passes = 0
        while True:
            if lost.any():
                attracted = self.attract(1 - player, lost, region)
                if opponent is not None:
                    joined = np.flatnonzero(attracted & self.mine)
                    opponent[0][joined] = self.open_moves[joined]
                region = region & ~attracted
            lost = region & ~self.attract(player, targets, region)
            if not lost.any():
                return region.copy()
            passes += 1
            if opponent is not None:
                opponent[1][lost] = passes

    def _stuck(self) -> BoolArray:
        """Return the vertices from which no move stays inside."""
        stays = row_bounds(self.inside[self.graph.indices])
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
        -1 before. Changed to the number of open moves of vertices of the opponent that are met, and to
        the successor by which a vertex of the player joins.
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
            else:
                open_moves[v] = w
            state[v] = ATTRACTED
            queue[tail] = v
            tail += 1
    return tail


def first_moves(
    indptr: IntArray, indices: IntArray, chosen: BoolArray, group: IntArray, moves: IntArray
) -> None:
    """Set the first successor in the same group of each chosen vertex.

    Parameters
    ----------
    indptr, indices : int32 or int64 [n + 1], [m]
        Rows of the successors.
    chosen : bool [n]
        Each of these vertices has such a successor.
    group : int32 [n]
    moves : int64 [n]
        Changed in place.
    """
    for v in range(len(chosen)):
        if chosen[v]:
            e = indptr[v]
            while group[indices[e]] != group[v]:
                e += 1
            moves[v] = indices[e]
