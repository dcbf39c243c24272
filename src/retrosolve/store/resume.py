"""Solves into a directory: written as they go on, resumed, and put in place when finished.

An unfinished solve is in a hidden folder beside the directory that it is to become. The folder holds a
journal, the last snapshot of the state, and ``solution``, the directory of the solution with the tiers
that are finished. Only one process works in it at a time: the lock is on the folder and ends with the
process. A file counts once the journal names it, and the journal is replaced in one step after the file
was flushed to disk, so a process may be killed at any moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple

import google_crc32c
import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.arrays import VERTICES_PER_SPAN, ByteArray, IntArray
from retrosolve.errors import FormatError, StoreError
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Checkpoint, Coding, Facts, Interruption
from retrosolve.runtime.files import CHUNK, error_text, open_file, sync_folder, system_errors
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.threads import ALONE, ThreadPool
from retrosolve.spaces.base import StateSpace
from retrosolve.store import directory
from retrosolve.store.blocks import (
    ArrayWriter,
    Read,
    StoredArray,
    opened_blocks,
    write_blocks,
    write_chunks,
)
from retrosolve.store.codec import Encoder, write_meaning
from retrosolve.store.folder import (
    beside,
    damaged,
    delete,
    flushed,
    locked,
    put_in_place,
)
from retrosolve.store.manifest import (
    ATTRIBUTES,
    CHECKSUM,
    MANIFEST,
    Saved,
    facts_of,
    record_digest,
)
from retrosolve.store.specs import Identity, candidates, check_same, fingerprint
from retrosolve.tables.coded import Codes, Dictionary, JoinedCodes
from retrosolve.tables.recoding import DistinctWords, WordCodes, canonical, code_dtype

PARTIAL = ".retrosolve-partial"
SOLUTION = "solution"
JOURNAL = "journal.json"
FORMAT, VERSION = "retrosolve checkpoint", 2
SECONDS_UNWRITTEN = 5.0  # of many tiers: a solve that is as short is written once, at its end
MARKS_LEVEL = 1  # of zstd
WORDS_PER_PART = 1 << 20  # a tier of so many is written at once
NO_WORDS: IntArray = np.zeros(0, np.uint16)

Marks = Callable[[int], Iterable[ByteArray]]


class ResumableSolve:
    """A solve into a directory.

    Parameters
    ----------
    target : Path
        The directory.
    partial : PartialSolution
    space : StateSpace
        The space that is solved.

    Attributes
    ----------
    checkpoint : PartialSolution
        For the solver; its tiers are written as they are finished.
    """

    def __init__(self, target: Path, partial: PartialSolution, space: StateSpace) -> None:
        self.target = target
        self.checkpoint = partial
        self.space = space
        self._tiers = TierFiles(partial, space.tiers, space.num_vertices)
        partial.tiers = self._tiers

    def interrupt_message(self) -> str:
        """Return a sentence for a solve that is interrupted."""
        self.checkpoint.flush()
        if self.checkpoint.journal.is_empty:
            return f"interrupted before anything of {self.target} was finished"
        return (
            f"interrupted: what was found is in {self.checkpoint.folder}, "
            "and the same with resume goes on from there"
        )

    def opened(self) -> directory.Archive | None:
        """Return the solution if the directory has it already, otherwise None. Raises StoreError."""
        if not (self.target / MANIFEST).is_file():
            return None
        archive = directory.load(self.target, space=self.space)
        expected = self.checkpoint.journal.identity
        if expected["rules"] is None:
            check_same({}, expected, self.target)
        if archive.identity != expected:
            return None
        self.checkpoint.journal = Journal(expected)  # no unfinished file is needed
        return archive

    def finish(self, saved: Saved) -> directory.Archive:
        """Put the directory in place and return it, open. Raises StoreError."""
        partial = self.checkpoint
        saved = replace(saved, identity=partial.journal.identity)
        try:
            with system_errors("save", self.target):
                if self._tiers.num_written == len(self.space.tiers):
                    manifest = _write_finished(partial.solution, saved, self._tiers)
                    partial.update(finished=hashlib.sha256(manifest).hexdigest())
                    directory.check_destination(self.target)
                    put_in_place(partial.solution, self.target)
                else:
                    directory.save(saved, self.target)
                partial.remove()
                partial.tiers = None  # tiers that wait in memory are in the solution
        except FormatError as error:
            raise StoreError(f"cannot save {self.target}: {error}") from None
        return directory.load(self.target, space=self.space)


@contextmanager
def solving_into(
    path: str | Path, space: StateSpace, identity: Identity, resume: bool, every: float,
    interruption: Interruption,
) -> Iterator[ResumableSolve]:  # fmt: skip
    """Hold the directory of a solve.

    Parameters
    ----------
    path : str or Path
        The directory of the solution.
    space : StateSpace
    identity : dict of str to str or None
        See :func:`retrosolve.store.identity_of`.
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
    target = directory.target_of(path)
    directory.check_folder_name(path)
    directory.check_destination(target)
    with ExitStack() as stack:
        with system_errors("save", path):
            folder = stack.enter_context(lock(target))
            journal = _journal(folder, target, identity, resume)
            partial = PartialSolution(folder, journal, every, interruption)
            run = ResumableSolve(target, partial, space)
            _put_finished(run)
            partial.update()
        try:
            yield run
        finally:
            partial.flush()
            if partial.journal.is_empty:
                partial.remove()


