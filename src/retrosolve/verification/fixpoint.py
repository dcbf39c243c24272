"""The proof without remoteness: every win and loss of a game of two tokens is derived again.

Without remoteness a claim cannot be compared with its successors only, since wins might support each
other in a cycle. Instead the wins and losses that follow from the terminal positions are derived again,
row by row from a queue, with Python integers as sets, and have to be exactly those that are claimed.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray
from retrosolve.runtime.context import Context
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.solution import Solution
from retrosolve.spaces.base import CsrSpace
from retrosolve.tables import Table
from retrosolve.values import INVALID, LOSS, WIN, Value
from retrosolve.verification.claims import refuse

ROWS_PER_REPORT = 1 << 12
SETS = 6  # of bits, for each vertex


def memory_bytes(space: Any, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof."""
    return int(space.num_vertices) * SETS // 8


def prove(solution: Solution, context: Context) -> None:
    """Prove a solution without remoteness of a game of two tokens; takes about six bits a vertex."""
    needed = memory_bytes(solution.space, 0)
    check_budget(needed, lambda: f"verifying {solution.space!r}", context.memory)
    mismatch = first_mismatch(solution.space, solution.table, solution.stuck, context.progress)
    if mismatch is not None:
        refuse(solution, *mismatch, -1)


def first_mismatch(
    space: Any, table: Table, stuck: Value, progress: ProgressCallback
) -> tuple[int, int] | None:
    """Return the first vertex whose value is wrong, and its correct value; None if there is none."""
    derived = _Fixpoint(space, stuck)
    derived.run(progress)
    m = space.second.num_vertices
    for p in range(space.first.num_vertices):
        for turn in (0, 1):
            row = (turn * space.first.num_vertices + p) * m
            claimed = table.values(slice(row, row + m))
            won, lost = derived.won[turn][p], derived.lost[turn][p]
            invalid = derived.invalid[turn][p]
            wrong = derived.set_of(claimed == WIN) ^ won
            wrong |= derived.set_of(claimed == LOSS) ^ lost
            wrong |= derived.set_of(claimed == INVALID) ^ invalid
            if wrong:
                t = next(t for t, bit in enumerate(derived.bits) if wrong & bit)
                bit = derived.bits[t]
                value = Value.WIN if won & bit else Value.LOSS if lost & bit else Value.DRAW
                return row + t, INVALID if invalid & bit else int(value)
    return None


class _Fixpoint:
    """What has been derived: by turn, a set of second tokens for each vertex of the first token."""

    def __init__(self, space: Any, stuck: Value) -> None:
        self.space = space
        layout = space.layout
        self._place = (
            np.arange(space.second.num_vertices)
            if layout is None
            else np.asarray(layout.coordinate, np.int64)
        )
        self._width = int(self._place.max(initial=-1)) + 1
        self.bits = [1 << place for place in self._place.tolist()]
        self.places = sum(self.bits)
        self._offsets = [] if space.layout is None else list(set(space.layout.offsets.tolist()))
        self._targets = [sum(self.bits[w] for w in set(row)) for row in _rows(space.second)]
        k = space.first.num_vertices
        self.won, self.lost, self.invalid, self.open = ([[0] * k, [0] * k] for _ in range(4))
        for turn in (0, 1):
            is_stuck = [token.out_degrees() == 0 for token in (space.first, space.second)]
            for p in range(k):
                values = space.terminal_map.block(turn, p, p + 1)[0]
                values[(values == 0) & (is_stuck[0][p] if turn == 0 else is_stuck[1])] = int(stuck)
                self.won[turn][p] = self.set_of(values == WIN)
                self.lost[turn][p] = self.set_of(values == LOSS)
                self.invalid[turn][p] = self.set_of(values == INVALID)
                self.open[turn][p] = self.set_of(values == 0)

    def set_of(self, members: ByteArray) -> int:
        """Return a set of vertices, given as bool [m], as an integer."""
        bits = np.zeros(self._width, np.uint8)
        bits[self._place[members]] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")

    def run(self, progress: ProgressCallback) -> None:
        """Derive every win and loss."""
        moves = _rows(self.space.first)
        predecessors: list[list[int]] = [[] for _ in moves]
        for p, row in enumerate(moves):
            for q in row:
                predecessors[q].append(p)
        queue = deque(range(len(moves)))
        queued = [True] * len(moves)
        for p in range(len(moves)):
            self._move_second(p)
        visited = 0
        while queue:
            p = queue.popleft()
            queued[p] = False
            if self._move_first(p, moves[p]) and self._move_second(p):
                for q in predecessors[p]:
                    if not queued[q]:
                        queued[q] = True
                        queue.append(q)
            visited += 1
            if visited % ROWS_PER_REPORT == 0:
                progress(Progress("verifying, rows", visited, None))

    def _move_first(self, p: int, row: list[int]) -> bool:
        """Update a row by the first player's moves; return whether it has changed."""
        won, lost = 0, self.open[0][p]
        for q in row:
            won |= self.lost[1][q]
            lost &= self.won[1][q]
        won = (won & self.open[0][p]) | self.won[0][p]
        lost = (lost if row else 0) | self.lost[0][p]
        changed = won != self.won[0][p] or lost != self.lost[0][p]
        self.won[0][p], self.lost[0][p] = won, lost
        return changed

    def _move_second(self, p: int) -> bool:
        """Update a row by the second player's moves; return whether it has changed."""
        goal, escape = self.lost[0][p], self.places & ~self.won[0][p]
        won = kept = 0
        for offset in self._offsets:
            won |= goal >> offset if offset >= 0 else goal << -offset
            kept |= escape >> offset if offset >= 0 else escape << -offset
        if not self._offsets:
            for bit, targets in zip(self.bits, self._targets, strict=True):
                won |= bit if targets & goal else 0
                kept |= bit if targets & escape else 0
        here = self.open[1][p]
        won, lost = (won & here) | self.won[1][p], (here & ~kept) | self.lost[1][p]
        changed = won != self.won[1][p] or lost != self.lost[1][p]
        self.won[1][p], self.lost[1][p] = won, lost
        return changed


def _rows(graph: CsrSpace) -> list[list[int]]:
    """Return the successors of each vertex."""
    indptr, indices = graph.indptr.tolist(), graph.indices.tolist()
    return [indices[indptr[v] : indptr[v + 1]] for v in range(graph.num_vertices)]
