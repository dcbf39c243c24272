"""The fingerprint of rules: a digest of a sample of their moves.

A game is saved by the name of its class. The fingerprint shows that the rules behind that name still
are those that were solved, also if a module that they import has changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.values import INVALID

CANDIDATES = 256
SAMPLE = 32

Values = Callable[[NDArray[np.int64]], ByteArray]


def candidates(n: int) -> NDArray[np.int64]:
    """Return evenly spread vertices of ``n``, from which positions are taken."""
    return np.unique(np.linspace(0, max(n - 1, 0), CANDIDATES).astype(np.int64))[:n]


def fingerprint(space: StateSpace, values: Values) -> str | None:
    """Return the SHA-256 of the moves from a sample of the positions, None if edges are stored.

    Edges in files have a fingerprint in their specification.

    Parameters
    ----------
    space : StateSpace
    values : callable
        ``values(candidates)`` returns the values there, which tell what is a position.
    """
    if space.capabilities & (Capability.CSR | Capability.EDGE_BLOCKS):
        return None
    chosen = candidates(space.num_vertices)
    valid = chosen[values(chosen) != INVALID]
    rows = [_row(space, vertex) for vertex in valid[:: max(1, len(valid) // SAMPLE)].tolist()]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def _row(space: StateSpace, vertex: int) -> list[object]:
    """Return a position in numbers: its index, its end or player, and the targets of its moves."""
    terminal = int(space.terminal(vertex, vertex + 1)[0])
    player = space.player(np.array([vertex]))
    mover = None if player is None else int(player[0])
    targets: list[int] = []
    if not terminal:
        moves = space.moves(space.position(vertex))
        targets = sorted(space.target_indices([target for _, target in moves]).tolist())
    return [vertex, terminal, mover, targets]
