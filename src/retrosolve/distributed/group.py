"""A group: workers that are called all at once, and publish something for all of them to read.

``distributed.ray_group`` has them in processes of a Ray cluster. What workers compute does not depend
on where they are.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from retrosolve.errors import ClusterError
from retrosolve.spaces.tier_window import Span

MAX_FRUITLESS = 5  # groups that lose a worker without having come further than those before

T = TypeVar("T")

logger = logging.getLogger(__name__)


class WorkerLost(Exception):  # noqa: N818  # no fault of anybody: the work goes on elsewhere
    """A worker has died, or what it has published is lost."""


class WorkerGroup(Protocol):
    """Some workers.

    Attributes
    ----------
    size : int
        The number of workers.
    nodes : sequence of str
        The machine that each worker is on.
    """

    size: int
    nodes: Sequence[str]

    def start(self, make: Callable[..., Any], *args: Any) -> None:
        """Make the workers anew: ``make(*args)`` on each."""

    def call(self, method: str, *args: Any, each: Sequence[Any] | None = None) -> list[Any]:
        """Call a method of all workers; return what it returns.

        ``each``, if given, holds one more argument for each worker.
        """

    def exchange(self, method: str, *args: Any) -> list[Any]:
        """Call a method that publishes; return what each worker reports.

        The method is called with ``args`` and, for each worker, what that has published last. It
        returns a report and what it publishes.
        """

    def handle(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker; return a handle of its result, to be an argument of others."""

    def get(self, handle: Any) -> Any:
        """Return the object of a handle."""

    def call_one(self, worker: int, method: str, *args: Any) -> Any:
        """Call a method of one worker; return what it returns."""

    def close(self) -> None:
        """Let the workers go."""

    def kill(self) -> None:
        """End the workers, whatever they do."""


OpenGroup = Callable[[int], WorkerGroup]


def work_through(
    open_group: OpenGroup,
    size: int,
    work: Callable[[WorkerGroup], T],
    reached: Callable[[], tuple[int, ...]],
    when: str,
) -> T:
    """Return what some work with a group returns; it goes on with a new group if a worker is lost.

    Parameters
    ----------
    open_group : callable
        Returns a group of at most so many workers.
    size : int
    work : callable
        Goes on from where it was interrupted.
    reached : callable
        Returns how far the work has come.
    when : str
        For the error.

    Raises
    ------
    ClusterError
        If workers are lost again and again without any progress.
    """
    fruitless, furthest = 0, reached()
    while True:
        group = None
        try:
            group = open_group(size)
            result = work(group)
            group.close()
            return result
        except WorkerLost as lost:
            if group is not None:
                group.kill()
            now = reached()
            logger.info("a worker was lost: going on from %s", now)
            fruitless, furthest = 0 if now > furthest else fruitless + 1, now
            if fruitless >= MAX_FRUITLESS:
                why = str(lost).partition("\n")[0]
                raise ClusterError(
                    f"workers were lost {fruitless} times {when}, the last one because of {why}: "
                    "expected a cluster with more memory or better nodes"
                ) from None
        except BaseException:
            if group is not None:
                group.kill()
            raise


def owned(below: int, above: int, partitions: int) -> list[Span]:
    """Return the range of each partition of ``below..above-1``; sizes differ by at most one.

    >>> owned(10, 17, 3)
    [(10, 12), (12, 14), (14, 17)]
    """
    size = above - below
    cuts = [below + size * p // partitions for p in range(partitions + 1)]
    return list(pairwise(cuts))
