"""Opened: a saved solution that is held open, its table on disk and its space built on first use."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError, GraphError, PositionError, RetrosolveError, StoreError
from retrosolve.runtime.files import Source, error_summary, one_line, short_repr
from retrosolve.runtime.text import check_read
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.store.arrays import MappedArray, map_bytes, opened_blocks
from retrosolve.store.contents import NAMES
from retrosolve.store.encoding import Encoder
from retrosolve.store.fingerprint import fingerprint
from retrosolve.store.folder import damaged
from retrosolve.store.manifest import Manifest, check_text_size
from retrosolve.store.specs import (
    GIVE_GAME,
    Origin,
    check_source,
    kind_of,
    rules_changed,
    runs_nothing_else,
    space_from,
)
from retrosolve.tables import Table
from retrosolve.tables.coded import CodedTable, Codes, Dictionary
from retrosolve.tables.filled import FilledTable
from retrosolve.tables.summary import Distribution, spans
from retrosolve.values import INVALID, Value, stuck_value

LIMITS = {"|u1": 1 << 8, "<i8": 1 << 63}  # more than any element of the names in blocks


class Opened:
    """A saved solution.

    It may be used by several threads and after a fork: nothing that it holds is ever locked.

    Parameters
    ----------
    manifest : Manifest
        With its files open.
    game : Game or CompiledGame, optional
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
        self, manifest: Manifest, game: Any = None, space: StateSpace | None = None,
        trusted: bool = False,
    ) -> None:  # fmt: skip
        self.manifest = manifest
        self._spec: Any = manifest.found.get("space")
        self.game = game
        self.trusted = trusted or space is not None
        self._origin = Origin(manifest.folder, manifest.num_vertices, self.trusted)
        self._built: dict[str, StateSpace] = {}
        try:
            kind_of(self._spec)
        except FormatError as error:
            raise manifest.source.error(str(error)) from None
        if trusted and space is None:
            self.check_rules()
        folder, opened, files = manifest.folder, manifest.opened, manifest.files
        self._arrays = {
            name: opened_blocks(array, folder, opened, LIMITS[array.dtype], files)
            if array.block
            else MappedArray(array, folder, opened, files)
            for name, array in manifest.space_arrays.items()
        }
        self._names = map_bytes(opened[NAMES], folder / NAMES) if NAMES in opened else None
        self.path = folder
        self.num_edges = manifest.num_edges
        self.num_bytes = manifest.num_bytes
        self.distribution: Distribution = manifest.distribution
        found = manifest.found
        self.players: tuple[str, str] = found["players"][0], found["players"][1]
        self.stuck: Value = stuck_value(found["options"]["stuck"])
        self.solver: str = found["options"]["solver"]
        self.start: int | None = found.get("start")
        self.verified: bool = found["verified"]
        self.digest = manifest.digest
        self.identity: Any = found.get("identity")
        self.table = self._table()
        if self.table.num_vertices != manifest.num_vertices:
            raise self._differs("num_vertices", manifest.num_vertices, "table", self.table.num_vertices)
        if space is not None:
            self._built["space"] = space.for_solution(self.table)
        elif game is not None:
            self.space()

    @property
    def is_built(self) -> bool:
        """Whether positions and moves are at hand already."""
        return "space" in self._built

    @property
    def has_rules(self) -> bool:
        """Whether positions and moves may be asked for, as far as is known without reading a file."""
        kind = kind_of(self._spec)
        known = self.game is not None or bool(self._built) or runs_nothing_else(self._spec)
        return known or (self.trusted and kind == "rules")

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
            check_source(self._spec, self._origin)
        except FormatError as error:
            raise self.manifest.source.error(str(error)) from None

    # -- the table ----------------------------------------------------------------------------

    def _table(self) -> Table:
        manifest = self.manifest
        folder, opened = manifest.folder, manifest.opened
        whole = {
            name: MappedArray(array, folder, opened, manifest.files).read()
            for name, array in manifest.table_arrays.items()
            if not array.block
        }
        try:
            dictionary = Dictionary.checked(whole["value"], whole["remoteness"], manifest.num_vertices)
        except GraphError as error:
            raise self._no_table(str(error)) from None
        parts = opened_parts(manifest, len(dictionary.value))
        table = CodedTable(parts, dictionary, manifest.found["options"]["remoteness"])
        return FilledTable(table, self._invalid) if manifest.found["table"]["filled"] else table

    def _invalid(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return which of some vertices the rules say are no positions."""
        found: NDArray[np.bool_] = self._known_space().terminal(start, stop) == INVALID
        return found

    # -- the space ----------------------------------------------------------------------------

    def space(self) -> StateSpace:
        """Return the positions and moves, built on first use.

        Raises
        ------
        StoreError
            If they cannot be built, or are not those that were solved.
        """
        return self._once("space", self._build)

    def _known_space(self) -> StateSpace:
        """Return the space that the manifest describes, not yet compared with the table."""
        return self._once("known", self._sized_space)

    def _once(self, name: str, build: Callable[[], StateSpace]) -> StateSpace:
        """Return a space, built on first use. Raises StoreError."""
        if name not in self._built:
            try:
                self._built.setdefault(name, build())
            except StoreError:
                raise
            except RetrosolveError as error:
                raise StoreError(str(error)) from None
        return self._built[name]

    def _sized_space(self) -> StateSpace:
        space, n = self._bare_space(), self.manifest.num_vertices
        if space.num_vertices != n:
            raise self._differs("num_vertices", n, "space", space.num_vertices)
        return space

    def _build(self) -> StateSpace:
        manifest, error = self.manifest, self.manifest.source.error
        space = self._known_space()
        if Capability.CSR in space.capabilities and space.num_edges != self.num_edges:
            raise self._differs("num_edges", self.num_edges, "space", space.num_edges)
        if self.start is not None and self.table.values(np.array([self.start]))[0] == INVALID:
            raise error(f"start {self.start} is no position: expected one")
        check_read(manifest.source, space.players, "players")
        space = space.for_solution(self.table)
        try:
            if space.initial is not None:
                space.index(space.initial)
        except PositionError as reason:
            raise error(f"the game starts from no position, {reason}: {GIVE_GAME}") from None
        try:
            same = manifest.found["fingerprint"] == fingerprint(space, self.table.values)
        except Exception as reason:  # of the code of the game
            raise rules_changed(self._spec) from reason
        if not same:
            raise rules_changed(self._spec)
        return space

    def _bare_space(self) -> StateSpace:
        """Return the space that the manifest describes."""
        arrays: dict[str, Any] = {
            name: array.read() if isinstance(array, MappedArray) else array
            for name, array in self._arrays.items()
        }
        spec = self._spec
        if isinstance(spec, dict):
            if spec.get("kind") == "graph" and not {"indptr", "indices"} <= arrays.keys():
                raise self.manifest.source.error(
                    "the graph has no arrays indptr and indices: expected both"
                )
            spec = spec | {"names": self._read_names()}
        try:
            return space_from(spec, arrays, self._origin, self.game)
        except FormatError as error:
            raise self.manifest.source.error(str(error)) from None

    def _read_names(self) -> list[str | int] | None:
        """Return the names of a graph, None if it has none."""
        if self._names is None:
            return None
        path = self.path / NAMES
        check_text_size(len(self._names), path)
        data = self._names.tobytes()
        found = zlib.crc32(data)
        if found != self.manifest.files[NAMES].get("crc32"):
            raise damaged(path, "it has another checksum")
        try:
            names = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise damaged(path, error_summary(error)) from None
        if not isinstance(names, list) or len(names) != self.manifest.num_vertices:
            raise StoreError(
                one_line(f"{path} holds no list of {self.manifest.num_vertices} names: expected one")
            )
        for v, name in enumerate(names):
            if type(name) not in (str, int):
                raise StoreError(
                    one_line(
                        f"{path} has {short_repr(name)} for vertex {v}: expected text or a whole number"
                    )
                )
        check_read(Source(one_line(str(path)), b""), names)
        return names

    # -- checks of everything -----------------------------------------------------------------

    def check(self) -> None:
        """Compare the table with the manifest, and with a stored graph.

        Without the rules, the counts by player are compared with nothing. Raises StoreError.
        """
        space, table = self.space() if self.has_rules else None, self.table
        if space is not None and Capability.CSR in space.capabilities:
            for start, stop in spans(table.num_vertices):
                self._check_invalid(space, start, stop)
        found = self._recount(space)
        error, expected = self.manifest.source.error, self.distribution
        if found.histogram != expected.histogram:
            raise error("the histogram is not that of the table: expected them to agree")
        if space is not None and found.by_player != expected.by_player:
            raise error("counts_by_player are not those of the table: expected them to agree")

    def _recount(self, space: StateSpace | None) -> Distribution:
        """Return the distribution of the table on disk, and compare its digest."""
        encoder = Encoder(self.table, space)
        encoder.read_all()
        if encoder.digest() != self.digest:
            raise self.manifest.source.error(
                f"the digest is {self.digest}, that of the table {encoder.digest()}: "
                "expected them to agree"
            )
        return encoder.distribution()

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
        return StoreError(one_line(f"{self.path} holds no table: {problem}"))


def opened_parts(manifest: Manifest, limit: int) -> list[Codes]:
    """Return the codes of a table in its parts, read on demand; each below ``limit``."""
    return [
        opened_blocks(array, manifest.folder, manifest.opened, limit, manifest.files)
        for array in manifest.table_arrays.values()
        if array.block
    ]
