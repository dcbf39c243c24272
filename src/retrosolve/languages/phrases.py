"""Phrases in other languages: names of moves, titles of pictures, and outcomes in a sentence.

Notation such as ``Rd2`` and the texts of positions stay as they are. So does what a reader's own
rules write, unless it is one of these phrases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import Any, NamedTuple

from retrosolve.languages import (
    ASCII,
    DEFAULT,
    NUMERALS,
    PERCENT,
    Translate,
    count,
    decimal,
    digits,
    percent,
    translation,
)
from retrosolve.objectives.chance import Odds
from retrosolve.objectives.conversion import LimitedValue
from retrosolve.objectives.score import Margin
from retrosolve.runtime.text import mark
from retrosolve.values import NimValue, Outcome, Result, Value

GAMES = (
    mark("Tic-tac-toe"), mark("L game"), mark("Three men's morris"), mark("Six men's morris"),
    mark("Hexapawn"), mark("Fox and hounds"), mark("Policeman and thief"), mark("Cops and robber"),
    mark("Chess"), mark("Connect Four"), mark("Queen and pawns"), mark("Nine men's morris"),
    mark("Stones"),
)  # fmt: skip
WORDS = (
    mark("stay"), mark("up"), mark("down"), mark("left"), mark("right"), mark("up left"),
    mark("up right"), mark("down left"), mark("down right"), mark("take the lion"), mark("centre"),
    mark("neutrals stay"), mark("men in hand"), mark("cops to be placed"), mark("robber to be placed"),
    mark("white king"), mark("white queen"), mark("white rook"), mark("white bishop"),
    mark("white knight"), mark("white pawn"), mark("black king"), mark("black queen"),
    mark("black rook"), mark("black bishop"), mark("black knight"), mark("black pawn"), mark("chick"),
    mark("hen"), mark("giraffe"), mark("elephant"), mark("lion"), mark("queen"), mark("pawns"),
    mark("capitals"), mark("first"), mark("second"), mark("red"), mark("yellow"),
    mark("chance"), mark("pass"),
)  # fmt: skip
PATTERNS = (
    mark("take {number}"), mark("{piece} at {place}"), mark("{piece} from {place}"),
    mark("put {place}"), mark("to {places}"), mark("fox to {place}"),
    mark("L to {places}, neutral {place} to {target}"), mark("L to {places}"),
    mark("becomes a {words}"), mark("{words} in hand"),
)  # fmt: skip
PARTS = {"number": r"\d+", "piece": "[A-Z]", "places": r"\S.*?", "words": "[a-z ]+"}
PLACE = r"[\w,]+"
RUN = re.compile(r"[a-z]{3,}(?: [a-z]{2,})*")
TURN = re.compile(r"(.*?),? (\w+) to move")


def _compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a phrase."""
    return re.compile(re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{PARTS.get(m[1], PLACE)})", pattern))


COMPILED = {pattern: _compiled(pattern) for pattern in PATTERNS}


@lru_cache(maxsize=1 << 12)
def phrase(text: str, to: NullTranslations) -> str:
    """Return the name of a move in the language of a catalogue; unknown ones as they are.

    >>> phrase("take 2", NullTranslations()), phrase("Ra2-d2", NullTranslations())
    ('take 2', 'Ra2-d2')
    """
    if not text or (translated := to.gettext(text)) != text:
        return translated if text else text
    for pattern, looks in COMPILED.items():
        match = looks.fullmatch(text)
        if match:
            parts = {name: phrase(part, to) for name, part in match.groupdict().items()}
            if "number" in parts:
                parts["number"] = digits(parts["number"], to.gettext)
            return to.gettext(pattern).format(**parts)
    return text


@lru_cache(maxsize=1 << 12)
def title(text: str, to: NullTranslations) -> str:
    """Return the title of a picture or of a point in the language of a catalogue.

    Parameters
    ----------
    text : str
        ``game: position, player to move``, ``point: what stands there``, or a phrase.
    to : NullTranslations
    """
    name, colon, rest = text.partition(": ")
    if not colon:
        return phrase(text, to)
    return (
        f"{phrase(name, to)}: {position_text(rest, to) if TURN.fullmatch(rest) else _words(rest, to)}"
    )


@lru_cache(maxsize=1 << 12)
def position_text(text: str, to: NullTranslations) -> str:
    """Return the text of a position in the language of a catalogue, if it says who is to move.

    >>> position_text("thief 3,2, thief to move", translation("ru"))
    'вор 3,2, ход: вор'
    """
    turn = TURN.fullmatch(text)
    if turn is None or type(to) is NullTranslations:
        return text
    player = to.gettext("{player} to move").format(player=phrase(turn[2], to))
    return f"{_words(turn[1], to)}{to.gettext(', ')}{player}"


