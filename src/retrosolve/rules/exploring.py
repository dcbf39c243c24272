"""Exploring plain rules: every position reachable from the start, breadth-first, as a graph.

:class:`Search` numbers positions in the order of discovery. :class:`MemoryWatch` holds it to the memory
budget. Where the rules are slow, other processes call them for chunks of positions. This process
numbers all targets, in the same order: the graph does not depend on the number of workers.
"""

from __future__ import annotations

import gc
import logging
import sys
import time
from array import array
from collections import defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, islice
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import MemoryBudgetError, RulesError
from retrosolve.rules.calls import (
    MOVES_PER_BATCH,
    STARTS_BETWEEN_LOOKS,
    UINT32,
    Expander,
    Expansion,
    broken,
    canonical_of,
    hashable,
    holds_frozenset,
    holds_set,
    points_of,
    rules_error,
    settled,
    start_positions,
    targets_of,
    too_many,
)
from retrosolve.rules.contract import Game
from retrosolve.rules.explored import ExploredPositions, NamedGraph
from retrosolve.rules.workers import (
    ChunkResult,
    TransportError,
    WorkerPool,
    decoded,
    decoded_expansion,
    encoded,
    encoded_expansion,
    expand_chunk,
    has_free_threads,
    may_autostart,
    worker_pool,
)
from retrosolve.runtime import memory
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.runtime.threads import cpu_count
from retrosolve.spaces.base import SizeEstimate, StateSpace
from retrosolve.values import CHANCE

logger = logging.getLogger(__name__)

POSITIONS_PER_REPORT = 1 << 14
SECONDS_PER_REPORT = 1.0  # where the rules are slow
SECONDS_BETWEEN_LOOKS = 0.1  # at the memory of the machine, which takes 0.4 ms
FIRST_ALLOWANCE = 16
MAX_SERIAL_LEVEL = 8  # positions to explore, below which one after the other is faster than a batch
MIN_FRONTIER = 256  # positions to explore, for workers to be started
ALLOCATIONS_PER_COLLECTION = 8 * MOVES_PER_BATCH
MAX_POSITIONS = 2**31 - 1  # numbers of positions are int32
SAMPLE_POSITIONS = 10_000
SAMPLE_SECONDS = 1.0

MAX_CHUNK = 1 << 10
MIN_CHUNK = 16
SLICES = 8  # of a chunk: how many positions are explored here between looks for answers
SECONDS_ALONE = 2.0  # before workers are started unasked, which takes some tenths of a second
MIN_GAIN = 3.0  # how many times as long as passing them on the rules take for positions, to be slow
TRIED = 64  # positions, to compare the rules with passing on
COPIED = 16  # positions, to compare their moves with those of their copies
IN_ORDER = "an order that does not depend on how a set is iterated"

SHARE_OF_FREE = 0.75  # what exploring may take without a budget; solving takes less than the rest
BYTES_PER_ENTRY = 30  # of a dict: 24 for each entry and an index of 4, two thirds of it in use
GROWN = 1.4  # what a dict that grows takes besides its old self, before that is freed
BYTES_PER_POSITION = 32 + 8 + 4 + 2  # the number, its place in the order, degree, owner and value
BYTES_PER_MOVE = 4
MEASURED = 32  # positions whose bytes are added up for an estimate
SHARE_BETWEEN_CHECKS = 0.02  # of the budget, at least
MAX_BETWEEN_CHECKS = 1 << 14
SECONDS_BETWEEN_LOOKS_AT_WORKERS = 0.2


class SolvableGame:
    """A :class:`~retrosolve.Game` to solve: its positions are explored from the start.

    Parameters
    ----------
    game : Game
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of all positions reachable from the start, with stored edges."""
        return explored_space(self.game, context or Context())

    def space_without_search(self) -> StateSpace | None:
        """Return None: the positions must be explored."""
        return None

    def estimate_size(self) -> SizeEstimate:
        """Return an estimate from exploring at most 10,000 positions, for at most a second.

        Raises
        ------
        RulesError
            For rules that break their contract.
        """
        began = time.perf_counter()
        search = Search(self.game, Context(workers=1))
        more, end = True, began + SAMPLE_SECONDS
        while more and search.explored < SAMPLE_POSITIONS and time.perf_counter() < end:
            more = search.step()
        explored = max(search.explored, 1)
        moves = search.num_edges / explored
        bytes_per_position = position_bytes(search) / max(len(search.order), 1)
        return SizeEstimate(
            len(search.order),
            explored,
            moves,
            bytes_per_position + BYTES_PER_MOVE * moves,
            (time.perf_counter() - began) / explored,
            None if more else search.space(),
        )

    def reachable_subspace(self, context: Context | None = None) -> StateSpace:
        """Return the space itself."""
        return self.state_space(context)

    def restored(self, arrays: Mapping[str, NDArray[Any]], num_vertices: int) -> StateSpace:
        """Return the space of a saved solution, explored again.

        Raises
        ------
        LimitError
            For more positions than were saved, as soon as there are more.
        """
        return self.state_space(Context(limit=max(num_vertices, 1)))


