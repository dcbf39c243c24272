"""Lanes: games of dice whose players never meet, each in a lane of his own, as when bearing off.

Where a player is in his lane is a number, his place; 0 is its end, and who comes there first has won.
What a throw makes of a place does not depend on the other player. So a lane of k places has all there
is to know about the k * k positions, and values are computed for many of them at once.

A position is a pair of places, first that of the player to move. Its index:

tier    sum of the tiers of both places                          a throw leads to a lower one
block   one tier of the mover, one of the other player           all blocks of a sum, the mover's rising
row     the place of the other player in his tier
column  the place of the mover in his
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
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
from retrosolve.values import LOSS, NOT_TERMINAL, WIN

PARTNER = 0x9E3779B1  # spreads the places that are compared with the rules: the golden ratio of 2^32


class Lanes(NamedTuple):
    """What dice make of the places of one player: see :meth:`of`.

    Parameters
    ----------
    weights : int64 [throws]
    firsts : int64 [tiers + 1]
        The first place of each tier, and the number of places.
    tier_of : int64 [places]
    blocks : int64 [tiers * tiers]
        The first index of the positions with the mover in one tier, the other player in another.
    begins, pairs : int64 [tiers * tiers]
        The same indices, ascending, and the place of each in ``blocks``.
    starts : int64 [places * throws + 1]
        Where the places after each throw begin in ``targets``, of each place in turn.
    targets : int32
    turns : int64 [places]
        The most throws to the end of the lane.
    """

    weights: IntArray
    firsts: IntArray
    tier_of: IntArray
    blocks: IntArray
    begins: IntArray
    pairs: IntArray
    starts: IntArray
    targets: IntArray
    turns: IntArray

    @classmethod
    def of(cls, sizes: Any, weights: Any, starts: Any, targets: Any) -> Lanes:
        """Return the lanes of a game.

        Parameters
        ----------
        sizes : int array [tiers]
            The number of places in each tier: 1 in the first, which is place 0.
        weights : int array [throws]
            How often each throw is made.
        starts : int array [places * throws + 1]
            Where the places after each throw begin in ``targets``, of each place in turn; none at 0.
        targets : int array
            The places to choose from after a throw, all of them of lower tiers.

        Raises
        ------
        RulesError
            For arrays that are none of this.

        Examples
        --------
        Two steps to the end, and a coin that says whether one or two of them are made:

        >>> lanes = Lanes.of([1, 1, 1], [1, 1], [0, 0, 0, 1, 2, 3, 4], [0, 0, 1, 0])
        >>> lanes.num_positions, lanes.turns.tolist(), lanes.tiers
        (9, [0, 1, 2], (0, 1, 3, 6, 8))
        >>> index = pair_index(2, 1, lanes.tier_of, lanes.firsts, lanes.blocks)
        >>> index, pair_of_index(index, lanes.firsts, lanes.begins, lanes.pairs)
        (7, (2, 1))
        """
        sizes, weights = np.array(sizes, np.int64), np.array(weights, np.int64)
        starts, targets = np.array(starts, np.int64), np.array(targets, np.int32)
        places, throws = int(sizes.sum()), len(weights)
        shapes = starts.shape == (places * throws + 1,) and starts[-1] == len(targets)
        if not (shapes and sizes.min() > 0 and sizes[0] == 1 and weights.min(initial=1) > 0):
            raise RulesError(
                f"lanes of {len(sizes)} tiers and {throws} throws: expected places in every tier, one "
                "in the first, weights above 0, and the targets of each throw at each place"
            )
        firsts = np.concatenate([[0], np.cumsum(sizes)])
        tier_of = np.repeat(np.arange(len(sizes)), sizes)
        counts = np.diff(starts)
        source = np.repeat(np.arange(places), counts.reshape(places, throws).sum(axis=1))
        is_down = (targets >= 0) & (tier_of[np.maximum(targets, 0) % places] < tier_of[source])
        is_down &= targets < places
        if not is_down.all() or counts[throws:].min(initial=1) < 1 or counts[:throws].any():
            raise RulesError(
                "lanes with a throw that does not lead to a lower tier: expected moves to such places "
                "after every throw, and none at place 0"
            )
        turns = np.zeros(places, np.int64)
        for first, end in zip(firsts[1:-1].tolist(), firsts[2:].tolist(), strict=True):
            rows = starts[first * throws : end * throws + 1 : throws]
            most = np.maximum.reduceat(turns[targets[rows[0] : rows[-1]]], rows[:-1] - rows[0])
            turns[first:end] = 1 + most
        number = np.arange(len(sizes) ** 2)
        mine, theirs = np.divmod(number, len(sizes))
        pairs = np.lexsort((mine, mine + theirs))
        areas = sizes[mine[pairs]] * sizes[theirs[pairs]]
        begins = np.cumsum(areas) - areas
        blocks = np.empty_like(begins)
        blocks[pairs] = begins
        return cls(weights, firsts, tier_of, blocks, begins, pairs, starts, targets, turns)

    @property
    def num_places(self) -> int:
        """The number of places of a player."""
        return len(self.tier_of)

    @property
    def num_tiers(self) -> int:
        """The number of tiers of a lane."""
        return len(self.firsts) - 1

    @property
    def num_positions(self) -> int:
        """The number of positions of the game."""
        return self.num_places**2

    @property
    def tiers(self) -> tuple[int, ...]:
        """The first index of each tier of the game."""
        mine, theirs = np.divmod(self.pairs, self.num_tiers)
        changes = np.flatnonzero(np.diff(mine + theirs, prepend=-1))
        return tuple(self.begins[changes].tolist())

    def block(self, own: int, other: int) -> slice:
        """Return the indices with the mover in one tier and the other player in another."""
        sizes = np.diff(self.firsts)
        first = int(self.blocks[own * self.num_tiers + other])
        return slice(first, first + int(sizes[own] * sizes[other]))

    @property
    def most_plies(self) -> int:
        """The most plies of a game."""
        return max(2 * int(self.turns.max()) - 1, 0)


def pair_index(mine: int, theirs: int, tier_of: Any, firsts: Any, blocks: Any) -> int:
    """Return the index of a position: the places of the mover and of the other player."""
    own, other = tier_of[mine], tier_of[theirs]
    size = firsts[own + 1] - firsts[own]
    block = blocks[own * (len(firsts) - 1) + other]
    index: int = block + (theirs - firsts[other]) * size + mine - firsts[own]
    return index


def pair_of_index(index: int, firsts: Any, begins: Any, pairs: Any) -> tuple[int, int]:
    """Return the places of the mover and of the other player at an index."""
    low, high = 0, len(begins)
    while high - low > 1:
        middle = (low + high) // 2
        if begins[middle] <= index:
            low = middle
        else:
            high = middle
    own, other = pairs[low] // (len(firsts) - 1), pairs[low] % (len(firsts) - 1)
    size = firsts[own + 1] - firsts[own]
    within = index - begins[low]
    return int(firsts[own] + within % size), int(firsts[other] + within // size)


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

    cuts = [1 + cut for cut in pool.chunks(lanes.num_places - 1)]
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
