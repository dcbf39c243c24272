"""Setting up a position: pieces that a reader puts on the board, for games whose text is that board."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from gettext import NullTranslations
from typing import Any, NamedTuple

import numpy as np

from retrosolve.drawing.boards import BLANK, POINT
from retrosolve.errors import PositionError
from retrosolve.languages import side_name
from retrosolve.runtime.text import board_rows
from retrosolve.spaces.base import StateSpace
from retrosolve.tables.base import Table
from retrosolve.values import INVALID
from retrosolve.web.library import Entry
from retrosolve.web.phrasing import capitalized, titled

SAMPLED = 2000  # indices whose positions are looked at
MOST_ENDS = 8  # that a reader chooses among


class Alphabet(NamedTuple):
    """What stands in the texts of some positions.

    Parameters
    ----------
    letters : dict of str to (hashable, int, int)
        For each piece a position with one, its row and its column.
    ends : dict of str to hashable
        For each text behind the board, such as `` w``, a position that has it.
    blank : str
        What stands for an empty square.
    """

    letters: dict[str, tuple[Hashable, int, int]]
    ends: dict[str, Hashable]
    blank: str


def points_of(text: str, picture: str | None) -> list[list[str]]:
    """Return the point of the picture for each letter of a board; none where the two do not agree.

    >>> from retrosolve.drawing.boards import text_board
    >>> points_of("X./.O", text_board("X./.O"))
    [['1,1', '1,2'], ['2,1', '2,2']]
    """
    lines: dict[float, list[tuple[float, str]]] = {}
    for x, y, label in POINT.findall(picture or ""):
        lines.setdefault(float(y), []).append((float(x), label))
    points = [[label for _, label in sorted(line)] for _, line in sorted(lines.items())]
    rows = board_rows(text)
    return points if rows and [*map(len, points)] == [*map(len, rows)] else []


def _end_of(text: str) -> str:
    """Return what stands behind the board in a text.

    >>> _end_of("3k/4/2K1/R3 w"), _end_of("X.O/...")
    (' w', '')
    """
    _, blank, rest = text.partition(" ")
    return "" if "\n" in text else blank + rest


def _alphabet(space: StateSpace, table: Table) -> Alphabet:
    """Return what stands in the texts of a game, by some of its positions."""
    sample = np.unique(np.linspace(0, table.num_vertices - 1, SAMPLED).astype(np.int64))
    found = Alphabet({}, {}, ".")
    for v in sample[table.values(sample) != INVALID].tolist():
        found = _with(found, space, space.position(v))
    return found


def _with(found: Alphabet, space: StateSpace, position: Hashable) -> Alphabet:
    """Return an alphabet with the letters and the end of one more position."""
    letters, ends, blank = dict(found.letters), dict(found.ends), found.blank
    text = space.text(position)
    rows = board_rows(text)
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter in BLANK:
                blank = letter
            else:
                letters.setdefault(letter, (position, row, column))
    if rows:
        ends.setdefault(_end_of(text), position)
    return Alphabet(letters, ends, blank)


def board_to_set_up(entry: Entry, position: Hashable, to: NullTranslations) -> dict[str, Any]:
    """Return a board whose pieces can be moved, added and taken away, ready for JSON.

    Returns
    -------
    dict
        ``points``: the label of each square, by rows from the top. ``rows``: the letters there.
        ``letters``: for each letter the point of one and the picture that has it. ``end``, ``ends``:
        what stands behind the board, and what may stand there with its name for people, if that is not
        much. ``blank``, ``separator``, ``counted``: how the text writes an empty square, where rows
        meet, and whether numbers stand for empty squares.

    Raises
    ------
    PositionError
        For a game whose text is no board, or not that of its picture.
    """
    space = entry.solution.space
    text, picture = space.text(position), space.svg(position)
    points = points_of(text, picture)
    if not points:
        raise PositionError("positions of this game are no boards of letters: expected their text")
    known = entry.once("alphabet", partial(_alphabet, space, entry.solution.table))
    found = _with(known, space, position)
    letters = {
        letter: [points[row][column], titled(space.svg(shown) or "", to)]
        for letter, (shown, row, column) in sorted(found.letters.items())
    }
    names = {end: _turn(space, shown, to) or end.strip() for end, shown in sorted(found.ends.items())}
    if len(set(names.values())) < len(names):
        names = {end: end.strip() for end in names}
    several = "\n" in text
    return {
        "points": points,
        "rows": board_rows(text),
        "letters": letters,
        "end": _end_of(text),
        "ends": names if 1 < len(names) <= MOST_ENDS else {},
        "blank": found.blank,
        "separator": "\n" if several else "/",
        "counted": not several and "." not in text and any(map(str.isdigit, text.split(" ")[0])),
        "picture": picture,
    }


def _turn(space: StateSpace, position: Hashable, to: NullTranslations) -> str:
    """Return the player to move, empty where the rules do not name one."""
    side = space.side_to_move(position)
    return "" if side is None else capitalized(side_name(space.players, side, True, to))
