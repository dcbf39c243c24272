"""Workers: processes that call an author's rules for chunks of positions, or threads without a GIL.

Positions arrive as they were sent, types included. `marshal` does that for objects of a few exact
types, in a third of the time of `pickle`. It writes every other object that has a buffer, such as a
NumPy number, as plain bytes; where such a record may be, types are compared, and `pickle` is used
unless all are exact. A copy that `pickle` makes of the positions is compared with them before they
are sent.
"""

from __future__ import annotations

import gc
import marshal
import pickle
import re
import signal
import sys
import threading
import warnings
from array import array
from cmath import isnan
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrosolve.errors import RulesError
from retrosolve.rules.calls import UINT32, Expander, Expansion, identical
from retrosolve.rules.contract import Game
from retrosolve.runtime.sources import PREFIX, ReadSource, load_module

if TYPE_CHECKING:
    import selectors
    from multiprocessing.connection import Connection

SECONDS_TO_END = 1.0
ALLOCATIONS_PER_COLLECTION = 100_000  # a chunk has some ten thousand targets, none of them a cycle
CHUNKS = 2  # for each worker, so that it has the next one when it has answered
MAX_SENT_AHEAD = 1 << 16 if sys.platform == "linux" else 1 << 11  # bytes; buffers take 208 or 8 kB
MORE, LAST, FAILED, UNSENT = b"+", b".", b"!", b"?"  # how messages of workers begin
PACKAGE = __name__.partition(".")[0]


class TransportError(RulesError):
    """No other process starts, or positions do not arrive there as they were sent."""


ChunkResult = Expansion | memoryview | str | TransportError
"""The expansion of the next positions of a chunk, encoded or not; or the text of an exception, or
that the positions cannot be sent."""
MARSHALLED = b"M"  # pickles begin with another byte
VERSION = 4  # of marshal, since Python 3.4: the records below are those of this version
CONTAINERS = frozenset({tuple, frozenset})
EXACT = CONTAINERS | {int, str, bytes, bool, float, complex, type(None), type(...)}
NUMBERS = frozenset({float, complex})  # which may be NaN, and equal to nothing
SHARED = 0x80  # set in the first byte of a record that others refer to


