"""Paths, suffixes, and writing all or nothing."""

import builtins
import errno
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.formats import FORMATS, Format, format_of, read_graph, read_graph_file, write
from retrosolve.runtime import files as files_module
from tests.support.graph_files import WHOLE

pytestmark = pytest.mark.thorough

GRAPH = rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1])
OTHER = rs.Graph.from_edges([0, 1, 2], [1, 2, 0], owner=[0, 1, 1])


def test_the_table_tells_what_each_format_is() -> None:
    suffixes = [suffix for kind in FORMATS.values() for suffix in kind.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for name, kind in FORMATS.items():
        assert isinstance(kind, Format)
        assert kind.name == name
        assert kind.summary
        assert kind.read or kind.write


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("g.csv", "csv"),
        ("G.CSV", "csv"),
        ("a.b/g.v2.Tsv.GZ", "tsv"),
        ("g.gv", "dot"),
        ("g.sol", "sol"),
        ("g.txt", None),
        ("csv", None),
        (".csv", None),
        ("g.csv.bz2", None),
        ("", None),
    ],
)
def test_suffixes(path: str, name: str | None) -> None:
    assert format_of(path) == name
    assert format_of(Path(path)) == name


def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path) -> None:
    expected = r"g\.txt has suffix '\.txt': expected one of \.csv, \.tsv, \.npz, .*\.json, or format="
    with pytest.raises(rs.FormatError, match=expected):
        write(GRAPH, tmp_path / "g.txt")


