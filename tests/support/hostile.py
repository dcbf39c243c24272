"""Saved solutions that somebody made to run code, or to read a file, where they are opened."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime.sources import load_module
from tests.support.saved import Change, reseal, with_all, with_entry

HEAP = """
import retrosolve as rs


class Heap(rs.Game):
    def __init__(self, n=10):
        self.n = n

    def start(self):
        return self.n

    def moves(self, n):
        return [(f"take {k}", n - k) for k in (1, 2) if k <= n]

    @classmethod
    def touching(cls, path):
        open(path, "a").close()
        return cls()
"""


@dataclass(frozen=True)
class Place:
    """Where hostile solutions are made.

    Parameters
    ----------
    folder : Path
        Where the user works; it is in ``sys.path``, and the current directory.
    canary : Path
        A file that appears if anything of theirs runs.
    """

    folder: Path
    canary: Path

    @property
    def evil(self) -> str:
        """Rules that touch the canary when they are imported."""
        return f"open({str(self.canary)!r}, 'a').close()\n{HEAP}"

    def rules(self, path: Path, source: str) -> dict[str, str]:
        """Write a file of rules; return its path and digest as a spec has them."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return {"path": str(path), "digest": hashlib.sha256(source.encode()).hexdigest()}

    def solution(self, name: str, change: Change | None = None) -> Path:
        """Save a solution of heap.py in the folder, and change its manifest."""
        honest = self.folder / "heap.py"
        honest.write_text(HEAP)
        path = self.folder / name
        rs.solve(load_module(honest).Heap()).save(path)
        if change is not None:
            reseal(path, change)
        return path


def with_spec(**entries: Any) -> Change:
    """A change of entries of the spec."""
    return with_all(*(with_entry(f"space|{key}", found) for key, found in entries.items()))


def relative(at: Place) -> Path:
    """Rules beside the solution, found from the current directory."""
    spec = at.rules(at.folder / "relative.py", at.evil)
    return at.solution("relative", with_spec(path="relative.py", digest=spec["digest"]))


def inside(at: Place) -> Path:
    """Rules in the directory of the solution."""
    path = at.solution("inside")
    reseal(path, with_spec(**at.rules(path / "rules.py", at.evil)))
    return path


def inside_by_dots(at: Place) -> Path:
    """The same by a path with ``..``."""
    path = at.solution("dots")
    spec = at.rules(path / "rules.py", at.evil)
    reseal(path, with_spec(path=f"{path}/../dots/rules.py", digest=spec["digest"]))
    return path


def inside_by_link(at: Place) -> Path:
    """The same by a symbolic link that is outside."""
    path = at.solution("linked")
    spec = at.rules(path / "rules.py", at.evil)
    link = at.folder / "link.py"
    link.symlink_to(path / "rules.py")
    reseal(path, with_spec(path=str(link), digest=spec["digest"]))
    return path


def of_process(at: Place) -> Path:
    """Rules in the current directory, by the files of the process."""
    spec = at.rules(at.folder / "process.py", at.evil)
    return at.solution("process", with_spec(path="/proc/self/cwd/process.py", digest=spec["digest"]))


def of_descriptor(at: Place) -> Path:
    """Rules on standard input."""
    digest = hashlib.sha256(at.evil.encode()).hexdigest()
    return at.solution("descriptor", with_spec(path="/dev/stdin", digest=digest))


def pipe(at: Place) -> Path:
    """Rules that never arrive."""
    os.mkfifo(at.folder / "pipe.py")
    return at.solution("pipe", with_spec(path=str(at.folder / "pipe.py")))


def other_digest(at: Place) -> Path:
    """Rules at an ordinary path that are not those that were saved."""
    return at.solution("changed", with_spec(path=at.rules(at.folder / "changed.py", at.evil)["path"]))


def module_elsewhere(at: Place) -> Path:
    """A module that is another file than the one of the digest."""
    at.rules(at.folder / "elsewhere.py", at.evil)
    return at.solution("elsewhere", with_spec(module="elsewhere"))


