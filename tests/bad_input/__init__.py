"""Bad input, by where it comes in: each file has a table ``INPUTS`` from a description to a function that meets it.

The sentences are in ``tests/messages.txt``, which ``pytest --update-messages`` writes.
"""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Callable
from pathlib import Path

from retrosolve.cli import run

# What a function does with an empty folder that it may write in. It raises, or returns the notes that a user sees.
Input = Callable[[Path], object]


def command(*arguments: str, **files: str | bytes) -> Input:
    """Run ``retrosolve`` on files: ``command("solve", "g.csv", **{"g.csv": "a,b"})``.

    Returns
    -------
    Input
        Its exit status and stderr, as lines.
    """

    def meet(folder: Path) -> str:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name).write_bytes(data)
        shown = io.StringIO()
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stderr(shown),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            status = run([*arguments])
        return f"exit {status}: {shown.getvalue().strip()}"

    return meet


def notes(work: Callable[[Path], object]) -> Input:
    """Return what the library logs while it works, as Python users see it."""

    def meet(folder: Path) -> str:
        shown = io.StringIO()
        handler, logger = logging.StreamHandler(shown), logging.getLogger("retrosolve")
        logger.addHandler(handler)
        try:
            work(folder)
        finally:
            logger.removeHandler(handler)
        return f"note: {shown.getvalue().strip()}"

    return meet
