"""A solve into a directory: begun or resumed, and put in place when it is finished."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from retrosolve.errors import FormatError, StoreError
from retrosolve.runtime.files import one_line
from retrosolve.runtime.interruption import Interruption
from retrosolve.spaces.base import StateSpace
from retrosolve.store.contents import Saved
from retrosolve.store.directory import (
    ATTRIBUTES,
    LEVEL,
    check_destination,
    load,
    save,
    target_of,
    write_finished,
)
from retrosolve.store.folder import failed, put_in_place
from retrosolve.store.identity import check_same
from retrosolve.store.journal import Identity, Journal
from retrosolve.store.manifest import MANIFEST
from retrosolve.store.opened import Opened
from retrosolve.store.partial import Partial, held, partial_path
from retrosolve.store.tiers import TierFiles


class Run:
    """A solve into a directory.

    Parameters
    ----------
    target : Path
        The directory.
    partial : Partial
    space : StateSpace
        What is solved.

    Attributes
    ----------
    checkpoint : Partial
        For the solver; its tiers are written as they are finished.
    """

    def __init__(self, target: Path, partial: Partial, space: StateSpace) -> None:
        self.target = target
        self.checkpoint = partial
        self.space = space
        self._tiers = TierFiles(partial, space.tiers, space.num_vertices, ATTRIBUTES, LEVEL)
        partial.tiers = self._tiers

    def farewell(self) -> str:
        """Return a sentence for a solve that is interrupted."""
        self.checkpoint.flush()
        if self.checkpoint.journal.is_empty:
            return f"interrupted before anything of {self.target} was finished"
        return (
            f"interrupted: what was found is in {self.checkpoint.folder}, "
            "and the same with resume goes on from there"
        )

    def opened(self) -> Opened | None:
        """Return the solution if the directory has it already, otherwise None. Raises StoreError."""
        if not (self.target / MANIFEST).is_file():
            return None
        opened, expected = load(self.target, space=self.space), self.checkpoint.journal.identity
        if expected["rules"] is None:
            check_same({}, expected, self.target)
        if opened.identity != expected:
            return None
        self.checkpoint.journal = Journal(expected)  # nothing of what is unfinished is needed
        return opened

    def finish(self, saved: Saved) -> Opened:
        """Put the directory in place and return it, open. Raises StoreError."""
        partial = self.checkpoint
        saved = replace(saved, identity=partial.journal.identity)
        try:
            if self._tiers.num_written == len(self.space.tiers):
                manifest = write_finished(partial.solution, saved, self._tiers)
                partial.update(finished=_digest(manifest))
                check_destination(self.target)
                put_in_place(partial.solution, self.target)
            else:
                save(saved, self.target)
            partial.remove()
            partial.tiers = None  # what waits in memory is in the solution
        except FormatError as error:
            raise StoreError(one_line(f"cannot save {self.target}: {error}")) from None
        except OSError as error:
            raise failed("save", self.target, error) from None
        return load(self.target, space=self.space)


@contextmanager
def solving_into(
    path: str | Path, space: StateSpace, identity: Identity, resume: bool, every: float,
    interruption: Interruption,
) -> Iterator[Run]:  # fmt: skip
    """Hold the directory of a solve.

    Parameters
    ----------
    path : str or Path
        The directory of the solution.
    space : StateSpace
    identity : dict of str to str or None
        What is solved and how.
    resume : bool
        Whether to go on with an unfinished solve, if there is one.
    every : float
        The seconds between two snapshots.
    interruption : Interruption

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, if another process works on it, if there is an
        unfinished solve that is not to be resumed, or one of something else.
    """
    target = target_of(path)
    check_destination(target)
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(held(target))
            journal = _journal(folder, target, identity, resume)
            partial = Partial(folder, journal, every, interruption)
            run = Run(target, partial, space)
            _put_finished(run)
            partial.update()
        except OSError as error:
            raise failed("save", path, error) from None
        try:
            yield run
        finally:
            partial.flush()
            if partial.journal.is_empty:
                partial.remove()


def is_unfinished(path: str | Path) -> bool:
    """Return whether there is an unfinished solve of a directory. Raises StoreError."""
    journal = Journal.read(partial_path(target_of(path)))
    return journal is not None and not journal.is_empty


def _journal(folder: Path, target: Path, identity: Identity, resume: bool) -> Journal:
    """Return the journal to go on with. Raises StoreError."""
    found = Journal.read(folder)
    if found is None or found.is_empty:
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return Journal(identity)
    if not resume:
        raise StoreError(
            one_line(
                f"an unfinished solve of {target} is in {folder}: "
                "expected resume to go on with it, or that folder deleted"
            )
        )
    check_same(found.identity, identity, folder)
    return found


def _put_finished(run: Run) -> None:
    """Put a solution in place that was finished when the process was killed."""
    partial = run.checkpoint
    digest = partial.journal.finished
    if not digest:
        return
    if _manifest_digest(run.target) != digest:
        if _manifest_digest(partial.solution) != digest:
            partial.remove()
            partial.journal = Journal(partial.journal.identity)
            return
        put_in_place(partial.solution, run.target)
    partial.remove()
    partial.journal = Journal(partial.journal.identity)


def _manifest_digest(folder: Path) -> str:
    """Return the digest of the manifest in a folder, nothing without one."""
    path = folder / MANIFEST
    return _digest(path.read_bytes()) if path.is_file() else ""


def _digest(manifest: bytes) -> str:
    return hashlib.sha256(manifest).hexdigest()
