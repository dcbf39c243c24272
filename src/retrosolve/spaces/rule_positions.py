"""RulePositions: positions and moves of a compiled game one by one, by its rules in plain Python."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import PositionError
from retrosolve.kernels import hash_index
from retrosolve.kernels.checked import terminal_or_invalid
from retrosolve.spaces.base import RulesSpace, parsed
from retrosolve.spaces.compiled_rules import CompiledRules
from retrosolve.tables import Table
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN

LARGEST_POSITION = 2**63 - 1
TERMINAL_CODES = (NOT_TERMINAL, WIN, LOSS, TIE)

_find: Any = hash_index.lookup


class RulePositions(RulesSpace):
    """The positions of a space by rules; ``GeneratedSpace`` has the attributes."""

    __slots__ = ()

    kernels: SpecializedKernels
    rules: CompiledRules
    index_table: tuple[IntArray, ...]
    initial_indices: tuple[int, ...]
    solved: Table | None

    @property
    @abstractmethod
    def plain_data(self) -> Any:
        """The last argument of the functions of the game in plain Python."""

    @property
    def tier_names(self) -> tuple[str, ...] | None:
        """The name of each tier, as the rules have it."""
        return self.rules.tier_names

    def index(self, position: Hashable) -> int:
        """Return the index of the canonical form of a position or its text. Raises PositionError."""
        return self.resolved(position)[1]

    def resolved(self, position: Hashable) -> tuple[int, int]:
        """Return a position as an int, from its text too, and its index. Raises PositionError."""
        if isinstance(position, str):
            return self._read(position)
        if isinstance(position, bool) or not isinstance(position, int | np.integer):
            raise PositionError(f"{position!r} is not a position: expected a whole number from 0 on")
        number = int(position)
        if not 0 <= number <= LARGEST_POSITION:
            raise PositionError(
                f"{number} is not a position: expected a whole number from 0 to 2^63 - 1"
            )
        try:
            return number, self._valid_index(number)
        except PositionError:
            raise
        except Exception as error:
            what = f"the rules raised {type(error).__name__}: {error}"
            raise PositionError(f"{number} is not a position: {what}") from error

    def _read(self, text: str) -> tuple[int, int]:
        """Return the position that the rules read from a text, and its index. Raises PositionError."""
        position = parsed(self.rules, text)
        if isinstance(position, str):
            raise PositionError(f"{text!r} is not a position: parse() gave {position!r}")
        try:
            return self.resolved(position)
        except PositionError as error:
            raise PositionError(f"{text!r} is not a position: {error}") from error.__cause__

    def target_indices(self, positions: Sequence[Any]) -> NDArray[np.int64]:
        """Return the indices of positions that moves lead to, which may be INVALID.

        The rules are not asked whether these are positions: the proof has compared all moves.
        """
        return np.array([self._ranked(position)[1] for position in positions], np.int64)

    def _valid_index(self, position: int) -> int:
        """Return the index of a position; rules may raise anything for what is not a position."""
        rules, data = self.rules, self.plain_data
        canonical, index = self._own_index(position)
        valid = canonical == position or rules.terminal(position, data) != INVALID
        if not self.index_table:
            code = rules.terminal(canonical, data)
            valid &= code in TERMINAL_CODES and rules.canonical(canonical, data) == canonical
        if not valid:
            raise PositionError(f"{position} is not a position, by the rules of the game")
        if self.solved is not None and self.solved.outcome(index)[0] == INVALID:
            raise PositionError(f"{position} is not a position that play from the start can reach")
        return index

    def _own_index(self, position: int) -> tuple[int, int]:
        """Return the canonical form of a position and its index, checked to be that of no other."""
        canonical, index = self._ranked(position)
        if not self.index_table and (own := self.position(index)) != canonical:
            raise PositionError(f"{position} is not a position: its index, {index}, is that of {own}")
        return canonical, index

    def _ranked(self, position: int) -> tuple[int, int]:
        """Return the canonical form of a position and its index."""
        rules, data = self.rules, self.plain_data
        canonical = int(rules.canonical(position, data))
        if self.index_table:
            order, table = self.index_table
            index = int(_find(canonical, order, table))
            if index < 0:
                raise PositionError(f"{rules.text(position)} was not reached from the start")
        else:
            index = int(rules.rank(canonical, data))
            if not 0 <= index < self.num_vertices:
                raise PositionError(f"{position} is not a position: its index is {index}")
        return canonical, index

    def terminal_at(self, index: int) -> int | None:
        """Return the terminal value of an index by plain Python, None where rules are wrong."""
        try:
            position = self.position(index)
            given = int(self.kernels.run(terminal_or_invalid, 0, position, self.plain_data))
        except Exception:  # a kernel that asks them once more tells what
            return None
        return given if given >= 0 else None

    def position(self, index: int) -> int:
        """Return the canonical position of an index."""
        if self.index_table:
            return int(self.index_table[0][index])
        return int(self.rules.unrank(index, self.plain_data))

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules."""
        return list(self.rules.named_moves(position))

    def text(self, position: Any) -> str:
        """Return a position as the rules write it."""
        return self.rules.text(position)

    def parse(self, text: str) -> int:
        """Return the position that the rules read from ``text``. Raises PositionError."""
        return self._read(text)[0]

    def passed(self, index: int) -> int:
        """Return the index of a position with the other player to move, -1 if there is none."""
        if not self.rules.implements("passed"):
            return super().passed(index)
        try:
            given = self.rules.passed(self.position(index))
            return -1 if given is None else self._own_index(given)[1]
        except PositionError:
            return -1

    def side_to_move(self, position: Any, vertex: int | None = None) -> int | None:
        """Return who moves in a position, 0 or 1; None if the rules do not say."""
        side = super().side_to_move(position, vertex)
        return self.rules.side_to_move(position) if side is None else side

    def svg(self, position: Any) -> str | None:
        """Return a position as the rules draw it."""
        return self.rules.svg(position)

    def move_points(self, position: Any, target: Any) -> tuple[str, ...] | None:
        """Return the points to click for a move, as the rules name them."""
        points = self.rules.move_points(position, target)
        return None if points is None else tuple(points)