def _words(text: str, to: NullTranslations) -> str:
    """Return the text of a position with its words in another language."""
    return RUN.sub(lambda run: phrase(run[0], to), text)


PLAIN = translation(DEFAULT)


class Proven(NamedTuple):
    """The proof of a solution; see :func:`retrosolve.verify`. Prints as a sentence.

    Parameters
    ----------
    positions : int
        The number of positions, all of which are proven.
    rules_called_again : int or None
        At how many of them plain rules were called again; None where the proof needs no stored edges
        of rules: those of a graph are its input, and compiled rules make every move anew.

    Examples
    --------
    >>> print(Proven(3), "|", Proven(3001, 512))
    all 3 positions proven | all 3,001 positions proven; rules called again at 512 of 3,001
    """

    positions: int
    rules_called_again: int | None = None

    def __str__(self) -> str:
        return proven_text(self)


def proven_text(proof: Proven | None, to: NullTranslations = PLAIN) -> str:
    """Return the proof of a solution as a sentence in a language.

    >>> proven_text(None), proven_text(Proven(1, 1))
    ('not verified', '1 position proven; rules called again at 1 of 1')
    """
    if proof is None:
        return to.gettext("not verified")
    n = count(proof.positions, to.gettext)
    said = to.ngettext("{n} position proven", "all {n} positions proven", proof.positions).format(n=n)
    if proof.rules_called_again is None:
        return said
    sentence = to.gettext("{proven}; rules called again at {called} of {n}")
    return sentence.format(proven=said, called=count(proof.rules_called_again, to.gettext), n=n)


def proven_record(proof: Proven | None) -> dict[str, Any]:
    """Return a proof, ready for JSON.

    >>> proven_record(Proven(3001, 512))
    {'verified': True, 'rules_called_again': 512}
    """
    called = None if proof is None else proof.rules_called_again
    return {"verified": proof is not None, "rules_called_again": called}


DECIMALS = re.compile(r"-?\d+\.\d{3,}")
NIMBER = mark("{value} in {remoteness}")
OUTCOMES: dict[Result, str] = {
    Value.WIN: mark("WIN in {remoteness}"),
    Value.LOSS: mark("LOSS in {remoteness}"),
    Value.TIE: mark("TIE in {remoteness}"),
    Value.DRAW: mark("DRAW"),
    LimitedValue.CURSED_WIN: mark("CURSED WIN in {remoteness}"),
    LimitedValue.BLESSED_LOSS: mark("BLESSED LOSS in {remoteness}"),
}
ALONE: dict[Result, str] = {
    Value.WIN: mark("WIN"), Value.LOSS: mark("LOSS"), Value.TIE: mark("TIE"), Value.DRAW: mark("DRAW"),
    LimitedValue.CURSED_WIN: mark("CURSED WIN"), LimitedValue.BLESSED_LOSS: mark("BLESSED LOSS"),
}  # fmt: skip
"""An outcome for the player who moves, with and without its remoteness."""


def outcome_text(outcome: Outcome, translate: Translate = str) -> str:
    """Return an outcome as text.

    Examples
    --------
    >>> outcome_text(Outcome(Value.WIN, 3)), outcome_text(Outcome(Value.LOSS, None))
    ('WIN in 3', 'LOSS')
    >>> outcome_text(Outcome(Odds(0.255, 0.255), None))
    '25.5 %'
    """
    value, remoteness = outcome
    plies = digits(remoteness, translate)
    if isinstance(value, NimValue):
        template = value.name if remoteness is None else translate(NIMBER)
        return template.format(value=value.name, remoteness=plies)
    if isinstance(value, Odds):
        return detail_text(value, translate)
    kind = value if isinstance(value, LimitedValue) and value.detail else value.kind
    said = translate((ALONE if remoteness is None else OUTCOMES)[kind]).format(remoteness=plies)
    return said if kind is value else with_detail(said, value, translate)


LABELS = (
    mark("win"), mark("loss"), mark("tie"), mark("draw"), mark("cursed-win"), mark("blessed-loss"),
    mark("better"), mark("worse"), mark("even"), mark("open"),
)  # fmt: skip


