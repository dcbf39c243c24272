"""Saved solutions: a table and the spec of its space, as a directory that is saved, opened and packed.

The directory is a Zarr v3 group. ``table/part-<k>`` holds the codes of the vertices in compressed
blocks, part after part, and ``table/value`` and ``table/remoteness`` the meaning of each code.
``space/...`` holds the edges of a graph, or the positions of compiled rules that were explored;
other games are saved only as their spec. ``names.json`` lists the names of a graph. ``manifest.json``
holds the format and version, the spec of the space with a fingerprint of the rules, the options of the
solve, the histogram, a digest of the decoded table, and the size and CRC-32 of every file. It is
written last.

A directory is created under a temporary name in the same folder, flushed to disk and renamed, so that
it is complete or absent. Opening reads the manifest and maps the arrays.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import spans
from retrosolve.errors import FormatError, GraphError, PositionError, RetrosolveError, StoreError
from retrosolve.languages.phrases import Proven
from retrosolve.objectives import Chance, without_levels
from retrosolve.runtime.files import (
    UNICODE,
    Source,
    error_summary,
    short_repr,
    sync_folder,
    system_errors,
)
from retrosolve.runtime.text import check_read, is_text, plain_names
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import Capability, CsrSpace, StateSpace, Subject
from retrosolve.store import specs
from retrosolve.store.blocks import (
    ArrayWriter,
    StoredArray,
    file_checksum,
    map_bytes,
    mapped_array,
    opened_blocks,
    write_blocks,
)
from retrosolve.store.codec import Encoder, digest, write_table
from retrosolve.store.folder import (
    Folder,
    damaged,
    flushed,
    look_into,
    put_in_place,
    writing,
)
from retrosolve.store.manifest import (
    ATTRIBUTES,
    BOUNDS,
    CHECKSUM,
    FORMAT,
    INTERVALS,
    MANIFEST,
    NAME_ARRAYS,
    NAMES,
    PACKED_INTERVALS,
    TABLE_ARRAYS,
    VERSION,
    Manifest,
    Saved,
    check_text_size,
    facts_of,
    sealed,
)
from retrosolve.tables import Table
from retrosolve.tables.base import MAX_KINDS, pack_pairs, values_only
from retrosolve.tables.coded import CodedTable, Codes, Dictionary, FilledTable, JoinedCodes
from retrosolve.tables.intervals import IntervalTable, PackedIntervals
from retrosolve.tables.summary import Distribution, distribution
from retrosolve.values import INVALID

LEVEL = 3
PACKED_LEVEL = 19
LEVELS = range(1, 23)
NO_LIMIT = 1 << 63
FILE_SUFFIXES = frozenset(  # of files of graphs, which formats.table lists
    (".csv", ".tsv", ".edges", ".edgelist", ".el", ".npz", ".pg", ".sol", ".graphml", ".dot")
).union((".gv", ".parquet", ".json"))
LIMITS = {"|u1": 1 << 8, "<i8": 1 << 63}  # more than any element of the names in blocks


# -- saving ------------------------------------------------------------------------------------------


def save(saved: Saved, path: str | Path, level: int = LEVEL) -> None:
    """Save a table and the spec of its space as a directory.

    Parameters
    ----------
    saved : Saved
    path : str or Path
        The directory. A saved solution there is replaced, or stays as it was if anything fails.
    level : int
        The level of the compression, 1 to 22.

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, if another process is saving there, or if
        writing fails.

    Notes
    -----
    Takes the bytes of the arrays on disk, and those of the old solution while it is replaced.
    """
    with replacing(path) as folder:
        spec, names = spec_of(saved)
        writer = ArrayWriter(folder, ATTRIBUTES)
        table, distribution = write_table(writer, saved.space, saved.table, level)
        facts = facts_of(saved, distribution, specs.fingerprint(saved.space, saved.table.values))
        write_rest(writer, saved.space, spec, names, facts | {"table": table})


def spec_of(saved: Saved) -> tuple[dict[str, Any], list[str | int] | None]:
    """Return the spec of a space without names, and the names. Raises FormatError."""
    for player in saved.space.players:
        if not is_text(player):
            raise FormatError(f"the player {short_repr(player)}: {UNICODE}")
    spec = saved.space.spec()
    return spec, plain_names(spec.pop("names", None))


def write_rest(
    writer: ArrayWriter, space: StateSpace, spec: dict[str, Any], names: list[str | int] | None,
    facts: dict[str, Any],
) -> bytes:  # fmt: skip
    """Write the files of a directory besides its table, the manifest last; return the manifest."""
    arrays = []
    for name, array in space.arrays().items():
        if name in NAME_ARRAYS:
            stored = writer.blocks(f"space/{name}", len(array), array.dtype, LEVEL)
            write_blocks(writer.folder, stored, LEVEL, _reader(array))
        else:
            stored = writer.whole(f"space/{name}", array)
        arrays.append(stored.record())
    if names is not None:
        (writer.folder / NAMES).write_bytes(json.dumps(names, indent=0).encode())
    head = {"format": FORMAT, "version": VERSION, "space": spec}
    return finish(writer.folder, head | facts | {"arrays": arrays})


def _reader(array: Any) -> Callable[[int, int], NDArray[Any]]:
    """Return a reader of ranges of an array in memory, in a file, or in blocks."""
    return lambda start, stop: array.take(np.arange(start, stop))


def finish(folder: Path, facts: dict[str, Any]) -> bytes:
    """Write the manifest of a directory whose other files are written, all flushed to disk."""
    names = sorted(_files_below(folder))
    paths = [folder / name for name in names]

    def checked(number: int) -> dict[str, int]:
        with paths[number].open("rb") as file:
            os.fsync(file.fileno())
            return {"bytes": os.fstat(file.fileno()).st_size, "crc32": file_checksum(file)}

    with ThreadPool(None, sum(map(os.path.getsize, paths))) as pool:
        files = pool.map(checked, len(names))
    manifest = sealed(facts | {"files": dict(zip(names, files, strict=True))})
    with flushed(folder / MANIFEST) as file:
        file.write(manifest)
    for parent, _, _ in os.walk(folder):
        sync_folder(Path(parent))
    return manifest


def update_manifest(path: str | Path, **facts: Any) -> None:
    """Change facts in the manifest of a saved solution, such as whether every value has been proven.

    Raises
    ------
    StoreError
        If another process is saving there, or if writing fails.
    """
    target = target_of(path)
    with system_errors("save", path), writing(target) as temporary:
        record = json.loads((target / MANIFEST).read_bytes())
        with flushed(temporary / MANIFEST) as file:
            file.write(sealed(record | facts))
        (temporary / MANIFEST).replace(target / MANIFEST)
        sync_folder(target)


# -- the place of a directory ------------------------------------------------------------------------


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Put a new directory in place of an older one, in one step.

    Parameters
    ----------
    path : str or Path

    Yields
    ------
    Path
        An empty folder for all files of the directory.

    Raises
    ------
    StoreError
        As for :func:`save`.
    """
    target = target_of(path)
    try:
        with system_errors("save", path), writing(target) as temporary:
            look_into(target, _check_replaceable)
            yield temporary
            put_in_place(temporary, target)
    except FormatError as error:
        raise StoreError(f"cannot save {path}: {error}") from None


