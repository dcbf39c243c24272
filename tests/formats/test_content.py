"""Files whose extension says nothing: the content decides, and the error names what was tried."""

import gzip
import io
import logging
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import FORMATS, edge_list, read_graph, read_graph_file, write
from retrosolve.formats.files import find_content
from retrosolve.formats.graphfile import GraphFile
from retrosolve.testing import random_board

LOOP = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
FROM_1 = rs.Graph.from_edges([1, 2, 2], [2, 1, 3])
NAMED = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])


def read(text: str, **options: bool) -> GraphFile:
    return read_graph_file(io.BytesIO(text.encode()), **options)


@pytest.mark.parametrize(
    "text",
    [
        "0 1\n1 0\n1 2\n",
        "0\t1\n1\t0\n1\t2\n",
        "0;1\n1;0\n1;2\n",
        "0,1\r\n1,0\r\n1,2",
        "  0   1 \n\n1\t 0\n1 2",
        "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n1\t2\n",
        "% a comment\n0 1 % no comment here\n".replace(" % no comment here", "") + "1 0\n1 2\n",
        "// a comment\n0 1\n# another\n1 0 # at the end\n1 2\n",
        "0 1 {}\n1 0 {'weight': 3, 'b': [1, 2]}\n1 2 {}\n",
        "0,1,{}\n1,0,{'weight': 3, 'b': 2}\n1,2,{}\n",
        "0 1 5\n1 0 2.5\n1 2 -1e3\n",
        "source target\n0 1\n1 0\n1 2\n",
        "from;to;note\n0;1;x\n1;0;y\n1;2;z z\n",
        "3 3\n0 1\n1 0\n1 2\n",
        "\ufeff0 1\n1 0\n1 2\n",
    ],
)
def test_edges_in_lines(text: str) -> None:
    assert read(text).graph == LOOP


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n2 1\n2 3\n",
        "3 3\n1 2\n2 1\n2 3\n",
        "3 3\n1 2 10\n2 1 20\n2 3 30\n",
        "# n m\n\n3 3\n1 2\n2 1\n2 3\n",
    ],
)
def test_ids_from_1(text: str) -> None:
    assert read(text).graph == FROM_1


@pytest.mark.parametrize(
    "text",
    [
        "a b\nb a\nb c\n",
        "a;b\nb;a\nb;c",
        '"a" b\nb "a"\n"b" c\n',
        "3 3\na b\nb a\nb c\n",
        "a b {'x': 1}\nb a {}\nb c {}",
    ],
)
def test_names_in_lines(text: str) -> None:
    assert read(text).graph == NAMED


def test_blanks_in_names_and_quotes() -> None:
    assert read("New York\tSan Jose\nSan Jose\tNew York\n").graph.names == ("New York", "San Jose")
    assert read('"New York"  Rome\nRome\t"New York"\n').graph.names == ("New York", "Rome")


def test_the_numbers_above_the_edges_declare_isolated_vertices() -> None:
    assert read("5 2\n1 2\n2 3\n").graph.names == (1, 2, 3, 4, 5)
    zero = read("5 2\n0 1\n1 2\n").graph
    assert (zero.names, zero.num_vertices, zero.num_edges) == (None, 5, 2)


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("3 3\n1 2\n2 3\n", 3),  # three edges were promised
        ("2 2\n1 2\n2 3\n", 3),  # there is a vertex 3
        ("3 2\n0 2\n2 3\n", 3),  # 0..3 are four
        ("5 1\n", 1),
        ("0,1\n1,2\n", 2),
    ],
)
def test_numbers_that_do_not_count_are_an_edge(text: str, edges: int) -> None:
    read_file = read(text)
    assert (read_file.graph.num_edges, read_file.notes) == (edges, ())


def test_a_note_says_that_a_row_was_taken_as_numbers() -> None:
    (note,) = read("3 2\n1 2\n2 3\n").notes
    assert note == (
        "input, line 1: '3 2' is read as 3 vertices and 2 edges: "
        "header=False (--no-header) reads it as an edge"
    )
    assert read("3 2\n1 2\n2 3\n", header=False).graph.num_edges == 3
    assert read("0 1 7\n1 0 8\n").notes == ("input, line 1: the columns after the second are not used",)


@pytest.mark.parametrize(
    "text",
    [
        "1 -> 2\n",
        "source target\n1 -> 2\n",
        "a->b c\n",
        "1 > 2\n",
        "1 - 2\n",
        "1: 2\n",
        "1: 2 3\n",
        "(1,2)\n",
        "p edge 2 1\ne 1 2\n",
    ],
)
def test_edges_in_another_notation_are_refused(text: str) -> None:
    with pytest.raises(
        rs.FormatError, match=r"line [12]: '.*': expected an edge in each line, such as 'a b'; DOT"
    ):
        read(text)


def test_the_numbers_above_the_edges_may_be_more_than_two() -> None:
    document = read("4 2 1\n1 2\n2 3\n")
    assert document.graph.names == (1, 2, 3, 4)
    assert "'4 2 1' is read as 4 vertices and 2 edges" in document.notes[1]


