"""The page of the board editor: walls, exits, policeman and thief, solved while they are painted."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.languages import mark
from retrosolve.pursuit.police import SAMPLE
from retrosolve.web.address import Address
from retrosolve.web.descriptions import (
    BOARD,
    MAX_SIDE,
    board_name,
    board_of,
    editor_url,
    small_board,
    text_of,
)
from retrosolve.web.library import Library
from retrosolve.web.rendering import catalogue, language_of, render

VERDICTS = (mark("Police catches the thief"), mark("The thief escapes"), mark("Draw"))
INCOMPLETE = mark("All positions are solved. Put a policeman and a thief on the board to see who wins.")
# The letter of a cell, its key, and what it is called.
TOOLS = (
    (".", mark("free cell")), ("*", mark("wall")), ("E", mark("exit")), ("P", mark("policeman")),
    ("T", mark("thief")),
)  # fmt: skip


async def page(request: Request) -> Response:
    """Show the editor with the board of the address, or go to the address of a board given as text."""
    typed = request.query_params.get("text")
    if typed is not None:
        name = board_name(small_board(typed))
        return RedirectResponse(editor_url(BOARD, name, request.query_params.get("language")), 303)
    description = request.query_params.get(BOARD)
    board = small_board(SAMPLE) if description is None else board_of(description)
    found = await run_in_threadpool(
        solved, request.app.state.library, board_name(board), catalogue(request)
    )
    return render(
        request, "board_editor.html", found=found, tools=TOOLS, most=MAX_SIDE, code=language_of(request)
    )


async def answer(request: Request) -> Response:
    """Solve the board in the body of a request."""
    board = small_board(text_of(await request.body()))
    to = catalogue(request)
    library = request.app.state.library
    return JSONResponse(await run_in_threadpool(solved, library, board_name(board), to))


def solved(library: Library, name: str, to: NullTranslations) -> dict[str, Any]:
    """Return a board, who wins, and where to go on."""
    entry = library.entry(name)
    solution = entry.solution
    rules: Any = getattr(solution.space, "rules", None)
    found: dict[str, Any] = {
        "board": str(rules.board),
        "verdict": to.gettext(INCOMPLETE),
        "value": None,
        "plies": None,
        "play": Address(name).url(),
        "film": Address(name).url("film") if solution.num_edges <= MAX_MOVES else None,
        "edit": editor_url(BOARD, name),
    }
    if solution.start is not None:
        outcome = solution[solution.start]
        found["verdict"] = to.gettext(rules.verdict(outcome, solution.start))
        found["value"] = outcome.value.label
        if outcome.remoteness is not None:
            sentence = to.ngettext("in {plies} ply", "in {plies} plies", outcome.remoteness)
            found["plies"] = sentence.format(plies=outcome.remoteness)
    return found
