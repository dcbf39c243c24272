"""Counts, histograms and players of a solution, ready for JSON: values by label."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from retrosolve.solution.solution import Solution
from retrosolve.values import Value


def by_label(record: Mapping[Value, Any]) -> dict[str, Any]:
    """Return a record by value with the labels of the values as keys."""
    return {value.label: entry for value, entry in record.items()}


def by_remoteness(record: Mapping[Value, Mapping[int | None, Any]]) -> dict[str, dict[str, Any]]:
    """Return a record by value and remoteness with keys for JSON: the remoteness "null" for none.

    >>> by_remoteness({Value.WIN: {1: 5}, Value.DRAW: {None: 2}})
    {'win': {'1': 5}, 'draw': {'null': 2}}
    """
    return {
        value.label: {"null" if plies is None else str(plies): n for plies, n in part.items()}
        for value, part in record.items()
    }


def count_records(solution: Solution) -> dict[str, Any]:
    """Return ``counts``, and ``counts_by_player``, which is None where players alternate."""
    by_player = solution.counts_by_player()
    return {
        "counts": by_label(solution.counts()),
        "counts_by_player": by_player
        and {player: by_label(counts) for player, counts in by_player.items()},
    }


def player_to_move(solution: Solution, position: Hashable) -> str | None:
    """Return the name of who moves at a position; None where players alternate."""
    mover = solution.space.player(np.array(solution.space.summands(position)))
    return None if mover is None else solution.space.owners[int(mover[0])]
