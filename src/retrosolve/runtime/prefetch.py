"""Prefetching: the next items of an iterator are made by another thread while one is used."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, Full, Queue
from typing import Any, TypeVar

T = TypeVar("T")

_END = object()
SECONDS_BETWEEN_LOOKS = 0.05


def prefetched(items: Iterable[T], ahead: int = 1) -> Iterator[T]:
    """Yield the items of an iterable that another thread takes from it.

    Parameters
    ----------
    items : iterable
    ahead : int
        How many items may be waiting; one more is being made.

    Yields
    ------
    object
        In order. An exception of the iterable is raised where its item would be.

    Examples
    --------
    >>> list(prefetched(range(4)))
    [0, 1, 2, 3]
    """
    queue: Queue[tuple[Any, BaseException | None]] = Queue(ahead)
    stopped = threading.Event()

    def put(entry: tuple[Any, BaseException | None]) -> bool:
        while not stopped.is_set():
            try:
                queue.put(entry, timeout=SECONDS_BETWEEN_LOOKS)
            except Full:
                continue
            return True
        return False

    def make() -> None:
        try:
            for item in items:
                if not put((item, None)):
                    return
                del item
        except BaseException as error:  # raised again by the other thread
            put((_END, error))
        else:
            put((_END, None))

    thread = threading.Thread(target=copy_context().run, args=(make,), daemon=True)
    thread.start()
    try:
        while True:
            item, error = queue.get()
            if error is not None:
                raise error
            if item is _END:
                return
            yield item
            del item
    finally:
        stopped.set()
        with suppress(Empty):
            queue.get_nowait()
        thread.join()
