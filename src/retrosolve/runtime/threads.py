"""Threads: the same kernel over the chunks of a range. Kernels release the interpreter lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from itertools import pairwise
from typing import TypeVar

from retrosolve.runtime import tuning

S = TypeVar("S")
T = TypeVar("T")

MOST_AHEAD = 6  # results of ``ahead`` that nobody has taken

_limit: ContextVar[int | None] = ContextVar("threads", default=None)


@contextmanager
def limited(threads: int | None) -> Iterator[None]:
    """Let no pool in a block have more threads, wherever it is made; None changes nothing.

    >>> with limited(1):
    ...     ThreadPool(None, work=10**9).threads
    1
    """
    token = _limit.set(threads or _limit.get())
    try:
        yield
    finally:
        _limit.reset(token)


def cpu_count() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def busy_factor() -> float:
    """Return how many times as long a solve takes now, beside other programs: 1 or more."""
    try:
        load = os.getloadavg()[0]
    except (AttributeError, OSError):  # the system does not say
        return 1.0
    return 1 + load / cpu_count()


class ThreadPool:
    """Some threads, and how they share a range.

    Parameters
    ----------
    threads : int or None
        The most threads; None stands for what :func:`limited` says, or the number of processors.
    work : int
        Vertices and edges to visit; fewer threads are used if there is little.

    Examples
    --------
    >>> with ThreadPool(2, work=10**9) as pool:
    ...     pool.chunks(10, 4), pool.map_ranges(lambda start, stop: stop - start, [0, 5, 10])
    ([0, 2, 5, 7, 10], [5, 5])
    """

    def __init__(self, threads: int | None, work: int) -> None:
        most = threads or _limit.get() or cpu_count()
        self.threads = min(most, 1 + work // tuning.current().min_work_per_thread)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def __enter__(self) -> ThreadPool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def chunks(self, length: int, count: int | None = None, start: int = 0) -> list[int]:
        """Cut a range into equal chunks.

        Parameters
        ----------
        length : int
            The range is ``start..start+length-1``.
        count : int, optional
            The number of chunks; several for each thread if it is left out and the range is long.

        Returns
        -------
        list of int
            Where each chunk starts, and where the last one ends.
        """
        if count is None:
            tuned = tuning.current()
            count = min(self.threads * tuned.chunks_per_thread, 1 + length // tuned.min_chunk)
        return [start + length * i // count for i in range(count + 1)]

    def map_ranges(
        self,
        work: Callable[[int, int], T],
        cuts: Sequence[int],
        report: Callable[[int], None] | None = None,
    ) -> list[T]:
        """Call a function for each chunk, in any order.

        Parameters
        ----------
        work : callable
            Called with ``start, stop`` of a chunk.
        cuts : sequence of int
            Where each chunk starts, and the end of the last one.
        report : callable, optional
            Called now and then with how much of the range is done, counted from ``cuts[0]``, if chunks
            are equal; at last with all of it.

        Returns
        -------
        list
            What each call returned, in the order of the chunks.
        """
        spans = list(pairwise(cuts))
        length = cuts[-1] - cuts[0]
        finished = None if report is None else lambda done: report(length * done // len(spans))
        return self.map(lambda i: work(*spans[i]), len(spans), finished)

    def map(
        self, work: Callable[[int], T], count: int, finished: Callable[[int], None] | None = None
    ) -> list[T]:
        """Call ``work(i)`` for each i below ``count``, in any order; return the results in order.

        The calling thread does its share: to wake one costs as much as a short piece of work. The
        others work in a copy of its context, so that ``tuning.using`` holds there too. After each call
        of its own, and at the end, the calling thread calls ``finished`` with the number of all calls
        so far.
        """
        helped = self._pool is not None and count > 1
        if finished is None and not helped:
            return [work(i) for i in range(count)]
        left = deque(range(count))
        done: dict[int, T] = {}

        def take(finished: Callable[[int], None] | None = None) -> None:
            """Do what is left, one call after the other, until nothing is."""
            while left:
                try:
                    i = left.popleft()
                except IndexError:  # another was faster
                    return
                done[i] = work(i)
                if finished is not None:
                    finished(len(done))

        helpers = (
            [self._pool.submit(copy_context().run, take) for _ in range(min(self.threads, count) - 1)]
            if self._pool is not None
            else []
        )
        try:
            take(finished)
            for helper in helpers:
                helper.result()
            if finished is not None:
                finished(count)
        except BaseException:
            left.clear()
            wait(helpers)
            raise
        return [done[i] for i in range(count)]

    def ahead(
        self, function: Callable[[S], T], items: Iterable[S], most: int = MOST_AHEAD
    ) -> Iterator[T]:
        """Yield what a function returns for each item, in order, computed a few items ahead.

        As many threads as the pool has call it, in any order, while the calling one uses the results.
        At most ``most`` results wait for that.

        Examples
        --------
        >>> with ThreadPool(2, work=10**9) as pool:
        ...     list(pool.ahead(abs, [-1, -2]))
        [1, 2]
        """
        return map(function, items) if self._pool is None else self._computed(function, items, most)

    def _computed(self, function: Callable[[S], T], items: Iterable[S], most: int) -> Iterator[T]:
        assert self._pool is not None
        calls: deque[Future[T]] = deque()
        try:
            for item in items:
                calls.append(self._pool.submit(copy_context().run, function, item))
                if len(calls) >= min(2 * self.threads, most):
                    yield calls.popleft().result()
            while calls:
                yield calls.popleft().result()
        finally:
            for call in calls:
                call.cancel()
            wait(calls)


ALONE = ThreadPool(1, 0)  # only the calling thread: it may be used at any time, and is never closed
