"""One partition of a distributed solve: the state of its vertices, and what it does in a level.

A partition owns a range of the vertices of each tier and the edges out of them. It hears what all
partitions have decided at a level, counts down the open moves of its own vertices, and publishes which
of them that decides. Nobody is told of an edge, so no two messages say the same.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.distributed import kernels
from retrosolve.distributed.messages import Message, entry_dtype, packed
from retrosolve.distributed.rows import Initial, Tier, initial, kernel
from retrosolve.kernels.words import (
    LOSS,
    LOSS_NOT_BEFORE,
    OPEN,
    PENDING_LOSS,
    PENDING_WIN,
    TIE,
    WIN,
    code_of,
    pack,
    remoteness_of,
    widened,
)
from retrosolve.spaces.base import ASSUMED_BRANCHING, Capability, StateSpace
from retrosolve.tables.coded import Dictionary
from retrosolve.values import Value

NEVER = 1 << 62


class LevelReport(NamedTuple):
    """What a partition reports of a level.

    Parameters
    ----------
    decided : int
        How many vertices it has decided.
    due : int
        The next level at which one of its vertices is decided by an earlier tier, NEVER without one.
    nbytes : int
        The bytes that it publishes.
    seconds : float
        How long it took.
    """

    decided: int
    due: int
    nbytes: int
    seconds: float = 0.0


class TierStart(NamedTuple):
    """What a partition reports of a tier before its first level.

    Parameters
    ----------
    num_edges, num_inner : int
        The edges out of its vertices, and those that stay in the tier.
    due : int
        As in :class:`LevelReport`.
    has_ties : bool
        Whether some vertex is a TIE, or inherits one.
    """

    num_edges: int
    num_inner: int
    due: int
    has_ties: bool


class Partition:
    """The vertices of a partition, tier by tier.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    """

    arrays = ("words", "state")

    def __init__(self, space: StateSpace, stuck: Value) -> None:
        self.space = space
        self.stuck = stuck
        self.owned = Capability.OWNED in space.capabilities
        self.work = space.num_vertices * ASSUMED_BRANCHING
        self.tier = Tier(0, 0, 0, 0)
        self._due: dict[int, list[IntArray]] = {}

    def begin(self, tier: Tier, earlier: IntArray, has_ties: bool) -> TierStart:
        """Settle what needs no level, and take the edges of a tier.

        Parameters
        ----------
        tier : Tier
        earlier : unsigned integers [tier.below] or more
            The words of earlier tiers.
        has_ties : bool
            Whether one of these is a TIE.
        """
        self.tier = tier
        begun = initial(self.space, self.stuck, tier, earlier, has_ties)
        self._take(begun)
        code = code_of(self.words)
        ties = bool((code == TIE).any() or self._tie_levels.any())
        return TierStart(begun.num_edges, len(begun.rows.edges), self._collect_due(), ties)

    def _take(self, begun: Initial) -> None:
        self._rows, self.state, self.words = begun.rows, begun.state, begun.words
        self._own, self._tie_levels = begun.own, begun.tie_levels
        self._found: IntArray = np.empty(self.tier.size + 1, entry_dtype(self.tier.size))
        self._late: IntArray = np.empty(self.tier.size + 1, entry_dtype(self.tier.size))

    def _collect_due(self) -> int:
        """Group the vertices that earlier tiers decide by their level; return the first level."""
        self._due = defaultdict(list)
        code = code_of(self.words)
        self._add_due(np.flatnonzero((code == PENDING_WIN) | (code == PENDING_LOSS)))
        return self._next_due()

    def _add_due(self, vertices: IntArray) -> None:
        levels = remoteness_of(self.words[vertices])
        order = np.argsort(levels, kind="stable")
        for part in np.split(vertices[order], np.flatnonzero(np.diff(levels[order])) + 1):
            if len(part):
                self._due[int(remoteness_of(self.words[part[0]]))].append(part)

    def _next_due(self) -> int:
        return min(self._due, default=NEVER)

    # -- levels ---------------------------------------------------------------------------------

    def front(self, ties: bool, level: int) -> tuple[LevelReport, Message]:
        """Publish what has been decided at a level before, to begin from there."""
        words = self.words
        code = code_of(words)
        chosen = code == TIE if ties else (code == WIN) | (code == LOSS)
        at = np.flatnonzero(chosen & (remoteness_of(words) == level))
        return self._published(self._entries(at, code[at] == WIN))

    def _entries(self, at: IntArray, won: Any) -> IntArray:
        """Return the entries of some vertices, and whether each is a WIN."""
        liked = self._own[at]
        side = np.where(won, liked, 1 - liked)
        if not self.owned:
            side = 1 - side
        kind = entry_dtype(self.tier.size)
        return (2 * at.astype(kind) + side.astype(kind)).astype(kind)

    def _published(self, entries: IntArray) -> tuple[LevelReport, Message]:
        message = packed(self.tier.start - self.tier.below, self.tier.size, entries)
        return LevelReport(len(entries), self._next_due(), message.nbytes), message

    def advance(
        self, ties: bool, level: int, messages: Iterable[Message]
    ) -> tuple[LevelReport, Message]:
        """Decide what has the remoteness ``level + 1``, and publish it.

        Parameters
        ----------
        ties : bool
            Whether ties are propagated, not wins and losses.
        level : int
            The remoteness of what the messages hold.
        messages : iterable of Message
            What all partitions have decided.
        """
        began = time.perf_counter()
        self.words = widened(self.words, level + 1)
        notify = kernel(kernels.notify_sources, self.work)
        count = 0
        for message in messages:
            if message.num_entries:
                decided, late = notify(
                    *self._rows, message.first, message.unpacked(), int(not self.owned), ties, level,
                    self.state, self.words, self._found[count:], self._late,
                )  # fmt: skip
                count += decided
                self._add_due(self._late[:late].astype(np.int64))
        entries = np.concatenate([self._found[:count], self._fall_due(ties, level + 1)])
        step, message = self._published(entries)
        return step._replace(seconds=time.perf_counter() - began), message

    def _fall_due(self, ties: bool, level: int) -> IntArray:
        """Decide what earlier tiers decide at a level; return its entries."""
        kind = entry_dtype(self.tier.size)
        vertices = np.concatenate([np.zeros(0, np.int64), *self._due.pop(level, [])])
        words = self.words[vertices]
        code = code_of(words)
        at = vertices[
            ((code == PENDING_WIN) | (code == PENDING_LOSS)) & (remoteness_of(words) == level)
        ]
        if not len(at):
            return np.zeros(0, kind)
        won = code_of(self.words[at]) == PENDING_WIN
        self.state[at] &= 1
        decided = np.where(won, TIE if ties else WIN, LOSS)
        self.words[at] = pack(decided, level).astype(self.words.dtype)
        return self._entries(at, won).astype(kind)

    def begin_ties(self) -> int:
        """Let undecided vertices inherit a TIE; return the first level at which one does."""
        if len(self._tie_levels):
            open_ = (self.state >= 2) & (self._tie_levels > 0)
            levels = self._tie_levels[open_]
            self.words = widened(self.words, int(levels.max(initial=0)))
            self.words[open_] = pack(PENDING_WIN, levels.astype(np.int64)).astype(self.words.dtype)
        return self._collect_due()

    def settle(self) -> int:
        """Decide at once what earlier tiers decide, in a tier that no move stays in.

        Returns the largest remoteness.
        """
        words = self.words
        code = code_of(words)
        won, lost, is_open = code == PENDING_WIN, code == PENDING_LOSS, (self.state >= 2)
        words[won] = pack(WIN, remoteness_of(words[won])).astype(words.dtype)
        words[lost] = pack(LOSS, remoteness_of(words[lost])).astype(words.dtype)
        if len(self._tie_levels):
            tied = is_open & ~won & (self._tie_levels > 0)
            levels = self._tie_levels[tied].astype(np.int64)
            self.words = words = widened(words, int(levels.max(initial=0)))
            words[tied] = pack(TIE, levels).astype(words.dtype)
        return self.finish()

    def finish(self) -> int:
        """Make what is undecided a DRAW, and free what only levels need.

        Returns the largest remoteness.
        """
        words = self.words
        code = code_of(words)
        words[code == LOSS_NOT_BEFORE] = OPEN
        decided = (code >= WIN) & (code <= TIE)
        highest = int(remoteness_of(words[decided]).max(initial=0))
        self._due = {}
        del self._rows, self.state, self._tie_levels, self._found, self._late
        return highest

    # -- snapshots ------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, IntArray]:
        """Return the arrays that a solve goes on from."""
        return {"words": self.words, "state": self.state}

    def restore(self, arrays: dict[str, IntArray]) -> int:
        """Take the arrays of a snapshot; return the next level at which something is due."""
        self.words, self.state = arrays["words"], arrays["state"]
        return self._collect_due()


def canonical(words: IntArray) -> IntArray:
    """Return the different words of a finished tier, ascending."""
    return Dictionary.of_words(np.unique(words), True).words().astype(np.uint64)
