"""JSON, ``.json``: one object of plain lists.

    {"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []],
     "names": ["a", "b"], "owner": [0, 1], "terminal": [null, "loss"], "stuck": "loss",
     "payoff": [0, -5], "reward": [[2], []],
     "start": "a", "value": ["win", "loss"], "remoteness": [1, 0], "best": [1, null],
     "players": ["policeman", "thief"]}

Names are text or whole numbers; ``start`` is a name, or a vertex number if there are no names. The keys
from ``names`` on are optional and may be null. Other keys are errors.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import IO, Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import PositionError
from retrosolve.formats.attributes import TERMINALS, WORDS, check_entries, check_names, word_codes
from retrosolve.formats.graphfile import RESULT_KEYS, GraphFile, OutputFile, TypedFile
from retrosolve.runtime.files import Source, Utf8, short_repr
from retrosolve.runtime.text import parse_object, plain_names
from retrosolve.spaces.csr.attribute_names import are_players
from retrosolve.spaces.csr.validation import known_owners, says_chance
from retrosolve.spaces.graph import Graph
from retrosolve.values import CHANCE, Mover, Value

VERSION = 1
FORMAT = "retrosolve"
LABEL = Mover.CHANCE.label
KEYS = (
    "format", "version", "vertices", "successors", "names", "owner", "terminal", "payoff", "reward",
    "weight", "stuck", "start", "value", "remoteness", "best", "players", *RESULT_KEYS,
)  # fmt: skip


def read(source: Source) -> GraphFile:
    """Read a JSON object and check every type in it. Raises FormatError."""
    file = _Object(source, parse_object(source))
    rows, owner, names = file.rows(), file.owner(), file.labels("names")
    check_names(source, "names", names or ())
    return file.graph_file(*rows, names, owner, file.players())


class _Object(TypedFile):
    """A parsed object, and checks of its entries."""

    def __init__(self, source: Source, entries: dict[str, Any]) -> None:
        super().__init__(source)
        self.entries = entries
        for key in entries:
            if key not in KEYS:
                raise source.error(f"unknown key {short_repr(key)}: expected {', '.join(KEYS)}")
        if entries.get("format") != FORMAT:
            raise source.error(f"format {short_repr(entries.get('format'))}: expected {FORMAT!r}")
        version = entries.get("version")
        if type(version) is not int or version != VERSION:
            raise source.error(f"version {short_repr(version)}: expected {VERSION}")
        self.n = self._whole(entries.get("vertices"), "vertices")

    def single(self, name: str) -> Any:
        """Return an entry as it is."""
        return self.entries.get(name)

    def _whole(self, number: Any, place: str, limit: int = 2**63) -> int:
        """Return a number, checked to be a whole number below ``limit``."""
        if type(number) is not int or not 0 <= number < limit:
            raise self.source.error(
                f"{place} is {short_repr(number)}: expected a whole number, 0 or more"
            )
        return number

    def labels(self, name: str) -> list[Any] | None:
        """Return a list, checked to have one entry per vertex."""
        entries = self.entries.get(name)
        if entries is None:
            return None
        if not isinstance(entries, list):
            raise self.source.error(f"{name} is {short_repr(entries)}: expected a list")
        if len(entries) != self.n:
            raise self.source.error(
                f"{name} has {len(entries)} entries: expected {self.n}, one a vertex"
            )
        return entries

    def rows(self) -> tuple[IntArray, IntArray]:
        """Return the graph in CSR form."""
        rows = self.labels("successors")
        if rows is None:
            raise self.source.error("no successors: expected a list of lists")
        indptr = np.zeros(self.n + 1, np.int64)
        flat: list[int] = []
        for v, row in enumerate(rows):
            if not isinstance(row, list):
                raise self.source.error(f"successors[{v}] is {short_repr(row)}: expected a list")
            for i, w in enumerate(row):
                if type(w) is not int or not 0 <= w < self.n:
                    raise self.source.error(
                        f"successors[{v}][{i}] is {short_repr(w)}: expected a vertex, 0..{self.n - 1}"
                    )
            flat += row
            indptr[v + 1] = len(flat)
        return indptr, np.array(flat, np.int64)

    def players(self) -> tuple[str, str] | None:
        """Return the names of the players, None if the file has none."""
        players = self.entries.get("players")
        if players is None:
            return None
        if not isinstance(players, list) or not are_players(players):
            raise self.source.error(
                f"players is {short_repr(players)}: expected a list of two names that differ"
            )
        return players[0], players[1]

    def owner(self) -> ByteArray | None:
        """Return the owners."""
        owners = self.labels("owner")
        if owners is None:
            return None
        if not {*map(type, owners)} <= {int} or not {*owners} <= {0, 1, CHANCE}:
            check_entries(
                self.source, "owner", owners,
                lambda x: x == LABEL or (type(x) is int and x in (0, 1, CHANCE)),
                f"0 or 1, or {LABEL!r} for dice",
            )  # fmt: skip
        codes = np.array([CHANCE if x == LABEL else x for x in owners], np.uint8)
        # Who writes this format by hand may call two players 1 and 2.
        return known_owners(codes) if 0 in owners or says_chance(owners) else codes

    def words(self, name: str) -> ByteArray | None:
        """Return a list of labels as codes."""
        entries = self.labels(name)
        if entries is None:
            return None
        words = TERMINALS if name == "terminal" else WORDS
        expected = ", ".join(word for word in words if word) + " or null" * (None in words)
        return word_codes(self.source, name, entries, words, expected)

    def numbers(self, name: str) -> IntArray | None:
        """Return a list of numbers as an array, null as -1."""
        entries = self.labels(name)
        if entries is None:
            return None
        return np.array(
            [-1 if x is None else self._whole(x, f"{name}[{v}]") for v, x in enumerate(entries)],
            np.int64,
        )

    def points(self, name: str, entries: list[Any] | None = None) -> IntArray | None:
        """Return a list of points as an array, null as 0; one a vertex unless they are given."""
        points = self.labels(name) if entries is None else entries
        if points is None:
            return None
        if not {*map(type, points)} <= {int, type(None)}:
            check_entries(
                self.source, name, points, lambda x: x is None or type(x) is int, "a whole number"
            )
        try:
            return np.array([x or 0 for x in points], np.int64)
        except OverflowError:
            raise self.source.error(f"{name} has a number of more than 64 bits") from None

    def of_edges(self, name: str, indptr: IntArray) -> IntArray | None:
        """Return a number for each edge, which are in lists like the successors."""
        rows = self.labels(name)
        if rows is None:
            return None
        for v, (row, degree) in enumerate(zip(rows, np.diff(indptr).tolist(), strict=True)):
            if not isinstance(row, list) or len(row) != degree:
                raise self.source.error(
                    f"{name}[{v}] is {short_repr(row)}: expected a list of {degree}, one a successor"
                )
        return self.points(name, [x for row in rows for x in row])

    def start(self, graph: Graph) -> str | int | None:
        """Return the start, a name or a vertex number."""
        start: str | int | None = self.entries.get("start")
        if start is None:
            return None
        try:
            if type(start) not in (str, int):
                raise PositionError
            graph.position(graph.index(start))
        except PositionError:
            raise self.source.error(f"start {short_repr(start)}: expected a vertex") from None
        return start


def write(graph_file: GraphFile) -> list[OutputFile]:
    """Return the file to write: one key per line, and the successors of one vertex per line."""
    return [OutputFile(lambda file: _write(graph_file, file))]


def _write(graph_file: GraphFile, file: IO[bytes]) -> None:
    """Write the object to a file."""
    graph = graph_file.graph
    names = plain_names(graph.names)
    head = {"format": FORMAT, "version": VERSION, "vertices": graph.num_vertices}
    entries = {name: _plain(graph, name, entry) for name, entry in graph_file.entries().items()}
    if names is not None and entries["start"] is not None:
        entries["start"] = names[entries["start"]]
    lists = {"names": names, "players": graph_file.players} | entries
    out = Utf8(file)
    out.put(f"{'{' if key == 'format' else ' '}{_line(key, x)},\n" for key, x in head.items())
    rows = (json.dumps(graph.neighbors(v).tolist()) for v in range(graph.num_vertices))
    out.write(' "successors": [')
    out.put(("\n  " if v == 0 else ",\n  ") + row for v, row in enumerate(rows))
    out.write("]")
    out.put(f",\n {_line(key, x)}" for key, x in lists.items() if x is not None)
    out.write("}\n")


def _plain(graph: Graph, name: str, entry: Any) -> Any:
    """Return an entry of a graph file as JSON has it; what vertices and edges have are lists."""
    if not isinstance(entry, np.ndarray):
        return entry
    if name in ("reward", "weight"):
        return [entry[start:stop].tolist() for start, stop in pairwise(graph.indptr.tolist())]
    if name in ("terminal", "value"):
        words = [None if name == "terminal" else Value.DRAW.label, *list(WORDS)[1:]]
        return [words[code] for code in entry.tolist()]
    numbers = entry.tolist()
    if name == "owner":
        return [LABEL if owner == CHANCE else owner for owner in numbers]
    return numbers if name == "payoff" else [None if x < 0 else x for x in numbers]


def _line(key: str, entry: Any) -> str:
    """Return an entry of the object as text."""
    return f"{json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}"
