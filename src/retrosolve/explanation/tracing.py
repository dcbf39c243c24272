"""The trace of the algorithm: what decides each position of a small game, in order.

The rules of the game are applied level by level, in plain Python. Each position counts its moves that
are not yet seen to lose. What is decided at one level is reported to its predecessors at the next: a
move that wins decides a predecessor at once, a move that loses lowers its counter, and a counter of 0
makes it a LOSS. Ties follow in the same way once wins and losses are complete. What is left is drawn.
No code is shared with the solvers, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.objectives import OBJECTIVES
from retrosolve.runtime.context import Context
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace, solvable
from retrosolve.values import INVALID, Outcome, Value, stuck_value

MAX_MOVES = 1 << 17
"""The most positions, and the most moves, of a game that is traced: a board of 10 by 10 cells."""


class Rule(StrEnum):
    """What happens to a position in an event."""

    TERMINAL = "terminal"
    """The game ends here."""
    STUCK = "stuck"
    """There is no move."""
    WIN = "win"
    """The move that is examined wins, so the position is a WIN."""
    REFUTED = "refuted"
    """The move that is examined loses, and others are still to be examined."""
    LOSS = "loss"
    """The move that is examined loses like all others, so the position is a LOSS."""
    TIE = "tie"
    """The move that is examined ties and no move wins, so the position is a TIE."""
    DRAW = "draw"
    """No rule decides the position."""


class Phase(StrEnum):
    """What a level decides."""

    START = "start"
    WINS = "wins"
    """Wins and losses."""
    TIES = "ties"
    DRAWS = "draws"


class Event(NamedTuple):
    """One step of the algorithm.

    Parameters
    ----------
    rule : Rule
    vertex : int
        The position that the step is about.
    target : int or None
        Where the move leads that is examined; None if no single move is.
    open_moves : int
        How many moves of the position are not yet seen to lose, after the step.
    outcome : Outcome or None
        What the step decides; None if it decides nothing.
    """

    rule: Rule
    vertex: int
    target: int | None
    open_moves: int
    outcome: Outcome | None


class Level(NamedTuple):
    """The events at which positions of one remoteness are decided.

    Parameters
    ----------
    phase : Phase
    remoteness : int or None
        The remoteness of what is decided; None for draws.
    events : tuple of Event
    """

    phase: Phase
    remoteness: int | None
    events: tuple[Event, ...]


class State(NamedTuple):
    """What is known after some events.

    Parameters
    ----------
    outcomes : tuple of (Outcome or None)
        The outcome of each position; None where it is not decided.
    open_moves : tuple of int
        How many moves of each position are not yet seen to lose.
    """

    outcomes: tuple[Outcome | None, ...]
    open_moves: tuple[int, ...]


@dataclass(frozen=True)
class Trace:
    """The algorithm on a small game, event by event.

    Parameters
    ----------
    names : tuple of str
        The text of each position; empty for an INVALID index, which no event mentions.
    successors : tuple of tuple of int
        The targets of the moves of each position, duplicates included; none where the game is over.
    owner : tuple of int, optional
        Who moves at each position, 0 or 1; None where the players alternate.
    players : tuple of two str
        The names of the players.
    start : int, optional
        The initial position.
    levels : tuple of Level
        The start, each level at which something happens, and the draws if there are any.

    Examples
    --------
    >>> import retrosolve as rs
    >>> found = trace(rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "d"]))
    >>> for level in found.levels:
    ...     print(level.phase, level.remoteness, [(e.rule.value, e.vertex) for e in level.events])
    start 0 [('stuck', 3)]
    wins 1 [('win', 1), ('win', 2)]
    wins 2 [('refuted', 0), ('loss', 0)]
    >>> [str(outcome) for outcome in found.outcomes]
    ['LOSS in 2', 'WIN in 1', 'WIN in 1', 'LOSS in 0']
    """

    names: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    owner: tuple[int, ...] | None
    players: tuple[str, str]
    start: int | None
    levels: tuple[Level, ...]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of all levels, in order."""
        return tuple(event for level in self.levels for event in level.events)

    @cached_property
    def outcomes(self) -> tuple[Outcome | None, ...]:
        """The outcome of each position at the end; None only for an INVALID index."""
        return self.state(len(self.events)).outcomes

    def state(self, steps: int) -> State:
        """Return the state after the first ``steps`` events.

        Examples
        --------
        >>> import retrosolve as rs
        >>> found = trace(rs.Graph.from_edges(["a", "a", "b"], ["b", "c", "c"]))
        >>> for steps in range(5):
        ...     known = found.state(steps)
        ...     print([str(outcome) for outcome in known.outcomes], known.open_moves)
        ['None', 'None', 'None'] (2, 1, 0)
        ['None', 'None', 'LOSS in 0'] (2, 1, 0)
        ['WIN in 1', 'None', 'LOSS in 0'] (2, 1, 0)
        ['WIN in 1', 'WIN in 1', 'LOSS in 0'] (2, 1, 0)
        ['WIN in 1', 'WIN in 1', 'LOSS in 0'] (2, 1, 0)
        """
        outcomes: list[Outcome | None] = [None] * len(self.names)
        open_moves = [len(row) for row in self.successors]
        for event in self.events[:steps]:
            open_moves[event.vertex] = event.open_moves
            if event.outcome is not None:
                outcomes[event.vertex] = event.outcome
        return State(tuple(outcomes), tuple(open_moves))

    def deciding_moves(self, event: Event) -> tuple[tuple[int, int], ...]:
        """Return the moves that an event rests on, as pairs of source and target, each once.

        That is the move that is examined; for a LOSS all moves, and for a DRAW those that keep it.

        Examples
        --------
        >>> import retrosolve as rs
        >>> found = trace(rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "d"]))
        >>> found.deciding_moves(found.events[-2]), found.deciding_moves(found.events[-1])
        (((0, 1),), ((0, 1), (0, 2)))
        """
        v = event.vertex
        targets = list(dict.fromkeys(self.successors[v]))
        if event.rule is Rule.DRAW:
            targets = [w for w in targets if self.is_drawn(w)]
        elif event.rule is not Rule.LOSS:
            targets = [] if event.target is None else [event.target]
        return tuple((v, w) for w in targets)

    def is_drawn(self, vertex: int) -> bool:
        """Return whether no rule decides a position."""
        outcome = self.outcomes[vertex]
        return outcome is not None and outcome.value is Value.DRAW

    def same_player(self, source: int, target: int) -> bool:
        """Return whether the player who moves at one position also moves at another."""
        return self.owner is not None and self.owner[source] == self.owner[target]

    def to_json(self) -> dict[str, Any]:
        """Return the trace as lists, text and numbers.

        An event is a list of its rule, vertex, target, open moves, and value and remoteness of what it
        decides, null where there is none.

        Examples
        --------
        >>> import retrosolve as rs
        >>> found = trace(rs.Graph.from_edges(["a"], ["b"])).to_json()
        >>> found["names"], found["successors"], found["owner"], found["start"]
        (['a', 'b'], [[1], []], None, None)
        >>> found["levels"][1]
        {'phase': 'wins', 'remoteness': 1, 'events': [['win', 0, 1, 1, 'win', 1]]}
        """
        return {
            "names": list(self.names),
            "successors": [list(row) for row in self.successors],
            "owner": None if self.owner is None else list(self.owner),
            "players": list(self.players),
            "start": self.start,
            "levels": [
                {
                    "phase": level.phase.value,
                    "remoteness": level.remoteness,
                    "events": [_event_to_json(event) for event in level.events],
                }
                for level in self.levels
            ],
        }