def expand_chunk(expander: Expander, chunk: Sequence[Any]) -> Iterator[Expansion | str]:
    """Yield the results of a worker for a chunk of positions, piece by piece."""
    done = 0
    try:
        while done < len(chunk):
            expansion = expander.expand(chunk[done : done + expander.batch_size])
            # Without names there is one reference to each target, which marshal need not note.
            expansion = expansion._replace(moves=expansion.targets(), paired=False)
            done += len(expansion.degrees)
            yield expansion
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def has_free_threads() -> bool:
    """Return whether threads run Python code at the same time."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


def start_method() -> str:
    """Return the start method of processes: by "fork" where that is safe, else by "spawn".

    A forked process inherits rules of any kind, but no threads, and locks as other threads hold them.
    """
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def may_autostart(game: Game) -> bool:
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


class ThreadWorkers:
    """Threads of this process, each with its own expander.

    The interface of both kinds of workers: a chunk that is submitted with a key is collected, piece by
    piece, with this key.

    Attributes
    ----------
    size : int
    processes : sequence of int
        The ids of the processes, for the memory that they take.
    """

    processes: Sequence[int] = ()

    def __init__(self, size: int, expander: Expander) -> None:
        self.size = size
        self._expanders = [expander.copy() for _ in range(CHUNKS * size)]
        self._pool = ThreadPoolExecutor(size)
        self._working: dict[Future[list[Expansion | str]], tuple[int, Expander]] = {}

    @property
    def room(self) -> int:
        """The number of chunks that can be submitted now."""
        return len(self._expanders)

    def submit(self, key: int, chunk: list[Any]) -> None:
        """Have a thread expand a chunk."""
        expander = self._expanders.pop()
        self._working[self._pool.submit(lambda: list(expand_chunk(expander, chunk)))] = key, expander

    def collect(self, timeout: float | None) -> list[tuple[int, ChunkResult]]:
        """Return the results that come within some seconds, by key; at least one piece for None."""
        results: list[tuple[int, ChunkResult]] = []
        for future in wait(self._working, timeout, return_when=FIRST_COMPLETED).done:
            key, expander = self._working.pop(future)
            self._expanders.append(expander)
            results += [(key, piece) for piece in future.result()]
        return results

    def close(self, finished: bool) -> None:
        """End the workers, at once unless they have ``finished``."""
        self._pool.shutdown(cancel_futures=True)


class _Worker:
    """A process and the connection to it."""

    def __init__(self, expander: Expander, method: str, others: Sequence[_Worker]) -> None:
        import multiprocessing

        context: Any = multiprocessing.get_context(method)
        self.connection, there = context.Pipe()
        ours = [self.connection, *(other.connection for other in others)]
        args = (expander.copy(), ours) if method == "fork" else (pickled_expander(expander), [])
        self.process = context.Process(target=_serve, args=(there, *args), daemon=True)
        # The first answer: it is ready.
        self.chunks: deque[tuple[int, Sequence[Any]]] = deque([(-1, ())])
        self._held: bytes | None = None
        with warnings.catch_warnings():
            # numpy's threads count as well, and it prepares them for a fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        there.close()

    def send(self, key: int, chunk: list[Any]) -> None:
        """Send a chunk of positions; hold it back if sending could block until an answer is read.

        Raises TransportError if they cannot be sent.
        """
        data = encoded(chunk)
        self.chunks.append((key, chunk))
        if len(self.chunks) > 1 and len(data) > MAX_SENT_AHEAD:
            self._held = data
        else:
            self._write(data)

    def _write(self, data: bytes) -> None:
        with suppress(OSError):  # it has ended, which receive() reports
            self.connection.send_bytes(data)

    def receive(self) -> tuple[int, ChunkResult]:
        """Return the next piece, with the key of its chunk; EOFError if the process has ended."""
        try:
            message = self.connection.recv_bytes()
        except OSError as error:
            raise EOFError from error
        kind, content = message[:1], memoryview(message)[1:]
        key = self.chunks[0][0]
        if kind != MORE:
            self.chunks.popleft()
            if self._held is not None:
                self._write(self._held)
                self._held = None
        if kind == UNSENT:
            return key, TransportError(str(content, "utf-8"))
        return key, str(content, "utf-8") if kind == FAILED else content

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


class ProcessWorkers:
    """Processes on this machine."""

    def __init__(self, size: int, expander: Expander) -> None:
        import multiprocessing
        import selectors

        self.size = size
        self._expander = expander
        self._workers: list[_Worker] = []
        if multiprocessing.current_process().daemon:
            raise RulesError(
                f"workers={size + 1}: this process is a worker itself and cannot start others: "
                "expected workers=1"
            )
        self._selector: selectors.BaseSelector | None = None
        try:
            for _ in range(size):
                self._start()
            self._selector = selectors.DefaultSelector()  # kept: a new one takes ten times as long
            for worker in self._workers:
                self._selector.register(worker.connection, selectors.EVENT_READ, worker)
        except BaseException as error:
            self.close(False)
            if isinstance(error, OSError):
                raise TransportError(
                    f"workers={size + 1}: the system starts no more processes "
                    f"({error.strerror or error}): expected fewer workers"
                ) from None
            raise

    def _start(self) -> _Worker:
        """Start one more worker and wait until it is ready."""
        worker = _Worker(self._expander, start_method(), self._workers)
        self._workers.append(worker)
        try:
            failure = worker.receive()[1]
        except EOFError:
            failure = _how_it_ended(worker)
        if isinstance(failure, str):
            raise TransportError(
                f"{type(self._expander.game).__name__} cannot be run by another process ({failure}): "
                "expected workers=1, or rules in a module of their own and a main program below "
                "if __name__ == '__main__'"
            )
        return worker

    @property
    def room(self) -> int:
        """The number of chunks that can be submitted now."""
        return sum(CHUNKS - len(worker.chunks) for worker in self._workers)

    @property
    def processes(self) -> Sequence[int]:
        """The ids of the processes."""
        return [worker.process.pid or 0 for worker in self._workers]

    def submit(self, key: int, chunk: list[Any]) -> None:
        """Have the process with the fewest chunks expand one."""
        min(self._workers, key=lambda worker: len(worker.chunks)).send(key, chunk)

    def collect(self, timeout: float | None) -> list[tuple[int, ChunkResult]]:
        """Return the results that come within some seconds, by key; at least one piece for None.

        Raises RulesError if a process has ended.
        """
        assert self._selector is not None
        results = []
        ready = [key.data for key, _ in self._selector.select(timeout) if key.data.chunks]
        for worker in ready:
            try:
                results.append(worker.receive())
            except EOFError:
                self._raise_for_ended(worker)
        return results

    def _raise_for_ended(self, ended: _Worker) -> None:
        """Raise RulesError with the position that ends a process; each one is tried again."""
        how = _how_it_ended(ended)
        worker = self._start()
        chunk = ended.chunks[0][1]
        for position in chunk:
            worker.send(-1, [position])
            try:
                worker.receive()
            except EOFError:
                raise RulesError(
                    f"the rules end the process that explores {position!r} ({_how_it_ended(worker)}): "
                    "expected moves or an exception"
                ) from None
        raise RulesError(
            f"a worker process ended ({how}) while it explored {len(chunk)} positions from "
            f"{chunk[0]!r} on, and another one did not: expected enough memory for "
            f"{self.size} workers, and rules that are deterministic"
        )

    def close(self, finished: bool) -> None:
        """End the processes."""
        if self._selector is not None:
            self._selector.close()
        for worker in self._workers:
            worker.end(finished)


WorkerPool = ThreadWorkers | ProcessWorkers
"""Workers that expand chunks of positions, each of them with one more chunk in hand."""


@contextmanager
def worker_pool(size: int, expander: Expander) -> Iterator[WorkerPool]:
    """Start workers that call the rules of an expander, and end them.

    Raises RulesError if they cannot be started.
    """
    pool = (ThreadWorkers if has_free_threads() else ProcessWorkers)(size, expander)
    finished = False
    try:
        yield pool
        finished = True
    finally:
        pool.close(finished)


def _how_it_ended(worker: _Worker) -> str:
    """Return the end of a process as text."""
    worker.process.join(SECONDS_TO_END)
    status = worker.process.exitcode
    return f"killed by signal {-status}" if status and status < 0 else f"exit status {status}"


def _serve(connection: Connection, rules: Expander | bytes, inherited: Sequence[Connection]) -> None:
    """Expand chunks of positions until the connection ends: the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:  # else the end of the first process would not be seen here
        other.close()
    gc.freeze()  # what is shared with the first process is not copied by looking for cycles
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)
    try:
        expander = unpickled_expander(rules) if isinstance(rules, bytes) else rules
    except Exception as error:
        connection.send_bytes(_message(FAILED, f"{type(error).__name__}: {error}"))
        return
    connection.send_bytes(LAST)
    with suppress(EOFError, OSError):
        while True:
            data = connection.recv_bytes()
            try:
                _answer(connection, expander, decoded(data))
            except TransportError as error:
                connection.send_bytes(_message(UNSENT, str(error)))


