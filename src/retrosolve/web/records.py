"""Positions, moves and games as JSON objects."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from retrosolve.solution import Solution
from retrosolve.solution.preference import ranked_moves
from retrosolve.solution.records import by_remoteness, count_records, player_to_move
from retrosolve.values import Outcome
from retrosolve.web.address import text_at
from retrosolve.web.library import Entry


def outcome_record(solution: Solution, position: Hashable, outcome: Outcome) -> dict[str, Any]:
    """Return a position with its outcome, for the player who moves there."""
    return {
        "position": solution.space.text(position),
        "at": text_at(solution, position),
        "value": outcome.value.label,
        "remoteness": outcome.remoteness,
    }


def position_record(solution: Solution, position: Hashable) -> dict[str, Any]:
    """Return a position with its outcome and all its moves, best first.

    Returns
    -------
    dict
        As ``retrosolve probe --json``, with ``at``, the text for an address, and for each move
        ``value_for_mover`` and ``best``.
    """
    moves = ranked_moves(solution.space, solution.table, position)
    return {
        **outcome_record(solution, position, solution[position]),
        "player": player_to_move(solution, position),
        "moves": [
            {
                "name": ranked.move.name,
                **outcome_record(solution, ranked.move.position, ranked.move.outcome),
                "value_for_mover": ranked.value.label,
                "best": ranked.key == moves[0].key,
            }
            for ranked in moves
        ],
    }


def game_record(entry: Entry) -> dict[str, Any]:
    """Return a game with the numbers of its positions."""
    solution = entry.solution
    return {
        "name": entry.name,
        "title": entry.title,
        "positions": len(solution),
        "players": list(solution.space.players),
        "start": None if solution.start is None else text_at(solution, solution.start),
        **count_records(solution),
        "histogram": by_remoteness(solution.histogram()),
        "verified": solution.verified,
    }
