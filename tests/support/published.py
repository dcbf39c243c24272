"""The published figures that the tests are held to."""

from __future__ import annotations

import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

from retrosolve.games import GAMES
from retrosolve.games.parameters import read_parameters

DATA = Path(__file__).parent.parent / "data" / "published.json"


@cache
def items() -> dict[str, dict[str, Any]]:
    """All items by identifier."""
    return {item["id"]: item for item in json.loads(DATA.read_text(encoding="utf-8"))["items"]}


def figures(identifier: str) -> dict[str, Any]:
    """The figures published under an identifier."""
    return items()[identifier]["figures"]


def built_in(text: str) -> tuple[int, str | None]:
    """The positions of a built-in game such as ``chess:KRK``, and the outcome of its start if it is listed.

    With default parameters they are those of the table of games, which the tests solve.
    """
    name, _, rest = text.partition(":")
    spec = GAMES[name]
    arguments = read_parameters(text, name, rest, spec.parameters, spec.unnamed)
    defaults = inspect.signature(spec.make).parameters
    if all(value == defaults[key].default for key, value in arguments.items()):
        return spec.positions, str(spec.outcome)
    positions, start = figures("built-in-games")["own"][text]
    return positions, start
