"""Columns and attributes of vertices by other names: accepted, refused or noted, never ignored."""

import io
import re
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

pytestmark = pytest.mark.thorough

Columns = dict[str, list[Any]]
EDGES = {"source": ["a", "b", "c"], "target": ["b", "c", "a"]}


def csv(columns: Columns, folder: Path) -> GraphFile:
    (folder / "g.csv").write_text("source,target\na,b\nb,c\nc,a\n")
    table = pd.DataFrame({"name": list("abc")} | columns)
    table.to_csv(folder / "g.vertices.csv", index=False)
    return read_graph_file(folder / "g.csv")


def parquet(columns: Columns, folder: Path) -> GraphFile:
    pq.write_table(pa.table({"successors": [[1], [2], [0]]} | columns), folder / "g.parquet")
    return read_graph_file(folder / "g.parquet")


def npz(columns: Columns, folder: Path) -> GraphFile:
    codes = {None: 0, "win": 1, "loss": 2, "tie": 3}
    arrays = {name: [codes.get(cell, cell) for cell in cells] for name, cells in columns.items()}
    np.savez(folder / "g.npz", version=1, indptr=[0, 1, 2, 3], indices=[1, 2, 0], **arrays)
    return read_graph_file(folder / "g.npz")


def network(columns: Columns) -> nx.DiGraph:
    found = nx.DiGraph(list(zip(*EDGES.values(), strict=True)))
    for name, cells in columns.items():
        for node, cell in zip("abc", cells, strict=True):
            if cell is not None:
                found.nodes[node][name] = cell
    return found


def graphml(columns: Columns, folder: Path) -> GraphFile:
    nx.write_graphml(network(columns), folder / "g.graphml")
    return read_graph_file(folder / "g.graphml")


def dot(columns: Columns, folder: Path) -> GraphFile:
    lines = [
        f'"{node}" ["{name}"="{cell}"];'
        for name, cells in columns.items()
        for node, cell in zip("abc", cells, strict=True)
        if cell is not None
    ]
    text = "digraph { a -> b; b -> c; c -> a; " + " ".join(lines) + " }"
    return read_graph_file(io.BytesIO(text.encode()), "dot")


def from_networkx(columns: Columns, folder: Path) -> GraphFile:
    return GraphFile(rs.Graph.from_networkx(network(columns)))


def from_table(make: Callable[[Columns], Any]) -> Callable[[Columns, Path], GraphFile]:
    def read(columns: Columns, folder: Path) -> GraphFile:
        vertices = make({"id": list("abc")} | columns)
        return GraphFile(rs.Graph.from_pandas(EDGES, vertices=vertices, vertex="id"))

    return read


def parts(columns: Columns, folder: Path) -> GraphFile:
    np.save(folder / "0.npy", np.array([[0, 1], [1, 2], [2, 0]]))
    pq.write_table(pa.table(columns), folder / "vertices.parquet")
    return GraphFile(rs.EdgeParts(folder).materialize())


READERS: dict[str, Callable[[Columns, Path], GraphFile]] = {
    "csv": csv,
    "parquet": parquet,
    "npz": npz,
    "graphml": graphml,
    "dot": dot,
    "networkx": from_networkx,
    "pandas": from_table(pd.DataFrame),
    "polars": from_table(pl.DataFrame),
    "arrow": from_table(pa.table),
    "parts": parts,
}
NOTED = ("graphml", "dot")  # files of any program


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "names", [("Owner", "TERMINAL"), (" owner ", "Terminal "), ("OWNER", "terminal")]
)
def test_names_that_differ_in_case_and_blanks_are_read(
    reader: str, names: tuple[str, str], tmp_path: Path
) -> None:
    columns: Columns = {names[0]: [0, 1, 1], names[1]: ["win", None, None]}
    file = READERS[reader](columns, tmp_path)
    assert file.graph.owner is not None
    assert file.graph.terminals is not None
    assert (file.graph.owner.tolist(), file.graph.terminals.tolist()) == ([0, 1, 1], [1, 0, 0])
    assert file.notes == ()
    both = columns | {"owner": [0, 1, 1], "Owner": [0, 1, 1]}
    with pytest.raises(
        rs.RetrosolveError, match=r"'.?[oO]\w+.?' and '.?[oO]\w+.?': expected one of them"
    ):
        READERS[reader](both, tmp_path)


