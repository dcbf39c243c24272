"""Files whose extension says nothing: the content decides. Texts are in ``odd_texts`` and ``foreign_files``."""

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
from retrosolve.testing import random_board
from tests.support import graph_files


def test_the_library_logs_its_notes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g.csv").write_text("payer,payee\na,b\nb,c\n")
    with caplog.at_level(logging.WARNING):
        read_graph(tmp_path / "g.csv")
        with pytest.raises(rs.FormatError):
            rs.read_solution(tmp_path / "g.csv")
    assert [record.message.count("--header") for record in caplog.records] == [1, 1]


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


@given(st.randoms(use_true_random=False))
def test_boards_stay_boards(rng: object) -> None:
    board = random_board(rng)
    for text in (board, board.partition("\n")[2] if board[0].isdigit() else board):
        assert find_content(io.BytesIO(text.encode())).format == "board"


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
    data = (head.replace(",", delimiter) + text).encode()
    quick = read_graph_file(io.BytesIO(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "_in_bulk", lambda reader: None)
        slow = read_graph_file(io.BytesIO(data))
    assert (quick.graph, quick.notes) == (slow.graph, slow.notes)


@pytest.mark.parametrize(
    "text", ["0 1\n1 2\n", "source;target\n1;2\n2;3\n", "# x\n3 2\n1 2\n2 3\n", "1,2\n2,1"]
)
def test_pairs_of_numbers_are_parsed_in_bulk(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_list._EdgeList, "edges", None)
    assert graph_files.given(text, None).graph.num_edges == 2
