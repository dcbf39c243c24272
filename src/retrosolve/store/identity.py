"""What a solve is of, in short: enough to refuse the checkpoint of another."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from retrosolve.errors import StoreError
from retrosolve.runtime.files import one_line
from retrosolve.spaces.base import StateSpace
from retrosolve.store.contents import NAME_ARRAYS
from retrosolve.store.journal import Identity
from retrosolve.values import Value

OPTIONS = ("stuck", "solver", "remoteness")


def identity_of(space: StateSpace, stuck: Value, solver: str, remoteness: bool) -> Identity:
    """Return what identifies a solve: its positions and moves, and the options.

    "rules" is None for compiled rules that depend on what has no digest: such a solve is not the same
    as any other.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
    solver : str
        The name of the algorithm.
    remoteness : bool

    Notes
    -----
    Reads all arrays of a graph, and the code and the data of compiled rules.
    """
    return {
        "positions": str(space.num_vertices),
        "rules": _digest(space),
        "stuck": stuck.label,
        "solver": solver,
        "remoteness": str(remoteness),
    }


def check_same(found: Identity, expected: Identity, place: object) -> None:
    """Raise StoreError unless a checkpoint or a solution is of the same solve.

    Parameters
    ----------
    found, expected : dict of str to str or None
        The identities of the checkpoint and of the solve.
    place : Path
        The folder of the checkpoint or of the solution.
    """
    if expected["rules"] is None:
        raise StoreError(
            one_line(
                f"{place} cannot be resumed: these rules use objects that cannot be compared, such as "
                "functions of ctypes: expected no resume, or that folder deleted"
            )
        )
    for key in OPTIONS:
        if found.get(key) != expected[key]:
            raise StoreError(
                one_line(
                    f"{place} was begun with {key}={found.get(key)}, "
                    f"and this solve has {expected[key]}: expected the same to resume"
                )
            )
    if found != expected:
        raise StoreError(
            one_line(
                f"{place} was begun with other rules or another graph: "
                "expected the same to resume, or that folder deleted"
            )
        )


def _digest(space: StateSpace) -> str | None:
    """Return a SHA-256 of what positions and moves depend on, None if there is no telling.

    Names of edges follow from their spec.
    """
    content = space.content()
    if any(part is None for part in content):
        return None
    found = hashlib.sha256(json.dumps(space.spec(), sort_keys=True).encode())
    arrays = tuple(sorted(item for item in space.arrays().items() if item[0] not in NAME_ARRAYS))
    _update(found, (tuple(space.tiers), arrays, content))
    return found.hexdigest()


def _update(found: Any, content: Any) -> None:
    """Add numbers, text and arrays in tuples to a digest."""
    if isinstance(content, tuple):
        found.update(f"({len(content)}".encode())
        for part in content:
            _update(found, part)
    elif isinstance(content, np.ndarray):
        found.update(f"{content.dtype.str}{content.shape}".encode())
        found.update(np.ascontiguousarray(content).data)
    else:
        found.update(f"{content!r};".encode())
