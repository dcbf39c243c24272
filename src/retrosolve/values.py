"""Values, outcomes and moves: the words in which every answer is given.

A value is always meant from the side of the player to move. ``TIE`` (the game ends and nobody
wins) and ``DRAW`` (perfect play never ends) are different values and are never mixed up.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum
from typing import NamedTuple

from retrosolve.errors import GraphError
from retrosolve.kernels import codes

INVALID = codes.INVALID
"""The value, in arrays, of an index that is no position of the game."""


class Value(IntEnum):
    """What perfect play gives the player to move. The numbers are those in ``Solution.value``.

    >>> Value.WIN.opposite()
    <Value.LOSS: 2>
    >>> Value.parse("tie"), Value.TIE.label
    (<Value.TIE: 3>, 'tie')
    """

    DRAW = 0
    WIN = 1
    LOSS = 2
    TIE = 3

    @property
    def label(self) -> str:
        """The value in lower case, as files and the command line write it."""
        return self.name.lower()

    def opposite(self) -> Value:
        """Give the same result from the other player's side: WIN and LOSS change places."""
        if self is Value.WIN:
            return Value.LOSS
        if self is Value.LOSS:
            return Value.WIN
        return self

    @classmethod
    def parse(cls, word: str) -> Value:
        """Read a value from its word in any case. Raises GraphError for any other text."""
        try:
            return cls[word.strip().upper()]
        except KeyError:
            raise GraphError(f"{word!r} is not a value: expected win, loss, tie or draw") from None


# The codes as plain integers, for kernels and for rules that are compiled.
NOT_TERMINAL = 0
WIN, LOSS, TIE = int(Value.WIN), int(Value.LOSS), int(Value.TIE)


class Outcome(NamedTuple):
    """A value and its remoteness in plies (both players' moves counted; ``None`` for a DRAW).

    >>> str(Outcome(Value.WIN, 7)), str(Outcome(Value.DRAW, None))
    ('WIN in 7', 'DRAW')
    """

    value: Value
    remoteness: int | None

    def __str__(self) -> str:
        if self.remoteness is None:
            return self.value.name
        return f"{self.value.name} in {self.remoteness}"


class Move(NamedTuple):
    """A move: its name, the position it leads to, and that position's own outcome.

    The outcome is the one of ``position``, so from the side of the player who moves *there*: in an
    alternating game, a move to a LOSS is a winning move.
    """

    name: str
    position: Hashable
    outcome: Outcome


STUCK_VALUES: dict[str, Value] = {
    "loss": Value.LOSS,
    "win": Value.WIN,
    "tie": Value.TIE,
}


def stuck_value(stuck: str) -> Value:
    """Turn the ``stuck`` argument of a solve into the value of a vertex with no way out.

    >>> stuck_value("loss")
    <Value.LOSS: 2>
    """
    try:
        return STUCK_VALUES[stuck]
    except (KeyError, TypeError):
        raise GraphError(
            f"stuck={stuck!r} is not known: expected 'loss' (normal play), 'win' (misère) or 'tie'"
        ) from None
