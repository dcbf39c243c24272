"""GraphML, ``.graphml``: XML, as read by NetworkX, Gephi, yEd and igraph. Needs networkx.

A file holds one graph, directed or undirected (an undirected edge is a move both ways); vertices are
numbered in the order of the file. The node attributes ``owner``, ``player``, ``terminal``, ``value``,
``remoteness``, ``best`` and ``start``, the edge attributes ``reward`` and ``weight`` and the attributes
of the graph are those of ``attributes``; others are ignored, with a note about those that look like one
of them.

NetworkX groups parallel edges. To keep the order of the successors, a graph with parallel edges is
written with the edge attribute ``place``, the place among the successors of the source.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NoReturn
from xml.parsers import expat

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
from retrosolve.runtime.files import Source, call_library, import_library, short_repr

if TYPE_CHECKING:
    from networkx import MultiGraph

TYPES = {"owner": int, "remoteness": int, "plies": int, "tier": int, "start": bool}
# Characters that XML excludes, and the carriage return, which it turns into a line feed.
UNWRITABLE = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(source: Source) -> GraphFile:
    """Read the graph in a file. Raises FormatError."""
    networkx = import_library("networkx", "reading .graphml files")
    _check_entities(source)
    ids: list[str] = []

    def id_of(text: str | None) -> str:
        if text is None:
            raise ValueError("a node without id, or an edge without source or target")
        ids.append(text)
        return text

    graph, _ = call_library(
        source,
        "GraphML",
        lambda: networkx.read_graphml(
            io.BytesIO(source.data),
            node_type=id_of,
            edge_key_type=lambda _: object(),  # edges with the same id stay two edges
            force_multigraph=True,
        ),
    )
    _check_ids(source, graph, ids)
    attributes = Attributes(source)
    metadata = {name: _text(value) for name, value in graph.graph.items() if name in GRAPH_ATTRIBUTES}
    own = attributes.set_metadata(metadata)
    if own and not graph.is_directed():
        raise source.error("undirected edges: expected edgedefault 'directed', as it is written here")
    common, of_all_edges = (
        found if isinstance(found := graph.graph.get(key), dict) else {}
        for key in ("node_default", "edge_default")
    )
    known = attributes.find(
        common | {name: None for _, data in graph.nodes(data=True) for name in data}
    )
    for v, (id_, data) in enumerate(graph.nodes(data=True)):
        for name, value in (common | data).items():
            if name in known:
                attributes.put(known[name], v, _text(value), f"node {short_repr(id_)}")
    number = {id_: v for v, id_ in enumerate(graph)}
    sources: list[int] = []
    targets: list[int] = []
    edges: list[dict[str, str]] = []
    for v, (_, neighbors) in enumerate(graph.adjacency()):
        row = [(number[w], of_all_edges | data) for w in neighbors for data in neighbors[w].values()]
        if own and all(type(data.get("place")) is int for _, data in row):
            row.sort(key=lambda edge: edge[1]["place"])
        sources += [v] * len(row)
        targets += [w for w, _ in row]
        edges += [{name: _text(value) for name, value in data.items()} for _, data in row]
    return attributes.named_graph_file(list(number), sources, targets, metadata, edges)


class _Begun(Exception):  # noqa: N818  # nothing is wrong
    """Signals the first element; entities can be declared only before it."""


def _check_entities(source: Source) -> None:
    """Raise FormatError for entity declarations: a few bytes may expand to any length.

    The XML parser finds them, in every encoding that it reads.
    """
    parser = expat.ParserCreate()
    lines: list[int] = []

    def begun(*_: Any) -> NoReturn:
        raise _Begun

    parser.EntityDeclHandler = lambda *_: lines.append(parser.CurrentLineNumber)
    parser.StartElementHandler = begun
    with suppress(_Begun, expat.ExpatError, LookupError, ValueError):  # networkx fails too
        parser.Parse(source.data, True)
    if lines:
        raise source.error("an entity: expected none but those of XML", lines[0])


def _check_ids(source: Source, graph: MultiGraph[str], ids: list[str]) -> None:
    """Raise FormatError for a duplicate node, and for an edge at an undeclared node.

    NetworkX would merge the one and add the other. ``ids`` are all ids in the order in which it read
    them: those of the nodes, then two for each edge.
    """
    nodes: set[str] = set()
    for id_ in ids[: len(ids) - 2 * graph.number_of_edges()]:
        if id_ in nodes or id_ not in graph:
            raise source.error(f"node {short_repr(id_)}: expected one graph, and each node once in it")
        nodes.add(id_)
    for id_ in graph:
        if id_ not in nodes:
            raise source.error(f"edge at {short_repr(id_)}: expected the id of a node")


def _text(value: Any) -> str:
    """Return a value as text; booleans and whole floats as whole numbers."""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    return str(value)


# -- writing --------------------------------------------------------------------------------------


def write(graph_file: GraphFile) -> list[OutputFile]:
    """Return the file to write, a directed graph."""
    networkx = import_library("networkx", "writing .graphml files")
    names = text_names(graph_file.graph)
    check_writable(names, UNWRITABLE.search, "XML", "no control characters")

    def write_to(file: IO[bytes]) -> None:
        whole = io.BytesIO()
        networkx.write_graphml(_graph(networkx, graph_file, names), whole)
        file.write(whole.getvalue())

    return [OutputFile(write_to)]


def _graph(networkx: Any, graph_file: GraphFile, names: list[str] | None) -> Any:
    """Return the graph as a NetworkX graph."""
    ids = [str(v) for v in range(graph_file.graph.num_vertices)] if names is None else names
    rows = list(edge_attributes(graph_file.graph))
    parallel = any(len({w for w, _ in row}) < len(row) for row in rows)
    metadata = graph_attributes(graph_file, names)
    types = TYPES | ({"owner": str} if graph_file.graph.has_chance else {})
    graph = networkx.MultiDiGraph(**metadata) if parallel else networkx.DiGraph(**metadata)
    for v, there in enumerate(node_attributes(graph_file, ids)):
        typed = {name: types.get(name, str)(cell) for name, cell in there.items()}
        graph.add_node(ids[v], **typed)
    for v, row in enumerate(rows):
        for place, (w, data) in enumerate(row):
            graph.add_edge(ids[v], ids[w], **data, **({"place": place} if parallel else {}))
    return graph
