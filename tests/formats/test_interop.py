"""Files of other programs are read, and files written here are read by them."""

import io
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pydot
import pytest
import scipy.sparse
from hypothesis import given as given_by
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.formats import read_graph, read_graph_file, write
from tests.support.graph_files import given
from tests.support.marks import examples

GRAPH = rs.Graph.from_edges(
    [0, 0, 1, 2, 2],
    [1, 2, 0, 2, 3],
    5,
    owner=[0, 1, 0, 1, 1],
    terminal=[0, 0, 0, 1, 0],
    names=["a", "b b", 'c"c', "d", "<é>"],
)


# -- SciPy ------------------------------------------------------------------------------------------


@examples(30, 60)
@given_by(st.integers(0, 6).flatmap(lambda n: st.lists(st.lists(st.integers(0, 1), min_size=n, max_size=n),
                                                       min_size=n, max_size=n)), st.booleans())  # fmt: skip
def test_a_matrix_saved_by_scipy(rows: list[list[int]], compressed: bool) -> None:
    matrix = scipy.sparse.csr_array(np.array(rows, float).reshape(len(rows), len(rows)))
    file = io.BytesIO()
    scipy.sparse.save_npz(file, matrix, compressed=compressed)
    assert given(file.getvalue(), "npz").graph == rs.Graph.from_scipy(matrix)


def test_stored_zeros_of_a_matrix_are_no_edges() -> None:
    matrix = scipy.sparse.csr_matrix(([1.0, 0.0, 2.0], ([0, 0, 1], [0, 1, 0])), shape=(3, 3))
    file = io.BytesIO()
    scipy.sparse.save_npz(file, matrix)
    graph = given(file.getvalue(), "npz").graph
    assert [graph.neighbors(v).tolist() for v in range(3)] == [[0], [0], []]


@pytest.mark.parametrize("kind", ["csc", "coo", "bsr"])
def test_other_kinds_of_matrices_are_refused(kind: str) -> None:
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.eye_array(3).asformat(kind))
    with pytest.raises(rs.FormatError, match=f"of format b?'{kind}': expected csr"):
        given(file.getvalue(), "npz")


# -- NetworkX ---------------------------------------------------------------------------------------


