"""Writing an export: refused before any work, whole or not there, by several processes, and never over others."""

import errno
import multiprocessing
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.languages import LANGUAGES
from retrosolve.web import export
from retrosolve.web.export import export_site, export_static
from retrosolve.web.standalone import film_file
from tests.web.drawn import PATIENCE
from tests.web.test_export import Leap
from tests.web.test_position import Corner

WAITING = """
import os, sys, time
import retrosolve as rs
from pathlib import Path
from retrosolve.web import export

def wait(*_):
    os.write(1, b"%d\\n" % os.getpid())  # at once, as two processes write
    time.sleep(300)

export._packed = wait
export.export_static(rs.solve(rs.game("stones:n=20000")), "x", Path(sys.argv[1]), workers=2)
"""


@pytest.fixture(scope="module")
def stones() -> rs.Solution:
    return rs.solve(rs.game("stones"))


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_what_cannot_be_exported_writes_nothing(
    stones: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unsaid(Leap):
        exchanged = rs.CompiledGame.exchanged

    empty, site = rs.solve(rs.Graph.from_edges([], [])), tmp_path / "site"
    pig = rs.solve(rs.game("pig:goal=5"))
    with pytest.raises(rs.GraphError):
        film_file(empty, "empty")
    with pytest.raises(rs.GraphError):
        export_static(empty, "empty", site)
    with pytest.raises(rs.StoreError):
        export_static(rs.solve(Unsaid()), "leap", site)
    with pytest.raises(rs.StoreError):
        export_site([("stones", "stones", stones), ("pig", "pig", pig)], site)
    assert run(["export", "stones", "stones", "--static", str(site)]) == 2
    monkeypatch.setattr(export, "MAX_POSITIONS", 10)
    with pytest.raises(rs.StoreError):
        export_static(stones, "stones", site)
    assert not site.exists()


def test_a_folder_that_cannot_be_filled_is_refused_before_the_solve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("/dev/null/site")
    monkeypatch.setattr(rs, "solve", None)
    for name in ("file", "file/site", "dangling", "a" * 256, "."):
        assert run(["export", "stones", "--static", str(tmp_path / name)]) == 2, name


def test_the_command_writes_what_a_host_needs_and_the_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "site"
    assert run(["export", "stones", "--static", str(out), "--language", "fa"]) == 0
    assert capsys.readouterr().out.startswith("11 positions, ")
    assert 'lang="fa" dir="rtl"' in (out / "index.html").read_text(encoding="utf-8")
    export_static(rs.solve(Corner()), "corner", tmp_path / "own")
    rules = "<p>A rook moves up or to the right; who brings it into the corner wins. No function draws it.</p>"
    assert (tmp_path / "own/index.html").read_text("utf-8").count(rules) == len(LANGUAGES)
    export_static(rs.solve(rs.Graph.from_edges(["a"], ["b"])), "graph", tmp_path / "graph")
    assert '<details class="why">' not in (tmp_path / "graph/index.html").read_text("utf-8")


@pytest.mark.parametrize("was_there", [False, True])
def test_an_export_that_fails_or_is_interrupted_leaves_no_files(
    stones: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was_there: bool
) -> None:
    site = tmp_path / "site"
    if was_there:
        (tmp_path / "folder").mkdir()
        site.symlink_to("folder")

    def interrupt(progress: rs.Progress) -> None:
        if progress.done:
            assert (site / "stones" / "blocks.bin").exists()
            raise KeyboardInterrupt

    def check(error: type[BaseException], work: Callable[[], None]) -> None:
        with pytest.raises(error):
            work()
        assert not any(site.iterdir()) if was_there else not site.exists()

    games = [("stones", "stones", stones)]
    check(KeyboardInterrupt, lambda: export_site(games, site, progress=interrupt))
    with monkeypatch.context() as patch:
        patch.setattr(export.shutil, "copyfile", full)
        check(rs.StoreError, lambda: export_static(stones, "stones", site))
    monkeypatch.setattr(export, "_packed", lambda *_: os._exit(1))  # a process ends
    check(rs.StoreError, lambda: export_static(stones, "stones", site, workers=2))


def test_a_folder_that_another_export_makes_meanwhile_is_left_to_it(
    stones: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, exists = tmp_path / "site", Path.exists

    def made_after(path: Path) -> bool:
        if path != site or exists(path):
            return exists(path)
        site.mkdir()
        (site / "index.html").write_text("theirs")
        return False

    monkeypatch.setattr(export, "check_site", lambda _: None)
    monkeypatch.setattr(Path, "exists", made_after)
    with pytest.raises(rs.StoreError):
        export_static(stones, "stones", site)
    assert [path.read_text() for path in site.iterdir()] == ["theirs"]


def test_processes_export_the_same_files(tmp_path: Path) -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    solution.save(tmp_path / "saved")
    export_static(solution, "KRK", tmp_path / "alone", workers=1)
    for name, one in (("krk", solution), ("opened", rs.open(tmp_path / "saved"))):
        export_static(one, "KRK", tmp_path / name, workers=3)
        for file in ("blocks.bin", "texts.bin", "game.json"):
            assert (tmp_path / name / file).read_bytes() == (tmp_path / "alone" / file).read_bytes()


def test_an_export_that_fails_ends_its_processes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed, failed = multiprocessing.Value("i"), multiprocessing.Event()

    def slow(*_: object) -> list[tuple[bytes, bytes]]:
        with packed.get_lock():
            packed.value += 1
            number = packed.value
        if number > 4:
            failed.wait(PATIENCE)  # the export fails meanwhile
        return [(b"", b"")]

    def progress(progress: rs.Progress) -> None:
        if progress.done > 0:
            full()

    solution = rs.solve(rs.game("stones:n=20000"))
    monkeypatch.setattr(export, "_packed", slow)
    monkeypatch.setattr(export, "BLOCKS_AT_ONCE", 1)
    with pytest.raises(rs.StoreError):
        export_static(solution, "stones", tmp_path / "site", progress=progress, workers=2)
    assert packed.value < 20


def test_the_processes_of_an_export_that_is_killed_end(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WAITING, str(tmp_path / "site")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert [int(program.stdout.readline()) for _ in range(2)] != [program.pid] * 2
        program.kill()
        ended, _, _ = select.select([program.stdout], [], [], PATIENCE)
        assert ended
        assert program.stdout.read() == b""  # the last one that could write has ended


def test_an_export_ends_if_the_system_refuses_a_process(
    stones: rs.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, fork, calls = multiprocessing.active_children(), os.fork, iter([True])

    def once() -> int:
        if next(calls, False):
            return fork()
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", once)
    with pytest.raises(rs.StoreError):
        export_static(stones, "stones", tmp_path / "site", workers=2)
    assert multiprocessing.active_children() == before
