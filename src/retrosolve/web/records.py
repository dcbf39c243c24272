"""Positions, moves and games as JSON objects."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from retrosolve.solution import Solution
from retrosolve.solution.preference import ranked_moves
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
    space = solution.space
    moves = ranked_moves(space, solution.table, position)
    movers = space.player(np.array([space.index(position)]))
    return {
        **outcome_record(solution, position, solution[position]),
        "player": None if movers is None else space.players[int(movers[0])],
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
    by_player = solution.counts_by_player()
    return {
        "name": entry.name,
        "title": entry.title,
        "positions": len(solution),
        "players": list(solution.space.players),
        "start": None if solution.start is None else text_at(solution, solution.start),
        "counts": {value.label: count for value, count in solution.counts().items()},
        "counts_by_player": by_player
        and {
            player: {value.label: count for value, count in counts.items()}
            for player, counts in by_player.items()
        },
        "histogram": {
            value.label: {"null" if plies is None else str(plies): n for plies, n in part.items()}
            for value, part in solution.histogram().items()
        },
        "verified": solution.verified,
    }