@pytest.mark.parametrize("name", ["Payoff", " PAYOFF"])
@pytest.mark.parametrize("reader", [name for name in READERS if name != "parts"])
def test_payoffs_are_read_by_any_case(reader: str, name: str, tmp_path: Path) -> None:
    columns: Columns = {"terminal": [None, None, "win"], name: [0, 0, 3]}
    graph = READERS[reader](columns, tmp_path).graph
    assert str(rs.solve(graph, objective="score")[graph.position(1)]) == "LOSS by 3 in 1"
    columns[name][2] = 0  # which is no win by 1
    graph = READERS[reader](columns, tmp_path).graph
    assert str(rs.solve(graph, objective="score")[graph.position(1)]) == "TIE in 1"


CHANCE: Columns = {"owner": [2, 0, 0], "terminal": [None, "win", "loss"]}
EdgeReader = Callable[[Columns, Columns, Path], rs.Graph]


def edges_csv(edges: Columns, vertices: Columns, folder: Path) -> rs.Graph:
    pd.DataFrame(edges).to_csv(folder / "g.csv", index=False)
    pd.DataFrame(vertices).to_csv(folder / "g.vertices.csv", index=False)
    return read_graph_file(folder / "g.csv").graph


def edges_parquet(edges: Columns, vertices: Columns, folder: Path) -> rs.Graph:
    pq.write_table(pa.table(edges), folder / "g.parquet")
    pq.write_table(pa.table(vertices), folder / "v.parquet")
    return rs.read_graph(folder / "g.parquet", vertices=folder / "v.parquet")


def edges_networkx(edges: Columns, vertices: Columns, folder: Path) -> nx.DiGraph:
    found = nx.DiGraph()
    for node, *cells in zip(*vertices.values(), strict=True):
        data = dict(zip([*vertices][1:], cells, strict=True))
        found.add_node(node, **{name: cell for name, cell in data.items() if cell is not None})
    for source, target, *cells in zip(*edges.values(), strict=True):
        found.add_edge(source, target, **dict(zip([*edges][2:], cells, strict=True)))
    return found


def edges_graphml(edges: Columns, vertices: Columns, folder: Path) -> rs.Graph:
    nx.write_graphml(edges_networkx(edges, vertices, folder), folder / "g.graphml")
    return rs.read_graph(folder / "g.graphml")


def edges_dot(edges: Columns, vertices: Columns, folder: Path) -> rs.Graph:
    text = nx.nx_pydot.to_pydot(edges_networkx(edges, vertices, folder)).to_string()
    return read_graph_file(io.BytesIO(text.encode()), "dot").graph


def edges_from_table(make: Callable[[Columns], Any]) -> EdgeReader:
    return lambda edges, vertices, folder: rs.Graph.from_pandas(
        make(edges), vertices=make(vertices), vertex="name"
    )


EDGE_READERS: dict[str, EdgeReader] = {
    "csv": edges_csv,
    "parquet": edges_parquet,
    "networkx": lambda *given: rs.Graph.from_networkx(edges_networkx(*given)),
    "graphml": edges_graphml,
    "dot": edges_dot,
    "mapping": edges_from_table(dict),
    "pandas": edges_from_table(pd.DataFrame),
    "polars": edges_from_table(pl.DataFrame),
    "arrow": edges_from_table(pa.table),
}


