"""The finished tiers of an unfinished solve, written as they are in a saved solution.

The dictionary of the codes grows with each tier, so that no tier has to be written again. The digest of
a solution does not depend on the order of its dictionary (``store.encoding``).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.runtime.files import open_file
from retrosolve.store.arrays import ArrayWriter, StoredArray, opened_blocks, write_shard
from retrosolve.store.folder import damaged, failed
from retrosolve.store.partial import Partial, no_room, sync
from retrosolve.tables.coded import Codes, Dictionary
from retrosolve.tables.summary import spans

MARKS_LEVEL = 1  # of zstd

Read = Callable[[int, int], IntArray]


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
        self._sizes = [above - below for below, above in pairwise([*tiers, num_vertices])]
        self._attributes = attributes
        self._level = level
        self._opened: dict[int, Codes] = {}

    @property
    def num_finished(self) -> int:
        """The number of finished tiers."""
        return len(self._partial.journal.tiers)

    @property
    def num_edges(self) -> int:
        """The number of edges out of finished tiers."""
        return self._partial.journal.num_edges

    @property
    def highest(self) -> int:
        """The largest remoteness in finished tiers."""
        return self._partial.journal.highest

    def write(self, tier: int, read: Read, num_edges: int, highest: int) -> None:
        """Write the next tier, with the edges and the largest remoteness so far.

        ``read(start, stop)`` returns packed words of the tier. Raises StoreError.
        """
        size = self._sizes[tier]

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            code = _Coder(every, read(0, 0).dtype)
            return writer.blocks(
                name, size, code.dtype, lambda low, high: code(read(low, high)), self._level
            )

        self._write(tier, _canonical(_distinct(read, size)), write, num_edges, highest)

    def write_in_parts(
        self, tier: int, words: IntArray, fill: Callable[[TierPlan], None], num_edges: int, highest: int
    ) -> None:
        """Write the next tier, whose codes others write; see ``runtime.checkpoint.Tiers``.

        Raises StoreError.
        """
        folder = self._partial.solution

        def write(writer: ArrayWriter, name: str, every: IntArray) -> StoredArray:
            stored = writer.empty_blocks(name, self._sizes[tier], _code_dtype(every), self._level)
            fill(TierPlan(str(folder), name, stored.shape[0], stored.shard, every))
            return stored

        self._write(tier, _canonical(words), write, num_edges, highest)

    def _write(
        self, tier: int, found: IntArray,
        write: Callable[[ArrayWriter, str, IntArray], StoredArray], num_edges: int, highest: int,
    ) -> None:  # fmt: skip
        """Write the next tier, in which these words occur. Raises StoreError."""
        assert tier == self.num_finished
        known = np.array(self._partial.journal.words, np.uint64)
        every = np.concatenate([known, np.setdiff1d(found, known)])
        name, folder = f"table/tier-{tier}", self._partial.solution
        shutil.rmtree(folder / name, ignore_errors=True)
        try:
            stored = write(ArrayWriter(folder, self._attributes), name, every)
            if tier == 0:
                sync(folder)
        except OSError as error:
            needed = self._sizes[tier] * np.dtype(_code_dtype(every)).itemsize
            shutil.rmtree(folder / name, ignore_errors=True)
            raise no_room(folder / name, needed, error) from None
        journal = self._partial.journal
        self._partial.note(
            folder / name, words=every.tolist(), tiers=[*journal.tiers, stored.record()], state=None,
            num_edges=num_edges, highest=highest,
        )  # fmt: skip

    def read(self, tier: int, start: int, stop: int) -> IntArray:
        """Return packed words ``start..stop-1`` of a finished tier. Raises StoreError."""
        words: IntArray = self.dictionary().words()[self._blocks(tier).read(start, stop)]
        return words

    def _blocks(self, tier: int) -> Codes:
        """Return the codes of a finished tier, read on demand."""
        found = self._opened.get(tier)
        if found is None:
            journal, folder = self._partial.journal, self._partial.solution
            stored = StoredArray.from_record(journal.tiers[tier])
            if stored is None or stored.shape != (self._sizes[tier],):
                raise damaged(self._partial.folder, f"its journal describes no tier {tier}")
            opened = {}
            for name in stored.chunks():
                try:
                    opened[name] = open_file(folder / name)
                except OSError as error:
                    raise failed("read", folder / name, error) from None
            found = opened_blocks(stored, folder, opened, len(journal.words))
            for file in opened.values():
                file.close()
            self._opened[tier] = found
        return found

    def dictionary(self) -> Dictionary:
        """Return what the codes of finished tiers stand for."""
        return Dictionary.of_words(np.array(self._partial.journal.words, np.uint64), True)

    def records(self) -> list[dict[str, Any]]:
        """Return the descriptions of the arrays of finished tiers."""
        return self._partial.journal.tiers

    def codes(self) -> list[Codes]:
        """Return the codes of all finished tiers, read on demand."""
        return [self._blocks(tier) for tier in range(self.num_finished)]

    # -- which indices are positions ------------------------------------------------------------

    def write_marks(self, tier: int, bits: ByteArray) -> None:
        """Write which indices of a tier are positions, a bit for each. Raises StoreError."""
        path = self._partial.folder / f"marks-{tier}"
        compress = zstandard.ZstdCompressor(level=MARKS_LEVEL, write_checksum=True).compress
        data = compress(bits.tobytes())
        try:
            path.write_bytes(data)
        except OSError as error:
            raise no_room(path, len(data), error) from None
        marks = self._partial.journal.marks | {str(tier): {"bytes": len(data)}}
        self._partial.note(path, marks=marks)

    def has_marks(self, num_tiers: int) -> bool:
        """Return whether it is known of all tiers which indices are positions."""
        return len(self._partial.journal.marks) == num_tiers

    def read_marks(self, tier: int) -> ByteArray | None:
        """Return which indices of a tier are positions, None if unknown. Raises StoreError."""
        record = self._partial.journal.marks.get(str(tier))
        if record is None:
            return None
        path, size = self._partial.folder / f"marks-{tier}", self._sizes[tier]
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
    folder, name : str
        The directory of the solution, and the array in it.
    size, shard : int
        The vertices of the tier, and those of a file, which one process writes.
    words : uint64 [k]
        The words that the codes stand for.
    """

    folder: str
    name: str
    size: int
    shard: int
    words: IntArray


