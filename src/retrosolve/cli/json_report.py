"""The answer to a solve as one JSON object."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

from retrosolve.solution import Solution
from retrosolve.values import Value

FINISHED = (Value.WIN, Value.LOSS, Value.TIE)


def summary(source: str, solution: Solution, seconds: float, verified: bool | None) -> dict[str, Any]:
    """Give what ``solve --json`` prints.

    ``counts_by_player`` is there where the vertices have owners; ``longest`` is 0 where there is no
    position of a value. A solution of values alone has no ``longest``.
    """
    longest = solution.longest()
    by_owner = solution.counts_by_player()
    return {
        "input": source,
        "solver": solution.solver,
        "positions": len(solution),
        "edges": solution.num_edges,
        "start": start_record(solution),
        "counts": _by_word(solution.counts()),
        "counts_by_player": by_owner
        and {player: _by_word(counts) for player, counts in by_owner.items()},
        "longest": {value.label: longest[value] or 0 for value in FINISHED}
        if solution.table.has_remoteness
        else None,
        "seconds": round(seconds, 6),
        "peak_memory_bytes": peak_memory(),
        "verified": verified,
    }


def start_record(solution: Solution) -> dict[str, Any] | None:
    """Give the start with its outcome, None if the game has no start of its own."""
    if solution.start is None:
        return None
    value, remoteness = solution[solution.start]
    return {
        "position": plain(solution, solution.start),
        "value": value.label,
        "remoteness": remoteness,
    }


def plain(solution: Solution, position: Hashable) -> int | str:
    """Give a position as JSON has it: a number as it is, anything else as text."""
    return position if type(position) is int else solution.space.text(position)


def peak_memory() -> int:
    """Give the most memory this process has held so far, in bytes; 0 where nothing tells."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _by_word(counts: dict[Value, int]) -> dict[str, int]:
    return {value.label: count for value, count in counts.items()}