def explored_space(game: Game, context: Context, symmetry: bool = True) -> NamedGraph:
    """Return the graph of all positions reachable from the starts.

    Parameters
    ----------
    game : Game
    context : Context
        Its ``limit`` is the largest number of positions.
    symmetry : bool
        False explores all positions, not representatives alone.

    Returns
    -------
    NamedGraph
        Vertices are numbered in the order of discovery, whatever the number of workers.

    Raises
    ------
    LimitError
        For more than ``limit`` positions.
    RulesError
        For rules that break the contract of :class:`Game`, with the position that shows it.
    MemoryBudgetError
        If the positions take more than the memory budget, by default three quarters of what is free.

    Notes
    -----
    Calls each rule once per position. Beyond the position objects it takes a dict entry and 12 bytes
    per position, and 4 bytes per move.
    """
    search = Search(game, context, symmetry)
    search.run()
    return search.space()


class Search:
    """A breadth-first search: positions and moves in the order of discovery.

    Parameters
    ----------
    game : Game
    context : Context

    Attributes
    ----------
    order : list of hashable
        The positions in the order of discovery.
    explored : int
        The number of positions whose moves are known, the first ones in ``order``.
    limit : int
        The largest number of positions.
    number : dict
        The number of each position; when it is full, it is copied to twice its size.
    allowance : int
        The number of positions to explore until memory is measured again.
    """

    def __init__(self, game: Game, context: Context, symmetry: bool = True) -> None:
        self.game = game
        self.context = context
        self.expander = Expander(game)
        self.expander.has_symmetry &= symmetry
        self.watch = MemoryWatch(context.memory)
        self.limit = MAX_POSITIONS if context.limit is None else context.limit
        self.order: list[Any] = []
        self.explored = 0
        self.allowance = FIRST_ALLOWANCE
        self.number: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._degrees, self._indices = array(UINT32), array(UINT32)
        self._owner, self._terminal = bytearray(), bytearray()
        self._checked = self._reported = 0
        self._looked = time.perf_counter()
        self.initial = None
        for number, start in enumerate(start_positions(game)):
            if number == 0:
                self.initial = start
            elif number % STARTS_BETWEEN_LOOKS == 0:
                self._note_new()
                self.watch.check(self)
            self.expander.settles |= holds_frozenset((start,))
            self.number[canonical_of(game, start) if self.expander.has_symmetry else start]
        self._note_new()

    @property
    def num_edges(self) -> int:
        """The number of moves of explored positions."""
        return len(self._indices)

    def run(self) -> None:
        """Explore until no position is left."""
        policy = WorkerPolicy(self.context.workers)
        with rare_collections():
            while self.step():
                if len(self.order) - self.explored < MIN_FRONTIER:
                    continue
                workers = policy.workers_now(self)
                if workers > 1:
                    try:
                        with worker_pool(workers - 1, self.expander) as pool:
                            Teamwork(self, pool).run()
                    except TransportError as error:
                        if self.context.workers is not None:
                            raise
                        logger.info("exploring goes on in one process: %s", error)
                        policy.workers = 1
        if self.context.memory is not None:  # else nobody asks, and the answer takes some microseconds
            self.context.spent_bytes += self.watch.taken(self)

    def step(self) -> bool:
        """Explore the next few positions; return whether there were any."""
        size, known = min(self.expander.batch_size, self.allowance), len(self.order)
        if self.explored == known:
            return False
        if known - self.explored < MAX_SERIAL_LEVEL and self.expander.named is not None:
            self._step_singly(size)
        else:
            self.add_moves(self.expander.expand(self.order[self.explored : self.explored + size]))
        return True

    def _step_singly(self, size: int) -> None:
        """Explore one position after the other while there are few."""
        number, order, expander = self.number, self.order, self.expander
        expand, indices, degrees = expander.expand_one, self._indices, self._degrees
        size_now, stop = len(order), self.explored + size
        limit = self.limit
        while (
            self.explored < size_now < self.explored + MAX_SERIAL_LEVEL
            and self.explored < stop
            and size_now <= limit
        ):
            position = order[self.explored]
            targets, code, player = expand(position)
            try:
                for target in targets:
                    vertex = number[target]
                    indices.append(vertex)
                    if vertex == size_now:
                        order.append(target)
                        size_now += 1
            except Exception as error:
                self._raise_for_target((position,), error)
            degrees.append(len(targets))
            if expander.has_terminal:
                self._terminal.append(code)
            if expander.has_player:
                self._owner.append(player)
            self.explored += 1
        self._note_new()

    def add_moves(self, expansion: Expansion) -> None:
        """Add what the rules gave for the next positions to explore."""
        number = self.number
        try:
            if expansion.paired:
                numbers = [number[target] for _, target in expansion.moves]
            else:
                numbers = [number[target] for target in expansion.moves]
        except Exception as error:
            stop = self.explored + len(expansion.degrees)
            self._raise_for_target(self.order[self.explored : stop], error)
        self._indices.extend(array(UINT32, numbers))
        self._degrees.extend(expansion.degrees)
        if expansion.terminal is not None:
            self._terminal += expansion.terminal
        if expansion.owner is not None:
            self._owner += expansion.owner
        self.explored += len(expansion.degrees)
        self._note_new()

    def _note_new(self) -> None:
        """Append new positions to the order; check the limits and report now and then."""
        new = len(self.number) - len(self.order)
        self.order += list(islice(reversed(self.number), new))[::-1]
        if len(self.order) > self.limit:
            raise too_many(self.limit, len(self.order), self.explored)
        if self.explored - self._checked >= self.allowance:
            self._checked = self.explored
            self.allowance = self.watch.check(self)
        waited = time.perf_counter() - self._looked
        if waited > SECONDS_PER_REPORT or self.explored - self._reported >= POSITIONS_PER_REPORT:
            self._reported = self.explored
            if waited > SECONDS_BETWEEN_LOOKS:
                memory.check_headroom(self.progress_text())
                self._looked = time.perf_counter()
            self.context.progress(Progress("finding positions", self.explored, None))

    def progress_text(self) -> str:
        """Return the progress of the search as the beginning of a sentence."""
        return f"{len(self.order)} positions were found, {self.explored} of them explored"

    def _raise_for_target(self, batch: Sequence[Any], error: Exception) -> NoReturn:
        """Raise RulesError for a target that could not be looked up, with the position before it."""
        for source in batch:
            for target in self.expander.expand_checked([source]).moves:
                hashable(self.game, target, source)
                try:
                    self.number[target]
                except Exception as again:
                    raise rules_error(self.game, "moves", (source,), again) from again
        raise rules_error(self.game, "moves", (batch[0],), error) from error

    def space(self) -> NamedGraph:
        """Return the graph of the positions; all must be explored."""
        self.number.default_factory = None
        positions = ExploredPositions(self.game, self.order, self.number)
        indptr = np.zeros(len(self.order) + 1, index_dtype(len(self._indices)))
        if self._degrees:
            np.cumsum(np.frombuffer(self._degrees, np.int32), out=indptr[1:])
        indices = np.frombuffer(self._indices, np.int32) if self._indices else np.zeros(0, np.int32)
        owner = np.frombuffer(self._owner, np.uint8) if self.expander.has_player else None
        terminal = np.frombuffer(self._terminal, np.uint8) if self.expander.has_terminal else None
        points = self._points(indptr, terminal)
        return NamedGraph(indptr, indices, owner, terminal, positions, self.initial, *points)

    def _points(
        self, indptr: IntArray, terminal: ByteArray | None
    ) -> tuple[IntArray | None, IntArray | None, IntArray | None]:
        """Return payoffs, rewards and weights, where the rules define them.

        That takes a second call of ``moves`` for each position, which only such games make.
        """
        game = self.game
        payoff = None
        if game.implements("payoff"):
            over = np.diff(indptr) == 0
            if terminal is not None:
                over |= terminal != 0
            payoff = np.zeros(len(self.order), np.int32)
            for vertex in np.flatnonzero(over).tolist():
                payoff[vertex] = points_of(game, "payoff", self.order[vertex])
        of_moves: dict[str, IntArray] = {
            rule: np.zeros(len(self._indices), np.int32)
            for rule in ("reward", "weight")
            if game.implements(rule)
        }
        for vertex, position in enumerate(self.order if of_moves else ()):
            first, last = indptr[vertex], indptr[vertex + 1]
            of = settled(position) if self.expander.settles else position
            targets = targets_of(game, of) if last > first else []
            if len(targets) != last - first:
                broken(game, f"moves({position!r}) gave {last - first} and then {len(targets)} moves")
            forms = [canonical_of(game, t) for t in targets] if self.expander.has_symmetry else targets
            if [self.number.get(t) for t in forms] != self._indices[first:last].tolist():
                broken(
                    game,
                    f"moves({position!r}) come in one order and then in another: expected {IN_ORDER}",
                )
            for rule, points in of_moves.items():
                if rule == "reward" or self._owner[vertex] == CHANCE:
                    for edge, target in enumerate(targets, first):
                        points[edge] = points_of(game, rule, position, target)
        return payoff, of_moves.get("reward"), of_moves.get("weight")


