"""What the tests of formats share: named graphs, files in memory, equal answers."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import read_graph_file, write
from retrosolve.formats.graphfile import GraphFile
from retrosolve.testing import STUCK
from retrosolve.testing.strategies import graphs

# The readable formats, by name: those that hold every graph.
WHOLE = ("csv", "tsv", "npz", "graphml", "dot", "parquet", "json")

_TRICKY = st.sampled_from(
    ("", " ", " a", "a ", "0", "1", "2", "-1", "007", "a,b", 'say "x"', "two\nlines", "tab\there",
     "c\rr", "\\", 'end\\"', "\\n", "été", "<b>&amp;", "[win 3]", "a [win 3 -> 0]", "source",
     "node", "#x", "//x", "'", ";", "\u2028", "\U0001f600", "nan", "null", "x" * 300)
)  # fmt: skip
_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=6)
NAMES = _TRICKY | _TEXT


@st.composite
def named_graphs(draw: st.DrawFn, owned: bool | None = None) -> rs.Graph:
    """Graphs of every kind, with names or without."""
    graph = draw(graphs(owned=owned))
    if draw(st.booleans()):
        return graph
    n = graph.num_vertices
    names = draw(st.lists(NAMES, min_size=n, max_size=n, unique=True))
    return rs.Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.terminals, names)


@st.composite
def solutions(draw: st.DrawFn) -> rs.Solution:
    """Solved graphs of every kind, with a start or without."""
    graph = draw(named_graphs())
    solution = rs.solve(graph, stuck=draw(st.sampled_from(STUCK)), solver="reference")
    if graph.num_vertices and draw(st.booleans()):
        solution = solution.with_start(graph.position(draw(st.integers(0, graph.num_vertices - 1))))
    return solution


def can_hold(name: str, graph: rs.Graph) -> bool:
    """Whether a format can hold these names: XML makes a carriage return in text a line feed."""
    return name != "graphml" or not any("\r" in str(text) for text in graph.names or ())


def stored(subject: rs.Graph | rs.Solution, path: object, **options: object) -> GraphFile:
    """Write and read again."""
    write(subject, path, **options)
    return read_graph_file(path)


def given(data: bytes | str, format: str, **options: object) -> GraphFile:
    """Read from memory."""
    data = data.encode() if isinstance(data, str) else data
    return read_graph_file(io.BytesIO(data), format, **options)


def check_same_answer(document: GraphFile, solution: rs.Solution, stuck_told: bool = True) -> None:
    """The document is this solution, and it is proven from the file alone."""
    assert document.graph == solution.space
    assert np.array_equal(document.value, solution.table.values())
    assert np.array_equal(document.remoteness, solution.remoteness())
    assert document.value is not None
    assert document.remoteness is not None
    assert document.value.dtype == np.uint8
    assert document.remoteness.dtype == solution.remoteness().dtype
    assert document.start == solution.start
    if stuck_told:
        assert document.stuck == solution.stuck.label
    again = document.solution()
    assert again is not None
    rs.verify(again)