def test_graphml_of_networkx_is_read(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    graph.add_node("x", owner=1, note="n")
    graph.add_node("y", owner=0, terminal="loss", value=0.5)
    graph.add_edge("y", "x", weight=2.0)
    graph.add_edge("x", "y")
    graph.add_edge("x", "x")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    assert read_graph(tmp_path / "g.graphml") == rs.Graph.from_networkx(graph)
    nx.write_graphml(graph, tmp_path / "g.graphml.gz")
    assert read_graph(tmp_path / "g.graphml.gz") == rs.Graph.from_networkx(graph)


def test_an_undirected_graph_of_networkx_is_a_move_both_ways(tmp_path: Path) -> None:
    graph = nx.Graph([("x", "y"), ("y", "z"), ("z", "z")])
    nx.write_graphml(graph, tmp_path / "g.graphml")
    read = read_graph(tmp_path / "g.graphml")
    assert read.names == ("x", "y", "z")
    assert [sorted(read.neighbors(v).tolist()) for v in range(3)] == [[1], [0, 2], [1, 2]]


def test_a_multigraph_of_networkx_keeps_its_edges(tmp_path: Path) -> None:
    graph = nx.MultiDiGraph([(0, 1), (0, 1), (1, 0)])
    nx.write_graphml(graph, tmp_path / "g.graphml")
    assert read_graph(tmp_path / "g.graphml") == rs.Graph.from_edges([0, 0, 1], [1, 1, 0])


def test_networkx_reads_our_graphml(tmp_path: Path) -> None:
    solution = rs.solve(GRAPH)
    solution = solution.with_start("b b")
    write(solution, tmp_path / "g.graphml")
    graph = nx.read_graphml(tmp_path / "g.graphml")
    assert list(graph.nodes) == list(GRAPH.names or ())
    assert rs.Graph.from_networkx(graph) == GRAPH
    assert graph.graph["stuck"] == "loss"
    for v, (name, data) in enumerate(graph.nodes(data=True)):
        assert data["value"] == solution[name].value.label
        assert data.get("remoteness") == solution[name].remoteness
        assert data.get("best") == (
            None if (w := solution.best_successors()[v]) < 0 else GRAPH.position(w)
        )
        assert data.get("start") == (True if name == "b b" else None)


@pytest.mark.parametrize(
    ("inside", "edges"),
    [
        ("<edge source='a' target='b' directed='true'/>", [[1], []]),
        ("<edge id='0' source='a' target='b'/><edge id='0' source='a' target='b'/>", [[1, 1], []]),
        ("<edge source='b' target='b'/><edge id='0' source='b' target='a'/>", [[], [1, 0]]),
        ("<edge id='e' source='a' target='b'><data key='w'>1</data></edge>", [[1], []]),
        ("<!-- c --><edge source='b' target='a'><desc>d</desc></edge>", [[], [0]]),
    ],
)
def test_kinds_of_graphml_edges(inside: str, edges: list[list[int]]) -> None:
    text = f"""<?xml version="1.0"?>
    <g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
    <g:key id="w" for="edge" attr.name="owner" attr.type="double"/>
    <g:graph edgedefault="directed">{inside.replace("<", "<g:").replace("<g:/", "</g:").replace("<g:!", "<!")}
    <g:node id="a"/><g:node id="b"/></g:graph></g:graphml>"""
    graph = given(text, "graphml").graph
    assert [graph.neighbors(v).tolist() for v in range(2)] == edges
    assert graph.owner is None


def test_edges_of_undirected_graphml_are_moves_both_ways() -> None:
    edges = "".join(f"<edge source='{a}' target='{b}'/>" for a, b in ("bc", "ab", "bb", "ab"))
    nodes = "<node id='a'/><node id='b'/><node id='c'/>"
    graph = given(
        f"<graphml><graph edgedefault='undirected'>{edges}{nodes}</graph></graphml>", "graphml"
    ).graph
    assert [sorted(graph.neighbors(v).tolist()) for v in range(3)] == [[1, 1], [0, 0, 1, 2], [1]]


def test_numbers_of_any_type_in_graphml(tmp_path: Path) -> None:
    graph = nx.DiGraph([("x", "y")])
    nx.set_node_attributes(graph, {"x": 1.0, "y": 0.0}, "owner")
    nx.set_node_attributes(graph, {"x": "win", "y": "loss"}, "value")
    nx.set_node_attributes(graph, {"x": True, "y": False}, "remoteness")
    nx.write_graphml(graph, tmp_path / "g.graphml")
    document = read_graph_file(tmp_path / "g.graphml")
    assert document.graph.owner is not None
    assert document.graph.owner.tolist() == [1, 0]
    assert document.remoteness is not None
    assert document.remoteness.tolist() == [1, 0]


def test_graphml_defaults_and_other_encodings() -> None:
    text = """<?xml version="1.0" encoding="latin-1"?>
    <graphml><key id="o" for="node" attr.name="owner" attr.type="int"><default>1</default></key>
    <key id="t" for="all" attr.name="terminal"/>
    <graph edgedefault="directed">
    <node id="é"><data key="o">0</data></node><node id="b"><data key="t"> Win </data></node>
    </graph></graphml>"""
    graph = given(text.encode("latin-1"), "graphml").graph
    assert graph.names == ("é", "b")
    assert graph.owner is not None
    assert graph.owner.tolist() == [0, 1]
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [0, 1]


# -- Graphviz ---------------------------------------------------------------------------------------


def rows(text: str) -> dict[object, list[object]]:
    graph = given(text, "dot").graph
    return {
        graph.position(v): [graph.position(w) for w in graph.neighbors(v).tolist()]
        for v in range(graph.num_vertices)
    }


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("digraph { a -> b -> c; b -> a }", {"a": ["b"], "b": ["c", "a"], "c": []}),
        ("graph { a -- b -- c }", {"a": ["b"], "b": ["a", "c"], "c": ["b"]}),
        ("graph { a -- a }", {"a": ["a"]}),
        ("strict digraph G { a->b a->b [label=x] b->a }", {"a": ["b"], "b": ["a"]}),
        ("strict graph { a--b b--a a--a a--a }", {"a": ["b", "a"], "b": ["a"]}),
        ('DIGRAPH "G g" { "a b" -> "c\\"d"; }', {"a b": ['c"d'], 'c"d': []}),
        ("digraph { 0 -> 1; 1 -> 0 }", {0: [1], 1: [0]}),
        ("digraph { 1 -> 0 }", {"1": ["0"], "0": []}),
        ('digraph { "0" -> .5 -> 1.50 }', {"0": [".5"], ".5": ["1.50"], "1.50": []}),
        ("digraph { a -> {b; c} -> d }", {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}),
        ("digraph { subgraph s { a; b -> a } -> c }", {"a": ["c"], "b": ["a", "c"], "c": []}),
        ("digraph { subgraph s { a } b subgraph s { c {d -> a} } }", {"a": [], "b": [], "c": [], "d": ["a"]}),
        ("digraph { a -> {b -> c} -> {d} -> {b -> c} }",
         {"a": ["b", "c"], "b": ["c", "d", "c"], "c": ["d"], "d": ["b", "c"]}),
        ("graph { {a b} -- c }", {"a": ["c"], "b": ["c"], "c": ["a", "b"]}),
        ('digraph { "a:b":n -> <c:d>; <c:d> -> e:"p q":s; f:x [w=1] }',
         {"a:b": ["c:d"], "c:d": ["e"], "e": [], "f": []}),
        ("digraph { node1 -> edgy; graphs [x=1]; strictly }",
         {"node1": ["edgy"], "edgy": [], "graphs": [], "strictly": []}),
        ("digraph { a [label=\"{x|{y|{z}}} -- }\"] } // -- {\n", {"a": []}),
        ("digraph { a:n -> b:p:sw [label=x, color=\"#fff\"]; }", {"a": ["b"], "b": []}),
        ("digraph {\n# line\n// line\n/* a -> x\n */ a /*;*/ -> b }", {"a": ["b"], "b": []}),
        ("digraph { rankdir=LR; node [shape=box]; edge [w=1] graph [x=y][z=t]; a }", {"a": []}),
        ('digraph { "a" + "b" -> c }', {"ab": ["c"], "c": []}),
        ('digraph { "a\\\nb" -> "c\\\\d" -> "e\\n" }', {"ab": ["c\\\\d"], "c\\\\d": ["e\\n"], "e\\n": []}),
        ("digraph { <<b>x</b>> -> y }", {"<b>x</b>": ["y"], "y": []}),
        ("digraph { été -> _1x }", {"été": ["_1x"], "_1x": []}),
        ('digraph { "node" -> "graph" }', {"node": ["graph"], "graph": []}),
        ("\ufeffdigraph { a }", {"a": []}),
    ],
)  # fmt: skip
def test_dot(text: str, expected: dict[object, list[object]]) -> None:
    assert rows(text) == expected