def _event_to_json(event: Event) -> list[str | int | None]:
    """Return an event as a list."""
    value, remoteness = event.outcome or (None, None)
    label = None if value is None else value.label
    return [event.rule.value, event.vertex, event.target, event.open_moves, label, remoteness]


def check_explained(objective: str) -> None:
    """Raise GraphError for an objective that other algorithms answer."""
    if not OBJECTIVES[objective].has_steps:
        explained = ", ".join(name for name, kind in OBJECTIVES.items() if kind.has_steps)
        raise GraphError(
            f"the steps of the algorithm for the objective {objective} are not explained: expected one "
            f"of {explained}, or a position to explain"
        )


def trace(subject: Any, *, stuck: str = "loss", objective: str | None = None) -> Trace:
    """Return the trace of the algorithm on a small graph or game.

    Parameters
    ----------
    subject : Solution, Graph, Game or CompiledGame
        Of a game with a start, only reachable positions count, except where all pairs of tokens do.
    stuck : {"loss", "win", "tie"}
        The value of a position without moves for the player to move. A solution has its own.
    objective : str, optional
        The name of what is asked; by default that of the solution or of the game.

    Returns
    -------
    Trace

    Raises
    ------
    GraphError
        For more than 131,072 positions or moves, for an objective that other algorithms answer, or for
        arguments that are not valid.
    LimitError
        If exploring finds more positions than that.

    Notes
    -----
    Takes about 3 microseconds and 200 bytes a move.

    Examples
    --------
    >>> from retrosolve.games.stones import Stones
    >>> found = trace(Stones(n=4))
    >>> [len(level.events) for level in found.levels]
    [1, 2, 3, 1]
    """
    if isinstance(subject, Solution):
        space, value, asked = subject.space, subject.stuck, subject.objective.name
    else:
        space = solvable(subject).reachable_subspace(Context(limit=MAX_MOVES))
        value, asked = stuck_value(stuck), objective or space.default_objective
    check_explained(asked)
    _check_size(space.num_vertices, "positions")
    graph = space.materialize()
    _check_size(graph.num_edges, "moves")
    return _Tracer(space, graph, value).trace()


