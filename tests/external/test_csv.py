"""CSV on disk is read as the graph that it is in memory, or refused."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.external import files
from tests.support.marks import examples

CELLS = [
    "a", "b", "c", " a", "b ", "\tc", "a b", "", " ", "0", "1", "2", " 1", "2 ", "01", "0x1", "-1", "-0", "+1",
    "1.0", '"a"', '"a b"', 'a"b', '" b"', '"a""b"', '"1"', '"a"b', ' "a"', '"a\nb"', '"a,b"', "é", "\xa0a",
    "a\u2003", "\x1ca", "\x85a", "# a", "u", "v", "source", "{}", "a\0",
]  # fmt: skip
HEADERS = [
    "", "source,target\n", "Source, target\n", "u,v\n", "v,u\n", "weight,target,source\n", "from,to,from\n",
    "# a comment, here\n", "\n% more\n\nu , v\r\n", "\ufeffu,v\n", "a,b\n", "source;target\n", "  \n",
]  # fmt: skip


def answers(graph: Any) -> dict[str, str]:
    return {str(position): str(outcome) for position, outcome in rs.solve(graph).items()}


def compare(text: str, sample: int = files.SAMPLE, rows_at_once: int = files.ROWS_AT_ONCE) -> bool:
    """Return whether both ways read the file; check that the one on disk never reads another graph."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(files, "SAMPLE", sample)
        patched.setattr(files, "ROWS_AT_ONCE", rows_at_once)
        patched.setattr(files, "BATCH_BYTES", min(files.BATCH_BYTES, 16 * rows_at_once))
        path = Path(folder, "g.csv")
        path.write_bytes(text.encode())
        try:
            parts = rs.EdgeParts(path)
        except rs.FormatError:
            return False
        if parts.num_edges == 0:
            return True
        try:
            expected = answers(rs.read_graph(path))
        except rs.FormatError as error:
            # -1 among numbers of which some have leading zeros: names as well, if they are asked for.
            if "names=True" not in str(error):
                raise
            expected = answers(rs.read_graph(path, names=True))
        found = answers(parts)
        if parts.names is None:  # numbers that no edge has are vertices, on disk
            unused = found.keys() - expected.keys()
            assert bool(unused) == (parts._unused is not None)
            assert {found.pop(number) for number in unused} <= {"LOSS in 0"}
        assert found == expected
        rs.verify(rs.solve(parts))
        return True


@pytest.mark.parametrize(
    "text",
    [
        "source, target\nx0, x1\n\tx1 , x2\n",
        "# a comment, here\na,b\nb,c\n",
        "target,weight,source\na,1,b\n",
        "\ufeffa,b\r\n\r\n  \r\nb,c",
        '"a, b","c"\nc,"d"" e"\n',
        "\xa0a,b\u2003\nb,New York\n",
        "0,1\n007,1\n",
        "1,2\n0x10,1\n",
    ],
)
@pytest.mark.parametrize("rows_at_once", [1, 1000])
def test_rows_on_disk_are_those_in_memory(text: str, rows_at_once: int) -> None:
    assert compare(text, rows_at_once=rows_at_once)


@example("", [["1", "2"], ["01", "1"]], ["\n"], 64, 1)
@example("u,v\n", [["a", "b"], ["c", " u"]], ["\n"], 1000, 100)
@example("", [["0", "1"], ["1", "2"], ["2", "+1"]], ["\n"], 8, 1)
@examples(150, 5000)
@given(
    header=st.sampled_from(HEADERS),
    rows=st.lists(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3), max_size=12),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r", "\n  \n"]), min_size=1, max_size=3),
    sample=st.sampled_from([12, 64, 1000]),
    rows_at_once=st.sampled_from([1, 100]),
)
def test_no_row_of_text_is_another_edge_on_disk(
    header: str, rows: list[list[str]], ends: list[str], sample: int, rows_at_once: int
) -> None:
    lines = (",".join(row) + ends[number % len(ends)] for number, row in enumerate(rows))
    compare(header + "".join(lines), sample, rows_at_once)


@example("", [("0", "1"), ("1", "1")], ",", ["\n"], 1)
@examples(100, 2000)
@given(
    header=st.sampled_from(["", "source,target\n", "# one, two\n", "\n"]),
    rows=st.lists(
        st.tuples(*[st.sampled_from(["a", " a", "b ", "\tc", '"d"', '"d, e"', "é ", "7", "07"])] * 2),
        min_size=2,
        max_size=30,
    ),
    comma=st.sampled_from([",", " ,"]),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n \n"]), min_size=1, max_size=3),
    rows_at_once=st.sampled_from([1, 2, 100]),
)
def test_usual_rows_are_read_on_disk(
    header: str, rows: list[tuple[str, str]], comma: str, ends: list[str], rows_at_once: int
) -> None:
    rows = [("x", "y"), *rows, ("y", "x")]  # so that no row is text above numbers
    lines = (comma.join(row) + ends[number % len(ends)] for number, row in enumerate(rows))
    text = header + "".join(lines)
    assert compare(text, rows_at_once=rows_at_once) == ('" ' not in text)


@pytest.mark.parametrize("memory_per_byte", [0, 10**12])
def test_memory_decides_no_answer_of_the_command_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    memory_per_byte: int,
) -> None:
    monkeypatch.setattr("retrosolve.cli.inputs.MEMORY_PER_BYTE", memory_per_byte)
    stays_on_disk = memory_per_byte > 0
    path = tmp_path / "g.csv"

    def solved(text: str, *options: str) -> Any:
        path.write_text(text, encoding="utf-8")
        status = run(["solve", str(path), "--json", *options])
        captured = capsys.readouterr()
        return captured.err if status else list(json.loads(captured.out)["counts"].values())

    named = "source, target\n" + "".join(f"x{v}, x{v + 1}\n" for v in range(200))
    assert solved(named) == [100, 101, 0, 0]
    assert run(["plan", str(path)]) == 0
    assert ("disk" in capsys.readouterr().out) == stays_on_disk
    numbered = named.replace("x", "")
    assert solved(numbered) == [100, 101, 0, 0]
    refused = "no edge has the number 201"
    answer = solved(numbered + "300, 0\n")
    assert refused in answer if stays_on_disk else answer == [101, 101, 0, 0]
    assert solved("a;b\nb;c\n", "--format", "edges") == [1, 2, 0, 0]
    (tmp_path / "g.vertices.csv").write_text("vertex,terminal\n200,win\n", encoding="utf-8")
    refused = "g.vertices.csv with edges that stay on disk"
    answer = solved(numbered)
    assert refused in answer if stays_on_disk else answer == [101, 100, 0, 0]


def test_numbers_that_no_edge_has_are_refused_in_parquet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrosolve.cli.inputs.MEMORY_PER_BYTE", 10**12)
    pq.write_table(pa.table({"source": [1, 2], "target": [2, 3]}), tmp_path / "g.parquet")
    assert run(["solve", str(tmp_path / "g.parquet")]) == 2
    assert "no edge has the number 0" in capsys.readouterr().err
    assert run(["solve", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 4
