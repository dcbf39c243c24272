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
from collections.abc import Mapping
from itertools import pairwise
from typing import IO, Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import PositionError
from retrosolve.formats import results
from retrosolve.formats.attributes import TERMINALS, WORDS, check_entries, check_names, word_codes
from retrosolve.formats.graphfile import GraphFile, OutputFile, checked_graph_file
from retrosolve.runtime.files import Source, Utf8, short_repr
from retrosolve.runtime.text import parse_object, plain_names
from retrosolve.spaces.graph import Graph
from retrosolve.values import CHANCE, Value

VERSION = 1
FORMAT = "retrosolve"
KEYS = (
    "format", "version", "vertices", "successors", "names", "owner", "terminal", "payoff", "reward",
    "weight", "stuck", "start", "value", "remoteness", "best", "players", *results.KEYS,
)  # fmt: skip
NO_PLAYERS = ("0", "1")  # of a graph that does not name them


def read(source: Source) -> GraphFile:
    """Read a JSON object and check every type in it. Raises FormatError."""
    return _Reader(source, parse_object(source)).graph_file()


class _Reader:
    """A parsed object, and checks of its entries."""

    def __init__(self, source: Source, entries: dict[str, Any]) -> None:
        self.source = source
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

    def graph_file(self) -> GraphFile:
        """Return the contents of the file."""
        indptr, indices = self._rows()
        owner, terminal, names = self._owner(), self._codes("terminal", TERMINALS), self._list("names")
        check_names(self.source, "names", names or ())
        payoff = self._points("payoff")
        reward, weight = (self._of_edges(key, indptr) for key in ("reward", "weight"))
        claim = self._codes("value", WORDS), self._numbers("remoteness"), self._numbers("best")
        return checked_graph_file(
            self.source,
            lambda: Graph.from_csr(indptr, indices, owner, terminal, names, payoff, reward, weight),
            claim,
            self.entries.get("stuck"),
            self._start,
            self._players(),
            lambda graph: results.read_results(
                self.source, graph, self.entries.get("objective"), self._list,
                self._numbers("plies"), self._numbers("tier"),
            ),
        )  # fmt: skip

    def _whole(self, number: Any, place: str, limit: int = 2**63) -> int:
        """Return a number, checked to be a whole number below ``limit``."""
        if type(number) is not int or not 0 <= number < limit:
            raise self.source.error(
                f"{place} is {short_repr(number)}: expected a whole number, 0 or more"
            )
        return number

    def _list(self, key: str) -> list[Any] | None:
        """Return the list under a key, checked to have one entry per vertex; None if absent."""
        entries = self.entries.get(key)
        if entries is None:
            return None
        if not isinstance(entries, list):
            raise self.source.error(f"{key} is {short_repr(entries)}: expected a list")
        if len(entries) != self.n:
            raise self.source.error(
                f"{key} has {len(entries)} entries: expected {self.n}, one a vertex"
            )
        return entries

    def _rows(self) -> tuple[IntArray, IntArray]:
        """Return the graph in CSR form."""
        rows = self._list("successors")
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

    def _players(self) -> tuple[str, str] | None:
        """Return the names of the players, None if the file has none."""
        players = self.entries.get("players")
        if players is None:
            return None
        if not isinstance(players, list) or [type(name) for name in players] != [str, str]:
            raise self.source.error(f"players is {short_repr(players)}: expected a list of two names")
        return players[0], players[1]

    def _owner(self) -> ByteArray | None:
        """Return the owners."""
        owners = self._list("owner")
        if owners is None:
            return None
        if not {*map(type, owners)} <= {int} or not {*owners} <= {0, 1, CHANCE}:
            check_entries(
                self.source, "owner", owners, lambda n: type(n) is int and n in (0, 1, CHANCE),
                f"0 or 1, or {CHANCE} for chance",
            )  # fmt: skip
        return np.array(owners, np.uint8)

    def _codes(self, key: str, words: Mapping[Any, int]) -> ByteArray | None:
        """Return a list of labels as codes."""
        entries = self._list(key)
        if entries is None:
            return None
        expected = ", ".join(word for word in words if word) + " or null" * (None in words)
        return word_codes(self.source, key, entries, words, expected)

    def _numbers(self, key: str) -> IntArray | None:
        """Return a list of numbers as an array, null as -1."""
        entries = self._list(key)
        if entries is None:
            return None
        return np.array(
            [-1 if x is None else self._whole(x, f"{key}[{v}]") for v, x in enumerate(entries)],
            np.int64,
        )

    def _points(self, key: str, entries: list[Any] | None = None) -> IntArray | None:
        """Return a list of points as an array, null as 0; one a vertex unless they are given."""
        points = self._list(key) if entries is None else entries
        if points is None:
            return None
        if not {*map(type, points)} <= {int, type(None)}:
            check_entries(
                self.source, key, points, lambda x: x is None or type(x) is int, "a whole number"
            )
        try:
            return np.array([x or 0 for x in points], np.int64)
        except OverflowError:
            raise self.source.error(f"{key} has a number of more than 64 bits") from None

    def _of_edges(self, key: str, indptr: IntArray) -> IntArray | None:
        """Return a number for each edge, which are in lists like the successors."""
        rows = self._list(key)
        if rows is None:
            return None
        for v, (row, degree) in enumerate(zip(rows, np.diff(indptr).tolist(), strict=True)):
            if not isinstance(row, list) or len(row) != degree:
                raise self.source.error(
                    f"{key}[{v}] is {short_repr(row)}: expected a list of {degree}, one a successor"
                )
        return self._points(key, [x for row in rows for x in row])

    def _start(self, graph: Graph) -> str | int | None:
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
    v = None if graph_file.start is None else graph.index(graph_file.start)
    start = v if v is None or names is None else names[v]
    lists: dict[str, Any] = {
        "names": names,
        "players": None if graph.players == NO_PLAYERS else list(graph.players),
        "owner": None if graph.owner is None else graph.owner.tolist(),
        "terminal": _in_words(graph.terminals, None),
        "payoff": None if graph.payoff is None else graph.payoff.tolist(),
        "reward": _edge_rows(graph, graph.reward),
        "weight": _edge_rows(graph, graph.weight),
        "stuck": graph_file.stuck,
        "start": start,
        "value": _in_words(graph_file.value, Value.DRAW.label),
        "remoteness": _or_null(graph_file.remoteness),
        "best": _or_null(graph_file.best),
    }
    if graph_file.results is not None:
        entries = graph_file.results.entries().items()
        lists |= {key: _or_null(x) if isinstance(x, np.ndarray) else x for key, x in entries}
    out = Utf8(file)
    out.put(f"{'{' if key == 'format' else ' '}{_line(key, x)},\n" for key, x in head.items())
    rows = (json.dumps(graph.neighbors(v).tolist()) for v in range(graph.num_vertices))
    out.write(' "successors": [')
    out.put(("\n  " if v == 0 else ",\n  ") + row for v, row in enumerate(rows))
    out.write("]")
    out.put(f",\n {_line(key, x)}" for key, x in lists.items() if x is not None)
    out.write("}\n")


def _edge_rows(graph: Graph, numbers: IntArray | None) -> list[list[int]] | None:
    """Return the numbers of edges, a list for each vertex."""
    if numbers is None:
        return None
    stops = graph.indptr.tolist()
    return [numbers[start:stop].tolist() for start, stop in pairwise(stops)]


def _line(key: str, entry: Any) -> str:
    """Return an entry of the object as text."""
    return f"{json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}"


def _in_words(codes: ByteArray | None, zero: str | None) -> list[str | None] | None:
    """Return codes of Value as labels, ``zero`` for 0."""
    if codes is None:
        return None
    words = [zero, *list(WORDS)[1:]]
    return [words[code] for code in codes.tolist()]


def _or_null(array: IntArray | None) -> list[int | None] | None:
    """Return numbers as a list, -1 as null."""
    return None if array is None else [None if x < 0 else x for x in array.tolist()]
