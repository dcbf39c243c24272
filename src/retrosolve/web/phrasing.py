"""Results of moves in words, for the reader or for players by name."""

from __future__ import annotations

import re
from gettext import NullTranslations
from html import escape, unescape

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.games.table import GAMES, name_in
from retrosolve.languages import digits
from retrosolve.languages.phrases import detail_text, title, verdict, with_detail
from retrosolve.objectives.chance import Odds
from retrosolve.objectives.score import Margin
from retrosolve.runtime.text import mark
from retrosolve.values import NimValue, Outcome, Value

# What a move achieves, without and with its plies.
RESULTS = {
    Value.WIN: (mark("you win"), mark("you win in {plies}")),
    Value.LOSS: (mark("you lose"), mark("you lose in {plies}")),
    Value.TIE: (mark("tie"), mark("tie in {plies}")),
    Value.DRAW: (mark("draw"), mark("draw")),
}
WON_BY = mark("win for {player}"), mark("win for {player} in {plies}")
# Where a game stands: without plies, when it is over, and with the plies to its end.
SCORES = {
    Value.WIN: (mark("wins"), mark("has won"), mark("wins in {plies}")),
    Value.LOSS: (mark("loses"), mark("has lost"), mark("loses in {plies}")),
    Value.TIE: (mark("tie"), mark("tied"), mark("tie in {plies}")),
    Value.DRAW: (mark("draw"), mark("draw"), mark("draw")),
}
# The moves of a position by what they achieve for the player who makes them.
GROUPS = {
    Value.WIN: mark("Winning"),
    Value.TIE: mark("Tying"),
    Value.DRAW: mark("Drawing"),
    Value.LOSS: mark("Losing"),
}
# Players that take a verb in the plural, in English.
PLURAL = frozenset({"cops", "enemies", "goats", "hounds", "musketeers", "pawns", "tigers"})
TITLE = re.compile("(?<=<title>).*?(?=</title>)|(?<=>)[a-z ]{3,}(?=</text>)")


def game_title(text: str, to: NullTranslations) -> str:
    """Return the title of a game in words: built-in games have a name in each language.

    >>> game_title("chess:KRK", NullTranslations()), game_title("my.csv", NullTranslations())
    ('Chess endings: KRK', 'my.csv')
    """
    name, (_, colon, parameters) = name_in(text), text.partition(":")
    if name is None:
        return to.gettext(text) if text else text
    title = to.gettext(GAMES[name].title)
    return f"{title}: {parameters}" if colon else title


def titled(picture: str, to: NullTranslations) -> str:
    """Return a picture with its titles and the words in it in the language of a catalogue."""
    if type(to) is NullTranslations:
        return picture
    return TITLE.sub(lambda match: escape(title(unescape(match[0]), to)), picture)


def score_text(outcome: Outcome, to: NullTranslations) -> str:
    """Return the score of a game for a player who is named elsewhere.

    >>> to = NullTranslations()
    >>> score_text(Outcome(Value.LOSS, 4), to), score_text(Outcome(Value.WIN, 0), to)
    ('loses in 4', 'has won')
    """
    value, remoteness = outcome
    if isinstance(value, Odds):
        return detail_text(value, to.gettext, rounded=True)
    alone, over, counted = SCORES[value.kind]
    sentence = to.gettext(alone if remoteness is None else counted if remoteness else over)
    return with_detail(sentence.format(plies=digits(remoteness, to.gettext)), value, to.gettext)


def short_text(outcome: Outcome) -> str:
    """Return an outcome in a few letters and digits: a nimber, points, odds, or else plies to the end.

    >>> short_text(Outcome(Value.WIN, 7)), short_text(Outcome(Margin(0), 2))
    ('▲ 7', '= 0')
    """
    value, plies = outcome
    number = value.name if isinstance(value, NimValue) else detail_text(value, rounded=True)
    if not number and plies is not None:
        number = "0" if isinstance(value, Margin) else str(plies)
    return f"{APPEARANCE[value].symbol} {number}".rstrip()


def headline(outcome: Outcome, to: NullTranslations, winner: str | None = None) -> str:
    """Return where a game stands in a sentence, the largest on its page.

    Parameters
    ----------
    outcome : Outcome
        For the reader.
    to : NullTranslations
        The catalogue.
    winner : str, optional
        The name of the player who wins; by default the reader is spoken to.

    Examples
    --------
    >>> from retrosolve.objectives.score import Margin
    >>> to = NullTranslations()
    >>> headline(Outcome(Value.WIN, 31), to, "White"), headline(Outcome(Value.LOSS, 2), to, "hounds")
    ('White wins in 31 plies', 'Hounds win in 2 plies')
    >>> headline(Outcome(Margin(-3), 1), to, "Black")
    'Black wins in 1 ply (+3)'
    """
    value, remoteness = outcome
    if winner is None:
        return verdict(value, remoteness, None, to, rounded=True)
    if value.kind is Value.LOSS and not getattr(value, "is_payoff", False):
        value = value.opposite()  # for the winner, points included
    if isinstance(value, Odds):
        return verdict(value, None, winner, to, rounded=True)
    n = remoteness or 0
    if winner in PLURAL:
        alone, over = to.gettext("{player} win"), to.gettext("{player} have won")
        counted = to.ngettext("{player} win in {plies} ply", "{player} win in {plies} plies", n)
    else:
        alone, over = to.gettext("{player} wins"), to.gettext("{player} has won")
        counted = to.ngettext("{player} wins in {plies} ply", "{player} wins in {plies} plies", n)
    sentence = alone if remoteness is None else counted if remoteness else over
    said = sentence.format(player=winner, plies=digits(n, to.gettext))
    return with_detail(capitalized(said), value, to.gettext)


def capitalized(sentence: str) -> str:
    """Return a sentence that begins with a capital letter.

    >>> capitalized("white to move"), capitalized("")
    ('White to move', '')
    """
    return sentence[:1].upper() + sentence[1:]
