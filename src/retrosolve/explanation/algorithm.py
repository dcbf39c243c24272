"""The retrograde algorithm on a small game, step by step, in sentences.

The algorithm runs in plain Python and records what it does: which positions are decided at the start,
then, for each decided position in order, which of its predecessors are decided by it and why.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.solvers.initial import initialise
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.solvable import solvable
from retrosolve.values import Outcome, Value, stuck_value

MAX_VERTICES = 200


@dataclass
class Section:
    """A part of an explanation.

    Parameters
    ----------
    heading : str
    sentences : list of str
    """

    heading: str
    sentences: list[str] = field(default_factory=list)


class AlgorithmSteps(list[Section]):
    """The steps of the algorithm: a list of sections that prints as text."""

    def __str__(self) -> str:
        rows = [[part.heading, *(f"  {sentence}" for sentence in part.sentences)] for part in self]
        return "\n".join(chain.from_iterable(rows))


def algorithm_steps(subject: Any, stuck: str) -> AlgorithmSteps:
    """Explain how every position of a small game is decided, level by level.

    Parameters
    ----------
    subject : Graph, Game or CompiledGame
    stuck : {"loss", "win", "tie"}

    Raises
    ------
    GraphError
        For more than 200 positions, or arguments that are not valid.
    """
    space = solvable(subject).explored()
    n = space.num_vertices
    if n > MAX_VERTICES:
        raise GraphError(
            f"{n} positions are too many to explain one by one: expected at most {MAX_VERTICES}, or a "
            "position to explain"
        )
    return AlgorithmSteps(_Explainer(space, stuck_value(stuck)).explain())


class _Explainer:
    """The retrograde algorithm on plain lists, and the sections written so far."""

    def __init__(self, space: StateSpace, stuck: Value) -> None:
        graph, n = space.materialize(), space.num_vertices
        value, remoteness = initialise(graph, stuck)
        self.value = [Value(code) for code in value.tolist()]
        self.remoteness: list[int] = remoteness.tolist()
        self.terminal = graph.terminal(0, n)
        self.owner = graph.player(np.arange(n))
        self.name = [space.text(space.position(v)) for v in range(n)]
        self.successors: list[list[int]] = [
            [] if self.value[v] else graph.neighbors(v).tolist() for v in range(n)
        ]
        self.undecided_moves = [len(row) for row in self.successors]
        self.predecessors: list[list[int]] = [[] for _ in self.successors]
        for v, row in enumerate(self.successors):
            for w in row:
                self.predecessors[w].append(v)
        self.sections: list[Section] = []

    def explain(self) -> list[Section]:
        """Run the algorithm and return all sections."""
        self._initialise()
        self._propagate((Value.WIN, Value.LOSS), "")
        self._propagate((Value.TIE,), "Ties, ")
        self._draws()
        return self.sections

    def _initialise(self) -> None:
        """Explain the terminal positions and those without a move."""
        section = Section("At the start")
        for v, name in enumerate(self.name):
            if self.terminal[v]:
                section.sentences.append(f"{name} is terminal: {self._outcome(v)}.")
            elif self.value[v]:
                section.sentences.append(f"{name} has no move: {self._outcome(v)}.")
        if not section.sentences:
            section.sentences.append("No position is terminal or without a move.")
        self.sections.append(section)

    def _propagate(self, phase: tuple[Value, ...], prefix: str) -> None:
        """Propagate the values of one phase to predecessors, level by level."""
        queue = deque(v for v, value in enumerate(self.value) if value in phase)
        section = Section("")
        level = -1
        while queue:
            w = queue.popleft()
            if self.remoteness[w] != level:
                level = self.remoteness[w]
                heading = f"level {level + 1}: looking back from what is decided in {level}"
                section = Section((prefix + heading)[0].upper() + (prefix + heading)[1:])
            for v in self.predecessors[w]:
                if self.value[v]:
                    continue
                if not section.sentences:
                    self.sections.append(section)
                section.sentences.append(self._notify(v, w))
                if self.value[v]:
                    queue.append(v)

    def _notify(self, v: int, w: int) -> str:
        """Notify predecessor ``v`` of the value of ``w``; return what follows as a sentence."""
        value = self._value_for_mover(v, w)
        name, target = self.name[v], self.name[w]
        if value is Value.LOSS:
            self.undecided_moves[v] -= 1
            if self.undecided_moves[v]:
                return (
                    f"Moving from {name} to {target} would lose, since {target} is "
                    f"{self._value(v, w)}; moves left to examine: {self.undecided_moves[v]} of "
                    f"{len(self.successors[v])}."
                )
            self._decide(v, Value.LOSS, w)
            moves = ", ".join(dict.fromkeys(self.name[x] for x in self.successors[v]))
            if self.owner is None:
                return (
                    f"{name} has only moves to positions that are WIN for the other player "
                    f"({moves}): {self._outcome(v)}."
                )
            return f"{name} has only moves that lose ({moves}): {self._outcome(v)}."
        self._decide(v, value, w)
        return f"{name} can move to {target}, which is {self._value(v, w)}: {self._outcome(v)}."

    def _decide(self, v: int, value: Value, w: int) -> None:
        self.value[v] = value
        self.remoteness[v] = self.remoteness[w] + 1

    def _value_for_mover(self, v: int, w: int) -> Value:
        """Return the value of ``w`` for the player who moves at ``v``."""
        return self.value[w] if self._same_player(v, w) else self.value[w].opposite()

    def _same_player(self, v: int, w: int) -> bool:
        return self.owner is not None and bool(self.owner[v] == self.owner[w])

    def _value(self, v: int, w: int) -> str:
        """Return the value of ``w`` as text, with the player it holds for unless it is a tie."""
        if self.value[w] is Value.TIE:
            return "TIE"
        whom = "the same player" if self._same_player(v, w) else "the player to move there"
        return f"{self.value[w].name} for {whom}"

    def _outcome(self, v: int) -> str:
        return str(Outcome(self.value[v], self.remoteness[v]))

    def _draws(self) -> None:
        """Explain the positions that nothing has decided."""
        drawn = [v for v, value in enumerate(self.value) if value is Value.DRAW]
        if not drawn:
            return
        section = Section("What is left: DRAW")
        for v in drawn:
            stay = [w for w in dict.fromkeys(self.successors[v]) if self.value[w] is Value.DRAW]
            moves = ", ".join(self.name[w] for w in stay)
            section.sentences.append(
                f"{self.name[v]} has no winning move, but can avoid losing by moving to {moves}."
            )
        self.sections.append(section)
