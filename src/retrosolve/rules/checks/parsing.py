"""Checks of ``parse``: it reads what ``text`` writes, and refuses what is no position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.calls import call_rule, canonical_of
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.rules.indexing import indexed_space
from retrosolve.runtime.places import function_place
from retrosolve.spaces.base import StateSpace

MAX_TEXTS = 200
CHANGES = 4  # of each text
MAX_EDITS = 3


def check_parse(game: Game, positions: Sequence[Any], seed: int) -> None:
    """Check that ``parse`` is the inverse of ``text``, and refuses what is no position.

    Parameters
    ----------
    game : Game
        That of compiled rules with a dense index is also given texts with a few characters changed.
    positions : sequence of hashable
        MAX_TEXTS of them are written and read, at equal distances.
    seed : int

    Raises
    ------
    RulesError
    """
    rules: Any = game.game if isinstance(game, InstrumentedGame) else game
    chosen = positions[:: max(1, len(positions) // MAX_TEXTS)]
    texts = [str(call_rule(rules, "text", position)) for position in chosen]
    for position, text in zip(chosen, texts, strict=True):
        parsed = call_rule(rules, "parse", text)
        if canonical_of(game, parsed) != canonical_of(game, position):
            written = f"parse({text!r}) gave {parsed!r}, but text({position!r}) is that"
            raise _broken(rules, f"{written}: expected {position!r}")
    if isinstance(game, InstrumentedGame) and game.game.size is not None:
        space = indexed_space(game.game, tested=True)
        for text in changed_texts(texts, random.Random(seed)):
            _check_refused(rules, space, text)


def changed_texts(texts: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Yield each text several times with characters deleted, doubled, replaced or exchanged.

    Examples
    --------
    >>> len(list(changed_texts(["XO./...", "O../X.."], random.Random(1))))
    8
    """
    alphabet = sorted({mark for text in texts for mark in text})
    for text in texts:
        for _ in range(CHANGES):
            marks = list(text)
            for _ in range(rng.randint(1, MAX_EDITS)):
                _edit(marks, alphabet, rng)
            yield "".join(marks)


def _edit(marks: list[str], alphabet: Sequence[str], rng: random.Random) -> None:
    """Change a character."""
    if not marks:
        return
    place, other = rng.randrange(len(marks)), rng.randrange(len(marks))
    match rng.randrange(4):
        case 0:
            del marks[place]
        case 1:
            marks.insert(place, marks[other])
        case 2:
            marks[place] = rng.choice(alphabet)
        case _:
            marks[place], marks[other] = marks[other], marks[place]


def _check_refused(rules: CompiledGame, space: StateSpace, text: str) -> None:
    """Check that a text is refused, or is that of a position with an index."""
    try:
        parsed: Any = rules.parse(text)
    except Exception:  # a look-up makes a PositionError of whatever parse() raises
        return
    try:
        space.resolved(parsed)
    except PositionError as error:
        given = f"parse({text!r}) gave {parsed!r}"
        raise _broken(rules, f"{given}: expected PositionError, because {error}") from None


def _broken(rules: Any, sentence: str) -> RulesError:
    """Return the error for ``parse``, with its place."""
    return RulesError(sentence + function_place(type(rules).parse))
