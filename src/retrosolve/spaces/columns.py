"""A solved space as columns of equal length."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.preference import best_successors
from retrosolve.tables import Table


def columns(space: StateSpace, table: Table) -> dict[str, NDArray[Any]]:
    """Return one column for each property of the vertices, INVALID indices left out.

    The columns are those of :meth:`retrosolve.Solution.columns`.
    """
    valid = space.valid()
    found: dict[str, NDArray[Any]] = {"vertex": valid}
    if space.has_names:
        names = np.empty(len(valid), object)
        names[:] = [space.position(v) for v in valid.tolist()]
        found["name"] = names
    owner = space.player(valid)
    if owner is not None:
        found["owner"] = owner
    terminal = space.terminal(0, space.num_vertices)[valid]
    if terminal.any():
        found["terminal"] = terminal
    found |= {"value": table.values(valid), "remoteness": table.remoteness(valid)}
    return found | {"best": best_successors(space, table)[valid]}