@pytest.mark.parametrize("name", ["weight", "Weight"])
@pytest.mark.parametrize("reader", EDGE_READERS)
def test_weights_count_where_chance_moves(reader: str, name: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "a"], "target": ["b", "c"], name: [3, 1]}
    vertices: Columns = {"name": ["a", "b", "c"], **CHANCE}
    read = EDGE_READERS[reader]
    assert str(rs.solve(read(edges, vertices, tmp_path))["a"]) == "75 %"
    assert read(edges, vertices | {"owner": [0, 0, 0]}, tmp_path).weight is None
    twice = edges | {"weight": [3, 1], "Weight": [3, 1]}
    assert read(twice, vertices | {"owner": [0, 0, 0]}, tmp_path).weight is None
    with pytest.raises(rs.RetrosolveError, match=r"'[wW]eight' and '[wW]eight': expected one of them"):
        read(twice, vertices, tmp_path)


@pytest.mark.parametrize("owners", ["owner", "player"])
@pytest.mark.parametrize("reader", EDGE_READERS)
def test_chance_is_read_by_its_label(reader: str, owners: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "a", "d"], "target": ["b", "c", "a"]}
    vertices: Columns = {
        "name": list("abcd"), owners: ["chance", "0", "1", "1"], "terminal": [None, "win", "win", None],
    }  # fmt: skip
    graph = EDGE_READERS[reader](edges, vertices, tmp_path)
    assert (graph.has_chance, graph.players, str(rs.solve(graph)["d"])) == (True, ("0", "1"), "50 %")
    graph = EDGE_READERS[reader](edges | {"weight": [3, 1, 1]}, vertices, tmp_path)
    assert str(rs.solve(graph)["a"]) == "75 %"


@pytest.mark.parametrize("reader", EDGE_READERS)
def test_owner_2_is_no_chance_without_weights_or_without_owner_0(reader: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "a"], "target": ["b", "c"]}
    vertices: Columns = {"name": ["a", "b", "c"], "owner": [2, 0, 1]}
    with pytest.raises(rs.RetrosolveError, match="'a' has the owner 2, and edges have no weights"):
        EDGE_READERS[reader](edges, vertices, tmp_path)
    for columns in (edges, edges | {"weight": [1, 3]}):
        with pytest.raises(rs.RetrosolveError, match="the owners are 1 and 2: expected 0 and 1"):
            EDGE_READERS[reader](columns, vertices | {"owner": [2, 1, 1]}, tmp_path)


@pytest.mark.parametrize("name", ["reward", "Reward", "RE_WARD"])
@pytest.mark.parametrize("reader", EDGE_READERS)
def test_rewards_are_read_by_any_case(reader: str, name: str, tmp_path: Path) -> None:
    edges: Columns = {"source": ["a", "b"], "target": ["b", "c"], name: [-4, 2]}
    vertices: Columns = {"name": ["a", "b", "c"], "terminal": [None, None, "tie"]}
    graph = EDGE_READERS[reader](edges, vertices, tmp_path)
    assert str(rs.solve(graph, objective="score")["a"]) == "LOSS by 6 in 1"
    with pytest.raises(rs.RetrosolveError, match=r"expected (a whole number|integers)"):
        EDGE_READERS[reader](edges | {name: ["x", "y"]}, vertices, tmp_path)


def test_weights_beside_owners_that_are_arguments(tmp_path: Path) -> None:
    edges = {"source": ["a", "a"], "target": ["b", "c"], "Weight": [3, 1]}
    owner: Any
    for owner in ({"a": 2, "b": 0, "c": 0}, pd.Series({"a": 2, "b": 0, "c": 0}), [2, 0, 0]):
        graph = rs.Graph.from_pandas(edges, owner=owner, terminal={"b": "win", "c": "loss"})
        assert str(rs.solve(graph)["a"]) == "75 %"


