"""Exploring with workers: when that pays, and how chunks of positions go out and answers come back.

A worker is a process besides this one, which numbers all positions and calls the rules for the rest.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from retrosolve.errors import RulesError
from retrosolve.rules.workers import (
    Answer,
    Team,
    decoded,
    encoded,
    expand_chunk,
    has_free_threads,
    starts_unasked,
)
from retrosolve.runtime.threads import cpu_count

if TYPE_CHECKING:
    from retrosolve.rules.exploring import Search

MAX_CHUNK = 1 << 10
MIN_CHUNK = 16
SLICES = 8  # of a chunk: how many positions are explored here between looks for answers
SECONDS_ALONE = 2.0  # before workers are started unasked, which takes some tenths of a second
MIN_GAIN = 3.0  # how many times as long as passing them on the rules take for positions, to be slow
TRIED = 64


class Advice:
    """Decides how many workers explore, as the search goes on.

    Parameters
    ----------
    workers : int or None
        The number asked for; None for one, or all processors where the rules are slow.
    """

    def __init__(self, workers: int | None) -> None:
        self.workers = workers
        self._decided_at = time.perf_counter() + SECONDS_ALONE

    def workers_now(self, search: Search) -> int:
        """Return the number of workers to go on with."""
        if self.workers == 1 or search.expander.named is None:
            return 1
        if self.workers is None and time.perf_counter() > self._decided_at:
            self.workers = cpu_count() if _pays(search) else 1
        return self.workers or 1


def _pays(search: Search) -> bool:
    """Return whether the rules are slow, compared with passing positions to another process."""
    if cpu_count() < 2 or not starts_unasked(search.game):
        return False
    if has_free_threads():
        return True
    positions = search.order[search.explored : search.explored + TRIED]
    began = time.perf_counter()
    answer = expand_chunk(search.expander, positions)
    asked = time.perf_counter()
    try:
        decoded(encoded(positions))
        for piece in answer:
            decoded(encoded(piece))
    except Exception:
        return False
    return asked - began > MIN_GAIN * (time.perf_counter() - asked)


class _Task:
    """A chunk of positions in the order of the search, and what has come back for it so far."""

    __slots__ = ("answer", "chunk")

    def __init__(self, chunk: Sequence[Any], answer: Answer | Exception | None = None) -> None:
        self.chunk = chunk
        self.answer = answer


def explore_with(search: Search, team: Team) -> None:
    """Explore all positions with a team; numbers are assigned in the order of a search alone.

    This process calls the rules as well, for a few positions at a time, whenever no answer of a worker
    has to be added.

    Raises
    ------
    RulesError
        Like a search alone, and for a worker that ends, with the position that it explores.
    """
    search.watch.processes = team.processes
    _Teamwork(search, team).run()
    search.watch.processes = ()


class _Teamwork:
    """The tasks that are not added to the search yet, in its order."""

    def __init__(self, search: Search, team: Team) -> None:
        self.search = search
        self.team = team
        self.sent = search.explored
        self.tasks: deque[_Task] = deque()
        self.out: dict[int, _Task] = {}

    def run(self) -> None:
        """Explore until no position is left."""
        search = self.search
        while search.explored < len(search.order):
            self._collect(0)
            self._send()
            if self.tasks and self.tasks[0].answer is not None:
                self._add(self.tasks.popleft())
            elif self.sent < len(search.order):
                self._expand_here()
            else:
                self._collect(None)

    def _collect(self, timeout: float | None) -> None:
        """Take the answers of workers, waiting for one of them at most so many seconds."""
        if self.out:
            for start, answer in self.team.collect(timeout).items():
                self.out.pop(start).answer = answer

    def _send(self) -> None:
        """Send a chunk to each idle worker."""
        order = self.search.order
        while self.team.idle and self.sent < len(order):
            chunk = order[self.sent : self.sent + self._chunk_size()]
            task = _Task(chunk)
            self.tasks.append(task)
            self.out[self.sent] = task
            self.team.submit(self.sent, chunk)
            self.sent += len(chunk)

    def _chunk_size(self) -> int:
        """Return the number of positions of a chunk for a worker."""
        left = len(self.search.order) - self.sent
        return max(MIN_CHUNK, min(MAX_CHUNK, self.search.allowance, left // (2 * self.team.size + 2)))

    def _expand_here(self) -> None:
        """Call the rules for a few positions, so that no worker waits long for its next chunk."""
        size = max(1, self._chunk_size() // SLICES)
        chunk = self.search.order[self.sent : self.sent + size]
        task = _Task(chunk)
        try:
            found = self.search.expander.expand(chunk)
            task.answer = [found]
            task.chunk = chunk[: len(found.degrees)]
        except Exception as error:  # raised when all positions before it are added
            task.answer = error
        self.tasks.append(task)
        self.sent += len(task.chunk)

    def _add(self, task: _Task) -> None:
        """Add the answer for a chunk; after a failure call the rules here, for the error they raise."""
        search, chunk, answer = self.search, task.chunk, task.answer
        if isinstance(answer, Exception):
            raise answer
        assert answer is not None
        stop = search.explored + len(chunk)
        if not isinstance(answer, str):
            for piece in answer:
                self._collect(0)
                self._send()
                rest = chunk[len(chunk) - (stop - search.explored) :]
                search.add_moves(rest, decoded(piece) if isinstance(piece, bytes) else piece)
            return
        while search.explored < stop:
            rest = chunk[len(chunk) - (stop - search.explored) :]
            search.add_moves(rest, search.expander.expand(rest))
        raise RulesError(
            f"a worker that explored {len(chunk)} positions from {chunk[0]!r} on raised "
            f"{answer}, and another call of the rules did not: expected deterministic rules"
        )
