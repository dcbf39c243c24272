"""Reports of compiling, so that the first seconds of a new game are not silent."""

from __future__ import annotations

import functools
from contextvars import ContextVar, Token
from typing import Any

from retrosolve.runtime.progress import Progress, ProgressCallback

STAGE = "compiling"


class CompilingReported:
    """Report each function that numba compiles while a ``with`` block runs.

    Parameters
    ----------
    progress : callable
        Called with the stage "compiling" and the number of functions compiled, perhaps by another
        thread. Kernels that are loaded from the cache on disk do not count.
    """

    __slots__ = ("_count", "_progress", "_token")

    def __init__(self, progress: ProgressCallback) -> None:
        self._progress = progress
        self._count = 0

    def __enter__(self) -> None:
        self._token: Token[CompilingReported | None] = _current.set(self)

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)

    def started(self) -> None:
        """Report that a function is about to be compiled."""
        self._progress(Progress(STAGE, self._count, None))

    def ended(self) -> None:
        """Report that one more function is compiled."""
        self._count += 1
        self._progress(Progress(STAGE, self._count, None))


_current: ContextVar[CompilingReported | None] = ContextVar("compiling", default=None)


@functools.cache
def listen() -> None:
    """Listen to what numba compiles, from the first call on."""
    from numba.core import event as numba_events

    events: Any = numba_events  # without types

    class Listener(events.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            if (watch := _current.get()) is not None:
                watch.started()

        def on_end(self, event: Any) -> None:
            if (watch := _current.get()) is not None:
                watch.ended()

    events.register("numba:compile", Listener())
