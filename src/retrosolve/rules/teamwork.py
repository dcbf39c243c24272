"""Exploring with workers: when that pays, and how chunks of positions go out and answers come back.

A worker is a process besides this one, which numbers all positions and calls the rules for the rest.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, NoReturn

from retrosolve.errors import RulesError
from retrosolve.rules.wire import (
    TransportError,
    decoded,
    decoded_expansion,
    encoded,
    encoded_expansion,
)
from retrosolve.rules.workers import (
    Piece,
    Team,
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
TRIED = 64  # positions, to compare the rules with passing on
COPIED = 16  # positions, to compare their moves with those of their copies


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
        self._checked = False

    def workers_now(self, search: Search) -> int:
        """Return the number of workers to go on with.

        Raises RulesError if workers are asked for and would find moves in another order.
        """
        if self.workers == 1 or search.expander.named is None:
            return 1
        if self.workers is None and time.perf_counter() > self._decided_at:
            pays = _pays(search) and _reordered(search) is None
            self.workers, self._checked = cpu_count() if pays else 1, True
        elif self.workers is not None and not self._checked:
            self._checked = True
            position = _reordered(search)
            if position is not None:
                raise RulesError(
                    f"moves({position!r}) come in another order from an equal copy of the position: "
                    "expected workers=1, or an order that does not depend on how a set is iterated"
                )
        return self.workers or 1


def _pays(search: Search) -> bool:
    """Return whether the rules are slow, compared with passing positions to another process."""
    if cpu_count() < 2 or not starts_unasked(search.game):
        return False
    if has_free_threads():
        return True
    positions = search.order[search.explored : search.explored + TRIED]
    began = time.perf_counter()
    answer = list(expand_chunk(search.expander, positions))
    asked = time.perf_counter()
    try:
        decoded(encoded(positions))
        for piece in answer:
            if isinstance(piece, str):
                return False
            decoded_expansion(encoded_expansion(piece))
    except Exception:
        return False
    return asked - began > MIN_GAIN * (time.perf_counter() - asked)


def _reordered(search: Search) -> Any:
    """Return a position whose moves come in another order from a copy of it, None if there is none.

    Equal sets may be iterated in different orders, and a copy of a set often is. The order of moves
    decides which numbers positions get, and a saved solution depends on these.
    """
    if has_free_threads():
        return None
    positions = search.order[search.explored : search.explored + COPIED]
    try:
        copies = decoded(encoded(positions))
    except TransportError:  # as the team will find
        return None
    targets = [[search.expander.expand_one(p)[0] for p in each] for each in (positions, copies)]
    pairs = zip(positions, *targets, strict=True)
    return next((position for position, one, other in pairs if one != other), None)


class _Task:
    """A chunk of positions in the order of the search, and what has come back for it so far."""

    __slots__ = ("pieces", "start", "stop")

    def __init__(self, start: int, stop: int, *pieces: Piece | Exception) -> None:
        self.start = start
        self.stop = stop
        self.pieces = deque(pieces)


def explore_with(search: Search, team: Team) -> None:
    """Explore all positions with a team; numbers are assigned in the order of a search alone.

    This process calls the rules as well, for a few positions at a time, whenever no answer of a worker
    has to be added.

    Raises
    ------
    RulesError
        Like a search alone, and for a worker that ends, with the position that it explores.
    TransportError
        For positions that cannot be sent to a worker; the search can go on alone.
    """
    search.watch.processes = team.processes
    try:
        _Teamwork(search, team).run()
    finally:
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
            if self.tasks and self.tasks[0].pieces:
                self._add(self.tasks[0])
            elif self.sent < len(search.order):
                self._expand_here()
            else:
                self._collect(None)

    def _collect(self, timeout: float | None) -> None:
        """Take what workers have returned, waiting for one of them at most so many seconds."""
        if self.out:
            for start, piece in self.team.collect(timeout):
                self.out[start].pieces.append(piece)

    def _send(self) -> None:
        """Send chunks to workers, so that each has one more than it is working on."""
        order = self.search.order
        while self.sent < len(order) and self.team.room:
            chunk = order[self.sent : self.sent + self._chunk_size()]
            task = _Task(self.sent, self.sent + len(chunk))
            self.tasks.append(task)
            self.out[self.sent] = task
            self.team.submit(self.sent, chunk)
            self.sent = task.stop

    def _chunk_size(self) -> int:
        """Return the number of positions of a chunk for a worker."""
        left = len(self.search.order) - self.sent
        return max(MIN_CHUNK, min(MAX_CHUNK, self.search.allowance, left // (2 * self.team.size + 2)))

    def _expand_here(self) -> None:
        """Call the rules for a few positions, so that no worker waits long for its next chunk."""
        size = max(1, self._chunk_size() // SLICES)
        chunk = self.search.order[self.sent : self.sent + size]
        try:
            found = self.search.expander.expand(chunk)
            task = _Task(self.sent, self.sent + len(found.degrees), found)
        except Exception as error:  # raised when all positions before it are added
            task = _Task(self.sent, self.sent + len(chunk), error)
        self.tasks.append(task)
        self.sent = task.stop

    def _add(self, task: _Task) -> None:
        """Add the next piece; after a failure call the rules here, for the error they raise."""
        search, piece = self.search, task.pieces.popleft()
        if isinstance(piece, Exception):
            raise piece
        if isinstance(piece, str):
            self._fail(task, piece)
        search.add_moves(decoded_expansion(piece) if isinstance(piece, memoryview) else piece)
        if search.explored == task.stop:
            self.tasks.popleft()
            self.out.pop(task.start, None)

    def _fail(self, task: _Task, failure: str) -> NoReturn:
        """Raise RulesError for a chunk with which a worker failed."""
        search = self.search
        first = search.explored
        while search.explored < task.stop:
            search.add_moves(search.expander.expand(search.order[search.explored : task.stop]))
        raise RulesError(
            f"a worker that explored {task.stop - first} positions from {search.order[first]!r} on "
            f"raised {failure}, and another call of the rules did not: expected deterministic rules"
        )
