"""Outcomes in a sentence, from the point of view of the reader or of a named player."""

from __future__ import annotations

import gettext

from retrosolve.languages import translation
from retrosolve.values import Value

PLAIN = translation()


def verdict(
    value: Value,
    remoteness: int | None,
    player: str | None = None,
    to: gettext.NullTranslations = PLAIN,
) -> str:
    """Return the meaning of an outcome for somebody.

    Parameters
    ----------
    value : Value
        For that somebody, whoever moves.
    remoteness : int or None
        Plies to the end; None for a DRAW, or if it is not known.
    player : str, optional
        The name of the player; by default it is the reader.
    to : NullTranslations
        The catalogue, ``languages.translation("fa")``.

    Examples
    --------
    >>> verdict(Value.WIN, 12), verdict(Value.LOSS, 1, "Black"), verdict(Value.DRAW, None)
    ('You win in 12 plies', 'Loss for Black in 1 ply', 'Draw: perfect play never ends')
    """
    if value is Value.DRAW:
        return to.gettext("Draw: perfect play never ends")
    if value is Value.TIE:
        return _tie(remoteness, to)
    return _yours(value, remoteness, to) if player is None else _theirs(value, remoteness, player, to)


def _tie(remoteness: int | None, to: gettext.NullTranslations) -> str:
    if remoteness is None:
        return to.gettext("The game ends without a winner")
    if remoteness == 0:
        return to.gettext("The game has ended without a winner")
    sentence = to.ngettext(
        "The game ends without a winner in {plies} ply",
        "The game ends without a winner in {plies} plies",
        remoteness,
    )
    return sentence.format(plies=remoteness)


def _yours(value: Value, remoteness: int | None, to: gettext.NullTranslations) -> str:
    wins = value is Value.WIN
    if remoteness is None:
        return to.gettext("You win") if wins else to.gettext("You lose")
    if remoteness == 0:
        return to.gettext("You have won") if wins else to.gettext("You have lost")
    if wins:
        sentence = to.ngettext("You win in {plies} ply", "You win in {plies} plies", remoteness)
    else:
        sentence = to.ngettext("You lose in {plies} ply", "You lose in {plies} plies", remoteness)
    return sentence.format(plies=remoteness)


def _theirs(value: Value, remoteness: int | None, player: str, to: gettext.NullTranslations) -> str:
    wins = value is Value.WIN
    if remoteness is None:
        sentence = to.gettext("Win for {player}") if wins else to.gettext("Loss for {player}")
    elif remoteness == 0:
        sentence = (
            to.gettext("Game over, won by {player}")
            if wins
            else to.gettext("Game over, lost by {player}")
        )
    elif wins:
        sentence = to.ngettext(
            "Win for {player} in {plies} ply", "Win for {player} in {plies} plies", remoteness
        )
    else:
        sentence = to.ngettext(
            "Loss for {player} in {plies} ply", "Loss for {player} in {plies} plies", remoteness
        )
    return sentence.format(player=player, plies=remoteness)