def test_defaults_of_edges_in_graphml(tmp_path: Path) -> None:
    found = nx.DiGraph([("a", "b"), ("b", "c")], edge_default={"reward": 3})
    found.add_edge("b", "c", reward=1)
    nx.write_graphml(found, tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text()
    assert "<default>3</default>" in text
    reward = rs.read_graph(tmp_path / "g.graphml").reward
    assert reward is not None
    assert reward.tolist() == [3, 1]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, "owner") for name in ("owners", "to_move", "Turn", "side")),
        *((name, "terminal") for name in ("terminals", "Result", "outcome", "payoffs")),
        *((name, "terminal") for name in ("goal", "is_target", "Final")),
    ],
)
def test_names_that_look_like_an_attribute_are_told(
    reader: str, name: str, expected: str, tmp_path: Path
) -> None:
    cells = [0, 1, 1] if expected == "owner" else ["win", None, None]
    message = rf"'{name}' is not used: expected '{expected}' \("
    if reader in NOTED:
        (note,) = READERS[reader]({name: cells}, tmp_path).notes
        assert f"attribute '{name}' is not used: expected '{expected}' (" in note
    else:
        with pytest.raises(rs.RetrosolveError, match=message):
            READERS[reader]({name: cells}, tmp_path)
    # whoever has the attribute may have others too
    there: Columns = {"owner": [0, 1, 1], "terminal": ["win", None, None]}
    assert READERS[reader](there | {name: cells, "colour": ["red"] * 3}, tmp_path).notes == ()


@pytest.mark.parametrize("reader", READERS)
def test_priorities_are_told(reader: str, tmp_path: Path) -> None:
    columns: Columns = {"owner": [0, 1, 1], "Priority": [4, 1, 2]}
    if reader in NOTED:
        (note,) = READERS[reader](columns, tmp_path).notes
        assert "attribute 'Priority' is not used: expected another name, since parity games" in note
    else:
        with pytest.raises(rs.RetrosolveError, match="'Priority' is not used: expected another name"):
            READERS[reader](columns, tmp_path)


def test_a_column_of_targets_is_told_in_tables_of_vertices_alone(tmp_path: Path) -> None:
    with pytest.raises(rs.FormatError, match="column 'target' is not used: expected 'terminal'"):
        csv({"target": [0, 0, 1]}, tmp_path)
    (tmp_path / "g.vertices.csv").unlink()
    assert read_graph_file(tmp_path / "g.csv").notes == ()


@pytest.mark.parametrize("reader", [name for name in READERS if name not in ("npz", "parts")])
def test_player_stands_for_the_owner_or_names_it(reader: str, tmp_path: Path) -> None:
    for labels, owner, players in (
        (["0", "1", "1"], [0, 1, 1], ("0", "1")),
        (["Ann", "Bob", "Bob"], [0, 1, 1], ("Ann", "Bob")),
    ):
        graph = READERS[reader]({"player": labels}, tmp_path).graph
        assert graph.owner is not None
        assert (graph.owner.tolist(), graph.players) == (owner, players)
    named = READERS[reader]({"Player": ["Bob", "Ann", "Bob"], "owner": [1, 0, 1]}, tmp_path).graph
    assert named.players == ("Ann", "Bob")
    assert rs.solve(named).counts_by_player() is not None
    for labels, message in (
        (["a", "b", "c"], "player 'c' after 'a' and 'b': expected two players"),
        (["a", None, "b"], "no player, others have one: expected all or none"),
    ):
        with pytest.raises(rs.RetrosolveError, match=message):
            READERS[reader]({"player": labels}, tmp_path)


@pytest.mark.parametrize("reader", ["npz", "parts"])
def test_player_is_refused_where_there_are_no_names_of_players(reader: str, tmp_path: Path) -> None:
    with pytest.raises(rs.RetrosolveError, match=r"'player' is not used: expected 'owner' \(0 or 1\)"):
        READERS[reader]({"player": [0, 1, 1]}, tmp_path)


@pytest.mark.parametrize("reader", READERS)
def test_values_without_remoteness_are_told(reader: str, tmp_path: Path) -> None:
    columns: Columns = {"value": ["loss", None, None]}
    if reader in NOTED:
        (note,) = READERS[reader](columns, tmp_path).notes
        assert "'value' is not used without 'remoteness': expected 'terminal'" in note
    else:
        with pytest.raises(rs.RetrosolveError, match=r"remoteness|expected win, loss, tie or draw"):
            READERS[reader](columns, tmp_path)
    # whoever has terminal values may have others too
    columns["terminal"] = ["win", None, None]
    if reader not in ("npz", "parquet", "parts"):
        assert READERS[reader](columns, tmp_path).notes == ()