def check_destination(path: str | Path) -> None:
    """Check, before any work, that a directory can be saved.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, or there is no folder for it.
    """
    target = target_of(path)
    with system_errors("save", path):
        look_into(target, _check_replaceable)
        if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
            raise StoreError(f"cannot save {path}: {target.parent} is no writable folder")


def check_folder_name(path: str | Path) -> None:
    """Raise StoreError for a new path that ends like a file of a graph, without a slash behind it."""
    name = target_of(path).name.lower().removesuffix(".gz")
    is_file = Path(name).suffix in FILE_SUFFIXES and not str(path).endswith(("/", os.sep))
    if is_file and not os.path.isdir(path):
        raise StoreError(
            f"cannot save {path}: a solution is saved as a folder, and this is the name of a file; "
            f"expected a folder, or retrosolve.write(solution, {str(path)!r})"
        )


def target_of(path: Any) -> Path:
    """Return the absolute path of a directory. Raises StoreError."""
    if not isinstance(path, str | Path) or not str(path):
        raise StoreError(f"{short_repr(path)} is not a path: expected the path of a directory")
    try:
        target = Path(os.path.realpath(path))
        if target.name:
            return target
        raise StoreError(f"{target} is no saved solution: expected the path of a directory")
    except (OSError, ValueError) as error:
        raise StoreError(f"{short_repr(str(path))} cannot be a path: {error_summary(error)}") from None