def is_unfinished(path: str | Path) -> bool:
    """Return whether there is an unfinished solve of a directory. Raises StoreError."""
    journal = Journal.read(partial_path(directory.target_of(path)))
    return journal is not None and not journal.is_empty


def _journal(folder: Path, target: Path, identity: Identity, resume: bool) -> Journal:
    """Return the journal to go on with. Raises StoreError."""
    journal = Journal.read(folder)
    in_place = journal is not None and journal.finished == _manifest_digest(target) != ""
    if journal is None or journal.is_empty or in_place:
        for path in folder.iterdir():
            delete(path)
        return Journal(identity)
    if not resume:
        raise StoreError(
            f"an unfinished solve of {target} is in {folder}: "
            "expected resume to go on with it, or that folder deleted"
        )
    check_same(journal.identity, identity, folder)
    return journal


def _put_finished(run: ResumableSolve) -> None:
    """Put a solution in place that was finished when the process was killed."""
    partial = run.checkpoint
    digest = partial.journal.finished
    if not digest:
        return
    if _manifest_digest(run.target) != digest and _manifest_digest(partial.solution) == digest:
        put_in_place(partial.solution, run.target)
    partial.remove()
    partial.journal = Journal(partial.journal.identity)


def _manifest_digest(folder: Path) -> str:
    """Return the digest of the manifest in a folder, nothing without one."""
    path = folder / MANIFEST
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _write_finished(folder: Path, saved: Saved, tiers: TierFiles) -> bytes:
    """Complete a directory that has the codes of all tiers; return its manifest.

    Raises
    ------
    FormatError
        For text that cannot be saved.
    OSError

    Notes
    -----
    A pass over the table. It also samples the values for the fingerprint: reading these again would
    decompress a block for each.
    """
    named = {folder / record["name"] for record in tiers.records()}
    for path in (*folder.iterdir(), *(folder / "table").iterdir()):
        if path not in named and path.name != "table":
            delete(path)
    spec, names = directory.spec_of(saved)
    writer = ArrayWriter(folder, ATTRIBUTES)
    dictionary, codes = tiers.dictionary(), JoinedCodes(tiers.codes())
    chosen = candidates(saved.table.num_vertices)
    sample = np.empty(len(chosen), np.uint8)

    def read(start: int, stop: int) -> NDArray[Any]:
        part = codes.read(start, stop)
        low, high = np.searchsorted(chosen, [start, stop])
        sample[low:high] = dictionary.value[part[chosen[low:high] - start]]
        return part

    encoder = Encoder(saved.table, saved.space, dictionary, read)
    encoder.read_all()
    if not saved.table.has_remoteness:  # its values are not read by codes
        sample[:] = saved.table.values(chosen)
    table = write_meaning(writer, encoder, dictionary, tiers.records())
    rules = fingerprint(saved.space, lambda _candidates: sample)
    facts = facts_of(saved, encoder.distribution(), rules) | {"table": table}
    return directory.write_rest(writer, saved.space, spec, names, facts)


# -- the folder of an unfinished solve ---------------------------------------------------------------


