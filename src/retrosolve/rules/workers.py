"""Workers: processes that call an author's rules for chunks of positions, or threads without a GIL."""

from __future__ import annotations

import gc
import marshal
import pickle
import signal
import sys
import threading
import warnings
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from retrosolve.errors import RulesError
from retrosolve.rules.expanding import Expander, Expansion
from retrosolve.runtime.sources import PREFIX, load_module

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from retrosolve.rules.game import Game

SECONDS_TO_END = 1.0
ALLOCATIONS_PER_COLLECTION = 100_000  # a chunk has some ten thousand targets, none of them a cycle
MARSHALLED = b"M"  # pickles begin with another byte
PACKAGE = __name__.partition(".")[0]


Answer = Sequence[Expansion | bytes] | str
"""What a worker returns for a chunk: expansions, encoded by processes; or the text of an exception."""


class Team(Protocol):
    """Workers that expand chunks of positions, one chunk each at a time."""

    size: int

    @property
    def idle(self) -> int:
        """The number of workers without a chunk."""

    @property
    def processes(self) -> Sequence[int]:
        """The ids of the processes, for the memory that they take."""

    def submit(self, key: int, chunk: Sequence[Any]) -> None:
        """Have an idle worker expand a chunk."""

    def collect(self, timeout: float | None) -> dict[int, Answer]:
        """Return the answers, by key, that come within some seconds; of at least one chunk for None."""

    def close(self, finished: bool) -> None:
        """End the workers, at once unless they have ``finished``."""


@contextmanager
def team_of(size: int, expander: Expander) -> Iterator[Team]:
    """Start workers that call the rules of an expander, and end them.

    Raises RulesError if they cannot be started.
    """
    team: Team = ThreadTeam(size, expander) if has_free_threads() else ProcessTeam(size, expander)
    finished = False
    try:
        yield team
        finished = True
    finally:
        team.close(finished)


def expand_chunk(expander: Expander, chunk: Sequence[Any]) -> Answer:
    """Return the answer of a worker for a chunk of positions."""
    answer: list[Expansion] = []
    done = 0
    try:
        while done < len(chunk):
            found = expander.expand(chunk[done : done + expander.batch_size])
            answer.append(found._replace(moves=found.targets(), paired=False))
            done += len(found.degrees)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return answer


def encoded(item: Any) -> bytes:
    """Return positions or an expansion as bytes: marshal takes plain objects only, in half the time."""
    if isinstance(item, Expansion):
        item = item.degrees.tobytes(), *item[1:]
    try:
        return MARSHALLED + marshal.dumps(item)
    except ValueError:
        return pickle.dumps(item, pickle.HIGHEST_PROTOCOL)


def decoded(data: bytes) -> Any:
    """Return positions or an expansion from their bytes."""
    plain = data[:1] == MARSHALLED
    item = marshal.loads(memoryview(data)[1:]) if plain else pickle.loads(data)
    return Expansion(array("i", item[0]), *item[1:]) if isinstance(item, tuple) else item