@contextmanager
def rare_collections() -> Iterator[None]:
    """Have the garbage collector look at new objects when most of a batch are gone."""
    before = gc.get_threshold()
    if before[0]:  # 0 for never
        gc.set_threshold(max(before[0], ALLOCATIONS_PER_COLLECTION), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


# -- workers ---------------------------------------------------------------------------------------


class WorkerPolicy:
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
            if (position := _reordered(search)) is not None:
                raise RulesError(
                    f"moves({position!r}) come in another order from an equal copy of the position: "
                    f"expected workers=1, or {IN_ORDER}"
                )
        return self.workers or 1


def _pays(search: Search) -> bool:
    """Return whether the rules are slow, compared with passing positions to another process."""
    if cpu_count() < 2 or not may_autostart(search.game):
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
    decides which numbers positions get, and a saved solution depends on these. The sample does not show
    every such game: workers that nobody asked for get no position with a set that is not settled.
    """
    if has_free_threads():
        return None
    positions = search.order[search.explored : search.explored + COPIED]
    try:
        copies = decoded(encoded(positions))
    except TransportError:  # as the pool will too
        return None
    targets = [[search.expander.expand_one(p)[0] for p in each] for each in (positions, copies)]
    pairs = zip(positions, *targets, strict=True)
    return next((position for position, one, other in pairs if one != other), None)


class _Task:
    """A chunk of positions in the order of the search, and what has come back for it so far."""

    __slots__ = ("pieces", "start", "stop")

    def __init__(self, start: int, stop: int, *pieces: ChunkResult | Exception) -> None:
        self.start = start
        self.stop = stop
        self.pieces = deque(pieces)


class Teamwork:
    """Explores all positions with workers; numbers are assigned in the order of a search alone.

    This process calls the rules as well, for a few positions at a time, whenever no answer of a worker
    has to be added.

    Parameters
    ----------
    search : Search
    pool : WorkerPool

    Attributes
    ----------
    tasks : deque of _Task
        The chunks that are not added to the search yet, in its order.
    out : dict of int to _Task
        Those that workers have, by their first position.
    """

    def __init__(self, search: Search, pool: WorkerPool) -> None:
        self.search = search
        self.pool = pool
        self._copies_unasked = search.context.workers is None and not has_free_threads()
        self.sent = search.explored
        self.tasks: deque[_Task] = deque()
        self.out: dict[int, _Task] = {}

    def run(self) -> None:
        """Explore until all positions are explored.

        Raises
        ------
        RulesError
            Like a search alone, and for a worker that ends, with the position that it explores.
        TransportError
            For positions that cannot be sent to a worker; the search can go on alone.
        """
        search = self.search
        search.watch.processes = self.pool.processes
        try:
            while search.explored < len(search.order):
                self._collect(0)
                self._send()
                if self.tasks and self.tasks[0].pieces:
                    self._add(self.tasks[0])
                elif self.sent < len(search.order):
                    self._expand_here()
                else:
                    self._collect(None)
        finally:
            search.watch.processes = ()

    def _collect(self, timeout: float | None) -> None:
        """Take what workers have returned, waiting for one of them at most so many seconds."""
        if self.out:
            for start, piece in self.pool.collect(timeout):
                self.out[start].pieces.append(piece)

    def _send(self) -> None:
        """Send chunks to workers, so that each has one more than it is working on."""
        order = self.search.order
        while self.sent < len(order) and self.pool.room:
            chunk = order[self.sent : self.sent + self._chunk_size()]
            if self._copies_unasked:
                self._refuse_sets(chunk)
            task = _Task(self.sent, self.sent + len(chunk))
            self.tasks.append(task)
            self.out[self.sent] = task
            self.pool.submit(self.sent, chunk)
            self.sent = task.stop

    def _refuse_sets(self, chunk: Sequence[Any]) -> None:
        """Raise TransportError for a set that a copy of a position may iterate in another order."""
        is_settled = self.search.expander.settles
        try:
            position = next((p for p in chunk if holds_set(p, is_settled)), None)
        except RecursionError:  # of objects that hold each other
            position = chunk[0]
        if position is not None:
            raise TransportError(
                f"the position {position!r} may hold a set, and its copy the same set in another order"
            )

    def _chunk_size(self) -> int:
        """Return the number of positions of a chunk for a worker."""
        unsent = len(self.search.order) - self.sent
        return max(MIN_CHUNK, min(MAX_CHUNK, self.search.allowance, unsent // (2 * self.pool.size + 2)))

    def _expand_here(self) -> None:
        """Call the rules for a few positions, so that no worker waits long for its next chunk."""
        size = max(1, self._chunk_size() // SLICES)
        chunk = self.search.order[self.sent : self.sent + size]
        try:
            expansion = self.search.expander.expand(chunk)
            task = _Task(self.sent, self.sent + len(expansion.degrees), expansion)
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


# -- memory ----------------------------------------------------------------------------------------


class MemoryWatch:
    """Watches how much memory this process has taken since the watch began.

    Parameters
    ----------
    budget : int or None
        The most bytes that exploring may take; None for a share of the free memory.
    """

    def __init__(self, budget: int | None) -> None:
        self._is_asked_for = budget is not None
        self._budget = budget
        self.processes: Sequence[int] = ()
        self._before = memory.resident()
        self._looked, self._others = 0.0, 0

    @property
    def budget(self) -> int:
        """The budget in bytes; a share of the free memory is measured when it is first asked for.

        That takes 0.4 ms, which a game of a few positions would notice.
        """
        if self._budget is None:
            self._budget = int(memory.available() * SHARE_OF_FREE)
        return self._budget

    def taken(self, search: Search) -> int:
        """Return the bytes taken: measured, or estimated where the system does not say."""
        if not self._before:
            return position_bytes(search) + BYTES_PER_MOVE * search.num_edges
        others = self._worker_bytes() if self.processes else 0
        return max(0, memory.resident() - self._before) + others

    def _worker_bytes(self) -> int:
        """Return the bytes that other processes take for this one; they are looked at now and then."""
        if time.perf_counter() > self._looked + SECONDS_BETWEEN_LOOKS_AT_WORKERS:
            self._others = sum(map(memory.private, self.processes))
            self._looked = time.perf_counter()
        return self._others

    def check(self, search: Search) -> int:
        """Return the number of positions to explore until the next check.

        Raises
        ------
        MemoryBudgetError
            If exploring is about to exceed the budget.
        """
        number, taken = search.number, self.taken(search)
        needed = taken
        if _places_left(number) < 0.02 * len(number):  # it is copied soon
            needed += int(GROWN * sys.getsizeof(number))
        if needed <= self.budget:
            estimated = position_bytes(search) + BYTES_PER_MOVE * search.num_edges
            each = max(needed, estimated) / max(search.explored, 1)
            room = max(SHARE_BETWEEN_CHECKS * self.budget, (self.budget - needed) / 4)
            steps = min(MAX_BETWEEN_CHECKS, int(room / each))
            if taken + GROWN * sys.getsizeof(number) > self.budget:  # not past the next copy, then
                steps = min(steps, int(_places_left(number) * search.explored / len(search.order) / 2))
            return max(1, steps)
        owner = "the budget" if self._is_asked_for else f"{SHARE_OF_FREE:.0%} of the free memory"
        raise MemoryBudgetError(
            f"{search.progress_text()}, and going on needs {memory.format_bytes(needed)}; {owner} is "
            f"{memory.format_bytes(self.budget)}: expected a larger budget, or a smaller game that ends"
        )


def position_bytes(search: Search) -> int:
    """Return an estimate of the bytes that positions take without moves, from a sample of them."""
    sample = search.order[:: len(search.order) // MEASURED + 1]
    mean = sum(map(_size, sample)) / max(len(sample), 1) + BYTES_PER_POSITION
    return int(mean * len(search.order)) + sys.getsizeof(search.number)


def _size(position: Any) -> int:
    """Return the bytes of a position, of what is in a tuple or a set, and of its attributes."""
    size = sys.getsizeof(position)
    if isinstance(position, tuple | frozenset):
        return size + sum(_size(item) for item in position if type(item) in (tuple, frozenset, bytes))
    attributes = getattr(position, "__dict__", None)
    return size + (sys.getsizeof(attributes) if attributes else 0)


def _places_left(number: dict[Any, int]) -> int:
    """Return the approximate number of positions that a dict takes until it is copied."""
    return int(sys.getsizeof(number) / BYTES_PER_ENTRY) - len(number)
