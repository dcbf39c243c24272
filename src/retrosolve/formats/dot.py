"""DOT, ``.dot`` and ``.gv``: Graphviz's language.

One graph; in a ``graph`` every edge ``a -- b`` is a move both ways. Vertices are in the order in which
nodes appear. Node attributes ``owner``, ``terminal``, ``value``, ``remoteness``, ``best`` and
``start``, and the graph attribute ``stuck``, are as in ``attributes``; others are ignored, as are
ports, and defaults for nodes and edges. Ids that are just 0, 1, 2 ... in order are vertex numbers,
all others are names.

Files written here carry the graph attributes ``retrosolve``, the version, 1; ``attributes``, those
that vertices may have; and ``names=text`` where ids that look like numbers are names. In them a
backslash within quotes is doubled; in Graphviz's own files only ``\\"`` is an escape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise, product
from typing import IO

from retrosolve.errors import FormatError
from retrosolve.formats.attributes import ATTRIBUTES, Attributes, attributes_of, written
from retrosolve.formats.document import Document, Part, text_names
from retrosolve.formats.dot_tokens import Token, Tokens
from retrosolve.formats.files import Source, Utf8, shown
from retrosolve.graph import Graph

VERSION = 1
DEEPEST = 100
NODE_ATTRIBUTES = tuple(name for name in ATTRIBUTES if name != "stuck")


def read(source: Source) -> Document:
    """Read the one graph of a file."""
    parser = _Parser(source)
    parser.graph()
    number = parser.number
    names = list(number)
    numbered = names == [str(v) for v in range(len(names))] and parser.told.get("names") != "text"
    make = partial(
        Graph.from_edges,
        [a for a, _ in parser.edges],
        [b for _, b in parser.edges],
        len(names),
        names=None if numbered else names,
    )
    return parser.attributes.document(
        len(names),
        lambda owner, terminal: make(owner=owner, terminal=terminal),
        lambda v: shown(names[v]),
        number.get,
    )


class _Parser:
    """A parser by recursive descent, one function a rule of the grammar."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = Tokens(source)
        self.attributes = Attributes(source)
        self.number: dict[str, int] = {}
        self.edges: list[tuple[int, int]] = []
        self.told: dict[str, str] = {}
        self.subgraphs: dict[str, dict[int, None]] = {}
        self.arrow = "->"
        self.edges_at_most = 1_000_000 + 100 * len(source.data)

    def graph(self) -> None:
        """Parse the whole file: ``[strict] (graph | digraph) [id] { ... }``."""
        tokens = self.tokens
        if tokens.next.keyword == "strict":
            tokens.take()
        kind = tokens.take()
        if kind.keyword not in ("graph", "digraph"):
            raise tokens.error(kind, "graph or digraph")
        self.arrow = "->" if kind.keyword == "digraph" else "--"
        if tokens.next.is_id:
            tokens.take()
        self._block(0)
        if tokens.next.kind != "end":
            raise tokens.error(tokens.next, "the end of the file, one graph only")

    def _block(self, depth: int) -> dict[int, None]:
        """Parse ``{ statements }`` and give the nodes in it."""
        tokens = self.tokens
        opening = tokens.take("{")
        if depth > DEEPEST:
            raise tokens.error(opening, f"blocks at most {DEEPEST} deep")
        nodes: dict[int, None] = {}
        while tokens.next.text != "}" or tokens.next.kind != "sign":
            self._statement(depth, nodes)
            if tokens.sign(";"):
                tokens.take()
        tokens.take("}")
        return nodes

    def _statement(self, depth: int, nodes: dict[int, None]) -> None:
        tokens = self.tokens
        if tokens.next.keyword in ("graph", "node", "edge"):
            self._defaults(tokens.take(), depth)
            return
        first, assigned = self._end(depth, may_be_assigned=True)
        if assigned is not None:
            tokens.take("=")
            value = tokens.take_id()
            if depth == 0:
                self._tell(assigned.text, value)
            return
        chain = [first]
        while tokens.next.kind == "arrow":
            arrow = tokens.take()
            if arrow.text != self.arrow:
                raise tokens.error(arrow, repr(self.arrow))
            chain.append(self._end(depth)[0])
        for end in chain:
            nodes.update(end)
        given = self._attributes()
        for a, b in pairwise(chain):
            self._connect(a, b)
        if len(chain) == 1 and len(first) == 1:
            v = next(iter(first))
            for name, value in given:
                if name in NODE_ATTRIBUTES:
                    self.attributes.put(name, v, value.text, value.line)

    def _connect(self, a: dict[int, None], b: dict[int, None]) -> None:
        both = self.arrow == "--"
        if len(self.edges) + (1 + both) * len(a) * len(b) > self.edges_at_most:
            raise self.source.error(
                f"over {self.edges_at_most} edges between groups: expected fewer in so short a file"
            )
        for v, w in product(a, b):
            self.edges.append((v, w))
            if both and v != w:
                self.edges.append((w, v))

    def _end(self, depth: int, may_be_assigned: bool = False) -> tuple[dict[int, None], Token | None]:
        """Parse one end of an edge: a node with its ports, or a group; or the left of ``=``."""
        tokens = self.tokens
        if tokens.sign("{"):
            return self._block(depth + 1), None
        if tokens.next.keyword == "subgraph":
            tokens.take()
            name = tokens.take().text if tokens.next.is_id else None
            if tokens.sign("{") or name is None:
                nodes = self._block(depth + 1)
                if name is not None:
                    self.subgraphs.setdefault(name, {}).update(nodes)
                return nodes, None
            return dict(self.subgraphs.get(name, {})), None
        id_ = tokens.take_id()
        if may_be_assigned and tokens.sign("="):
            return {}, id_
        for _ in range(2):
            if tokens.sign(":"):
                tokens.take()
                tokens.take_id()
        return {self.number.setdefault(id_.text, len(self.number)): None}, None

    def _attributes(self) -> list[tuple[str, Token]]:
        """Parse any number of ``[name=value, ...]``."""
        tokens = self.tokens
        given: list[tuple[str, Token]] = []
        while tokens.sign("["):
            tokens.take()
            while not tokens.sign("]"):
                name = value = tokens.take_id()
                if tokens.sign("="):
                    tokens.take()
                    value = tokens.take_id()
                given.append((name.text, value))
                if tokens.sign(",") or tokens.sign(";"):
                    tokens.take()
            tokens.take("]")
        return given

    def _defaults(self, kind: Token, depth: int) -> None:
        """Take ``graph [...]`` at the top; refuse defaults of what each vertex has to say."""
        tokens = self.tokens
        if not tokens.sign("["):
            raise tokens.error(tokens.next, f"'[' after {kind.keyword}")
        for name, value in self._attributes():
            if kind.keyword == "graph" and depth == 0:
                self._tell(name, value)
            elif kind.keyword == "node" and name in NODE_ATTRIBUTES:
                raise self.source.error(f"{name} for all nodes: expected it at each node", value.line)

    def _tell(self, name: str, value: Token) -> None:
        """Take an attribute of the whole graph."""
        if name == "stuck":
            self.attributes.put_stuck(value.text, value.line)
        elif name == "retrosolve":
            if value.text != str(VERSION):
                raise self.source.error(f"version {shown(value.text)}: expected {VERSION}", value.line)
            self.tokens.doubled_backslashes = True
        elif name == "attributes" and self.tokens.doubled_backslashes:
            for attribute in value.text.split():
                if attribute not in NODE_ATTRIBUTES:
                    raise self.source.error(
                        f"attribute {shown(attribute)}: expected {', '.join(NODE_ATTRIBUTES)}",
                        value.line,
                    )
                self.attributes.declare(attribute)
        elif name == "names" and self.tokens.doubled_backslashes:
            self.told[name] = value.text


