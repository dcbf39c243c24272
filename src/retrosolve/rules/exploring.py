"""Exploring plain rules: every position reachable from the start, breadth-first, as a graph."""

from __future__ import annotations

import gc
import logging
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import LimitError
from retrosolve.rules.calls import canonical_of, hashable, rules_error, start_positions
from retrosolve.rules.expanding import MOVES_PER_BATCH, Expander, Expansion
from retrosolve.rules.exploring_memory import BYTES_PER_MOVE, MemoryWatch, estimated_bytes
from retrosolve.rules.teamwork import Advice, explore_with
from retrosolve.rules.wire import TransportError
from retrosolve.rules.workers import team_of
from retrosolve.runtime import memory
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.spaces.base import Sample
from retrosolve.spaces.named import NamedGraph

if TYPE_CHECKING:
    from retrosolve.rules.game import Game

logger = logging.getLogger(__name__)

POSITIONS_PER_REPORT = 1 << 14
SECONDS_BETWEEN_LOOKS = 0.1  # at the memory of the machine, which takes 0.4 ms
FIRST_ALLOWANCE = 16
MAX_SERIAL_LEVEL = 8  # positions to explore, below which one after the other is faster than a batch
MIN_FRONTIER = 256  # positions to explore, for workers to be started
ALLOCATIONS_PER_COLLECTION = 8 * MOVES_PER_BATCH
SAMPLE_POSITIONS = 10_000
SAMPLE_SECONDS = 1.0


