"""Progress: what long work says while it runs. The library prints nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import NamedTuple

from retrosolve.errors import GraphError, LimitError


class Progress(NamedTuple):
    """One report: the stage's name, how much is done, and how much there is, where that is known.

    What is counted depends on the stage: positions found, vertices decided, vertices proven.

    Parameters
    ----------
    stage : str
        The name of the stage.
    done : int
        How much is done.
    total : int or None
        How much there is; None where that is not known.

    Examples
    --------
    >>> Progress("solving", 50, 200).done
    50
    """

    stage: str
    done: int
    total: int | None


ProgressCallback = Callable[[Progress], None]


def no_progress(progress: Progress) -> None:
    """Report to nobody."""


def check_progress(progress: object) -> None:
    """Raise GraphError unless an argument ``progress`` is a function or None."""
    if progress is not None and not callable(progress):
        raise GraphError(f"progress={progress!r}: expected a function that takes a Progress, or None")


def with_deadline(progress: ProgressCallback, timeout: float | None) -> ProgressCallback:
    """Return a function that reports progress, and raises LimitError once ``timeout`` seconds are over.

    Raises
    ------
    GraphError
        For a timeout that is no positive number.

    Examples
    --------
    >>> report = with_deadline(no_progress, 1e-9)
    >>> report(Progress("solving", 1, 2))
    Traceback (most recent call last):
    retrosolve.errors.LimitError: timeout=1e-09 s is over, in the stage solving: expected more time
    """
    if timeout is None:
        return progress
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise GraphError(f"timeout={timeout!r}: expected a number of seconds above 0, or None")
    end = time.monotonic() + timeout

    def report(done: Progress) -> None:
        if time.monotonic() > end:
            raise LimitError(
                f"timeout={timeout:g} s is over, in the stage {done.stage}: expected more time"
            )
        progress(done)

    return report


def counted(progress: ProgressCallback, stage: str, before: int, total: int) -> Callable[[int], None]:
    """Return a function of how much is done that reports it, with ``before`` done earlier.

    >>> report = counted(print, "solving", 100, 300)
    >>> report(50)
    Progress(stage='solving', done=150, total=300)
    """
    return lambda done: progress(Progress(stage, before + done, total))


class StageTimer:
    """How long each stage takes, over all its turns, in ``seconds``.

    >>> clock = StageTimer()
    >>> clock.stage("looking")
    >>> list(clock.seconds)
    ['looking']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._began = time.perf_counter()

    def stage(self, name: str) -> None:
        """End a turn of a stage: what has passed since the last one ended was spent on it."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._began
        self._began = now


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
        self._token: Token[CompilingReported | None] = compiling.set(self)

    def __exit__(self, *_: object) -> None:
        compiling.reset(self._token)

    def started(self) -> None:
        """Report that a function is about to be compiled."""
        self._progress(Progress("compiling", self._count, None))

    def ended(self) -> None:
        """Report that one more function is compiled."""
        self._count += 1
        self._progress(Progress("compiling", self._count, None))


compiling: ContextVar[CompilingReported | None] = ContextVar("compiling", default=None)
"""Who hears of what is compiled here, so that the first seconds of a new game are not silent."""