@pytest.mark.parametrize("reader", ["graphml", "dot", "networkx", "pandas", "csv"])
def test_numbers_called_value_are_no_values(reader: str, tmp_path: Path) -> None:
    assert READERS[reader]({"value": [3.5, 2.5, 1.5]}, tmp_path).notes == ()


def test_columns_of_edges_that_describe_vertices_are_noted(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("source,target,Owner,weight\na,b,0,3\nb,c,1,4\n")
    pq.write_table(pa.table(EDGES | {"terminal": ["win"] * 3}), tmp_path / "g.parquet")
    for file, name in (("g.csv", "Owner"), ("g.parquet", "terminal")):
        (note,) = read_graph_file(tmp_path / file).notes
        assert f"column '{name}' of the edges is not used: expected it in a table of vertices" in note


def test_columns_chosen_by_arguments_need_no_usual_name() -> None:
    vertices = {"id": list("abc"), "turn": [0, 1, 0], "result": ["win", None, None]}
    chosen: dict[str, Any] = {"owner": "turn", "terminal": "result"}
    graph = rs.Graph.from_pandas(EDGES, vertices=vertices, vertex="id", **chosen)
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [1, 0, 0]
    del vertices["id"]
    network_of_it = network({"turn": [0, 1, 0], "result": ["win", None, None]})
    assert rs.Graph.from_networkx(network_of_it, **chosen) == graph


@pytest.mark.parametrize("reader", ["csv", "parquet", "graphml", "dot", "networkx", "pandas", "polars"])
@pytest.mark.parametrize("name", ["probability", "Prob", "weights"])
def test_names_that_look_like_weights_are_told_where_chance_moves(
    reader: str, name: str, tmp_path: Path
) -> None:
    edges = {"source": ["a", "a"], "target": ["b", "c"], name: [3, 1]}
    nodes = {"name": list("abc"), "owner": ["chance", "0", "0"]}
    network = nx.DiGraph()
    network.add_nodes_from((node, {"owner": who}) for node, who in zip(*nodes.values(), strict=True))
    network.add_edges_from((v, w, {name: p}) for v, w, p in zip(*edges.values(), strict=True))
    if reader == "graphml":
        nx.write_graphml(network, tmp_path / "g.graphml")
    elif reader == "dot":
        lines = [f"{v} [owner={who}];" for v, who in zip(*nodes.values(), strict=True)]
        lines += [f"{v} -> {w} [{name}={p}];" for v, w, p in zip(*edges.values(), strict=True)]
        (tmp_path / "g.dot").write_text("digraph { " + " ".join(lines) + " }")
    elif reader == "parquet":
        pq.write_table(pa.table(edges), tmp_path / "g.parquet")
    else:
        pd.DataFrame(edges).to_csv(tmp_path / "g.csv", index=False)
    table = tmp_path / "g.vertices.csv"
    pd.DataFrame(nodes).to_csv(table, index=False)

    def read() -> GraphFile:
        if reader == "networkx":
            return GraphFile(rs.Graph.from_networkx(network))
        if reader in ("pandas", "polars"):
            frames = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[reader]
            return GraphFile(rs.Graph.from_pandas(frames(edges), vertices=frames(nodes), vertex="name"))
        given = {"vertices": table} if reader == "parquet" else {}
        return read_graph_file(tmp_path / f"g.{reader}", **given)

    message = f"'{name}' is not used: expected 'weight' (a whole number for each edge of chance)"
    if reader in NOTED:
        (note,) = read().notes
        assert message in note
    else:
        with pytest.raises(rs.RetrosolveError, match=re.escape(message)):
            read()
    nodes["owner"] = [0, 0, 0]
    pd.DataFrame(nodes).to_csv(table, index=False)
    if reader not in (*NOTED, "networkx"):
        assert read().graph.weight is None
