"""The fingerprint of rules: a digest of a sample of their moves.

A game is saved by the name of its class. The fingerprint shows that the rules behind that name still
are those that were solved, also if a module that they import has changed.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np
from numpy.typing import NDArray

from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.tables import Table
from retrosolve.values import INVALID

CANDIDATES = 256
SAMPLE = 32


def fingerprint(space: StateSpace, table: Table) -> str | None:
    """Return the SHA-256 of the moves from a sample of the positions, None if edges are stored.

    Edges in files have a fingerprint in their specification.

    Parameters
    ----------
    space : StateSpace
    table : Table
        Tells which indices are positions.
    """
    if space.capabilities & (Capability.CSR | Capability.EDGE_BLOCKS):
        return None
    rows = [_row(space, vertex) for vertex in _sample(table).tolist()]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def _sample(table: Table) -> NDArray[np.int64]:
    """Return evenly spread indices of positions."""
    n = table.num_vertices
    candidates = np.unique(np.linspace(0, max(n - 1, 0), CANDIDATES).astype(np.int64))[:n]
    valid = candidates[table.values(candidates) != INVALID]
    sample: NDArray[np.int64] = valid[:: max(1, len(valid) // SAMPLE)]
    return sample


def _row(space: StateSpace, vertex: int) -> list[object]:
    """Return a position in numbers: its index, its end or player, and the targets of its moves."""
    terminal = int(space.terminal(vertex, vertex + 1)[0])
    player = space.player(np.array([vertex]))
    mover = None if player is None else int(player[0])
    targets: list[int] = []
    if not terminal:
        targets = sorted(space.index(target) for _, target in space.moves(space.position(vertex)))
    return [vertex, terminal, mover, targets]
