"""Commands in this process: a line, what it prints, and its status."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retrosolve.cli import run
from retrosolve.runtime import tuning


class Shell:
    """Runs commands as a shell would, in an empty folder.

    Parameters
    ----------
    captured : CaptureFixture
        What is printed.
    patch : MonkeyPatch
        Where standard input is set.
    """

    def __init__(self, captured: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.captured, self.patch = captured, patch
        self.err = ""

    def __call__(
        self, line: str, status: int | None = 0, err: bool | None = None, stdin: str = ""
    ) -> str:
        """Return what a line prints; only what is refused, or where ``err`` says so, prints to stderr.

        With ``status=None`` its status may be any.
        """
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        self.captured.readouterr()
        ended = run(shlex.split(line))
        out, self.err = self.captured.readouterr()
        if status is None:
            return out
        assert ended == status, self.err
        assert bool(self.err) == (status == 2 if err is None else err), self.err
        return out

    def json(self, line: str, status: int = 0, stdin: str = "") -> Any:
        """Return what a line prints with ``--json``."""
        return json.loads(self(f"{line} --json", status, stdin=stdin))


@pytest.fixture
def sh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shell]:
    """Commands in an empty folder, beside the examples; they compile what a process of its own would."""
    (tmp_path / "examples").symlink_to(Path(__file__).parent.parent.parent / "examples")
    monkeypatch.chdir(tmp_path)
    with tuning.using(compile_again_from=tuning.current().compile_from):
        yield Shell(capsys, monkeypatch)
