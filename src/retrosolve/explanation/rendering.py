"""A proof as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import NullTranslations
from html import escape
from typing import TYPE_CHECKING

from retrosolve.explanation.words import outcome_text
from retrosolve.languages import LANGUAGES, mark, player_name, translation
from retrosolve.runtime.files import one_line

if TYPE_CHECKING:
    from retrosolve.explanation.proof import Place, Proof

INDENT = "  "
NOTE = mark("Each value is for the player to move there.")
NOTE_CUT = mark("... is left out: a larger depth or width shows more.")

# What a place of the tree shows: the root, or the move that leads there.
ROOT = mark("{name} is {outcome}")
ROOT_PLAYER = mark("{name}, {player} to move, is {outcome}")
MOVE = mark("`{move}` leads to {outcome}")
MOVE_NAME = mark("`{move}` leads to {name}, {outcome}")
MOVE_PLAYER = mark("`{move}` leads to {name}, {player} to move, {outcome}")

# Why it is so.
AGAIN = mark("{claim}: the same position again, so play need not end.")
ABOVE, BELOW = mark("{claim}, as above."), mark("{claim}, as below.")
ABOVE_NAME, BELOW_NAME = mark("{claim}, as above: {name}."), mark("{claim}, as below: {name}.")
CUT = mark("{claim}, because {reason} ...")
SHARE = mark("{claim}, because {reason} ({shown} of {total} shown ...):")
MOVES_FOLLOW = mark("{claim}, because {reason}:")
NO_MOVES_FOLLOW = mark("{claim}, because {reason}.")


def text_rows(proof: Proof) -> Iterator[str]:
    """Yield a proof as lines of text: a sentence for each place, boards at the root and best play."""
    for place, sentence in _sentences(proof):
        yield INDENT * place.level + sentence
        for row in place.proof.board:
            yield INDENT * (place.level + 2) + row
    yield from _notes(proof)


def html(proof: Proof) -> str:
    """Return a proof as nested HTML lists, with the pictures that it has."""
    parts: list[str] = []
    level = -1
    for place, sentence in _sentences(proof):
        parts.append("<ul>" if place.level > level else "</li>" + "</ul></li>" * (level - place.level))
        level = place.level
        parts.append(f"<li>{escape(sentence)}{_picture(place)}")
    tree = "".join(parts) + "</li></ul>" * (level + 1)
    language, notes = LANGUAGES[proof.language], escape(" ".join(_notes(proof)))
    return f'<div lang="{language.code}" dir="{language.direction}">{tree}<p>{notes}</p></div>'


def _notes(proof: Proof) -> list[str]:
    """Return what is said below a proof."""
    translate = translation(proof.language).gettext
    return [translate(note) for note in ((NOTE, NOTE_CUT) if is_incomplete(proof) else (NOTE,))]


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
    to = translation(proof.language)
    shown: set[int] = set()
    path: list[int] = []
    for place in proof.walk():
        del path[place.level :]
        path.append(id(place.proof.repeats or place.proof))
        template, values = _predicate(place.proof, shown, path[:-1])
        yield place, to.gettext(template).format(claim=_claim(place, to), **values)
        shown.add(id(place.proof))


def _claim(place: Place, to: NullTranslations) -> str:
    """Return the first part of a sentence: the move, the position, who moves, the outcome."""
    translate = to.gettext
    proof, name = place.proof, _inline(place.proof.text)
    move = None if place.move is None else _inline(place.move.name)
    shows_player = proof.player is not None and "to move" not in name
    if move is None:
        template = ROOT_PLAYER if shows_player else ROOT
    elif shows_player:
        template = MOVE_PLAYER
    else:
        template = MOVE if move == name else MOVE_NAME
    return translate(template).format(
        name=name,
        move=move,
        player=player_name(_inline(proof.player or ""), to),
        outcome=outcome_text(proof.outcome, translate),
    )


def _predicate(proof: Proof, shown: set[int], path: list[int]) -> tuple[str, dict[str, object]]:
    """Return the template of the whole sentence, and what it needs besides the claim."""
    if proof.repeats is not None:
        if id(proof.repeats) in path:
            return AGAIN, {}
        is_above, is_same = id(proof.repeats) in shown, proof.repeats.text == proof.text
        if is_same:
            return (ABOVE if is_above else BELOW), {}
        return (ABOVE_NAME if is_above else BELOW_NAME), {"name": _inline(proof.repeats.text)}
    values: dict[str, object] = {"reason": proof.reason}
    if proof.is_cut:
        return CUT, values
    if proof.hidden_moves:
        shares = {"shown": len(proof.steps), "total": len(proof.steps) + proof.hidden_moves}
        return SHARE, values | shares
    return (MOVES_FOLLOW if proof.steps else NO_MOVES_FOLLOW), values


def _inline(text: str) -> str:
    """Return a text on one line, the lines of a board between slashes."""
    return one_line(" / ".join(text.splitlines()))


def _picture(place: Place) -> str:
    """Return the picture of a place, or else its board as text."""
    if place.proof.svg:
        return f"<div>{place.proof.svg}</div>"
    return f"<pre>{escape(chr(10).join(place.proof.board))}</pre>" if place.proof.board else ""
