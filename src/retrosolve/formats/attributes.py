"""Attributes: the words by which text formats describe vertices and graphs.

Vertices have the same attributes in every text format: ``owner`` is 0 or 1, or ``chance``;
``player`` is the name of that player, or stands for ``owner``; ``terminal`` is win, loss, tie or empty,
and ``stuck`` the same; ``payoff`` is a whole number or empty; ``value`` is win, loss, tie or draw;
``remoteness`` is a whole number or empty; ``best`` is a vertex or empty; ``start`` is 1 at the initial
position. Results of other objectives are in the attributes of ``graphfile``. Edges may have a
``reward`` and, where chance moves, a ``weight``, whole numbers.

Some formats have attributes of the graph too: ``stuck``, one of these words, and ``names=text`` if ids
that are just 0, 1, 2 ... are names, not vertex numbers. Files written by this package also have
``retrosolve``, the version (1), and ``attributes``, the list of vertex attributes in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import FormatError
from retrosolve.formats.graphfile import (
    RESULT_KEYS,
    RESULTS,
    GraphFile,
    Results,
    build_graph,
    check_claim,
    read_results,
    stuck_word,
)
from retrosolve.runtime.files import Place, Source, short_repr
from retrosolve.spaces.csr.attribute_names import (
    OF_EDGES,
    VALUE_ALONE,
    find_attributes,
    find_edge_attributes,
    owners_and_players,
)
from retrosolve.spaces.csr.validation import has_chance, known_owners, owner_number, says_chance
from retrosolve.spaces.graph import Graph
from retrosolve.values import CHANCE, Mover, Value

ATTRIBUTES = (
    "owner", "player", "terminal", "payoff", "stuck", "value", "remoteness", "best", "start",
    *RESULT_KEYS,
)  # fmt: skip
OF_GRAPHS = ("stuck", "objective")  # as attributes of the graph, where a format has those
NODE_ATTRIBUTES = tuple(name for name in ATTRIBUTES if name not in OF_GRAPHS)
GRAPH_ATTRIBUTES = ("retrosolve", "attributes", "names", *OF_GRAPHS)
VERSION = 1
# DRAW first, so that codes are places.
WORDS: dict[str, int] = {value.label: int(value) for value in Value}
TERMINALS: dict[str | None, int] = {None: 0, **{word: code for word, code in WORDS.items() if code}}
OWNERS = ("0", "1", Mover.CHANCE.label)
DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)
POINTS = re.compile(r"[-+]?[0-9]{1,18}", re.ASCII)

MakeGraph = Callable[..., Graph]


def check_entries(
    source: Source, key: str, entries: Iterable[Any], valid: Callable[[Any], bool], expected: str
) -> None:
    """Raise FormatError for the first entry of a list, one a vertex, that is not valid."""
    for v, entry in enumerate(entries):
        if not valid(entry):
            raise source.error(f"{key}[{v}] is {short_repr(entry)}: expected {expected}")


def check_names(source: Source, key: str, names: Sequence[Any]) -> None:
    """Raise FormatError unless all names are text or whole numbers."""
    if not {*map(type, names)} <= {str, int}:
        check_entries(source, key, names, lambda x: type(x) in (str, int), "text or a whole number")


def word_codes(
    source: Source, key: str, words: Sequence[Any], codes: Mapping[Any, int], expected: str
) -> ByteArray:
    """Return the codes of words, one a vertex. Raises FormatError for the first that has none."""
    try:
        return np.array([codes[word] for word in words], np.uint8)
    except (KeyError, TypeError):  # in a list of any length, checks of each word beforehand take longer
        check_entries(source, key, words, lambda x: isinstance(x, str | None) and x in codes, expected)
        raise


class Attributes:
    """The attributes of vertices, collected while a file is read.

    Each attribute is a mapping from vertex to number. A declared attribute becomes an array even if
    no vertex has it.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.numbers: dict[str, dict[int, int]] = {}
        self.best: dict[int, tuple[str, Place]] = {}
        self.player: dict[int, tuple[str, Place]] = {}
        self.is_own = False  # written by this package
        self.stuck: str | None = None
        self.stuck_at: dict[int, Place] = {}
        self.texts: dict[str, dict[int, str]] = {}  # of results, which may be somebody else's
        # Other programs may use "value" and "remoteness" for something else: an error in one of them
        # is raised only if the file has both.
        self.doubt: FormatError | None = None
        self.notes: list[str] = []

    def find(self, names: Iterable[str]) -> dict[str, str]:
        """Return the attributes by their names in the file; note names that look like one."""
        attributes = find_attributes(names, NODE_ATTRIBUTES, self.source.error, "attribute")
        self.notes += [str(self.source.error(text)) for text in attributes.unused]
        return {name: attribute for attribute, name in attributes.columns.items()}

    def find_of_edges(self, names: Iterable[str]) -> dict[str, str]:
        """Return the names in the file of attributes of edges; note names that look like a weight."""
        players = (name for name, _ in self.player.values())
        found = find_edge_attributes(
            dict.fromkeys(names),
            has_chance([*self.numbers.get("owner", {}).values(), *players]),
            lambda text: self.source.error(f"edges with {text}"),
            "attribute",
        )
        self.notes += [str(self.source.error(text)) for text in found.unused]
        return found.columns

    def declare(self, attribute: str) -> None:
        """Record that the file has this attribute."""
        self.numbers.setdefault(attribute, {})

    def put(self, attribute: str, vertex: int, text: str, place: Place) -> None:
        """Record one attribute of one vertex.

        Parameters
        ----------
        attribute : str
            One of ``ATTRIBUTES``.
        vertex : int
        text : str
            As it is in the file.
        place : int, str or None
            The line, or a description of the place, for error messages.
        """
        self.declare(attribute)
        if attribute in ("best", "player"):
            if text:
                (self.best if attribute == "best" else self.player)[vertex] = text, place
            return
        if attribute in RESULT_KEYS:
            if text.strip():
                self.texts.setdefault(attribute, {})[vertex] = text.strip()
            return
        word = text.strip().lower()
        if not word:
            return
        if attribute == "stuck":
            self.put_stuck(word, place)
            self.stuck_at[vertex] = place
            return
        number = _number(attribute, word)
        if number is None:
            error = self.source.error(
                f"{attribute} {short_repr(text)}: expected {_EXPECTED[attribute]}", place
            )
            if attribute not in ("value", "remoteness"):
                raise error
            self.doubt = self.doubt or error
        else:
            self.numbers[attribute][vertex] = number

    def put_stuck(self, word: str, place: Place = None) -> None:
        """Record the value of having no move. Raises FormatError if another one was recorded."""
        word = stuck_word(self.source, word.strip().lower(), place)
        if self.stuck not in (None, word):
            raise self.source.error(f"stuck {word!r} after {self.stuck!r}: expected one of them", place)
        self.stuck = word

    def set_metadata(self, metadata: Mapping[str, str]) -> bool:
        """Record the attributes of the graph; return whether this package wrote the file."""
        if "stuck" in metadata:
            self.put_stuck(metadata["stuck"])
        if "objective" in metadata:
            self.texts["objective"] = {0: metadata["objective"]}
        if "retrosolve" not in metadata:
            return False
        if metadata["retrosolve"].strip() != str(VERSION):
            raise self.source.error(f"version {short_repr(metadata['retrosolve'])}: expected {VERSION}")
        for attribute in metadata.get("attributes", "").split():
            if attribute not in NODE_ATTRIBUTES:
                raise self.source.error(
                    f"attribute {short_repr(attribute)}: expected {', '.join(NODE_ATTRIBUTES)}"
                )
            self.declare(attribute)
        self.is_own = True
        return True

    def named_graph_file(
        self, ids: list[str], sources: list[int], targets: list[int], metadata: Mapping[str, str],
        edges: Sequence[Mapping[str, str]],
    ) -> GraphFile:  # fmt: skip
        """Return the contents of a file whose vertices have ids.

        Ids that are just 0, 1, 2 ... are vertex numbers, unless ``metadata`` has ``names=text``.
        ``edges`` are the attributes of each edge as they are in the file.
        """
        columns = self.find_of_edges(name for edge in edges for name in edge)
        points = {
            what: [self._points(what, edge.get(name, "")) for edge in edges]
            for what, name in columns.items()
        }
        numbered = ids == [str(v) for v in range(len(ids))] and metadata.get("names") != "text"
        return self.graph_file(
            len(ids),
            partial(
                Graph.from_edges, sources, targets, len(ids), names=None if numbered else ids, **points
            ),
            lambda v: short_repr(ids[v]),
            {id_: v for v, id_ in enumerate(ids)}.get,
        )

    def _points(self, what: str, text: str) -> int:
        """Return an attribute of an edge as it is in the file. Raises FormatError."""
        text = text.strip() or str(OF_EDGES[what])
        if not POINTS.fullmatch(text):
            raise self.source.error(f"{what} {short_repr(text)}: expected a whole number")
        return int(text)

    def graph_file(
        self, n: int, make: MakeGraph, label: Callable[[int], str], find: Callable[[str], int | None]
    ) -> GraphFile:
        """Return the contents of a file of ``n`` vertices.

        Parameters
        ----------
        n : int
        make : callable
            ``make(owner=, terminal=)`` returns the graph.
        label : callable
            Returns the text of a vertex as in the file.
        find : callable
            Returns the vertex of such a text, None if there is none.
        """

        def bad_player(vertex: int, text: str) -> FormatError:
            if vertex in self.player:
                return self.source.error(text, self.player[vertex][1])
            return self.source.error(f"vertex {label(vertex)} has {text}")

        labels = ((v, text) for v, (text, _) in self.player.items())
        owner, players = owners_and_players(self._owner(n, label), labels, n, bad_player)
        terminal = self._array("terminal", n, 0)
        codes = None if terminal is None else terminal.astype(np.uint8)
        payoff = self._array("payoff", n, 0)
        points = {} if payoff is None else {"payoff": payoff}
        graph = build_graph(self.source, lambda: make(owner=owner, terminal=codes, **points))
        graph = graph.with_start(None, players)
        for v, place in self.stuck_at.items():
            if graph.indptr[v] != graph.indptr[v + 1]:
                raise self.source.error(
                    f"vertex {label(v)} is called stuck but has moves: expected none", place
                )
        value = remoteness = None
        claims = [self.numbers.get(attribute) for attribute in ("value", "remoteness")]
        if None not in claims and (any(claims) or not n):
            value, remoteness = self._claims(graph, label, find)
        elif self.numbers.get("value") and not self.doubt and "terminal" not in self.numbers:
            text = VALUE_ALONE.format(what="attribute", name="'value'")
            self.notes.append(str(self.source.error(text)))
        start = self._start(label)
        position = None if start is None else graph.position(start)
        notes = tuple(self.notes)
        found = self._results(graph, label)
        return GraphFile(graph, position, value, remoteness, self.stuck, results=found, notes=notes)

    def _results(self, graph: Graph, label: Callable[[int], str]) -> Results | None:
        """Return the results of another objective, None without one."""
        asked = list(dict.fromkeys(self.texts.get("objective", {}).values()))
        name = asked[0].partition(":")[0] if asked else ""
        if name not in RESULTS or name not in self.numbers:
            return None
        if len(asked) > 1:
            raise self.source.error(f"objective {asked[1]!r} after {asked[0]!r}: expected one of them")
        n = graph.num_vertices

        def numbers(name: str) -> IntArray | None:
            """Return an attribute as whole numbers, -1 for none; None where no column has it."""
            if name not in self.numbers:  # an empty column is there: no vertex has plies
                return None
            array = np.full(n, -1, np.int64)
            for v, text in self.texts.get(name, {}).items():
                if not DIGITS.fullmatch(text):
                    raise self.source.error(
                        f"{name} {short_repr(text)} of {label(v)}: expected a whole number"
                    )
                array[v] = int(text)
            return array

        def labels(name: str) -> list[str]:
            return [self.texts.get(name, {}).get(v, "") for v in range(n)]

        return read_results(self.source, graph, asked[0], labels, numbers("plies"), numbers("tier"))

    def _array(self, attribute: str, n: int, default: int) -> IntArray | None:
        """Return an attribute as an array, ``default`` where a vertex lacks it; None if undeclared."""
        numbers = self.numbers.get(attribute)
        if numbers is None:
            return None
        array = np.full(n, default, np.int64)
        values = np.fromiter(numbers.values(), np.int64, len(numbers))
        array[np.fromiter(numbers, np.int64, len(numbers))] = values
        return array

    def _owner(self, n: int, label: Callable[[int], str]) -> IntArray | None:
        """Return the owners, which all vertices must have, or none."""
        numbers = self.numbers.get("owner")
        if numbers is None or (n and not numbers):
            return None
        if len(numbers) < n:
            v = next(v for v in range(n) if v not in numbers)
            raise self.source.error(
                f"vertex {label(v)} has no owner, others have one: expected all or none"
            )
        owner = self._array("owner", n, 0)
        return known_owners(owner) if self.is_own or says_chance(numbers) else owner

    def _claims(
        self, graph: Graph, label: Callable[[int], str], find: Callable[[str], int | None]
    ) -> tuple[ByteArray | None, IntArray | None]:
        """Return value and remoteness, checked."""
        if self.doubt:
            raise self.doubt
        n = graph.num_vertices
        value = self._array("value", n, -1)
        assert value is not None
        if n and int(value.min()) < 0:
            raise self.source.error(f"vertex {label(int(np.argmin(value)))} has no value: expected one")
        best = np.full(n, -1, np.int64)
        for v, (text, place) in self.best.items():
            successor = find(text)
            if successor is None:
                raise self.source.error(f"best {short_repr(text)}: expected a vertex", place)
            best[v] = successor
        return check_claim(self.source, graph, value, self._array("remoteness", n, -1), best)

    def _start(self, label: Callable[[int], str]) -> int | None:
        """Return the vertex of the start, None if there is none."""
        starts = [v for v, number in self.numbers.get("start", {}).items() if number]
        if len(starts) > 1:
            raise self.source.error(
                f"start at {label(starts[0])} and at {label(starts[1])}: expected one"
            )
        return starts[0] if starts else None


