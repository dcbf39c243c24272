"""Programs that tests start and wait for: none is waited for without end."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds: many times what any of them takes on a busy machine


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a program beside a test; its output can be read, and it is killed if the test fails first.

    Leaving ``subprocess.Popen`` waits for the program: a failed assertion would wait for ever for one that serves.
    """
    options = {"stdout": subprocess.PIPE, "text": True} | options
    with subprocess.Popen(command, **options) as process, ended_by(process.kill):
        try:
            yield process
        finally:
            process.kill()  # no signal is sent to a program that has ended


@contextmanager
def ended_by(end: Callable[[], None], seconds: float = PATIENCE) -> Iterator[None]:
    """Call a function, from another thread, when the block has taken too long."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def descendants(process: int) -> Iterator[int]:
    """Yield the processes that a process has started, and theirs; none where there is no /proc."""
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # it has ended meanwhile
            for child in map(int, children.read_text().split()):
                yield child
                yield from descendants(child)


def kill_descendants(name: str) -> None:
    """Kill the descendants of this process whose name begins with a text."""
    for process in list(descendants(os.getpid())):
        with suppress(OSError):
            if Path(f"/proc/{process}/comm").read_text().startswith(name):
                os.kill(process, signal.SIGKILL)