# -- writing --------------------------------------------------------------------------------------


def write(document: Document) -> list[Part]:
    """Write a digraph: the nodes in order, then the edges."""
    names = text_names(document.graph)
    for name in names or ():
        if "\0" in name:
            raise FormatError(f"a .dot file cannot hold the name {shown(name)}: expected no NUL")

    def write_to(file: IO[bytes]) -> None:
        Utf8(file).put(_lines(document, names))

    return [Part(write_to)]


def _lines(document: Document, names: list[str] | None) -> Iterator[str]:
    graph = document.graph
    attributes = [name for name in attributes_of(document) if name != "stuck"]
    told = [f"retrosolve={VERSION}", f"attributes={_quoted(' '.join(attributes))}"]
    if document.stuck is not None:
        told.append(f"stuck={document.stuck}")
    if names is not None and names == [str(v) for v in range(len(names))]:
        told.append("names=text")
    yield f"digraph {{\n  graph [{', '.join(told)}];\n"
    ids: Callable[[int], str] = str if names is None else (lambda v: _quoted(names[v]))
    for v, cells in enumerate(written(document, attributes, ids)):
        yield f"  {ids(v)}{_bracketed(zip(attributes, cells, strict=True))};\n"
    for v in range(graph.vertices):
        for w in graph.successors(v).tolist():
            yield f"  {ids(v)} -> {ids(w)};\n"
    yield "}\n"


def _bracketed(given: Iterable[tuple[str, str]]) -> str:
    there = ", ".join(f"{name}={cell}" for name, cell in given if cell)
    return f" [{there}]" if there else ""


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
