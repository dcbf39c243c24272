"""Rules that throw dice in a wrong way."""

from __future__ import annotations

from typing import Any

import retrosolve as rs
from tests.bad_input import Input


class Forever(rs.CompiledGame):
    """A throw that leads nowhere, and one that ends the game."""

    max_moves, max_outcomes, size = 2, 2, 2

    @staticmethod
    def terminal(position: int, data: object) -> int:
        return 1 if position == 1 else 0

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: object) -> int:
        out[0], out[1], weights[0], weights[1] = 10, 11, 1, 1
        return 2

    @staticmethod
    def successors(position: int, out: Any, data: object) -> int:
        out[0] = ~(position - 10)
        return 1


def weightless(position: int, out: Any, weights: Any, data: object) -> int:
    out[0], weights[0] = 10, 0
    return 1


def changed(**rules: Any) -> Input:
    return lambda folder: rs.solve(type("Thrown", (Forever,), rules)())


INPUTS: dict[str, Input] = {
    "a weight of 0": changed(outcomes=staticmethod(weightless)),
    "no throw": changed(outcomes=staticmethod(lambda position, out, weights, data: 0)),
    "too many throws": changed(max_outcomes=65),
    "throws and a player": changed(player=staticmethod(lambda position, data: 0)),
}