def has_free_threads() -> bool:
    """Return whether threads run Python code at the same time."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


def start_method() -> str:
    """Return how processes are started: by "fork" where that is safe, else by "spawn".

    A forked process inherits rules of any kind, but no threads, and locks as other threads hold them.
    """
    import multiprocessing

    forks = "fork" in multiprocessing.get_all_start_methods() and sys.platform == "linux"
    return "fork" if forks and threading.active_count() == 1 else "spawn"


def starts_unasked(game: Game) -> bool:
    """Return whether workers may be started though nobody asked for them.

    A spawned process runs the main program again as far as it is not guarded, so that is left to those
    who ask.
    """
    import multiprocessing

    if multiprocessing.current_process().daemon:
        return False
    if has_free_threads() or start_method() == "fork":
        return True
    main = sys.modules["__main__"]
    name = getattr(main.__spec__, "name", None) or Path(getattr(main, "__file__", "")).stem
    return name.partition(".")[0] == PACKAGE and type(game).__module__ != "__main__"


class ThreadTeam:
    """Threads of this process."""

    processes: Sequence[int] = ()

    def __init__(self, size: int, expander: Expander) -> None:
        self.size = size
        self._expanders = [expander.copy() for _ in range(size)]
        self._pool = ThreadPoolExecutor(size)
        self._working: dict[Future[Answer], tuple[int, Expander]] = {}

    @property
    def idle(self) -> int:
        """The number of threads without a chunk."""
        return len(self._expanders)

    def submit(self, key: int, chunk: Sequence[Any]) -> None:
        """Have an idle thread expand a chunk."""
        expander = self._expanders.pop()
        self._working[self._pool.submit(expand_chunk, expander, chunk)] = key, expander

    def collect(self, timeout: float | None) -> dict[int, Answer]:
        """Return the answers that come within some seconds; of at least one chunk for None."""
        found: dict[int, Answer] = {}
        for future in wait(self._working, timeout, return_when=FIRST_COMPLETED).done:
            key, expander = self._working.pop(future)
            self._expanders.append(expander)
            found[key] = future.result()
        return found

    def close(self, finished: bool) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)


class _Worker:
    """A process and the connection to it."""

    def __init__(self, expander: Expander, method: str, others: Sequence[_Worker]) -> None:
        import multiprocessing

        context: Any = multiprocessing.get_context(method)
        self.connection, there = context.Pipe()
        ours = [self.connection, *(other.connection for other in others)]
        args = (expander.copy(), ours) if method == "fork" else (_pickled(expander), [])
        self.process = context.Process(target=_serve, args=(there, *args), daemon=True)
        self.key, self.chunk = -1, ()  # type: tuple[int, Sequence[Any]]
        with warnings.catch_warnings():
            # numpy's threads count as well, and it prepares them for a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        there.close()

    def send(self, key: int, chunk: Sequence[Any]) -> None:
        """Send a chunk of positions."""
        self.key, self.chunk = key, chunk
        try:
            data = encoded(chunk)
        except Exception as error:
            raise RulesError(
                f"the positions from {chunk[0]!r} on cannot be sent to another process "
                f"({type(error).__name__}: {error}): expected workers=1, or positions that pickle takes"
            ) from error
        with suppress(OSError):  # it has ended, which receive() reports
            self.connection.send_bytes(data)

    def receive(self) -> Answer:
        """Return the answer; EOFError if the process has ended."""
        try:
            answer: Answer = marshal.loads(self.connection.recv_bytes())
        except OSError as error:
            raise EOFError from error
        return answer

    def end(self, finished: bool) -> None:
        """End the process."""
        self.connection.close()
        if not finished:
            self.process.terminate()
        self.process.join(SECONDS_TO_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class ProcessTeam:
    """Processes on this machine."""

    def __init__(self, size: int, expander: Expander) -> None:
        import multiprocessing

        self.size = size
        self._expander = expander
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        if multiprocessing.current_process().daemon:
            raise RulesError(
                f"workers={size + 1}: this process is a worker itself and cannot start others: "
                "expected workers=1"
            )
        try:
            for _ in range(size):
                self._idle.append(self._start())
        except BaseException:
            self.close(False)
            raise

    def _start(self) -> _Worker:
        """Start one more worker and wait until it is ready."""
        worker = _Worker(self._expander, start_method(), self._workers)
        self._workers.append(worker)
        try:
            failure = worker.receive()
        except EOFError:
            failure = _how_it_ended(worker)
        if failure:
            raise RulesError(
                f"{type(self._expander.game).__name__} cannot be run by another process ({failure}): "
                "expected workers=1, or rules in a module of their own and a main program below "
                "if __name__ == '__main__'"
            )
        return worker

    @property
    def idle(self) -> int:
        """The number of processes without a chunk."""
        return len(self._idle)

    @property
    def processes(self) -> Sequence[int]:
        """The ids of the processes."""
        return [worker.process.pid or 0 for worker in self._workers]

    def submit(self, key: int, chunk: Sequence[Any]) -> None:
        """Have an idle process expand a chunk."""
        worker = self._idle.pop()
        worker.send(key, chunk)

    def collect(self, timeout: float | None) -> dict[int, Answer]:
        """Return the answers that come within some seconds; of at least one chunk for None.

        Raises RulesError if a process has ended.
        """
        from multiprocessing.connection import wait as wait_for

        working = {worker.connection: worker for worker in self._workers if worker not in self._idle}
        found: dict[int, Answer] = {}
        for ready in wait_for(list(working), timeout):
            worker = working[ready]
            try:
                found[worker.key] = worker.receive()
            except EOFError:
                self._raise_for_ended(worker)
            self._idle.append(worker)
        return found

    def _raise_for_ended(self, ended: _Worker) -> None:
        """Raise RulesError with the position that ends a process, found by trying each one again."""
        how = _how_it_ended(ended)
        worker = self._start()
        for position in ended.chunk:
            worker.send(-1, [position])
            try:
                worker.receive()
            except EOFError:
                raise RulesError(
                    f"the rules end the process that explores {position!r} ({_how_it_ended(worker)}): "
                    "expected moves or an exception"
                ) from None
        raise RulesError(
            f"a worker process ended ({how}) while it explored {len(ended.chunk)} positions from "
            f"{ended.chunk[0]!r} on, and another one did not: expected enough memory for "
            f"{self.size} workers, and rules that are deterministic"
        )

    def close(self, finished: bool) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end(finished)


def _how_it_ended(worker: _Worker) -> str:
    """Return how a process ended, as text."""
    worker.process.join(SECONDS_TO_END)
    status = worker.process.exitcode
    if status is not None and status < 0:
        return f"killed by signal {-status}"
    return f"exit status {status}"


def _pickled(expander: Expander) -> bytes:
    """Return an expander as bytes, with the file of rules that are no importable module."""
    game = expander.game
    module = type(game).__module__
    path = sys.modules[module].__file__ if module.startswith(PREFIX) else None
    try:
        return pickle.dumps((path, pickle.dumps(expander.copy())))
    except Exception as error:
        raise RulesError(
            f"{type(game).__name__} cannot be sent to another process ({type(error).__name__}: {error})"
            ": expected workers=1, or rules in a module of their own that pickle takes"
        ) from error


def _serve(connection: Connection, given: Expander | bytes, inherited: Sequence[Connection]) -> None:
    """Expand chunks of positions until the connection ends: the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:  # else the end of the first process would not be seen here
        other.close()
    gc.freeze()  # what is shared with the first process is not copied by looking for cycles
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)
    try:
        expander = _unpickled(given) if isinstance(given, bytes) else given
    except Exception as error:
        connection.send_bytes(marshal.dumps(f"{type(error).__name__}: {error}"))
        return
    connection.send_bytes(marshal.dumps(""))
    with suppress(EOFError, OSError):
        while True:
            found = expand_chunk(expander, decoded(connection.recv_bytes()))
            answer = found if isinstance(found, str) else [encoded(piece) for piece in found]
            connection.send_bytes(marshal.dumps(answer))


def _unpickled(data: bytes) -> Expander:
    """Return an expander from its bytes."""
    path, rest = pickle.loads(data)
    if path is not None:
        load_module(Path(path))
    expander: Expander = pickle.loads(rest)
    return expander
