"""Outcomes by attractors of two players, no line of the package used: what solvers are compared with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

import retrosolve as rs

State = tuple[Hashable, int]
P = TypeVar("P", bound=Hashable)
Outcome = tuple[str, int | None]
WORDS = {1: "win", 2: "loss", 3: "tie"}  # the codes that graphs and rules of games have


def outcomes(
    moves: Mapping[P, Iterable[P]],
    ends: Mapping[P, str],
    players: Mapping[P, int] | None = None,
    stuck: str = "loss",
) -> dict[P, Outcome]:
    """The value for the player to move, in words, and the remoteness of every position.

    ``ends`` has the values of positions where the game is over. Without ``players``, both players may be
    to move at each position, and move in turn.
    """
    sides: Mapping[P, Sequence[int]] = {p: (0, 1) if players is None else (players[p],) for p in moves}
    after: dict[State, list[State]] = {
        (p, side): []
        if p in ends
        else [(q, 1 - side if players is None else players[q]) for q in moves[p]]
        for p in moves
        for side in sides[p]
    }
    over = {state: ends.get(state[0], stuck) for state, targets in after.items() if not targets}  # type: ignore[call-overload]
    levels = []
    for player in (0, 1):
        won = {"win": player, "loss": 1 - player}
        goal = {state for state, word in over.items() if won.get(word) == state[1]}
        levels.append(attractor(after, goal, {state for state in after if state[1] == player}))
    ties = {state for state, word in over.items() if word == "tie"}
    undecided = {
        s: targets for s, targets in after.items() if s not in levels[0] and s not in levels[1]
    }
    endless = attractor(undecided, ties, set(undecided))

    def outcome(state: State) -> Outcome:
        mover = state[1]
        for word, level in (("win", levels[mover]), ("loss", levels[1 - mover]), ("tie", endless)):
            if state in level:
                return word, level[state]
        return "draw", None

    found = {p: {outcome((p, side)) for side in sides[p]} for p in moves}
    assert all(len(one) == 1 for one in found.values()), "who is to move changes a value"
    return {p: one.pop() for p, one in found.items()}


def attractor(
    after: Mapping[State, list[State]], goal: set[State], own: set[State]
) -> dict[State, int]:
    """The states from which a player forces the goal, with the number of plies; ``own`` are those to move."""
    level = dict.fromkeys(goal, 0)
    plies = 0
    while True:
        plies += 1
        new = [
            state
            for state, targets in after.items()
            if state not in level
            and targets
            and (any if state in own else all)(t in level for t in targets)
        ]
        if not new:
            return level
        level |= dict.fromkeys(new, plies)


def graph_outcomes(graph: rs.Graph, stuck: str) -> dict[int, Outcome]:
    """The outcome of every vertex of a graph."""
    vertices = range(graph.num_vertices)
    codes = [0] * len(vertices) if graph.terminals is None else graph.terminals.tolist()
    ends = {v: WORDS.get(codes[v], "no position") for v in vertices if codes[v]}
    players = None if graph.owner is None else dict(enumerate(graph.owner.tolist()))
    return outcomes({v: graph.neighbors(v).tolist() for v in vertices}, ends, players, stuck)


def in_words(outcome: rs.Outcome) -> Outcome:
    """An outcome of the package as one of these."""
    return outcome.value.label, outcome.remoteness
