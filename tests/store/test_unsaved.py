"""Saves that fail, at every step and with every exception: the solution is still there."""

from __future__ import annotations

import errno
import fcntl
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zstandard

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.store import blocks, codec, directory, folder, resume, specs
from tests.conftest import Tune
from tests.support.marks import samples

# What a save calls, as far as it can fail.
CALLS = (
    (os, "fsync"), (os, "rename"), (os, "replace"), (os, "mkdir"), (fcntl, "flock"),
    (Path, "open"), (Path, "write_bytes"), (blocks, "_compressed"), (codec, "write_blocks"),
    (folder, "_exchange"), (folder, "sync_folder"), (directory, "sealed"), (directory, "sync_folder"),
    (directory, "file_checksum"), (specs, "fingerprint"), (resume, "fingerprint"),
    (resume, "write_blocks"), (resume, "sync_folder"),
)  # fmt: skip
FAILURES: tuple[BaseException, ...] = (
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EACCES, "Permission denied"),
    OSError(errno.EROFS, "Read-only file system"),
    TypeError("Object of type int64 is not JSON serializable"),
    rs.StoreError("another process is saving there"),
    zstandard.ZstdError("cannot compress: error determining source size"),
    MemoryError(),
    KeyboardInterrupt(),
)
GAME = "connect4:rows=2,columns=3,connect=2"


class Failing:
    """Raises an exception at the nth call of those that a save makes."""

    def __init__(self) -> None:
        self.left, self.failure = -1, FAILURES[0]
        self.count = 0

    def wrapped(self, call: Any) -> Any:
        def calling(*args: Any, **kwargs: Any) -> Any:
            self.count += 1
            self.left -= 1
            if self.left == -1:
                raise type(self.failure)(*self.failure.args)
            return call(*args, **kwargs)

        return calling

    def at(self, step: int, failure: BaseException) -> None:
        self.left, self.failure, self.count = step, failure, 0


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    found = Failing()
    for place, name in CALLS:
        call = getattr(place, name)
        monkeypatch.setattr(place, name, found.wrapped(call))
    return found


def steps(total: int, few: int) -> list[tuple[int, BaseException]]:
    """Return some steps of a save, each with an exception."""
    assert total > 20
    every = [(step, failure) for step in range(total) for failure in FAILURES]
    return random.Random(total).sample(every, samples(few, 200))


def graph() -> rs.Solution:
    return rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"], terminal={"c": "tie"}))


@pytest.mark.parametrize("make", [graph, lambda: rs.solve(parse_game(GAME))])
def test_a_solution_whose_save_failed_can_be_saved_elsewhere(
    make: Callable[[], rs.Solution], tmp_path: Path, failing: Failing
) -> None:
    old, solution = rs.solve(rs.Graph.from_edges([0], [1])), make()
    old.save(tmp_path / "s")
    failing.at(-1, FAILURES[0])
    solution.save(tmp_path / "counted")
    kept = {old.digest(), solution.digest()}
    for step, failure in steps(failing.count, 12):
        failing.at(step, failure)
        try:
            solution.save(tmp_path / "s")
        except BaseException as error:
            known = isinstance(error, OSError | rs.StoreError | type(failure))
            assert known and not isinstance(error, OSError)  # noqa: PT017, PT018
        failing.at(-1, failure)
        with rs.open(tmp_path / "s", check=True) as there:
            assert there.digest() in kept
        solution.save(tmp_path / "elsewhere")
        with rs.open(tmp_path / "elsewhere", check=True) as opened:
            assert (opened.digest(), opened.counts()) == (solution.digest(), solution.counts())
        old.save(tmp_path / "s")
        assert {path.name for path in tmp_path.iterdir()} == {"s", "counted", "elsewhere"}


@contextmanager
def only_while_finishing(monkeypatch: pytest.MonkeyPatch, failing: Failing) -> Iterator[None]:
    """Let calls fail only once a solve is finished."""
    finish, step = resume.ResumableSolve.finish, failing.left

    def finishing(self: resume.ResumableSolve, saved: Any) -> Any:
        failing.at(step, failing.failure)
        return finish(self, saved)

    failing.left = -1
    with monkeypatch.context() as patch:
        patch.setattr(resume.ResumableSolve, "finish", finishing)
        yield
    failing.left = -1


KINDS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "graph": (lambda: rs.Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 3]), {}),
    "tiers in memory": (lambda: parse_game(GAME), {}),
    "tiers on disk": (lambda: parse_game(GAME), {"max_held_bytes": 0}),
    "board": (lambda: parse_game("police"), {}),
}


@pytest.mark.long(but=1)
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("kind", KINDS)
def test_an_exception_of_the_last_save_of_a_solve_holds_the_solution(
    kind: str, tmp_path: Path, failing: Failing, monkeypatch: pytest.MonkeyPatch, tune: Tune
) -> None:
    make, tuned = KINDS[kind]
    game = make()
    expected = rs.solve(game).digest()
    tune(**tuned)
    failing.at(-1, FAILURES[0])
    with only_while_finishing(monkeypatch, failing):
        rs.solve(game, out=tmp_path / "counted")
        total = failing.count
    given = None if kind == "graph" else game
    for step, failure in steps(total, 5):
        failing.at(step, failure)
        with only_while_finishing(monkeypatch, failing):
            try:
                solution = rs.solve(game, out=tmp_path / "s")
            except BaseException as error:
                assert isinstance(error, rs.StoreError | KeyboardInterrupt)  # noqa: PT017
                solution = error.solution  # type: ignore[union-attr]
        assert solution.digest() == expected
        rs.verify(solution)
        solution.save(tmp_path / "elsewhere")
        with rs.open(tmp_path / "elsewhere", game=given, check=True) as opened:
            assert opened.digest() == expected
        assert rs.solve(game, out=tmp_path / "s", resume=True).digest() == expected
        solution.save(tmp_path / "s")
        assert {path.name for path in tmp_path.iterdir()} == {"s", "counted", "elsewhere"}, (
            step,
            failure,
        )


def test_what_was_not_solved_is_no_attribute_of_the_exception(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a file")
    with pytest.raises(rs.StoreError) as raised:
        rs.solve(rs.Graph.from_edges([0], [1]), out=tmp_path / "s")
    assert raised.value.solution is None
