"""Folders that are no saved solution, or a damaged one, or one of other rules, and solves that cannot go on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.spaces.product import ProductSpace
from retrosolve.store import pack
from tests.bad_input import Input, command
from tests.support.hostile import HEAP
from tests.support.saved import (
    Change,
    reseal,
    saved,
    with_all,
    with_array,
    with_entry,
    with_names,
    without,
)
from tests.support.stopping import Stopped, stop_in

GRAPH = rs.Graph.from_edges([0], [1])
ALIKE = rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"])
RING = rs.Graph.from_edges([0, 1, 2], [1, 2, 0])
CONNECT = "connect4:rows=2,columns=3,connect=2"


def opened(kind: str, change: Change | None = None, /, **options: Any) -> Input:
    """Open a saved solution of a kind of ``tests.support.saved``, changed so that all checksums fit."""

    def meet(folder: Path) -> None:
        path = saved(kind, folder)
        if change is not None:
            reseal(path, change)
        with rs.open(path, **{"check": True, "trust_rules": True} | options) as solution:
            solution.space  # noqa: B018

    return meet


def of(name: str, change: Change | None = None, **options: Any) -> Input:
    """Open a saved solution of a built-in game, changed so that all checksums fit."""

    def meet(folder: Path) -> None:
        rs.solve(rs.game(name)).save(folder / "s")
        if change is not None:
            reseal(folder / "s", change)
        with rs.open(folder / "s", **options) as solution:
            solution.space  # noqa: B018

    return meet


def written(name: str, content: str) -> Change:
    """Write a file of a saved solution anew, as a program does that knows nothing of checksums."""
    return lambda folder, _: (folder / name).write_text(content, "utf-8")


def damaged(name: str, data: bytes | None) -> Input:
    """Open a saved solution of which a file is other bytes, or is gone."""

    def meet(folder: Path) -> None:
        path = saved("graph", folder)
        (path / name).unlink() if data is None else (path / name).write_bytes(data)
        rs.open(path, check=True)

    return meet


def saving(name: str, there: str | dict[str, str] | None = None) -> Input:
    """Save where there is a file, or a folder of files."""

    def meet(folder: Path) -> None:
        if isinstance(there, str):
            (folder / name).write_text(there)
        for file, content in there.items() if isinstance(there, dict) else ():
            (folder / name).mkdir(exist_ok=True)
            (folder / name / file).write_text(content)
        rs.solve(GRAPH).save(folder / name)

    return meet


def over_more(folder: Path) -> None:
    rs.solve(GRAPH).save(folder / "s")
    (folder / "s" / "thesis.txt").write_text("precious")
    rs.solve(GRAPH).save(folder / "s")


def second_writer(folder: Path) -> None:
    def second(_: object) -> None:
        rs.solve(GRAPH, out=folder / "s")

    rs.solve(rs.game(CONNECT), out=folder / "s", progress=second)


def rules(change: Callable[[Path], object]) -> Input:
    """Open a solution of rules whose file has changed."""

    def meet(folder: Path) -> None:
        path = saved("explored", folder)
        change(folder / "heap.py")
        rs.open(path, trust_rules=True)[1]

    return meet


class Turned(rs.Game[tuple[int, int]]):
    """Two heaps, whose moves come in another order once the class says so."""

    backwards = False

    def start(self) -> tuple[int, int]:
        return (3, 1)

    def moves(self, position: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = position
        targets = [(a - 1, b)] * (a > 0) + [(a, b - 1)] * (b > 0)
        return targets[::-1] if self.backwards else targets


def turned(folder: Path) -> None:
    rs.solve(Turned()).save(folder / "s")
    game = Turned()
    game.backwards = True
    rs.open(folder / "s", game=game)[(1, 1)]


def without_consent(folder: Path) -> None:
    path = saved("explored", folder)
    (folder / "heap.py").write_text(HEAP)
    reseal(path, with_entry("space|digest", "0" * 64))
    rs.open(path)[1]


class Local(rs.Game[int]):
    def __init__(self, weight: float = 0) -> None:
        self.weight = weight

    def start(self) -> int:
        return 1

    def moves(self, n: int) -> list[int]:
        return [n - 1] if n else []


def unspecified(folder: Path) -> None:
    rs.solve(type("Local", (Local,), {"__qualname__": "f.<locals>.Local"})()).save(folder / "s")
    rs.open(folder / "s")[1]


def infinite(folder: Path) -> None:
    rs.solve(Local(float("inf"))).save(folder / "s")
    rs.open(folder / "s", trust_rules=True)[1]


def closed(folder: Path) -> None:
    with rs.open(saved("graph", folder)) as solution:
        pass
    solution["a"]


def product(folder: Path) -> None:
    terminal = np.zeros(18, np.uint8)
    terminal[0] = rs.Value.WIN
    rs.solve(ProductSpace(RING, RING, terminal)).save(folder / "s")


def tiers(folder: Path) -> None:
    rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3], 5).with_tiers([0, 2])).save(folder / "s")
    reseal(folder / "s", with_array("space/tiers", np.array([0, 2, 1])))
    rs.open(folder / "s").space  # noqa: B018


def no_positions(folder: Path) -> None:
    rs.solve(rs.Graph.from_edges([0, 1], [1, 3], 4, terminal=[0, 0, 255, 0])).save(folder / "s")
    reseal(folder / "s", with_array("space/terminal", np.array([0, 0, 0, 255], np.uint8)))
    rs.open(folder / "s", check=True)


def edges(change: Callable[[Path], object], game: Any = None) -> Input:
    """Open a solution of edges in files that have changed."""

    def meet(folder: Path) -> None:
        (folder / "edges").mkdir()
        (folder / "edges" / "0.csv").write_text("0,1\n1,2\n")
        rs.solve(rs.EdgeParts(folder / "edges")).save(folder / "s")
        change(folder)
        rs.open(folder / "s", game=game).moves(0)

    return meet


def resumed(
    change: Callable[[Path], object] = lambda _: None, game: str = CONNECT, **options: Any
) -> Input:
    """Go on with a solve that was stopped."""

    def meet(folder: Path) -> None:
        try:
            rs.solve(
                rs.game(CONNECT),
                out=folder / "s",
                checkpoint_every=1e-9,
                progress=stop_in("solving", 0.3),
            )
        except Stopped:
            change(folder / ".s.retrosolve-partial")
        rs.solve(rs.game(game), out=folder / "s", **{"resume": True} | options)

    return meet


def uint8(*numbers: int) -> Any:
    return np.array(numbers, np.uint8)


# Changes of a saved graph, of one of rules in a file, and of games of this package.
FORGED: dict[str, dict[str, Change]] = {
    "graph": {
        "another format": with_entry("format", "zip"),
        "another version": with_entry("version", 6),
        "one player": with_entry("players", ["a"]),
        "a start outside": with_entry("start", 9),
        "no objective": with_entry("objective", 3),
        "a histogram of no plies": with_entry("histogram|win", {"01": 1}),
        "another count": with_entry("counts|win", 7),
        "another number of positions": with_entry("num_positions", 4),
        "other counts of players": with_entry("counts_by_player|0|win", 2),
        "counts of no players": with_entry("counts_by_player", []),
        "an array of objects": with_entry("table|arrays|0|dtype", "|O"),
        "a table without arrays": with_entry("table|arrays", []),
        "a table of one number": with_entry("table", 1),
        "a file of an array that is not listed": without("space/indptr/c/0"),
        "a file of no array": with_entry("files|../../x", {"crc32": 0, "bytes": 0}),
        "another number of edges": with_entry("num_edges", 0),
        "another histogram": with_entry("histogram|win", {"3": 1}),
        "another digest": with_entry("table|digest", "0" * 64),
        "an unknown value": with_array("table/value", uint8(1, 2, 7, 3)),
        "an endless win": with_array("table/remoteness", np.array([5, 5, 5, 5])),
        "too few values": with_array("table/value", uint8(1, 2)),
        "values of eight bytes": with_array("table/value", np.array([1, 2, 0, 3])),
        "an edge to nowhere": with_array("space/indices", np.array([1, 0, 2, 9])),
        "too few names": with_names(["a"]),
        "a number as a name": with_names(["a", "b", "c", "d", 1.5]),
        "a name twice": with_names(["a", "b", "c", "d", "a"]),
        "a start of the graph outside": with_entry("space|initial", 9),
        "players that are one": with_entry("space|players", ["a", "a"]),
        "other parities": with_entry("space|parities", [3]),
        "a space of no kind": with_entry("space|kind", "x"),
    },
    "explored": {
        "fewer positions": with_array("space/positions", np.arange(9)),
        "positions in rows": with_array("space/positions", np.arange(11).reshape(11, 1)),
        "other positions": with_array("space/positions", np.arange(11, 22)),
        "rules as a graph": with_entry("space|kind", "graph"),
        "another class": with_entry("space|name", "Pile"),
        "a class without a name": with_entry("space|name", 3),
        "a class method": with_entry("space|name", "Heap.successors"),
        "other arguments": with_entry("space|arguments", {"m": 3}),
        "a module that is not found": with_entry("space|module", "none.such"),
        "no path": with_entry("space|path", ""),
        "a number as a path": with_entry("space|path", 3),
        "a relative path": with_entry("space|path", "heap.py"),
        "a path of the system": with_entry("space|path", "/dev/zero"),
        "no digest": with_entry("space|digest", None),
    },
    "stones": {
        "too large an argument": with_entry("space|arguments", {"n": 10**9}),
        "an argument of another type": with_entry("space|arguments", {"n": True}),
        "text in an argument": with_entry("space|arguments", {"take": {"tuple": ["1"]}}),
        "too large a number in an argument": with_entry("space|arguments", {"take": {"tuple": [10**9]}}),
        "an unknown argument": with_entry("space|arguments", {"m": 3}),
        "more stones": with_entry("space|arguments", {"n": 10**8}),
        "no such module": with_entry("space|module", "retrosolve.games.none"),
        "no game": with_all(with_entry("space|module", "retrosolve.games.stones"), with_entry("space|name", "Game")),
    },
}  # fmt: skip

INPUTS: dict[str, Input] = {
    **{
        f"open {kind} with {name}": (of if kind == "stones" else opened)(kind, change)
        for kind, changes in FORGED.items()
        for name, change in changes.items()
    },
    "open indices that are no positions": no_positions,
    "open tiers that do not rise": tiers,
    "open a chess board of another size": of("chess:KRK,board=3", with_entry("space|arguments|board", 4)),
    "open a board as its text": of("police", with_entry("space|arguments", {"text": "P.T", "board": "P.T"})),
    "open a board with another kind of number": of("police", with_entry("space|arguments", {"text": "P.T", "wrap": 1})),
    "open rules in another order": turned,
    "open without a path": lambda _: rs.open(None),  # type: ignore[arg-type]
    "open nothing": lambda folder: rs.open(folder / "none"),
    "open the root": lambda _: rs.open("/"),
    "open a graph with a game": opened("graph", game=rs.game("stones")),
    "open a game with a number": of("stones", game=7),
    "open a game with another": of("stones", game=rs.game("stones:n=13")),
    "open with consent in words": opened("graph", trust_rules="no"),
    "open rules without consent": without_consent,
    "open rules that are gone": rules(Path.unlink),
    "open rules that have changed": rules(lambda path: path.write_text(HEAP)),
    "open rules of a function": unspecified,
    "open rules made with infinity": infinite,
    "use a closed solution": closed,
    "open a file cut off": damaged("names.json", b"["),
    "open a changed file": damaged("names.json", b'["a", "b", "c", "d", "f"]\n\n'),
    "open without a file": damaged("names.json", None),
    "open an empty manifest": damaged("manifest.json", b""),
    "open a manifest of a list": damaged("manifest.json", b"[]"),
    "open a manifest with a key twice": damaged("manifest.json", b'{"version": 3, "version": 3}'),
    "open a manifest of Latin 1": damaged("manifest.json", b"\xff"),
    "open a changed manifest": damaged("manifest.json", b'{"format": "retrosolve solution", "version": 7}'),
    "open edges that have changed": edges(lambda folder: (folder / "edges" / "1.csv").write_text("2,0\n")),
    "open edges that are gone": edges(lambda folder: shutil.rmtree(folder / "edges")),
    "open edges with a number": edges(lambda _: None, game=3),
    "open edges at a relative path": edges(lambda folder: reseal(folder / "s", with_entry("space|place", "edges"))),
    "open edges of the system": edges(lambda folder: reseal(folder / "s", with_entry("space|place", "/dev"))),
    "open edges of a device": edges(lambda folder: (folder / "edges" / "1.csv").symlink_to("/dev/zero")),
    "save to a number": lambda _: rs.solve(GRAPH).save(3),  # type: ignore[arg-type]
    "save over a file": saving("s", "precious"),
    "save over a folder": saving("s", {"a": "precious"}),
    "save over another manifest": saving("s", {"manifest.json": '{"format": "other"}'}),
    "save over a thesis": over_more,
    "save into no folder": saving("none/s"),
    "save as a file": saving("a.csv"),
    "save names that are alike as text": lambda folder: rs.solve(ALIKE).save(folder / "s"),
    "solve names that are alike as text": lambda folder: rs.solve(ALIKE, out=folder / "s"),
    "save a space without rules": product,
    "save a player of a surrogate": lambda folder: rs.solve(GRAPH.with_start(0, ("x\ud800", "y"))).save(folder / "s"),
    "pack harder than there is": lambda folder: pack(saved("graph", folder), level=23),
    "pack bounds of a graph": lambda folder: pack(saved("graph", folder), round_bounds=True),
    "two solves into a folder": second_writer,
    "solve again without resume": resumed(resume=False),
    "resume with other options": resumed(stuck="win"),
    "resume another game": resumed(game="hexapawn", solver="sweep"),
    "resume a damaged solve": resumed(lambda partial: (partial / "journal.json").write_text("{")),
    "resume without a folder": lambda _: rs.solve(GRAPH, resume=True),
    "snapshots at no time": lambda folder: rs.solve(GRAPH, out=folder / "s", checkpoint_every=0),
    "solve --resume without --out": command("solve", CONNECT, "--resume"),
    "solve --out of a file": command("solve", CONNECT, "--out", "x.csv"),
    "solve --checkpoint-every soon": command("solve", CONNECT, "--out", "s", "--checkpoint-every", "soon"),
    "solve --resume of nothing": command("solve", CONNECT, "--out", "s", "--resume", "--no-verify", "--checkpoint-every", "1.5m"),
}  # fmt: skip
