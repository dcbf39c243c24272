"""One table of odd texts, which every reader of edges reads as the same graph or refuses."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.formats import read_graph
from tests.support.odd_texts import ODD_TEXTS, Reading

Reader = Callable[[bytes, Path, dict[str, Any]], Any]


def reading(graph: rs.Graph) -> Reading:
    vertices = [graph.position(v) for v in range(graph.num_vertices)]
    pairs = ((v, w) for v in range(len(vertices)) for w in graph.neighbors(v).tolist())
    return Reading.of(vertices, pairs)


def by_suffix(suffix: str) -> Reader:
    def read(data: bytes, folder: Path, options: dict[str, Any]) -> rs.Graph:
        path = folder / f"g{suffix}"
        path.write_bytes(data)
        return read_graph(path, **options)

    return read


def on_disk(data: bytes, folder: Path, options: dict[str, Any], whole: bool = False) -> rs.Graph:
    (folder / "0.csv").write_bytes(data)
    parts = rs.EdgeParts(folder if whole else folder / "0.csv", **options)
    graph = parts.materialize()
    if parts.names is not None:
        sources = np.repeat(np.arange(graph.num_vertices), graph.out_degrees())
        names = [parts.position(v) for v in range(graph.num_vertices)]
        return rs.Graph.from_edges(sources, graph.indices, names=names)
    # There, numbers that no edge has are vertices.
    return rs.Graph.from_edges(reading(graph).edges) if graph.num_edges else graph


def from_stdin(data: bytes, folder: Path, options: dict[str, Any]) -> rs.Graph:
    def words(name: str, value: Any) -> list[str]:
        switch = name if value is not False else f"no-{name}"
        return [f"--{switch}"] if isinstance(value, bool) else [f"--{switch}", value]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        chosen = [word for option in options.items() for word in words(*option)]
        if run(["convert", "-", str(folder / "g.json"), *chosen]):
            raise rs.FormatError("refused")
    return read_graph(folder / "g.json")


READERS: dict[str, Reader] = {
    "content": lambda data, _, options: read_graph(io.BytesIO(data), **options),
    "csv": by_suffix(".csv"),
    "tsv": by_suffix(".tsv"),
    "edges": by_suffix(".edges"),
    "stdin": from_stdin,
    "disk": on_disk,
    "folder": lambda data, folder, options: on_disk(data, folder, options, whole=True),
}


@pytest.mark.parametrize("reader", READERS)
def test_odd_texts_are_the_same_graph_for_every_reader_or_refused(reader: str, tmp_path: Path) -> None:
    found: dict[str, Reading | None] = {}
    expected: dict[str, Reading | None] = {}
    on_disk = reader in ("disk", "folder")
    for number, row in enumerate(ODD_TEXTS):
        if on_disk and {*row.options} - {"source", "target"}:
            continue  # edges on disk have no such options
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            right = row.by("disk" if on_disk else reader)
            read: Reading | None = reading(READERS[reader](row.data, folder, row.options))
        except (rs.FormatError, rs.MemoryBudgetError):
            read = None
        if on_disk and read is not None and right is not None:  # names are in another order there
            read, right = read.in_any_order(), right.in_any_order()
        found[row.what], expected[row.what] = read, right
    assert len(found) > 270
    assert found == expected


def test_quoted_names_that_look_like_comments_and_marks_are_written_and_read(tmp_path: Path) -> None:
    names = [
        "# a",
        "#b",
        "%c",
        "//d",
        "e #f",
        "g,",
        "h;",
        ";i",
        "(j",
        "[k",
        " l",
        "m ",
        "(n)",
        "o",
        '"p',
        "\tq",
        "{r}",
    ]
    graph = rs.Graph.from_edges(names, [*names[1:], "a"])
    for suffix in (".csv", ".tsv"):
        rs.write(graph, tmp_path / f"g{suffix}")
        assert read_graph(tmp_path / f"g{suffix}").names == graph.names


def frames(suffix: str, table: dict[str, list[Any]], folder: Path) -> Any:
    """Return a table as one of a library, or as a file."""
    pandas, arrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    if suffix in ("dict", "arrow"):
        return table if suffix == "dict" else arrow.table(table)
    frame = pandas.DataFrame(table)
    if suffix == ".csv":
        frame.to_csv(folder / "g.csv", index=False)
    elif suffix == ".parquet":
        frame.to_parquet(folder / "g.parquet")
    return frame if suffix == "pandas" else folder / f"g{suffix}"


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("vertices", [["x", "y"], [0, 1]])
@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        *((suffix, rs.Graph.from_pandas) for suffix in ("dict", "arrow", "pandas")),
        *((suffix, read) for suffix in (".csv", ".parquet") for read in (read_graph, rs.EdgeParts)),
    ],
)
def test_undirected_edges_are_refused_in_every_table(
    suffix: str, read: Callable[..., Any], vertices: list[Any], named: bool, tmp_path: Path
) -> None:
    columns = {"source": "Source", "target": "Target"} if named else {}
    table = {"Source": vertices, "Target": vertices[::-1], "Type": ["Directed", None]}
    assert read(frames(suffix, table, tmp_path), **columns).num_vertices == 2
    table["Type"] = ["Directed", "Undirected"]
    with pytest.raises(rs.RetrosolveError):
        read(frames(suffix, table, tmp_path), **columns)


def test_doubts_are_found_in_every_block_of_edges_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrosolve.external.files.BATCH_BYTES", 1024)
    good = "".join(f"x{v},x{v + 1}\n" for v in range(1000))
    for row in ("#a,b", "a,b # c", "a,b;", ";a,b", 'a,\t"b"', 'a,\xa0"b"', "a\u3000#,b", "(a,b)"):
        (tmp_path / "g.csv").write_text(f"{good}{row}\n{good}", encoding="utf-8")
        for read in (rs.EdgeParts, read_graph):
            with pytest.raises(rs.FormatError, match=r"g\.csv, line 1001: "):
                read(tmp_path / "g.csv")


def test_the_table_of_odd_texts_is_one_row_a_line() -> None:
    lines = (Path(__file__).parent.parent / "data" / "odd_texts.json").read_text("utf-8").splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == json.loads("\n".join(lines))
    assert len({row.what for row in ODD_TEXTS}) == len(ODD_TEXTS)
