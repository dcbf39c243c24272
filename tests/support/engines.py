"""Every way to solve a game: by generated edges, or by the edges stored first."""

from __future__ import annotations

from typing import Any

import retrosolve as rs

STORED = "stored "


def solve_with(engine: str, game: Any, stuck: str = "loss", **options: Any) -> rs.Solution:
    """Solve a game with an algorithm; ``stored`` before its name has every edge stored first."""
    if engine.startswith(STORED):
        space = game.state_space().materialize()
        return rs.solve(space, stuck=stuck, solver=engine.removeprefix(STORED), **options)
    return rs.solve(game, stuck=stuck, solver=engine, **options)
