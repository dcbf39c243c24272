"""Numbers for names that need not fit in memory: an external sort.

Each block of edges becomes a run: its names once each and ascending, and its edges as places in the
run. The runs are merged a part at a time, which numbers all names in ascending order; then the edges
of each block are numbered through the place of each of its names. Text is read once.
"""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.runtime import memory
from retrosolve.runtime.files import import_library
from retrosolve.runtime.spill import Spill, Stored
from retrosolve.spaces.parts.files import EdgeFile, Edges
from retrosolve.spaces.parts.names import SortedNames

SHARE_USED = 1 / 2  # of the free memory, without a budget
SHARE_KEPT = 1 / 4  # of the budget, for what would otherwise be on disk
BYTES_PER_EDGE = 800  # of a block: 600 were measured for names of 15 letters
BYTES_PER_NAME = 200  # of a part of a merge
MIN_EDGES, MAX_EDGES = 1 << 8, 1 << 22
MIN_NAMES = 16
PURPOSE = "numbering the names of vertices"


class Numbered(NamedTuple):
    """Edges with names as edges between numbers.

    Parameters
    ----------
    parts : sequence of EdgeFile
        The edges, in the order of the files.
    names : SortedNames
    rows : int [k]
        The numbers of the names of a table of vertices.
    """

    parts: Sequence[EdgeFile]
    names: SortedNames
    rows: IntArray


class NumberedPart(EdgeFile):
    """Edges of a block of a file, numbered, in memory or in a temporary file."""

    def __init__(self, path: Path, ends: Stored) -> None:
        super().__init__(path)
        self._stored = ends
        self._num_edges = ends.sizes[0]
        self.num_bytes = ends.num_bytes

    @property
    def num_edges(self) -> int:
        """The number of edges."""
        return self._num_edges

    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield sources and targets."""
        for start in range(0, self._num_edges, size):
            stop = min(start + size, self._num_edges)
            yield self._stored.read(0, start, stop), self._stored.read(1, start, stop)


class _Run:
    """The names of a block and its edges as places among them, until they are numbered.

    Parameters
    ----------
    path : Path
        The file of the block.
    names : Stored
        The bytes of the names, and where each ends.
    codes : Stored
        The place of the name at each source, and at each target.
    """

    def __init__(self, path: Path, names: Stored, codes: Stored) -> None:
        self.path = path
        self.names = names
        self.codes = codes
        self.numbers: list[Stored] = []
        self.read = 0
        self.buffer: Any = None

    @property
    def all_read(self) -> bool:
        """Whether no name is left to read."""
        return self.read == self.names.sizes[1]

    def fill(self, most: int) -> None:
        """Read the next names, if there is none in the buffer."""
        if len(self.buffer) or self.all_read:
            return
        arrow = import_library("pyarrow", PURPOSE)
        start, stop = self.read, min(self.read + most, self.names.sizes[1])
        ends = self.names.read(1, start, stop)
        first = int(self.names.read(1, start - 1, start)[0]) if start else 0
        data = self.names.read(0, first, int(ends[-1]))
        offsets = np.concatenate([[0], ends - first])
        buffers = [None, arrow.py_buffer(offsets), arrow.py_buffer(np.ascontiguousarray(data))]
        self.buffer = arrow.LargeStringArray.from_buffers(stop - start, *buffers[1:])
        self.read = stop


class _NameFile:
    """The names found so far, in two files."""

    def __init__(self, folder: Path) -> None:
        self._paths = [folder / "names.bin", folder / "ends.bin"]
        self.count = self._bytes = 0
        for path in self._paths:
            path.touch(exist_ok=False)

    def add(self, names: Any) -> None:
        """Append names."""
        data, ends = _in_bytes(names)
        with open(self._paths[0], "ab") as file:
            file.write(data.data)
        with open(self._paths[1], "ab") as file:
            file.write((ends + self._bytes).data)
        self.count += len(ends)
        self._bytes += len(data)

    def names(self) -> SortedNames:
        """Return the names, mapped from the files."""
        kinds = np.uint8, np.int64
        data, ends = (
            np.memmap(path, kind, "r") if self._bytes and self.count else np.zeros(0, kind)
            for path, kind in zip(self._paths, kinds, strict=True)
        )
        return SortedNames(data, ends)


def sort_names(
    files: Sequence[EdgeFile], rows: Any, scratch: Path | None, budget: int | None
) -> Numbered:
    """Number the names at the ends of edges, in ascending order.

    Parameters
    ----------
    files : sequence of EdgeFile
        With names.
    rows : array of text of pyarrow, optional
        Names of vertices that may be the end of no edge.
    scratch : Path or None
        Where a folder for temporary files is made, deleted with what is returned.
    budget : int or None
        The bytes of memory to use.

    Raises
    ------
    FormatError
        For a damaged file.
    StoreError
        If the disk is full.
    """
    budget = budget or int(SHARE_USED * memory.available())
    size = max(MIN_EDGES, min(int(budget * (1 - SHARE_KEPT)) // BYTES_PER_EDGE, MAX_EDGES))
    spill = Spill(int(SHARE_KEPT * budget), scratch)
    try:
        runs = [_run(file.path, ends, spill) for file in files for ends in file.name_blocks(size)]
        if rows is not None:
            runs.append(_run(Path(), (rows, rows[:0]), spill))
        with spill.errors_named():
            found = _NameFile(spill.folder())
            _merge(runs, found, spill, max(MIN_NAMES, budget // (BYTES_PER_NAME * len(runs))))
            names = found.names()
        numbers = [_numbered(run, index_dtype(found.count), spill) for run in runs]
    except BaseException:
        spill.close()
        raise
    weakref.finalize(names, spill.close)
    table = numbers.pop().read(0) if rows is not None else np.zeros(0, np.int64)
    parts = [NumberedPart(run.path, ends) for run, ends in zip(runs, numbers, strict=False)]
    return Numbered(parts, names, table)


def _run(path: Path, ends: tuple[Any, Any], spill: Spill) -> _Run:
    """Return the edges of a block as a run."""
    arrow = import_library("pyarrow", PURPOSE)
    names, places = _sorted(arrow.concat_arrays([side.cast(arrow.large_string()) for side in ends]))
    cut = len(ends[0])
    run = _Run(path, spill.keep(*_in_bytes(names)), spill.keep(places[:cut], places[cut:]))
    run.buffer = arrow.array([], arrow.large_string())  # a slice would keep all names
    return run


def _sorted(names: Any) -> tuple[Any, IntArray]:
    """Return names once each, ascending, and the place of each among them."""
    compute = import_library("pyarrow.compute", PURPOSE)
    coded = names.dictionary_encode()
    order = compute.sort_indices(coded.dictionary)
    place = np.empty(len(order), np.int32)
    place[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
    return coded.dictionary.take(order), place[coded.indices.to_numpy()]


def _in_bytes(names: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the bytes of names, and where each of them ends."""
    _, offsets, data = names.buffers()
    bounds = np.frombuffer(offsets, np.int64)[names.offset : names.offset + len(names) + 1]
    every = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    first, last = int(bounds[0]), int(bounds[-1])
    return every[first:last], bounds[1:] - first