# -- headers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", " ", "\t"])
def test_a_header_that_is_not_known(delimiter: str) -> None:
    text = "payer,payee\na,b\nb,a\nb,c\n".replace(",", delimiter)
    taken = read(text)
    assert taken.graph.num_edges == 4
    (note,) = taken.notes
    assert "line 1: 'payer" in note
    assert "header=True (--header) reads it as a header" in note
    assert (read(text, header=True).graph, read(text, header=True).notes) == (NAMED, ())
    assert (read(text, header=False).graph, read(text, header=False).notes) == (taken.graph, ())


def test_no_note_where_the_first_row_is_surely_an_edge() -> None:
    for text in ("a,b\nb,a\n", "source,target\na,b\nc,d\n", "a,b\n", "a,a\nb,c\n"):
        assert read(text).notes == ()


def test_headers_by_request() -> None:
    assert read("x,y\n0,1\n1,0\n1,2\n", header=True).graph == LOOP
    assert read("x,y,w\n0,1,a\n1,0,b\n1,2,c\n", header=True).graph == LOOP
    assert read("w,u,v\n1,0,1\n2,1,0\n3,1,2\n", header=True).graph == LOOP
    assert read("source,target\ntarget,x\n", header=False).graph.names == ("source", "target", "x")
    assert read("u,v\nv,w\n", header=True).graph.names == ("v", "w")
    assert read("from,to\n0,1\n", header=False).graph.names == ("from", "to", "0", "1")
    with pytest.raises(rs.FormatError, match=r"text above nothing but .* or header=True \(--header\)"):
        read("payer,payee\n0,1\n1,2\n")


def test_csv_with_other_delimiters_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    for text in (
        "a;b\nb;a\nb;c\n",
        "a b\nb a\nb c\n",
        "# made by hand\na,b\nb,a\nb,c\n",
        "a,b,{}\nb,a,{}\nb,c,{}\n",
    ):
        path.write_text(text)
        assert read_graph(path) == NAMED
    path.write_text("source;target;note\na;b;1,5\nb;a;\nb;c;x\n")
    (tmp_path / "g.vertices.csv").write_text("name;owner\na;0\nb;1\nc;0\n")
    assert read_graph(path).owner is not None
    path.write_text('source,target\n# a comment\n"#a",b\n')
    (tmp_path / "g.vertices.csv").unlink()
    assert read_graph(path).names == ("#a", "b")


def test_a_vertex_table_beside_lines(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("4 2\n1 2\n2 3\n")
    (tmp_path / "g.vertices.txt").write_text("vertex terminal\n3 win\n9 tie\n")
    graph = read_graph(tmp_path / "g.txt")
    assert graph.names == (1, 2, 3, 4, 9)
    assert graph.terminals is not None
    assert graph.terminals.tolist() == [0, 0, 1, 0, 3]


def test_the_library_logs_its_notes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g.csv").write_text("payer,payee\na,b\nb,c\n")
    with caplog.at_level(logging.WARNING):
        read_graph(tmp_path / "g.csv")
        with pytest.raises(rs.FormatError, match="holds no value and remoteness"):
            rs.read_solution(tmp_path / "g.csv")
    assert [record.message.count("--header") for record in caplog.records] == [1, 1]


# -- other tools' files -------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from([True, False, ["weight"]]), st.sampled_from([" ", "\t", ","])
)
def test_edge_lists_of_networkx(seed: int, data: bool | list[str], delimiter: str) -> None:
    network = nx.gnp_random_graph(6, 0.4, seed, directed=True)
    nx.set_edge_attributes(network, {edge: i for i, edge in enumerate(network.edges)}, "weight")
    file = io.BytesIO()
    nx.write_edgelist(network, file, data=data, delimiter=delimiter)
    if not network.edges:
        return
    graph = read_graph(io.BytesIO(file.getvalue()))
    edges = {
        (graph.position(v), graph.position(w))
        for v in range(graph.num_vertices)
        for w in graph.neighbors(v).tolist()
    }
    assert edges == set(network.edges)
    assert graph.num_vertices == len({v for edge in network.edges for v in edge})


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "name", [name for name, kind in FORMATS.items() if kind.writer and name != "sol"]
)
def test_every_format_is_known_by_its_content(tmp_path: Path, name: str, packed: bool) -> None:
    graph = rs.Graph.from_edges(["a", "b"], ["b", "a"], owner=[0, 1] if name == "pg" else None)
    write(graph, tmp_path / f"g.{name}")
    data = (tmp_path / f"g.{name}").read_bytes()
    (tmp_path / "unknown").write_bytes(gzip.compress(data) if packed else data)
    content = find_content(tmp_path / "unknown")
    assert content.format == (name if name not in ("csv", "tsv") else "edges")
    assert read_graph(tmp_path / "unknown") == graph


