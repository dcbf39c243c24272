"""Edge lists: headers, numbers and names, and the vertex table beside them."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.formats import read_graph, read_graph_file, write
from tests.support.graph_files import given

LOOP = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
NAMED = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n1,0\n1,2\n",
        "0,1\r\n1,0\r\n1,2",
        "\ufeff0,1\n1,0\n1,2\n",
        "\n0,1\n   \n1,0\n\n1,2\n\n",
        " 0 , 1\n1,\t0\n1, 2\n",
        '"0","1"\n"1","0"\n"1","2"\n',
        "source,target\n0,1\n1,0\n1,2\n",
        "source,target\r0,1\n1,0\n1,2\n",
        "# a comment\r0,1\n1,0\n1,2\n",
        " Source , TARGET \n0,1\n1,0\n1,2\n",
        "from,to\n0,1\n1,0\n1,2\n",
        "src,dst\n0,1\n1,0\n1,2\n",
        "tail,head\n0,1\n1,0\n1,2\n",
        "u,v\n0,1\n1,0\n1,2\n",
        "target,source\n1,0\n0,1\n2,1\n",
        "weight,source,label,target\n0.5,0,x,1\n2,1,y,0\n1,1,,2\n",
        '\ufeff"source","target"\n0,1\n1,0\n1,2\n',
    ],
)
def test_ways_to_write_the_same_numbers(text: str) -> None:
    assert given(text, "csv").graph == LOOP
    if "\t" not in text:
        assert given(text.replace(",", "\t"), "tsv").graph == LOOP


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nb,a\nb,c\n",
        "source,target\na,b\nb,a\nb,c",
        "w,u,v\n1,a,b\n1,b,a\n1,b,c\n",
        "a, b\nb,a \n b,c\n",
    ],
)
def test_ways_to_write_the_same_names(text: str) -> None:
    assert given(text, "csv").graph == NAMED


def test_tabs() -> None:
    assert given("a\tb\nb\ta\nb\tc\n", "tsv").graph == NAMED
    assert given("a,x\tb\n", "tsv").graph.names == ("a,x", "b")


def test_numbers_that_occur_nowhere_are_no_vertices() -> None:
    graph = given("5,2\n", "csv").graph
    assert (graph.num_vertices, graph.num_edges, graph.names) == (2, 1, (2, 5))
    assert given("1,2\n2,1\n", "csv").graph.names == (1, 2)
    assert given("0,1000000000000\n", "csv").graph.names == (0, 10**12)


def test_a_header_alone_is_the_empty_graph() -> None:
    assert given("source,target\n", "csv").graph == rs.Graph.from_edges([], [])


def test_one_row_of_text_is_an_edge() -> None:
    assert given("from,tu\n", "csv").graph.names == ("from", "tu")


def test_numbers_mixed_with_names_are_names() -> None:
    assert given("0,1\n1,x\n", "csv").graph.names == ("0", "1", "x")
    long = str(2**63)
    for text in (f"{long},x\n", f"7,{long}\n{long},x\n", f"{long},007\n"):
        assert long in given(text, "csv").graph.names


def test_names_and_numbers_can_be_forced() -> None:
    text = "7,3\n3,7\n"
    assert given(text, "csv").graph.names == (3, 7)
    assert given(text, "csv", names=False).graph.names == (3, 7)
    assert given(text, "csv", names=True).graph.names == ("7", "3")
    big = "1000000000000,5\n5,1000000000000\n"
    assert given(big, "csv", names=True).graph.names == ("1000000000000", "5")
    negative = "-1,1\n1,-1\n"
    assert given(negative, "csv", names=True).graph.names == ("-1", "1")


def test_a_header_among_names_is_told_from_an_edge() -> None:
    text = "source,target\nsource,v\nv,target\n"
    assert given(text, "csv").graph.names == ("source", "v", "target")


# -- vertex tables ----------------------------------------------------------------------------------


def test_the_table_beside_an_edge_list_is_read(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("a,b\nb,c\n")
    (tmp_path / "g.vertices.csv").write_text(
        "note, Name ,OWNER,terminal\nx,c,1,LOSS\ny,a,0,\n,b,1,\nz,d,0,\n"
    )
    graph = read_graph(tmp_path / "g.csv")
    assert graph.names == ("c", "a", "b", "d")
    assert graph.owner is not None
    assert graph.owner.tolist() == [1, 0, 1, 0]
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [rs.Value.LOSS, 0, 0, 0]
    assert graph.num_edges == 2


def test_a_table_of_numbers_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("0,1\n1,2\n")
    (tmp_path / "g.vertices.csv").write_text("vertex,terminal\n4,win\n2,tie\n")
    graph = read_graph(tmp_path / "g.csv")
    assert graph.names == (0, 1, 2, 4)
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [0, 0, 3, 1]
    assert graph.owner is None


@pytest.mark.parametrize(
    ("edges", "ids", "names"),
    [
        ("0,1\n", "1\n0\n", None),
        ("0,1\n", "1\nx\n", ("1", "x", "0")),
        ("a,b\n", "1\n2\n", ("1", "2", "a", "b")),
    ],
)
def test_ids_are_numbers_if_all_of_them_are(
    tmp_path: Path, edges: str, ids: str, names: tuple[str, ...] | None
) -> None:
    (tmp_path / "g.csv").write_text(edges)
    (tmp_path / "g.vertices.csv").write_text("id\n" + ids)
    assert read_graph(tmp_path / "g.csv").names == names


def test_a_table_from_elsewhere_and_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("0,1\n")
    (tmp_path / "g.vertices.csv").write_text("not a table at all")
    (tmp_path / "owners.tsv.gz").write_bytes(gzip.compress(b"vertex\towner\n0\t1\n1\t0\n"))
    graph = read_graph(tmp_path / "g.csv", vertices=tmp_path / "owners.tsv.gz")
    assert graph.owner is not None
    assert graph.owner.tolist() == [1, 0]
    with pytest.raises(rs.FormatError, match=r"^cannot read .*none\.csv: No such file"):
        read_graph(tmp_path / "g.csv", vertices=tmp_path / "none.csv")


def test_empty_owner_and_value_columns_are_none(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("0,1\n")
    (tmp_path / "g.vertices.csv").write_text("vertex,owner,value,remoteness\n0,,,\n1,,,\n")
    read = read_graph_file(tmp_path / "g.csv")
    assert read.graph.owner is None
    assert read.value is None


def test_value_alone_may_mean_something_else(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text("0,1\n")
    (tmp_path / "g.vertices.csv").write_text("vertex,value\n0,3.5\n1,-2\n")
    assert read_graph_file(tmp_path / "g.csv").value is None


def test_names_of_edges_may_lack_the_blanks_of_the_table(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text('a, b\n" a",c\n')
    (tmp_path / "g.vertices.csv").write_text('name\n" a"\n')
    assert read_graph(tmp_path / "g.csv").names == (" a", "a", "b", "c")


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


def test_an_open_file_has_no_place_for_a_table(tmp_path: Path) -> None:
    with (
        (tmp_path / "x").open("wb") as file,
        pytest.raises(rs.FormatError, match="needs a vertex table beside its edges"),
    ):
        write(rs.Graph.from_edges([0], [1], owner=[0, 1]), file, format="csv")


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
    with pytest.raises(rs.FormatError, match=r"cannot hold the name 'xxx.*at most 131072 characters"):
        write(rs.Graph.from_edges(["a"], ["x" * 131_073]), tmp_path / "h.csv")
    assert not (tmp_path / "h.csv").exists()


def test_many_edges(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    graph = rs.Graph.from_edges(
        rng.integers(0, 20_000, 50_000), rng.integers(0, 20_000, 50_000), 20_000
    )
    write(graph, tmp_path / "g.csv")
    assert read_graph(tmp_path / "g.csv") == graph


PADDED = "source,target\n000002,000010\n000010,7\n"


def test_numbers_with_leading_zeros_are_names(tmp_path: Path) -> None:
    for name, text in (
        ("g.csv", PADDED),
        ("g.tsv", PADDED.replace(",", "\t")),
        ("g.el", PADDED.replace("source,target\n", "").replace(",", " ")),
        ("h.csv", PADDED.replace("source,target\n", "")),
        ("q.csv", PADDED.replace("000010", '"000010"')),
    ):
        (tmp_path / name).write_text(text)
        file = read_graph_file(tmp_path / name)
        assert file.graph.names == ("000002", "000010", "7")
        (note,) = file.notes
        assert "vertices are names because of the zeros in '000002': names=False (--no-names)" in note
        assert read_graph_file(tmp_path / name, names=True).notes == ()
        numbers = read_graph_file(tmp_path / name, names=False)
        assert (numbers.graph.names, numbers.notes) == ((2, 7, 10), ())
    write(rs.solve(read_graph(tmp_path / "g.csv")), tmp_path / "s.csv")
    assert read_graph(tmp_path / "s.csv").names == ("000002", "000010", "7")


def test_vertex_table_of_ids_with_leading_zeros(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text(PADDED)
    table = tmp_path / "g.vertices.csv"
    table.write_text("id,owner\n7,1\n000002,0\n000010,1\n")
    graph = read_graph(tmp_path / "g.csv")
    assert graph.owner is not None
    assert (graph.names, graph.owner.tolist()) == (("7", "000002", "000010"), [1, 0, 1])
    table.write_text("vertex,owner\n7,1\n2,0\n10,1\n")  # whole numbers by the name of the column
    assert read_graph(tmp_path / "g.csv").names == (2, 7, 10)


def test_leading_zeros_in_files_of_edges_on_disk(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_text("1,2\n" * 50 + "0003,2\n")
    (tmp_path / "1.csv").write_text("2,0003\n")
    parts = rs.EdgeParts(tmp_path)
    assert list(parts.names or ()) == ["0003", "1", "2"]
