"""Questions that nobody answers."""

from __future__ import annotations

import retrosolve as rs
from retrosolve.objectives import from_record
from tests.bad_input import Input, command

GRAPH = rs.Graph.from_edges([0], [1])

INPUTS: dict[str, Input] = {
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
}
