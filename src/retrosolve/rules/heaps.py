"""HeapGame: rules whose positions are sums of heaps, of which single ones are solved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from retrosolve.arrays import IntArray, is_whole
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import Game
from retrosolve.rules.exploring import SolvableGame
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace, adapted
from retrosolve.spaces.heaps import HeapPositions, HeapSpace

SUM = re.compile(r"\d{1,9}(\+\d{1,9})*", re.ASCII)
MAX_DIGITS = 64

Position = int | tuple[int, ...]


class Period(NamedTuple):
    """The period of a sequence of nimbers.

    Parameters
    ----------
    length : int
    first : int
        The heap from which on nimbers repeat.
    proven : bool
        Whether that holds for all heaps, by the theorem of Guy and Smith: nimbers that repeat for long
        enough repeat for ever.
    """

    length: int
    first: int
    proven: bool


class HeapGame(Game):
    """A taking-and-breaking game: a move takes tokens from a heap and may split the rest in two.

    Its rules are an octal code: digit d of place t says what may be left of a heap after taking t
    tokens, 1 for no heap, 2 for one and 4 for two, and sums of these. A position is a heap, by its
    size, or a tuple of several, ascending.

    Parameters
    ----------
    code : str
        Digits 0 to 7, as ``"0.77"``. A digit 4 before the point allows a split without taking.
    n : int
        The largest heap, from which the game begins.
    unequal : bool
        Whether a split must leave different heaps.

    Raises
    ------
    RulesError
        For another code, and for an ``n`` that is no whole number or negative.
    """

    def __init__(self, code: str, n: int, unequal: bool = False) -> None:
        expected = "expected an octal code such as '0.77', with 0 or 4 before the point"
        if not isinstance(code, str) or not re.fullmatch(r"[04]?\.[0-7]*", code, re.ASCII):
            raise RulesError(f"code={code!r}: {expected}")
        whole, _, places = code.partition(".")
        if len(places) >= MAX_DIGITS:
            raise RulesError(f"code={code!r}: {expected}, and at most {MAX_DIGITS - 1} digits after it")
        if not is_whole(n):
            raise RulesError(f"n={n!r}: expected a whole number")
        if n < 0:
            raise RulesError(f"n={n}: expected 0 tokens or more")
        self.digits = tuple(map(int, (whole or "0") + places))
        self.n, self.unequal = int(n), unequal

    def start(self) -> Position:
        """Return the largest heap."""
        return self.n

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Return the moves in one of the heaps, each named by the heap and what it leaves."""
        heaps = position if isinstance(position, tuple) else (position,)
        targets: dict[Position, str] = {}
        for place, heap in enumerate(heaps):
            for parts in self.options(heap):
                after = tuple(sorted((*heaps[:place], *parts, *heaps[place + 1 :])))
                name = f"{heap} to {'+'.join(map(str, parts)) or 0}"
                targets.setdefault(after if len(after) > 1 else after[0] if after else 0, name)
        return [(name, target) for target, name in targets.items()]

    def options(self, heap: int) -> Iterator[tuple[int, ...]]:
        """Yield the heaps that each move leaves of a heap, none of them empty."""
        for take, digit in enumerate(self.digits[: heap + 1]):
            rest = heap - take
            if digit & 1 and rest == 0 < take:
                yield ()
            if digit & 2 and rest > 0 < take:
                yield (rest,)
            if digit & 4:
                for smaller in range(1, (rest - self.unequal) // 2 + 1):
                    yield smaller, rest - smaller

    def period(self, nimbers: IntArray) -> Period | None:
        """Return the smallest period of the nimbers of heaps of 0 to n tokens, None without one.

        A period is returned without a proof if it has been seen at least twice. O(n) time for each
        length at whose distance the last nimbers agree.

        Examples
        --------
        >>> import numpy as np
        >>> take_one_or_two = HeapGame("0.33", n=20)
        >>> take_one_or_two.period(np.arange(21) % 3)
        Period(length=3, first=0, proven=True)
        """
        n = len(nimbers) - 1
        for length in range(1, n // 2 + 1):
            if nimbers[n] != nimbers[n - length]:
                continue
            differ = np.flatnonzero(nimbers[length:] != nimbers[:-length])
            first = int(differ[-1]) + 1 if len(differ) else 0
            if n - first >= 2 * length:
                proven = not self.unequal and n >= 2 * (first + length) + len(self.digits) - 1
                return Period(length, first, proven)
        return None

    def text(self, position: Position) -> str:
        """Return the sizes of the heaps, joined by plus signs."""
        return "+".join(map(str, position)) if isinstance(position, tuple) else str(position)

    def parse(self, text: str) -> Position:
        """Return the position of a text such as ``3+5``. Raises PositionError."""
        if not SUM.fullmatch(text):
            raise PositionError(f"{text!r} is no position: expected heaps such as 7 or 3+5")
        heaps = tuple(sorted(int(heap) for heap in text.split("+") if int(heap)))
        return heaps if len(heaps) > 1 else heaps[0] if heaps else 0


class SolvableHeapGame(SolvableGame):
    """A :class:`HeapGame` to solve: its heaps need no exploring."""

    game: HeapGame

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of single heaps."""
        game = self.game
        return HeapSpace(HeapPositions(game, game.n), game.digits, game.unequal, game.n)

    def space_without_search(self) -> StateSpace | None:
        """Return the same."""
        return self.state_space()


adapted.register(HeapGame, SolvableHeapGame)
