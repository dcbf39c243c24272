"""A compiled game as plain rules whose functions are watched as they are called, uncompiled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, Value

if TYPE_CHECKING:
    from retrosolve.rules.compiled import CompiledGame

LARGEST_POSITION = 2**63 - 1
CANARIES = (-7_777_777, 0)  # the first is no position: where it stays, nothing was written
GUARD_LENGTH = 64


class InstrumentedGame(InterpretedGame):
    """Plain rules, with a RulesError where a function of the compiled game breaks its contract.

    ``data`` is handed to the functions read-only. ``out`` is longer than it will be, and its content
    differs between two calls, so that a function is seen that writes past its room or reads what
    it has not written. The numbers and names of the game are taken to be right.
    """

    def __init__(self, game: CompiledGame) -> None:
        super().__init__(game)
        self.name = type(game).__name__
        self.data = _read_only(game.data, self.name)

    def starts(self) -> list[int]:
        """Give the starts, none where a dense index needs none."""
        if self.game.size is not None and not (
            self.game.implements("start") or self.game.implements("starts")
        ):
            return []
        try:
            given: Iterable[Any] = list(self.game.starts())
        except RetrosolveError:
            raise
        except Exception as error:
            raise _rules_error(f"{self.name}.starts()", error) from error
        for start in given:
            if not _is_whole(start) or not 0 <= start <= LARGEST_POSITION:
                raise RulesError(
                    f"{self.name} starts from {start!r}: expected a whole number below 2^63"
                )
            if self._is_none(int(start)):
                raise RulesError(
                    f"{self.name} starts from {start}, which terminal() says is no position"
                )
        return [int(start) for start in given]

    def moves(self, position: int) -> list[tuple[str, int]]:
        """Give each move with its name."""
        targets = self.targets(position)
        try:
            return [(self.game.move_name(position, target), target) for target in targets]
        except Exception as error:
            raise _rules_error(f"{self.name}.move_name({position}, one of {targets})", error) from error

    def targets(self, position: int) -> list[Any]:
        """Give where moves lead: to positions, in their canonical forms too."""
        targets = self.written("successors", position)
        for target in targets:
            if self._is_none(target):
                raise RulesError(
                    f"{position} leads to {target}, which terminal() says is no position: "
                    "expected moves to positions only"
                )
        return targets

    def _is_none(self, position: int) -> bool:
        """Tell whether a number or its canonical form is said to be no position."""
        own = self.canonical(position)
        return self.code(own) == INVALID or (own != position and self.code(position) == INVALID)

    def terminal(self, position: int) -> Value | None:
        """Give the value where the game is over; asked for positions only."""
        code = self.code(position)
        return Value(code) if code != NOT_TERMINAL else None

    def player(self, position: int) -> int:
        """Give who moves."""
        return self.whole("player", position)

    def canonical(self, position: int) -> int:
        """Give the representative."""
        return self.whole("canonical", position)

    def code(self, position: int) -> int:
        """Give what ``terminal`` says, INVALID too."""
        code = self.whole("terminal", position)
        if code not in (NOT_TERMINAL, WIN, LOSS, TIE, INVALID):
            raise RulesError(
                f"{self.name}.terminal({position}) gave {code}: "
                "expected NOT_TERMINAL, WIN, LOSS, TIE or INVALID"
            )
        return code

    def goes_on(self, position: int) -> bool:
        """Tell whether moves are asked for here."""
        return self.code(position) == NOT_TERMINAL

    def whole(self, rule: str, given: int, *out: Any) -> int:
        """Call a function that gives a whole number, 0 or more."""
        number = self.number(rule, given, *out)
        if number < 0:
            raise RulesError(
                f"{self.name}.{rule}({given}) gave {number}: expected a whole number, 0 or more"
            )
        return number

    def number(self, rule: str, given: int, *out: Any) -> int:
        """Call a function that gives a whole number."""
        try:
            answer = getattr(type(self.game), rule)(given, *out, self.data)
        except ValueError as error:
            if "read-only" not in str(error):
                raise _rules_error(f"{self.name}.{rule}({given})", error) from error
            raise RulesError(f"{self.name}.{rule}({given}) changes data: expected it kept") from error
        except Exception as error:
            raise _rules_error(f"{self.name}.{rule}({given})", error) from error
        if not _is_whole(answer):
            raise RulesError(
                f"{self.name}.{rule}({given}) gave {answer!r}: expected a whole number, 0 or more"
            )
        return int(answer)

    def written(self, rule: str, position: int) -> list[int]:
        """Ask for successors or predecessors, twice, with room to spare."""
        wide = f"max_{'moves' if rule == 'successors' else rule}"
        most = int(getattr(self.game, wide))
        given = []
        for fill in CANARIES:
            out = np.full(most + GUARD_LENGTH, fill, np.int64)
            count = self.whole(rule, position, out)
            if count > most or (out[most:] != fill).any():
                raise RulesError(
                    f"{self.name}.{rule}({position}) writes past {wide} = {most}: "
                    "expected no more positions"
                )
            positions: list[int] = out[:count].tolist()
            for at, target in enumerate(positions):
                if target == CANARIES[0]:
                    raise RulesError(
                        f"{self.name}.{rule}({position}) gave {count}, but left out[{at}] as it was: "
                        f"expected {count} positions"
                    )
                if target < 0:
                    raise RulesError(
                        f"{self.name}.{rule}({position}) wrote {target}: "
                        "expected a whole number, 0 or more"
                    )
            given.append(positions)
        if given[0] != given[1]:
            raise RulesError(
                f"{self.name}.{rule}({position}) "
                f"gave {given[0]} and then {given[1]}: expected the same each time, "
                "whatever out held before"
            )
        return given[0]


def _is_whole(number: Any) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _read_only(data: Any, name: str) -> Any:
    """Give the same data that cannot be written to."""
    if isinstance(data, np.ndarray):
        view = data.view()
        view.flags.writeable = False
        return view
    if isinstance(data, tuple):
        parts = [_read_only(part, name) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else tuple(parts)
    if not isinstance(data, int | float | complex | str | bytes | np.generic):
        raise RulesError(
            f"{name}.data holds a {type(data).__name__}: expected numbers and arrays in a tuple"
        )
    return data


def _rules_error(call: str, error: Exception) -> RulesError:
    return RulesError(f"{call} raised {type(error).__name__}: {error}")
