"""Counts, histograms and players of a solution, ready for JSON: values by label."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from retrosolve.objectives import Objective
from retrosolve.solution.solution import Solution
from retrosolve.values import Value, clock_of


def by_label(record: Mapping[Value, Any]) -> dict[str, Any]:
    """Return a record by value with the labels of the values as keys."""
    return {value.label: entry for value, entry in record.items()}


def counted(counts: Mapping[Any, int], objective: Objective) -> dict[str, int]:
    """Return counts of results by label, or under the names that an objective groups them by.

    >>> from retrosolve.objectives import Margin, Score
    >>> counted({Margin(3): 5, Margin(1): 2, Margin(0): 1}, Score())
    {'positive': 7, 'negative': 0, 'zero': 1, 'endless': 0}
    """
    record = dict.fromkeys(objective.groups.values(), 0)
    for result, count in counts.items():
        name = objective.groups.get(result.kind, result.label)
        record[name] = record.get(name, 0) + count
    return record


def longest_by_label(longest: Mapping[Any, int | None], objective: Objective) -> dict[str, int]:
    """Return the largest remotenesses under the names of :func:`counted`, 0 where there is none."""
    groups = objective.groups.items()
    record = {name: 0 for kind, name in groups if kind.ends}
    for result, plies in longest.items():
        name = objective.groups.get(result.kind, result.label)
        record[name] = max(record.get(name, 0), plies or 0)
    return record


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
    by_player, objective = solution.counts_by_player(), solution.objective
    return {
        "counts": counted(solution.counts(), objective),
        "counts_by_player": by_player
        and {player: counted(counts, objective) for player, counts in by_player.items()},
    }


def clock_record(solution: Solution, position: Hashable) -> dict[str, Any]:
    """Return ``clock`` for a position of a FEN that has one: the plies, and whether they count."""
    clock = clock_of(position)
    return {"clock": {"plies": clock, "counts": solution.objective.has_clock}} if clock else {}


def player_to_move(solution: Solution, position: Hashable) -> str | None:
    """Return the name of who moves at a position; None where players alternate."""
    mover = solution.space.player(np.array(solution.space.summands(position)))
    return None if mover is None else solution.space.owners[int(mover[0])]
