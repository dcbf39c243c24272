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


# -- Graphviz ---------------------------------------------------------------------------------------


def test_a_pydot_that_drops_attributes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pydot, "__version__", "4.0.0")
    with pytest.raises(rs.FormatError, match="pydot"):
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
