"""The proof without remoteness: every win and loss of a game of two tokens derived anew.

Without remoteness a claim cannot be checked against its neighbours only: wins might hold each other up
in a circle. So the wins and losses that follow from the ends are derived again, here row by row from a
queue with whole numbers of Python as sets, and must be just those that are claimed.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.solution import Solution
from retrosolve.spaces.base import CsrSpace
from retrosolve.values import INVALID, Value
from retrosolve.verification.claims import refuse

ROWS_A_REPORT = 1 << 12


def prove(solution: Solution, report: ProgressCallback) -> None:
    """Prove a solution without remoteness of a game of two tokens."""
    mismatch = first_mismatch(solution.space, solution.table, solution.stuck, report)
    if mismatch is not None:
        refuse(solution, *mismatch, -1)


def first_mismatch(
    space: Any, table: Any, stuck: Value, report: ProgressCallback
) -> tuple[int, int] | None:
    """Return the first vertex with another value than the rules make, and that value; None if none."""
    derived = _Fixpoint(space, table, stuck)
    derived.run(report)
    width = table.planes.shape[2] * 8
    for p in range(space.first.num_vertices):
        claimed = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in table.planes[p]]
        for turn, (win, loss) in enumerate(((0, 2), (3, 1))):
            won, lost = derived.won[turn][p], derived.lost[turn][p]
            none = derived.none[turn][p]
            given = claimed[win] & derived.places, claimed[loss] & derived.places
            wrong = (given[0] ^ (won | none)) | (given[1] ^ (lost | none))
            if wrong:
                at = np.unpackbits(
                    np.frombuffer(wrong.to_bytes(width, "little"), np.uint8), bitorder="little"
                )
                t = int(np.flatnonzero(at[table.place])[0])
                bit = 1 << int(table.place[t])
                value = Value.WIN if won & bit else Value.LOSS if lost & bit else Value.DRAW
                row = turn * space.first.num_vertices + p
                return row * space.second.num_vertices + t, INVALID if none & bit else int(value)
    return None


class _Fixpoint:
    """What follows from the ends so far: by turn, for each place of the first token a set."""

    def __init__(self, space: Any, table: Any, stuck: Value) -> None:
        self.space = space
        self.bits = [1 << int(place) for place in table.place]
        self.places = sum(self.bits)
        self._place = table.place
        self._width = 64 * table.planes.shape[2]
        self._line = (
            [] if space.layout is None else [int(o) for o in set(space.layout.offsets.tolist())]
        )
        self._steps = _rows(space.second)
        self._to = [sum(self.bits[w] for w in set(row)) for row in self._steps]
        k = space.first.num_vertices
        self.won, self.lost, self.none, self.open = ([[0] * k, [0] * k] for _ in range(4))
        for turn in (0, 1):
            helpless = [token.out_degrees() == 0 for token in (space.first, space.second)]
            for p in range(k):
                codes = space.terminal_map.block(turn, p, p + 1)[0]
                stays = helpless[0][p] if turn == 0 else helpless[1]
                codes[(codes == 0) & stays] = stuck
                self.won[turn][p] = self._set(codes == Value.WIN)
                self.lost[turn][p] = self._set(codes == Value.LOSS)
                self.none[turn][p] = self._set(codes == INVALID)
                self.open[turn][p] = self._set(codes == 0)

    def _set(self, members: ByteArray) -> int:
        bits = np.zeros(self._width, np.uint8)
        bits[self._place[members]] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")

    def run(self, report: ProgressCallback) -> None:
        """Derive all that follows."""
        moves = _rows(self.space.first)
        origins: list[list[int]] = [[] for _ in moves]
        for p, row in enumerate(moves):
            for q in row:
                origins[q].append(p)
        queue = deque(range(len(moves)))
        waiting = [True] * len(moves)
        for p in range(len(moves)):
            self._move_second(p)
        looked = 0
        while queue:
            p = queue.popleft()
            waiting[p] = False
            if self._move_first(p, moves[p]) and self._move_second(p):
                for q in origins[p]:
                    if not waiting[q]:
                        waiting[q] = True
                        queue.append(q)
            looked += 1
            if looked % ROWS_A_REPORT == 0:
                report(Progress("verifying, rows", looked, None))

    def _move_first(self, p: int, row: list[int]) -> bool:
        """Derive what a row gains by the first player's moves. Tells whether it is anything."""
        won, lost = 0, self.open[0][p]
        for q in row:
            won |= self.lost[1][q]
            lost &= self.won[1][q]
        won = (won & self.open[0][p]) | self.won[0][p]
        lost = (lost if row else 0) | self.lost[0][p]
        news = won != self.won[0][p] or lost != self.lost[0][p]
        self.won[0][p], self.lost[0][p] = won, lost
        return news

    def _move_second(self, p: int) -> bool:
        """Derive the same by the second player's moves."""
        goal, escape = self.lost[0][p], self.places & ~self.won[0][p]
        won = kept = 0
        for o in self._line:
            won |= goal >> o if o >= 0 else goal << -o
            kept |= escape >> o if o >= 0 else escape << -o
        if not self._line:
            for bit, to in zip(self.bits, self._to, strict=True):
                won |= bit if to & goal else 0
                kept |= bit if to & escape else 0
        here = self.open[1][p]
        won, lost = (won & here) | self.won[1][p], (here & ~kept) | self.lost[1][p]
        news = won != self.won[1][p] or lost != self.lost[1][p]
        self.won[1][p], self.lost[1][p] = won, lost
        return news


def _rows(graph: CsrSpace) -> list[list[int]]:
    indptr, indices = graph.indptr.tolist(), graph.indices.tolist()
    return [indices[indptr[v] : indptr[v + 1]] for v in range(graph.num_vertices)]
