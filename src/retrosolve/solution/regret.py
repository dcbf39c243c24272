"""regret(): what a policy loses against perfect play.

The policy is fixed, so that a game against it has one player. It is a graph with two vertices for each
position, one where the policy is to move, with the edge that it chooses, and one where its opponent is,
with all edges. Solving that graph says what the policy comes to against an opponent who knows it. Where
chance moves, both vertices have all edges.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve import objectives
from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError, PositionError
from retrosolve.objectives.chance import NOTHING
from retrosolve.runtime.context import Progress, ProgressCallback
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.lazy import load
from retrosolve.solution import bulk
from retrosolve.solution.bulk import Outcomes, Positions
from retrosolve.solution.preference import Solved
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.csr.validation import known_owners
from retrosolve.spaces.graph import Graph
from retrosolve.tables import Table, summary
from retrosolve.values import CHANCE, Move, Value

Policy = Callable[[Any], Any] | Mapping[Any, Any]
Points = NDArray[np.int64] | NDArray[np.float64]

CHOICES = (objectives.Outcome.name, objectives.WinLossDraw.name, objectives.Score.name)
POINTS = {Value.WIN: 1, Value.LOSS: -1, Value.TIE: 0, Value.DRAW: 0}
MOVES_SHOWN = 5


@dataclass(frozen=True, eq=False, repr=False)
class Regret:
    """What a policy loses, from some positions, against an opponent who knows it and plays perfectly.

    A win counts 1 point, a tie or a draw 0, a loss -1; points of the objective ``score`` count
    themselves. With dice it is what can be expected of that, in the middle of the bounds.

    Parameters
    ----------
    positions : sequence of hashable [k]
    perfect : Outcomes [k]
        The outcome if both play perfectly, for the player to move.
    first : Outcomes [k]
        The outcome if the policy is to move, for the policy.
    second : Outcomes [k]
        The outcome if its opponent is to move, for the opponent.
    loss : int64 or float64 [k, 2]
        The points that the policy loses by its play, 0 or more: if it is to move, and if its opponent
        is.
    move_loss : int64 or float64 [k]
        The points that its move at the position loses if both play perfectly after it; 0 where the game
        is over, and where chance moves.
    is_optimal : bool [k]
        Whether its move is among the best ones, which win soonest and lose latest; True where the game
        is over.
    has_moves : bool [k]
        Whether the game goes on and a player moves.

    Notes
    -----
    A policy whose every move keeps the value may still lose points: by moves that lead round in a
    circle it never ends a game that it could win.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.game("stones:n=10,take=1+2"))
    >>> regret = solution.regret(lambda n: "take 1", [10, 8])
    >>> regret
    Regret(positions=2, exploitability=1, optimal=0.5, keeping=0.5)
    >>> regret.move_loss.tolist(), regret.loss.tolist()
    ([0, 2], [[2, 0], [2, 0]])
    >>> print(regret.perfect[1], regret.first[1], sep=", ")
    WIN in 5, LOSS in 6
    """

    positions: Positions
    perfect: Outcomes
    first: Outcomes
    second: Outcomes
    loss: Points
    move_loss: Points
    is_optimal: NDArray[np.bool_]
    has_moves: NDArray[np.bool_]

    @property
    def exploitability(self) -> float:
        """The mean of ``loss``: over the positions, and over who is to move.

        For the start alone it is what OpenSpiel calls so.
        """
        return float(self.loss.mean()) if len(self.loss) else 0.0

    @property
    def optimal_share(self) -> float:
        """The share of optimal moves among the positions with moves; 1 without any."""
        return _share(self.is_optimal[self.has_moves])

    @property
    def keeping_share(self) -> float:
        """The share of moves that lose no points among the positions with moves; 1 without any."""
        return _share(self.move_loss[self.has_moves] < NOTHING)

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return (
            f"Regret(positions={len(self)}, exploitability={self.exploitability:.4g}, "
            f"optimal={self.optimal_share:.4g}, keeping={self.keeping_share:.4g})"
        )


def _share(yes: NDArray[np.bool_]) -> float:
    return float(yes.mean()) if len(yes) else 1.0


def regret(solved: Solved, policy: Policy, data: object, progress: ProgressCallback) -> Regret:
    """Return the losses of a policy; see :meth:`retrosolve.Solution.regret`."""
    _check(solved)
    if not callable(policy) and not isinstance(policy, Mapping):
        raise GraphError(f"{short_repr(policy)} is no policy: expected a function, or a mapping")
    if data is None:
        vertices = np.concatenate([np.zeros(0, np.int64), *summary.select(solved.table)])
        positions: Positions = solved.space.positions_of(vertices)
    else:
        positions = bulk.as_positions(data)
        vertices = bulk.indices(solved, positions, False)
    against = _GameAgainst(solved, policy, progress)
    against.explore(vertices)
    solution = load("retrosolve.solving:solve")(against.graph(), objective=solved.objective)
    roles = [np.searchsorted(against.states, 2 * vertices + waits) for waits in (0, 1)]
    first, second = (solution.outcomes(states) for states in roles)
    table, perfect = solved.table, bulk.outcomes_of(solved.table, vertices)
    worth = points_of(table, vertices)
    to_move, to_wait = (points_of(solution.table, states) for states in roles)
    loss = np.stack([worth - to_move, to_wait - worth], axis=1)
    places = np.searchsorted(against.asked, vertices)
    return Regret(
        positions, perfect, first, second, loss, against.move_loss[places],
        against.is_optimal[places], against.chosen[places] >= 0,
    )  # fmt: skip


def _check(solved: Solved) -> None:
    """Raise GraphError for an objective that says nothing about losses, and for throws before moves."""
    name, capabilities = solved.objective.name, solved.space.capabilities
    if name == objectives.Chance.name:
        if Capability.OWNED not in capabilities:
            raise GraphError("a policy chooses after a throw: expected a game whose positions say it")
    elif name not in CHOICES:
        raise GraphError(
            f"{solved.objective!r} does not say what a policy loses: "
            f"expected one of {', '.join(CHOICES)} or chance"
        )


def points_of(table: Table, vertices: IntArray) -> Points:
    """Return the points of the player to move at some vertices; the middles of bounds."""
    if table.bounds is not None:
        return (table.bounds.low[vertices] + table.bounds.high[vertices]) / 2
    points = np.zeros(len(table.codec.kinds), np.int64)
    for result in table.codec.results:
        if result is not None:
            worth = POINTS[result] if isinstance(result, Value) else result.points
            points[table.codec.value(result)] = worth
    return points[table.values(vertices)]


class _Part(NamedTuple):
    """Some states of the game against a policy, and their edges."""

    states: NDArray[np.int64]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    reward: NDArray[np.int64]
    weight: NDArray[np.int64]


class _GameAgainst:
    """The game against a policy, as far as it is played.

    A state is ``2 * vertex``, where the policy is to move, or one more, where its opponent is.

    Attributes
    ----------
    states : int64 [s]
        Ascending.
    asked : int64 [a]
        The vertices at which the policy is to move, ascending.
    chosen : int64 [a]
        The vertex that its move leads to, -1 where the game is over.
    move_loss, is_optimal : int64 [a], bool [a]
    """

    def __init__(self, solved: Solved, policy: Policy, progress: ProgressCallback) -> None:
        self.solved, self.progress = solved, progress
        self.choose = policy.__getitem__ if isinstance(policy, Mapping) else policy
        self.parts: list[_Part] = []
        self.num_asked = 0

    def explore(self, vertices: NDArray[np.int64]) -> None:
        """Add all states that play can reach from some vertices, whoever is to move there."""
        frontier = np.unique(np.concatenate([2 * vertices, 2 * vertices + 1]))
        self.states = frontier
        asked: list[tuple[NDArray[Any], ...]] = []
        while len(frontier) or not asked:
            part, choices = self._expand(frontier)
            self.parts.append(part)
            asked.append(choices)
            frontier = np.setdiff1d(part.target, self.states)
            self.states = np.union1d(self.states, frontier)
        columns = [np.concatenate(column) for column in zip(*asked, strict=True)]
        order = np.argsort(columns[0])
        self.asked, self.chosen, self.move_loss, self.is_optimal = (each[order] for each in columns)

    def _expand(self, states: NDArray[np.int64]) -> tuple[_Part, tuple[NDArray[Any], ...]]:
        """Return the edges out of some states, and the choices of the policy there."""
        space, table = self.solved.space, self.solved.table
        vertices, waits = states >> 1, (states & 1).astype(bool)
        indptr, target, reward = space.edges_of(vertices)
        row = np.repeat(np.arange(len(states)), np.diff(indptr))
        target = target.astype(np.int64)
        reward = np.broadcast_to(reward, len(target)).astype(np.int64)
        movers = space.player(vertices)
        by_chance = np.zeros(len(states), bool) if movers is None else movers == CHANCE
        goes_on = np.diff(indptr) > 0
        chosen, points = np.full(len(states), -1, np.int64), np.zeros(len(states), np.int64)
        for place in np.flatnonzero(goes_on & ~waits & ~by_chance).tolist():
            chosen[place], points[place] = self._chosen(int(vertices[place]))
        weight = np.ones(len(target), np.int64)
        for place in np.flatnonzero(goes_on & by_chance).tolist():
            weights = space.weights(int(vertices[place]), int(vertices[place]) + 1)
            weight[indptr[place] : indptr[place + 1]] = 1 if weights is None else weights
        # Of several edges to one position with as many points the first is taken.
        to_chosen = np.flatnonzero(target == chosen[row])
        most = points.copy()
        np.maximum.at(most, row[to_chosen], reward[to_chosen])
        taken = to_chosen[reward[to_chosen] == points[row[to_chosen]]]
        taken = taken[np.unique(row[taken], return_index=True)[1]]
        edges = np.sort(np.concatenate([np.flatnonzero((waits | by_chance)[row]), taken]))
        row, target, reward = row[edges], target[edges], reward[edges]
        turns = np.ones(len(row), bool)
        if movers is not None:  # chance counts as the first player
            turns = ((movers[row] ^ space.player(target)) & 1).astype(bool)
        part = _Part(states, states[row], 2 * target + (waits[row] ^ turns), reward, weight[edges])
        after, worth = points_of(table, target), points_of(table, vertices)
        loss = np.zeros(len(states), worth.dtype)
        loss[row] = worth[row] - reward - np.where(turns, -after, after)
        loss[by_chance] = 0
        mine = np.flatnonzero(~waits)
        is_optimal = self._optimal(vertices, chosen) & (points == most)
        return part, (vertices[mine], chosen[mine], loss[mine], is_optimal[mine])

    def _optimal(self, vertices: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each choice is among the best ones; True where there is none."""
        is_best = chosen < 0
        places = np.flatnonzero(~is_best)
        for start in range(0, len(places), bulk.POSITIONS_PER_BLOCK):
            some = places[start : start + bulk.POSITIONS_PER_BLOCK]
            best = bulk.best_edges(self.solved, vertices[some])
            row = np.repeat(some, np.diff(best.indptr))
            is_best[row[best.indices == chosen[row]]] = True
        return is_best

    def _chosen(self, vertex: int) -> tuple[int, int]:
        """Return where the move of the policy leads, and its points. Raises GraphError for no move."""
        space = self.solved.space
        position = space.position(vertex)
        try:
            move = self.choose(position)
        except KeyError:
            if not isinstance(getattr(self.choose, "__self__", None), Mapping):
                raise
            raise GraphError(f"the policy has no move at {space.text(position)!r}") from None
        self.num_asked += 1
        self.progress(Progress("asking the policy", self.num_asked, None))
        named = space.moves(position)
        meant = _moves_meant(space, named, move)
        if not meant:
            names = ", ".join(repr(name) for name, _ in named[:MOVES_SHOWN])
            more = ", ..." if len(named) > MOVES_SHOWN else ""
            raise GraphError(
                f"the policy chose {short_repr(move)} at {space.text(position)!r}: expected a move, "
                f"its name or the position that it leads to: {names}{more}"
            )
        targets = [target for _, target in meant]
        points = space.positions.move_rewards(position, targets) or [0]
        return int(space.target_indices(targets[:1])[0]), max(points)

    def graph(self) -> Graph:
        """Return the graph of all states; where the game is over it has the result in the table."""
        space, table = self.solved.space, self.solved.table
        _, source, target, reward, weight = map(np.concatenate, zip(*self.parts, strict=True))
        source, target = (np.searchsorted(self.states, ends) for ends in (source, target))
        over = np.bincount(source, minlength=len(self.states)) == 0
        vertices = self.states >> 1
        values = table.values(vertices[over])
        terminal = np.zeros(len(self.states), np.uint8)
        terminal[over] = table.codec.kinds[values]
        scores: dict[str, IntArray] = {}
        if self.solved.objective.name == objectives.Score.name or (
            table.bounds and table.bounds.is_payoff
        ):
            payoff = np.zeros(len(self.states), np.int64)
            payoff[over] = points_of(table, vertices[over])
            scores = {"payoff": payoff, "reward": reward} if reward.any() else {"payoff": payoff}
        if self.solved.objective.name == objectives.Chance.name:
            scores["weight"] = weight
        return Graph.from_edges(
            source, target, len(self.states), known_owners(space.player(vertices)), terminal, **scores
        )


def _moves_meant(
    space: StateSpace, named: Sequence[tuple[str, Hashable]], move: Any
) -> list[tuple[str, Hashable]]:
    """Return the moves that the answer of a policy stands for; none for what is no move.

    Several moves may lead to the position that it is.
    """
    if isinstance(move, str):
        for each in named:
            if each[0] == move:
                return [each]
    is_move = isinstance(move, Move)
    try:
        index = space.resolved(move.position if is_move else move)[1]
    except (PositionError, TypeError):
        return []
    reached = space.target_indices([target for _, target in named]).tolist()
    there = [each for each, at in zip(named, reached, strict=True) if at == index]
    return [each for each in there if is_move and each[0] == move.name] or there
