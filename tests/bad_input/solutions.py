"""What is asked of a solution that it cannot answer: positions, values, policies, sums and features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.games.pig import Pig
from retrosolve.objectives import Nimber
from tests.bad_input import Input, command
from tests.support.even import EVEN, Even

STONES = rs.game("stones:n=10,take=1+2")
OWNED = rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1])
PAIRS = rs.Graph.from_dict({(0, 0): [(0, 1)]})
HEAP = rs.Graph.from_edges([1], [0])


class Features(Even):
    """Rules whose features are what they are made with."""

    def __init__(self, made: Any) -> None:
        self.made = made

    def features(self, position: int) -> Any:
        return self.made(position)


class Raising(Even):
    """Rules that raise for what is no position, each in its own way."""

    @staticmethod
    def rank(position, data):  # type: ignore[no-untyped-def]
        return [*range(1000)][position // 2] if position % 2 == 0 else 1 // 0

    def parse(self, text: str) -> Any:
        return {"none": None, "float": 4.0}.get(text) or int(text[1:-1])


def ask(subject: Any, question: Any, **options: Any) -> Input:
    """Ask a question of a solution."""
    return lambda _: question(rs.solve(subject, **options))


def probe(*arguments: str) -> Input:
    """Ask the command about the game of even numbers."""
    return command("probe", "even.py:Even", *arguments, **{"even.py": EVEN.read_text()})


def nothing_in_common(folder: Path) -> None:
    one, other = (folder / f"{name}.json" for name in "ab")
    rs.write(rs.Graph.from_edges(["a"], ["b"]), one)
    rs.write(rs.Graph.from_edges(["c"], ["d"]), other)
    raise rs.RetrosolveError(str(rs.compare(*(rs.solve(rs.read_graph(path)) for path in (one, other)))))


def summed(summand: Any) -> Input:
    return lambda _: rs.sum((rs.solve(HEAP, objective="nimber"), 1), summand())


def regret(policy: Any, subject: Any = STONES, **options: Any) -> Input:
    return lambda _: rs.solve(subject, **options).regret(policy)


POSITIONS: tuple[Any, ...] = (3, 2001, 2**63, 4.0, "hello", None)
RAISED: tuple[Any, ...] = (3, 4000, "(x)", "none", "float")

INPUTS: dict[str, Input] = {
    **{f"look up {at!r}": ask(Even(), lambda s, at=at: s[at]) for at in POSITIONS},
    **{f"look up {at!r} by rules that raise": ask(Raising(), lambda s, at=at: s[at]) for at in RAISED},
    "look up what was not reached": ask(STONES, lambda s: s.outcomes([3, 11])),
    "look up nothing in a list": ask(STONES, lambda s: s.outcomes([3, None])),
    "look up an odd text in a list": ask(STONES, lambda s: s.best(["x"])),
    "look up a text as a list": ask(STONES, lambda s: s.outcomes("3")),
    "look up a position as a list": ask(PAIRS, lambda s: s.best((0, 1))),
    "look up rows of rows": ask(STONES, lambda s: s.outcomes(np.zeros((1, 1, 1), np.int64))),
    "probe an odd number": probe("3"),
    "probe an index outside": probe("#1000"),
    "select an unknown value": ask(HEAP, lambda s: s.where("won")),
    "select plies in words": ask(HEAP, lambda s: s.where(remoteness="3")),
    "select plies where there are none": ask(rs.game("police"), lambda s: s.where(remoteness=1), objective="win-loss-draw"),
    "a line of a part of a move": ask(HEAP, lambda s: s.line(1, 1.5)),
    "a winner without owners": ask(HEAP, lambda s: s.winner()),
    "a winner of endless play": ask(OWNED, lambda s: s.winner(endless=2)),
    "a winner of endless points": ask(OWNED, lambda s: s.winner(endless=0), objective="score"),
    "two answers for stuck": lambda _: rs.Solution(HEAP, rs.solve(HEAP).table, rs.Value.WIN, objective=Nimber()),
    "compare with a number": lambda _: rs.compare(rs.solve(HEAP), 3),  # type: ignore[arg-type]
    "compare nothing in common": nothing_in_common,
    "progress that is no function": lambda _: rs.compare(rs.solve(HEAP), rs.solve(HEAP), progress=True),  # type: ignore[arg-type]
    "a policy that is a number": regret(3),
    "a policy without a move": regret({}),
    "a policy that chooses nothing": regret(lambda n: None),
    "a policy that chooses another position": regret(lambda n: 7),
    "a policy for nimbers": regret({}, objective="nimber"),
    "a policy before a throw": regret(lambda n: 0, Pig(4)),
    "a sum with a number": summed(lambda: 5),
    "a sum with outcomes": summed(lambda: rs.solve(HEAP)),
    "a sum without a position": summed(lambda: rs.solve(HEAP, objective="nimber")),
    "probe a sum of outcomes": command("probe", "stones:n=7", "--sum", "7"),
    "probe a sum by an index": command("probe", "stones:n=7", "--objective", "nimber", "--sum", "--index", "7"),
    "features of a graph": ask(HEAP, lambda s: s.features()),
    "features of other lengths": ask(Features(lambda n: [0] * (n + 1)), lambda s: s.features()),
    "features in words": ask(Features(lambda n: ["x"]), lambda s: s.features()),
    "one feature": ask(Features(lambda n: n), lambda s: s.features()),
    "check words as features": lambda _: rs.check_game(Features(lambda n: ["x"])),
}  # fmt: skip
