"""Programs that a test starts: whatever a test does, none of them outlives it."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a program beside a test; its output can be read, and it is killed if the test fails first.

    Leaving ``subprocess.Popen`` waits for the program: a failed assertion would wait for ever for one that serves.
    """
    options = {"stdout": subprocess.PIPE, "text": True} | options
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()  # no signal is sent to a program that has ended