_EXPECTED = {
    "owner": f"0 or 1, or {Mover.CHANCE.label!r} for dice, and names of players as 'player'",
    "terminal": "win, loss, tie or nothing",
    "payoff": "a whole number",
    "value": "win, loss, tie or draw",
    "remoteness": "a whole number, or nothing for a draw",
    "start": "1 at the start of the game and nothing elsewhere",
}
_START = {"0": 0, "false": 0, "1": 1, "true": 1}


def _number(attribute: str, word: str) -> int | None:
    """Return the number for a word, None for an invalid one."""
    if attribute == "start":
        return _START.get(word)
    if attribute == "payoff":
        return int(word) if POINTS.fullmatch(word) else None
    if attribute == "remoteness":
        return int(word) if DIGITS.fullmatch(word) else None
    if attribute == "owner":
        return owner_number(CHANCE if word == str(CHANCE) else word)
    number = WORDS.get(word)
    return None if attribute == "terminal" and number == Value.DRAW else number


def attributes_of(graph_file: GraphFile) -> list[str]:
    """Return the names of the vertex attributes that a graph file has."""
    players = None if graph_file.graph.owner is None else graph_file.players
    there = graph_file.entries() | {"player": players}
    return [name for name in ATTRIBUTES if there.get(name) is not None]