def module_in_package(at: Place) -> Path:
    """A module whose package runs code, and whose file is another than the one of the digest."""
    at.rules(at.folder / "evil_package" / "__init__.py", at.evil)
    at.rules(at.folder / "evil_package" / "rules.py", HEAP)
    return at.solution("package", with_spec(module="evil_package.rules"))


def module_without_file(at: Place) -> Path:
    """A module that is no file at all, in a package that runs code."""
    at.rules(at.folder / "evil_parent" / "__init__.py", at.evil)
    return at.solution("parent", with_spec(module="evil_parent.none"))


def module_loaded(at: Place) -> Path:
    """A module that is imported already, and is another file."""
    return at.solution("loaded", with_spec(module="subprocess", name="Popen", arguments={"args": "id"}))


def class_method(at: Place) -> Path:
    """A class method of honest rules that makes no game."""
    change = with_spec(name="Heap.touching", arguments={"path": str(at.canary)})
    return at.solution("method", change)


def no_game(at: Place) -> Path:
    """A class of honest rules that is no game: one that they import."""
    return at.solution("class", with_spec(name="rs"))


def built_in(folder: str, spec: dict[str, Any]) -> Callable[[Place], Path]:
    """A solution that names something in this package."""

    def make(at: Place) -> Path:
        def change(_: Path, manifest: dict[str, Any]) -> None:
            manifest["space"] = {"kind": "rules", "arguments": {}} | spec

        return at.solution(folder, change)

    return make


def board_of_file(at: Place) -> Path:
    """A board that is read from a file of the user."""
    rs.solve(parse_game("police")).save(at.folder / "board")
    change = with_spec(name="PoliceAndThief.from_file", arguments={"path": str(at.canary)})
    reseal(at.folder / "board", change)
    return at.folder / "board"


STONES = {"module": "retrosolve.games.stones", "name": "Stones"}

OUTSIDE: dict[str, Callable[[Place], Path]] = {
    "relative": relative,
    "inside": inside,
    "inside by ..": inside_by_dots,
    "inside by a link": inside_by_link,
    "/proc/self": of_process,
    "/dev/stdin": of_descriptor,
    "pipe": pipe,
    "other digest": other_digest,
    "module elsewhere": module_elsewhere,
    "module in a package": module_in_package,
    "module without a file": module_without_file,
    "module loaded": module_loaded,
    "class method": class_method,
    "no game": no_game,
}
"""Solutions that would run code from outside the package, or call something of it."""

INSIDE: dict[str, Callable[[Place], Path]] = {
    "huge": built_in("huge", STONES | {"arguments": {"n": 10**8}}),
    "huger": built_in("huger", STONES | {"arguments": {"n": 10**80}}),
    "huge index": built_in("index", {
        "module": "retrosolve.games.quoridor", "name": "Quoridor", "arguments": {"n": 7, "walls": 4},
    }),
    "other types": built_in("types", STONES | {"arguments": {"n": "10"}}),
    "function": built_in("function", {"module": "retrosolve.games.table", "name": "parse_game"}),
    "base class": built_in("base", STONES | {"name": "Game"}),
    "other module": built_in("other", {
        "module": "retrosolve.solving", "name": "solve", "path": "/x", "digest": "0" * 64,
    }),
    "method of the class": built_in("new", STONES | {"name": "Stones.__new__"}),
    "reader of files": board_of_file,
}  # fmt: skip
"""Solutions that would have this package do what no saved solution needs."""


def hostile_solutions(folder: Path) -> tuple[Place, dict[str, Path]]:
    """Make one of each kind; return them by what is hostile about them."""
    at = Place(folder.resolve(), folder.resolve() / "canary")
    return at, {name: make(at) for name, make in (OUTSIDE | INSIDE).items()}


def with_bytecode(path: Path, source: str) -> None:
    """Write bytecode of another source where Python keeps that of a file, as if it were its own."""
    import importlib._bootstrap_external as machinery
    import importlib.util

    code = compile(source, str(path), "exec")
    found = path.stat()
    kept = Path(importlib.util.cache_from_source(str(path)))
    shutil.rmtree(kept.parent, ignore_errors=True)
    kept.parent.mkdir()
    kept.write_bytes(machinery._code_to_timestamp_pyc(code, int(found.st_mtime), found.st_size))
    assert sys.implementation.cache_tag in kept.name
