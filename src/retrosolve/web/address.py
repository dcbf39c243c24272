"""Addresses of positions, of lines of play and of games with an opponent."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from retrosolve.errors import GraphError, PositionError, RetrosolveError
from retrosolve.languages import LANGUAGES, typed
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace
from retrosolve.web.limits import MAX_PLIES, MAX_TEXT

SEPARATOR = "-"
INDEX = re.compile("#[0-9]{1,18}")


class AddressError(RetrosolveError):
    """An address that no link of the explorer has."""


class Address(NamedTuple):
    """A position of a game, how it came about, and who plays.

    Parameters
    ----------
    name : str
        The name of the game in the library.
    at : str, optional
        The position before the first move, as text or as ``#`` and its index; by default the start.
    line : tuple of int
        The moves from there, each by its place among the moves, counted from 1. It is the last
        parameter of an address.
    you : int, optional
        The side of the reader, 0 or 1; by default the side that moves.
    mistakes : float, optional
        How often the opponent errs; without one there is no opponent.
    hints : bool
        Whether moves are shown with their values.
    language : str, optional
        Of the page, if the address asks for one.
    ranked : bool
        Whether places in the line are among the moves best first, ``line=``, or as the rules list them,
        ``played=``, which says nothing about their values.
    throw : int, optional
        The number of the throw of dice at the end of the line, counted from 1.
    """

    name: str
    at: str | None = None
    line: tuple[int, ...] = ()
    you: int | None = None
    mistakes: float | None = None
    hints: bool = True
    language: str | None = None
    ranked: bool = True
    embedded: bool = False
    throw: int | None = None

    @property
    def playing(self) -> bool:
        """Whether there is an opponent."""
        return self.mistakes is not None

    def parameters(self) -> dict[str, str]:
        """Return the parameters of the address, the usual ones left out."""
        parameters: dict[str, str] = {}
        if self.at is not None:
            parameters["at"] = self.at
        if self.you is not None:
            parameters["you"] = str(self.you)
        if self.mistakes is not None:
            parameters["mistakes"] = f"{self.mistakes:g}"
        if not self.hints:
            parameters["hints"] = "no"
        if self.language is not None:
            parameters["language"] = self.language
        if self.embedded:
            parameters["embed"] = "yes"
        if self.throw is not None:
            parameters["throw"] = str(self.throw)
        if self.line:
            parameters["line" if self.ranked else "played"] = SEPARATOR.join(map(str, self.line))
        return parameters

    def game(self) -> Address:
        """Return the address of the game, without a position or an opponent."""
        return Address(self.name, language=self.language, embedded=self.embedded)

    def url(self, page: str = "", **more: str) -> str:
        """Return the address of a page of the game, by default that of the position."""
        parts = [f"{name}={_quoted(text)}" for name, text in (self.parameters() | more).items()]
        return f"/g/{quote(self.name, safe='')}/{page}" + ("?" + "&".join(parts) if parts else "")

    def after(self, number: int) -> Address:
        """Return the address after one more move."""
        return self._replace(line=(*self.line, number))


def parse_address(name: str, query: Mapping[str, str]) -> Address:
    """Return the address with the parameters of a request. Raises AddressError."""
    language = query.get("language")
    line, played = _line(query, "line"), _line(query, "played")
    if line and played:
        raise AddressError("line= and played= are both there: expected one of them")
    return Address(
        name,
        query.get("at") or None,
        line or played,
        _side(query.get("you", "")),
        _probability(query.get("mistakes", "")),
        query.get("hints") != "no",
        language if language in LANGUAGES else None,
        not played,
        query.get("embed") == "yes",
        _throw(query.get("throw", "")),
    )


@lru_cache(maxsize=1 << 8)  # the links of a page have the same position
def _quoted(text: str) -> str:
    return quote_plus(text)


def _line(query: Mapping[str, str], name: str) -> tuple[int, ...]:
    text = query.get(name, "")
    parts = text.split(SEPARATOR) if text else []
    if len(parts) > MAX_PLIES:
        raise AddressError(f"{name}= has {len(parts)} moves: expected at most {MAX_PLIES}")
    if not all(part.isascii() and part.isdigit() and len(part) < 8 for part in parts):
        raise AddressError(f"{name}= holds something else: expected numbers of moves such as 1-3-1")
    return tuple(int(part) for part in parts)


def _side(text: str) -> int | None:
    if text not in ("", "0", "1"):
        raise AddressError("you= is neither side: expected 0 or 1")
    return int(text) if text else None


def _throw(text: str) -> int | None:
    if text and not (text.isascii() and text.isdigit() and len(text) < 8):
        raise AddressError("throw= is no number of a throw: expected one, counted from 1")
    return int(text) if text else None


def _probability(text: str) -> float | None:
    if not text:
        return None
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise AddressError("mistakes= is no probability: expected a number from 0 to 1")
    return share


def position_at(solution: Solution, at: str | None) -> tuple[Hashable, int]:
    """Return the position that an address names, and its index.

    If it names none, the position is the start of the game, or else the first one.

    Raises
    ------
    PositionError
        If there is no such position.
    GraphError
        If there is none at all.
    AddressError
        For a text that is longer than any position.
    """
    space = solution.space
    if at is not None and len(at) > MAX_TEXT:
        raise AddressError(f"a position of {len(at)} characters: expected at most {MAX_TEXT}")
    if at is None:
        try:
            position = next(iter(solution)) if solution.start is None else solution.start
        except StopIteration:
            raise GraphError(f"{space!r} has no positions: expected at least one to show") from None
    else:
        number = int(at[1:]) if INDEX.fullmatch(at) else None
        try:
            if number is None or _reads_text(solution):
                position = space.parse(at)
            else:
                position = _numbered(space, number)
        except RetrosolveError:
            if number is not None:
                position = _numbered(space, number)
            elif typed(at) == at:
                raise
            else:
                return position_at(solution, typed(at))  # with the digits of another language
        except Exception as error:  # of the rules, for text that they never wrote
            what = f"the rules raised {type(error).__name__}"
            raise PositionError(f"{at!r} is no position: {what}") from error
    return position, space.index(position)


def _numbered(space: StateSpace, index: int) -> Hashable:
    """Return the position of an index. Raises PositionError."""
    if index >= space.num_vertices:
        raise PositionError(f"there is no index {index}: expected one below {space.num_vertices}")
    return space.position(index)


def _reads_text(solution: Solution) -> bool:
    """Return whether the text of a position stands for it in an address, and not its index."""
    rules = solution.space.rules
    return rules is None or rules.implements("parse")


def text_at(solution: Solution, position: Hashable, text: str | None = None) -> str:
    """Return the text that stands for a position in an address; ``text`` is that of the position."""
    text = solution.space.text(position) if text is None else text
    readable = _reads_text(solution) and 0 < len(text) <= MAX_TEXT
    return text if readable else f"#{solution.space.index(position)}"
