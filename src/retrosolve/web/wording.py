"""What moves lead to, in words: for the reader, or for players by name."""

from __future__ import annotations

import re
from functools import lru_cache
from gettext import NullTranslations
from html import escape, unescape

from retrosolve.languages.phrases import title
from retrosolve.values import Outcome, Value

TITLE = re.compile("(?<=<title>).*?(?=</title>)")


def titled(picture: str, to: NullTranslations) -> str:
    """Return a picture with its titles in the language of a catalogue."""
    if type(to) is NullTranslations:
        return picture
    return TITLE.sub(lambda found: escape(title(unescape(found[0]), to)), picture)


@lru_cache(maxsize=1 << 12)
def result(
    value: Value, remoteness: int | None, to: NullTranslations, winner: str | None = None
) -> str:
    """Return what a move achieves.

    Parameters
    ----------
    value : Value
        Of the move, for the reader.
    remoteness : int or None
        Of the position that the move leads to; the move itself is counted too.
    to : NullTranslations
        The catalogue.
    winner : str, optional
        The name of the player who wins; by default the reader is spoken to.

    Examples
    --------
    >>> result(Value.WIN, 11, NullTranslations()), result(Value.DRAW, None, NullTranslations())
    ('you win in 12', 'draw')
    >>> result(Value.LOSS, 11, NullTranslations(), "White")
    'win for White in 12'
    """
    if winner is not None:
        if remoteness is None:
            return to.gettext("win for {player}").format(player=winner)
        return to.gettext("win for {player} in {plies}").format(player=winner, plies=remoteness + 1)
    if remoteness is None:
        return {
            Value.WIN: to.gettext("you win"),
            Value.LOSS: to.gettext("you lose"),
            Value.TIE: to.gettext("tie"),
            Value.DRAW: to.gettext("draw"),
        }[value]
    sentence = {
        Value.WIN: to.gettext("you win in {plies}"),
        Value.LOSS: to.gettext("you lose in {plies}"),
        Value.TIE: to.gettext("tie in {plies}"),
    }[value]
    return sentence.format(plies=remoteness + 1)


def standing(outcome: Outcome, to: NullTranslations) -> str:
    """Return where a game stands for a player who is named elsewhere.

    >>> to = NullTranslations()
    >>> standing(Outcome(Value.LOSS, 4), to), standing(Outcome(Value.WIN, 0), to)
    ('loses in 4', 'has won')
    """
    value, remoteness = outcome
    if remoteness is None:
        return {
            Value.WIN: to.gettext("wins"),
            Value.LOSS: to.gettext("loses"),
            Value.TIE: to.gettext("tie"),
            Value.DRAW: to.gettext("draw"),
        }[value]
    if remoteness == 0:
        return {
            Value.WIN: to.gettext("has won"),
            Value.LOSS: to.gettext("has lost"),
            Value.TIE: to.gettext("tied"),
        }[value]
    sentence = {
        Value.WIN: to.gettext("wins in {plies}"),
        Value.LOSS: to.gettext("loses in {plies}"),
        Value.TIE: to.gettext("tie in {plies}"),
    }[value]
    return sentence.format(plies=remoteness)
