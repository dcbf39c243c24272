"""Edge lists: what is written, and the vertex table beside it. What is read is in ``odd_texts``."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.formats import read_graph, read_graph_file, write

LOOP = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
NAMED = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])


def test_a_table_from_elsewhere_and_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("0,1\n")
    (tmp_path / "g.vertices.csv").write_text("not a table at all")
    (tmp_path / "owners.tsv.gz").write_bytes(gzip.compress(b"vertex\towner\n0\t1\n1\t0\n"))
    graph = read_graph(tmp_path / "g.csv", vertices=tmp_path / "owners.tsv.gz")
    assert graph.owner is not None
    assert graph.owner.tolist() == [1, 0]
    with pytest.raises(rs.FormatError):
        read_graph(tmp_path / "g.csv", vertices=tmp_path / "none.csv")


# -- writing ----------------------------------------------------------------------------------------


def written(graph: rs.Graph, path: Path) -> list[str]:
    write(graph, path)
    return sorted(p.name for p in path.parent.iterdir())


def test_the_table_is_written_only_where_it_is_needed(tmp_path: Path) -> None:
    assert written(LOOP, tmp_path / "a.csv") == ["a.csv"]
    assert (tmp_path / "a.csv").read_text() == "source,target\n0,1\n1,0\n1,2\n"
    assert written(NAMED, tmp_path / "a.csv") == ["a.csv"]


@pytest.mark.parametrize(
    "graph",
    [
        rs.Graph.from_edges([0], [1], 3),
        rs.Graph.from_edges([0], [1], owner=[0, 1]),
        rs.Graph.from_edges([0], [1], terminal=[0, 0]),
        rs.Graph.from_edges([0], [1], names=["1", "0"]),
        rs.Graph.from_edges([1], [0], names=["a", "b"]),
        rs.Graph.from_edges([0], [1], names=[" a", "b"]),
        rs.Graph.from_edges([], [], names=[]),
    ],
)
def test_what_edges_cannot_tell_is_in_the_table(tmp_path: Path, graph: rs.Graph) -> None:
    assert written(graph, tmp_path / "g.csv.gz") == ["g.csv.gz", "g.vertices.csv.gz"]
    assert read_graph(tmp_path / "g.csv.gz") == graph


def test_names_that_are_ascending_numbers_are_read_as_numbers(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 70], [150, 0])
    assert written(graph, tmp_path / "g.csv") == ["g.csv"]
    assert read_graph(tmp_path / "g.csv") == graph
    isolated = rs.Graph.from_edges([0, 70], [150, 0], terminal={90: "win"})
    assert written(isolated, tmp_path / "g.csv") == ["g.csv", "g.vertices.csv"]
    assert (tmp_path / "g.vertices.csv").read_text() == "vertex,terminal\n0,\n70,\n90,win\n150,\n"
    assert read_graph(tmp_path / "g.csv") == isolated
    solution = rs.solve(isolated)
    write(solution, tmp_path / "s.csv")
    assert rs.read_solution(tmp_path / "s.csv")[70] == solution[70]


def test_a_stale_table_never_stays(tmp_path: Path) -> None:
    write(rs.Graph.from_edges([0], [1], owner=[1, 1]), tmp_path / "g.csv")
    write(LOOP, tmp_path / "g.csv")
    assert read_graph(tmp_path / "g.csv") == LOOP
    assert (tmp_path / "g.vertices.csv").read_text() == "vertex\n0\n1\n2\n"
    write(NAMED, tmp_path / "g.csv")
    assert read_graph(tmp_path / "g.csv") == NAMED


def test_a_solution_in_words(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1, 1, 3], [1, 0, 2, 3], names=["a", "b", "c,d", "e"])
    solution = rs.solve(graph)
    solution = solution.with_start("b")
    write(solution, tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == 'source,target\na,b\nb,a\nb,"c,d"\ne,e\n'
    assert (tmp_path / "s.vertices.csv").read_text() == (
        "name,stuck,value,remoteness,best,start\n"
        "a,,loss,2,b,\n"
        'b,,win,1,"c,d",1\n'
        '"c,d",loss,loss,0,,\n'
        "e,,draw,,e,\n"
    )


def test_long_names_are_refused_before_they_could_not_be_read(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges(["a"], ["x" * 131_072])
    write(graph, tmp_path / "g.csv")
    assert read_graph(tmp_path / "g.csv") == graph
    with pytest.raises(rs.FormatError):
        write(rs.Graph.from_edges(["a"], ["x" * 131_073]), tmp_path / "h.csv")
    assert not (tmp_path / "h.csv").exists()


def test_many_edges(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    graph = rs.Graph.from_edges(
        rng.integers(0, 20_000, 50_000), rng.integers(0, 20_000, 50_000), 20_000
    )
    write(graph, tmp_path / "g.csv")
    assert read_graph(tmp_path / "g.csv") == graph


def test_numbers_with_leading_zeros_are_names(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("source,target\n000002,000010\n000010,7\n")
    assert (len(read_graph_file(path).notes), read_graph_file(path, names=True).notes) == (1, ())
    numbers = read_graph_file(path, names=False)
    assert (numbers.graph.names, numbers.notes) == ((2, 7, 10), ())
    write(rs.solve(read_graph(path)), tmp_path / "s.csv")
    assert read_graph(tmp_path / "s.csv").names == ("000002", "000010", "7")


def test_leading_zeros_in_files_of_edges_on_disk(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_text("1,2\n" * 50 + "0003,2\n")
    (tmp_path / "1.csv").write_text("2,0003\n")
    parts = rs.EdgeParts(tmp_path)
    assert list(parts.names or ()) == ["0003", "1", "2"]