def test_an_edge_of_a_strict_graph_has_the_attributes_that_come_last() -> None:
    text = b"strict digraph { a->b [reward=2] a->b [reward=3] a->b }"
    graph = read_graph(io.BytesIO(text), "dot")
    assert graph.reward is not None
    assert graph.reward.tolist() == [3]


def test_dot_attributes() -> None:
    document = given(
        """digraph { stuck = tie; size="3,3"
        a [owner=0, label="A" , "terminal"=WIN][shape=box];
        b [owner=1 start value="n/a" bold];
        a -> b [owner=7]; b [owner=0] }""",
        "dot",
    )
    graph = document.graph
    assert graph.owner is not None
    assert graph.owner.tolist() == [0, 0]
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [1, 0]
    assert (document.stuck, document.start, document.value) == ("tie", "b", None)


def test_a_pydot_that_drops_attributes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pydot, "__version__", "4.0.0")
    with pytest.raises(
        rs.FormatError, match=r"^reading .dot files needs pydot 4\.0\.1 or later, and 4"
    ):
        given("digraph { a -> b; b [terminal=win][shape=box] }", "dot")
    monkeypatch.setattr(pydot, "__version__", "4.1.dev0")
    given("digraph { a -> b }", "dot")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in pydot's own use of pyparsing
def test_pydot_reads_our_dot(tmp_path: Path) -> None:
    write(rs.solve(GRAPH), tmp_path / "g.dot")
    (graph,) = pydot.graph_from_dot_file(tmp_path / "g.dot", encoding="utf-8")
    for node in graph.get_nodes():
        look = APPEARANCE[rs.Value(node.get("value"))]
        assert (node.get("style"), node.get("fillcolor")) == ("filled", f'"{look.fill}"')
    assert [node.get_name() for node in graph.get_nodes() if node.get_name() != "graph"] == [
        '"a"', '"b b"', '"c\\"c"', '"d"', '"<é>"',
    ]  # fmt: skip
    assert len(graph.get_edges()) == GRAPH.num_edges
    assert graph.get_node('"d"')[0].get("terminal") == "win"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in pydot's own use of pyparsing