def label_text(value: Result, translate: Translate = str) -> str:
    """Return the short name of a result: its word in a language, or its number.

    >>> label_text(Value.WIN), label_text(Value.WIN, translation("ru").gettext), label_text(NimValue(2))
    ('win', 'выигрыш', '2')
    """
    return translate(value.label)


def detail_text(value: Result, translate: Translate = str, rounded: bool = False) -> str:
    """Return the part of a value besides its kind, such as points, as a language writes it.

    Parameters
    ----------
    value : Value, or another result
    translate : callable
    rounded : bool
        Whether more than two decimals are rounded to two.

    Examples
    --------
    >>> odds = Odds(0.255, 0.255)
    >>> detail_text(odds), detail_text(odds, translation("ru").gettext), detail_text(Value.WIN)
    ('25.5 %', '25,5\xa0%', '')
    >>> detail_text(Odds(0.25, 0.755), translation("ru").gettext)
    '25..75,5\xa0%'
    >>> detail_text(Odds(0.5185714, 0.5185714), rounded=True)
    '51.86 %'
    """
    detail = value.detail
    if rounded:
        detail = DECIMALS.sub(lambda number: f"{float(number[0]):.2f}", detail)
    said, unit, _ = (translate(detail) if detail else "").partition(" %")
    if translate(NUMERALS) == ASCII:
        return said + unit
    numerals = str.maketrans(ASCII, translate(NUMERALS))
    said = "..".join(end.translate(numerals) for end in said.replace(" to ", "..").split(".."))
    return translate(PERCENT).format(share=said) if unit else said


def with_detail(sentence: str, value: Result, translate: Translate = str) -> str:
    """Return a sentence with the details of a value in parentheses, where it has some."""
    detail = detail_text(value, translate)
    return f"{sentence} ({detail})" if detail else sentence


def verdict(
    value: Result,
    remoteness: int | None,
    player: str | None = None,
    to: NullTranslations = PLAIN,
    rounded: bool = False,
) -> str:
    """Return an outcome in a sentence to somebody.

    Parameters
    ----------
    value : Value, or another result
        For that somebody, whoever moves.
    remoteness : int or None
        Plies to the end; None for a DRAW, or if it is not known.
    player : str, optional
        The name of the player; by default it is the reader.
    to : NullTranslations
        The catalogue, ``languages.translation("fa")``.
    rounded : bool
        Whether odds have two decimals.

    Examples
    --------
    >>> verdict(Value.WIN, 12), verdict(Value.LOSS, 1, "Black"), verdict(Value.DRAW, None)
    ('You win in 12 plies', 'Loss for Black in 1 ply', 'Draw: perfect play never ends')
    """
    if isinstance(value, Odds) and not value.is_certain:
        said = detail_text(value, to.gettext, rounded)
        return said if player is None else f"{player}: {said}"
    n = remoteness or 0
    kind = value.kind
    if kind is Value.DRAW:
        if value.ends:
            return with_detail(to.gettext("Draw by the limit of plies"), value, to.gettext)
        return to.gettext("Draw: perfect play never ends")
    if kind is Value.TIE:
        alone = to.gettext("The game ends without a winner")
        over = to.gettext("The game has ended without a winner")
        counted = to.ngettext(
            "The game ends without a winner in {plies} ply",
            "The game ends without a winner in {plies} plies",
            n,
        )
    elif player is None and kind is Value.WIN:
        alone, over = to.gettext("You win"), to.gettext("You have won")
        counted = to.ngettext("You win in {plies} ply", "You win in {plies} plies", n)
    elif player is None:
        alone, over = to.gettext("You lose"), to.gettext("You have lost")
        counted = to.ngettext("You lose in {plies} ply", "You lose in {plies} plies", n)
    elif kind is Value.WIN:
        alone, over = to.gettext("Win for {player}"), to.gettext("Game over, won by {player}")
        counted = to.ngettext("Win for {player} in {plies} ply", "Win for {player} in {plies} plies", n)
    else:
        alone, over = to.gettext("Loss for {player}"), to.gettext("Game over, lost by {player}")
        counted = to.ngettext(
            "Loss for {player} in {plies} ply", "Loss for {player} in {plies} plies", n
        )
    sentence = alone if remoteness is None else counted if remoteness else over
    said = sentence.format(player=player, plies=digits(remoteness, to.gettext))
    return with_detail(said, value, to.gettext)


