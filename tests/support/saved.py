"""What the tests of saved solutions share: one of each kind, and changes that its checksums do not show."""

from __future__ import annotations

import atexit
import json
import random
import shutil
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.runtime.sources import load_module
from retrosolve.store.blocks import ArrayWriter, write_blocks
from retrosolve.store.manifest import MANIFEST, sealed
from retrosolve.tables import PackedTable

Change = Callable[[Path, dict[str, Any]], None]

COMPILED = """
import retrosolve as rs


class Heap(rs.CompiledGame):
    max_moves = 2

    def __init__(self, n=10):
        self.n = n

    def start(self):
        return self.n

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)
"""

ARRAYS = {
    "graph": ("space/indptr", "space/indices", "space/owner", "space/terminal"),
    "explored": ("space/positions",),
    "board": (),
}
CODES = ("table/value", "table/remoteness", "table/part-0")


def files_of(kind: str) -> list[str]:
    """The files of a kind of saved solution, besides the manifest."""
    arrays = [*ARRAYS[kind], *CODES]
    groups = sorted({array.partition("/")[0] for array in arrays})
    chunks = [f"{array}/c/0" for array in arrays]
    names = ["names.json"] if kind == "graph" else []
    return (
        [f"{name}zarr.json" for name in ("", *(f"{x}/" for x in [*groups, *arrays]))] + chunks + names
    )


KIND_OF = {name: kind for kind in ("board", "explored", "graph") for name in files_of(kind)}
ALL_FILES = [*KIND_OF, MANIFEST]
MAPPED = [name for name in KIND_OF if not name.endswith(".json")]


def kind_with(name: str) -> str:
    """A kind of saved solution that has a file of this name."""
    return KIND_OF.get(name, "graph")


def solved(kind: str, folder: Path) -> rs.Solution:
    """A solution of a kind; rules are written to the folder."""
    if kind == "graph":
        edges = [0, 1, 1, 2], [1, 0, 2, 3]
        names = ["a", "b", "c", "d", "e"]
        return rs.solve(rs.Graph.from_edges(*edges, 5, [0, 1, 0, 1, 0], {"e": "tie"}, names=names))
    if kind == "board":
        return rs.solve(parse_game("police"), objective="win-loss-draw")
    rules = folder / "heap.py"
    rules.write_text(COMPILED)
    solution = rs.solve(load_module(rules).Heap())
    return rs.Solution(solution.space, PackedTable(solution.table.packed()), solver=solution.solver)


def saved(kind: str, folder: Path) -> Path:
    """The path of a saved solution of a kind."""
    if kind == "explored":  # of rules in this folder
        solved(kind, folder).save(folder / "s")
    else:
        shutil.copytree(_saved_once(kind), folder / "s")
    return folder / "s"


@cache
def _saved_once(kind: str) -> Path:
    """The path of one that is copied."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    solved(kind, folder).save(folder / "s")
    return folder / "s"


# -- changes that fit all checksums -------------------------------------------------------------------


def reseal(saved: Path, change: Change) -> None:
    """Change a saved solution, its manifest made to fit."""
    path = saved / MANIFEST
    manifest = json.loads(path.read_text())
    change(saved, manifest)
    path.write_bytes(sealed(manifest))


def with_entry(key: str, found: Any) -> Change:
    """A change of one entry of the manifest, or of an object in it: ``space|kind``."""

    def change(_: Path, manifest: dict[str, Any]) -> None:
        inside: Any = manifest
        *parts, last = key.split("|")
        for part in parts:
            inside = inside[int(part) if isinstance(inside, list) else part]
        inside[int(last) if isinstance(inside, list) else last] = found

    return change


def without(key: str) -> Change:
    """A manifest without an entry, or without one of its files."""

    def change(_: Path, manifest: dict[str, Any]) -> None:
        del (manifest["files"] if key in manifest["files"] else manifest)[key]

    return change


def with_array(name: str, array: Any) -> Change:
    """A change of one array, its files, its description and the checksums made to fit."""

    def change(folder: Path, manifest: dict[str, Any]) -> None:
        array_ = np.asarray(array)
        with tempfile.TemporaryDirectory() as temporary:
            writer = ArrayWriter(Path(temporary) / "z", {})
            if "part-" in name:
                stored = writer.blocks(name, len(array_), array_.dtype, 3)
                write_blocks(writer.folder, stored, 3, lambda a, b: array_[a:b])
            else:
                stored = writer.whole(name, array_)
            shutil.rmtree(folder / name)
            shutil.move(Path(temporary) / "z" / name, folder / name)
        listed = manifest["arrays"] if name.startswith("space") else manifest["table"]["arrays"]
        listed[:] = [stored.record() if other["name"] == name else other for other in listed]
        files = manifest["files"]
        for old in [file for file in files if file.startswith(name + "/")]:
            del files[old]
        for path in (folder / name).rglob("*"):
            if path.is_file():
                files[path.relative_to(folder).as_posix()] = facts(path)

    return change


def with_names(names: Any) -> Change:
    def change(folder: Path, manifest: dict[str, Any]) -> None:
        (folder / "names.json").write_text(json.dumps(names))
        manifest["files"]["names.json"] = facts(folder / "names.json")

    return change


def with_all(*changes: Change) -> Change:
    def change(folder: Path, manifest: dict[str, Any]) -> None:
        for one in changes:
            one(folder, manifest)

    return change


def facts(path: Path) -> dict[str, int]:
    """What a manifest says about a file."""
    data = path.read_bytes()
    return {"bytes": len(data), "crc32": zlib.crc32(data)}


FACTS: dict[str, Callable[[rs.Solution], Any]] = {
    **{
        name: lambda solution, name=name: getattr(solution, name)()
        for name in ("digest", "counts", "histogram", "longest", "counts_by_player", "__len__", "__repr__")
    },
    **{
        name: lambda solution, name=name: getattr(solution, name)
        for name in ("start", "objective", "stuck", "solver", "num_edges", "verified")
    },
    "players": lambda solution: solution.space.players,
    "has_remoteness": lambda solution: solution.table.has_remoteness,
    "dtypes": lambda solution: [each.dtype for each in (solution.table.values(), solution.table.remoteness())],
}  # fmt: skip


def says_the_same(found: rs.Solution, solution: rs.Solution, count: int = 40) -> None:
    """Check that a solution says what another does of each position, and the moves of some."""
    for name, ask in FACTS.items():
        assert ask(found) == ask(solution), name
    assert list(found.items()) == list(solution.items())
    for each in (found.table.values, found.table.remoteness):
        assert np.array_equal(each(), getattr(solution.table, each.__name__)())
    positions = list(solution)
    for position in random.Random(1).sample(positions, min(count, len(positions))):
        assert found[position] == solution[position]
        assert found.moves(position) == solution.moves(position)
        assert found.best_moves(position) == solution.best_moves(position)
        assert found.space.text(position) == solution.space.text(position)
        assert found.space.svg(position) == solution.space.svg(position)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