def _answer(connection: Connection, expander: Expander, chunk: Sequence[Any]) -> None:
    """Send the expansion of a chunk of positions, piece by piece. Raises TransportError."""
    remaining = len(chunk)
    for piece in expand_chunk(expander, chunk):
        if isinstance(piece, str):
            connection.send_bytes(_message(FAILED, piece))
        else:
            remaining -= len(piece.degrees)
            connection.send_bytes((MORE if remaining else LAST) + encoded_expansion(piece))


def _message(kind: bytes, text: str) -> bytes:
    """Return the message of a worker that has no expansion to send."""
    return kind + text.encode("utf-8", "backslashreplace")


# -- transport ---------------------------------------------------------------------------------------


def _records(of: Any, rest: bytes) -> list[tuple[bytes, re.Pattern[bytes]]]:
    """Return the first bytes of the records of a kind of objects, and patterns of them."""
    code = marshal.dumps(of, VERSION)[0] & ~SHARED
    starts = (bytes([code]), bytes([code | SHARED]))
    return [(start, re.compile(re.escape(start) + rest, re.DOTALL)) for start in starts]


NOT_FINITE = rb".{6}[\xf0-\xff][\x7f\xff]"  # the exponent of a float of 8 bytes, the last of them first
SUSPECTS = [
    *_records(memoryview(b""), rb"...\0"),  # a length, below 2^24
    *_records(0.0, NOT_FINITE),
    *_records(0j, rb"(?:.{8})?" + NOT_FINITE),
]
MAX_SCANNED = 1 << 24


