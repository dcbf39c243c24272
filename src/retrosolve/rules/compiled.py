"""CompiledGame: the contract for rules that are compiled, for games of millions of positions.

A position is a whole number from 0 to 2^63 - 1. The rules are plain functions over such numbers,
written in the part of Python that numba compiles: numbers, arrays, loops; no objects. The package
compiles them into its own kernels, together with the functions of theirs that they call; nothing
need be decorated. Uncompiled they are ordinary Python, to be called and tested as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from retrosolve.errors import FormatError, PositionError
from retrosolve.rules import indexing
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.rules.spec import Specified
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import StateSpace
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN

__all__ = ["INVALID", "LOSS", "NOT_TERMINAL", "TIE", "WIN", "CompiledGame"]


class CompiledGame(Specified):
    """The rules of a game as functions to compile. Subclass it; the functions are static methods.

    Each function takes ``data`` last, what the game carries in the attribute ``data``: numbers and
    arrays in a tuple or named tuple. Parameters of the game belong there (one compiled game then
    serves all of them), tables too. What a function leaves in ``out`` beyond the count is ignored.

    >>> import retrosolve as rs
    >>> class Heap(rs.CompiledGame):
    ...     max_moves = 2
    ...     def __init__(self, n):
    ...         self.size = n + 1
    ...     def start(self):
    ...         return self.size - 1
    ...     @staticmethod
    ...     def successors(position, out, data):
    ...         out[0], out[1] = position - 1, position - 2
    ...         return min(position, 2)
    >>> Heap(10).named_moves(10)
    [('9', 9), ('8', 8)]
    """

    data: Any = ()
    """OPTIONAL. A tuple of numbers and arrays that each function is given last; never changed.

    Few of them: the tuple is handed on at each call. Many small tables are best one array of rows.
    """

    max_moves: int = 0
    """REQUIRED. No position has more moves: the length of ``out`` in ``successors``."""

    max_predecessors: int = 0
    """REQUIRED with ``predecessors``: the length of ``out`` there."""

    size: int | None = None
    """OPTIONAL. The game has a dense index 0..size-1. Left out, positions are found from the start.

    Then every index is solved, reached from the start or not, unless ``reachable_only`` says otherwise.
    """

    reachable_only: bool = False
    """OPTIONAL, with ``size``. Only what play can reach from the start is solved and counted.

    The rules are never asked about other indices, which need not stand for anything.
    """

    injective_rank: bool = False
    """OPTIONAL, with ``reachable_only``, ``rank``, ``predecessors``. No two positions have one index.

    That is meant of all positions that ``predecessors`` writes, reached from the start or not. Left
    out, each is compared with the position of its index, which costs an ``unrank``.
    """

    tiers: tuple[int, ...] | None = None
    """OPTIONAL, with ``size``. The first index of each tier, ascending, from 0.

    A position's moves lead to indices of its own tier or of earlier tiers only. Each tier is then
    solved after those before it, with working memory for one tier. Left out: one tier.
    """

    players: tuple[str, str] = ("0", "1")

    def start(self) -> int:
        """REQUIRED without ``size``. The position that the game starts from."""
        raise NotImplementedError(f"{type(self).__name__} gives no start(): expected a position")

    def starts(self) -> Iterable[int]:
        """OPTIONAL. The positions to find all others from, where one is not enough."""
        return (self.start(),)

    successors: ClassVar[Callable[..., Any]]
    """REQUIRED. ``successors(position, out, data) -> count``: write the positions that moves lead to.

    Not asked where ``terminal`` has ended the game. No moves at all means stuck. The same position
    may be written more than once.
    """

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """OPTIONAL. WIN, LOSS or TIE for the player to move where the game is over; else NOT_TERMINAL.

        INVALID says that an index stands for nothing; no move may lead there. Left out, the game
        ends only where there are no moves, and every index is a position.
        """
        return NOT_TERMINAL

    @staticmethod
    def rank(position: int, data: Any) -> int:
        """OPTIONAL, with ``unrank``. The index of a position. Left out, a position is its own index.

        Asked for positions that moves lead to, their canonical forms if ``canonical`` is given.
        """
        return position

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        """OPTIONAL, with ``rank``. The position of an index, for every index from 0 to size - 1."""
        return index

    predecessors: ClassVar[Callable[..., Any] | None] = None
    """OPTIONAL. ``predecessors(position, out, data) -> count``: the positions with a move to here.

    All of them must be written; a position may be written more than once, and so may what
    ``terminal`` calls finished or INVALID: those are passed over, if their index is not that of
    another position. Without it the moves are kept
    in memory, 4 bytes each, or where the budget does not allow it generated again for each level.
    With ``canonical``, give the predecessors of the position itself, canonical or not. Positions of
    later tiers may be left out.
    """

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        """OPTIONAL. One representative of all positions that play alike; the same for all of them.

        Only representatives are solved. With ``player``, the same player moves at the representative.
        Left out, each position stands for itself.
        """
        return position

    @staticmethod
    def player(position: int, data: Any) -> int:
        """OPTIONAL. Who moves, 0 or 1. Left out, the players alternate."""
        raise NotImplementedError("no player()")

    def text(self, position: int) -> str:
        """OPTIONAL. A position written for a person."""
        return str(position)

    def svg(self, position: int) -> str | None:
        """OPTIONAL. A picture of a position, an ``<svg>`` element, for notebooks."""
        return None

    def parse(self, text: str) -> int:
        """OPTIONAL. The position that ``text`` writes. Raises PositionError where there is none."""
        try:
            return int(text)
        except ValueError:
            raise PositionError(f"{text!r} is no position: expected a whole number") from None

    def move_name(self, position: int, target: int) -> str:
        """OPTIONAL. What a move is called. Left out, the text of the position it leads to."""
        return self.text(target)

    # -- what the package makes of them --------------------------------------------------------

    def implements(self, name: str) -> bool:
        """Return whether the author defined the optional function of this name."""
        given = getattr(type(self), name, None)
        return given is not None and given is not getattr(CompiledGame, name, None)

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of the game's positions, edges generated by the compiled rules.

        Without ``size`` they are explored first, which stores the edges. Raises RulesError for rules
        that break their contract.
        """
        if self.size is None:
            return indexing.explored_space(self, context or Context())
        return indexing.indexed_space(self)

    def known_space(self) -> StateSpace | None:
        """Return the space of a game with a dense index; None where positions have to be explored."""
        return None if self.size is None else self.state_space()

    def explored(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions reachable from the start, found by the rules uncompiled."""
        return self.plain().state_space(context)

    def restored(self, arrays: dict[str, Any]) -> StateSpace:
        """Return the space again from what :meth:`StateSpace.arrays` gave, without exploring."""
        if self.size is None:
            if "positions" not in arrays:
                raise FormatError("no file positions.npy: expected one")
            return indexing.restored_space(self, arrays["positions"])
        return indexing.indexed_space(self)

    def plain(self) -> InterpretedGame:
        """Return the rules as plain Python."""
        return InterpretedGame(self)

    def instrumented(self) -> InstrumentedGame:
        """Return the rules as plain Python that raises RulesError for breaches of their contract."""
        if self.size is None:
            indexing.check_declarations(self)
        else:
            indexing.indexed_space(self)
        return InstrumentedGame(self)

    def named_moves(self, position: int) -> list[tuple[str, int]]:
        """Return the name and the target of each move, by the rules uncompiled."""
        out = np.zeros(self.max_moves, np.int64)
        count = int(self.successors(position, out, self.data))
        return [(self.move_name(position, target), target) for target in out[:count].tolist()]
