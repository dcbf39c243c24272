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
from retrosolve.formats import format_of, read_graph, write
from retrosolve.runtime import files as files_module
from tests.support.graph_files import WHOLE

GRAPH = rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1])
OTHER = rs.Graph.from_edges([0, 1, 2], [1, 2, 0], owner=[0, 1, 1])


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


@pytest.mark.parametrize("name", [*WHOLE, "pg"])
def test_what_is_not_there_or_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / f"folder.{name}"
    folder.mkdir()
    for path in (tmp_path / f"none.{name}", folder):
        with pytest.raises(rs.FormatError):
            read_graph(path)
    with pytest.raises(rs.FormatError):
        write(GRAPH, folder)
    assert list(tmp_path.iterdir()) == [folder]


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
    with pytest.raises(rs.FormatError, match="No space left"):
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

    with pytest.raises(rs.FormatError, match="Broken pipe"):
        write(GRAPH, Closed(), format="json")


@pytest.mark.parametrize(
    ("module", "name"), [("pyarrow", "parquet"), ("networkx", "graphml"), ("pydot", "dot")]
)
def test_a_missing_library_is_named(module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    for call in (lambda: read_graph(io.BytesIO(b"x"), name), lambda: write(GRAPH, io.BytesIO(), name)):
        with pytest.raises(rs.FormatError, match=f"needs {module}: pip install"):
            call()


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