def _check_replaceable(folder: Folder) -> None:
    """Raise StoreError unless the folder is absent, or a saved solution and nothing else."""
    target = folder.path
    if isinstance(folder.missing, FileNotFoundError):
        return
    if not target.is_dir():
        raise StoreError(f"{target} is a file: expected a new path, or a saved solution")
    there = folder.names()
    if MANIFEST not in there:
        raise StoreError(f"{target} is no saved solution: expected a new path, or a saved solution")
    try:
        manifest = json.loads(folder.open([MANIFEST])[MANIFEST].read())
        kind, listed = manifest.get("format"), manifest.get("files")
    except (ValueError, AttributeError, RecursionError):
        kind = listed = None
    if kind != FORMAT:
        raise StoreError(f"{target / MANIFEST} is not ours: expected a new path, or a saved solution")
    known = {MANIFEST, *(listed if isinstance(listed, dict) else ())}
    for name in sorted(_files_below(target)):
        if name not in known:
            raise StoreError(
                f"{target} also holds {short_repr(name)}, which replacing it would lose: "
                "expected nothing but a saved solution"
            )


def _files_below(folder: Path) -> list[str]:
    """Return the path of every file and every empty directory below a directory."""
    paths: list[str] = []
    for parent, folders, files in os.walk(folder):
        paths += [os.path.join(parent, name) for name in files]
        paths += [] if folders or files else [parent]
    return [path[len(os.path.join(folder, "")) :] for path in paths]


# -- opening -----------------------------------------------------------------------------------------


def load(
    path: str | Path, game: Subject | None = None, check: bool = False,
    space: StateSpace | None = None, trusted: bool = False,
) -> Archive:  # fmt: skip
    """Open a saved solution; its arrays are mapped into memory.

    Parameters
    ----------
    path : str or Path
        The directory.
    game : Game, CompiledGame or EdgeParts, optional
        The game that was solved, to be used instead of building it from its spec.
    check : bool
        Whether to read everything now, and compare it with its checksums and the manifest.
    space : StateSpace, optional
        The space that was solved, if it is known to be that.
    trusted : bool
        Whether rules that are no part of this package may run.

    Returns
    -------
    Archive

    Raises
    ------
    StoreError
        If a file is missing, damaged or of another version, or if the rules have changed.
    """

    def opened(folder: Folder) -> Archive:
        """Return the archive of a directory, any error in it as a StoreError."""
        try:
            manifest = Manifest(folder)
            if check:
                manifest.check_files()
            archive = Archive(manifest, game, space, trusted)
            if check:
                archive.check()
        except StoreError:
            raise
        except RetrosolveError as error:
            raise StoreError(str(error)) from None
        return archive

    return look_into(target_of(path), opened)


