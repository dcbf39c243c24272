"""Threads: the same kernel over the parts of a range. Kernels release the interpreter lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from itertools import pairwise
from typing import TypeVar

from retrosolve.runtime import tuning

T = TypeVar("T")


def cpu_count() -> int:
    """Give the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class ThreadPool:
    """Some threads, and how they share a range.

    At most ``threads`` of them, or as many as there are processors; fewer if there is little work.

    >>> with ThreadPool(2, work=10**9) as crew:
    ...     crew.parts(10, 4), crew.map(lambda first, last: last - first, [0, 5, 10])
    ([0, 2, 5, 7, 10], [5, 5])
    """

    def __init__(self, threads: int | None, work: int) -> None:
        self.threads = min(threads or cpu_count(), 1 + work // tuning.current().min_work_per_thread)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def __enter__(self) -> ThreadPool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def parts(self, length: int, count: int | None = None) -> list[int]:
        """Cut ``0..length`` into equal parts, several a thread if no count is given and it is long."""
        if count is None:
            tuned = tuning.current()
            count = min(self.threads * tuned.chunks_per_thread, 1 + length // tuned.min_chunk)
        return [length * i // count for i in range(count + 1)]

    def map(self, work: Callable[[int, int], T], cuts: Sequence[int]) -> list[T]:
        """Call ``work(first, last)`` for each part, in any order; give the results in order."""
        spans = list(pairwise(cuts))
        return self.each(lambda i: work(*spans[i]), len(spans))

    def each(self, work: Callable[[int], T], count: int) -> list[T]:
        """Call ``work(i)`` for each i below ``count``, in any order; give the results in order.

        The thread that calls does its share: to wake one costs as much as a short piece of work.
        """
        if self._pool is None or count < 2:
            return [work(i) for i in range(count)]
        left = deque(range(count))
        done: dict[int, T] = {}

        def take() -> None:
            while left:
                try:
                    i = left.popleft()
                except IndexError:  # another was faster
                    return
                done[i] = work(i)

        helpers = [
            self._pool.submit(copy_context().run, take) for _ in range(min(self.threads, count) - 1)
        ]
        try:
            take()
            for helper in helpers:
                helper.result()
        except BaseException:
            left.clear()
            wait(helpers)
            raise
        return [done[i] for i in range(count)]
