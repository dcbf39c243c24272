"""Columns and attributes of vertices and edges by other names: accepted, refused or noted, never ignored."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import retrosolve as rs
from retrosolve.formats import read_graph_file
from retrosolve.formats.graphfile import GraphFile

Columns = dict[str, list[Any]]
EDGES: Columns = {"source": ["a", "b", "c"], "target": ["b", "c", "a"]}
Reader = Callable[[Columns, Columns, Path], GraphFile]


def csv(edges: Columns, vertices: Columns, folder: Path) -> GraphFile:
    pd.DataFrame(edges).to_csv(folder / "g.csv", index=False)
    pd.DataFrame(vertices).to_csv(folder / "g.vertices.csv", index=False)
    return read_graph_file(folder / "g.csv")


def parquet(edges: Columns, vertices: Columns, folder: Path) -> GraphFile:
    pq.write_table(pa.table(edges), folder / "g.parquet")
    pq.write_table(pa.table(vertices), folder / "v.parquet")
    return read_graph_file(folder / "g.parquet", vertices=folder / "v.parquet")


def network(edges: Columns, vertices: Columns) -> nx.DiGraph:
    found = nx.DiGraph()
    for node, *cells in zip(*vertices.values(), strict=True):
        data = dict(zip([*vertices][1:], cells, strict=True))
        found.add_node(node, **{name: cell for name, cell in data.items() if cell is not None})
    for source, target, *cells in zip(*edges.values(), strict=True):
        found.add_edge(source, target, **dict(zip([*edges][2:], cells, strict=True)))
    return found


def graphml(edges: Columns, vertices: Columns, folder: Path) -> GraphFile:
    nx.write_graphml(network(edges, vertices), folder / "g.graphml")
    return read_graph_file(folder / "g.graphml")


def dot(edges: Columns, vertices: Columns, folder: Path) -> GraphFile:
    def attributes(data: dict[str, Any]) -> str:
        return "[" + " ".join(f'"{name}"="{cell}"' for name, cell in data.items()) + "]"

    graph = network(edges, vertices)
    lines = [f"{node} {attributes(data)};" for node, data in graph.nodes(data=True)]
    lines += [f"{v} -> {w} {attributes(data)};" for v, w, data in graph.edges(data=True)]
    return read_graph_file(io.BytesIO(f"digraph {{ {' '.join(lines)} }}".encode()), "dot")


def table(make: Callable[[Columns], Any]) -> Reader:
    return lambda edges, vertices, folder: GraphFile(
        rs.Graph.from_pandas(make(edges), vertices=make(vertices), vertex="name")
    )


EDGE_READERS: dict[str, Reader] = {
    "csv": csv,
    "parquet": parquet,
    "graphml": graphml,
    "dot": dot,
    "networkx": lambda edges, vertices, _: GraphFile(rs.Graph.from_networkx(network(edges, vertices))),
    "mapping": table(dict),
    "pandas": table(pd.DataFrame),
    "polars": table(pl.DataFrame),
    "arrow": table(pa.table),
}
NOTED = ("graphml", "dot")  # files of any program


def rows(columns: Columns, folder: Path) -> GraphFile:
    pq.write_table(pa.table({"successors": [[1], [2], [0]]} | columns), folder / "g.parquet")
    return read_graph_file(folder / "g.parquet")


def npz(columns: Columns, folder: Path) -> GraphFile:
    codes = {None: 0, "win": 1, "loss": 2, "tie": 3}
    arrays = {name: [codes.get(cell, cell) for cell in cells] for name, cells in columns.items()}
    np.savez(folder / "g.npz", version=1, indptr=[0, 1, 2, 3], indices=[1, 2, 0], **arrays)
    return read_graph_file(folder / "g.npz")


def parts(columns: Columns, folder: Path) -> GraphFile:
    np.save(folder / "0.npy", np.array([[0, 1], [1, 2], [2, 0]]))
    pq.write_table(pa.table(columns), folder / "vertices.parquet")
    return GraphFile(rs.EdgeParts(folder).materialize())


# Readers of three vertices in a ring, with columns.
READERS: dict[str, Callable[[Columns, Path], GraphFile]] = {
    "rows": rows, "npz": npz, "parts": parts,
    **{
        name: lambda columns, folder, read=read: read(EDGES, {"name": [*"abc"]} | columns, folder)
        for name, read in EDGE_READERS.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_names_that_differ_in_case_and_blanks_are_read(reader: str, tmp_path: Path) -> None:
    for owner, terminal in (("Owner", "TERMINAL"), (" owner ", "Terminal "), ("OWNER", "terminal")):
        columns: Columns = {owner: [0, 1, 1], terminal: ["win", None, None]}
        file = READERS[reader](columns, tmp_path)
        assert (file.graph.owner.tolist(), file.graph.terminals.tolist()) == ([0, 1, 1], [1, 0, 0])
        assert file.notes == ()
        with pytest.raises(rs.RetrosolveError):
            READERS[reader](columns | {"owner": [0, 1, 1], "Owner": [0, 1, 1]}, tmp_path)


@pytest.mark.parametrize("reader", [name for name in READERS if name != "parts"])
def test_payoffs_are_read_by_any_case(reader: str, tmp_path: Path) -> None:
    columns: Columns = {"terminal": [None, None, "win"], " PAYOFF": [0, 0, 3]}
    graph = READERS[reader](columns, tmp_path).graph
    assert str(rs.solve(graph, objective="score")[graph.position(1)]) == "LOSS by 3 in 1"
    columns[" PAYOFF"][2] = 0  # which is no win by 1
    graph = READERS[reader](columns, tmp_path).graph
    assert str(rs.solve(graph, objective="score")[graph.position(1)]) == "TIE in 1"


@pytest.mark.parametrize("name", ["weight", "Weight"])
@pytest.mark.parametrize("reader", EDGE_READERS)
def test_weights_count_where_chance_moves(reader: str, name: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "a"], "target": ["b", "c"], name: [3, 1]}
    vertices: Columns = {"name": [*"abc"], "owner": [2, 0, 0], "terminal": [None, "win", "loss"]}

    def read(edges: Columns, owner: list[Any]) -> rs.Graph:
        return EDGE_READERS[reader](edges, vertices | {"owner": owner}, tmp_path).graph

    assert str(rs.solve(read(edges, [2, 0, 0]))["a"]) == "75 %"
    assert read(edges, [0, 0, 0]).weight is None
    twice = edges | {"weight": [3, 1], "Weight": [3, 1]}
    assert read(twice, [0, 0, 0]).weight is None
    del edges[name]
    for wrong, owner in ((twice, [2, 0, 0]), (edges, [2, 0, 1]), (edges, [2, 1, 1]), (edges | {"weight": [1, 3]}, [2, 1, 1])):  # fmt: skip
        with pytest.raises(rs.RetrosolveError):
            read(wrong, owner)


@pytest.mark.parametrize("owners", ["owner", "player"])
@pytest.mark.parametrize("reader", EDGE_READERS)
def test_chance_is_read_by_its_label(reader: str, owners: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "a", "d"], "target": ["b", "c", "a"]}
    vertices: Columns = {
        "name": list("abcd"), owners: ["chance", "0", "1", "1"], "terminal": [None, "win", "win", None],
    }  # fmt: skip
    graph = EDGE_READERS[reader](edges, vertices, tmp_path).graph
    assert (graph.has_chance, graph.players, str(rs.solve(graph)["d"])) == (True, ("0", "1"), "50 %")
    graph = EDGE_READERS[reader](edges | {"weight": [3, 1, 1]}, vertices, tmp_path).graph
    assert str(rs.solve(graph)["a"]) == "75 %"


@pytest.mark.parametrize("reader", EDGE_READERS)
def test_rewards_are_read_by_any_case(reader: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "b"], "target": ["b", "c"]}
    vertices: Columns = {"name": ["a", "b", "c"], "terminal": [None, None, "tie"]}
    for name in ("reward", "Reward", "RE_WARD"):
        graph = EDGE_READERS[reader](edges | {name: [-4, 2]}, vertices, tmp_path).graph
        assert str(rs.solve(graph, objective="score")["a"]) == "LOSS by 6 in 1"
        with pytest.raises(rs.RetrosolveError):
            EDGE_READERS[reader](edges | {name: ["x", "y"]}, vertices, tmp_path)


def test_weights_beside_owners_that_are_arguments() -> None:
    edges = {"source": ["a", "a"], "target": ["b", "c"], "Weight": [3, 1]}
    owner: Any
    for owner in ({"a": 2, "b": 0, "c": 0}, pd.Series({"a": 2, "b": 0, "c": 0}), [2, 0, 0]):
        graph = rs.Graph.from_pandas(edges, owner=owner, terminal={"b": "win", "c": "loss"})
        assert str(rs.solve(graph)["a"]) == "75 %"


def check_told(reader: str, columns: Columns, folder: Path) -> None:
    """Check that a reader refuses columns or, of any program, notes them."""
    if reader in NOTED:
        assert len(READERS[reader](columns, folder).notes) == 1
    else:
        with pytest.raises(rs.RetrosolveError):
            READERS[reader](columns, folder)


ALIKE = [
    *((name, [0, 1, 1]) for name in ("owners", "to_move", "Turn", "side")),
    *((name, ["win", None, None]) for name in ("terminals", "Result", "outcome", "payoffs", "goal", "is_target", "Final")),
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_names_that_look_like_an_attribute_are_told(reader: str, tmp_path: Path) -> None:
    there: Columns = {"owner": [0, 1, 1], "terminal": ["win", None, None]}
    for name, cells in ALIKE:
        check_told(reader, {name: cells}, tmp_path)
        # whoever has the attribute may have others too
        more = {name: cells, "colour": ["red"] * 3}
        assert READERS[reader](there | more, tmp_path).notes == ()
    check_told(reader, {"owner": [0, 1, 1], "Priority": [4, 1, 2]}, tmp_path)
    check_told(reader, {"value": ["loss", None, None]}, tmp_path)
    if reader not in ("npz", "rows", "parts"):
        assert READERS[reader](there | {"value": ["loss", None, None]}, tmp_path).notes == ()
        assert READERS[reader]({"value": [3.5, 2.5, 1.5]}, tmp_path).notes == ()


@pytest.mark.parametrize("reader", READERS)
def test_player_stands_for_the_owner_or_names_it(reader: str, tmp_path: Path) -> None:
    read = READERS[reader]
    if reader in ("npz", "parts"):  # where there are no names of players
        with pytest.raises(rs.RetrosolveError):
            read({"player": [0, 1, 1]}, tmp_path)
        return
    for labels, players in ((["0", "1", "1"], ("0", "1")), (["Ann", "Bob", "Bob"], ("Ann", "Bob"))):
        graph = read({"player": labels}, tmp_path).graph
        assert (graph.owner.tolist(), graph.players) == ([0, 1, 1], players)
    named = read({"Player": ["Bob", "Ann", "Bob"], "owner": [1, 0, 1]}, tmp_path).graph
    assert named.players == ("Ann", "Bob")
    assert rs.solve(named).counts_by_player() is not None
    for labels in (["a", "b", "c"], ["a", None, "b"]):
        with pytest.raises(rs.RetrosolveError):
            read({"player": labels}, tmp_path)


def test_columns_of_edges_that_describe_vertices_are_noted(tmp_path: Path) -> None:
    pq.write_table(pa.table(EDGES | {"terminal": ["win"] * 3}), tmp_path / "g.parquet")
    assert len(read_graph_file(tmp_path / "g.parquet").notes) == 1


def test_columns_chosen_by_arguments_need_no_usual_name() -> None:
    vertices = {"id": list("abc"), "turn": [0, 1, 0], "result": ["win", None, None]}
    chosen: dict[str, Any] = {"owner": "turn", "terminal": "result"}
    graph = rs.Graph.from_pandas(EDGES, vertices=vertices, vertex="id", **chosen)
    assert graph.terminals.tolist() == [1, 0, 0]
    assert rs.Graph.from_networkx(network(EDGES, vertices), **chosen) == graph


@pytest.mark.parametrize("reader", EDGE_READERS)
@pytest.mark.parametrize("name", ["probability", "Prob", "weights"])
def test_names_that_look_like_weights_are_told_where_chance_moves(
    reader: str, name: str, tmp_path: Path
) -> None:
    edges: Columns = {"source": ["a", "a"], "target": ["b", "c"], name: [3, 1]}
    vertices: Columns = {"name": list("abc"), "owner": ["chance", "0", "0"]}
    if reader in NOTED:
        assert len(EDGE_READERS[reader](edges, vertices, tmp_path).notes) == 1
    else:
        with pytest.raises(rs.RetrosolveError):
            EDGE_READERS[reader](edges, vertices, tmp_path)
    vertices["owner"] = [0, 0, 0]
    read = EDGE_READERS[reader](edges, vertices, tmp_path)
    assert (read.graph.weight, read.notes) == (None, ())
