"""The manifest of a saved solution: its record in JSON, written and checked, and its files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any

import numpy as np

from retrosolve.errors import GraphError, one_line
from retrosolve.languages.phrases import Proven, proven_record
from retrosolve.objectives import Objective, from_record
from retrosolve.objectives.base import Codec
from retrosolve.runtime.files import MEMORY_PER_BYTE, Source, failed, short_repr, system_errors
from retrosolve.runtime.memory import require_free
from retrosolve.runtime.text import check_read, parse_object
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.csr.attribute_names import are_players
from retrosolve.store.blocks import StoredArray, file_checksum, file_paths
from retrosolve.store.folder import RESTORE, Folder, damaged
from retrosolve.tables import Table
from retrosolve.tables.summary import Distribution

MANIFEST = "manifest.json"
NAMES = "names.json"
CHECKSUM = "sha256"
FORMAT = "retrosolve solution"
VERSION = 7
ATTRIBUTES = {"retrosolve": {"format": FORMAT, "version": VERSION}}  # of the group of the arrays
NAME_ARRAYS = {"names": "|u1", "name_stops": "<i8"}  # of edges on disk, in blocks as they may be large
SPACE_ARRAYS = (
    "indptr", "indices", "owner", "terminal", "payoff", "reward", "weight", "tiers", "positions",
    *NAME_ARRAYS,
)  # fmt: skip
CODES, TABLE_ARRAYS = "codes", ("value", "remoteness")
INTERVALS, BOUNDS = "intervals", ("low", "high")  # another kind of table, and its arrays
PACKED_INTERVALS = "packed intervals"
OF_BOUNDS = {
    INTERVALS: (BOUNDS, "<f8", "two float64 a vertex: expected low and high"),
    PACKED_INTERVALS: (("places",), "<u4", "4 bytes a vertex: expected places"),
}  # the arrays of tables of bounds, their type, and the error for others
MAX_COUNT = 1 << 62
LARGE_TEXT = 1 << 24


@dataclass(frozen=True)
class Saved:
    """A solution to be saved.

    Parameters
    ----------
    space : StateSpace
    table : Table
    objective : Objective
        The question that the table answers.
    solver : str
        The name of the algorithm.
    num_edges : int
        The number of edges of the space.
    start : int, optional
        The index of the initial position.
    proven : Proven, optional
        What has been proven.
    identity : dict of str to str or None, optional
        See :func:`retrosolve.store.identity_of`, for a solve that may be resumed.
    """

    space: StateSpace
    table: Table
    objective: Objective
    solver: str
    num_edges: int
    start: int | None = None
    proven: Proven | None = None
    identity: dict[str, str | None] | None = None


def facts_of(saved: Saved, distribution: Distribution, fingerprint: str | None) -> dict[str, Any]:
    """Return the facts about a solution for its manifest."""
    from retrosolve.runtime.release import __version__  # reads metadata: as much as opening imports

    counts, sides = distribution.counts(), distribution.by_player
    histogram = {
        value.label: {"null" if plies is None else str(plies): n for plies, n in part.items()}
        for value, part in distribution.histogram.items()
    }
    labels = saved.objective.labels_of(saved.table.codec)
    return ({} if saved.identity is None else {"identity": saved.identity}) | {
        "fingerprint": fingerprint,
        "players": list(saved.space.players),
        "objective": saved.objective.record() | ({} if labels is None else {"results": labels}),
        "solver": saved.solver,
        "num_vertices": saved.space.num_vertices,
        "num_positions": sum(counts.values()),
        "num_edges": saved.num_edges,
        "start": saved.start,
        "counts": _by_label(counts),
        "counts_by_player": None if sides is None else [_by_label(side) for side in sides],
        "histogram": histogram,
        **proven_record(saved.proven),
        "versions": {"retrosolve": __version__, "numpy": np.__version__},
    }


def sealed(record: dict[str, Any]) -> bytes:
    """Return a manifest as a file, with the checksum of its content."""
    return (json.dumps(record | {CHECKSUM: record_digest(record)}, indent=1) + "\n").encode()


def record_digest(record: dict[str, Any]) -> str:
    """Return the checksum of a manifest or a journal, however it is laid out."""
    content = dict(record)
    content.pop(CHECKSUM, None)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_text_size(size: int, path: Path) -> None:
    """Raise MemoryBudgetError for a large file of text that does not fit into the free memory."""
    if size > LARGE_TEXT:  # asking for the free memory takes as long as opening
        require_free(MEMORY_PER_BYTE * size, f"reading {one_line(str(path))}")


# -- the entries of a manifest ------------------------------------------------------------------


def _is_count(number: object) -> bool:
    return type(number) is int and 0 <= number < MAX_COUNT


def _is_table(table: object) -> bool:
    if not isinstance(table, dict) or table.get("kind") not in (CODES, *OF_BOUNDS):
        return False
    if table["kind"] == PACKED_INTERVALS and not (
        all(type(table.get(key)) is float and table[key] > 0 for key in ("most", "width"))
        and isinstance(table.get("proven"), str)
    ):
        return False
    flag = table.get("filled" if table["kind"] == CODES else "payoff")
    return type(flag) is bool and isinstance(table.get("digest"), str)


def _are_files(files: object) -> bool:
    return isinstance(files, dict) and {*map(type, files.values())} <= {dict}


COUNT = "a whole number, 0 or more"
ENTRIES: dict[str, tuple[type | UnionType | Callable[[object], bool], str]] = {
    "num_vertices": (_is_count, COUNT),
    "num_edges": (_is_count, COUNT),
    "num_positions": (_is_count, COUNT),
    "solver": (str, "a name"),
    "players": (are_players, "two names that differ"),
    "start": (lambda start: start is None or _is_count(start), "a vertex or null"),
    "verified": (bool, "true or false"),
    "rules_called_again": (lambda n: n is None or _is_count(n), "a whole number or null"),
    "fingerprint": (str | None, "a SHA-256 or null"),
    "versions": (dict, "an object"),
    "arrays": (list, "a list"),
    "table": (_is_table, "a kind, filled or payoff, digest and arrays"),
    "files": (_are_files, "an object with the size and the checksum of each file"),
}


class Manifest:
    """A manifest and the files that it lists, all held open.

    Parameters
    ----------
    folder : Folder

    Attributes
    ----------
    folder : Path
    source : Source
        For errors.
    record : dict
        The content, checked but for "space".
    num_vertices, num_edges : int
    objective : Objective
    kind : str
        Of the table: "codes", or one of its bounds.
    codec : Codec
        What the values of the table stand for.
    distribution : Distribution
    space_arrays, table_arrays : dict of str to StoredArray
        By the last part of their names.
    files : dict of str to dict
        The description of each file.
    opened : dict of str to file
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder.path
        self.source = Source(one_line(str(self.folder / MANIFEST)), self._read(folder))
        self.record = parse_object(self.source)
        self._check_version()
        self._check_entries()
        self.objective = self._objective()
        self.num_vertices: int = self.record["num_vertices"]
        self.num_edges: int = self.record["num_edges"]
        self.files: dict[str, dict[str, Any]] = self.record["files"]
        self.kind: str = self.record["table"]["kind"]
        self.digest: str = self.record["table"]["digest"]
        try:
            self.codec: Codec = self.objective.codec(self.record["objective"].get("results"))
        except GraphError as error:
            raise self.source.error(f"objective: {error}") from None
        self.distribution = self._distribution()
        self.space_arrays = self._space_arrays()
        self.table_arrays = self._table_arrays()
        self._check_files_listed()
        self.opened = folder.open(self.files)
        for name, file in self.opened.items():
            size, expected = os.fstat(file.fileno()).st_size, self.files[name].get("bytes")
            if size != expected:
                raise damaged(self.folder / name, f"it has {size} bytes, not {short_repr(expected)}")

    def _read(self, folder: Folder) -> bytes:
        path, file = self.folder / MANIFEST, folder.open([MANIFEST])[MANIFEST]
        check_text_size(os.fstat(file.fileno()).st_size, path)
        try:  # a context manager would be two calls more of each opening
            return file.read()
        except OSError as error:
            raise failed("read", path, error) from None

    def _check_version(self) -> None:
        """Raise FormatError for another format or version, or other content than was written."""
        record, error = self.record, self.source.error
        if record.get("format") != FORMAT:
            raise error(f"format {short_repr(record.get('format'))}: expected {FORMAT!r}")
        version = record.get("version")
        if type(version) is not int or version != VERSION:
            raise error(f"version {short_repr(version)}: expected {VERSION}")
        if record.get(CHECKSUM) != record_digest(record):
            raise error(f"it has changed since it was written: {RESTORE}")

    def _check_entries(self) -> None:
        """Raise FormatError for an entry of another kind."""
        record, error = self.record, self.source.error
        for key, (fits, expected) in ENTRIES.items():
            entry = record.get(key)
            if not (isinstance(entry, fits) if isinstance(fits, type | UnionType) else fits(entry)):
                raise error(f"{key} is {short_repr(record.get(key))}: expected {expected}")
        start, n = record.get("start"), record["num_vertices"]
        if start is not None and start >= n:
            raise error(f"start {start}: expected a vertex, 0..{n - 1}")
        check_read(self.source, [record["solver"]], "solver")
        check_read(self.source, record["players"], "players")

    def _objective(self) -> Objective:
        """Return the question of the table. Raises FormatError for a record of none."""
        record = self.record.get("objective")
        labels = record.get("results", []) if isinstance(record, dict) else None
        try:
            if isinstance(labels, list) and {*map(type, labels)} <= {str}:
                return from_record(record)
        except GraphError:
            pass
        expected = "the name and the parameters of an objective"
        raise self.source.error(f"objective is {short_repr(record)}: expected {expected}")

    def _distribution(self) -> Distribution:
        """Return the histogram and the counts, which have to agree."""
        labels = {value: value.label for value in self.codec.reported}
        record, error = self.record, self.source.error
        parts, by_player = record.get("histogram"), record.get("counts_by_player")
        try:
            histogram = {value: _plies(parts[label]) for value, label in labels.items()}  # type: ignore[index]
        except (TypeError, KeyError, ValueError, AttributeError):
            raise error(
                f"histogram {short_repr(parts)}: expected counts by value and remoteness"
            ) from None
        distribution = Distribution(histogram, None if by_player is None else self._sides(by_player))
        counts = distribution.counts()
        by_label = dict(zip(labels.values(), counts.values(), strict=True))
        if record.get("counts") != by_label:
            expected = short_repr(by_label)
            raise error(f"counts {short_repr(record.get('counts'))}: expected {expected}")
        number = sum(counts.values())
        if record["num_positions"] != number or number > self.num_vertices:
            raise error(
                f"num_positions is {record['num_positions']}: expected {number}, the sum of the "
                f"counts, at most {self.num_vertices}"
            )
        sides = distribution.by_player
        if sides is not None and counts != {
            value: sides[0][value] + sides[1][value] for value in counts
        }:
            raise error(f"counts_by_player {short_repr(by_player)}: expected the counts in two parts")
        return distribution

    def _sides(self, by_player: object) -> tuple[dict[Any, int], dict[Any, int]]:
        """Return the counts of the two players."""
        try:
            first, second = (
                {value: side[value.label] for value in self.codec.reported}
                for side in by_player  # type: ignore[attr-defined]
            )
            if all(_is_count(number) for side in (first, second) for number in side.values()):
                return first, second
        except (TypeError, KeyError, ValueError):
            pass
        raise self.source.error(
            f"counts_by_player {short_repr(by_player)}: expected counts for two players, or null"
        )

    # -- arrays and files ---------------------------------------------------------------------

    def _space_arrays(self) -> dict[str, StoredArray]:
        """Return the arrays of the space, of which only names are in blocks. Raises FormatError."""
        arrays = self._arrays(self.record["arrays"], "space", SPACE_ARRAYS, NAME_ARRAYS)
        for name, array in arrays.items():
            kind = NAME_ARRAYS.get(name)
            if array.codes or array.dtype != (kind or array.dtype):
                raise self.source.error(f"the array {name} has another type: expected {kind}")
        return arrays

    def _table_arrays(self) -> dict[str, StoredArray]:
        """Return the arrays of the table, of which only codes are in blocks. Raises FormatError."""
        records = self.record["table"].get("arrays")
        if self.kind != CODES:
            names, dtype, expected = OF_BOUNDS[self.kind]
            arrays = self._arrays(records, "table", names)
            forms = [(array.dtype, array.shape, array.block) for array in arrays.values()]
            if forms != [(dtype, (self.num_vertices,), 0)] * len(names):
                raise self.source.error(f"the table is not {expected}")
            return arrays
        parts = len(records) - len(TABLE_ARRAYS) if isinstance(records, list) else 0
        codes = tuple([f"part-{k}" for k in range(parts)])
        arrays = self._arrays(records, "table", TABLE_ARRAYS + codes, codes)
        for name in TABLE_ARRAYS + codes:
            if name not in arrays:
                raise self.source.error(f"the table has no array {name}: expected one")
        return arrays

    def _arrays(
        self, records: object, group: str, names: tuple[str, ...],
        in_blocks: Container[str] | None = None,
    ) -> dict[str, StoredArray]:  # fmt: skip
        """Return arrays of a group by the last part of their names, checked.

        Those in blocks are ``in_blocks``, if it is not None, and all hold whole numbers.
        """
        if not isinstance(records, list):
            raise self.source.error(f"arrays {short_repr(records)}: expected a list")
        arrays: dict[str, StoredArray] = {}
        for record in records:
            array = StoredArray.from_record(record)
            name = "" if array is None else array.name.removeprefix(f"{group}/")
            if array is None or name not in names or name in arrays or name == array.name:
                raise self.source.error(f"array {short_repr(record)}: expected a description")
            if array.num_chunks > len(self.files):  # a list of their paths would be as long
                raise self.source.error(f"array {short_repr(record)}: expected a description")
            arrays[name] = array
            if in_blocks is not None and bool(array.block) != (name in in_blocks):
                raise self.source.error(f"the array {name} is in blocks or is not: expected the other")
            if in_blocks is not None and array.dtype == "<f8":
                raise self.source.error(f"the array {name} has the type <f8: expected whole numbers")
        return arrays

    def _check_files_listed(self) -> None:
        """Raise FormatError unless the files are those of the arrays."""
        arrays = [*self.space_arrays.values(), *self.table_arrays.values()]
        expected = file_paths(arrays) | ({NAMES} & self.files.keys())
        for name in sorted(expected ^ self.files.keys()):
            problem = "missing in the list" if name in expected else "not a part of a saved solution"
            raise self.source.error(f"file {short_repr(name)} is {problem}: expected the files it has")

    def check_files(self) -> None:
        """Compare every file with its checksum. Raises StoreError."""
        for name, file in self.files.items():
            path, expected = self.folder / name, file.get("crc32")
            with system_errors("read", path):
                checksum = file_checksum(self.opened[name])
            if checksum != expected:
                raise damaged(path, f"it has the checksum {checksum}, not {short_repr(expected)}")

    @property
    def num_bytes(self) -> int:
        """The number of bytes of all files, the manifest included."""
        return len(self.source.data) + sum(int(file["bytes"]) for file in self.files.values())


def _by_label(counts: dict[Any, int]) -> dict[str, int]:
    """Return the number of vertices of each value, ready for JSON."""
    return {value.label: number for value, number in counts.items()}


def _plies(part: dict[str, Any]) -> dict[int | None, int]:
    """Return a part of a histogram from JSON. Raises ValueError, TypeError or AttributeError."""
    counts: dict[int | None, int] = {}
    for key, number in part.items():
        plies = None if key == "null" else int(key)
        if plies is not None and (plies < 0 or str(plies) != key):
            raise ValueError(key)
        if not _is_count(number):
            raise TypeError(number)
        counts[plies] = number
    return dict(sorted(counts.items(), key=lambda item: -1 if item[0] is None else item[0]))
