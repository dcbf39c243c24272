"""What the rules say of the places of lanes, compared with what lanes say: see :class:`Lanes`."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.compilation.atomic import no_refcount
from retrosolve.errors import RulesError
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.checked import (
    MAX_OUTCOMES,
    index_of,
    moves_after,
    outcomes,
    position_of,
    room_for,
    terminal_or_invalid,
)
from retrosolve.spaces.lanes import pair_index
from retrosolve.values import LOSS, NOT_TERMINAL, WIN

PARTNER = 0x9E3779B1  # spreads the places that are compared with the rules: the golden ratio of 2^32


def check_lanes(space: RulesSpace, pool: ThreadPool, spread: int = 0) -> None:
    """Compare lanes with the rules at every place, beside one place of the other player.

    Raises
    ------
    RulesError
        If the rules say something else.
    """
    lanes = space.lanes
    assert lanes is not None
    arguments = (
        lanes.weights, lanes.firsts, lanes.tier_of, lanes.blocks, lanes.starts, lanes.targets,
        space.max_moves,
    )  # fmt: skip

    def compare(start: int, stop: int) -> int:
        return int(space.run(contradiction, start, stop, spread, *arguments))

    cuts = pool.chunks(lanes.num_places - 1, start=1)
    for index in pool.map_ranges(compare, cuts):
        if index >= 0:
            text = space.text(space.position(index))
            raise RulesError(
                f"{space.name}.lanes: the rules say something else of {text}, by terminal, outcomes or "
                "successors: expected the throws and targets of the lanes"
            )


def contradiction(
    start, stop, spread, weights, firsts, tier_of, blocks, starts, targets, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Compare lanes with what the rules say of places, each beside one of the other player.

    Parameters
    ----------
    start, stop : int
        The places ``start..stop-1`` of the mover, 1 or more.
    spread : int
        Chooses the places of the other player.
    weights, firsts, tier_of, blocks, starts, targets
        See ``Lanes``.
    max_moves : int
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    int
        The index of the first position of which the rules say something else, -1 for none.
    """
    data, index_table = no_refcount(data), no_refcount(index_table)
    out, given, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    longest = 0
    for row in range(start * len(weights), stop * len(weights)):
        longest = max(longest, starts[row + 1] - starts[row])
    expected = np.empty(longest, np.int64)
    for mine in range(start, stop):
        theirs = 1 + (mine * PARTNER + spread) % (len(tier_of) - 1)
        won = pair_index(0, mine, tier_of, firsts, blocks)
        lost = pair_index(mine, 0, tier_of, firsts, blocks)
        here = pair_index(mine, theirs, tier_of, firsts, blocks)
        p = position_of(here, data, index_table)
        if terminal_or_invalid(position_of(won, data, index_table), data) != WIN:
            return won
        if terminal_or_invalid(position_of(lost, data, index_table), data) != LOSS:
            return lost
        if terminal_or_invalid(p, data) != NOT_TERMINAL or index_of(p, data, index_table) != here:
            return here
        if outcomes(p, out, given, data) != len(weights):
            return here
        for throw in range(len(weights)):
            made = moves_after(out[throw], after, data)
            if given[throw] != weights[throw] or made < 1 or made > max_moves:
                return here
            for k in range(made):
                after[k] = index_of(after[k], data, index_table) if after[k] >= 0 else -1
            row = mine * len(weights) + throw
            first, count = starts[row], starts[row + 1] - starts[row]
            for e in range(count):
                expected[e] = pair_index(theirs, targets[first + e], tier_of, firsts, blocks)
            if not (
                are_among(after, made, expected, count) and are_among(expected, count, after, made)
            ):
                return here
    return -1


def are_among(some: Any, count: int, others: Any, length: int) -> bool:
    """Return whether ``some[:count]`` are all in ``others[:length]``."""
    for k in range(count):
        place = 0
        while place < length and others[place] != some[k]:
            place += 1
        if place == length:
            return False
    return True