def test_dot_of_pydot_is_read(tmp_path: Path) -> None:
    graph = nx.DiGraph([("a", "b b"), ("b b", "c")])
    graph.nodes["c"]["terminal"] = "tie"
    nx.nx_pydot.write_dot(graph, tmp_path / "g.gv")
    assert read_graph(tmp_path / "g.gv") == rs.Graph.from_networkx(graph)


# -- Parquet and JSON -------------------------------------------------------------------------------


def test_parquet_in_a_data_frame(tmp_path: Path) -> None:
    solution = rs.solve(GRAPH)
    write(solution, tmp_path / "g.parquet")
    frame = pd.read_parquet(tmp_path / "g.parquet")
    assert list(frame.columns) == [
        "vertex", "name", "owner", "terminal", "value", "remoteness", "best", "successors",
    ]  # fmt: skip
    assert frame.name.tolist() == list(GRAPH.names or ())
    assert frame.value.tolist() == [solution[name].value.label for name in frame.name]
    assert frame.terminal.isna().tolist() == [True, True, True, False, True]
    assert [row.tolist() for row in frame.successors] == [[1, 2], [0], [2, 3], [], []]
    assert frame.best.isna().tolist() == (solution.best_successors() < 0).tolist()
    schema = pq.read_schema(tmp_path / "g.parquet")
    assert schema.metadata == {b"retrosolve": b"1", b"stuck": b"loss"}
    assert str(schema.field("value").type).startswith("dictionary<values=string")


@pytest.mark.parametrize("text", [False, True])
def test_a_data_frame_of_edges(tmp_path: Path, text: bool) -> None:
    frame = pd.DataFrame({"weight": [0.1, 0.2, 0.3], "target": [1, 0, 2], "source": [0, 1, 1]})
    if text:
        frame = frame.assign(target=[*"bac"], source=[*"abb"])
    frame.to_parquet(tmp_path / "g.parquet")
    expected = rs.Graph.from_edges(frame.source.tolist(), frame.target.tolist())
    assert read_graph(tmp_path / "g.parquet") == expected
    frame.astype({"source": "category", "target": "category"}).to_parquet(tmp_path / "c.parquet")
    assert read_graph(tmp_path / "c.parquet") == expected


def test_a_data_frame_of_vertices(tmp_path: Path) -> None:
    frame = pd.DataFrame({"successors": [[1], [0, 2], []], "terminal": [None, None, "win"]})
    frame.to_parquet(tmp_path / "g.parquet")
    expected = rs.Graph.from_edges([0, 1, 1], [1, 0, 2], terminal=[0, 0, 1])
    assert read_graph(tmp_path / "g.parquet") == expected


def test_parquet_in_many_pieces(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    graph = rs.Graph.from_edges(rng.integers(0, 999, 4000), rng.integers(0, 999, 4000), 1000)
    solution = rs.solve(graph)
    write(solution, tmp_path / "g.parquet")
    table = pq.read_table(tmp_path / "g.parquet")
    pq.write_table(table, tmp_path / "h.parquet", row_group_size=97)
    document = read_graph_file(tmp_path / "h.parquet")
    assert document.graph == graph
    assert np.array_equal(document.remoteness, solution.remoteness())


def test_json_text(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges(["a", "b"], ["b", "é"], owner=[0, 1, 0], terminal={"é": "tie"})
    solution = rs.solve(graph)
    solution = solution.with_start("a")
    write(solution, tmp_path / "g.json")
    assert (tmp_path / "g.json").read_text("utf-8") == (
        """{"format": "retrosolve",
 "version": 1,
 "vertices": 3,
 "successors": [
  [1],
  [2],
  []],
 "names": ["a", "b", "é"],
 "owner": [0, 1, 0],
 "terminal": [null, null, "tie"],
 "stuck": "loss",
 "start": "a",
 "value": ["tie", "tie", "tie"],
 "remoteness": [2, 1, 0],
 "best": [1, 2, null]}
"""
    )