@dataclass
class Journal:
    """The files that an unfinished solve has written. A journal is replaced as a whole, in one step.

    Parameters
    ----------
    identity : dict of str to str or None
        See :func:`retrosolve.store.identity_of`.
    words : list of int
        The packed words that occur in finished tiers; their places are the codes.
    parts : list of dict
        The arrays of finished tiers: the description of each as "array", and as "tiers" how many
        consecutive tiers it holds.
    marks : dict of str to dict
        By tier, the file that says which indices are positions, and its checksum.
    state : dict, optional
        The last snapshot: its file, its facts and its arrays.
    num_edges, highest : int
        The edges and the largest remoteness of finished tiers.
    finished : str
        The SHA-256 of the manifest, once everything is written.
    """

    identity: Identity
    words: list[int] = field(default_factory=list)
    parts: list[dict[str, Any]] = field(default_factory=list)
    marks: dict[str, dict[str, Any]] = field(default_factory=dict)
    state: dict[str, Any] | None = None
    num_edges: int = 0
    highest: int = 0
    finished: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on disk yet."""
        return not (self.parts or self.marks or self.state or self.finished)

    def write(self, folder: Path) -> None:
        """Write the journal and flush it to disk. Raises OSError."""
        record = {"format": FORMAT, "version": VERSION} | asdict(self)
        temporary = folder / f"{JOURNAL}.new"
        with flushed(temporary, "wb") as file:
            file.write(json.dumps(record | {CHECKSUM: record_digest(record)}).encode())
        temporary.replace(folder / JOURNAL)
        sync_folder(folder)

    @classmethod
    def read(cls, folder: Path) -> Journal | None:
        """Return the journal in a folder; None if there is none. Raises StoreError."""
        path = folder / JOURNAL
        with system_errors("read", path):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
        try:
            record = json.loads(data)
            sound = record.pop(CHECKSUM) == record_digest(record)
            kind = record.pop("format"), record.pop("version")
            sound = sound and kind == (FORMAT, VERSION)
            sound = sound and set(record) == {part.name for part in fields(cls)}
        except (ValueError, KeyError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise StoreError(f"{path} is damaged or of another version: expected {folder} deleted")
        return cls(**record)


def partial_path(target: Path) -> Path:
    """Return the path of the folder of an unfinished solve of ``target``."""
    return beside(target, PARTIAL)


@contextmanager
def lock(target: Path) -> Iterator[Path]:
    """Lock the folder of an unfinished solve, made if it is absent, for this process alone.

    Raises
    ------
    StoreError
        If another process has it.
    OSError
    """
    path = partial_path(target)
    with locked(path, target):
        try:
            yield path
        finally:
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


class PartialSolution(Checkpoint):
    """An unfinished solve on disk.

    Parameters
    ----------
    folder : Path
        Locked by :func:`lock`.
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
        """Whether finished tiers have to be written, to be on disk within seconds."""
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
        return SnapshotFile(self.folder / state["file"], state["arrays"], state["facts"])

    def note(self, path: Path, **changes: Any) -> None:
        """Change fields of the journal for a new file or folder, on disk within seconds.

        Raises StoreError.
        """
        self.journal = replace(self.journal, **changes)
        self._unwritten.append(path)
        if self.late:
            self.update()

    def flush(self) -> None:
        """Write the tiers that wait in memory, and the noted changes. Raises StoreError."""
        if self.tiers is not None:
            self.tiers.flush()
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
            delete(path)


def sync(path: Path) -> None:
    """Flush a file, or all files below a folder and their names, to disk. Raises OSError."""
    if path.is_file():
        with path.open("rb") as file:
            os.fsync(file.fileno())
        return
    for inner in path.iterdir():
        sync(inner)
    sync_folder(path)


def no_room(path: Path, needed: int, error: OSError) -> StoreError:
    """Return the error for a part of an unfinished solve that could not be written."""
    return StoreError(
        f"cannot write {path}, which needs up to {format_bytes(needed)}: {error_text(error)}: "
        "expected room for it, then the same solve with resume"
    )


# -- snapshots: arrays in one file, without a copy in memory -----------------------------------------


