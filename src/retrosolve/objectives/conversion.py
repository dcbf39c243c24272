"""Conversion: who wins, and how far the next move is that cannot be taken back.

Such a move leaves its tier: in chess a capture or the move of a pawn, with which the fifty moves begin
anew. A player prefers to win with the fewest plies to that move, and to lose with the most. With a
limit a position is won outright only if the win needs no more plies than that at any stage.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, is_whole
from retrosolve.errors import GraphError
from retrosolve.objectives.base import VALUES, Codec, EdgeData, ValueCodec
from retrosolve.objectives.outcome import Outcome
from retrosolve.objectives.words import DRAW, INVALID_CODE, LOSS, WIN, code_of, pack, remoteness_of
from retrosolve.values import AsText, Value
from retrosolve.values import Outcome as Answer

MAX_LIMIT = 1 << 12


class LimitedValue(AsText, IntEnum):
    """A value under a limit of plies without a move that leaves its tier.

    See :class:`Conversion`. ``CURSED_WIN`` would be a win without the limit, and ``BLESSED_LOSS`` a
    loss; with it both are draws.

    Examples
    --------
    >>> LimitedValue.CURSED_WIN.label, LimitedValue.CURSED_WIN.opposite().name
    ('cursed-win', 'BLESSED_LOSS')
    """

    DRAW = 0
    WIN = 1
    LOSS = 2
    TIE = 3
    CURSED_WIN = 4
    BLESSED_LOSS = 5

    def __str__(self) -> str:
        return self.name.replace("_", " ")

    @property
    def label(self) -> str:
        """The name in files, in JSON and on the command line."""
        return self.name.lower().replace("_", "-")

    @property
    def kind(self) -> Value:
        """The value that it counts as: a draw where the limit takes effect."""
        return Value(self) if self <= Value.TIE else Value.DRAW

    @property
    def ends(self) -> bool:
        """Whether a distance belongs to it."""
        return self is not LimitedValue.DRAW

    @property
    def detail(self) -> str:
        """``cursed win`` or ``blessed loss``, as these count as draws; otherwise empty."""
        return str(self).lower() if self > LimitedValue.TIE else ""

    def opposite(self) -> LimitedValue:
        """Return the value for the other player."""
        return OPPOSITE.get(self, self)


OPPOSITE = {
    LimitedValue.WIN: LimitedValue.LOSS,
    LimitedValue.LOSS: LimitedValue.WIN,
    LimitedValue.CURSED_WIN: LimitedValue.BLESSED_LOSS,
    LimitedValue.BLESSED_LOSS: LimitedValue.CURSED_WIN,
}
BEYOND: dict[Any, Any] = {
    LimitedValue.WIN: LimitedValue.CURSED_WIN, LimitedValue.LOSS: LimitedValue.BLESSED_LOSS,
}  # fmt: skip
REPORTED = tuple(
    LimitedValue[name] for name in ("WIN", "CURSED_WIN", "TIE", "DRAW", "BLESSED_LOSS", "LOSS")
)


class LimitedCodec(ValueCodec):
    """The six values, in packed words of outcomes: those beyond the limit are cursed or blessed.

    Parameters
    ----------
    limit : int
        Plies.
    """

    def __init__(self, limit: int) -> None:
        Codec.__init__(self, tuple(LimitedValue), REPORTED)
        self.limit = limit

    def result(self, label: str) -> Any:
        """Return the value with a label. Raises GraphError for another label."""
        return Codec.result(self, label)

    def pack(self, values: ByteArray, remoteness: IntArray) -> IntArray:
        """Return values (INVALID included) and distances as packed words, as narrow as they fit."""
        return super().pack(_WITHOUT_LIMIT[values], remoteness)

    def values_of(self, packed: IntArray) -> ByteArray:
        """Return the values, INVALID included, of packed words."""
        values = super().values_of(packed)
        beyond = remoteness_of(packed) > self.limit
        return np.where(beyond, _BEYOND_LIMIT[values], values).astype(np.uint8)


_WITHOUT_LIMIT = np.arange(256, dtype=np.uint8)
_WITHOUT_LIMIT[[LimitedValue.CURSED_WIN, LimitedValue.BLESSED_LOSS]] = WIN, LOSS
_BEYOND_LIMIT = np.arange(256, dtype=np.uint8)
_BEYOND_LIMIT[list(BEYOND)] = list(BEYOND.values())


class Conversion(Outcome):
    """The value of each position, and the plies to the next move that leaves its tier.

    Parameters
    ----------
    limit : int, optional
        The most plies without such a move: 100 for the fifty moves of chess. By default there is none,
        and values are those of :class:`Outcome`.
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move.

    Raises
    ------
    GraphError
        For a limit that is no whole number from 1 to 4,096.

    Notes
    -----
    The distance is what players of chess call DTZ, and counts from a position in which the last move
    left its tier. A FEN says how many plies ago that was, and so does a board of python-chess: a win in
    n plies with k on the clock is cursed if n + k is above the limit. A mate, too, ends the counting.
    The distance of a cursed win of the table is above the limit: one more than the limit where the next
    move that leaves the tier leads to another cursed win.

    Solving and proving take the time of outcomes.

    Examples
    --------
    >>> import retrosolve as rs
    >>> ending = rs.game("chess:KPK,board=5")
    >>> solution = rs.solve(ending, objective=rs.objectives.Conversion(limit=100))
    >>> {value.label for value in solution.counts()} >= {"cursed-win", "blessed-loss"}
    True
    """

    name = "conversion"
    has_steps = False

    def __init__(self, limit: int | str | None = None, stuck: str | Value = "loss") -> None:
        super().__init__(stuck)
        self.limit = None if limit is None else _limit(limit)
        self._codec = VALUES if self.limit is None else LimitedCodec(self.limit)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, as JSON holds them."""
        return {"limit": self.limit, "stuck": self.stuck.label}

    def codec(self, labels: Any = None) -> Codec:
        """Return the codec of tables."""
        return self._codec

    def fields(self, outcome: Answer) -> dict[str, Any]:
        """Return an outcome, ready for JSON, with its distance as players of chess call it, ``dtz``."""
        return {**super().fields(outcome), "dtz": outcome.remoteness}

    @property
    def has_clock(self) -> bool:
        """Whether there is a limit."""
        return self.limit is not None

    def on_clock(self, outcome: Answer, clock: int) -> Answer:
        """Return a win or a loss as cursed or blessed if the clock runs out before it.

        A win within the limit forces the end, or a conversion to another such win, in so many plies and
        no fewer. Where the game is over, the clock has stopped.
        """
        value, plies = outcome
        if self.limit is None or not plies or plies + clock <= self.limit:
            return outcome
        return Answer(BEYOND.get(value, value), plies)

    def words(self, codec: Codec, values: ByteArray, remoteness: IntArray) -> IntArray:
        """Return values and distances as packed words of outcomes.

        A cursed win or a blessed loss within the limit, and a win or a loss beyond it, is no word that
        follows from any moves: -1.
        """
        plain = _WITHOUT_LIMIT[values]
        words = super().words(codec, plain, remoteness)
        if self.limit is not None:
            decided = (plain == WIN) | (plain == LOSS)
            wrong = decided & ((plain != values) != (remoteness > self.limit))
            words[wrong] = -1
        return words

    def outcome(self, word: int) -> Answer:
        """Return the outcome that a packed word says."""
        code, plies = int(code_of(word)), int(remoteness_of(word))
        if code == INVALID_CODE:
            return Answer(Value.DRAW, None)
        value = int(self._codec.values_of(np.array([word]))[0])
        return self._codec.outcome(value, -1 if code == DRAW else plies)

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there.

        A move that leaves its tier is counted alone, or with the limit where it leads beyond that.
        """
        return super().seen(np.where(edges.leaves, self.anew(words), words), edges)

    def anew(self, words: IntArray) -> IntArray:
        """Return words of positions to which a move leads that leaves its tier, to be counted from."""
        level = remoteness_of(words)
        before = np.where(level > self.limit, self.limit, 0) if self.limit is not None else 0 * level
        anew: IntArray = pack(code_of(words), before).astype(words.dtype)
        return anew


def _limit(limit: int | str) -> int:
    """Return a limit of plies. Raises GraphError."""
    text = limit if isinstance(limit, str) else str(limit) if is_whole(limit) else ""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_LIMIT):
        raise GraphError(f"limit={limit!r}: expected a whole number of plies, 1 to {MAX_LIMIT}")
    return int(text)
