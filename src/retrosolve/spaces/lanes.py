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

from retrosolve.arrays import IntArray, row_bounds
from retrosolve.errors import RulesError

MOST_WEIGHT = 1 << 21  # of all throws: with it, sums of 32-bit numbers are exact in float64


class Lanes(NamedTuple):
    """What dice make of the places of one player: see ``Lanes.of``.

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

    Raises
    ------
    RulesError
        By ``Lanes.of``, for what are no lanes.

    Notes
    -----
    Cost: four to eight bytes for each target and each place after each throw, and 24 for each pair of
    tiers.

    Examples
    --------
    A lane of one place before its end:

    >>> Lanes.of([1, 1], [1], [0, 0, 1], [0]).num_positions
    4
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
            How often each throw is made; in all less than 2^21.
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
        if not 0 < weights.sum() < MOST_WEIGHT:
            raise RulesError(
                f"lanes with weights of {weights.sum()} in all: expected 1 to {MOST_WEIGHT - 1}"
            )
        whole = len(sizes) > 0 and sizes[0] == 1 and starts.shape == (places * throws + 1,)
        whole = (
            whole
            and (starts[0], starts[-1]) == (0, len(targets))
            and bool((np.diff(starts) >= 0).all())
        )
        if not (whole and sizes.min() > 0 and weights.min() > 0):
            raise RulesError(
                f"lanes of {len(sizes)} tiers and {throws} throws: expected places in every tier, one "
                "in the first, weights above 0, and the targets of each throw at each place"
            )
        firsts = row_bounds(sizes)
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
    """Return the index of a position.

    Parameters
    ----------
    mine, theirs : int
        The places of the player to move and of the other one.
    tier_of, firsts, blocks : int array
        See :class:`Lanes`.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: constant time.

    Examples
    --------
    >>> lanes = Lanes.of([1, 1], [1], [0, 0, 1], [0])
    >>> pair_index(1, 0, lanes.tier_of, lanes.firsts, lanes.blocks)
    2
    """
    own, other = tier_of[mine], tier_of[theirs]
    size = firsts[own + 1] - firsts[own]
    block = blocks[own * (len(firsts) - 1) + other]
    return int(block + (theirs - firsts[other]) * size + mine - firsts[own])


def pair_of_index(index: int, firsts: Any, begins: Any, pairs: Any) -> tuple[int, int]:
    """Return the places of the player to move and of the other one at an index.

    Parameters
    ----------
    index : int
    firsts, begins, pairs : int array
        See :class:`Lanes`.

    Notes
    -----
    Raises nothing: nothing is checked, since compiled rules call it. Cost: the logarithm of the number
    of pairs of tiers.

    Examples
    --------
    >>> lanes = Lanes.of([1, 1], [1], [0, 0, 1], [0])
    >>> pair_of_index(2, lanes.firsts, lanes.begins, lanes.pairs)
    (1, 0)
    """
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