def write_words(plan: TierPlan, start: int, words: IntArray) -> None:
    """Write the codes of a file of a tier, whose words are given. Raises StoreError."""
    code = _Coder(plan.words, words.dtype)
    try:
        write_shard(Path(plan.folder), plan.name, start, code(words))
    except OSError as error:
        path = Path(plan.folder) / plan.name
        raise no_room(path, len(words) * np.dtype(code.dtype).itemsize, error) from None


def _code_dtype(words: IntArray) -> Any:
    """Return the narrowest type of the codes of so many words."""
    return np.min_scalar_type(max(len(words) - 1, 0))


class _Coder:
    """The codes of packed words by their place in a dictionary."""

    def __init__(self, words: IntArray, dtype: Any) -> None:
        self.dtype: Any = _code_dtype(words)
        self._order = np.argsort(words).astype(self.dtype)
        self._sorted = words[np.argsort(words)]
        self._lookup: NDArray[Any] | None = None
        if dtype == np.uint16:
            every = np.arange(1 << 16, dtype=np.uint64)
            self._lookup = self._searched(_canonical(every, keep=True))

    def _searched(self, words: IntArray) -> NDArray[Any]:
        """Return the codes of canonical words by bisection."""
        at = np.minimum(np.searchsorted(self._sorted, words), len(self._sorted) - 1)
        found: NDArray[Any] = self._order[at]
        return found

    def __call__(self, words: IntArray) -> NDArray[Any]:
        """Return the codes of packed words."""
        if self._lookup is not None:
            return self._lookup[words]
        return self._searched(_canonical(words.astype(np.uint64), keep=True))


def _canonical(words: IntArray, keep: bool = False) -> IntArray:
    """Return words as a finished table has them, each once and ascending unless ``keep``."""
    found = Dictionary.of_words(words, True).words().astype(np.uint64)
    return found if keep else np.unique(found)


def _distinct(read: Read, size: int) -> IntArray:
    """Return the words that occur, ascending."""
    if read(0, 0).dtype == np.uint16:
        seen = np.zeros(1 << 16, bool)
        for span in spans(size):
            seen[read(*span)] = True
        return np.flatnonzero(seen).astype(np.uint64)
    found = np.zeros(0, np.uint64)
    for span in spans(size):
        found = np.union1d(found, read(*span).astype(np.uint64))
    return found