def _merge(runs: Sequence[_Run], found: _NameFile, spill: Spill, most: int) -> None:
    """Merge the names of all runs, and note the number of each in its runs.

    Every name up to the smallest of the last names in the buffers is in the buffers.
    """
    arrow = import_library("pyarrow", PURPOSE)
    while True:
        for run in runs:
            run.fill(most)
        if not any(len(run.buffer) for run in runs):
            return
        bound = min((run.buffer[-1].as_py() for run in runs if not run.all_read), default=None)
        cuts = [
            len(run.buffer)
            if bound is None
            else bisect_right(run.buffer, bound, key=lambda name: name.as_py())
            for run in runs
        ]
        pieces = [run.buffer[:cut] for run, cut in zip(runs, cuts, strict=True)]
        names, places = _sorted(arrow.concat_arrays(pieces))
        numbers = np.split(places.astype(np.int64) + found.count, np.cumsum(cuts)[:-1])
        found.add(names)
        for run, cut, part in zip(runs, cuts, numbers, strict=True):
            run.buffer = run.buffer[cut:]
            if cut:
                run.numbers.append(spill.keep(part))


def _numbered(run: _Run, dtype: Any, spill: Spill) -> Stored:
    """Return the ends of the edges of a run by number."""
    none: IntArray = np.zeros(0, np.int64)
    numbers = np.concatenate([none, *(part.read(0) for part in run.numbers)]).astype(dtype)
    ends = [numbers[places] for places in run.codes.read_all()]
    for stored in (run.names, run.codes, *run.numbers):
        stored.drop()
    return spill.keep(*ends)
