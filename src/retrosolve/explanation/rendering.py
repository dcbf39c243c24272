"""A proof as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from retrosolve.runtime.files import one_line

if TYPE_CHECKING:
    from retrosolve.explanation.proof import Place, Proof

INDENT = "  "
NOTE = "Each value is for the player to move there."
NOTE_CUT = "... is left out: a larger depth or width shows more."


def text_rows(proof: Proof) -> Iterator[str]:
    """Yield a proof as lines of text: a sentence for each place, boards at the root and best play."""
    for place, sentence in _sentences(proof):
        yield INDENT * place.level + sentence
        for row in place.proof.board:
            yield INDENT * (place.level + 2) + row
    yield NOTE
    if is_incomplete(proof):
        yield NOTE_CUT


def html(proof: Proof) -> str:
    """Return a proof as nested HTML lists, with the pictures that it has."""
    parts: list[str] = []
    level = -1
    for place, sentence in _sentences(proof):
        parts.append("<ul>" if place.level > level else "</li>" + "</ul></li>" * (level - place.level))
        level = place.level
        parts.append(f"<li>{escape(sentence)}{_picture(place)}")
    notes = [NOTE, NOTE_CUT] if is_incomplete(proof) else [NOTE]
    return "".join(parts) + "</li></ul>" * (level + 1) + f"<p>{escape(' '.join(notes))}</p>"


def is_incomplete(proof: Proof) -> bool:
    """Return whether anything is left out of a proof."""
    return any(place.proof.is_cut or place.proof.hidden_moves for place in proof.walk())


def board_rows(text: str) -> list[str]:
    r"""Return the rows of the board in the text of a position; none if there is no board in it.

    A text of several lines is a board. So is one that begins with rows of equal width between slashes,
    in which a number may stand for that many empty squares.

    >>> board_rows("3k/4/2K1/R3 w")
    ['...k', '....', '..K.', 'R...']
    >>> board_rows("X.O\n.X.")
    ['X.O', '.X.']
    >>> board_rows("a/b"), board_rows("3/4/5")
    ([], [])
    """
    lines = text.splitlines()
    if len(lines) > 1:
        return [one_line(line) for line in lines]
    rows = (text.split() or [""])[0].split("/")
    if any(row.isdecimal() is False for row in rows):
        rows = [re.sub(r"\d{1,2}", lambda found: "." * int(found[0]), row) for row in rows]
    if len(rows) < 2 or len(rows[0]) < 2 or len({*map(len, rows)}) > 1:
        return []
    return [one_line(row) for row in rows]


def _sentences(proof: Proof) -> Iterator[tuple[Place, str]]:
    """Yield every place of a proof with what it says."""
    shown: set[int] = set()
    path: list[int] = []
    for place in proof.walk():
        del path[place.level :]
        path.append(id(place.proof.repeats or place.proof))
        yield place, _subject(place) + _predicate(place.proof, shown, path[:-1])
        shown.add(id(place.proof))


def _subject(place: Place) -> str:
    """Return the first part of a sentence: the move, the position, who moves, the outcome."""
    proof, name = place.proof, _inline(place.proof.text)
    move = None if place.move is None else _inline(place.move.name)
    to_move = "" if proof.player is None or "to move" in name else f", {_inline(proof.player)} to move"
    if move is None:
        return f"{name}{to_move}{',' * bool(to_move)} is {proof.outcome}"
    if move == name and not to_move:
        return f"`{move}` leads to {proof.outcome}"
    return f"`{move}` leads to {name}{to_move}, {proof.outcome}"


def _predicate(proof: Proof, shown: set[int], path: list[int]) -> str:
    """Return the second part of a sentence: why the outcome is what it is."""
    if proof.repeats is not None:
        if id(proof.repeats) in path:
            return ": the same position again, so play need not end."
        where = "above" if id(proof.repeats) in shown else "below"
        same = "" if proof.repeats.text == proof.text else f": {_inline(proof.repeats.text)}"
        return f", as {where}{same}."
    if proof.is_cut:
        return f", because {proof.reason} ..."
    if proof.hidden_moves:
        shares = f"{len(proof.steps)} of {len(proof.steps) + proof.hidden_moves} shown ..."
        return f", because {proof.reason} ({shares}):"
    return f", because {proof.reason}{':' if proof.steps else '.'}"


def _inline(text: str) -> str:
    """Return a text on one line, the lines of a board between slashes."""
    return one_line(" / ".join(text.splitlines()))


def _picture(place: Place) -> str:
    """Return the picture of a place, or else its board as text."""
    if place.proof.svg:
        return f"<div>{place.proof.svg}</div>"
    return f"<pre>{escape(chr(10).join(place.proof.board))}</pre>" if place.proof.board else ""
