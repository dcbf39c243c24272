"""Objectives and results that cannot be used, and games that an objective does not take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.games.pig import Pig
from retrosolve.objectives import Margin, NimValue, Outcome, from_record
from retrosolve.runtime.context import Context
from retrosolve.tables import ArrayTable
from retrosolve.verification import local
from retrosolve.web.library import Entry
from tests.bad_input import Input, command

GRAPH = rs.Graph.from_edges([0], [1])


class Unchanged(Outcome):
    """Wins and losses for which no move counts."""

    def seen(self, words, edges):  # type: ignore[no-untyped-def]
        return words


def prove_uncounted_moves() -> None:
    table = ArrayTable(np.array([1, 1], np.uint8), np.zeros(2, np.int32))
    local.prove(
        rs.Solution(rs.Graph.from_edges([0, 1], [1, 0]), table, objective=Unchanged()), Context()
    )


def scores(count: int) -> rs.Solution:
    graph = rs.Graph.from_edges([0], [1], vertices=count, payoff=[0, *range(1, count)])
    return rs.solve(graph, objective="score")


LOOP = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
ASKED = (
    "points", "outcome:depth=3", "outcome:stuck=draw", "conversion:limit=0", "conversion:limits=9",
    "conversion:limit=9,limit=9", "score:levels=maybe", "score:komi=3", "chance:tolerance=2", "chance:tolerance=much",
    "nimber:stuck=win", "conversion",
)  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "a number": {"objective": 3},
    "a stuck rule twice": {"objective": "outcome:stuck=win", "stuck": "tie"},
    "an objective and a stuck rule": {"objective": Outcome("win"), "stuck": "tie"},
    "nimbers, backwards": {"objective": "nimber", "solver": "retrograde"},
    "scores in a cluster": {"objective": "score", "solver": "ray"},
}
POINTS: dict[str, dict[str, Any]] = {
    "payoff of a position that goes on": {"payoff": [0, 1, 0]},
    "reward on a cycle": {"reward": [1, 0, 0]},
    "too few rewards": {"reward": [0, 0]},
    "payoff of an unknown vertex": {"payoff": {5: 1}},
    "half a point": {"payoff": {2: 0.5}},
    "too many points": {"payoff": [0, 0, 10**7]},
    "no edges of chance": {"owner": [0, 0, rs.CHANCE]},
    "weight 0 of chance": {"owner": [0, rs.CHANCE, 0], "weight": [1, 0, 1]},
    "negative weight": {"owner": [0, rs.CHANCE, 0], "weight": [1, -1, 1]},
    "too few weights": {"owner": [0, rs.CHANCE, 0], "weight": [1, 1]},
    "reward where chance moves": {"owner": [0, rs.CHANCE, 0], "reward": [0, 0, 5], "payoff": [0, 0, 1]},
    "win where chance moves": {"owner": [0, 0, rs.CHANCE], "terminal": {2: "win"}},
    "payoff where chance moves": {
        "owner": [0, 0, rs.CHANCE], "terminal": {2: "tie"}, "payoff": [0, 0, 2],
    },
}  # fmt: skip
FILES = {
    "reward in DOT": ("g.dot", "digraph { a -> b [reward=x]; }"),
    "reward in a table": ("g.csv", "source,target,reward\na,b,x\n"),
    "two columns of rewards": ("g.csv", "source,target,reward,Reward\na,b,1,2\n"),
    "reward on a cycle in a table": ("g.csv", "source,target,reward\na,b,1\nb,a,0\n"),
}


class Loop(rs.Game[int]):
    """A cycle on which a move has a reward."""

    def __init__(self, points: Any) -> None:
        self.points = points

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[int]:
        return [[1, 2], [0], []][n]

    def reward(self, n: int, target: int) -> Any:
        return self.points if target == 1 else 0


class Track(rs.Game[int]):
    """A throw, and moves that end the game at 3, where chance would move next."""

    def __init__(self, end: rs.Value | None = None, points: int = 0) -> None:
        self.end, self.points = end, points

    def start(self) -> int:
        return 0

    def player(self, position: int) -> int:
        return 0 if position in (1, 2) else rs.CHANCE

    def moves(self, position: int) -> list[int]:
        return [[1, 2], [3], [3], []][position]

    def terminal(self, position: int) -> rs.Value | None:
        return self.end if position == 3 else None

    def payoff(self, position: int) -> int:
        return self.points

    def implements(self, name: str) -> bool:
        return super().implements(name) and (name != "payoff" or self.points != 0)


class PaidThrows(Pig):
    """Rules with throws and rewards."""

    def reward(position: int, target: int, data: Any) -> int:  # noqa: N805
        return 1


def edges_on_disk(folder: Path, objective: str) -> None:
    np.save(folder / "0.npy", np.array([[0, 1], [1, 0], [1, 2]], np.int32))
    rs.solve(rs.EdgeParts(folder), objective=objective)


TRACKS = {"a loss": (rs.Value.LOSS, 0), "a payoff": (rs.Value.LOSS, -1), "no move": (None, 0)}
COIN = rs.Graph.from_edges([0, 0], [1, 2], owner=[rs.CHANCE, 0, 0], weight=[2, 1])

INPUTS: dict[str, Input] = {
    **{f"ask for {text}": lambda _, text=text: rs.solve(LOOP, objective=text) for text in ASKED},
    **{
        f"ask for {name}": lambda _, more=more: rs.solve(LOOP, **more) for name, more in OPTIONS.items()
    },
    **{
        name: lambda _, more=more: rs.Graph.from_edges([0, 1, 1], [1, 0, 2], 3, **more)
        for name, more in POINTS.items()
    },
    **{name: command("solve", file, **{file: text}) for name, (file, text) in FILES.items()},
    **{
        f"{name} where chance moves next": lambda _, end=end: rs.solve(Track(*end))
        for name, end in TRACKS.items()
    },
    **{
        f"check {name} where chance moves next": lambda _, end=end: rs.check_game(Track(*end))
        for name, end in TRACKS.items()
    },
    **{
        f"rules with {points} for a move on a cycle": lambda _, points=points: rs.solve(Loop(points))
        for points in (1, 0.5)
    },
    **{
        f"{name} of edges on disk": lambda folder, name=name: edges_on_disk(folder, name)
        for name in ("nimber", "score")
    },
    "rewards of rules with throws": lambda _: rs.solve(PaidThrows(goal=10)),
    "scores where chance moves": lambda _: rs.solve(COIN, objective="score"),
    "nimbers of owners": lambda _: rs.solve(
        rs.Graph.from_edges([0], [1], owner=[0, 1]), objective="nimber"
    ),
    "nimbers of terminal values": lambda _: rs.solve(
        rs.Graph.from_edges([0], [1], terminal={1: "loss"}), objective="nimber"
    ),
    "no label of a nimber": lambda _: NimValue.parse("∞(1,0)"),
    "no label of a score": lambda _: Margin.parse("many"),
    "values without remoteness in a table": lambda folder: rs.write(
        rs.solve(LOOP, objective="win-loss-draw"), folder / "g.csv"
    ),
    "rewards in .pg": lambda folder: rs.write(
        rs.Graph.from_edges([0, 1], [1, 2], reward=[1, 0]), folder / "g.pg"
    ),
    "scores in .pg": lambda folder: rs.write(rs.solve(LOOP, objective="score"), folder / "g.pg"),
    "chance in .pg": lambda folder: rs.write(
        rs.Graph.from_edges([0, 0], [1, 2], owner=[rs.CHANCE, 0, 0]), folder / "g.pg"
    ),
    "weights in .pg": lambda folder: rs.write(COIN, folder / "g.pg"),
    "pages of heaps": lambda _: Entry("kayles", "kayles", rs.solve(rs.game("octal:n=9"))),
    "scores as intervals": lambda _: rs.solve(GRAPH, objective="score:endless=interval"),
    "scores as intervals, saved by an earlier version": lambda _: from_record(
        {"name": "score", "parameters": {"stuck": "loss", "endless": "interval"}}
    ),
    "scores as intervals, in a file of an earlier version": command(
        "verify",
        "g.json",
        **{
            "g.json": '{"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []], '
            '"objective": "score:stuck=loss,endless=interval", "score": ["1", "-1"]}'
        },
    ),
    "scores by another worth of endless play": lambda _: rs.solve(GRAPH, objective="score:endless=1"),
    "prove moves that do not count": lambda folder: prove_uncounted_moves(),
    "look for one of few scores": lambda folder: scores(4).where("9"),
    "look for one of many scores": lambda folder: scores(40).where("99"),
}