def _check_size(count: int, noun: str) -> None:
    """Raise GraphError for a game that is too large."""
    if count > MAX_MOVES:
        raise GraphError(
            f"{count} {noun} are too many to trace one by one: expected at most {MAX_MOVES}"
        )


class _Tracer:
    """The algorithm on plain lists, and the levels so far."""

    def __init__(self, space: StateSpace, graph: StateSpace, stuck: Value) -> None:
        n = space.num_vertices
        self.space, self.stuck = space, stuck
        self.terminal: list[int] = graph.terminal(0, n).tolist()
        owner = graph.player(np.arange(n))
        self.owner: list[int] | None = None if owner is None else owner.tolist()
        indptr, indices = (array.tolist() for array in graph.successors(0, n))
        self.successors: list[list[int]] = [
            [] if self.terminal[v] else indices[indptr[v] : indptr[v + 1]] for v in range(n)
        ]
        self.predecessors: list[list[int]] = [[] for _ in range(n)]
        for v, row in enumerate(self.successors):
            for w in row:
                self.predecessors[w].append(v)
        self.open_moves = [len(row) for row in self.successors]
        self.value: list[Value | None] = [None] * n
        self.levels: list[Level] = []

    def trace(self) -> Trace:
        """Run the algorithm."""
        n, space = len(self.terminal), self.space
        valid = [v for v in range(n) if self.terminal[v] != INVALID]
        start = [*self._start(valid)]
        self.levels.append(Level(Phase.START, 0, tuple(start)))
        self._propagate(Phase.WINS, [e.vertex for e in start if self.value[e.vertex] is not Value.TIE])
        self._propagate(Phase.TIES, [e.vertex for e in start if self.value[e.vertex] is Value.TIE])
        draw = Outcome(Value.DRAW, None)
        drawn = [v for v in valid if self.value[v] is None]
        if drawn:
            events = (Event(Rule.DRAW, v, None, self.open_moves[v], draw) for v in drawn)
            self.levels.append(Level(Phase.DRAWS, None, tuple(events)))
        names = [""] * n
        for v in valid:
            names[v] = space.text(space.position(v))
        owner = None if self.owner is None else tuple(self.owner)
        first = None if space.start is None else space.index(space.start)
        rows = tuple(map(tuple, self.successors))
        return Trace(tuple(names), rows, owner, space.players, first, tuple(self.levels))

    def _start(self, valid: list[int]) -> Iterator[Event]:
        """Decide the positions where the game is over."""
        for v in valid:
            if self.terminal[v] or not self.successors[v]:
                rule = Rule.TERMINAL if self.terminal[v] else Rule.STUCK
                value = Value(self.terminal[v]) if self.terminal[v] else self.stuck
                self.value[v] = value
                yield Event(rule, v, None, 0, Outcome(value, 0))

    def _propagate(self, phase: Phase, frontier: list[int]) -> None:
        """Report what is decided to its predecessors, level by level, until nothing changes."""
        remoteness = 0
        while frontier:
            remoteness += 1
            events = [
                self._examine(v, w, remoteness)
                for w in frontier
                for v in self.predecessors[w]
                if self.value[v] is None
            ]
            if events:
                self.levels.append(Level(phase, remoteness, tuple(events)))
            frontier = [event.vertex for event in events if event.outcome is not None]

    def _examine(self, v: int, w: int, remoteness: int) -> Event:
        """Examine a move from an undecided position to a decided one."""
        found = self.value[w]
        assert found is not None
        same = self.owner is not None and self.owner[v] == self.owner[w]
        seen = found if same else found.opposite()
        if seen is Value.LOSS:
            self.open_moves[v] -= 1
            if self.open_moves[v]:
                return Event(Rule.REFUTED, v, w, self.open_moves[v], None)
        self.value[v] = seen
        rule = Rule(seen.label)
        return Event(rule, v, w, self.open_moves[v], Outcome(seen, remoteness))