class Archive:
    """A saved solution that is open: its table stays on disk, its space is built on first use.

    It may be used by several threads and after a fork: nothing that it holds is ever locked.

    Parameters
    ----------
    manifest : Manifest
        With its files open.
    game : Game, CompiledGame or EdgeParts, optional
        The game that was solved, compared with the saved solution at once.
    space : StateSpace, optional
        The space that was solved, if it is known to be that.
    trusted : bool
        Whether rules that are no part of this package may run; they may if ``space`` has run them.

    Attributes
    ----------
    manifest : Manifest
    table : Table
        Its codes stay on disk.
    distribution : Distribution
        From the manifest.
    digest : str
        As :func:`retrosolve.store.digest` returns it, from the manifest.

    Raises
    ------
    StoreError
        If the files hold no table, or rules that are trusted are gone or have changed.
    """

    def __init__(
        self, manifest: Manifest, game: Subject | None = None,
        space: StateSpace | None = None, trusted: bool = False,
    ) -> None:  # fmt: skip
        self.manifest = manifest
        self.path = manifest.folder
        self.game = game
        self.trusted = trusted or space is not None
        record, opened = manifest.record, manifest.opened
        folder, files = self.path, manifest.files
        self.mapped = partial(mapped_array, folder=folder, opened=opened, files=files)
        self.blocks = partial(opened_blocks, folder=folder, opened=opened, files=files, cache={})
        self._spec: Any = record.get("space")
        self._origin = specs.Origin(self.path, manifest.num_vertices, self.trusted)
        self._built: dict[str, StateSpace] = {}
        try:
            specs.kind_of(self._spec)
        except FormatError as error:
            raise manifest.source.error(str(error)) from None
        if trusted and space is None:
            self.check_rules()
        self._arrays = {
            name: self.blocks(array, limit=LIMITS[array.dtype]) if array.block else self.mapped(array)
            for name, array in manifest.space_arrays.items()
        }
        self._names = map_bytes(opened[NAMES], self.path / NAMES) if NAMES in opened else None
        self.distribution: Distribution = manifest.distribution
        self.players: tuple[str, str] = record["players"][0], record["players"][1]
        self.solver: str = record["solver"]
        self.start: int | None = record.get("start")
        self.proven = self._proof()
        self.digest = manifest.digest
        self.identity: specs.Identity | None = record.get("identity")
        self.table = self._table()
        if self.table.num_vertices != manifest.num_vertices:
            raise self._differs("num_vertices", manifest.num_vertices, "table", self.table.num_vertices)
        if space is not None:
            self._built |= {"known": space, "space": space.detach(self.table)}
        elif game is not None:
            self.space()

    def _proof(self) -> Proven | None:
        """Return what is proven. Older files of plain rules do not say where they were called again."""
        record = self.manifest.record
        is_said = "rules_called_again" in record or "graph" not in self._spec
        called = record.get("rules_called_again")
        return Proven(record["num_positions"], called) if record["verified"] and is_said else None

    @property
    def is_built(self) -> bool:
        """Whether positions and moves are at hand already."""
        return "space" in self._built

    @property
    def has_rules(self) -> bool:
        """Whether positions and moves may be asked for, as far as is known without reading a file."""
        needs_none = self.game is not None or bool(self._built) or specs.runs_nothing_else(self._spec)
        return needs_none or (self.trusted and specs.kind_of(self._spec) == "rules")

    def check_rules(self) -> None:
        """Check that positions and moves may be asked for, as far as that needs no import.

        Raises
        ------
        UntrustedRulesError
            If rules would have to run that are not trusted.
        StoreError
            If the rules are gone or have changed.
        """
        if self.game is not None or self._built:
            return
        try:
            specs.check_source(self._spec, self._origin)
        except FormatError as error:
            raise self.manifest.source.error(str(error)) from None

    # -- the table ----------------------------------------------------------------------------

    def _table(self) -> Table:
        manifest = self.manifest
        if manifest.kind == PACKED_INTERVALS:
            facts, places = manifest.record["table"], self.mapped(manifest.table_arrays["places"])()
            return PackedIntervals(
                places, facts["most"], facts["width"], facts["payoff"], facts["proven"]
            )
        if manifest.kind == INTERVALS:
            low, high = (self.mapped(manifest.table_arrays[name])() for name in BOUNDS)
            return IntervalTable(low, high, manifest.record["table"]["payoff"])
        value = self.mapped(manifest.table_arrays["value"])()
        remoteness = self.mapped(manifest.table_arrays["remoteness"])()
        try:
            dictionary = Dictionary.checked(value, remoteness, manifest.num_vertices, manifest.codec)
        except GraphError as error:
            raise self._no_table(str(error)) from None
        parts = self.parts(len(dictionary.value))
        table = CodedTable(parts, dictionary, manifest.objective.has_levels, manifest.codec)
        return FilledTable(table, self._invalid) if manifest.record["table"]["filled"] else table

    def parts(self, limit: int) -> list[Codes]:
        """Return the codes of the table in its parts, read on demand; each below ``limit``."""
        arrays = self.manifest.table_arrays
        return [
            self.blocks(array, limit=limit)
            for name, array in arrays.items()
            if name not in TABLE_ARRAYS
        ]

    def _invalid(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return which vertices are no positions by the rules."""
        invalid: NDArray[np.bool_] = (
            self._once("known", self._bare_space).terminal(start, stop) == INVALID
        )
        return invalid

    # -- the space ----------------------------------------------------------------------------

    def space(self) -> StateSpace:
        """Return the positions and moves, built on first use.

        Raises
        ------
        StoreError
            If they cannot be built, or are not those that were solved.
        """
        known = self._once("known", self._bare_space)
        return self._once("space", partial(self._build, known))

    def _once(self, name: str, build: Callable[[], StateSpace]) -> StateSpace:
        """Return a space, built on first use. Raises StoreError."""
        if name not in self._built:
            try:
                self._built.setdefault(name, build())
            except RetrosolveError as error:
                if (problem := specs.other_arguments(self._spec, self.game)) is not None:
                    raise StoreError(f"{self.path}: {problem}") from error
                if isinstance(error, StoreError):
                    raise
                raise StoreError(str(error)) from None
        return self._built[name]

    def _build(self, space: StateSpace) -> StateSpace:
        """Return the space of the manifest with the table, once it has been compared with that."""
        manifest, error = self.manifest, self.manifest.source.error
        if isinstance(space, CsrSpace) and space.num_edges != self.manifest.num_edges:
            raise self._differs("num_edges", self.manifest.num_edges, "space", space.num_edges)
        if self.start is not None and self.table.outcome(self.start)[0] == INVALID:
            raise error(f"start {self.start} is no position: expected one")
        check_read(manifest.source, space.players, "players")
        space = space.detach(self.table)
        try:
            if space.start is not None:
                space.index(space.start)
        except PositionError as reason:
            raise error(f"the game starts from no position, {reason}: {specs.GIVE_GAME}") from None
        try:
            same = manifest.record.get("fingerprint") == specs.fingerprint(space, self.table.values)
        except Exception as reason:  # of the code of the game
            raise specs.rules_changed(self._spec) from reason
        if not same:
            raise specs.rules_changed(self._spec)
        return space

    def _bare_space(self) -> StateSpace:
        """Return the space that the manifest describes, not yet compared with the table."""
        error, n, spec = self.manifest.source.error, self.manifest.num_vertices, self._spec
        arrays: dict[str, Any] = {
            name: array() if callable(array) else array for name, array in self._arrays.items()
        }
        if spec["kind"] == "graph" and not {"indptr", "indices"} <= arrays.keys():
            raise error("the graph has no arrays indptr and indices: expected both")
        spec = spec | {"names": self._read_names()}
        try:
            space = specs.space_from(spec, arrays, self._origin, self.game)
        except FormatError as problem:
            raise error(str(problem)) from None
        if space.num_vertices != n:
            raise self._differs("num_vertices", n, "space", space.num_vertices)
        if self.table.bounds is None and (
            space.has_chance if isinstance(space, CsrSpace) else Capability.CHANCE in space.capabilities
        ):
            raise error("the files hold no graph of this table: expected owners 0 and 1, not 2, chance")
        return space

    def _read_names(self) -> list[str | int] | None:
        """Return the names of a graph, None if it has none."""
        if self._names is None:
            return None
        path = self.path / NAMES
        check_text_size(len(self._names), path)
        data = self._names.tobytes()
        if zlib.crc32(data) != self.manifest.files[NAMES].get("crc32"):
            raise damaged(path, "it has another checksum")
        try:
            names = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise damaged(path, error_summary(error)) from None
        if not isinstance(names, list) or len(names) != self.manifest.num_vertices:
            raise StoreError(
                f"{path} holds no list of {self.manifest.num_vertices} names: expected one"
            )
        for v, name in enumerate(names):
            if type(name) not in (str, int):
                raise StoreError(
                    f"{path} has {short_repr(name)} for vertex {v}: expected text or a whole number"
                )
        check_read(Source(str(path), b""), names)
        return names

    # -- checks of everything -----------------------------------------------------------------

    def check(self) -> None:
        """Compare the table with the manifest, and with a stored graph.

        Without the rules, the counts by player are compared with nothing. Raises StoreError.
        """
        space, table = self.space() if self.has_rules else None, self.table
        if isinstance(space, CsrSpace):
            for start, stop in spans(table.num_vertices):
                self._check_invalid(space, start, stop)
        counted = self._recount(space)
        error, expected = self.manifest.source.error, self.distribution
        if counted.histogram != expected.histogram:
            raise error("the histogram is not that of the table: expected them to agree")
        if space is not None and counted.by_player != expected.by_player:
            raise error("counts_by_player are not those of the table: expected them to agree")

    def _recount(self, space: StateSpace | None) -> Distribution:
        """Return the distribution of the table on disk, and compare its digest."""
        if self.table.bounds is not None:
            found, counted = digest(self.table), distribution(self.table, space)
        else:
            encoder = Encoder(self.table, space)
            encoder.read_all()
            found, counted = encoder.digest(), encoder.distribution()
        if found != self.digest:
            raise self.manifest.source.error(
                f"the digest is {self.digest}, that of the table {found}: expected them to agree"
            )
        return counted

    def _check_invalid(self, space: StateSpace, start: int, stop: int) -> None:
        """Raise StoreError unless the values are INVALID where a graph has no position."""
        values = self.table.values(slice(start, stop))
        wrong = (values == INVALID) != (space.terminal(start, stop) == INVALID)
        if wrong.any():
            v = int(wrong.argmax())
            expected = f"expected {INVALID} where the graph has no position, and only there"
            raise self._no_table(f"value of vertex {start + v} is {values[v]}: {expected}")

    def _differs(self, key: str, expected: int, what: str, number: int) -> FormatError:
        """Return the error for a number that is not that of the manifest."""
        return self.manifest.source.error(
            f"{key} is {expected}, but the {what} has {number}: expected as many"
        )

    def _no_table(self, problem: str) -> StoreError:
        """Return the error for arrays that are no table."""
        return StoreError(f"{self.path} holds no table: {problem}")


# -- packing -----------------------------------------------------------------------------------------


def pack(
    path: str | Path,
    out: str | Path | None = None,
    level: int = PACKED_LEVEL,
    remoteness: bool = True,
    trust_rules: bool = False,
    round_bounds: bool = False,
) -> None:
    """Write a saved solution again, smaller.

    Parameters
    ----------
    path : str or Path
        The directory of the solution.
    out : str or Path, optional
        The directory to write, ``path`` by default. A saved solution there is replaced in one step.
    level : int
        The level of the compression, 1 to 22.
    remoteness : bool
        Whether to keep the remoteness. Without it, win/loss/draw takes a tenth of the size or less.
    trust_rules : bool
        Whether rules that are no part of this package may run, as for :func:`retrosolve.open`.
    round_bounds : bool
        Whether to round the bounds of a game of chance outward to four bytes a position, in ``out``.
        The digest of the proven ones stands beside them.

    Raises
    ------
    UntrustedRulesError
        To leave out the remoteness, if rules would have to run that are not trusted.
    StoreError
        If anything in the directory is damaged, or if writing fails; the old directory then stays.

    Notes
    -----
    Every file is compared with its checksum first. The rules are not needed, except without
    remoteness. The digest and the proof remain valid; leaving out the remoteness makes another digest.

    Cost: about ten times the time of saving, one block at a time in memory.

    Examples
    --------
    >>> import tempfile
    >>> import retrosolve as rs
    >>> folder = tempfile.mkdtemp() + "/loop"
    >>> rs.solve(rs.Graph.from_edges([0, 1, 1], [1, 0, 2])).save(folder)
    >>> pack(folder, folder + "-packed")
    >>> rs.open(folder + "-packed").digest() == rs.open(folder).digest()
    True
    """
    if level not in LEVELS:
        raise StoreError(f"level={short_repr(level)}: expected {LEVELS.start} to {LEVELS.stop - 1}")
    target = path if out is None else out

    def rewrite(folder: Folder) -> None:
        """Write what is in a directory to ``target``."""
        manifest = Manifest(folder)
        leaves_out = manifest.objective.has_levels and not remoteness
        archive = Archive(manifest, trusted=trust_rules)
        encloses = round_bounds and manifest.kind != PACKED_INTERVALS
        if encloses and (out is None or manifest.kind != INTERVALS):
            expected = "another directory to write" if out is None else "a game of chance"
            raise StoreError(f"{path} cannot have its bounds rounded: expected {expected}")
        if not (leaves_out or encloses):
            manifest.check_files()
            with replacing(target) as temporary:
                _rewrite(temporary, archive, level)
            return
        archive.check_rules()
        manifest.check_files()
        saved = Saved(
            archive.space(), archive.table, manifest.objective, archive.solver, manifest.num_edges,
            archive.start, archive.proven,
        )  # fmt: skip
        if encloses:
            saved = _enclosing(saved, archive.digest)
        else:
            objective = without_levels(manifest.objective)
            saved = replace(saved, table=values_only(archive.table), objective=objective)
        save(saved, target, level)

    look_into(target_of(path), rewrite)


def _enclosing(saved: Saved, digest: str) -> Saved:
    """Return a solution of chance with bounds of four bytes a vertex."""
    objective, bounds = saved.objective, saved.table.bounds
    assert bounds is not None  # by its manifest
    assert isinstance(objective, Chance)
    limit = objective.tolerance * (1 if bounds.is_payoff else 2)
    return replace(saved, table=PackedIntervals.enclosing(bounds, limit, digest))


def _rewrite(folder: Path, archive: Archive, level: int) -> None:
    """Write all files of a solution at another level of compression, its codes as one array."""
    manifest = archive.manifest
    facts = {key: fact for key, fact in manifest.record.items() if key not in (CHECKSUM, "files")}
    writer = ArrayWriter(folder, ATTRIBUTES)

    def copied(array: StoredArray) -> dict[str, Any]:
        """Write an array again; return its description."""
        if not array.block:
            return writer.whole(array.name, archive.mapped(array)()).record()
        names = archive.blocks(array, limit=NO_LIMIT)
        stored = writer.blocks(array.name, len(names), array.dtype, level)
        write_blocks(folder, stored, level, names.read)
        return stored.record()

    if manifest.kind in (INTERVALS, PACKED_INTERVALS):
        arrays = [copied(array) for array in manifest.table_arrays.values()]
    else:
        arrays = _rewrite_codes(writer, archive, level, copied)
    facts["table"] = facts["table"] | {"arrays": arrays}
    facts["arrays"] = [copied(array) for array in manifest.space_arrays.values()]
    if NAMES in manifest.opened:
        manifest.opened[NAMES].seek(0)
        (folder / NAMES).write_bytes(manifest.opened[NAMES].read())
    finish(folder, facts)


def _rewrite_codes(
    writer: ArrayWriter, archive: Archive, level: int, copied: Callable[[StoredArray], dict[str, Any]]
) -> list[dict[str, Any]]:
    """Write the codes of a table as one array; return the descriptions of all of its arrays."""
    manifest = archive.manifest
    parts = [array for name, array in manifest.table_arrays.items() if name not in TABLE_ARRAYS]
    packed = any(array.codes for array in parts)
    codes = JoinedCodes(archive.parts(MAX_KINDS if packed else NO_LIMIT))
    dtype = np.result_type(*(array.dtype for array in parts)) if parts else np.dtype(np.uint8)

    def read(start: int, stop: int) -> NDArray[Any]:
        """Return a range of the codes as they are stored."""
        part = codes.read(start, stop)
        return pack_pairs(part) if packed else part

    stored = writer.blocks("table/part-0", len(codes), dtype, level, packed)
    write_blocks(writer.folder, stored, level, read)
    return [*(copied(manifest.table_arrays[name]) for name in TABLE_ARRAYS), stored.record()]
