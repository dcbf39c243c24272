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
    n = remoteness or 0
    if value is Value.DRAW:
        return to.gettext("Draw: perfect play never ends")
    if value is Value.TIE:
        alone = to.gettext("The game ends without a winner")
        over = to.gettext("The game has ended without a winner")
        counted = to.ngettext(
            "The game ends without a winner in {plies} ply",
            "The game ends without a winner in {plies} plies",
            n,
        )
    elif player is None and value is Value.WIN:
        alone, over = to.gettext("You win"), to.gettext("You have won")
        counted = to.ngettext("You win in {plies} ply", "You win in {plies} plies", n)
    elif player is None:
        alone, over = to.gettext("You lose"), to.gettext("You have lost")
        counted = to.ngettext("You lose in {plies} ply", "You lose in {plies} plies", n)
    elif value is Value.WIN:
        alone, over = to.gettext("Win for {player}"), to.gettext("Game over, won by {player}")
        counted = to.ngettext("Win for {player} in {plies} ply", "Win for {player} in {plies} plies", n)
    else:
        alone, over = to.gettext("Loss for {player}"), to.gettext("Game over, lost by {player}")
        counted = to.ngettext(
            "Loss for {player} in {plies} ply", "Loss for {player} in {plies} plies", n
        )
    sentence = alone if remoteness is None else counted if remoteness else over
    return sentence.format(player=player, plies=remoteness)
