"""The memory that positions take while they are found: measured, and held to the budget."""

from __future__ import annotations

import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from retrosolve.errors import MemoryBudgetError
from retrosolve.runtime import memory

SHARE_OF_FREE = 0.75  # what exploring may take without a budget; solving takes less than the rest
BYTES_PER_ENTRY = 30  # of a dict: 24 for each entry and an index of 4, two thirds of it in use
GROWN = 1.4  # what a dict that grows takes besides its old self, before that is freed
BYTES_PER_POSITION = 32 + 8 + 4 + 2  # the number, its place in the order, degree, owner and value
BYTES_PER_MOVE = 4
BYTES_TO_SOLVE = 8 + 6  # of a position: the start of its row, and what the leanest solver takes
DECIDED_AT = 0.45  # of the budget: where a game that seems too large is refused
SAMPLE = 32
SHARE_BETWEEN_CHECKS = 0.02  # of the budget, at least
MAX_BETWEEN_CHECKS = 1 << 14
SECONDS_BETWEEN_LOOKS = 0.2


class MemoryWatch:
    """Watches how much memory this process has taken since the watch began.

    Parameters
    ----------
    budget : int or None
        The most bytes that exploring may take; None for a share of the free memory.
    """

    def __init__(self, budget: int | None) -> None:
        self.budget = budget or int(memory.available() * SHARE_OF_FREE)
        self.given = budget is not None
        self.processes: Sequence[int] = ()
        self._growth = Growth()
        self._undecided = self.given
        self._before = memory.resident()
        self._looked, self._others = 0.0, 0

    def taken(self, number: dict[Any, int], order: Sequence[Any], edges: int) -> int:
        """Return the bytes taken: measured, or estimated where the system does not say."""
        if not self._before:
            return estimated_bytes(number, order, edges)
        return max(0, memory.resident() - self._before) + self._taken_by_others()

    def _taken_by_others(self) -> int:
        """Return the bytes that other processes take for this one; they are looked at now and then."""
        if self.processes and time.perf_counter() > self._looked + SECONDS_BETWEEN_LOOKS:
            self._others = sum(map(memory.private, self.processes))
            self._looked = time.perf_counter()
        return self._others if self.processes else 0

    def check(
        self,
        number: dict[Any, int],
        order: Sequence[Any],
        edges: int,
        explored: int,
        found: Callable[[], str],
        limit: int | None = None,
    ) -> int:
        """Return how many positions may be explored until the next check.

        Parameters
        ----------
        number : dict
            The number of each position; when it is full, it is copied to twice its size.
        order : sequence of hashable
            The positions.
        edges : int
            The number of moves found.
        explored : int
            How many of the positions are explored.
        found : callable
            Returns a text that says how many positions were found.
        limit : int, optional
            The most positions that there may be.

        Raises
        ------
        MemoryBudgetError
            If exploring is about to exceed the budget, or has taken nearly half of it and the positions
            known so far lead to more than will fit.
        """
        taken = self.taken(number, order, edges)
        needed = taken + _copy_bytes(number)
        self._growth.add(explored, len(order))
        next_stop = float(self.budget)
        if self._undecided:
            next_stop *= DECIDED_AT
            if needed > next_stop:
                self._undecided = False
                positions = min(self._growth.expected(), limit or sys.maxsize)
                self._decide(positions, needed, taken, number, edges / max(explored, 1), found)
        if needed <= self.budget:
            each = max(needed, estimated_bytes(number, order, edges)) / max(explored, 1)
            room = max(SHARE_BETWEEN_CHECKS * self.budget, (next_stop - needed) / 4)
            steps = min(MAX_BETWEEN_CHECKS, int(room / each))
            if taken + GROWN * sys.getsizeof(number) > self.budget:  # not past the next copy, then
                steps = min(steps, int(_places_left(number) * explored / len(order) / 2))
            return max(1, steps)
        owner = "the budget" if self.given else f"{SHARE_OF_FREE:.0%} of the free memory"
        raise MemoryBudgetError(
            f"{found()}, and going on needs {memory.format_bytes(needed)}; {owner} is "
            f"{memory.format_bytes(self.budget)}: expected a larger budget, or a smaller game that ends"
        )

    def _decide(
        self,
        positions: float,
        needed: int,
        taken: int,
        number: dict[Any, int],
        moves: float,
        found: Callable[[], str],
    ) -> None:
        """Raise MemoryBudgetError if so many positions, with so many moves each, do not fit."""
        known = len(number)
        each = max(0.0, (taken - sys.getsizeof(number)) / known) + BYTES_PER_ENTRY
        total = positions * (each + BYTES_TO_SOLVE + BYTES_PER_MOVE * moves)
        full = sys.getsizeof(number) / BYTES_PER_ENTRY
        while full < positions:  # each time that the dict grows
            total = max(total, full * (each + GROWN * BYTES_PER_ENTRY))
            full *= 2
        if total > self.budget:
            takes, in_all = map(memory.format_bytes, (needed, int(total)))
            raise MemoryBudgetError(
                f"{found()}, which takes {takes}, and at the present rate the others lead to at least "
                f"{positions:.2g}, which take {in_all}; the budget is "
                f"{memory.format_bytes(self.budget)}: expected a larger budget, a smaller game, or as "
                "limit= the number of its positions if fewer are known to be enough"
            )