def encoded(positions: list[Any]) -> bytes:
    """Return positions as bytes. Raises TransportError if they would not arrive as they are."""
    try:
        data = marshal.dumps(positions, VERSION)
        if not _may_differ(data) or _are_exact(positions):
            return MARSHALLED + data
    except ValueError:  # for an object that marshal does not take
        pass
    try:
        data = pickle.dumps(positions, pickle.HIGHEST_PROTOCOL)
        back = pickle.loads(data)
        pairs = zip(positions, back, strict=True)
        differing = next((pair for pair in pairs if not identical(*pair)), None)
    except Exception as error:
        raise TransportError(
            f"the positions from {_shown(positions[0])} on cannot be sent to another process "
            f"({type(error).__name__}: {error}): expected workers=1, or positions that pickle takes"
        ) from error
    if differing is not None:
        position, copy = differing
        raise TransportError(
            f"the position {_shown(position)} cannot be sent to another process (pickle makes "
            f"{_shown(copy)} of it): expected workers=1, or a position whose copy is equal to it and "
            "has the same type"
        )
    return data


def _shown(position: Any) -> str:
    """Return a position as text, or its type if it is nested too deeply for that."""
    try:
        return repr(position)
    except RecursionError:
        return f"one of type {type(position).__name__}"


def _may_differ(data: bytes) -> bool:
    """Return whether there may be an object in marshalled data that comes back as another.

    Takes 1 to 30 ns for each position: patterns are searched only if the data has their first byte.
    """
    return len(data) >= MAX_SCANNED or any(
        start in data and record.search(data) is not None for start, record in SUSPECTS
    )


def _are_exact(items: Sequence[Any]) -> bool:
    """Return whether marshal keeps all objects: they are of its types, no subclasses, and no NaN."""
    while items:
        kinds = set(map(type, items))
        if not kinds <= EXACT:
            return False
        if not kinds.isdisjoint(NUMBERS) and any(isnan(n) for n in items if type(n) in NUMBERS):
            return False
        if kinds.isdisjoint(CONTAINERS):
            return True
        if not kinds <= CONTAINERS:
            items = [item for item in items if type(item) in CONTAINERS]
        items = list(chain.from_iterable(items))
    return True


def decoded(data: bytes | memoryview) -> Any:
    """Return positions from their bytes. Raises TransportError if this process cannot make them."""
    if data[:1] == MARSHALLED:
        return marshal.loads(memoryview(data)[1:])
    try:
        return pickle.loads(data)
    except Exception as error:
        raise TransportError(
            f"positions cannot be read by another process ({type(error).__name__}: {error}): "
            "expected workers=1, or positions of a class in a module of its own"
        ) from error


def encoded_expansion(expansion: Expansion) -> bytes:
    """Return an expansion as bytes. Raises TransportError like :func:`encoded`."""
    degrees, moves, *rest = expansion
    return marshal.dumps((degrees.tobytes(), encoded(moves), *rest), VERSION)


def decoded_expansion(data: bytes | memoryview) -> Expansion:
    """Return an expansion from its bytes. Raises TransportError like :func:`decoded`."""
    degrees, moves, *rest = marshal.loads(data)
    return Expansion(array(UINT32, degrees), decoded(moves), *rest)


def pickled_expander(expander: Expander) -> bytes:
    """Return an expander as bytes, with the source of rules that are no importable module.

    Raises TransportError for rules that pickle does not take.
    """
    game = expander.game
    module = type(game).__module__
    loader = sys.modules[module].__loader__ if module.startswith(PREFIX) else None
    file = (loader.path, loader.source) if isinstance(loader, ReadSource) else None
    try:
        return pickle.dumps((file, pickle.dumps(expander.copy())))
    except Exception as error:
        raise TransportError(
            f"{type(game).__name__} cannot be sent to another process ({type(error).__name__}: {error})"
            ": expected workers=1, or rules in a module of their own that pickle takes"
        ) from error


def unpickled_expander(data: bytes) -> Expander:
    """Return an expander from its bytes."""
    file, rest = pickle.loads(data)
    if file is not None:
        load_module(Path(file[0]), file[1])
    expander: Expander = pickle.loads(rest)
    return expander
