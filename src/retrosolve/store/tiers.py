"""The finished tiers of an unfinished solve, written as they are in a saved solution.

Small tiers wait in memory, to be written together: an array and flushing it to disk take milliseconds.
So do all tiers of a game that stays in memory as a whole; if it is solved within seconds, nothing is
written before its end. The dictionary of the codes grows with each part, so that none has to be written
again. The digest of a solution does not depend on the order of its dictionary (``store.encoding``).
"""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime.files import open_file
from retrosolve.runtime.threads import ALONE, ThreadPool
from retrosolve.store.arrays import StoredArray, opened_blocks
from retrosolve.store.folder import damaged, failed
from retrosolve.store.partial import Partial, no_room, sync
from retrosolve.store.recoding import Recoder, Seen
from retrosolve.store.writer import ArrayWriter, write_shard
from retrosolve.tables.base import VERTICES_PER_SPAN
from retrosolve.tables.coded import Codes, Dictionary
from retrosolve.tables.summary import spans

MARKS_LEVEL = 1  # of zstd
WORDS_PER_PART = 1 << 20  # a tier of so many is written at once

Read = Callable[[int, int], IntArray]
Marks = Callable[[int], Iterable[ByteArray]]


class TierFiles:
    """The tiers of a game on disk; see :class:`retrosolve.runtime.checkpoint.Tiers`.

    Parameters
    ----------
    partial : Partial
    tiers : sequence of int
        The first index of each tier.
    num_vertices : int
    attributes : dict
        What the group of the arrays says of itself.
    level : int
        The level of the compression.
    """

    def __init__(
        self, partial: Partial, tiers: Iterable[int], num_vertices: int, attributes: dict[str, Any],
        level: int,
    ) -> None:  # fmt: skip
        self._partial = partial
        self._first = [*tiers, num_vertices]
        self._attributes = attributes
        self._level = level
        self._opened: dict[int, Codes] = {}
        self._part_starts: list[int] = [0, *accumulate(part["tiers"] for part in partial.journal.parts)]
        self._waiting: list[IntArray] = []  # the words of finished tiers that are in no part yet
        self._held: Read | None = None
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

    def _size(self, tier: int) -> int:
        """Return the number of indices of a tier."""
        return int(self._first[tier + 1] - self._first[tier])

    def hold(self, words: Read, marks: Marks | None) -> None:
        """Let finished tiers wait in memory, where they stay; see ``runtime.checkpoint.Tiers``."""
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
            words = read(0, self._size(tier))
            self._waiting.append(np.array(words) if self._held is None else words)
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
        """Write the next tier, whose codes others write; see ``runtime.checkpoint.Tiers``.

        Raises StoreError.
        """
        assert tier == self.num_finished
        self.flush()
        self.num_edges, self.highest = num_edges, highest
        folder = self._partial.solution

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            stored = writer.empty_blocks(name, self._size(tier), code_dtype(every), self._level)
            fill(TierPlan(str(folder), stored, self._level, every))
            return stored

        self._write_part(1, _canonical(words), write)

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
        """Return what reads the words of the tiers that wait."""
        held, begin = self._held, self._first[self.num_written]
        if held is not None:
            return lambda start, stop: held(begin + start, begin + stop)
        words = np.concatenate(self._waiting)
        return lambda start, stop: words[start:stop]

    def _write_words(self, num_tiers: int, read: Read, pool: ThreadPool) -> None:
        """Write the words of the tiers after the last part as a part. Raises StoreError."""
        begin = self._part_starts[-1]
        size, work = self._first[begin + num_tiers] - self._first[begin], self._first[-1]

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            code = _Coder(every, read(0, 0).dtype, work)
            return writer.blocks(
                name, size, code.dtype, lambda low, high: code(read(low, high)), self._level, pool=pool
            )

        self._write_part(num_tiers, _canonical(_distinct(read, size, work, pool)), write)

    def _write_part(
        self,
        num_tiers: int,
        found: IntArray,
        write: Callable[[ArrayWriter, str, IntArray], StoredArray],
    ) -> None:
        """Write the tiers after the last part, in which these words occur. Raises StoreError."""
        journal, begin = self._partial.journal, self._part_starts[-1]
        known = np.array(journal.words, np.uint64)
        every = np.concatenate([known, np.setdiff1d(found, known)])
        name, folder = f"table/part-{len(journal.parts)}", self._partial.solution
        shutil.rmtree(folder / name, ignore_errors=True)
        try:
            stored = write(ArrayWriter(folder, self._attributes), name, every)
            if not journal.parts:
                sync(folder)
        except OSError as error:
            size = self._first[begin + num_tiers] - self._first[begin]
            shutil.rmtree(folder / name, ignore_errors=True)
            raise no_room(folder / name, size * code_dtype(every).itemsize, error) from None
        part = {"array": stored.record(), "tiers": num_tiers}
        self._part_starts.append(begin + num_tiers)
        self._partial.note(
            folder / name, words=every.tolist(), parts=[*journal.parts, part], state=None,
            num_edges=self.num_edges, highest=self.highest,
        )  # fmt: skip

    def read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return packed words ``start..stop-1`` of a finished tier. Raises StoreError."""
        if tier >= self._part_starts[-1]:
            waiting: IntArray = self._waiting[tier - self._part_starts[-1]][start:stop]
            return waiting
        part = bisect_right(self._part_starts, tier) - 1
        before = self._first[tier] - self._first[self._part_starts[part]]
        codes = self._blocks(part).read(before + start, before + stop)
        words: IntArray = self.dictionary().words()[codes]
        return words

    def _blocks(self, part: int) -> Codes:
        """Return the codes of a part, read on demand."""
        found = self._opened.get(part)
        if found is None:
            journal, folder = self._partial.journal, self._partial.solution
            stored = StoredArray.from_record(journal.parts[part]["array"])
            begin, end = (self._first[tier] for tier in self._part_starts[part : part + 2])
            if stored is None or stored.shape != (end - begin,):
                raise damaged(self._partial.folder, f"its journal describes no part {part}")
            opened = {}
            for name in stored.chunks():
                try:
                    opened[name] = open_file(folder / name)
                except OSError as error:
                    raise failed("read", folder / name, error) from None
            found = opened_blocks(stored, folder, opened, len(journal.words))
            for file in opened.values():
                file.close()
            self._opened[part] = found
        return found

    def dictionary(self) -> Dictionary:
        """Return what the codes of finished tiers stand for."""
        return Dictionary.of_words(np.array(self._partial.journal.words, np.uint64), True)

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
        try:
            data = path.read_bytes()
        except OSError as error:
            raise failed("read", path, error) from None
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
    """Write the codes of a file of a tier, whose words are given. Raises StoreError."""
    codes = _Coder(plan.words, words.dtype, len(words))(words)
    folder = Path(plan.folder)
    try:
        write_shard(
            folder, plan.array, plan.level, start,
            lambda low, high: codes[low - start : high - start], ALONE,
        )  # fmt: skip
    except OSError as error:
        raise no_room(folder / plan.array.name, codes.nbytes, error) from None


def code_dtype(words: IntArray) -> np.dtype[Any]:
    """Return the narrowest type of the codes of so many words."""
    return np.dtype(np.min_scalar_type(max(len(words) - 1, 0)))


class _Coder:
    """The codes of packed words by their place in a dictionary.

    Parameters
    ----------
    words : uint64 [k]
        The dictionary.
    dtype : dtype
        Of packed words.
    work : int
        How many are to be looked up.
    """

    def __init__(self, words: IntArray, dtype: Any, work: int) -> None:
        self.dtype: Any = code_dtype(words)
        self._order = np.argsort(words).astype(self.dtype)
        self._sorted = words[np.argsort(words)]
        self._recoder: Recoder | None = None
        if dtype == np.uint16:
            every = np.arange(1 << 16, dtype=np.uint64)
            lookup = self._searched(_canonical(every, keep=True))
            self._recoder = Recoder(lookup, len(words), work)

    def _searched(self, words: IntArray) -> NDArray[Any]:
        """Return the codes of canonical words by bisection."""
        at = np.minimum(np.searchsorted(self._sorted, words), len(self._sorted) - 1)
        found: NDArray[Any] = self._order[at]
        return found

    def __call__(self, words: IntArray) -> NDArray[Any]:
        """Return the codes of packed words."""
        if self._recoder is not None:
            return self._recoder(words)
        return self._searched(_canonical(words.astype(np.uint64), keep=True))


def _canonical(words: IntArray, keep: bool = False) -> IntArray:
    """Return words as a finished table has them, each once and ascending unless ``keep``."""
    found = Dictionary.of_words(words, True).words().astype(np.uint64)
    return found if keep else np.unique(found)


def _distinct(read: Read, size: int, work: int, pool: ThreadPool) -> IntArray:
    """Return the words that occur, ascending."""
    if read(0, 0).dtype == np.uint16:
        seen, cuts = Seen(work), [*range(0, size, VERTICES_PER_SPAN), size]
        pool.map_ranges(lambda start, stop: seen.add(read(start, stop)), cuts)
        return seen.words().astype(np.uint64)
    found = np.zeros(0, np.uint64)
    for span in spans(size):
        found = np.union1d(found, read(*span).astype(np.uint64))
    return found
