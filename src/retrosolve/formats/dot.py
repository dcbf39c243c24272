r"""DOT, ``.dot`` and ``.gv``: Graphviz's language. Needs pydot.

A file holds one graph; in an undirected one every edge ``a -- b`` is a move both ways. Vertices are
numbered in the order in which nodes appear. The node attributes ``owner``, ``player``, ``terminal``,
``value``, ``remoteness``, ``best`` and ``start``, the edge attributes ``reward`` and ``weight`` and the
attributes of the graph are those of ``attributes``; other attributes, ports and defaults for nodes and
edges are ignored, with a note about attributes that look like one of these. A ``strict`` graph has one
edge from a node to another, with the attributes of all. Nodes with a value or a score are filled with
its colour.

In files written by this package ``\\``, ``\"``, ``\n`` and ``\r`` within quotes are a backslash, a
quote, a line feed and a carriage return; in other files only ``\"`` is an escape, as in Graphviz.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import FormatError
from retrosolve.formats.attributes import (
    GRAPH_ATTRIBUTES,
    Attributes,
    edge_attributes,
    graph_attributes,
    node_attributes,
)
from retrosolve.formats.graphfile import (
    GraphFile,
    OutputFile,
    check_writable,
    text_names,
)
from retrosolve.runtime.files import (
    Source,
    Utf8,
    call_library,
    error_summary,
    import_library,
    short_repr,
)
from retrosolve.values import Value

LOOKS = {value.label: look for value, look in APPEARANCE.items()}
Block = dict[str, Any]  # a graph or a subgraph as pydot represents it
MAX_DEPTH = 8  # about thirty nested blocks overflow Python's stack
EDGES_BETWEEN_GROUPS = 1_000_000  # and 100 for each byte of the file
KEYWORDS = ("graph", "node", "edge", "digraph", "subgraph", "strict")
SIGN = re.compile(
    r'"(?:[^"\\]|\\.)*+(?:"|\Z)|<(?:[^<>]|<[^<>]*+>)*+>|/\*.*?(?:\*/|\Z)|(?://|\#)[^\n]*|--|->|[{}]',
    re.DOTALL,
)
ID = re.compile(r'"((?:[^"\\]|\\.)*)"|<(.*)>|([^:]*)', re.DOTALL)
COMPLAINT = re.compile(r"(.*)  \(at char \d+\), \(line:(\d+), col:(\d+)\)")
OLDEST = (4, 0, 1)  # version of pydot
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
UNESCAPED = {escape: character for character, escape in ESCAPES.items()}


def read(source: Source) -> GraphFile:
    """Read the graph in a file. Raises FormatError."""
    pydot = import_library("pydot", "reading .dot files")
    # Earlier ones drop all but the last list of attributes of a vertex, terminal values in them too.
    if tuple(map(int, re.findall(r"\d+", pydot.__version__)))[:3] < OLDEST:
        raise FormatError(
            f"reading .dot files needs pydot {'.'.join(map(str, OLDEST))} or later, and "
            f"{pydot.__version__} is installed: pip install 'retrosolve[formats]'"
        )
    text = source.text()
    arrows = _arrows(source, text)
    graphs, printed = call_library(source, "DOT", lambda: _parsed(pydot, text))
    if not graphs:
        last = printed.rstrip().rpartition("\n")[2]  # pydot prints the line and a mark below it first
        match = COMPLAINT.fullmatch(last)
        what, line, column = match.groups() if match else ("no graph", 1, 1)
        raise source.error(f"column {column}, {error_summary(what)}: expected DOT", int(line))
    graph = graphs[0].obj_dict
    arrow, other = ("->", "--") if graph["type"] == "digraph" else ("--", "->")
    if other in arrows:
        raise source.error(f"{other!r}: expected {arrow!r}", text.count("\n", 0, arrows[other]) + 1)
    return _Walk(source, graph).graph_file(arrow == "--")


def _parsed(pydot: Any, text: str) -> Any:
    """Parse a file with pydot, in time linear in the depth of nested blocks.

    pydot tries each block as the end of an edge and then as a statement, so that the time doubles with
    each level unless the parser memoizes. That is slower without nested blocks, so memoization is on
    only here, and the parser's settings are restored.
    """
    if text.count("{") == 1:
        return pydot.graph_from_dot_data(text)
    pyparsing = import_library("pyparsing", "reading .dot files")
    with pyparsing.testing.reset_pyparsing_context():
        pyparsing.ParserElement.enable_packrat(force=True)
        return pydot.graph_from_dot_data(text)


def _arrows(source: Source, text: str) -> dict[str, int]:
    """Return the place of the first arrow of each kind, which pydot does not distinguish.

    Raises FormatError for text after the graph and for blocks nested too deeply.
    """
    depth = 0
    arrows: dict[str, int] = {}
    for match in SIGN.finditer(text):
        sign = match[0]
        depth += (sign == "{") - (sign == "}")
        if depth > MAX_DEPTH + 1:
            line = text.count("\n", 0, match.start()) + 1
            raise source.error(f"'{{': expected blocks at most {MAX_DEPTH} deep", line)
        if sign in ("->", "--"):
            arrows.setdefault(sign, match.start())
        if sign == "}" and depth == 0:
            rest = SIGN.sub(lambda more: " " if more[0][0] in "/#" else more[0], text[match.end() :])
            if rest.strip("; \t\r\n"):
                line = text.count("\n", 0, match.end()) + 1
                raise source.error(
                    f"{short_repr(rest.strip())} after the graph: expected one graph, and nothing else",
                    line,
                )
            break
    return arrows


class _Walk:
    """A traversal of the graph that pydot parsed, in the order of the file."""

    def __init__(self, source: Source, graph: Block) -> None:
        self.source = source
        self.graph = graph
        self.attributes = Attributes(source)
        self.number: dict[str, int] = {}
        self.edges: list[tuple[int, int]] = []
        self.data: list[dict[str, str]] = []
        self.groups: dict[int, dict[int, None]] = {}
        self.cells: list[tuple[str, int | None, str]] = []
        self.edge_defaults: list[str] = []
        self.own = False

    def graph_file(self, both_ways: bool) -> GraphFile:
        """Return the contents of the file."""
        metadata: dict[str, str] = {}
        for block in (self.graph, *self.graph["nodes"].get("graph", ())):
            names = {self._text(name): value for name, value in block["attributes"].items()}
            self.own = self.own or "retrosolve" in names
            metadata |= {
                name: self._text(value) for name, value in names.items() if name in GRAPH_ATTRIBUTES
            }
        self.attributes.set_metadata(metadata)
        self._block(self.graph)
        self._put_attributes()
        for name in self.attributes.find_of_edges(self.edge_defaults).values():
            raise self.source.error(f"{name} for all edges: expected it at each edge")
        edges = [(a, b, data) for (a, b), data in zip(self.edges, self.data, strict=True)]
        if self.graph["strict"]:
            only: dict[Any, tuple[int, int, dict[str, str]]] = {}
            for a, b, more in edges:
                only.setdefault(frozenset((a, b)) if both_ways else (a, b), (a, b, {}))[2].update(more)
            edges = list(only.values())
        if both_ways:
            ways = ([(a, b, data), (b, a, data)] if a != b else [(a, b, data)] for a, b, data in edges)
            edges = [edge for both in ways for edge in both]
        ends = [a for a, _, _ in edges], [b for _, b, _ in edges]
        data = [data for *_, data in edges]
        return self.attributes.named_graph_file(list(self.number), *ends, metadata, data)

    def _block(self, graph: Block) -> dict[int, None]:
        """Traverse one block and return the vertices in it."""
        kinds = (graph["nodes"], graph["edges"], graph["subgraphs"])
        items = [item for kind in kinds for same in kind.values() for item in same]
        inside: dict[int, None] = {}
        for item in sorted(items, key=lambda item: item["sequence"]):
            if item["type"] == "edge":
                a, b = (self._end(point) for point in item["points"])
                attributes = item["attributes"].items()
                self._connect(a, b, {self._text(name): self._text(x) for name, x in attributes})
                inside |= a | b
            else:
                inside |= self._block(item) if item["type"] == "subgraph" else self._node(item)
        return inside

    def _node(self, item: Any) -> dict[int, None]:
        """Record the attributes of a node; return its vertex."""
        # pydot represents defaults as nodes, and splits <a:b> at the colon as if b were a port.
        default = item["name"] in ("graph", "node", "edge")
        vertex = {} if default else self._end(item["name"] + (item["port"] or ""))
        for key, value in item["attributes"].items():
            if item["name"] == "edge":
                self.edge_defaults.append(self._text(key))
            elif item["name"] != "graph":
                at = None if default else next(iter(vertex))
                self.cells.append((self._text(key), at, self._text(value)))
        return vertex

    def _put_attributes(self) -> None:
        """Record the attributes of all nodes."""
        known = self.attributes.find(dict.fromkeys(name for name, _, _ in self.cells))
        names = list(self.number)
        for name, vertex, text in self.cells:
            if name in known:
                if vertex is None:
                    raise self.source.error(f"{name} for all nodes: expected it at each node")
                self.attributes.put(known[name], vertex, text, f"node {short_repr(names[vertex])}")

    def _end(self, point: Any) -> dict[int, None]:
        """Return the vertices at one end of an edge: a node or a group, traversed only once."""
        if not isinstance(point, str):
            if id(point) not in self.groups:
                self.groups[id(point)] = self._block(point)
            return self.groups[id(point)]
        if point.lower() in KEYWORDS:
            raise self.source.error(f"{point!r} as a node: expected a name, keywords in quotes")
        return {self.number.setdefault(self._text(point), len(self.number)): None}

    def _connect(self, a: dict[int, None], b: dict[int, None], data: dict[str, str]) -> None:
        """Add an edge from each vertex of one group to each of another."""
        limit = EDGES_BETWEEN_GROUPS + 100 * len(self.source.data)
        if len(self.edges) + len(a) * len(b) > limit:
            raise self.source.error(
                f"over {limit} edges between groups: expected fewer in so short a file"
            )
        self.edges += product(a, b)
        self.data += [data] * (len(a) * len(b))

    def _text(self, raw: str | None) -> str:
        """Return an id without quotes and port; an attribute without a value is "true"."""
        match = ID.match("true" if raw is None else raw)
        assert match is not None, "the last choice matches everything"
        quoted, html, plain = match.groups()
        if quoted is None:
            return str(html if plain is None else plain)
        if not self.own:
            return str(quoted).replace('\\"', '"')
        return re.sub(r"\\.", lambda escape: UNESCAPED.get(escape[0], escape[0]), quoted)


# -- writing --------------------------------------------------------------------------------------


def write(graph_file: GraphFile) -> list[OutputFile]:
    """Return the file to write: a digraph, first the nodes in order, then the edges."""
    pydot = import_library("pydot", "writing .dot files")
    names = text_names(graph_file.graph)
    check_writable(names, lambda name: "\0" in name, "a .dot file", "no NUL")
    return [OutputFile(lambda file: Utf8(file).put([_graph(pydot, graph_file, names).to_string()]))]


def _graph(pydot: Any, graph_file: GraphFile, names: list[str] | None) -> Any:
    """Return the graph as a pydot graph."""
    metadata = graph_attributes(graph_file, names)
    graph = pydot.Dot("", graph_type="digraph", **metadata)
    results = graph_file.results
    words = None if results is None else [Value(kind).label for kind in results.kinds.tolist()]
    numbers = map(str, range(graph_file.graph.num_vertices))
    ids = list(numbers if names is None else map(_quoted, names))
    for v, there in enumerate(node_attributes(graph_file, ids)):
        look = LOOKS.get(there.get("value", "") if words is None else words[v])
        if look is not None:
            ink = "black" if look is LOOKS["tie"] else "white"
            there |= {"style": "filled", "fillcolor": f'"{look.fill}"', "fontcolor": ink}
        graph.add_node(pydot.Node(ids[v], **there))
    for v, row in enumerate(edge_attributes(graph_file.graph)):
        for w, data in row:
            label = {"label": f'"{data["reward"]:+d}"'} if "reward" in data else {}
            texts = {name: str(x) for name, x in data.items()}
            graph.add_edge(pydot.Edge(ids[v], ids[w], **texts, **label))
    return graph


def _quoted(text: str) -> str:
    """Return an id in quotes."""
    return '"' + re.sub(r'[\\"\n\r]', lambda character: ESCAPES[character[0]], text) + '"'
