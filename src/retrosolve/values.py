"""Values, outcomes and moves.

A value is always for the player to move. ``TIE`` (the game ends and nobody wins) and ``DRAW`` (perfect
play never ends) are different values.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, Self

from retrosolve.errors import GraphError

INVALID = 255
"""The value, in arrays, of an index that is not a position of the game."""


NIM_LABEL = re.compile(r"(\d{1,9})|∞\(((?:\d{1,9}(?:,\d{1,9})*)?)\)", re.ASCII)
NUMBER_FORMATS = tuple("bcdoxXneEfFgG%")


def print_as_text(thing: object, printer: Any, cycle: bool) -> None:
    """Print an object as ``str`` does where IPython shows it, in lists and dictionaries too."""
    printer.text(str(thing))


class AsText:
    """What prints in IPython as ``str`` does; enumerations take such a method from a base only."""

    _repr_pretty_ = print_as_text


class Result(Protocol):
    """What perfect play comes to, for the player to move, as an objective sees it.

    :class:`Value` is the result of ``outcome`` and ``win-loss-draw``; other objectives have their own.

    Attributes
    ----------
    label : str
        The name in files, in JSON and on the command line.
    kind : Value
        Which of the four values it counts as: its colour, its symbol, and who wins.
    ends : bool
        Whether play ends under perfect play, or comes to what is counted: such a result has a
        remoteness, unless the whole solution has none.
    """

    @property
    def label(self) -> str:
        """The name in files, in JSON and on the command line."""

    @property
    def kind(self) -> Value:
        """Which of the four values it counts as."""

    @property
    def ends(self) -> bool:
        """Whether a remoteness belongs to it."""

    @property
    def name(self) -> str:
        """The name in text."""

    def __hash__(self) -> int: ...

    @property
    def detail(self) -> str:
        """What it says besides its kind, in figures: ``+3``; empty if that is nothing."""

    def opposite(self) -> Result:
        """Return the same result for the other player."""


class Value(AsText, IntEnum):
    """The result of perfect play for the player to move. The integers are the codes in arrays.

    Examples
    --------
    >>> Value.WIN.opposite()
    <Value.LOSS: 2>
    >>> print(Value.WIN, f"{Value.WIN:>5}", f"{Value.WIN:d}")
    WIN   WIN 1
    >>> Value("tie"), Value.TIE.label
    (<Value.TIE: 3>, 'tie')
    """

    DRAW = 0
    WIN = 1
    LOSS = 2
    TIE = 3

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        """Return the name, or the code for a format of numbers such as ``d``."""
        return format(int(self) if spec[-1:] in NUMBER_FORMATS else self.name, spec)

    @classmethod
    def _missing_(cls, value: object) -> Value:
        """Return the value with a name, as :meth:`parse`; an enumeration itself knows codes only."""
        if isinstance(value, str):
            return cls.parse(value)
        raise GraphError(f"{value!r} is not a value: expected win, loss, tie, draw or a code, 0 to 3")

    @property
    def label(self) -> str:
        """The name in lower case, as in files and on the command line."""
        return self.name.lower()

    @property
    def kind(self) -> Value:
        """The value itself; see :class:`Result`."""
        return self

    @property
    def ends(self) -> bool:
        """Whether play ends: False for a DRAW."""
        return self is not Value.DRAW

    @property
    def detail(self) -> str:
        """Empty: a value says no more; see :class:`Result`."""
        return ""

    def opposite(self) -> Value:
        """Return the value for the other player: WIN and LOSS are exchanged."""
        if self is Value.WIN:
            return Value.LOSS
        if self is Value.LOSS:
            return Value.WIN
        return self

    @classmethod
    def parse(cls, word: str) -> Value:
        """Return the value with a name, in upper or lower case. Raises GraphError for other text."""
        try:
            return cls[word.strip().upper()]
        except KeyError:
            raise GraphError(f"{word!r} is not a value: expected win, loss, tie or draw") from None


class Mover(IntEnum):
    """Who moves where neither player does."""

    CHANCE = 2
    """Dice are thrown. ``retrosolve.CHANCE`` is this member: rules return it, and a 2 is refused."""

    @property
    def label(self) -> str:
        """The owner in files: ``chance``."""
        return self.name.lower()

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.label

    def __format__(self, spec: str) -> str:
        return format(self.label, spec)


# The codes as plain integers, for kernels, compiled rules and arrays: numpy takes a Value for an array
# of int64, to which it converts the array that is compared.
NOT_TERMINAL = 0
DRAW, WIN, LOSS, TIE = map(int, Value)
CHANCE = int(Mover.CHANCE)


class NimValue(NamedTuple):
    """The value of a position of an impartial game: a nimber, or ∞ with the nimbers of its followers.

    Parameters
    ----------
    number : int or None
        The nimber; None for ∞.
    followers : tuple of int
        For ∞, the nimbers of the followers, ascending; nothing for a nimber.

    Examples
    --------
    >>> three, loop = NimValue(3), NimValue.infinite([2, 0])
    >>> print(three, loop, three + NimValue(1), three + loop, loop + loop)
    *3 ∞(0,2) *2 ∞(1,3) ∞()
    >>> three.kind, loop.kind, (three + loop).kind
    (<Value.WIN: 1>, <Value.WIN: 1>, <Value.DRAW: 0>)
    >>> three, loop
    (NimValue(3), NimValue.infinite([0, 2]))
    """

    number: int | None
    followers: tuple[int, ...] = ()

    @classmethod
    def infinite(cls, followers: Iterable[int]) -> NimValue:
        """Return ∞ with these nimbers of followers, in any order."""
        return cls(None, tuple(sorted(set(followers))))

    @classmethod
    def parse(cls, label: str) -> NimValue:
        """Return the value with a label such as ``"∞(0,2)"``. Raises GraphError for other text."""
        match = NIM_LABEL.fullmatch(label)
        if match is not None:
            value = (
                cls(int(match[1]))
                if match[1]
                else cls.infinite(map(int, match[2].split(",") if match[2] else ()))
            )
            if value.label == label:
                return value
        raise GraphError(f"{label!r} is no value of an impartial game: expected '3' or '∞(0,2)'")

    @property
    def label(self) -> str:
        """The text in files, in JSON and on the command line."""
        return f"∞({','.join(map(str, self.followers))})" if self.number is None else str(self.number)

    @property
    def name(self) -> str:
        """The text for people, with a star before a nimber."""
        return self.label if self.number is None else f"*{self.number}"

    @property
    def kind(self) -> Value:
        """Who wins the game alone: WIN or LOSS for the player to move, or DRAW."""
        if self.number is None:
            return Value.WIN if 0 in self.followers else Value.DRAW
        return Value.WIN if self.number else Value.LOSS

    @property
    def ends(self) -> bool:
        """Whether a remoteness belongs to it, as to every nimber; ∞ has none, won or not."""
        return self.number is not None

    @property
    def detail(self) -> str:
        """The name, as the kind says less."""
        return self.name

    def opposite(self) -> NimValue:
        """Return the value itself: both players have the same moves."""
        return self

    def __add__(self, other: object) -> NimValue:
        """Return the value of the sum of two games."""
        if not isinstance(other, NimValue):
            return NotImplemented
        if self.number is None and other.number is None:
            return NimValue(None)
        if self.number is not None and other.number is not None:
            return NimValue(self.number ^ other.number)
        number = other.number if self.number is None else self.number
        followers = self.followers or other.followers
        return NimValue.infinite(follower ^ (number or 0) for follower in followers)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        print_as_text(self, printer, cycle)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        if self.number is None:
            return f"NimValue.infinite({list(self.followers)})"
        return f"NimValue({self.number})"


class Outcome(NamedTuple):
    """A value and the distance to the end of the game.

    Parameters
    ----------
    value : Value, or another result
        As the objective of the solution has it.
    remoteness : int or None
        Plies, that is, moves of either player; None for a DRAW, and where the solution has none.

    Examples
    --------
    >>> str(Outcome(Value.WIN, 7)), f"{Outcome(Value.DRAW, None):>6}"
    ('WIN in 7', '  DRAW')
    """

    value: Any
    remoteness: int | None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        print_as_text(self, printer, cycle)

    def __str__(self) -> str:
        if self.remoteness is None:
            return str(self.value)
        return f"{self.value} in {self.remoteness}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Clocked(int):
    """A position, a whole number, and the plies since a move last left its tier, which a FEN says.

    It is equal to the position alone: only an objective with a limit looks at the clock.

    Parameters
    ----------
    position : int
    clock : int

    Examples
    --------
    >>> position = Clocked(7, 90)
    >>> position == 7, clock_of(position), clock_of(7)
    (True, 90, 0)
    """

    clock: int

    def __new__(cls, position: int, clock: int) -> Self:
        """Return a position with a clock."""
        made = super().__new__(cls, position)
        made.clock = clock
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (int(self), self.clock)


def clock_of(position: object) -> int:
    """Return the plies since a move last left its tier, 0 if the position does not say."""
    return position.clock if isinstance(position, Clocked) else 0


class Move(NamedTuple):
    """A move.

    Parameters
    ----------
    name : str
    position : hashable
        The position that the move leads to.
    outcome : Outcome
        The outcome of ``position``, for the player who moves *there*: if the players alternate, a move
        to a LOSS is a winning move.

    Examples
    --------
    >>> print(Move("take 1", 9, Outcome(Value.LOSS, 6)))
    take 1 -> 9 (LOSS in 6)
    """

    name: str
    position: Hashable
    outcome: Outcome

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        print_as_text(self, printer, cycle)

    def __str__(self) -> str:
        target = str(self.position)
        shown = self.name if target == self.name else f"{self.name} -> {target}"
        return f"{shown} ({self.outcome})"


STUCK_VALUES: dict[str, Value] = {
    "loss": Value.LOSS,
    "win": Value.WIN,
    "tie": Value.TIE,
}


def stuck_value(stuck: str | Value) -> Value:
    """Return the value of a position without moves for the ``stuck`` argument of a solve.

    >>> stuck_value("loss"), stuck_value("WIN"), stuck_value(Value.TIE)
    (<Value.LOSS: 2>, <Value.WIN: 1>, <Value.TIE: 3>)
    """
    word = stuck.label if isinstance(stuck, Value) else stuck
    try:
        return STUCK_VALUES[word.lower()]
    except (KeyError, AttributeError):
        raise GraphError(
            f"stuck={stuck!r} is not known: expected 'loss' (normal play), 'win' (misère) or 'tie'"
        ) from None
