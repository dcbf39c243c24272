"""The results of ``retrosolve solve`` and ``retrosolve probe`` as JSON objects."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

from retrosolve.cli.position_table import json_position, player_to_move
from retrosolve.solution import Solution
from retrosolve.values import Value

FINISHED = (Value.WIN, Value.LOSS, Value.TIE)


def solve_record(
    source: str, solution: Solution, seconds: float, verified: bool | None
) -> dict[str, Any]:
    """Return what ``solve --json`` prints.

    Parameters
    ----------
    source : str
        INPUT as typed.
    solution : Solution
        The solution.
    seconds : float
        Time of all stages.
    verified : bool or None
        Result of the verification, None if there was none.

    Returns
    -------
    dict
        See :func:`count_records`.
    """
    return {
        "input": source,
        "solver": solution.solver,
        "positions": len(solution),
        "edges": solution.num_edges,
        "start": start_record(solution),
        **count_records(solution),
        "seconds": round(seconds, 6),
        "peak_memory_bytes": peak_memory(),
        "verified": verified,
    }


def count_records(solution: Solution) -> dict[str, Any]:
    """Return the counts by value and by player, and the largest remoteness of each value.

    Returns
    -------
    dict
        ``counts_by_player`` is None where players alternate. ``longest`` is 0 for a value that no
        position has, and None for a solution without remoteness.
    """
    longest = solution.longest()
    by_player = solution.counts_by_player()
    return {
        "counts": _by_label(solution.counts()),
        "counts_by_player": by_player
        and {player: _by_label(counts) for player, counts in by_player.items()},
        "longest": {value.label: longest[value] or 0 for value in FINISHED}
        if solution.table.has_remoteness
        else None,
    }


def start_record(solution: Solution) -> dict[str, Any] | None:
    """Return the initial position with its outcome, None if the game has none."""
    if solution.start is None:
        return None
    value, remoteness = solution[solution.start]
    return {
        "position": json_position(solution, solution.start),
        "value": value.label,
        "remoteness": remoteness,
    }


def probe_record(solution: Solution, position: Hashable) -> dict[str, Any]:
    """Return what ``probe --json`` prints for a position.

    Returns
    -------
    dict
        ``player`` is None where players alternate. ``moves`` are ordered best first; the value of a
        move is that of the position it leads to, for the player who moves there.
    """
    value, remoteness = solution[position]
    return {
        "position": json_position(solution, position),
        "value": value.label,
        "remoteness": remoteness,
        "player": player_to_move(solution, position),
        "moves": [
            {
                "name": move.name,
                "position": json_position(solution, move.position),
                "value": move.outcome.value.label,
                "remoteness": move.outcome.remoteness,
            }
            for move in solution.moves(position)
        ],
    }


def peak_memory() -> int:
    """Return the peak memory of this process in bytes, 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _by_label(counts: dict[Value, int]) -> dict[str, int]:
    return {value.label: count for value, count in counts.items()}
