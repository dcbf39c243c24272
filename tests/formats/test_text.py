"""What text a name may hold: what is no Unicode text is refused in one line, read or written."""

import io
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.formats import read_graph_file, write
from retrosolve.formats.files import write_moves, write_rows
from retrosolve.runtime.text import is_text
from retrosolve.solution.plots import MAX_LABEL, graph
from retrosolve.web.export import export_static
from tests.support.graph_files import WHOLE
from tests.support.made_files import npz, own_npz
from tests.support.marks import examples
from tests.support.saved import reseal, with_entry, with_names


def refused(data: bytes, format: str) -> None:
    with pytest.raises(rs.FormatError) as raised:
        read_graph_file(io.BytesIO(data), format)
    assert "\n" not in str(raised.value)
    str(raised.value).encode()


def points(*names: list[int], order: str = "<") -> Any:
    """Text of these numbers, characters or not."""
    width = max(map(len, names))
    data = b"".join(
        struct.pack(f"{order}{width}I", *name, *[0] * (width - len(name))) for name in names
    )
    return np.frombuffer(data, f"{order}U{width}")


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("character", [0xD800, 0x110000, 0xFFFFFFFF])
@pytest.mark.parametrize("length", [1, 40])
def test_numbers_that_are_no_characters(order: str, character: int, length: int) -> None:
    names = points([97], [98] * (length - 1) + [character], order=order)
    refused(own_npz(names=names), "npz")
    refused(own_npz(stuck=points([character]).reshape(())), "npz")


@examples(12, 60)
@given(text=st.text(st.characters(), min_size=1, max_size=5).filter(lambda text: "\0" not in text))
def test_all_other_names_are_read_as_they_are(text: str) -> None:
    data = own_npz(names=np.array(["\0", text]))
    if is_text(text):
        assert read_graph_file(io.BytesIO(data), "npz").graph.names == ("", text)
        text.encode()
    else:
        refused(data, "npz")


@pytest.mark.parametrize("kind", [["csr"], [], 3, [True], points([0x110000]).reshape(())])
def test_the_format_of_a_sparse_matrix_is_one_word(kind: Any) -> None:
    refused(npz(format=np.array(kind), shape=(1, 1), data=[1], indices=[0], indptr=[0, 1]), "npz")


def test_escapes_of_surrogates_in_json() -> None:
    start = b'{"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []], "names": ["a", '
    refused(start + rb'"b\udc80"]}', "json")
    pair = io.BytesIO(start + rb'"\ud83d\ude00"]}')
    assert read_graph_file(pair, "json").graph.names == ("a", "\U0001f600")


@pytest.mark.parametrize("format", ["csv", "tsv", "pg", "dot", "json", "graphml"])
def test_surrogates_in_text_files(format: str) -> None:
    file = io.BytesIO()
    write(rs.Graph.from_edges(["\ue000"], ["b"], owner=[0, 1]) if format == "pg" else
                rs.Graph.from_edges(["\ue000", "b"], ["b", "\ue000"]), file, format=format)  # fmt: skip
    data = file.getvalue().replace("\ue000".encode(), b"\xed\xa0\x80")
    assert b"\xed\xa0\x80" in data
    refused(data, format)


@pytest.mark.parametrize("format", [*WHOLE, "pg", "folder"])
def test_what_is_no_text_is_not_written(format: str, tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1], names=["a", "b\ud800"])
    solution = rs.solve(graph)
    save = solution.save if format == "folder" else partial(write, graph)
    with pytest.raises(rs.RetrosolveError):
        save(tmp_path / ("s" if format == "folder" else f"g.{format}"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", ["names", "players", "players of the graph", "solver"])
def test_what_is_no_text_in_a_saved_solution(key: str, tmp_path: Path) -> None:
    path = tmp_path / "s"
    rs.solve(rs.Graph.from_edges(["a"], ["b"])).save(path)
    changes = {
        "names": with_names(["a", "\ud800"]),
        "players": with_entry("players", ["you", "\ud800"]),
        "players of the graph": with_entry("space|players", ["you", "\ud800"]),
        "solver": with_entry("solver", "x\ud800"),
    }
    reseal(path, changes[key])
    with pytest.raises(rs.StoreError):
        rs.open(path, check=True)


class Texts(rs.Game):
    """A walk down from 2, some of whose texts UTF-8 cannot encode."""

    def __init__(self, odd: str) -> None:
        self.odd = odd
        self.players = ("you", "\ud800") if odd == "player" else ("you", "me")

    def start(self) -> int:
        return 2

    def moves(self, position: int) -> list[tuple[str, int]]:
        name = "m\ud800" if self.odd == "move" else "m"
        return [(f"{name}{n}", n) for n in range(position)]

    def text(self, position: int) -> str:
        return f"p\ud800{position}" if self.odd == "position" else str(position)


WRITERS: dict[str, Callable[[rs.Solution, Path], object]] = {
    "film": lambda solution, place: rs.write_film(solution, place / "film.html"),
    "export": lambda solution, place: export_static(solution, "", place / "site"),
    "dataset": lambda solution, place: write_moves(solution, place / "moves.parquet"),
    "rows": lambda solution, place: write_rows(solution, place / "rows.csv"),
    "json": lambda solution, place: write(solution, place / "graph.json"),
    "open file": lambda solution, place: write(solution, io.BytesIO(), "json"),
    "pandas": lambda solution, place: solution.to_pandas(moves=True),
    "arrow": lambda solution, place: solution.to_arrow(moves=True),
}
ENCODED = {
    "position": {*WRITERS},
    "move": {"export", "dataset", "pandas", "arrow"},
    "player": {"film", "export", "json", "open file"},
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("odd", ENCODED)
def test_texts_of_rules_that_are_no_text_are_refused_where_they_are_written(
    odd: str, writer: str, tmp_path: Path
) -> None:
    solution = rs.solve(Texts(odd))
    if writer not in ENCODED[odd]:
        WRITERS[writer](solution, tmp_path)
        return
    with pytest.raises(rs.RetrosolveError):
        WRITERS[writer](solution, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_picture_escapes_what_is_no_text() -> None:
    labels = [text.get_text() for text in graph(rs.solve(Texts("position"))).texts]
    assert r"p\ud8002"[:MAX_LABEL] in labels


def test_players_that_are_no_text_are_not_saved(tmp_path: Path) -> None:
    solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
    space = solution.space.with_start(None, ("you", "\ud800"))
    solution = rs.Solution(space, solution.table)
    with pytest.raises(rs.StoreError):
        solution.save(tmp_path / "s")
    assert not list(tmp_path.iterdir())
