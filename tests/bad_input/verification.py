"""What a proof is asked that it cannot do, and what it says of what does not count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.objectives import objective_of
from retrosolve.solution import preference
from retrosolve.tables import Table
from retrosolve.tables.coded import coded_table
from retrosolve.tables.intervals import IntervalTable
from tests.bad_input import Input, command, notes

FEN = "3k/4/2K1/R3 w - - 90 120"


def look_up_a_fen(folder: Path) -> None:
    preference._note_clock.cache_clear()  # it is said once
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    for _ in range(2):
        solution[FEN]


LOOP = rs.Graph.from_dict(
    {3: [2, 1, 0], 2: [1, 0], 1: [0], "up": ["up", 0], "back": ["up"], "on": ["stay"], "stay": ["stay"]}
)
# Claims that are wrong, by objective: where, the value and the remoteness.
CLAIMS: dict[str, list[tuple[Any, str, int]]] = {
    "outcome": [(3, "draw", -1), ("up", "win", 3), ("on", "loss", 4)],
    "win-loss-draw": [("up", "loss", -1), ("on", "win", -1)],
    "score": [(3, "1", 3), ("on", "-1", 2)],
    "score:levels=no": [("on", "1", -1)],
    "nimber": [
        (3, "2", 0), (3, "3", 2), (3, "3", -1), ("on", "0", 0), ("up", "∞(0)", 2), ("stay", "∞(1)", -1),
        ("back", "∞()", -1), (3, "∞(0,1,2)", -1),
    ],
    "chance": [(3, "-1", -1), ("on", "0", -1)],
}  # fmt: skip


def prove(objective: str, position: Any, label: str, plies: int) -> None:
    """Prove a solution in which one claim is changed."""
    solution = rs.solve(LOOP, objective=objective)
    table, v = solution.table, LOOP.index(position)
    if isinstance(table, IntervalTable):
        bounds = [np.array(bound) for bound in table.bounds[:2]]
        bounds[0][v] = bounds[1][v] = float(label)
        wrong: Table = IntervalTable(*bounds, table.bounds.is_payoff)
    else:
        labels = [outcome.value.label for outcome in solution.values()]
        labels[v] = label
        codec = solution.objective.codec(list(dict.fromkeys(labels)))
        remoteness = table.remoteness().copy()
        remoteness[v] = plies
        values = np.array([codec.value(codec.result(each)) for each in labels], codec.dtype)
        wrong = coded_table(codec, values, remoteness if table.has_remoteness else None)
    rs.verify(rs.Solution(LOOP, wrong, objective=solution.objective))


def ranges(**options: Any) -> Input:
    """Prove a part or a sample of a graph, which has none."""
    return lambda _: rs.verify(rs.solve(LOOP), **options)


INPUTS: dict[str, Input] = {
    **{
        f"prove {objective}: {label} in {plies} at {position}": lambda _, row=(objective, position, label, plies): (
            prove(*row)
        )
        for objective, rows in CLAIMS.items()
        for position, label, plies in rows
    },
    "part of a graph": ranges(part=(1, 2)),
    "part 3 of 2": ranges(part=(3, 2)),
    "sample of a graph": ranges(sample=10),
    "sample of none": ranges(sample=0),
    "sample in a cluster": lambda _: rs.verify(rs.solve(rs.game("tictactoe")), sample=10, partitions=2),
    "part of a game without tiers of its own": lambda _: rs.verify(
        rs.solve(rs.game("morris3")), part=(1, 2)
    ),
    "another stuck rule than that of the objective": lambda _: rs.Solution(
        LOOP, rs.solve(LOOP, objective="score").table, rs.Value.TIE, objective=objective_of("score")
    ),
    "proof within 100 bytes": lambda _: rs.verify(
        rs.solve(rs.game("police"), objective="win-loss-draw"), memory=100
    ),
    "a full proof of a sample": lambda folder: rs.verify(
        rs.solve(rs.game("chess:KRK,board=4")), full=True, sample=100
    ),
    "solve --full without a proof": command("solve", "police", "--full", "--no-verify"),
    "look up a FEN with a clock": notes(look_up_a_fen),
}
