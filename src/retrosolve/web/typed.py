"""Lines of play typed in by a reader."""

from __future__ import annotations

import re
from gettext import NullTranslations

from retrosolve.errors import PositionError
from retrosolve.languages.phrases import phrase
from retrosolve.solution import Solution
from retrosolve.solution.preference import RankedMove, ranked_moves
from retrosolve.web.scene import Scene, in_line_order

NUMBERS = re.compile(r"\b\d+\.(?:\s|$)")
BREAKS = re.compile(r"[,;\n]")
MAX_SHOWN = 12


def moves_in(solution: Solution, shown: Scene, text: str, to: NullTranslations) -> list[int]:
    """Return the moves of a text from a position on, as numbers for the line of its address.

    Parameters
    ----------
    solution : Solution
    shown : Scene
        Where the line begins.
    text : str
        Names of moves, between commas, semicolons or lines; between blanks where no name has one.
        Numbers of moves such as ``1.`` are passed over.
    to : NullTranslations
        The catalogue of the names that the page shows; those of the rules are understood as well.

    Raises
    ------
    PositionError
        For a move that there is not, with those that there are.
    """
    numbers: list[int] = []
    ranked = shown.address.ranked
    moves, position = in_line_order(shown.moves, ranked), shown.position
    rest = NUMBERS.sub(" ", text).strip()
    while rest:
        number, rest = _next(moves, rest, len(numbers) + 1, to)
        numbers.append(number + 1)
        position = moves[number].move.position
        moves = in_line_order(ranked_moves(solution.space, solution.table, position), ranked)
    return numbers


def _next(moves: list[RankedMove], text: str, ply: int, to: NullTranslations) -> tuple[int, str]:
    """Return the move that a text begins with, the longest one, and the rest of the text."""
    found, length = -1, 0
    folded = text.casefold()
    both = [(k, name) for k, m in enumerate(moves) for name in {m.move.name, phrase(m.move.name, to)}]
    for number, shown in both:
        name = shown.strip().casefold()
        after = folded[len(name) : len(name) + 1]
        if len(name) > length and folded.startswith(name) and (not after or after in ",; \n\t\r"):
            found, length = number, len(name)
    if found < 0:
        given = BREAKS.split(text)[0].strip()[:60]
        names = (
            ", ".join(phrase(ranked.move.name, to) for ranked in moves[:MAX_SHOWN])
            or "none: the game is over"
        )
        raise PositionError(f"move {ply} of the line, {given!r}, is no move there: expected {names}")
    return found, text[length:].lstrip(" ,;\n\t\r")
