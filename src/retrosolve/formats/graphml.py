"""GraphML, ``.graphml``: XML that NetworkX, Gephi, yEd and igraph exchange.

One graph, directed or not (an undirected edge is a move both ways), nodes in the order of the file.
Node attributes ``owner``, ``terminal``, ``value``, ``remoteness``, ``best`` and ``start``, and the
graph attribute ``stuck``, are as in ``attributes``; others are ignored. Ids that are just 0, 1, 2 ...
in order are vertex numbers, all others are names; the graph attribute ``names`` = ``text`` makes them
names even so. Files written here also carry ``retrosolve``, the version, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import IO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from retrosolve.errors import FormatError
from retrosolve.formats.attributes import ATTRIBUTES, Attributes, attributes_of, written
from retrosolve.formats.document import Document, Part, text_names
from retrosolve.formats.files import Source, Utf8, shown
from retrosolve.graph import Graph

VERSION = 1
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
GRAPH_KEYS = ("retrosolve", "stuck", "names")
TYPES = {"owner": "int", "remoteness": "int", "start": "boolean"}
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(source: Source) -> Document:
    """Read the one graph of a file."""
    return _Reader(source).document()


class _Reader:
    """What the file says, gathered element by element."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.attributes = Attributes(source)
        self.keys: dict[str, tuple[str, str]] = {}  # id: domain, attribute
        self.defaults: dict[str, tuple[str, int]] = {}
        self.number: dict[str, int] = {}
        self.edges: list[tuple[str, str, int]] = []
        self.told: dict[str, str] = {}
        self.path: list[str] = []
        self.graphs = 0
        self.directed = True
        self.key: str | None = None
        self.text: list[str] = []
        self.put: set[tuple[str, int]] = set()
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._entity

    def document(self) -> Document:
        """Parse the file and put the document together."""
        try:
            self.parser.Parse(self.source.data, True)
        except expat.ExpatError as error:
            raise self.source.error(
                f"{expat.ErrorString(error.code)}: expected XML", error.lineno
            ) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, FormatError):
                raise
            raise self.source.error("unknown encoding: expected UTF-8") from None
        if self.graphs == 0:
            raise self.error("no graph: expected <graph> within <graphml>")
        number = self.number
        for attribute, (text, line) in self.defaults.items():
            for v in number.values():
                if (attribute, v) not in self.put:
                    self.attributes.put(attribute, v, text, line)
        for *ends, line in self.edges:
            for end in ends:
                if end not in number:
                    raise self.source.error(f"edge at {shown(end)}: expected the id of a node", line)
        names = list(number)
        numbered = names == [str(v) for v in range(len(names))] and self.told.get("names") != "text"
        make = partial(
            Graph.from_edges,
            [number[a] for a, _, _ in self.edges],
            [number[b] for _, b, _ in self.edges],
            len(names),
            names=None if numbered else names,
        )
        return self.attributes.document(
            len(names),
            lambda owner, terminal: make(owner=owner, terminal=terminal),
            lambda v: shown(names[v]),
            number.get,
        )

    def error(self, text: str) -> FormatError:
        """Make an error at the line being read."""
        return self.source.error(text, self.parser.CurrentLineNumber)

    def _entity(self, name: str, *_: object) -> None:
        raise self.error(f"entity {shown(name)}: expected no entities of its own")

    def _start(self, name: str, given: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        inside = self.path[-1] if self.path else ""
        self.path.append(tag)
        if not inside and tag != "graphml":
            raise self.error(f"<{tag}>: expected <graphml>")
        if tag == "key":
            self._declare(given)
        elif tag == "graph":
            self._graph(given)
        elif tag == "node":
            id_ = self._given(tag, given, "id")
            if id_ in self.number:
                raise self.error(f"node {shown(id_)} for the second time: expected it once")
            self.number[id_] = len(self.number)
        elif tag == "edge":
            a, b = self._given(tag, given, "source"), self._given(tag, given, "target")
            directed = given.get("directed", "true" if self.directed else "false").strip()
            if directed not in ("true", "false"):
                raise self.error(f"directed={shown(directed)}: expected true or false")
            line = self.parser.CurrentLineNumber
            self.edges.append((a, b, line))
            if directed == "false" and a != b:
                self.edges.append((b, a, line))
        elif tag == "hyperedge":
            raise self.error("a hyperedge: expected edges between two nodes")
        elif tag == "data" and inside in ("node", "graph"):
            self.key = given.get("key")
            self.text = []
        elif tag == "default" and inside == "key":
            self.text = []

    def _given(self, tag: str, given: dict[str, str], attribute: str) -> str:
        if attribute not in given:
            raise self.error(f"<{tag}> without {attribute}: expected one")
        return given[attribute]

    def _declare(self, given: dict[str, str]) -> None:
        id_ = self._given("key", given, "id")
        name, domain = given.get("attr.name", ""), given.get("for", "all")
        self.key = None
        if domain in ("node", "all") and name in ATTRIBUTES and name != "stuck":
            self.keys[id_] = "node", name
            self.attributes.declare(name)
            self.key = id_
        elif domain in ("graph", "all") and name in GRAPH_KEYS:
            self.keys[id_] = "graph", name

    def _graph(self, given: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self.error("a second graph: expected one, without graphs inside it")
        direction = given.get("edgedefault")
        if direction not in ("directed", "undirected"):
            raise self.error(f"edgedefault={shown(direction)}: expected 'directed' or 'undirected'")
        self.directed = direction == "directed"

    def _characters(self, text: str) -> None:
        if self.path and self.path[-1] in ("data", "default"):
            self.text.append(text)

    def _end(self, name: str) -> None:
        tag = self.path.pop()
        inside = self.path[-1] if self.path else ""
        domain, attribute = self.keys.get(self.key or "", ("", ""))
        text = "".join(self.text)
        if tag == "data" and domain == inside == "node":
            v = len(self.number) - 1
            self.put.add((attribute, v))
            self.attributes.put(attribute, v, text, self.parser.CurrentLineNumber)
        elif tag == "data" and domain == inside == "graph":
            self._tell(attribute, text)
        elif tag == "default" and domain == "node":
            self.defaults[attribute] = text, self.parser.CurrentLineNumber

    def _tell(self, attribute: str, text: str) -> None:
        self.told[attribute] = text
        if attribute == "stuck":
            self.attributes.put_stuck(text, self.parser.CurrentLineNumber)
        elif attribute == "retrosolve" and text.strip() != str(VERSION):
            raise self.error(f"version {shown(text)}: expected {VERSION}")


# -- writing --------------------------------------------------------------------------------------


def write(document: Document) -> list[Part]:
    """Write a directed graph."""
    names = text_names(document.graph)
    for name in names or ():
        if UNWRITABLE.search(name):
            raise FormatError(f"XML cannot hold the name {shown(name)}: expected no control characters")

    def write_to(file: IO[bytes]) -> None:
        Utf8(file).put(_lines(document, names))

    return [Part(write_to)]


def _lines(document: Document, names: list[str] | None) -> Iterator[str]:
    graph = document.graph
    attributes = [name for name in attributes_of(document) if name != "stuck"]
    told = {"retrosolve": str(VERSION)}
    if document.stuck is not None:
        told["stuck"] = document.stuck
    if names is not None and names == [str(v) for v in range(len(names))]:
        told["names"] = "text"
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f"<graphml xmlns={quoteattr(NAMESPACE)}>\n"
    for key in told:
        yield f'  <key id="{key}" for="graph" attr.name="{key}" attr.type="string"/>\n'
    for key in attributes:
        kind = TYPES.get(key, "string")
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="{kind}"/>\n'
    yield '  <graph edgedefault="directed">\n'
    for key, word in told.items():
        yield f'    <data key="{key}">{word}</data>\n'
    ids = [quoteattr(str(v) if names is None else names[v]) for v in range(graph.vertices)]
    label = str if names is None else names.__getitem__
    for v, cells in enumerate(written(document, attributes, label)):
        data = "".join(
            f'<data key="{key}">{escape(cell, {chr(13): "&#13;"})}</data>'
            for key, cell in zip(attributes, cells, strict=True)
            if cell
        )
        yield f"    <node id={ids[v]}>{data}</node>\n" if data else f"    <node id={ids[v]}/>\n"
    for v in range(graph.vertices):
        for w in graph.successors(v).tolist():
            yield f"    <edge source={ids[v]} target={ids[w]}/>\n"
    yield "  </graph>\n</graphml>\n"
