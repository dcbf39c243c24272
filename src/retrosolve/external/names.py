"""Numbers for names that need not fit in memory: an external merge sort.

The text is read once. Names are numbered in order of first appearance in a table in memory; whenever
the table is full, its names become a run on disk, sorted. The ends of all edges are on disk as numbers
within their runs. Runs are merged, as many at a time as the memory allows, in as many passes as it
takes: that numbers all names in ascending order, and each pass notes the place of each name of its
runs in the run that they are merged into. Then the ends are numbered anew, run by run.

Whatever the number of runs, there are two files of ends and names, and three for each pass of merging.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import ceil, log
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, object_array
from retrosolve.compilation import jit
from retrosolve.external.files import BATCH_BYTES, READ_BYTES, EdgeFile, Edges, text_bytes
from retrosolve.external.scratch import ScratchFile
from retrosolve.kernels.unsigned import u64
from retrosolve.runtime import memory
from retrosolve.runtime.files import import_library
from retrosolve.runtime.progress import Progress, ProgressCallback


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
            return tuple(self.take(np.arange(len(self))[vertex]))
        if not -len(self) <= vertex < len(self):
            raise IndexError(f"{vertex}: expected 0..{len(self) - 1}")
        return self.encoded(vertex % len(self)).decode()

    def encoded(self, vertex: int) -> bytes:
        """Return the name of a vertex in UTF-8."""
        ends = self.stops.take(np.array([max(vertex - 1, 0), vertex])).tolist()
        start = ends[0] if vertex else 0
        found: bytes = self.data.take(np.arange(start, ends[1])).tobytes()
        return found

    def take(self, vertices: IntArray) -> NDArray[Any]:
        """Return the names of some vertices, object [k]."""
        return object_array(self.encoded(v).decode() for v in vertices.tolist())

    def __iter__(self) -> Iterator[str]:
        return (self[v] for v in range(len(self)))


class _Numbers(Mapping[Hashable, int]):
    """The vertex of each name, by binary search."""

    def __init__(self, names: SortedNames) -> None:
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, position: Hashable) -> int:
        if isinstance(position, str):
            wanted = position.encode("utf-8", "surrogatepass")
            low, high = 0, len(self.names)
            while low < high:
                middle = (low + high) // 2
                found = self.names.encoded(middle)
                if found == wanted:
                    return middle
                low, high = (middle + 1, high) if found < wanted else (low, middle)
        raise KeyError(position)


SHARE_USED = 1 / 2  # of the free memory, without a budget
NAME_BYTES = 48  # of each name in a table besides its text: hashing, sorting and numbering it
TABLE_BYTES = 4 << 20  # of a table at least
SLICE_BYTES = 1 << 15  # of each run at least, as they are merged: reading less takes as long
ENTRIES_AT_ONCE = 1 << 16  # of what is read to be numbered anew
MARKS_PER_BYTE = 1 / 8  # of the budget, to estimate how many names there are: an error of 0.1 %
WORK_PER_BYTE = 8  # of a file
PURPOSE = "numbering the names of vertices"

Names = tuple[
    ByteArray, IntArray
]  # the text of some names, and where each begins and the last one ends


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
        for start in range(self._start, self._start + self._num_edges, size):
            stop = min(start + size, self._start + self._num_edges)
            ends = self._numbers.read(self._kind, 2 * start, 2 * stop)
            yield ends[::2], ends[1::2]


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

    def add(self, names: Names, numbers: IntArray, first: int = 0, step: int = 1) -> None:
        """Write the number of each name k of some to ``numbers[first + step * k]``."""
        data, bounds = names
        most = self.count + len(bounds) - 1
        self._text = _roomy(self._text, int(self._bounds[self.count]) + len(data))
        self._bounds = _roomy(self._bounds, most + 1)
        size = len(self._entries)
        while 4 * most > 3 * size:
            size *= 2
        if size > len(self._entries):
            entries = np.full(size, -1, np.int64)
            self._enlarge(self._entries, entries)
            self._entries = entries
        hashes = np.empty(len(bounds) - 1, np.int64)
        self._hash(data, bounds, hashes)
        self.count = int(
            self._number(
                data, bounds, hashes, self._text, self._bounds, self._entries, self.count, numbers,
                first, step,
            )
        )  # fmt: skip

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


class _Run(NamedTuple):
    """Names in ascending order, once each: how many, where their text is, and which is the first."""

    size: int
    text: int
    first: int


class _Runs:
    """Runs on disk, and then the place of each of their names in what they are merged into."""

    def __init__(self, folder: Path | None) -> None:
        self.text, self.bounds, self.places = (ScratchFile(folder) for _ in range(3))
        self.runs: list[_Run] = []
        self.count = 0

    def begin(self) -> None:
        """Begin a run."""
        self.runs.append(_Run(0, self.text.size, self.count))

    def extend(self, batches: Iterable[Names]) -> None:
        """Write names, greater than those before, to the run that was begun last."""
        for data, bounds in batches:
            size, text, first = self.runs[-1]
            self.bounds.append(bounds[1:] + (self.text.size - text))
            self.text.append(data)
            self.count += len(bounds) - 1
            self.runs[-1] = _Run(size + len(bounds) - 1, text, first)

    def read(self, run: _Run, start: int, room: int) -> Names:
        """Return the names of a run from ``start`` on, one at least, as far as some bytes go."""
        stop = min(start + max(room // NAME_BYTES, 1), run.size)
        ends = self.bounds.read(np.int64, run.first + max(start - 1, 0), run.first + stop)
        if start == 0:
            ends = np.concatenate([[0], ends])
        costs = ends - ends[0] + NAME_BYTES * np.arange(len(ends))
        ends = ends[: max(2, int(np.searchsorted(costs, room, "right")))]
        data = self.text.read(np.uint8, run.text + int(ends[0]), run.text + int(ends[-1]))
        return data, ends - ends[0]

    def close(self) -> None:
        """Delete the names."""
        self.text.close()
        self.bounds.close()


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
    known = [part.num_edges for part in files]
    return None if None in known else sum(number or 0 for number in known)


def sort_names(
    files: Sequence[EdgeFile],
    rows: Iterable[Any],
    scratch: Path | None,
    budget: int | None,
    progress: ProgressCallback,
) -> Numbered:
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

    Raises
    ------
    FormatError
        For a damaged file.
    MemoryBudgetError
        If the budget is too small for a name.
    StoreError
        If the disk is full.
    """
    budget = budget or int(SHARE_USED * memory.available())
    reading = _Reading(files, rows, scratch, budget, progress)
    runs, levels = reading.runs, [reading.runs]
    groups: list[list[list[_Run]]] = []
    most = max(2, reading.table.room // max(SLICE_BYTES, reading.longest + NAME_BYTES))
    while len(runs.runs) > 1:
        share = ceil(len(runs.runs) / ceil(len(runs.runs) / most))
        groups.append([runs.runs[k : k + share] for k in range(0, len(runs.runs), share)])
        runs = _merged(runs, groups[-1], reading.table, scratch, progress)
        levels.append(runs)
    del reading.table
    for lower, upper, merged in reversed(list(zip(levels, levels[1:-1], groups, strict=False))):
        _compose(lower, merged, upper)
    numbers, kind = _renumbered(reading, runs.count, scratch, progress)
    cuts = pairwise(accumulate(reading.part_sizes, initial=0))
    parts = [
        NumberedPart(part.path, numbers, kind, start // 2, stop // 2)
        for part, (start, stop) in zip(files, cuts, strict=False)
    ]
    table = numbers.read(kind, sum(reading.part_sizes[:-1]), sum(reading.part_sizes))
    names = SortedNames(runs.text.mapped(np.uint8), runs.bounds.mapped(np.int64))
    memory.give_back()
    return Numbered(parts, names, table)


class _Reading:
    """What is read of all files: runs, and the ends of edges as numbers within their runs.

    Attributes
    ----------
    endpoints : ScratchFile
        The numbers, int32: of the source and the target of each edge, and of the rows.
    orders : ScratchFile
        The place in its run of each name of it, by order of first appearance, int32.
    run_sizes, part_sizes : list of int
        How many of the ends belong to each run, and to each file, the rows last.
    longest : int
        The bytes of the longest name.
    """

    def __init__(
        self, files: Sequence[EdgeFile], rows: Iterable[Any], scratch: Path | None, budget: int,
        progress: ProgressCallback,
    ) -> None:  # fmt: skip
        self.runs = _Runs(scratch)
        self.endpoints, self.orders = ScratchFile(scratch), ScratchFile(scratch)
        self.table = _Table(max(budget - READ_BYTES, budget // 2), _work(files))
        self._budget = budget
        self.run_sizes: list[int] = []
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
        before = self.endpoints.size // 4
        for names in rows:
            self._add([text_bytes(names)])
        self.part_sizes.append(self.endpoints.size // 4 - before)
        self._end_run()

    def _add(self, batches: list[Names]) -> None:
        """Add equally many names, or sources and targets."""
        if not self.table.fits(*batches):
            self._end_run()
        longest = max(int(np.diff(bounds).max(initial=0)) for _, bounds in batches)
        if longest > self.longest:
            self.longest = longest
            needed = self._budget + 4 * (longest + NAME_BYTES) - self.table.room
            memory.check_budget(needed, f"numbering a name of {longest} bytes", self._budget)
        numbers = np.empty(len(batches) * (len(batches[0][1]) - 1), np.int32)
        for side, names in enumerate(batches):
            self.table.add(names, numbers, side, len(batches))
        self.endpoints.append(numbers)

    def _end_run(self) -> None:
        """Make a run of the names in the table."""
        if self.table.count:
            batches, places = self.table.sorted()
            self.runs.begin()
            self.runs.extend(batches)
            self.orders.append(places)
            self.run_sizes.append(self.endpoints.size // 4 - sum(self.run_sizes))
            self.table.clear()


def _merged(
    runs: _Runs, groups: list[list[_Run]], table: _Table, scratch: Path | None,
    progress: ProgressCallback,
) -> _Runs:  # fmt: skip
    """Merge each group of runs into one, and note the place of each name there."""
    into, kind = _Runs(scratch), np.dtype(index_dtype(runs.count))
    done = 0
    for group in groups:
        into.begin()
        at = [0] * len(group)
        while any(start < run.size for start, run in zip(at, group, strict=True)):
            before = into.runs[-1].size
            table.clear()
            numbers = []
            for slot, names in _slices(runs, group, at, table.room // len(group)):
                numbers.append((slot, np.empty(len(names[1]) - 1, np.int32)))
                table.add(names, numbers[-1][1])
            batches, places = table.sorted()
            into.extend(batches)
            for slot, found in numbers:
                place = (places[found] + np.asarray(before, kind)).astype(kind, copy=False)
                runs.places.write(kind.itemsize * (group[slot].first + at[slot]), place)
                at[slot] += len(found)
                done += len(found)
            progress(Progress("merging names", done, runs.count))
    runs.close()
    return into


def _slices(runs: _Runs, group: list[_Run], at: list[int], room: int) -> Iterator[tuple[int, Names]]:
    """Yield the names of each run up to the smallest last name of the slices that there is room for."""
    lasts = []
    for start, run in zip(at, group, strict=True):
        if start < run.size:
            data, bounds = runs.read(run, start, room)
            if start + len(bounds) - 1 < run.size:
                lasts.append(data[bounds[-2] :].tobytes())
    last = min(lasts, default=None)
    for slot, (start, run) in enumerate(zip(at, group, strict=True)):
        if start < run.size:
            data, bounds = runs.read(run, start, room)
            count = len(bounds) - 1
            if last is not None:
                count = bisect_right(
                    range(count), last, key=lambda k: data[bounds[k] : bounds[k + 1]].tobytes()
                )
            if count:
                yield slot, (data[: bounds[count]], bounds[: count + 1])


def _compose(lower: _Runs, groups: list[list[_Run]], upper: _Runs) -> None:
    """Replace the places of the names of runs by the places of these places."""
    below, above = (np.dtype(index_dtype(runs.count)) for runs in (lower, upper))
    for group, merged in zip(groups, upper.runs, strict=True):
        at = [0] * len(group)
        for start in range(0, merged.size, ENTRIES_AT_ONCE):
            stop = min(start + ENTRIES_AT_ONCE, merged.size)
            numbers = upper.places.read(above, merged.first + start, merged.first + stop)
            for slot, run in enumerate(group):
                first = run.first + at[slot]
                last = min(first + stop - start, run.first + run.size)
                places = lower.places.read(below, first, last)
                places = places[: np.searchsorted(places, stop)]
                found = numbers[places - start].astype(below, copy=False)
                lower.places.write(below.itemsize * first, found)
                at[slot] += len(found)


def _renumbered(
    reading: _Reading, num_names: int, scratch: Path | None, progress: ProgressCallback
) -> tuple[ScratchFile, np.dtype[Any]]:
    """Return the ends of all edges by the numbers of all names."""
    runs = reading.runs
    kind, wide = (np.dtype(index_dtype(count)) for count in (num_names, runs.count))
    target = reading.endpoints if kind.itemsize == 4 else ScratchFile(scratch)
    done, total = 0, sum(reading.part_sizes)
    for run, size in zip(runs.runs, reading.run_sizes, strict=True):
        numbers = reading.orders.read(np.int32, run.first, run.first + run.size)
        if len(runs.runs) > 1:
            numbers = runs.places.read(wide, run.first, run.first + run.size)[numbers]
        numbers = numbers.astype(kind, copy=False)
        stop = done + size
        while done < stop:
            last = min(done + ENTRIES_AT_ONCE, stop)
            ends = reading.endpoints.read(np.int32, done, last)
            target.write(done * kind.itemsize, numbers[ends])
            done = last
            progress(Progress("numbering edges", done // 2, total // 2))
    for file in (
        reading.orders,
        runs.places,
        *([] if target is reading.endpoints else [reading.endpoints]),
    ):
        file.close()
    return target, kind


def _roomy(array: Any, size: int) -> Any:
    """Return an array with room for ``size`` items and some more."""
    if size > len(array):
        array.resize(size + size // 8, refcheck=False)
    return array


def _work(files: Sequence[EdgeFile]) -> int:
    """Return about how long kernels take for all text, in edges of others, if it is compressed."""
    return WORK_PER_BYTE * sum(part.num_bytes for part in files)


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
    table: IntArray, known: int, numbers: IntArray, first: int, step: int,
) -> int:  # fmt: skip
    """Number names after those that are known.

    Parameters
    ----------
    data, stops, hashes : uint8 [bytes], int64 [names + 1], int64 [names]
        The names, as for ``hash_names``; ``hashes[0]`` is changed.
    text, bounds, table : uint8, int64, int64
        The names that are known, with room for all of these.
    known : int
        The number of known names.
    numbers : int32 [any length]
        The number of name k is written to ``numbers[first + step * k]``.
    first, step : int

    Returns
    -------
    int
        The number of names that are known now.
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
                    number = np.int64(known)
                    table[u64(place)] = (mixed << 32) | number
                    at = bounds[u64(number)]
                    for i in range(length):
                        text[u64(at + i)] = data[u64(begin + i)]
                    known += 1
                    bounds[u64(known)] = at + length
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
            numbers[u64(first + step * k)] = number
    if total:
        hashes[u64(0)] = fetched  # so that the compiler leaves the accesses
    return known


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