@pytest.mark.parametrize(
    "text",
    [
        "2 3\np..\n..T",
        "2 3\nП..\n..Л",
        "2 3\nP__\n__T",
        "3 3\n###\n#P#\n###",  # lines that might be comments
        "2 3\n  P.*\n  .TE",
        "2\n3\nP.*\n.TE",
        "2 3\nP . *\n. T E",
        "2 2\nP E\n. T",
        "  P.*\n .TE",
        "2 3\nP..\n..T\n..E",
        "2 3\n..T\nabc\n",
    ],
)
@pytest.mark.parametrize("name", ["b.txt", "b.csv", "b.tsv", "b.edges"])
def test_what_has_the_shape_of_a_board_is_one(text: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert find_content(tmp_path / name).format == "board"


@pytest.mark.parametrize(
    "text",
    [
        "3 3\n1 2\n2 3\n3 1\n",
        "2 2\n1 2\n2 1\n",
        "2 2\na b\nb a\n",
        "2 2\nP E\nE P\n",
        "3 3\n1 2 5\n2 3 1\n3 1 2\n",
        "3 2\n%%\n1 2\n2 3\n",
        "2 3\na,b\nb,a\n",
        "2 3\n123\n321\n",
        "1 3\n1 2\n",
    ],
)
def test_edges_below_two_numbers_stay_edges(text: str, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text(text)
    assert find_content(tmp_path / "g.txt").format == "edges"


@given(st.randoms(use_true_random=False))
def test_boards_stay_boards(rng: object) -> None:
    board = random_board(rng)
    for text in (board, board.partition("\n")[2] if board[0].isdigit() else board):
        assert find_content(io.BytesIO(text.encode())).format == "board"
        with pytest.raises(
            rs.FormatError, match="input: a board of policeman and thief: expected a graph"
        ):
            read(text)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            "##P#\n#..T\n",
            r": comments alone, lines that begin with #, % or //: tried board, .*; as a board, line 1: row 1, "
            r"column 1 is '#': expected \. \(free\)",
        ),
        ("", r": no lines: tried board, csv, .*json; as a board: no rows"),
        ("P#T\n", r": line 'P#T' is of no known format .*: tried board, .*edges.*; as a board, line 1: row 1, column 2"),
        ("hello\nworld\n", r": line 'hello' is of no known format \(edges are pairs such as 'a b'\): tried board,"),
        ("This is a text\n", r", line 1: 4 columns and no header: .* \(read as edges, which no other"),
        ("0 1\n1\n", r", line 2: 1 cells, '1': expected 2, an edge in each line.* \(read as edges"),
        ("1 2 3\n2 4\n4 1\n", r", line 1: 3 cells, '1 2 3': expected 2, an edge in each line"),
        ("1 2\n2 3 4\n", r", line 1: 2 cells, '1 2': expected 3, an edge in each line"),
        ("a b 5\nb c\n", r", line 2: 2 cells, 'b c': expected 3, an edge in each line"),
        ("3 2 1\n1 2 7\n2 3\n", r", line 3: 2 cells, '2 3': expected 3, an edge in each line"),
        ("0 1 1\n0 0 1\n1 0 0\n", r", line 1: 3 rows of 3 zeros and ones: .*Graph\.from_scipy"),
        ("%%MatrixMarket matrix coordinate\n3 3 1\n1 2 1\n", r": a Matrix Market file: .*scipy\.io\.mmread"),
        ("paritysol 2;\n0 0;\n", r"input holds winners and not a graph"),
        (b"\x89PNG\xff", r", line 1: byte b'\\x89' is not UTF-8"),
        (b"PK\x03\x04 no archive", r": line 'PK.*' is of no known|, line 1"),
    ],
)  # fmt: skip
def test_the_error_names_what_was_tried(data: str | bytes, message: str) -> None:
    data = data.encode() if isinstance(data, str) else data
    with pytest.raises(rs.FormatError, match=message) as raised:
        read_graph(io.BytesIO(data))
    assert "\n" not in str(raised.value)


# -- files of nothing but pairs of numbers ------------------------------------------------------------

LINES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["\n", "\r\n", "\n\n", " \n"])),
    min_size=1,
    max_size=6,
)


@settings(max_examples=150)
@given(
    LINES,
    st.sampled_from([" ", "\t", ",", ";", " , "]),
    st.sampled_from(["", "# x\n", "source,target\n", "\n%\n"]),
)
def test_parsing_in_bulk_changes_nothing(
    lines: list[tuple[int, int, str]], delimiter: str, head: str
) -> None:
    text = "".join(f"{a}{delimiter}{b}{end}" for a, b, end in lines)
    data = head.replace(",", delimiter) + text
    quick = read(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "_in_bulk", lambda reader: None)
        slow = read(data)
    assert (quick.graph, quick.notes) == (slow.graph, slow.notes)


@pytest.mark.parametrize(
    "text", ["0 1\n1 2\n", "source;target\n1;2\n2;3\n", "# x\n3 2\n1 2\n2 3\n", "1,2\n2,1"]
)
def test_pairs_of_numbers_are_parsed_in_bulk(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_list._EdgeList, "edges", None)
    assert read(text).graph.num_edges == 2