def balance_text(
    player: str, luck: float, lost: float, is_payoff: bool, to: NullTranslations = PLAIN
) -> str:
    """Return the luck of a player in a game with dice, and what his moves have lost.

    Parameters
    ----------
    player : str
    luck, lost : float
        In the unit of the values of positions: probabilities, or payoffs.
    is_payoff : bool
    to : NullTranslations

    Examples
    --------
    >>> balance_text("White", -0.125, 0.03, False), balance_text("You", 1.5, 0, True)
    ('White: luck −12.5%, lost by moves 3.0%', 'You: luck +1.50, lost by moves 0.00')
    """

    def number(amount: float) -> str:
        return decimal(amount, to.gettext, 2) if is_payoff else percent(amount, to.gettext, 1)

    sign = "−" if luck < 0 else "+"
    sentence = to.gettext("{player}: luck {luck}, lost by moves {lost}")
    return sentence.format(player=player, luck=sign + number(abs(luck)), lost=number(lost))


def points_text(
    players: Sequence[str], taken: Sequence[int], total: Margin | None, to: NullTranslations = PLAIN
) -> str:
    """Return the points that the moves of two players have won.

    Parameters
    ----------
    players : sequence of str
    taken : sequence of int
    total : Margin or None
        What the game comes to for the first of them; None to say nothing of the rest.
    to : NullTranslations
        The catalogue.

    Examples
    --------
    >>> points_text(("You", "Opponent"), (4, 2), Margin(5)), points_text(("A", "B"), (0, 1), None)
    ('Points taken: You 4, Opponent 2 · the rest: +3', 'Points taken: A 0, B 1')
    """
    sentence = to.gettext("Points taken: {player} {points}, {opponent} {others}")
    points, others = (decimal(amount, to.gettext, 0) for amount in taken)
    said = sentence.format(player=players[0], points=points, opponent=players[1], others=others)
    rest = "" if total is None else detail_text(total.ahead(taken[1] - taken[0]), to.gettext)
    return f"{said} · {to.gettext('the rest: {points}').format(points=rest)}" if rest else said


FROM_LINE = mark("Points count from the position at which the line begins.")


IN_MOVES = "{moves}"
DETAILS = mark("cursed win"), mark("blessed loss")  # of draws by a limit of plies


def moves_of_winner(value: Value, remoteness: int) -> int:
    """Return how many moves the winner makes to the end.

    Parameters
    ----------
    value : Value
        WIN or LOSS, for the player who moves; players alternate.
    remoteness : int
        In plies.

    Examples
    --------
    >>> moves_of_winner(Value.WIN, 31), moves_of_winner(Value.LOSS, 30)
    (16, 15)
    """
    return (remoteness + (value is Value.WIN)) // 2


def in_moves(counted: str, outcome: Outcome, to: NullTranslations = PLAIN) -> str:
    """Return the distance to the end in moves of the winner; empty where nobody wins.

    Parameters
    ----------
    counted : str
        The phrase of the rules, ``"mate in {moves}"``; empty if they have none. One without ``{moves}``
        says what plies count to, whoever wins.
    outcome : Outcome
        For the player who moves.
    to : NullTranslations
        The catalogue.

    Examples
    --------
    >>> in_moves("mate in {moves}", Outcome(Value.WIN, 31)), in_moves("", Outcome(Value.WIN, 31))
    ('mate in 16', '')
    >>> in_moves("to the next conversion", Outcome(Value.TIE, 3))
    'to the next conversion'
    """
    value, plies = outcome
    if not counted or not plies:
        return ""
    if IN_MOVES not in counted:
        return "" if value.kind is Value.DRAW else to.gettext(counted)
    if value not in (Value.WIN, Value.LOSS):
        return ""
    return to.gettext(counted).format(moves=digits(moves_of_winner(value, plies), to.gettext))


def plies_apart(counted: str, outcome: Outcome, to: NullTranslations = PLAIN) -> tuple[int | None, str]:
    """Return the plies for a sentence about an outcome, and the words in parentheses behind it.

    Plies to something else than the end of the game are in the parentheses alone.

    Parameters
    ----------
    counted, outcome, to
        As in ``in_moves``.

    Examples
    --------
    >>> plies_apart("mate in {moves}", Outcome(Value.WIN, 31))
    (31, 'mate in 16')
    >>> plies_apart("to the next conversion", Outcome(Value.TIE, 3))
    (None, 'to the next conversion: 3 plies')
    """
    plies, words = outcome.remoteness, in_moves(counted, outcome, to)
    if not words or not plies or IN_MOVES in counted:
        return plies, words
    number = to.ngettext("{plies} ply", "{plies} plies", plies).format(plies=digits(plies, to.gettext))
    return None, f"{words}: {number}"