def graph_attributes(graph_file: GraphFile, names: list[str] | None) -> dict[str, str]:
    """Return the attributes of the graph itself, by name, as they are written."""
    there = [name for name in attributes_of(graph_file) if name in NODE_ATTRIBUTES]
    metadata = {"retrosolve": str(VERSION), "attributes": " ".join(there)}
    if graph_file.stuck is not None:
        metadata["stuck"] = graph_file.stuck
    if graph_file.results is not None:
        metadata["objective"] = graph_file.results.objective.text
    if names is not None and names == [str(v) for v in range(len(names))]:
        metadata["names"] = "text"
    return metadata


def attribute_rows(
    graph_file: GraphFile, attributes: Iterable[str], label: Callable[[int], str]
) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each vertex, one per attribute in this order, '' for nothing."""
    graph = graph_file.graph
    start = None if graph_file.start is None else graph.index(graph_file.start)
    words, owners, ends = ["", *list(WORDS)[1:]], _listed(graph.owner), _listed(graph.terminals)
    stuck = graph.out_degrees() == 0
    if graph.terminals is not None:
        stuck &= graph.terminals == 0
    columns: dict[str, Any] = {
        "owner": (OWNERS[owner] for owner in owners),
        "player": (graph.owners[owner] for owner in owners),
        "terminal": (words[code] for code in ends),
        "payoff": (str(points or "") for points in _listed(graph.payoff)),
        "stuck": (graph_file.stuck or "" if is_stuck else "" for is_stuck in stuck.tolist()),
        "value": map(list(WORDS).__getitem__, _listed(graph_file.value)),
        "remoteness": ("" if plies < 0 else str(plies) for plies in _listed(graph_file.remoteness)),
        "best": ("" if w < 0 else label(w) for w in _listed(graph_file.best)),
        "start": ("1" if v == start else "" for v in range(graph.num_vertices)),
    }
    if graph_file.results is not None:
        columns |= graph_file.results.entries()
        columns["objective"] = repeat(graph_file.results.objective.text, graph.num_vertices)
        for name in ("plies", "tier"):
            columns[name] = ("" if n < 0 else str(n) for n in _listed(columns[name]))
    chosen = [columns[attribute] for attribute in attributes]
    return zip(*chosen, strict=True) if chosen else repeat((), graph.num_vertices)


def node_attributes(graph_file: GraphFile, ids: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the attributes that each vertex has, by name, without those that the graph has."""
    attributes = [name for name in attributes_of(graph_file) if name not in OF_GRAPHS]
    for cells in attribute_rows(graph_file, attributes, ids.__getitem__):
        yield {name: cell for name, cell in zip(attributes, cells, strict=True) if cell}


def edge_attributes(graph: Graph) -> Iterator[list[tuple[int, dict[str, int]]]]:
    """Yield the edges out of each vertex: the target, and the attributes that the edge has."""
    arrays = {"reward": graph.reward, "weight": graph.weight}
    there = {name: array for name, array in arrays.items() if array is not None}
    for start, stop in pairwise(graph.indptr.tolist()):
        columns = [array[start:stop].tolist() for array in there.values()]
        cells = zip(*columns, strict=True) if columns else repeat((), stop - start)
        yield [
            (w, {name: x for name, x in zip(there, row, strict=True) if x or name == "weight"})
            for w, row in zip(graph.indices[start:stop].tolist(), cells, strict=True)
        ]


def _listed(array: IntArray | ByteArray | None) -> list[int]:
    """Return an array as a list, which is empty without an array."""
    return [] if array is None else array.tolist()
