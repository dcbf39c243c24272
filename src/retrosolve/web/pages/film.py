"""The film: how the algorithm decides every position of a small game, step by step."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import lru_cache, partial
from gettext import NullTranslations
from typing import Any

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from retrosolve.drawing.appearance import APPEARANCE, SYMBOLS
from retrosolve.explanation import Trace, trace
from retrosolve.explanation.steps import (
    HEADINGS,
    MAX_VERTICES,
    NO_START,
    SENTENCES,
    SEPARATOR,
    steps_of,
    translated,
)
from retrosolve.formats.board import Board
from retrosolve.languages import NUMERALS, Translate, translation
from retrosolve.languages.phrases import OUTCOMES, PLAIN
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution
from retrosolve.web.address import Address, position_at
from retrosolve.web.library import Entry, once_in_turn
from retrosolve.web.rendering import entry_of, language_of, render_once, rendered

MAX_DRAWN = 300
MAX_DRAWN_MOVES = 2000
SHORT = 6  # letters of a name that says as much as a picture
KEPT = 2
LEVEL = 1  # of gzip: higher levels take twice the time and save a tenth

PAGE_WORDS = {
    "play": mark("Play the film"),
    "pause": mark("Pause"),
    "step": mark("Step {step} of {total}"),
    "before": mark("Before the start"),
    "nothing": mark("Nothing is decided yet."),
    "decided": mark("Decided: {counts}"),
    "open": mark("not decided"),
    "go": mark("Go to the step that decides {name}"),
    "counter": mark("{open} of {total}"),
    "left": mark("not decided, {open} of {total} moves left to examine"),
    "exit": mark("exit, {outcome}"),
    "cell": mark("row {row}, column {column}: {outcome}"),
    "level": mark("level {level}"),
    "lowered": mark("counter of {name}: {before} → {open}"),
}
"""The words on the page of a film besides the sentences of its trace."""


@lru_cache(maxsize=KEPT)
def trace_of(entry: Entry) -> Trace:
    """Return the trace of a game. Raises GraphError for one that is too large."""
    return trace(entry.solution)


def film(entry: Entry, to: NullTranslations = PLAIN) -> dict[str, Any]:
    """Return the film of a game, ready for JSON.

    Parameters
    ----------
    entry : Entry
    to : NullTranslations
        The catalogue of its language.

    Returns
    -------
    dict
        ``trace`` (see :meth:`~retrosolve.explanation.Trace.to_json`), ``words``, ``signs`` (the symbol
        of each value), ``drawn`` (whether it is drawn as a graph), ``pictures`` (of its positions, null
        where the rules draw none) and ``board`` (null without one).

    Raises
    ------
    GraphError
        For a game that is too large to trace, or without positions.
    """
    position_at(entry.solution, None)  # is there one?
    traced = translated(trace_of(entry), to)
    board = board_of(entry.solution)
    drawn = board is None and is_drawn(traced)
    return {
        "trace": traced.to_json(),
        "words": words(to.gettext),
        "signs": SYMBOLS,
        "drawn": drawn,
        "pictures": pictures(entry.solution, traced) if drawn else None,
        "board": None if board is None else board_of_film(entry.solution, board),
    }


def board_of(solution: Solution) -> Board | None:
    """Return the board of a game of policeman and thief; None for another game."""
    board = getattr(solution.space.rules, "board", None)
    return board if isinstance(board, Board) else None


def words(translate: Translate) -> dict[str, Any]:
    """Return the sentences of a film, with placeholders."""
    return {
        "headings": {phase.value: translate(text) for phase, text in HEADINGS.items()},
        "sentences": {key: translate(text) for key, text in SENTENCES.items()},
        "outcomes": {value.label: translate(text) for value, text in OUTCOMES.items()},
        "values": {value.label: translate(look.word) for value, look in APPEARANCE.items()},
        "separator": translate(SEPARATOR),
        "nothing": translate(NO_START),
        "digits": translate(NUMERALS)[:11],
        "page": {key: translate(text) for key, text in PAGE_WORDS.items()},
    }


def is_drawn(traced: Trace) -> bool:
    """Return whether a game is small enough to be drawn as a graph."""
    moves = sum(map(len, traced.successors))
    return len(traced.names) <= MAX_DRAWN and moves <= MAX_DRAWN_MOVES


def pictures(solution: Solution, traced: Trace) -> list[str] | None:
    """Return a picture of each position, empty for an INVALID index; None where names do as well."""
    if max(map(len, traced.names)) <= SHORT:
        return None
    space, found = solution.space, []
    for v, name in enumerate(traced.names):
        picture = space.svg(space.position(v)) if name else ""
        if picture is None:
            return None
        found.append(picture)
    return found


def board_of_film(solution: Solution, board: Board) -> dict[str, Any]:
    """Return a board and how positions on it are numbered.

    Position ``(turn * k + first) * k + second`` of k free cells has the first token on the free cell
    ``first`` and the second on ``second``, with ``turn`` to move.
    """
    start = None if solution.start is None else solution.space.index(solution.start)
    return {
        "rows": str(replace(board, policeman=None, thief=None)).split("\n"),
        "cells": np.argwhere(board.free).tolist(),
        "players": list(solution.space.players),
        "start": start,
    }


async def page(request: Request) -> Response:
    """Show the film of a game; the page itself has the words of a small one, for who reads no film."""
    return await render_once(request, _film_page)


def _film_page(entry: Entry, language: str, asked: str | None) -> str:
    """Return the page of a film. Raises GraphError for a large game."""
    _check(entry)
    address = Address(entry.name, language=asked)
    values = described(entry, translation(language))
    return rendered(language, "film.html", asked_language=asked, address=address, **values)


def described(entry: Entry, to: NullTranslations) -> dict[str, Any]:
    """Return the values of the templates of a film, and the words of a small one."""
    traced = translated(trace_of(entry), to)
    has_board = board_of(entry.solution) is not None
    explained = len(traced.names) <= MAX_VERTICES
    return {
        "entry": entry,
        "players": entry.solution.space.players,
        "has_board": has_board,
        "drawn": not has_board and is_drawn(traced),
        "owned": traced.owner is not None,
        "positions": len(entry.solution),
        "text": str(steps_of(traced, to.gettext)) if explained else None,
    }


async def data(request: Request) -> Response:
    """Return the film of a game; it is compressed once, and not for each reader."""
    entry = await run_in_threadpool(entry_of, request)
    language = language_of(request)
    packed = await once_in_turn(entry, ("film", language), partial(_packed_film, entry, language))
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, media_type="application/json", headers=headers)


def _packed_film(entry: Entry, language: str) -> bytes:
    """Return the film of a game as JSON by gzip. Raises GraphError for a large game."""
    _check(entry)
    text = json.dumps(film(entry, translation(language)), ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), LEVEL, mtime=0)


def _check(entry: Entry) -> None:
    """Trace a game, if that was not tried yet. Raises GraphError for one that is too large."""
    entry.once("traced", lambda: bool(trace_of(entry)))