def write_snapshot(path: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Write arrays into a new file and flush it to disk.

    Returns
    -------
    dict
        The file and its arrays, for :class:`SnapshotFile`.

    Raises
    ------
    OSError
    """
    with flushed(path, "wb") as file:
        return {"file": path.name, "arrays": write_arrays(file, arrays)}


def write_arrays(file: IO[bytes], arrays: Mapping[str, NDArray[Any]]) -> dict[str, dict[str, Any]]:
    """Write arrays one after the other; return where each is, with its checksum. Raises OSError."""
    places: dict[str, dict[str, Any]] = {}
    offset = 0
    for name, array in arrays.items():
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        places[name] = {
            "offset": offset, "dtype": array.dtype.str, "shape": list(array.shape),
            "crc32c": write_chunks(file, flat.data),
        }  # fmt: skip
        offset += len(flat)
    return places


class SnapshotFile:
    """A snapshot as it was written.

    Parameters
    ----------
    path : str or Path
    arrays : dict
        As returned by :func:`write_arrays`.
    facts : mapping, optional
        What belongs to the arrays.
    opened : callable, optional
        Opens the file, on a file system of its own.
    """

    def __init__(
        self, path: str | Path, arrays: dict[str, dict[str, Any]], facts: Facts = MappingProxyType({}),
        opened: Callable[..., IO[bytes]] = open,
    ) -> None:  # fmt: skip
        self.path, self.facts = path, facts
        self._arrays, self._opened = arrays, opened

    @property
    def names(self) -> set[str]:
        """The names of the arrays."""
        return set(self._arrays)

    def array(self, name: str) -> NDArray[Any]:
        """Return an array. Raises StoreError."""
        place = self._arrays[name]
        out = np.empty(tuple(place["shape"]), place["dtype"])
        self._read(name, out)
        return out

    def read(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Read arrays into others of the same names, shapes and dtypes. Raises StoreError."""
        for name, out in arrays.items():
            self._read(name, out)

    def _read(self, name: str, out: NDArray[Any]) -> None:
        """Read an array into another. Raises StoreError."""
        place = self._arrays[name]
        if list(out.shape) != place["shape"] or out.dtype.str != place["dtype"]:
            raise damaged(self.path, f"its array {name} has another shape")
        flat, checksum = out.reshape(-1).view(np.uint8), 0
        with system_errors("read", self.path), self._opened(self.path, "rb") as file:
            file.seek(place["offset"])
            for start in range(0, len(flat), CHUNK):
                part = file.read(min(CHUNK, len(flat) - start))
                flat[start : start + len(part)] = np.frombuffer(part, np.uint8)
                checksum = google_crc32c.extend(checksum, part)
        if checksum != place["crc32c"]:
            raise damaged(self.path, f"its array {name} has another checksum")


# -- finished tiers ----------------------------------------------------------------------------------


class TierFiles:
    """The tiers of a game on disk, as in a saved solution; see :class:`runtime.context.Tiers`.

    Small tiers wait in memory, to be written together: an array and flushing it to disk take
    milliseconds. So do all tiers of a game that stays in memory as a whole; if it is solved within
    seconds, nothing is written before its end. The dictionary of the codes grows with each part, so
    that none has to be written again. The digest of a solution does not depend on its order.

    Parameters
    ----------
    partial : PartialSolution
    tiers : sequence of int
        The first index of each tier.
    num_vertices : int
    """

    def __init__(self, partial: PartialSolution, tiers: Iterable[int], num_vertices: int) -> None:
        self._partial = partial
        self._first = [*tiers, num_vertices]
        self._opened: dict[int, Codes] = {}
        self._part_starts: list[int] = [0, *accumulate(part["tiers"] for part in partial.journal.parts)]
        self._waiting: list[IntArray] = []  # the words of finished tiers that are in no part yet
        self._held: Read | None = None
        self.coding: Coding | None = None
        self._marks: Marks | None = None
        self.num_edges: int = partial.journal.num_edges
        self.highest = partial.journal.highest

    @property
    def num_finished(self) -> int:
        """The number of finished tiers."""
        return self.num_written + len(self._waiting)

    @property
    def num_written(self) -> int:
        """The number of tiers in the parts."""
        return self._part_starts[-1]

    @property
    def is_held(self) -> bool:
        """Whether finished tiers stay in memory."""
        return self._held is not None

    def _size(self, tier: int) -> int:
        """Return the number of indices of a tier."""
        return int(self._first[tier + 1] - self._first[tier])

    def hold(self, words: Read, marks: Marks | None) -> None:
        """Let finished tiers wait in memory, where they stay; see ``runtime.context.Tiers``."""
        self._held, self._marks = words, marks

    def write(self, tier: int, read: Read, num_edges: int, highest: int, pool: ThreadPool) -> None:
        """Write the next tier, with the edges and the largest remoteness so far.

        ``read(start, stop)`` returns packed words of the tier to the threads of the pool.

        Raises
        ------
        StoreError
        """
        assert tier == self.num_finished
        if self._held is not None or self._size(tier) < WORDS_PER_PART:
            if self._held is None:
                words = np.array(read(0, self._size(tier)))
                self._waiting.append(words if self.coding is None else self.coding.canonical(words))
            else:
                self._waiting.append(NO_WORDS)  # they are read from memory
            self.num_edges, self.highest = num_edges, highest
            is_full = self._held is None and sum(map(len, self._waiting)) >= WORDS_PER_PART
            if is_full or self._partial.late:
                self.flush(pool)
            return
        self.flush(pool)
        self.num_edges, self.highest = num_edges, highest
        self._write_words(1, read, pool)

    def write_in_parts(
        self, tier: int, words: IntArray, fill: Callable[[TierPlan], None], num_edges: int, highest: int
    ) -> None:
        """Write the next tier, whose codes others write; see ``runtime.context.Tiers``.

        Raises StoreError.
        """
        assert tier == self.num_finished
        self.flush()
        self.num_edges, self.highest = num_edges, highest
        folder = self._partial.solution

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            stored = writer.blocks(name, self._size(tier), code_dtype(len(every)), directory.LEVEL)
            fill(TierPlan(str(folder), stored, directory.LEVEL, every))
            return stored

        self._write_part(1, np.unique(canonical(words)), write)

    def flush(self, pool: ThreadPool = ALONE) -> None:
        """Write the tiers that wait in memory. Raises StoreError."""
        if self._marks is not None:
            for tier in range(self.num_finished, len(self._first) - 1):
                if str(tier) not in self._partial.journal.marks:
                    self.write_marks(tier, self._marks(tier))
            self._marks = None
        if self._waiting:
            self._write_words(len(self._waiting), self._joined(), pool)
            self._waiting.clear()

    def _joined(self) -> Read:
        """Return a reader of the words of the tiers that wait."""
        held, begin = self._held, self._first[self.num_written]
        if held is not None:
            return lambda start, stop: held(begin + start, begin + stop)
        words = np.concatenate(self._waiting)
        return lambda start, stop: words[start:stop]

    def _write_words(self, num_tiers: int, read: Read, pool: ThreadPool) -> None:
        """Write the words of the tiers after the last part as a part. Raises StoreError."""
        begin = self._part_starts[-1]
        size, work = self._first[begin + num_tiers] - self._first[begin], self._first[-1]
        distinct = DistinctWords(work)
        cuts = [*range(0, size, VERTICES_PER_SPAN), size]
        pool.map_ranges(lambda start, stop: distinct.add(read(start, stop)), cuts)
        words = distinct.words()
        own = canonical(words) if self.coding is None else self.coding.canonical(words)

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            codes = WordCodes(every, words, own, work)
            stored = writer.blocks(name, size, codes.dtype, directory.LEVEL)
            level = directory.LEVEL
            write_blocks(writer.folder, stored, level, lambda low, high: codes(read(low, high)), pool)
            return stored

        self._write_part(num_tiers, np.unique(own), write)

    def _write_part(
        self,
        num_tiers: int,
        words: IntArray,
        write: Callable[[ArrayWriter, str, IntArray], StoredArray],
    ) -> None:
        """Write the tiers after the last part, in which these words occur. Raises StoreError."""
        journal, begin = self._partial.journal, self._part_starts[-1]
        known = np.array(journal.words, np.uint64)
        every = np.concatenate([known, np.setdiff1d(words, known)])
        name, folder = f"table/part-{len(journal.parts)}", self._partial.solution
        shutil.rmtree(folder / name, ignore_errors=True)
        try:
            stored = write(ArrayWriter(folder, ATTRIBUTES), name, every)
            if not journal.parts:
                sync(folder)
        except OSError as error:
            size = self._first[begin + num_tiers] - self._first[begin]
            shutil.rmtree(folder / name, ignore_errors=True)
            raise no_room(folder / name, size * code_dtype(len(every)).itemsize, error) from None
        part = {"array": stored.record(), "tiers": num_tiers}
        self._part_starts.append(begin + num_tiers)
        self._partial.note(
            folder / name, words=every.tolist(), parts=[*journal.parts, part], state=None,
            num_edges=self.num_edges, highest=self.highest,
        )  # fmt: skip

    def read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return packed words ``start..stop-1`` of a finished tier. Raises StoreError."""
        if tier >= self._part_starts[-1]:
            return self._waiting[tier - self._part_starts[-1]][start:stop]
        part = bisect_right(self._part_starts, tier) - 1
        before = self._first[tier] - self._first[self._part_starts[part]]
        codes = self._blocks(part).read(before + start, before + stop)
        own = self.coding is not None
        words = np.array(self._partial.journal.words, np.uint64) if own else self.dictionary().words()
        found: IntArray = words[codes]
        return found

    def _blocks(self, part: int) -> Codes:
        """Return the codes of a part, read on demand."""
        codes = self._opened.get(part)
        if codes is None:
            journal, folder = self._partial.journal, self._partial.solution
            stored = StoredArray.from_record(journal.parts[part]["array"])
            begin, end = (self._first[tier] for tier in self._part_starts[part : part + 2])
            if stored is None or stored.shape != (end - begin,):
                raise damaged(self._partial.folder, f"its journal describes no part {part}")
            opened = {}
            for name in stored.chunks:
                with system_errors("read", folder / name):
                    opened[name] = open_file(folder / name)
            codes = opened_blocks(stored, folder, opened, len(journal.words))
            for file in opened.values():
                file.close()
            self._opened[part] = codes
        return codes

    def dictionary(self) -> Dictionary:
        """Return the dictionary of the codes of finished tiers."""
        words = np.array(self._partial.journal.words, np.uint64)
        if self.coding is not None:
            made: Dictionary = self.coding.dictionary(words)
            return made
        return Dictionary.of_words(words, True)

    def records(self) -> list[dict[str, Any]]:
        """Return the descriptions of the arrays of finished tiers."""
        return [part["array"] for part in self._partial.journal.parts]

    def codes(self) -> Sequence[Codes]:
        """Return the codes of all finished tiers in their parts, read on demand."""
        self.flush()
        return [self._blocks(part) for part in range(len(self._part_starts) - 1)]

    # -- which indices are positions ------------------------------------------------------------

    def write_marks(self, tier: int, parts: Iterable[ByteArray]) -> None:
        """Write which indices of a tier are positions, a bit for each. Raises StoreError."""
        path, size = self._partial.folder / f"marks-{tier}", -(-self._size(tier) // 8)
        compressor = zstandard.ZstdCompressor(level=MARKS_LEVEL, write_checksum=True)
        try:
            with path.open("wb") as file, compressor.stream_writer(file, size) as stream:
                for bits in parts:
                    stream.write(bits.tobytes())
                stream.flush(zstandard.FLUSH_FRAME)
                written = file.tell()
        except OSError as error:
            raise no_room(path, size, error) from None
        marks = self._partial.journal.marks | {str(tier): {"bytes": written}}
        self._partial.note(path, marks=marks)

    def has_marks(self, num_tiers: int) -> bool:
        """Return whether it is known of all tiers which indices are positions."""
        return len(self._partial.journal.marks) == num_tiers

    def read_marks(self, tier: int) -> ByteArray | None:
        """Return which indices of a tier are positions, None if unknown. Raises StoreError."""
        record = self._partial.journal.marks.get(str(tier))
        if record is None:
            return None
        path, size = self._partial.folder / f"marks-{tier}", self._size(tier)
        with system_errors("read", path):
            data = path.read_bytes()
        try:
            bits = zstandard.ZstdDecompressor().decompress(data, max_output_size=-(-size // 8))
        except zstandard.ZstdError as error:
            raise damaged(path, str(error)) from None
        return np.frombuffer(bits, np.uint8)


class TierPlan(NamedTuple):
    """How the codes of a tier are written by several processes.

    Parameters
    ----------
    folder : str
        The directory of the solution.
    array : StoredArray
        The array in it; one process writes one of its files.
    level : int
        The level of the compression.
    words : uint64 [k]
        The words that the codes stand for.
    """

    folder: str
    array: StoredArray
    level: int
    words: IntArray


def write_words(plan: TierPlan, start: int, words: IntArray) -> None:
    """Write the codes of the file of a tier that begins with ``start``. Raises StoreError."""
    distinct = DistinctWords(len(words))
    distinct.add(words)
    own = distinct.words()
    codes = WordCodes(plan.words, own, canonical(own), len(words))(words)
    folder, number = Path(plan.folder), start // plan.array.shard
    try:
        write_blocks(
            folder, plan.array, plan.level, lambda low, high: codes[low - start : high - start], ALONE,
            range(number, number + 1),
        )  # fmt: skip
    except OSError as error:
        raise no_room(folder / plan.array.name, codes.nbytes, error) from None
