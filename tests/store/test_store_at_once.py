"""Saved solutions opened and replaced by several at once: all of one save, and nothing left over."""

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.store import directory, folder, manifest
from tests.support.programs import started
from tests.support.saved import says_the_same

RING = [(v, (v + 1) % 40) for v in range(40)]


def numbered(k: int) -> rs.Solution:
    """One of many solutions of the same size, told apart by its only end, vertex k."""
    source = [v for v, _ in RING if v != k]
    target = [w for v, w in RING if v != k]
    return rs.solve(rs.Graph.from_edges([*source, *source[:1]], [*target, *target[:1]], 40))


def which(solution: rs.Solution) -> int:
    """Which of them it is; it must be entirely that one."""
    k = int(np.argmin(solution.remoteness()))
    says_the_same(solution, numbered(k), count=3)
    assert solution.space == numbered(k).space
    return k


def left(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def once(action: Callable[[], object]) -> Callable[[], None]:
    """A call that does something the first time only."""
    waiting = [action]

    def call() -> None:
        if waiting:
            waiting.pop()()

    return call


@pytest.mark.parametrize("step", ["_check_entries", "check_files", "parts"])
@pytest.mark.parametrize("saves", [1, 2])
def test_a_save_while_one_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, saves: int
) -> None:
    path = tmp_path / "s"
    numbered(1).save(path)

    def save() -> None:
        for k in range(2, 2 + saves):
            numbered(k).save(path)

    save_once = once(save)
    place = directory.Archive if step == "parts" else manifest.Manifest
    original = getattr(place, step)

    def saving(self: Any, *arguments: Any) -> Any:
        save_once()
        return original(self, *arguments)

    monkeypatch.setattr(place, step, saving)
    # Once all files are open it is the older solution; before that it is looked at again.
    assert which(rs.open(path, check=True)) == (1 + saves if step == "_check_entries" else 1)
    assert which(rs.open(path)) == 1 + saves
    assert left(tmp_path) == ["s"]


@pytest.mark.parametrize("there", [True, False])
def test_the_second_of_two_writers_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    path = tmp_path / "s"
    if there:
        numbered(1).save(path)
    refused = []
    original = directory.file_checksum

    def writing(file: Any) -> int:
        if not refused:
            with pytest.raises(rs.StoreError) as raised:
                numbered(2).save(path)
            refused.append(raised)
            numbered(3).save(tmp_path / "other")
        return original(file)

    monkeypatch.setattr(directory, "file_checksum", writing)
    numbered(4).save(path)
    monkeypatch.undo()
    assert len(refused) == 1
    assert which(rs.open(path)) == 4
    numbered(5).save(path)
    assert which(rs.open(path)) == 5
    assert sorted(left(tmp_path)) == ["other", "s"]


def test_a_solution_opened_between_the_two_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_exchange", lambda *_: False)  # as on other systems than Linux
    path = tmp_path / "s"
    numbered(1).save(path)
    rename = os.rename
    opened: list[rs.Solution] = []

    def renaming(source: Any, target: Any) -> None:
        if Path(target) == path:
            opened.append(rs.open(path))  # there is nothing at the path now
        rename(source, target)

    monkeypatch.setattr(os, "rename", renaming)
    numbered(2).save(path)
    opened.append(rs.open(path))
    assert [which(solution) for solution in opened] == [1, 2]


SAVING = """
import sys

sys.path.insert(0, sys.argv[1])
import retrosolve as rs
from tests.store.test_store_at_once import numbered

first = int(sys.argv[3])
solutions = [numbered(k) for k in range(first, first + 3)]
print("ready", flush=True)
sys.stdin.readline()
saved = refused = 0
while saved < 12:
    try:
        solutions[saved % 3].save(sys.argv[2])
        saved += 1
    except rs.StoreError as error:
        assert "another process is saving there" in str(error), error
        refused += 1
print(refused)
"""


@pytest.mark.long
def test_three_programs_save_while_others_open(tmp_path: Path) -> None:
    path = tmp_path / "s"
    numbered(0).save(path)
    here = str(Path(__file__).parent.parent.parent)
    seen = []
    with ExitStack() as programs:
        commands = [
            [sys.executable, "-c", SAVING, here, str(path), str(first)] for first in (1, 11, 21)
        ]
        writers = [programs.enter_context(started(each, stdin=subprocess.PIPE)) for each in commands]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        while any(writer.poll() is None for writer in writers):
            solution = rs.open(path, check=len(seen) % 2 == 0)
            seen.append(which(solution))
        refused = [int(writer.communicate()[0]) for writer in writers]
    assert sum(refused) > 0
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert len(set(seen)) > 1
    assert set(seen) <= {0, 1, 2, 3, 11, 12, 13, 21, 22, 23}
    assert which(rs.open(path)) in {1, 2, 3, 11, 12, 13, 21, 22, 23}
    assert left(tmp_path) == ["s"]
