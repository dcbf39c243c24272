"""The gallery: every built-in game with its picture, its result, its source and its command."""

from __future__ import annotations

import inspect
import sys
from typing import Any

from retrosolve.games import GAMES, GameSpec, parse_game

HEAD = """# All games

Each game is a row of the table in `retrosolve.games`, and so is each section here. The pictures show
the start; `svg` of the rules draws them. The tests compare every game with the published result.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(_section(spec) for spec in GAMES.values())])


def _section(spec: GameSpec) -> str:
    """Return the section of a game."""
    game = parse_game(spec.name)
    defaults = ",".join(f"{name}={value}" for name, value in spec.defaults().items() if value)
    command = f"retrosolve solve {spec.name}" + (f":{defaults}" if defaults else "")
    rows = [
        ("Start", f"{spec.outcome}, the value for the player to move"),
        ("Positions", f"{spec.positions:,}"),
        ("Source", spec.source),
        ("Rules", f"`{spec.location.partition(':')[0]}`"),
        ("Command", f"`{command}`"),
    ]
    return "\n".join(
        [f"## {spec.name}", "", f"{_sentence(spec.summary)}", "", *_picture(game), *_notes(spec),
         "| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows), ""]
    )  # fmt: skip


def _sentence(summary: str) -> str:
    """Return a summary as a sentence."""
    return summary[0].upper() + summary[1:] + "."


def _notes(spec: GameSpec) -> list[str]:
    """Return what the module of a game says about its rules, after the first line."""
    module = sys.modules[spec.location.partition(":")[0]]
    return [(inspect.getdoc(module) or "").partition("\n\n")[2].replace("``", "`"), ""]


def _picture(game: Any) -> list[str]:
    """Return the drawing of the start, if the rules have one."""
    start = next(iter(game.starts()), None)
    drawn = None if start is None else game.svg(start)
    if drawn is None:
        return []
    return ["```{raw} html", f'<div class="drawn">{drawn}</div>', "```", ""]
