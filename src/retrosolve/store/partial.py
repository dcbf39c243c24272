"""The hidden folder of an unfinished solve, beside the directory that it is to become.

It holds a journal, the last snapshot of the state, and ``solution``, the directory of the solution with
the tiers that are finished. Only one process works in it at a time: the lock is on the folder and
ends with the process. A file counts once the journal names it, and the journal is replaced in one step
after the file was flushed to disk, so a process may be killed at any moment.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.runtime import tuning
from retrosolve.runtime.checkpoint import Checkpoint, Facts
from retrosolve.runtime.files import one_line, sync_folder
from retrosolve.runtime.interruption import Interruption
from retrosolve.runtime.memory import format_bytes
from retrosolve.store.folder import beside, error_text, locked
from retrosolve.store.journal import JOURNAL, Journal
from retrosolve.store.snapshot import SnapshotFile, write_snapshot

PARTIAL = ".retrosolve-partial"
SOLUTION = "solution"
SECONDS_UNWRITTEN = 5.0  # of many tiers: a solve that is as short is written once, at its end


def partial_path(target: Path) -> Path:
    """Return the path of the folder of an unfinished solve of ``target``."""
    return beside(target, PARTIAL)


@contextmanager
def held(target: Path) -> Iterator[Path]:
    """Hold the folder of an unfinished solve, made if it is absent, for this process alone.

    Raises
    ------
    StoreError
        If another process has it.
    OSError
    """
    path, handle = partial_path(target), None
    try:
        while handle is None:
            handle = locked(path, target)
        yield path
    finally:
        if handle is not None:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            os.close(handle)


class Partial(Checkpoint):
    """An unfinished solve on disk.

    Parameters
    ----------
    folder : Path
        Held by :func:`held`.
    journal : Journal
    every : float
        The seconds after which a snapshot is due. It waits longer if writing takes long.
    interruption : Interruption
        Makes a snapshot due at once.
    """

    def __init__(
        self, folder: Path, journal: Journal, every: float, interruption: Interruption
    ) -> None:
        self.folder = folder
        self.journal = journal
        self.interruption = interruption
        self._every = every
        self._wait = every
        self._saved = self._written = time.monotonic()
        self._taken = False
        self._unwritten: list[Path] = []
        self.place = str(folder)

    @property
    def solution(self) -> Path:
        """The directory that becomes the solution."""
        return self.folder / SOLUTION

    def due(self) -> bool:
        """Return whether a snapshot should be taken."""
        return self.interruption.requested or time.monotonic() - self._saved >= self._wait

    @property
    def late(self) -> bool:
        """Whether what is finished has to be written, to be on disk within seconds."""
        waited = time.monotonic() - self._written
        return self.interruption.requested or waited >= min(SECONDS_UNWRITTEN, self._every)

    def save(self, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Write a snapshot in place of the last one. Raises StoreError."""
        began = time.monotonic()
        if self.tiers is not None:
            self.tiers.flush()
        previous = self.journal.state
        plain = {key: fact if isinstance(fact, str) else int(fact) for key, fact in facts.items()}
        number = 0 if previous is None else 1 - int(previous["file"][-1])
        path = self.folder / f"state-{number}"
        try:
            record = write_snapshot(path, arrays)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise no_room(path, sum(array.nbytes for array in arrays.values()), error) from None
        self.update(state=record | {"facts": plain})
        self._saved = time.monotonic()
        self._wait = max(self._every, tuning.current().checkpoint_cost_share * (self._saved - began))

    def resumed(self, stage: str) -> SnapshotFile | None:
        """Return the snapshot if it is of this stage and was not asked for before."""
        state = self.journal.state
        if state is None or state["facts"].get("stage") != stage or self._taken:
            return None
        self._taken = True
        return SnapshotFile(self.folder, state)

    def note(self, path: Path, **changes: Any) -> None:
        """Change fields of the journal for a new file or folder, on disk within seconds.

        Raises StoreError.
        """
        self.journal = replace(self.journal, **changes)
        self._unwritten.append(path)
        if self.late:
            self._flush_noted()

    def flush(self) -> None:
        """Write the tiers that wait in memory, and what was noted. Raises StoreError."""
        if self.tiers is not None:
            self.tiers.flush()
        self._flush_noted()

    def _flush_noted(self) -> None:
        """Write what was noted. Raises StoreError."""
        if self._unwritten:
            self.update()

    def update(self, **changes: Any) -> None:
        """Change fields of the journal on disk, then delete a snapshot that it no longer names.

        Raises StoreError.
        """
        changed = replace(self.journal, **changes)
        try:
            for path in self._unwritten:
                sync(path)
                sync_folder(path.parent)
            changed.write(self.folder)
        except OSError as error:
            raise no_room(self.folder / JOURNAL, len(repr(changed)), error) from None
        self.journal = changed
        self._unwritten.clear()
        self._written = time.monotonic()
        named = None if changed.state is None else changed.state["file"]
        for path in self.folder.glob("state-*"):
            if path.name != named:
                path.unlink()

    def remove(self) -> None:
        """Delete everything in the folder, the journal first."""
        self._unwritten.clear()
        for path in sorted(self.folder.iterdir(), key=lambda path: path.suffix != ".json"):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def sync(path: Path) -> None:
    """Flush a file, or all files below a folder and their names, to disk. Raises OSError."""
    if path.is_file():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        return
    for inner in path.iterdir():
        sync(inner)
    sync_folder(path)


def no_room(path: Path, needed: int, error: OSError) -> StoreError:
    """Return the error for a part of an unfinished solve that could not be written."""
    return StoreError(
        one_line(
            f"cannot write {path}, which needs up to {format_bytes(needed)}: {error_text(error)}: "
            "expected room for it, then the same solve with resume"
        )
    )
