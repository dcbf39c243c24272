"""Objectives and results that cannot be used."""

from __future__ import annotations

import numpy as np

import retrosolve as rs
from retrosolve.objectives import Outcome, from_record
from retrosolve.runtime.context import Context
from retrosolve.tables import ArrayTable
from retrosolve.verification import local
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
    "prove moves that do not count": lambda folder: prove_uncounted_moves(),
    "look for one of few scores": lambda folder: scores(4).where("9"),
    "look for one of many scores": lambda folder: scores(40).where("99"),
}
