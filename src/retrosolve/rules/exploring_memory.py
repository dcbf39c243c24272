"""The memory that positions take while they are found: measured, and held to the budget."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from retrosolve.errors import MemoryBudgetError
from retrosolve.runtime import memory

SHARE_OF_FREE = 0.75  # what exploring may take without a budget; solving takes less than the rest
BYTES_PER_ENTRY = 30  # of a dict: 24 for each entry and an index of 4, two thirds of it in use
GROWN = 1.4  # what a dict that grows takes besides its old self, before that is freed
BYTES_PER_POSITION = 32 + 8 + 4 + 2  # the number, its place in the order, degree, owner and value
BYTES_PER_MOVE = 4
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

        Raises
        ------
        MemoryBudgetError
            If exploring is about to exceed the budget.
        """
        taken = self.taken(number, order, edges)
        needed = taken + _copy_bytes(number)
        if needed <= self.budget:
            each = max(needed, estimated_bytes(number, order, edges)) / max(explored, 1)
            room = max(SHARE_BETWEEN_CHECKS * self.budget, (self.budget - needed) / 4)
            steps = min(MAX_BETWEEN_CHECKS, int(room / each))
            if taken + GROWN * sys.getsizeof(number) > self.budget:  # not past the next copy, then
                steps = min(steps, int(_places_left(number) * explored / len(order) / 2))
            return max(1, steps)
        owner = "the budget" if self.given else f"{SHARE_OF_FREE:.0%} of the free memory"
        raise MemoryBudgetError(
            f"{found()}, and going on needs {memory.format_bytes(needed)}; {owner} is "
            f"{memory.format_bytes(self.budget)}: expected a larger budget, or a smaller game that ends"
        )


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
