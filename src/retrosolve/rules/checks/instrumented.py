"""InstrumentedGame: compiled rules as plain Python, with checks of every call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.rules.contract import CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime.places import error_place, function_place
from retrosolve.spaces.rule_positions import LARGEST_POSITION
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, Value

CANARIES = (-7_777_777, 0)  # the first is no position: if it remains, nothing was written
GUARD_LENGTH = 64


class InstrumentedGame(InterpretedGame):
    """A compiled game as plain rules that raise RulesError if a function breaks its contract.

    Parameters
    ----------
    game : CompiledGame
        Its bounds and names must have been checked.

    Notes
    -----
    ``data`` is passed read-only. ``out`` is longer than ``max_moves``, and is filled with different
    values in two calls, which detects functions that write out of bounds or read entries that they
    have not written.
    """

    def __init__(self, game: CompiledGame) -> None:
        super().__init__(game)
        self.name = type(game).__name__
        self.data = _read_only(game.plain_data)

    def broken(self, rule: str, sentence: str) -> RulesError:
        """Return the error for a function that breaks its contract, with its place."""
        return RulesError(sentence + function_place(getattr(type(self.game), rule)))

    def starts(self) -> list[int]:
        """Return the starts; none if the game has a dense index and defines no start."""
        if self.game.size is not None and not (
            self.game.implements("start") or self.game.implements("starts")
        ):
            return []
        try:
            starts: Iterable[Any] = list(self.game.starts())
        except RetrosolveError:
            raise
        except Exception as error:
            raise _rules_error(f"{self.name}.starts()", error) from error
        for start in starts:
            if not _is_whole(start) or not 0 <= start <= LARGEST_POSITION:
                raise self.broken(
                    "starts" if self.game.implements("starts") else "start",
                    f"{self.name} starts from {start!r}: expected a whole number below 2^63",
                )
            if self._is_invalid(int(start)):
                raise self.broken(
                    "terminal", f"{self.name} starts from {start}, which terminal() says is no position"
                )
        return [int(start) for start in starts]

    def moves(self, position: int) -> list[tuple[str, int]]:
        """Return the name and the target of each move."""
        targets = self.targets(position)
        try:
            return [(self.game.move_name(position, target), target) for target in targets]
        except Exception as error:
            raise _rules_error(f"{self.name}.move_name({position}, one of {targets})", error) from error

    def targets(self, position: int) -> list[Any]:
        """Return the targets of moves, checked to be valid and to have valid representatives."""
        targets = self.written("successors", position)
        for target in targets:
            if self._is_invalid(target):
                raise self.broken(
                    "successors",
                    f"{position} leads to {target}, which terminal() says is no position: "
                    "expected moves to positions only",
                )
        return targets

    def _is_invalid(self, position: int) -> bool:
        """Return whether ``terminal`` is INVALID for a number or its representative."""
        form = self.canonical(position)
        return self.code(form) == INVALID or (form != position and self.code(position) == INVALID)

    def terminal(self, position: int) -> Value | None:
        """Return the result if the game is over at a valid position, otherwise None."""
        code = self.code(position)
        return Value(code) if code != NOT_TERMINAL else None

    def player(self, position: int) -> int:
        """Return the player to move."""
        return self.whole("player", position)

    def canonical(self, position: int) -> int:
        """Return the representative of a position."""
        return self.whole("canonical", position)

    def code(self, position: int) -> int:
        """Return the result of ``terminal``, which may be INVALID."""
        code = self.whole("terminal", position)
        if code not in (NOT_TERMINAL, WIN, LOSS, TIE, INVALID):
            raise self.broken(
                "terminal",
                f"{self.name}.terminal({position}) gave {code}: "
                "expected NOT_TERMINAL, WIN, LOSS, TIE or INVALID",
            )
        return code

    def goes_on(self, position: int) -> bool:
        """Return whether a position is neither terminal nor INVALID."""
        return self.code(position) == NOT_TERMINAL

    def whole(self, rule: str, argument: int, *out: Any) -> int:
        """Call a function that must return a whole number, 0 or more."""
        number = self.number(rule, argument, *out)
        if number < 0:
            raise self.broken(
                rule,
                f"{self.name}.{rule}({argument}) gave {number}: expected a whole number, 0 or more",
            )
        return number

    def number(self, rule: str, argument: int, *out: Any) -> int:
        """Call a function that must return a whole number."""
        try:
            result = getattr(type(self.game), rule)(argument, *out, self.data)
        except ValueError as error:
            if "read-only" not in str(error):
                raise _rules_error(f"{self.name}.{rule}({argument})", error) from error
            raise RulesError(
                f"{self.name}.{rule}({argument}) changes data: expected it kept{error_place(error)}"
            ) from error
        except Exception as error:
            raise _rules_error(f"{self.name}.{rule}({argument})", error) from error
        if not _is_whole(result):
            raise self.broken(
                rule,
                f"{self.name}.{rule}({argument}) gave {result!r}: expected a whole number, 0 or more",
            )
        return int(result)

    def surveyed(self, index: int) -> tuple[tuple[int, ...], list[int]]:
        """Return what ``survey`` returns, four numbers, and what it writes."""
        out = np.zeros(self.game.max_moves, np.int64)
        call = f"{self.name}.survey({index})"
        try:
            given = tuple(map(int, self.game.survey(index, out, self.data)))  # type: ignore[misc]
        except Exception as error:
            raise _rules_error(call, error) from error
        if len(given) != 4 or min(given) < 0 or sum(given[2:]) > len(out):
            raise self.broken(
                "survey",
                f"{call} gave {given}: expected the result, the moves, and how many indices they lead "
                f"to within the tier and beyond it, at most {len(out)} in all",
            )
        return given, out[: given[3]].tolist()

    def written(self, rule: str, position: int) -> list[int]:
        """Return what ``successors`` and its like write, called twice with guard entries."""
        bound = "max_moves" if rule == "successors" else "max_predecessors"
        limit = int(getattr(self.game, bound))
        results = []
        for fill in CANARIES:
            out = np.full(limit + GUARD_LENGTH, fill, np.int64)
            count = self.whole(rule, position, out)
            if count > limit or (out[limit:] != fill).any():
                raise self.broken(
                    rule,
                    f"{self.name}.{rule}({position}) writes past {bound} = {limit}: "
                    "expected no more positions",
                )
            positions: list[int] = out[:count].tolist()
            for at, target in enumerate(positions):
                if target == CANARIES[0]:
                    raise self.broken(
                        rule,
                        f"{self.name}.{rule}({position}) gave {count}, but left out[{at}] as it was: "
                        f"expected {count} positions",
                    )
                if target < 0:
                    raise self.broken(
                        rule,
                        f"{self.name}.{rule}({position}) wrote {target}: "
                        "expected a whole number, 0 or more",
                    )
            results.append(positions)
        if results[0] != results[1]:
            raise self.broken(
                rule,
                f"{self.name}.{rule}({position}) "
                f"gave {results[0]} and then {results[1]}: expected the same each time, "
                "whatever out held before",
            )
        return results[0]


def _is_whole(number: Any) -> bool:
    """Return whether a value is an integer and no bool."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _read_only(data: Any) -> Any:
    """Return data with read-only views of its arrays."""
    if isinstance(data, np.ndarray):
        view = data.view()
        view.flags.writeable = False
        return view
    if isinstance(data, tuple):
        parts = [_read_only(part) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else tuple(parts)
    return data


def _rules_error(call: str, error: Exception) -> RulesError:
    """Return the error for an exception in one of the author's functions."""
    return RulesError(f"{call} raised {type(error).__name__}: {error}{error_place(error)}")
