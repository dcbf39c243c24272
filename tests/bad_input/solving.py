"""Bad calls of solve, plan, explain and trace, and rules that a solver finds to be wrong."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve import ranking
from retrosolve.explanation import trace
from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.runtime import tuning
from retrosolve.testing import CompiledGraphGame
from tests.bad_input import Input, command

STONES = rs.game("stones:n=3")
AWARI = rs.game("awari:seeds=2,pits=1")
TWICE = rs.Graph.from_edges([2], [0], 3, owner=[0, 1, 0])
CHAIN = rs.Graph.from_edges(range(1, 100), range(99))


class Steps(rs.CompiledGame):
    """Numbers, two in a tier; each goes down by 1, or by 2."""

    max_moves = 2
    size = 8
    tiers = tuple(range(0, 8, 2))

    def __init__(self, targets: Any = range, last: int = 0) -> None:
        self.targets = targets
        self.data = (last,)

    def start(self) -> int:
        return 7

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0], out[1] = max(position - 1, data[0]), max(position - 2, data[0])
        return 2 if position else int(data[0] > 0)

    def tier_targets(self, tier: int) -> Any:
        return self.targets(tier) if callable(self.targets) else self.targets


def swept(targets: Any, folder: Path) -> object:
    with tuning.using(max_held_bytes=0):
        return rs.solve(Steps(targets), out=folder / "s", solver="sweep")


def partitioned(subject: Any) -> object:
    from retrosolve import distributed
    from retrosolve.runtime.context import ClusterOptions, Context
    from tests.support.partitions import InlineGroup

    options = ClusterOptions(partitions=2, open_group=InlineGroup)
    return distributed.solve(subject.state_space(), rs.Value.LOSS, Context(cluster=options))


def solve(subject: Any = TWICE, **options: Any) -> Input:
    return lambda _: rs.solve(subject, **options)


def explain(*arguments: Any, **options: Any) -> Input:
    return lambda _: rs.explain(*arguments, **options)


INPUTS: dict[str, Input] = {
    "solve a number": solve(42),
    "solve text": solve("graph"),
    "plan text": lambda _: rs.plan("graph"),  # type: ignore[call-overload]
    "solve an edge of one vertex": command("solve", "g.txt", **{"g.txt": "1 2\n2\n"}),
    "an unknown value of who cannot move": solve(stuck="draw"),
    "an unknown solver": solve(solver="fast"),
    "plan by an unknown solver": lambda _: rs.plan(TWICE, solver="fast"),
    "a graph for the solver of boards": solve(solver="bitset"),
    "a cycle for the solver of none": solve(rs.Graph.from_dict({"a": ["b"], "b": ["c"], "c": ["b"]}), solver="acyclic"),
    "no threads": solve(threads=0),
    "half a byte": solve(memory=0.5),
    "a budget in apples": solve(memory="2 apples"),
    "a budget of nothing": solve(CHAIN, memory="1kB"),
    "a folder in less than its least budget": lambda folder: rs.solve(
        rs.game("connect4:rows=3,columns=3,connect=3"), out=folder / "s", memory=700
    ),
    "partitions on one machine": solve(partitions=2),
    "no partitions": solve(solver="ray", partitions=0),
    # -- rules
    "a tier that is left out": partial(swept, lambda tier: range(min(tier, 1))),
    "a tier below the first": partial(swept, [-1]),
    "tiers as a number": partial(swept, 3),
    "a move to a later tier, in partitions": lambda _: partitioned(Steps(last=7)),
    "predecessor indices with a player": solve(
        CompiledGraphGame(TWICE, "predecessors", "survey", "predecessor_indices")
    ),
    # -- lanes
    "a tolerance for more than four bytes": solve(rs.game("bearoff:checkers=2"), solver="lanes"),
    "dice without lanes": solve(rs.game("pig:goal=5"), solver="lanes"),
    "a lane with two ends": lambda _: ranking.Lanes.of([2, 1], [1], [0, 0, 0, 1], [0]),
    "a lane with a throw without weight": lambda _: ranking.Lanes.of([1, 1], [0], [0, 0, 1], [0]),
    "a lane with a move that stays": lambda _: ranking.Lanes.of([1, 1], [1], [0, 0, 1], [1]),
    # -- explanations
    "explain to no depth": explain(STONES, 3, depth=0),
    "explain a win without remoteness": lambda _: rs.explain(
        rs.solve(TWICE, objective="win-loss-draw"), 0
    ),
    "explain the steps of many positions": explain(rs.Graph.from_edges([], [], 201)),
    "explain the steps for points": explain(AWARI),
    "trace too many positions": lambda _: trace(rs.Graph.from_edges([], [], MAX_MOVES + 1)),
    "trace too many moves": lambda _: trace(
        rs.Graph.from_edges(*np.repeat([[0], [1]], MAX_MOVES + 1, 1))
    ),
}  # fmt: skip
