"""Context: what every long computation is given besides its input, and the progress that it reports.

The library prints nothing itself.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple, Protocol

from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, is_whole
from retrosolve.errors import GraphError, LimitError
from retrosolve.runtime.threads import ThreadPool


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


Facts = Mapping[str, int | str]


class Snapshot(Protocol):
    """The state of a computation as it was saved."""

    facts: Facts

    @property
    def names(self) -> set[str]:
        """The names of the arrays."""

    def array(self, name: str) -> NDArray[Any]:
        """Return an array of the state, compared with its checksum."""

    def read(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Read arrays of the state into others of the same names, shapes and dtypes."""


class Coding(Protocol):
    """What the words of an objective other than outcomes are, for tiers on disk."""

    def canonical(self, words: IntArray) -> IntArray:
        """Return words as the solver has them, or canonical ones, as canonical words, uint64."""

    def dictionary(self, words: IntArray) -> Any:
        """Return the :class:`retrosolve.tables.coded.Dictionary` of canonical words."""


class Tiers(Protocol):
    """The finished tiers of a game, on disk. Tiers are finished in order.

    Attributes
    ----------
    coding : Coding or None
        What words are; None for packed words of outcomes.
    """

    coding: Coding | None

    @property
    def num_finished(self) -> int:
        """The number of finished tiers."""

    @property
    def num_written(self) -> int:
        """The number of tiers that are on disk."""

    @property
    def is_held(self) -> bool:
        """Whether finished tiers stay in memory, see :meth:`hold`."""

    @property
    def num_edges(self) -> int:
        """The number of edges out of finished tiers."""

    @property
    def highest(self) -> int:
        """The largest remoteness in finished tiers."""

    def write(
        self, tier: int, read: Callable[[int, int], IntArray], num_edges: int, highest: int,
        pool: ThreadPool,
    ) -> None:  # fmt: skip
        """Write the next tier, with the edges and the largest remoteness so far.

        ``read(start, stop)`` returns packed words of the tier to the threads of the pool.
        """

    def hold(
        self, words: Callable[[int, int], IntArray],
        marks: Callable[[int], Iterable[ByteArray]] | None,
    ) -> None:  # fmt: skip
        """Let finished tiers wait in memory, where they stay, until they have to be written.

        ``words(start, stop)`` returns packed words of the game, counted from its beginning, and
        ``marks(tier)`` what :meth:`write_marks` takes, of a tier that is not finished.
        """

    def write_in_parts(
        self, tier: int, words: IntArray, fill: Callable[[Any], None], num_edges: int, highest: int
    ) -> None:
        """Write the next tier, whose codes others write into its files, part by part.

        ``words`` are the different words that occur; ``fill(plan)`` returns when all parts of the
        :class:`retrosolve.store.resume.TierPlan` are written.
        """

    def read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return packed words ``start..stop-1`` of a finished tier, counted from its beginning."""

    def flush(self) -> None:
        """Write the tiers that wait in memory to be written together."""

    def write_marks(self, tier: int, parts: Iterable[ByteArray]) -> None:
        """Write which indices of a tier are positions, a bit for each, a part at a time."""

    def read_marks(self, tier: int) -> ByteArray | None:
        """Return which indices of a tier are positions; None if that is not known."""

    def has_marks(self, num_tiers: int) -> bool:
        """Return whether it is known of all tiers which indices are positions."""

    def codes(self) -> Sequence[Any]:
        """Return the codes of finished tiers, read on demand."""

    def dictionary(self) -> Any:
        """Return the :class:`retrosolve.tables.coded.Dictionary` of these codes."""


class Checkpoint:
    """Where a computation keeps its state: this one keeps nothing.

    Attributes
    ----------
    tiers : Tiers or None
        Where finished tiers are kept, if they are kept outside memory.
    place : str or None
        A folder for what a computation keeps besides, if there is one.
    """

    tiers: Tiers | None = None
    place: str | None = None

    def due(self) -> bool:
        """Return whether the state should be saved as soon as it is consistent."""
        return False

    def save(self, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Save the state, in place of the one saved before.

        Parameters
        ----------
        facts : mapping of str to int or str
            ``stage`` names the step that can go on from here.
        arrays : mapping of str to array
            Written as they are, without a copy in memory.
        """

    def resumed(self, stage: str) -> Snapshot | None:
        """Return the state from which this step goes on; None if it begins anew."""
        return None


SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Work that was interrupted with its state saved; the message says how to go on."""


class Interruption:
    """Whether the work has been asked to end."""

    def __init__(self) -> None:
        self.requested = False


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Note the first Ctrl-C or SIGTERM during the block instead of being ended by it.

    A second one has its usual effect. Only the main thread receives signals; in another thread this
    does nothing.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in SIGNALS}

    def request(number: int, frame: FrameType | None) -> None:
        interruption.requested = True
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in SIGNALS:
            if before[number] not in (signal.SIG_IGN, None):
                signal.signal(number, request)
        yield interruption
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)


NO_CHECKPOINT = Checkpoint()


@dataclass(frozen=True)
class ClusterOptions:
    """Where and how a distributed solve runs.

    Parameters
    ----------
    address : str, optional
        Of the Ray cluster: "auto", "local" or ``ray://host:port``; None for the one that is connected
        already, or a new one of this machine.
    partitions : int, optional
        In how many parts vertices are owned, at most one for each processor of the cluster; None for
        one for each of this machine. Answers do not depend on it.
    snapshots : str, optional
        Where partitions write snapshots, a path or an address that fsspec knows and every machine
        reaches; None for beside the directory that is solved into.
    open_group : callable, optional
        Returns a new group of at most so many workers; None for those of a Ray cluster.
    """

    address: str | None = None
    partitions: int | None = None
    snapshots: str | None = None
    open_group: Callable[[int], Any] | None = None


def whole_number(name: str, number: Any, least: int = 1, otherwise: str = "") -> int:
    """Return an argument as an int. Raises GraphError unless it is whole, and ``least`` or more.

    >>> import numpy as np
    >>> whole_number("depth", np.int64(3))
    3
    """
    if not is_whole(number) or number < least:
        expected = " above 0" if least == 1 else f", {least} or more"
        raise GraphError(f"{name}={number!r}: expected a whole number{expected}{otherwise}")
    return int(number)


def whole_numbers(**numbers: int | None) -> list[int | None]:
    """Return arguments as ints above 0, and None for None. Raises GraphError for any other."""
    return [
        None if number is None else whole_number(name, number, 1, ", or None")
        for name, number in numbers.items()
    ]


@dataclass(slots=True)  # not frozen: that takes longer to make than a tiny graph to solve
class Context:
    """How a computation may use the machine, and whom it reports to.

    Parameters
    ----------
    threads : int, optional
        The most threads to use; None for as many as there are processors. Answers do not depend on it.
    memory : int, optional
        A budget in bytes for what the computation adds to its input; None for what the machine has.
    progress : callable, optional
        Called with a :class:`~retrosolve.Progress` now and then.
    timer : StageTimer, optional
        Collects the seconds that each stage takes.
    limit : int, optional
        The most positions that may be found; None for as many as fit in memory.
    workers : int, optional
        The number of processes that explore plain rules, this one included; None for one, or as many
        as there are processors where the rules are slow. Answers do not depend on it.
    spent_bytes : int
        The bytes of the budget that are taken already, by the positions found.
    checkpoint : Checkpoint, optional
        Where the state is kept, to go on from; by default nowhere.
    cluster : ClusterOptions, optional
        How a distributed solve runs.
    part : tuple of two ints, optional
        Which part of how many equal ones a proof is asked for; None for all.
    sample : int, optional
        About how many vertices a proof is asked for; None for all.
    """

    threads: int | None = None
    memory: int | None = None
    progress: ProgressCallback = no_progress
    timer: StageTimer = field(default_factory=StageTimer)
    limit: int | None = None
    workers: int | None = None
    spent_bytes: int = 0
    checkpoint: Checkpoint = NO_CHECKPOINT
    cluster: ClusterOptions | None = None
    part: tuple[int, int] | None = None
    sample: int | None = None

    def span(self, num_vertices: int) -> tuple[int, int]:
        """Return the first vertex of the part, and the one after the last.

        >>> Context(part=(2, 5)).span(100), Context().span(100)
        ((20, 40), (0, 100))
        """
        number, parts = self.part or (1, 1)
        return num_vertices * (number - 1) // parts, num_vertices * number // parts

    @property
    def memory_left(self) -> int | None:
        """The rest of the memory budget, at least one byte; None without a budget."""
        return None if self.memory is None else max(1, self.memory - self.spent_bytes)