def explored_space(game: Game, context: Context) -> NamedGraph:
    """Return the graph of all positions reachable from the starts.

    Parameters
    ----------
    game : Game
    context : Context
        Its ``limit`` is the largest number of positions.

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
    search = Search(game, context)
    search.run()
    return search.space()


class Search:
    """A breadth-first search: the positions and moves found so far.

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
    allowance : int
        The number of positions to explore until memory is measured again.
    """

    def __init__(self, game: Game, context: Context) -> None:
        self.game = game
        self.context = context
        self.expander = Expander(game)
        self.watch = MemoryWatch(context.memory)
        self.order: list[Any] = []
        self.explored = 0
        self.allowance = FIRST_ALLOWANCE
        self._number: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._degrees, self._indices = array("i"), array("i")
        self._owner, self._terminal = bytearray(), bytearray()
        self._checked = self._reported = 0
        self._looked = 0.0
        starts = [hashable(game, start, "start", "starts") for start in start_positions(game)]
        self.initial = starts[0] if starts else None
        if game.implements("canonical"):
            starts = [canonical_of(game, start) for start in starts]
        self._assign(starts)

    @property
    def num_edges(self) -> int:
        """The number of moves found so far."""
        return len(self._indices)

    def bytes_per_position(self) -> float:
        """Return an estimate of the bytes that a position takes, without its moves."""
        return estimated_bytes(self._number, self.order, 0) / max(len(self.order), 1)

    def run(self) -> None:
        """Explore until no position is left."""
        advice = Advice(self.context.workers)
        with rare_collections():
            while self.step():
                if len(self.order) - self.explored < MIN_FRONTIER:
                    continue
                workers = advice.workers_now(self)
                if workers > 1:
                    try:
                        with team_of(workers - 1, self.expander) as team:
                            explore_with(self, team)
                    except TransportError as error:
                        if self.context.workers is not None:
                            raise
                        logger.info("exploring goes on in one process: %s", error)
                        advice.workers = 1
        self.context.spent_bytes += self.watch.taken(self._number, self.order, self.num_edges)

    def step(self) -> bool:
        """Explore the next few positions; return whether there were any."""
        size = min(self.expander.batch_size, self.allowance)
        if len(self.order) - self.explored < MAX_SERIAL_LEVEL and self.expander.named is not None:
            return self._step_singly(size)
        batch = self.order[self.explored : self.explored + size]
        if batch:
            self.add_moves(self.expander.expand(batch))
        return bool(batch)

    def _step_singly(self, size: int) -> bool:
        """Explore one position after the other while there are few; return whether there were any."""
        number, order, expander = self._number, self.order, self.expander
        expand, indices, degrees = expander.expand_one, self._indices, self._degrees
        first, found = self.explored, len(order)
        stop = first + size
        limit = self.context.limit or sys.maxsize
        while (
            self.explored < found < self.explored + MAX_SERIAL_LEVEL
            and self.explored < stop
            and found <= limit
        ):
            position = order[self.explored]
            targets, code, player = expand(position)
            try:
                for target in targets:
                    vertex = number[target]
                    indices.append(vertex)
                    if vertex == found:
                        order.append(target)
                        found += 1
            except Exception as error:
                self._raise_for_target((position,), error)
            degrees.append(len(targets))
            if expander.has_terminal:
                self._terminal.append(code)
            if expander.has_player:
                self._owner.append(player)
            self.explored += 1
        self._note_new()
        return self.explored > first

    def add_moves(self, found: Expansion) -> None:
        """Add what the rules gave for the next positions to explore."""
        number = self._number
        try:
            if found.paired:
                numbers = [number[target] for _, target in found.moves]
            else:
                numbers = [number[target] for target in found.moves]
        except Exception as error:
            stop = self.explored + len(found.degrees)
            self._raise_for_target(self.order[self.explored : stop], error)
        self._indices.extend(array("i", numbers))
        self._degrees.extend(found.degrees)
        if found.terminal is not None:
            self._terminal += found.terminal
        if found.owner is not None:
            self._owner += found.owner
        self.explored += len(found.degrees)
        self._note_new()

    def _assign(self, positions: Sequence[Any]) -> None:
        """Assign numbers to new positions."""
        for position in positions:
            self._number[position]
        self._note_new()

    def _note_new(self) -> None:
        """Append new positions to the order; check the limits and report now and then."""
        new = len(self._number) - len(self.order)
        self.order += list(islice(reversed(self._number), new))[::-1]
        limit = self.context.limit
        if limit is not None and len(self.order) > limit:
            raise LimitError(
                f"the game has more than {limit} positions, the limit: {len(self.order)} were found, "
                f"{self.explored} of them explored: expected a higher limit or a smaller game"
            )
        if self.explored - self._checked >= self.allowance:
            self._checked = self.explored
            found = self._number, self.order, self.num_edges
            self.allowance = self.watch.check(*found, self.explored, self._found_text)
        if self.explored - self._reported >= POSITIONS_PER_REPORT:
            self._reported = self.explored
            if time.perf_counter() > self._looked + SECONDS_BETWEEN_LOOKS:
                memory.check_headroom(self._found_text())
                self._looked = time.perf_counter()
            self.context.progress(Progress("finding positions", self.explored, None))

    def _found_text(self) -> str:
        """Return how far the search has come, the beginning of a sentence."""
        return f"{len(self.order)} positions were found, {self.explored} of them explored"

    def _raise_for_target(self, batch: Sequence[Any], error: Exception) -> NoReturn:
        """Raise RulesError for a target that could not be looked up, with the position before it."""
        for source in batch:
            for target in self.expander.expand_checked([source]).moves:
                hashable(self.game, target, source)
                try:
                    self._number[target]
                except Exception as again:
                    raise rules_error(self.game, "moves", (source,), again) from again
        raise rules_error(self.game, "moves", (batch[0],), error) from error

    def space(self) -> NamedGraph:
        """Return the graph of the positions; all must be explored."""
        self._number.default_factory = None
        return NamedGraph(*self._rows(), self.game, self.order, self._number, self.initial)

    def _rows(self) -> tuple[IntArray, IntArray, ByteArray | None, ByteArray | None]:
        """Return the CSR arrays, the owners and the terminal values."""
        indptr = np.zeros(len(self.order) + 1, index_dtype(len(self._indices)))
        if self._degrees:
            np.cumsum(np.frombuffer(self._degrees, np.int32), out=indptr[1:])
        return (
            indptr,
            np.frombuffer(self._indices, np.int32) if self._indices else np.zeros(0, np.int32),
            np.frombuffer(self._owner, np.uint8) if self.expander.has_player else None,
            np.frombuffer(self._terminal, np.uint8) if self.expander.has_terminal else None,
        )


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


def sampled(game: Game, positions: int = SAMPLE_POSITIONS, seconds: float = SAMPLE_SECONDS) -> Sample:
    """Return a first estimate of the size of a game, from exploring its first positions.

    Parameters
    ----------
    game : Game
    positions : int
        The number of positions after which to stop.
    seconds : float
        The time after which to stop.

    Raises
    ------
    RulesError
        For rules that break their contract.
    """
    began = time.perf_counter()
    search = Search(game, Context(workers=1))
    more = True
    while more and search.explored < positions and time.perf_counter() < began + seconds:
        more = search.step()
    explored = max(search.explored, 1)
    moves = search.num_edges / explored
    return Sample(
        len(search.order),
        explored,
        moves,
        search.bytes_per_position() + BYTES_PER_MOVE * moves,
        (time.perf_counter() - began) / explored,
        None if more else search.space(),
    )
