"""Columns of edges and vertices that have names of their own, in every kind of file."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.spaces.csr.attribute_names import ENDS

EDGES = pd.DataFrame({"payer": ["a", "b", "b"], "payee": ["b", "a", "c"], "source": [1, 2, 3]})
VERTICES = pd.DataFrame(
    {
        "account": ["a", "b", "c", "d"],
        "name": ["Ann", "Ben", "Cy", "Dan"],
        "side": ["us", "them", "us", "them"],
        "end": [None, None, "win", None],
    }
)
NUMBER = {"a": 0, "b": 1, "c": 2, "d": 3}
COLUMNS = {
    "source": "payer", "target": "payee", "vertex": "account", "owner": "side", "terminal": "end",
}  # fmt: skip


def as_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with numbers for the ids."""
    ids = [name for name in ("payer", "payee", "account") if name in frame]
    return frame.assign(**{name: frame[name].map(NUMBER) for name in ids})


def write(frame: pd.DataFrame, path: Path) -> Path:
    """Write a table in the format of the extension."""
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


def expected(numbers: bool) -> rs.Graph:
    """The graph that the tables stand for."""
    names: Any = as_numbers(VERTICES)["account"].tolist() if numbers else ["a", "b", "c", "d"]
    edges = as_numbers(EDGES) if numbers else EDGES
    number = {name: i for i, name in enumerate(names)}
    ends = [edges[side].map(number).tolist() for side in ("payer", "payee")]
    owner, terminal = [0, 1, 0, 1], [0, 0, 1, 0]
    return rs.Graph.from_edges(*ends, 4, owner, terminal, None if numbers else names)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("edges", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("vertices", [".csv", ".tsv", ".parquet"])
def test_columns_are_read_by_their_own_names(
    edges: str, vertices: str, numbers: bool, tmp_path: Path
) -> None:
    change = as_numbers if numbers else pd.DataFrame.copy
    file = write(change(EDGES), tmp_path / f"edges{edges}")
    table = write(change(VERTICES), tmp_path / f"accounts{vertices}")
    graph = rs.read_graph(file, vertices=table, **COLUMNS)
    assert graph == expected(numbers)
    assert graph.players == ("us", "them")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": "payer"}, "source='payer' without target: expected the columns of both ends"),
        ({"source": "payer", "target": "payer"}, "are one column: expected two"),
        ({"source": 3, "target": "payee"}, "source=3: expected the name of a column"),
        ({"source": "payer", "target": "to"}, "no column 'to': expected one of .*'payee'"),
        ({"source": "payer", "target": "payee", "owner": "side"}, "expected .*ta(ble|t table)"),
        ({}, r"expected .*source= and target= \(--source, --target\)"),
    ],
)
def test_columns_that_are_not_there_are_refused(
    suffix: str, columns: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = write(EDGES.rename(columns={"source": "amount"}), tmp_path / f"edges{suffix}")
    with pytest.raises(rs.FormatError, match=message):
        rs.read_graph(file, **columns)


@pytest.mark.parametrize("vertices", [".csv", ".parquet"])
@pytest.mark.parametrize("edges", [".csv", ".parquet"])
def test_a_vertex_table_without_the_column_of_its_vertices_is_refused(
    edges: str, vertices: str, tmp_path: Path
) -> None:
    file = write(
        EDGES.rename(columns={"payee": "target", "payer": "source", "source": "n"}),
        tmp_path / f"e{edges}",
    )
    table = write(VERTICES.drop(columns="name"), tmp_path / f"v{vertices}")
    with pytest.raises(
        rs.FormatError, match=r"expected one .*vertex, name or id, or vertex= \(--vertex\)"
    ):
        rs.read_graph(file, vertices=table)
    with pytest.raises(rs.FormatError, match="column 'side' is not used: expected 'owner'"):
        rs.read_graph(file, vertices=table, vertex="account")
    with pytest.raises(rs.FormatError, match="no column 'turn': expected one of"):
        rs.read_graph(file, vertices=table, vertex="account", owner="turn")


def test_other_formats_and_unknown_arguments_are_refused(tmp_path: Path) -> None:
    rs.write(rs.Graph.from_edges([0], [1]), tmp_path / "g.json")
    with pytest.raises(rs.FormatError, match="are for edge lists and Parquet, not json"):
        rs.read_graph(tmp_path / "g.json", source="a", target="b")
    with pytest.raises(TypeError, match="colour= is no argument: expected source=, target="):
        rs.read_graph(tmp_path / "g.json", colour="red")


@pytest.mark.parametrize("numbers", [False, True])
def test_edges_on_disk_have_columns_of_any_name(numbers: bool, tmp_path: Path) -> None:
    change = as_numbers if numbers else pd.DataFrame.copy
    folder = tmp_path / "edges"
    folder.mkdir()
    write(change(EDGES[:2]), folder / "0.parquet")
    write(change(EDGES[2:])[["source", "payer", "payee"]], folder / "1.csv")
    sides = VERTICES.assign(side=[0, 1, 0, 1])
    write(change(sides), folder / "vertices.parquet")
    edges = rs.EdgeParts(folder, **COLUMNS)
    plain = expected(numbers)
    solution = rs.solve(edges)
    assert dict(solution) == dict(rs.solve(plain))
    assert pickle.loads(pickle.dumps(edges)).fingerprint() == edges.fingerprint()
    solution.save(tmp_path / "saved")
    with rs.open(tmp_path / "saved") as opened:
        assert [move.position for move in opened.moves(plain.position(1))] == [
            move.position for move in rs.solve(plain).moves(plain.position(1))
        ]


def test_edges_on_disk_without_such_columns_are_refused(tmp_path: Path) -> None:
    write(EDGES, tmp_path / "0.parquet")
    write(EDGES, tmp_path / "1.csv")
    for file, message in (("0.parquet", "expected payer and to"), ("1.csv", "no column 'to'")):
        with pytest.raises(rs.FormatError, match=message):
            rs.EdgeParts(tmp_path / file, source="payer", target="to")
    with pytest.raises(rs.FormatError, match="columns of vertices are named: expected vertices"):
        rs.EdgeParts(tmp_path / "0.parquet", source="payer", target="payee", owner="side")


def test_options_name_columns_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(write(EDGES, tmp_path / "edges.parquet"))
    table = str(write(VERTICES, tmp_path / "accounts.csv"))
    options = [word for what, name in COLUMNS.items() for word in (f"--{what}", name)]
    assert run(["probe", file, "b", "--no-moves", "--json", "--vertices", table, *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"position": "b", "value": "draw", "remoteness": None, "player": "them"}
    assert run(["probe", file, "c", "--no-moves", "--vertices", table, *options]) == 0
    assert capsys.readouterr().out.splitlines() == ["c: WIN in 0 plies, the player to move wins"]
    assert run(["solve", file, "--source", "payer"]) == 2
    assert "without target" in capsys.readouterr().err
    assert run(["solve", str(tmp_path / "*.parquet"), "--vertices", table]) == 2
    assert "expected vertices.parquet in their folder" in capsys.readouterr().err


@pytest.mark.parametrize("ends", [*ENDS, ("From", " TO "), ("weight", "src", "dst")])
def test_usual_names_of_the_columns_of_edges_are_read_everywhere(
    ends: tuple[str, ...], tmp_path: Path
) -> None:
    frame = pd.DataFrame({name: list("ab" if name != ends[-1] else "bc") for name in ends})
    expected = rs.Graph.from_edges([("a", "b"), ("b", "c")])
    assert rs.Graph.from_pandas(frame) == expected
    assert rs.Graph.from_pandas(pa.Table.from_pandas(frame)) == expected
    vertices = pd.DataFrame({"id": ["a", "b", "c"]})
    assert rs.Graph.from_pandas(frame, vertices=vertices, vertex="id") == expected
    for suffix in (".csv", ".parquet"):
        path = write(frame, tmp_path / f"g{suffix}")
        assert rs.read_graph(path) == expected
        table = write(vertices, tmp_path / f"v{suffix}")
        assert rs.read_graph(path, vertices=table) == expected
    assert list(rs.EdgeParts(tmp_path / "g.parquet").names or ()) == ["a", "b", "c"]


def test_columns_of_edges_with_other_names_are_refused() -> None:
    edges = {"payer": ["a"], "payee": ["b"]}
    with pytest.raises(rs.GraphError, match="edges has no column 'source': expected one of 'payer', "):
        rs.Graph.from_pandas(edges)
    with pytest.raises(rs.GraphError, match="edges has two columns 'from': expected one"):
        rs.Graph.from_pandas({"from": ["a"], "to": ["b"], "FROM": ["c"]})


def test_a_column_vertex_has_names_unless_all_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("source,target\nA,B\nB,C\n")
    table = tmp_path / "h.vertices.csv"
    table.write_text("vertex,owner,terminal\nA,0,\nC,0,win\nB,1,\n")
    for names in (None, True):
        graph = rs.read_graph(tmp_path / "h.csv", names=names)
        assert graph.names == ("A", "C", "B")
        assert graph.owner is not None
        assert graph.owner.tolist() == [0, 0, 1]
    with pytest.raises(rs.FormatError, match=r"h\.csv, line 2: vertex 'A' in a file of numbers"):
        rs.read_graph(tmp_path / "h.csv", names=False)
    table.write_text("vertex,owner\nA,us\nB,them\nC,us\n")
    with pytest.raises(
        rs.FormatError, match=r"owner 'us': expected 0 or 1, .* names of players as 'player'"
    ):
        rs.read_graph(tmp_path / "h.csv")
