"""The manifest of a saved solution: what it says, checked, and the files that it lists."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import IO, Any

from retrosolve.errors import RetrosolveError
from retrosolve.runtime.files import MEMORY_PER_BYTE, Source, one_line, short_repr
from retrosolve.runtime.json_text import parse_object
from retrosolve.runtime.memory import require_free
from retrosolve.runtime.text import check_read
from retrosolve.store.arrays import StoredArray, file_checksum, file_paths
from retrosolve.store.contents import NAME_ARRAYS, NAMES, SPACE_ARRAYS, TABLE_ARRAYS, by_label
from retrosolve.store.folder import RESTORE, Folder, damaged, failed
from retrosolve.tables.summary import REPORTED_VALUES, Distribution
from retrosolve.values import Value, stuck_value

FORMAT = "retrosolve solution"
VERSION = 6
MANIFEST = "manifest.json"
CHECKSUM = "sha256"
MAX_COUNT = 1 << 62
LARGE_TEXT = 1 << 24


def check_text_size(size: int, path: Path) -> None:
    """Raise MemoryBudgetError for a large file of text that does not fit into the free memory."""
    if size > LARGE_TEXT:  # asking for the free memory takes as long as opening
        require_free(MEMORY_PER_BYTE * size, f"reading {one_line(str(path))}")


def sealed(manifest: dict[str, Any]) -> bytes:
    """Return a manifest as a file, with the checksum of its content."""
    return (json.dumps(manifest | {CHECKSUM: _digest(manifest)}, indent=1) + "\n").encode()


def _digest(manifest: dict[str, Any]) -> str:
    """Return the checksum of a manifest, however it is laid out."""
    content = {key: value for key, value in manifest.items() if key != CHECKSUM}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Manifest:
    """A manifest and the files that it lists, all held open."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder.path
        self.source = Source(one_line(str(self.folder / MANIFEST)), self._read(folder.open(MANIFEST)))
        self.found = parse_object(self.source)
        self._check_version()
        self.num_vertices = self._count("num_vertices")
        self.num_edges = self._count("num_edges")
        self._check_facts()
        self.distribution = self._distribution()
        listed = self._listed()
        self.space_arrays = self._arrays(self.found.get("arrays"), "space", SPACE_ARRAYS, len(listed))
        self._check_blocks()
        self.table_arrays = self._table_arrays(len(listed))
        self.files = self._files(listed)
        self.opened = {name: folder.open(name) for name in self.files}
        self._check_sizes()

    def _read(self, file: IO[bytes]) -> bytes:
        try:
            check_text_size(os.fstat(file.fileno()).st_size, self.folder / MANIFEST)
            return file.read()
        except OSError as error:
            raise failed("read", self.folder / MANIFEST, error) from None

    def _check_version(self) -> None:
        """Raise FormatError for another format or version, or other content than was written."""
        found, source = self.found, self.source
        if found.get("format") != FORMAT:
            raise source.error(f"format {short_repr(found.get('format'))}: expected {FORMAT!r}")
        version = found.get("version")
        if type(version) is not int or version != VERSION:
            raise source.error(f"version {short_repr(version)}: expected {VERSION}")
        if found.get(CHECKSUM) != _digest(found):
            raise source.error(f"it has changed since it was written: {RESTORE}")

    def _count(self, key: str) -> int:
        """Return a count in the manifest, checked."""
        number = self.found.get(key)
        if type(number) is not int or not 0 <= number < MAX_COUNT:
            raise self.source.error(
                f"{key} is {short_repr(number)}: expected a whole number, 0 or more"
            )
        return number

    # -- facts about the solution -------------------------------------------------------------

    def _check_facts(self) -> None:
        """Check the options, the players, the initial position and the like."""
        found, error = self.found, self.source.error
        options, players = found.get("options"), found.get("players")
        if not isinstance(options, dict) or type(options.get("remoteness")) is not bool:
            raise error(f"options {short_repr(options)}: expected stuck, solver and remoteness")
        if not isinstance(options.get("solver"), str):
            raise error(f"solver is {short_repr(options.get('solver'))}: expected its name")
        try:
            stuck_value(options.get("stuck"))  # type: ignore[arg-type]
        except RetrosolveError:
            word = short_repr(options.get("stuck"))
            raise error(f"stuck {word}: expected loss, win or tie") from None
        if not isinstance(players, list) or [type(player) for player in players] != [str, str]:
            raise error(f"players is {short_repr(players)}: expected two names")
        check_read(self.source, [options["solver"]], "solver")
        check_read(self.source, players, "players")
        start, n = found.get("start"), self.num_vertices
        if start is not None and (type(start) is not int or not 0 <= start < n):
            raise error(f"start {short_repr(start)}: expected a vertex, 0..{n - 1}")
        if type(found.get("verified")) is not bool:
            raise error(f"verified is {short_repr(found.get('verified'))}: expected true or false")
        for key in ("fingerprint", "versions"):
            kinds = (str, type(None)) if key == "fingerprint" else dict
            if not isinstance(found.get(key), kinds):
                raise error(f"{key} is {short_repr(found.get(key))}: expected another")

    def _distribution(self) -> Distribution:
        """Return the histogram and the counts, which have to agree."""
        error = self.source.error
        record = self.found.get("histogram")
        try:
            histogram = {value: _plies(record[value.label]) for value in REPORTED_VALUES}  # type: ignore[index]
        except (TypeError, KeyError, ValueError, AttributeError):
            raise error(
                f"histogram {short_repr(record)}: expected counts by value and remoteness"
            ) from None
        by_player = self.found.get("counts_by_player")
        sides = None if by_player is None else self._sides(by_player)
        found = Distribution(histogram, sides)
        counts = found.counts()
        listed, expected = self.found.get("counts"), by_label(counts)
        if listed != expected:
            raise error(f"counts {short_repr(listed)}: expected {short_repr(expected)}")
        number = sum(counts.values())
        if self._count("num_positions") != number or number > self.num_vertices:
            raise error(
                f"num_positions is {self.found['num_positions']}: expected {number}, the sum of the "
                f"counts, at most {self.num_vertices}"
            )
        if sides is not None and counts != {v: sides[0][v] + sides[1][v] for v in counts}:
            raise error(f"counts_by_player {short_repr(by_player)}: expected the counts in two parts")
        return found

    def _sides(self, by_player: Any) -> tuple[dict[Value, int], dict[Value, int]]:
        """Return the counts of the two players."""
        try:
            first, second = ({v: _number(part[v.label]) for v in REPORTED_VALUES} for part in by_player)
        except (TypeError, KeyError, ValueError):
            raise self.source.error(
                f"counts_by_player {short_repr(by_player)}: expected counts for two players, or null"
            ) from None
        return first, second

    # -- arrays and files ---------------------------------------------------------------------

    def _listed(self) -> dict[str, dict[str, Any]]:
        """Return the descriptions of the files."""
        files = self.found.get("files")
        if not isinstance(files, dict):
            raise self.source.error(f"files is {short_repr(files)}: expected an object")
        for name, described in files.items():
            if not isinstance(described, dict):
                raise self.source.error(f"file {short_repr(name)}: expected its size and checksum")
        return files

    def _arrays(
        self, records: Any, group: str, known: tuple[str, ...], num_files: int
    ) -> dict[str, StoredArray]:
        """Return arrays of a group by the last part of their names, checked."""
        if not isinstance(records, list):
            raise self.source.error(f"arrays {short_repr(records)}: expected a list")
        paths = {f"{group}/{name}": name for name in known}
        found: dict[str, StoredArray] = {}
        for record in records:
            array = StoredArray.from_record(record)
            name = None if array is None else paths.get(array.name)
            if array is None or name is None or name in found or array.num_chunks > num_files:
                raise self.source.error(f"array {short_repr(record)}: expected a description")
            found[name] = array
        return found

    def _check_blocks(self) -> None:
        """Raise FormatError unless names, and only they, are in blocks."""
        for name, array in self.space_arrays.items():
            kind = NAME_ARRAYS.get(name)
            if bool(array.block) != bool(kind) or array.codes or array.dtype != (kind or array.dtype):
                raise self.source.error(f"the array {name} is in blocks or is not: expected the other")

    def _table_arrays(self, num_files: int) -> dict[str, StoredArray]:
        """Return the arrays of the table, checked."""
        table = self.found.get("table")
        if not isinstance(table, dict) or table.get("kind") != "codes":
            raise self.source.error(f"table {short_repr(table)}: expected one of the kind codes")
        records = table.get("arrays")
        parts = len(records) - len(TABLE_ARRAYS) if isinstance(records, list) else 0
        names = *TABLE_ARRAYS, *(f"part-{k}" for k in range(parts))
        arrays = self._arrays(records, "table", names, num_files)
        for name in names:
            if name not in arrays:
                raise self.source.error(f"the table has no array {name}: expected one")
            if bool(arrays[name].block) != name.startswith("part"):
                raise self.source.error(f"the array {name} is in blocks or is not: expected the other")
        if type(table.get("filled")) is not bool:
            raise self.source.error(
                f"filled is {short_repr(table.get('filled'))}: expected true or false"
            )
        if not isinstance(table.get("digest"), str):
            raise self.source.error(f"digest {short_repr(table.get('digest'))}: expected a SHA-256")
        return arrays

    def _files(self, files: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the descriptions of the files, which have to be those of the arrays."""
        arrays = [*self.space_arrays.values(), *self.table_arrays.values()]
        expected = {*file_paths(arrays), *({NAMES} & files.keys())}
        for name in sorted(expected ^ files.keys()):
            problem = "missing in the list" if name in expected else "not a part of a saved solution"
            raise self.source.error(f"file {short_repr(name)} is {problem}: expected the files it has")
        return files

    def _check_sizes(self) -> None:
        """Raise StoreError for a file that is shorter or longer than it was."""
        for name, file in self.opened.items():
            size, expected = os.fstat(file.fileno()).st_size, self.files[name].get("bytes")
            if size != expected:
                raise damaged(self.folder / name, f"it has {size} bytes, not {short_repr(expected)}")

    def check_files(self) -> None:
        """Compare every file with its checksum. Raises StoreError."""
        for name, described in self.files.items():
            path = self.folder / name
            try:
                found = file_checksum(self.opened[name])
            except OSError as error:
                raise failed("read", path, error) from None
            if found != described.get("crc32"):
                expected = short_repr(described.get("crc32"))
                raise damaged(path, f"it has the checksum {found}, not {expected}")

    @property
    def digest(self) -> str:
        """The digest of the table."""
        recorded: str = self.found["table"]["digest"]
        return recorded

    @property
    def num_bytes(self) -> int:
        """The number of bytes of all files, the manifest included."""
        return len(self.source.data) + sum(int(file["bytes"]) for file in self.files.values())

    def path(self, name: str) -> Path:
        """Return the path of a file."""
        return self.folder / name


def _plies(record: dict[str, Any]) -> dict[int | None, int]:
    """Return a part of a histogram from JSON. Raises ValueError, TypeError or AttributeError."""
    found = {None if key == "null" else _decimal(key): _number(n) for key, n in record.items()}
    return dict(sorted(found.items(), key=lambda item: -1 if item[0] is None else item[0]))


def _decimal(text: str) -> int:
    """Return the number that a text is, written as usual. Raises ValueError."""
    number = int(text)
    if str(number) != text or number < 0:
        raise ValueError(text)
    return number


def _number(found: Any) -> int:
    """Return a number of vertices. Raises TypeError for anything else."""
    if type(found) is not int or not 0 <= found < MAX_COUNT:
        raise TypeError(found)
    return found
