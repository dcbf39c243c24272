"""Names of vertices that need not fit in memory: numbered by an external merge sort, kept on disk.

The text is read once. Names are numbered in order of first appearance in a table in memory; whenever
the table is full, its names become a run on disk, sorted. The ends of all edges are on disk as numbers
within their runs. All runs are merged at once, which numbers all names in ascending order and notes the
place of each name of a run. Then the ends are numbered anew, run by run.

Whatever the number of runs, there are seven temporary files at most.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import log
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, spans
from retrosolve.compilation import jit
from retrosolve.compilation.unsigned import u64
from retrosolve.external.files import BATCH_BYTES, READ_BYTES, EdgeFile, Edges, text_bytes
from retrosolve.external.scratch import ScratchFile
from retrosolve.runtime import memory
from retrosolve.runtime.context import Progress, ProgressCallback
from retrosolve.runtime.files import import_library
from retrosolve.spaces.csr.ids import NameNumbers

SHARE_USED = 1 / 2  # of the free memory, without a budget
NAME_BYTES = 48  # of each name in a table besides its text: hashing, sorting and numbering it
TABLE_BYTES = 4 << 20  # of a table at least
ENTRIES_AT_ONCE = 1 << 16  # of what is read to be numbered anew
MARKS_PER_BYTE = 1 / 8  # of the budget, to estimate how many names there are: an error of 0.1 %
WORK_PER_BYTE = 8  # of a file
PURPOSE = "numbering the names of vertices"

Names = tuple[ByteArray, IntArray]  # the text of some names; where each begins, and the last one ends


class NumberedPart(EdgeFile):
    """The edges of a file, numbered, in a temporary file.

    Parameters
    ----------
    path : Path
        The file.
    numbers : ScratchFile
        Sources and targets in turn.
    kind : dtype
        Of the numbers.
    start, stop : int
        The edges of the file.
    """

    def __init__(
        self, path: Path, numbers: ScratchFile, kind: np.dtype[Any], start: int, stop: int
    ) -> None:
        super().__init__(path)
        self._numbers, self._kind, self._start = numbers, kind, start
        self._num_edges = stop - start
        self.num_bytes = 2 * self._num_edges * kind.itemsize

    @property
    def num_edges(self) -> int:
        """The number of edges."""
        return self._num_edges

    def blocks(self, size: int) -> Iterator[Edges]:
        """Yield sources and targets."""
        for start, stop in spans(self._start + self._num_edges, size, self._start):
            ends = self._numbers.read(self._kind, 2 * start, 2 * stop)
            yield ends[::2], ends[1::2]


def sort_names(
    files: Sequence[EdgeFile],
    rows: Iterable[Any],
    scratch: Path | None,
    budget: int | None,
    progress: ProgressCallback,
) -> tuple[Sequence[EdgeFile], SortedNames, IntArray]:
    """Number the names at the ends of edges, in ascending order.

    Parameters
    ----------
    files : sequence of EdgeFile
        With names.
    rows : iterable of text of pyarrow
        Names of vertices that may be the end of no edge.
    scratch : Path or None
        The folder whose disk the temporary files are on, deleted with what is returned.
    budget : int or None
        The bytes of memory to use.
    progress : callable
        Called with the stages "reading names", "merging names" and "numbering edges".

    Returns
    -------
    parts : sequence of EdgeFile
        The edges between numbers, in the order of the files.
    names : SortedNames
    numbers : int [k]
        The numbers of ``rows``.

    Raises
    ------
    FormatError
        For a damaged file.
    MemoryBudgetError
        If the budget is too small for a name, or for a name of each run.
    StoreError
        If the disk is full.
    """
    budget = budget or int(SHARE_USED * memory.available())
    reading = _Reading(files, rows, scratch, budget, progress)
    names, places = reading.names, None
    if len(reading.runs) > 1:
        names, places = _merge(reading, scratch, progress)
    del reading.table
    numbers, kind = _renumber(reading, places, names.count, scratch, progress)
    cuts = [0, *accumulate(reading.part_sizes)]
    parts = [
        NumberedPart(part.path, numbers, kind, start // 2, stop // 2)
        for part, (start, stop) in zip(files, pairwise(cuts), strict=False)
    ]
    memory.give_back()
    return parts, names.mapped(), numbers.read(kind, *cuts[-2:])


class _Run(NamedTuple):
    """Sorted names ``first..stop-1``, and the number of ends of edges that have them."""

    first: int
    stop: int
    num_ends: int


class _Reading:
    """What is read of all files: runs, and the ends of edges as numbers within their runs.

    Attributes
    ----------
    names : NamesOnDisk
        The names of all runs, each in ascending order.
    endpoints : ScratchFile
        The numbers, int32: of the source and the target of each edge, and of the rows.
    orders : ScratchFile
        The place in its run of each name of it, by order of first appearance, int32.
    part_sizes : list of int
        How many of the ends belong to each file, the rows last.
    longest : int
        The bytes of the longest name.
    """

    def __init__(
        self, files: Sequence[EdgeFile], rows: Iterable[Any], scratch: Path | None, budget: int,
        progress: ProgressCallback,
    ) -> None:  # fmt: skip
        self.names = NamesOnDisk(scratch)
        self.runs: list[_Run] = []
        self.endpoints, self.orders = ScratchFile(scratch), ScratchFile(scratch)
        self.table = _Table(max(budget - READ_BYTES, budget // 2), _work(files))
        self.budget = budget
        self.part_sizes: list[int] = []
        self.longest = done = 0
        total = known_edges(files)
        for part in files:
            before = done
            for ends in part.name_blocks():
                self._add([text_bytes(side) for side in ends])
                done += len(ends[0])
                progress(Progress("reading names", done, total))
            self.part_sizes.append(2 * (done - before))
        for names in rows:
            self._add([text_bytes(names)])
        self.part_sizes.append(self.endpoints.size // 4 - 2 * done)
        self._end_run()

    def check_room(self, num_names: int, what: str) -> None:
        """Raise MemoryBudgetError unless the table has room for so many of the longest names."""
        needed = self.budget + num_names * (self.longest + NAME_BYTES) - self.table.room
        memory.check_budget(needed, what, self.budget)

    def _add(self, batches: list[Names]) -> None:
        """Add equally many names, or sources and targets."""
        if not self.table.fits(*batches):
            self._end_run()
        longest = max(int(np.diff(bounds).max(initial=0)) for _, bounds in batches)
        if longest > self.longest:
            self.longest = longest
            self.check_room(4, f"numbering a name of {longest} bytes")
        numbers = [self.table.add(names) for names in batches]
        self.endpoints.append(np.stack(numbers, 1))

    def _end_run(self) -> None:
        """Make a run of the names in the table."""
        if self.table.count:
            first, before = self.names.count, sum(run.num_ends for run in self.runs)
            batches, places = self.table.sorted()
            self.names.extend(batches)
            self.orders.append(places)
            self.runs.append(_Run(first, self.names.count, self.endpoints.size // 4 - before))
            self.table.clear()


def _merge(
    reading: _Reading, scratch: Path | None, progress: ProgressCallback
) -> tuple[NamesOnDisk, ScratchFile]:
    """Return the names of all runs in ascending order, and the place there of each name of a run.

    Every name up to the smallest of the last names of a slice of each run is in these slices, so the
    table numbers and sorts them all at once.
    """
    runs, table, count = reading.runs, reading.table, reading.names.count
    reading.check_room(len(runs), f"merging {len(runs)} runs of names of up to {reading.longest} bytes")
    merged, places, kind = NamesOnDisk(scratch), ScratchFile(scratch), index_dtype(count)
    at = [run.first for run in runs]
    while sum(at) < sum(run.stop for run in runs):
        before = merged.count
        table.clear()
        slices = [
            (slot, table.add(names)) for slot, names in _slices(reading.names, runs, at, table.room)
        ]
        batches, ranks = table.sorted()
        merged.extend(batches)
        for slot, numbers in slices:
            place: IntArray = ranks[numbers].astype(kind)
            place += before
            places.write(place.itemsize * at[slot], place)
            at[slot] += len(numbers)
        progress(Progress("merging names", sum(at) - sum(run.first for run in runs), count))
    reading.names.close()
    return merged, places


def _slices(
    names: NamesOnDisk, runs: list[_Run], at: list[int], room: int
) -> Iterator[tuple[int, Names]]:
    """Yield the names of each run up to the smallest last name of the slices that there is room for."""
    share, lasts = room // len(runs), []
    for start, run in zip(at, runs, strict=True):
        if start < run.stop:
            data, bounds = names.read(start, run.stop, share)
            if start + len(bounds) - 1 < run.stop:
                lasts.append(data[bounds[-2] :].tobytes())
    last = min(lasts, default=None)
    for slot, (start, run) in enumerate(zip(at, runs, strict=True)):
        if start < run.stop:
            data, bounds = names.read(start, run.stop, share)
            count = len(bounds) - 1
            if last is not None:
                count = bisect_right(
                    range(count), last, key=lambda k: data[bounds[k] : bounds[k + 1]].tobytes()
                )
            if count:
                yield slot, (data[: bounds[count]], bounds[: count + 1])


def _renumber(
    reading: _Reading, places: ScratchFile | None, num_names: int, scratch: Path | None,
    progress: ProgressCallback,
) -> tuple[ScratchFile, np.dtype[Any]]:  # fmt: skip
    """Return the ends of all edges by the numbers of all names."""
    kind = np.dtype(index_dtype(num_names))
    target = reading.endpoints if kind.itemsize == 4 else ScratchFile(scratch)
    done, total = 0, sum(reading.part_sizes)
    for run in reading.runs:
        numbers = reading.orders.read(np.int32, run.first, run.stop)
        if places is not None:
            numbers = places.read(index_dtype(reading.names.count), run.first, run.stop)[numbers]
        numbers = numbers.astype(kind, copy=False)
        for start, stop in spans(done + run.num_ends, ENTRIES_AT_ONCE, done):
            ends = reading.endpoints.read(np.int32, start, stop)
            target.write(start * kind.itemsize, numbers[ends])
            done = stop
            progress(Progress("numbering edges", done // 2, total // 2))
    return target, kind


class _Table:
    """Different names in memory, numbered in order of first appearance until they are sorted.

    Parameters
    ----------
    room : int
        The bytes that it may take.
    work : int
        About how long its kernels will take in all, in edges.
    """

    def __init__(self, room: int, work: int) -> None:
        self.room = room
        self._hash, self._number, self._enlarge = (
            jit.chosen(kernel, work) for kernel in (hash_names, factorize_names, enlarge_table)
        )
        self.count = 0
        self._text: ByteArray = np.empty(0, np.uint8)
        self._bounds: IntArray = np.zeros(1, np.int64)
        self._entries: IntArray = np.full(16, -1, np.int64)

    def clear(self) -> None:
        """Forget all names, but keep the memory."""
        self.count = 0
        self._entries.fill(-1)

    def fits(self, *batches: Names) -> bool:
        """Return whether there is room for all of some names as new ones."""
        used = int(self._bounds[self.count]) + NAME_BYTES * self.count
        more = sum(len(data) + NAME_BYTES * (len(bounds) - 1) for data, bounds in batches)
        return used + more <= self.room

    def add(self, names: Names) -> IntArray:
        """Return the number of each of some names."""
        data, bounds = names
        most = self.count + len(bounds) - 1
        # A byte more: the first one of each name that may be met is fetched, also of an empty one.
        self._text = _roomy(self._text, int(self._bounds[self.count]) + len(data) + 1)
        self._bounds = _roomy(self._bounds, most + 1)
        size = len(self._entries)
        while 4 * most > 3 * size:
            size *= 2
        if size > len(self._entries):
            entries = np.full(size, -1, np.int64)
            self._enlarge(self._entries, entries)
            self._entries = entries
        hashes, numbers = np.empty(len(bounds) - 1, np.int64), np.empty(len(bounds) - 1, np.int32)
        self._hash(data, bounds, hashes)
        table = self._text, self._bounds, self._entries, self.count
        self.count = int(self._number(data, bounds, hashes, *table, numbers))
        return numbers

    def sorted(self) -> tuple[Iterator[Names], IntArray]:
        """Return the names in ascending order, in batches, and the place of each."""
        arrow = import_library("pyarrow", PURPOSE)
        compute = import_library("pyarrow.compute", PURPOSE)
        num_bytes = int(self._bounds[self.count])
        buffers = [arrow.py_buffer(self._bounds), arrow.py_buffer(self._text)]
        names = arrow.LargeStringArray.from_buffers(self.count, *buffers)
        pool = arrow.system_memory_pool()
        order = compute.sort_indices(names, memory_pool=pool)
        places = np.empty(self.count, np.int32)
        places[order.to_numpy()] = np.arange(self.count, dtype=np.int32)
        at_once = max(1, BATCH_BYTES * self.count // (num_bytes + NAME_BYTES * self.count + 1))
        batches = (
            text_bytes(compute.take(names, order[start : start + at_once], memory_pool=pool))
            for start in range(0, self.count, at_once)
        )
        return batches, places


class NamesOnDisk:
    """Names in temporary files, one after the other.

    Parameters
    ----------
    folder : Path or None
        The folder whose disk the files are on.
    """

    def __init__(self, folder: Path | None) -> None:
        self.count = 0
        self._text, self._bounds = ScratchFile(folder), ScratchFile(folder)
        self._bounds.append(np.zeros(1, np.int64))

    def extend(self, batches: Iterable[Names]) -> None:
        """Write names at the end."""
        for data, bounds in batches:
            self._bounds.append(bounds[1:] + self._text.size)
            self._text.append(data)
            self.count += len(bounds) - 1

    def read(self, start: int, stop: int, room: int) -> Names:
        """Return the names ``start..stop-1``, or one at least, as far as some bytes go."""
        stop = min(start + max(room // NAME_BYTES, 1), stop)
        bounds = self._bounds.read(np.int64, start, stop + 1)
        costs = bounds - bounds[0] + NAME_BYTES * np.arange(len(bounds))
        bounds = bounds[: max(2, int(np.searchsorted(costs, room, "right")))]
        return self._text.read(np.uint8, int(bounds[0]), int(bounds[-1])), bounds - bounds[0]

    def mapped(self) -> SortedNames:
        """Return the names, all of them in ascending order, as a sequence."""
        return SortedNames(self._text.mapped(np.uint8), self._bounds.mapped(np.int64)[1:])

    def close(self) -> None:
        """Delete the files."""
        self._text.close()
        self._bounds.close()


def least_bytes(files: Sequence[EdgeFile]) -> int:
    """Return the bytes without which names are not numbered."""
    return min(READ_BYTES + TABLE_BYTES, NAME_BYTES * sum(part.num_bytes for part in files))


def estimated_names(
    files: Sequence[EdgeFile], rows: Iterable[Any], budget: int, progress: ProgressCallback
) -> tuple[int, int]:
    """Return about how many names there are, and how many edges.

    Each name marks a place by its hash. Of places, the share without a mark is e^-(names / places)
    ("linear counting", K.-Y. Whang et al., doi:10.1145/78922.78925).

    Parameters
    ----------
    files : sequence of EdgeFile
        With names.
    rows : iterable of text of pyarrow
        More names.
    budget : int
        The bytes of memory to use: the estimate is good for as many names as a solve has room for.
    progress : callable
        Called with the stage "counting names".
    """
    marks = np.zeros(1 << max(12, int(log(max(budget * MARKS_PER_BYTE, 1), 2))), np.uint8)
    kernel = jit.chosen(hash_names, _work(files))

    def mark(names: Any) -> None:
        data, bounds = text_bytes(names)
        hashes = np.empty(len(names), np.int64)
        kernel(data, bounds, hashes)
        marks[hashes & (len(marks) - 1)] = 1

    edges, total = 0, known_edges(files)
    for part in files:
        for source, target in part.name_blocks():
            mark(source)
            mark(target)
            edges += len(source)
            progress(Progress("counting names", edges, total))
    for names in rows:
        mark(names)
    free = max(1, len(marks) - int(np.count_nonzero(marks)))
    return round(len(marks) * log(len(marks) / free)), edges


def known_edges(files: Sequence[EdgeFile]) -> int | None:
    """Return the number of edges by the headers of the files; None if they have none."""
    counts = [part.num_edges for part in files]
    return None if None in counts else sum(number or 0 for number in counts)


def _roomy(array: Any, size: int) -> Any:
    """Return an array with room for ``size`` items and some more."""
    if size > len(array):
        array.resize(size + size // 8, refcheck=False)
    return array


def _work(files: Sequence[EdgeFile]) -> int:
    """Return about how long kernels take for all text, in edges of others, if it is compressed."""
    return WORK_PER_BYTE * sum(part.num_bytes for part in files)


class Bytes(Protocol):
    """Whole numbers in memory, mapped from a file, or in compressed blocks."""

    def __len__(self) -> int: ...
    def take(self, at: Any) -> Any: ...  # noqa: D102


class SortedNames(Sequence[str]):
    """Names in ascending order: a name is found by binary search, and nothing is kept in memory.

    Parameters
    ----------
    data : uint8 [bytes]
        The names in UTF-8, one after the other.
    stops : int64 [names]
        Where each of them ends.

    Examples
    --------
    >>> names = SortedNames(np.frombuffer(b"aabbc", np.uint8), np.array([1, 3, 5]))
    >>> list(names), names.numbers["ab"]
    (['a', 'ab', 'bc'], 1)
    """

    def __init__(self, data: Bytes, stops: Bytes) -> None:
        self.data = data
        self.stops = stops

    @property
    def numbers(self) -> Mapping[Hashable, int]:
        """The vertex of each name."""
        return _Numbers(self)

    def __len__(self) -> int:
        return len(self.stops)

    def __getitem__(self, vertex: Any) -> Any:
        if isinstance(vertex, slice):
            return tuple(self[v] for v in range(len(self))[vertex])
        if not -len(self) <= vertex < len(self):
            raise IndexError(f"{vertex}: expected 0..{len(self) - 1}")
        return self.encoded(vertex % len(self)).decode()

    def encoded(self, vertex: int) -> bytes:
        """Return the name of a vertex in UTF-8."""
        ends = self.stops.take(np.array([max(vertex - 1, 0), vertex])).tolist()
        start = ends[0] if vertex else 0
        return bytes(self.data.take(np.arange(start, ends[1])))

    def __iter__(self) -> Iterator[str]:
        return (self[v] for v in range(len(self)))


class _Numbers(NameNumbers):
    """The vertex of each name, by binary search."""

    names: SortedNames

    def __getitem__(self, position: Hashable) -> int:
        if isinstance(position, str):
            wanted = position.encode("utf-8", "surrogatepass")
            vertex = bisect_left(range(len(self)), wanted, key=self.names.encoded)
            if vertex < len(self) and self.names.encoded(vertex) == wanted:
                return vertex
        raise KeyError(position)


# -- kernels --------------------------------------------------------------------------------------
#
# A hash table of names in UTF-8. The different names are in ``text`` one after the other; ``bounds``
# [room + 1] has where each begins and the last one ends. An entry of ``table`` [a power of two] is the
# hash of a name, 31 bits, and below it its number, 31 bits; -1 where free.

GROUP = 64  # names whose places in memory are fetched together: a quarter of the time of one by one
LOW = 0x7FFFFFFF


def hash_names(data: ByteArray, stops: IntArray, hashes: IntArray) -> None:
    """Hash names.

    Parameters
    ----------
    data, stops : uint8 [bytes], int64 [names + 1]
        The names one after the other, and where each begins and the last one ends.
    hashes : int64 [names]
        Overwritten with numbers below 2^31.
    """
    for k in range(len(hashes)):
        begin, end = stops[u64(k)], stops[u64(k + 1)]
        mixed = end - begin
        for i in range(begin, end):
            mixed = (mixed ^ np.int64(data[u64(i)])) * 0x9E3779B1
            mixed = (mixed ^ (mixed >> 29)) & LOW
        hashes[u64(k)] = mixed & LOW


def factorize_names(  # a kernel
    data: ByteArray, stops: IntArray, hashes: IntArray, text: ByteArray, bounds: IntArray,
    table: IntArray, count: int, numbers: IntArray,
) -> int:  # fmt: skip
    """Number names after those in a table.

    Parameters
    ----------
    data, stops, hashes : uint8 [bytes], int64 [names + 1], int64 [names]
        The names, as for ``hash_names``; ``hashes[0]`` is changed.
    text, bounds, table : uint8, int64, int64
        The table, with room for all of these.
    count : int
        The number of names in it.
    numbers : int32 [names]
        Overwritten with the number of each name.

    Returns
    -------
    int
        The number of names in it now.
    """
    mask, total, fetched = len(table) - 1, len(hashes), np.int64(0)
    for start in range(0, total, GROUP):
        stop = min(start + GROUP, total)
        for k in range(start, stop):  # no access waits for another one, so they overlap
            entry = table[u64(hashes[u64(k)] & mask)]
            if entry >= 0:
                fetched ^= bounds[u64(entry & LOW)]
        for k in range(start, stop):
            entry = table[u64(hashes[u64(k)] & mask)]
            if entry >= 0:
                fetched ^= np.int64(text[u64(bounds[u64(entry & LOW)])])
        for k in range(start, stop):
            begin, mixed = stops[u64(k)], hashes[u64(k)]
            length = stops[u64(k + 1)] - begin
            place, number = mixed & mask, np.int64(-1)
            while number < 0:
                entry = table[u64(place)]
                if entry < 0:
                    number = np.int64(count)
                    table[u64(place)] = (mixed << 32) | number
                    at = bounds[u64(number)]
                    for i in range(length):
                        text[u64(at + i)] = data[u64(begin + i)]
                    count += 1
                    bounds[u64(count)] = at + length
                elif entry >> 32 == mixed:
                    number = entry & LOW
                    at = bounds[u64(number)]
                    if bounds[u64(number + 1)] - at != length:
                        number = np.int64(-1)
                    else:
                        for i in range(length):
                            if text[u64(at + i)] != data[u64(begin + i)]:
                                number = np.int64(-1)
                                break
                place = (place + 1) & mask
            numbers[u64(k)] = number
    if total:
        hashes[u64(0)] = fetched  # so that the compiler leaves the accesses
    return count


def enlarge_table(table: IntArray, larger: IntArray) -> None:
    """Insert the entries of a table into a larger one.

    Parameters
    ----------
    table, larger : int64 [power of two]
        As above; ``larger`` is free everywhere before.
    """
    mask = len(larger) - 1
    for i in range(len(table)):
        entry = table[u64(i)]
        if entry >= 0:
            place = (entry >> 32) & mask
            while larger[u64(place)] >= 0:
                place = (place + 1) & mask
            larger[u64(place)] = entry