@pytest.mark.long(but=1)
@pytest.mark.parametrize("name", ["g.csv", "g.json", "g.npz", "g.parquet", "g.tsv.gz"])
def test_writing_reports_progress_and_can_be_ended(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution, reports = rs.solve(rs.game("connect4:rows=3,columns=4")), list[rs.Progress]()
    monkeypatch.setattr(files_module, "CHUNK", 1 << 10)  # of bytes, between two reports
    write(solution, tmp_path / name, progress=reports.append)
    stages = list(dict.fromkeys(report.stage for report in reports))
    assert stages == ["storing moves", "naming positions", "choosing moves", "writing bytes"]
    before = contents(tmp_path)
    write(solution, tmp_path / name)
    assert contents(tmp_path) == before
    for stage in stages:

        def end(report: rs.Progress, stage: str = stage) -> None:
            if report.stage == stage:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write(solution, tmp_path / name, progress=end)
        assert contents(tmp_path) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_format_goes_before_the_suffix(tmp_path: Path) -> None:
    write(GRAPH, tmp_path / "edges.txt", format="csv")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["edges.txt", "edges.vertices.txt"]
    assert read_graph(tmp_path / "edges.txt", format="csv") == GRAPH
    write(GRAPH, tmp_path / "g.pg", format="json")
    assert read_graph(tmp_path / "g.pg", "json") == GRAPH
    write(GRAPH, tmp_path / "edges", format="tsv.gz")
    assert read_graph(tmp_path / "edges", format="tsv.gz") == GRAPH


@pytest.mark.parametrize(
    ("call", "pattern"),
    [
        (lambda: read_graph("g.csv", format="xls"), r"^format='xls' is not known: expected one of csv, "),
        (lambda: write(GRAPH, io.BytesIO()), r"^an open file needs format=: expected one of csv, "),
        (lambda: read_graph(3), r"^3 is not a path: expected text, a Path, or a binary file"),
        (lambda: read_graph(b"g.csv"), r"^b'g.csv' is not a path"),
        (lambda: read_graph(io.StringIO("0,1"), "csv"), r"^input gave str: expected a file open for"),
        (lambda: read_graph("g.pg", names=True), r"^names=, vertices= and header= .* are for edge lists, not pg"),
        (lambda: read_graph("g.npz", vertices="v.csv"), r"^names=, vertices= and header= \(--names, --vertices, --header\) are for"),
        (lambda: read_graph("g.json", header=True), r"^names=, vertices= and header= \(--names, --vertices, --header\) are for"),
        (lambda: read_graph("g.csv", header=1), r"^header=1: expected True, False or None"),
        (lambda: read_graph("g.csv", names="yes"), r"^names='yes': expected True, False or None"),
        (lambda: read_graph("g\0.csv"), r"^cannot read g\\x00\.csv: .*embedded null"),
        (lambda: read_graph("two\nlines.csv"), r"^cannot read two\\nlines\.csv: No such file"),
        (lambda: read_graph("x" * 300 + ".csv"), r"^cannot read x+\.csv: File name too long"),
        (lambda: write(GRAPH, "g.csv", endless=1), r"^option endless= is not known to csv: expected none"),
        (lambda: write(GRAPH, "g.pg", end=1), r"^option end= is not known to pg: expected endless"),
        (lambda: write(GRAPH, 3, "json"), r"^3 is not a path: expected text, a Path"),
        (lambda: write(GRAPH, "g\0.json"), r"^cannot write g\\x00\.json: .*embedded null"),
        (lambda: write(GRAPH, "none/here/g.json"), r"^cannot write .*: there is no folder .*none/here"),
    ],
)  # fmt: skip
def test_arguments_that_make_no_sense(call: Any, pattern: str) -> None:
    with pytest.raises(rs.FormatError, match=pattern) as raised:
        call()
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", [*WHOLE, "pg"])
def test_what_cannot_be_read(tmp_path: Path, name: str) -> None:
    missing = tmp_path / f"none.{name}"
    with pytest.raises(
        rs.FormatError, match=rf"^cannot read .*none\.{name}: No such file or directory$"
    ):
        read_graph(missing)
    folder = tmp_path / f"folder.{name}"
    folder.mkdir()
    with pytest.raises(rs.FormatError, match=rf"^cannot read .*folder\.{name}: Is a directory$"):
        read_graph_file(folder)
    with pytest.raises(rs.FormatError, match=r"^cannot write .*: it is a folder, expected a file$"):
        write(GRAPH, folder)
    assert list(tmp_path.iterdir()) == [folder]


class DiskFullError(OSError):
    pass


@pytest.mark.parametrize("name", [*WHOLE, "pg"])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, name: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"g.{name}"
    write(GRAPH, path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if step == "write":
        monkeypatch.setattr(files_module, "open", opener_of_full_files, raising=False)
    else:
        monkeypatch.setattr(os, step, full)
    with pytest.raises(rs.FormatError, match=r"^cannot write .*: No space left on device$"):
        write(OTHER, path)
    monkeypatch.undo()
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
    assert read_graph(path) == GRAPH


def opener_of_full_files(*arguments: Any, **options: Any) -> Any:
    """Open a file that takes twenty bytes and no more."""
    file = builtins.open(*arguments, **options)  # noqa: SIM115  # closed below
    write, room = file.write, 20

    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def fileno(self) -> int:
            return file.fileno()

        def write(self, data: Any) -> int:
            nonlocal room
            size = len(bytes(data))
            if size > room:
                raise OSError(errno.ENOSPC, "No space left on device")
            room -= size
            return write(data)

        def close(self) -> None:
            file.close()
            super().close()

    return Full()


def test_an_interrupt_leaves_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(GRAPH, tmp_path / "g.json")
    assert list(tmp_path.iterdir()) == []


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    write(GRAPH, real)
    mask = os.umask(0)
    os.umask(mask)
    assert real.stat().st_mode & 0o777 == 0o666 & ~mask
    real.chmod(0o640)
    link.symlink_to(real.name)
    write(OTHER, link)
    assert link.is_symlink()
    assert read_graph(real) == OTHER
    assert real.stat().st_mode & 0o777 == 0o640


def test_an_open_file_that_fails() -> None:
    class Closed(io.BytesIO):
        name = "<pipe>"

        def write(self, _: object) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    with pytest.raises(rs.FormatError, match=r"^cannot write <pipe>: Broken pipe$"):
        write(GRAPH, Closed(), format="json")


@pytest.mark.parametrize(
    ("module", "name", "reading", "writing"),
    [
        ("pyarrow", "parquet", "reading and writing", "writing"),
        ("networkx", "graphml", "reading", "writing"),
        ("pydot", "dot", "reading", "writing"),
    ],
)
def test_a_missing_library_is_named(module: str, name: str, reading: str, writing: str) -> None:
    program = f"""
import sys, io
sys.modules[{module!r}] = None
import retrosolve as rs
from retrosolve.formats import read_graph, write
for call in (lambda: read_graph(io.BytesIO(b"x"), {name!r}),
             lambda: write(rs.Graph.from_edges([0], [1]), io.BytesIO(), {name!r})):
    try:
        call()
    except rs.FormatError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    needs = f".{name} files needs {module}: pip install 'retrosolve[formats]'"
    assert done.stdout == f"{reading} {needs}\n{writing} {needs}\n"


def test_other_formats_need_no_heavy_library() -> None:
    program = """
import sys, io
import retrosolve as rs
from retrosolve.formats import FORMATS, read_graph, write
graph = rs.Graph.from_edges([0, 1], [1, 0])
for name in FORMATS:
    if name not in ("parquet", "graphml", "dot", "pg", "sol", "edges"):
        file = io.BytesIO()
        write(graph, file, name)
        assert read_graph(io.BytesIO(file.getvalue()), name) == graph
print(*sorted({"networkx", "pydot", "pyarrow", "pandas", "scipy", "numba"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
