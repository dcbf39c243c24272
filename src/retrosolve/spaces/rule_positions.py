"""Positions by the rules of a game in plain Python, and those of a compiled game with its index."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, is_whole, python_int
from retrosolve.errors import PositionError, RulesError
from retrosolve.runtime.files import safe_repr, short_repr
from retrosolve.runtime.lazy import deferred
from retrosolve.runtime.sources import function_place
from retrosolve.spaces.base import Positions, Rules, Throw
from retrosolve.spaces.lanes import Lanes
from retrosolve.tables import Table
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, Clocked

LARGEST_POSITION = 2**63 - 1
TERMINAL_CODES = (NOT_TERMINAL, WIN, LOSS, TIE)

_find = deferred("retrosolve.spaces.hash_index:lookup")  # which kernels are imported with


def checked_text(rules: object, position: object, text: object) -> str:
    """Return the result of ``text`` of some rules. Raises RulesError unless it is a string."""
    if not isinstance(text, str):
        raise RulesError(
            f"text({safe_repr(position)}) gave {safe_repr(text)}: expected a string"
            f"{function_place(getattr(type(rules), 'text', None))}"
        )
    return text


def parsed_text(rules: Rules, text: str) -> Any:
    """Return the result of ``parse`` of some rules; whatever they raise becomes a PositionError."""
    try:
        return rules.parse(text)
    except PositionError:
        raise
    except Exception as error:
        what = f"parse() raised {type(error).__name__}: {error}"
        raise PositionError(f"{text!r} is not a position: {what}") from error


class CompiledRules(Rules, Protocol):
    """The part of compiled rules that a generated space calls in plain Python."""

    tier_names: tuple[str, ...] | None
    lanes: Lanes | None

    def terminal(self, position: int, data: object) -> int: ...  # noqa: D102
    def canonical(self, position: int, data: object) -> int: ...  # noqa: D102
    def rank(self, position: int, data: object) -> int: ...  # noqa: D102
    def unrank(self, index: int, data: object) -> int: ...  # noqa: D102
    def tier_targets(self, tier: int) -> Iterable[int]: ...  # noqa: D102
    def start(self) -> int: ...  # noqa: D102
    def named_moves(self, position: int) -> list[tuple[str, int]]: ...  # noqa: D102
    def texts(self, positions: NDArray[np.int64]) -> list[str]: ...  # noqa: D102
    def move_names(  # noqa: D102
        self, positions: NDArray[np.int64], targets: NDArray[np.int64], results: NDArray[np.uint8]
    ) -> list[str]: ...
    def move_aliases(self, position: int, target: int) -> Sequence[str]: ...  # noqa: D102
    def from_object(self, thing: object) -> int | None: ...  # noqa: D102
    def side_to_move(self, position: int) -> int | None: ...  # noqa: D102
    def exchanged(self, position: int) -> int | None: ...  # noqa: D102
    def throws(self, position: int) -> list[Throw]: ...  # noqa: D102
    def reward(self, position: int, target: int, data: object) -> int: ...  # noqa: D102


class RulesPositions(Positions):
    """Positions as the rules of a game read, write and draw them."""

    __slots__ = ()

    rules: Rules

    @property
    def reads_text(self) -> bool:
        """Whether the rules define ``parse``."""
        return self.rules.implements("parse")

    def text(self, position: Any) -> str:
        """Return a position as the rules write it."""
        return checked_text(self.rules, position, self.rules.text(position))

    def parse(self, text: str) -> Hashable:
        """Return the position that the rules read from ``text``. Raises PositionError."""
        position: Hashable = parsed_text(self.rules, text)
        self.index(position)
        return position

    def svg(self, position: Any) -> str | None:
        """Return a position as the rules draw it, or its text as a board if they draw nothing."""
        if self.rules.implements("svg"):
            return self.rules.svg(position)
        from retrosolve.drawing.boards import text_board

        return text_board(self.text(position))

    def move_points(self, position: Any, target: Any) -> tuple[str, ...] | None:
        """Return the points to click for a move, as the rules name them or on a board of text."""
        points = self.rules.move_points(position, target)
        if points is None and not self.rules.implements("svg"):
            from retrosolve.drawing.boards import text_points

            return text_points(self.text(position), self.text(target))
        return None if points is None else tuple(points)

    @property
    def has_features(self) -> bool:
        """Whether the rules define ``features``."""
        return self.rules.implements("features")

    def features(self, position: Any) -> Sequence[float]:
        """Return a position as numbers. Raises GraphError if the rules make none."""
        return self.rules.features(position) if self.has_features else super().features(position)

    def null_move(self, index: int) -> int:
        """Return the index of a position with the other player to move, -1 if there is none."""
        if not self.rules.implements("null_move"):
            return super().null_move(index)
        try:
            position = self.rules.null_move(self.position(index))
            return -1 if position is None else self._unchecked_index(position)
        except PositionError:
            return -1

    def _unchecked_index(self, position: Any) -> int:
        """Return an index that may be INVALID, where that saves time."""
        return self.index(position)


class CompiledPositions(RulesPositions):
    """The positions of a compiled game, whole numbers, by its rules in plain Python.

    Parameters
    ----------
    rules : CompiledRules
    data : tuple
        The last argument of the rules in plain Python.
    num_vertices : int
    index_table : tuple of two int arrays, or ()
        Positions that were explored, and a hash table over them; empty for positions with a rank.
    solved : Table, optional
        A solution, whose values say which indices are reachable.
    """

    __slots__ = ("data", "index_table", "num_vertices", "rules", "solved")

    rules: CompiledRules

    def __init__(
        self,
        rules: CompiledRules,
        data: object,
        num_vertices: int,
        index_table: tuple[IntArray, ...],
        solved: Table | None,
    ) -> None:
        self.rules = rules
        self.data = data
        self.num_vertices = num_vertices
        self.index_table = index_table
        self.solved = solved

    def index(self, position: Hashable) -> int:
        """Return the index of the canonical form of a position or its text. Raises PositionError."""
        return self.resolved(position)[1]

    def resolved(self, position: Hashable) -> tuple[int, int]:
        """Return a position as an int, from its text too, and its index. Raises PositionError.

        An object of another library is a position if the rules know it.
        """
        if isinstance(position, str):
            return self._read(position)
        if isinstance(position, bool) or not isinstance(position, int | np.integer):
            position = self._from_object(position)
        number = position if isinstance(position, Clocked) else int(position)
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

    def numbers_of(self, positions: NDArray[Any] | Sequence[Any]) -> NDArray[np.int64]:
        """Return positions, numbers or their texts, as numbers; -1 for what is neither, int64 [k]."""
        found = np.full(len(positions), -1, np.int64)
        listed = positions.tolist() if isinstance(positions, np.ndarray) else positions
        for place, position in enumerate(listed):
            with contextlib.suppress(PositionError):
                thing = parsed_text(self.rules, position) if isinstance(position, str) else position
                number = int(thing) if is_whole(thing) else self._from_object(thing)
                found[place] = number if 0 <= number <= LARGEST_POSITION else -1
        return found

    def _from_object(self, thing: Hashable) -> int:
        """Return the position of an object that is no number. Raises PositionError."""
        try:
            number = None if isinstance(thing, bool) else self.rules.from_object(thing)
        except PositionError:
            raise
        except Exception as error:
            what = f"from_object() raised {type(error).__name__}: {error}"
            raise PositionError(f"{thing!r} is not a position: {what}") from error
        if not is_whole(number):
            raise PositionError(f"{thing!r} is not a position: expected a whole number from 0 on")
        return number if isinstance(number, Clocked) else int(number)

    def _read(self, text: str) -> tuple[int, int]:
        """Return the position that the rules read from a text, and its index. Raises PositionError."""
        position = parsed_text(self.rules, text)
        if isinstance(position, str):
            raise PositionError(f"{text!r} is not a position: parse() gave {position!r}")
        try:
            return self.resolved(position)
        except PositionError as error:
            raise PositionError(f"{text!r} is not a position: {error}") from error.__cause__

    def parse(self, text: str) -> int:
        """Return the position that the rules read from ``text``. Raises PositionError."""
        return self._read(text)[0]

    def target_indices(self, positions: Sequence[Any]) -> NDArray[np.int64]:
        """Return the indices of positions that moves lead to, which may be INVALID.

        The rules are not asked whether these are positions: the proof has compared all moves.
        """
        return np.array([self._ranked(position)[1] for position in positions], np.int64)

    def _valid_index(self, position: int) -> int:
        """Return the index of a position; rules may raise anything for what is not a position."""
        rules, data = self.rules, self.data
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

    def _unchecked_index(self, position: int) -> int:
        """Return the index of a position, which may be INVALID."""
        return self._own_index(position)[1]

    def _ranked(self, position: int) -> tuple[int, int]:
        """Return the canonical form of a position and its index."""
        rules, data = self.rules, self.data
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

    def position(self, index: int) -> int:
        """Return the canonical position of an index."""
        if self.index_table:
            return int(self.index_table[0][index])
        return int(self.rules.unrank(index, self.data))

    def text(self, position: Any) -> str:
        """Return a position, of NumPy too, as the rules write it."""
        return super().text(python_int(position))

    def svg(self, position: Any) -> str | None:
        """Return a position, of NumPy too, as the rules draw it, or its text as a board."""
        return super().svg(python_int(position))

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules, of a position, of NumPy too."""
        named = self.rules.named_moves(python_int(position))
        return [(name, python_int(target)) for name, target in named]

    def move_aliases(self, position: Any, target: Any) -> tuple[str, ...]:
        """Return other names of a move, as the rules know them."""
        return tuple(self.rules.move_aliases(position, target))

    def move_rewards(self, position: Any, targets: Sequence[Any]) -> list[int] | None:
        """Return the rewards of moves, by the rules; None if they define none."""
        if not self.rules.implements("reward"):
            return None
        return [int(self.rules.reward(position, target, self.data)) for target in targets]

    def throws(self, position: Any) -> list[Throw] | None:
        """Return the results of a throw at a position, by the rules; None without ``outcomes``."""
        return self.rules.throws(position) if self.rules.implements("outcomes") else None

    def side_to_move(self, position: Any) -> int | None:
        """Return the player to move, 0 or 1; None if the rules do not say."""
        return self.rules.side_to_move(position)


def stacked_features(
    text: Callable[[Any], str], made: Callable[[Any], Any], positions: Iterable[Hashable]
) -> NDArray[np.float64]:
    """Return the numbers that rules make of some positions, a row for each.

    Parameters
    ----------
    text, made : callable
        ``text`` and ``features`` of the rules.
    positions : iterable of hashable

    Raises
    ------
    RulesError
        For anything but numbers, as many for each position.
    """
    rows: list[NDArray[np.float64]] = []
    for position in positions:
        numbers = made(position)
        try:
            row = np.asarray(numbers, np.float64)
        except (TypeError, ValueError):
            row = np.zeros(())
        if row.ndim != 1 or len(row) != len(rows[0] if rows else row):
            expected = f"{len(rows[0])} numbers, as for the first" if rows else "numbers, in a list"
            raise RulesError(
                f"features() gave {short_repr(numbers)} for {text(position)!r}: expected {expected}"
            )
        rows.append(row)
    return np.stack(rows) if rows else np.zeros((0, 0))