class Growth:
    """How the number of positions found has grown with the number explored."""

    def __init__(self) -> None:
        self._explored: list[int] = []
        self._found: list[int] = []

    def add(self, explored: int, found: int) -> None:
        """Add how far the search has come."""
        self._explored.append(explored)
        self._found.append(found)

    def expected(self) -> float:
        """Return a cautious estimate of the number of positions, from those that are to be explored.

        Each of them leads to as many new ones as the last quarter of those explored. If that rate
        falls, they lead to no more than a steady fall; else the frontier grows once more as much.
        """
        explored, found = self._explored[-1], self._found[-1]
        half, quarter = (bisect_left(self._explored, explored * share) for share in (0.5, 0.75))
        expected = float(found)
        if self._explored[half] < self._explored[quarter] < explored:
            latest = self._rate(quarter, -1)
            fall = self._rate(half, quarter) - latest
            new = (found - explored) * latest
            if fall > 0:
                new = min(new, latest / fall * (found - self._found[half]) / 2)
            else:
                new *= max(1.0, latest)
            expected += new
        return expected

    def _rate(self, first: int, last: int) -> float:
        """Return the number of positions found for each explored between two times."""
        explored = self._explored[last] - self._explored[first]
        return (self._found[last] - self._found[first]) / explored


def estimated_bytes(number: dict[Any, int], order: Sequence[Any], edges: int) -> int:
    """Return an estimate of the bytes that positions and moves take, from a sample of the positions."""
    each = len(order) // SAMPLE + 1
    sample = order[::each]
    mean = sum(map(_size, sample)) / max(len(sample), 1) + BYTES_PER_POSITION
    return int(mean * len(order)) + sys.getsizeof(number) + BYTES_PER_MOVE * edges


def _size(position: Any) -> int:
    """Return the bytes of a position, of what is in a tuple or a set, and of its attributes."""
    size = sys.getsizeof(position)
    if isinstance(position, tuple | frozenset):
        return size + sum(_size(item) for item in position if type(item) in (tuple, frozenset, bytes))
    attributes = getattr(position, "__dict__", None)
    return size + (sys.getsizeof(attributes) if attributes else 0)


def _places_left(number: dict[Any, int]) -> int:
    """Return how many positions are added before a dict is copied, about."""
    return int(sys.getsizeof(number) / BYTES_PER_ENTRY) - len(number)


def _copy_bytes(number: dict[Any, int]) -> int:
    """Return the bytes for which a dict will ask soon, 0 while it has room."""
    nearly_full = _places_left(number) < 0.02 * len(number)
    return int(GROWN * sys.getsizeof(number)) if nearly_full else 0
