"""Explain: the retrograde algorithm on a small game, every step of it in words.

It runs the algorithm itself, in plain Python, and says what it does: what is known at the start,
then, looking back from each decided position in order, which predecessors that decides and why.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from retrosolve.errors import GraphError
from retrosolve.solvers.initial import initialise
from retrosolve.spaces.base import StateSpace, solvable
from retrosolve.values import Outcome, Value, stuck_value

MAX_VERTICES = 200


@dataclass
class Chapter:
    """A stretch of the explanation: a heading and the sentences under it."""

    heading: str
    sentences: list[str] = field(default_factory=list)


def explain(subject: Any, stuck: str = "loss") -> list[Chapter]:
    """Explain how every position of a small game is decided, level by level.

    Raises GraphError for more than 200 positions, which nobody would read.

    >>> import retrosolve as rs
    >>> for chapter in explain(rs.Graph.from_edges(["a", "b"], ["b", "c"])):
    ...     print(chapter.heading, *chapter.sentences, sep="\\n  ")
    At the start
      c has no move: LOSS in 0.
    Level 1: looking back from what is decided in 0
      b can move to c, which is LOSS for the player to move there: WIN in 1.
    Level 2: looking back from what is decided in 1
      a has only moves to positions that are WIN for the other player (b): LOSS in 2.
    """
    space = solvable(subject).explored()
    n = space.num_vertices
    if n > MAX_VERTICES:
        raise GraphError(f"{n} positions are too many to explain: expected at most {MAX_VERTICES}")
    return _Teacher(space, stuck_value(stuck)).lesson()


class _Teacher:
    """The algorithm with its arrays as plain lists, and what it has said so far."""

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
        self.left = [len(row) for row in self.successors]
        self.predecessors: list[list[int]] = [[] for _ in self.successors]
        for v, row in enumerate(self.successors):
            for w in row:
                self.predecessors[w].append(v)
        self.chapters: list[Chapter] = []

    def lesson(self) -> list[Chapter]:
        self._start()
        self._levels((Value.WIN, Value.LOSS), "")
        self._levels((Value.TIE,), "Ties, ")
        self._rest()
        return self.chapters

    def _start(self) -> None:
        chapter = Chapter("At the start")
        for v, name in enumerate(self.name):
            if self.terminal[v]:
                chapter.sentences.append(f"{name} is terminal: {self._outcome(v)}.")
            elif self.value[v]:
                chapter.sentences.append(f"{name} has no move: {self._outcome(v)}.")
        if not chapter.sentences:
            chapter.sentences.append("No position is terminal or without a move.")
        self.chapters.append(chapter)

    def _levels(self, phase: tuple[Value, ...], prefix: str) -> None:
        queue = deque(v for v, value in enumerate(self.value) if value in phase)
        chapter = Chapter("")
        level = -1
        while queue:
            w = queue.popleft()
            if self.remoteness[w] != level:
                level = self.remoteness[w]
                heading = f"level {level + 1}: looking back from what is decided in {level}"
                chapter = Chapter((prefix + heading)[0].upper() + (prefix + heading)[1:])
            for v in self.predecessors[w]:
                if self.value[v]:
                    continue
                if not chapter.sentences:
                    self.chapters.append(chapter)
                chapter.sentences.append(self._look_back(v, w))
                if self.value[v]:
                    queue.append(v)

    def _look_back(self, v: int, w: int) -> str:
        """Tell predecessor ``v`` what ``w`` turned out to be; decide it if that settles it."""
        seen = self._seen(v, w)
        name, target = self.name[v], self.name[w]
        if seen is Value.LOSS:
            self.left[v] -= 1
            if self.left[v]:
                return (
                    f"{name} had better not move to {target}, {self._whose(v, w)}: "
                    f"{self.left[v]} of its {len(self.successors[v])} moves left to look at."
                )
            self._decide(v, Value.LOSS, w)
            moves = ", ".join(dict.fromkeys(self.name[x] for x in self.successors[v]))
            if self.owner is None:
                return (
                    f"{name} has only moves to positions that are WIN for the other player "
                    f"({moves}): {self._outcome(v)}."
                )
            return f"{name} has only moves that lose ({moves}): {self._outcome(v)}."
        self._decide(v, seen, w)
        return f"{name} can move to {target}, {self._whose(v, w)}: {self._outcome(v)}."

    def _decide(self, v: int, value: Value, w: int) -> None:
        self.value[v] = value
        self.remoteness[v] = self.remoteness[w] + 1

    def _seen(self, v: int, w: int) -> Value:
        return self.value[w] if self._same_player(v, w) else self.value[w].opposite()

    def _same_player(self, v: int, w: int) -> bool:
        return self.owner is not None and bool(self.owner[v] == self.owner[w])

    def _whose(self, v: int, w: int) -> str:
        if self.value[w] is Value.TIE:
            return "which is TIE"
        if self._same_player(v, w):
            return f"which is {self.value[w].name} for the same player"
        return f"which is {self.value[w].name} for the player to move there"

    def _outcome(self, v: int) -> str:
        return str(Outcome(self.value[v], self.remoteness[v]))

    def _rest(self) -> None:
        drawn = [v for v, value in enumerate(self.value) if value is Value.DRAW]
        if not drawn:
            return
        chapter = Chapter("What is left: DRAW")
        for v in drawn:
            stay = [w for w in dict.fromkeys(self.successors[v]) if self.value[w] is Value.DRAW]
            moves = ", ".join(self.name[w] for w in stay)
            chapter.sentences.append(
                f"{self.name[v]} has no winning move and need not lose: it can go on to {moves}, "
                "for ever."
            )
        self.chapters.append(chapter)
