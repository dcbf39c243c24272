"""The built-in games: one a file, and the table that names them all."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.games.stones import Stones
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.rules.game import Game


@dataclass(frozen=True)
class BuiltIn:
    """A built-in game: how it is made, what it is, and how each parameter is read from text."""

    name: str
    make: Callable[..., Game]
    summary: str
    parameters: dict[str, Callable[[str], Any]]


def whole(text: str) -> int:
    """Read a whole number of at most nine digits."""
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise ValueError("a whole number")
    return int(text)


def numbers(text: str) -> tuple[int, ...]:
    """Read whole numbers joined by plus signs, as in ``1+2``."""
    try:
        return tuple(whole(part) for part in text.split("+"))
    except ValueError:
        raise ValueError("whole numbers joined by +") from None


GAMES: dict[str, BuiltIn] = {
    game.name: game
    for game in (
        BuiltIn("stones", Stones, "take stones from a heap", {"n": whole, "take": numbers}),
        BuiltIn("tictactoe", TicTacToe, "three in a row on a 3x3 board", {}),
    )
}


def make_game(text: str) -> Game:
    """Make a built-in game from its name and parameters, as in ``stones:n=10,take=1+2``.

    Raises RulesError for an unknown game or parameter, or a value that cannot be read.

    >>> make_game("stones:n=7").start()
    7
    """
    name, _, given = text.partition(":")
    if name not in GAMES:
        raise RulesError(f"there is no game {name!r}: expected one of {', '.join(GAMES)}")
    game = GAMES[name]
    arguments: dict[str, Any] = {}
    for part in given.split(",") if given else []:
        key, equals, value = part.partition("=")
        if not equals or key not in game.parameters:
            known = ", ".join(f"{key}=..." for key in game.parameters) or "none"
            raise RulesError(f"{text}: {part!r} is no parameter of {name}: expected {known}")
        if key in arguments:
            raise RulesError(f"{text}: {key} is given twice: expected it once")
        try:
            arguments[key] = game.parameters[key](value)
        except ValueError as error:
            raise RulesError(f"{text}: {key}={value!r}: expected {error}") from None
    return game.make(**arguments)
