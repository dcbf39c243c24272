"""The page of the board editor: walls, exits, policeman and thief, solved while they are painted."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retrosolve.errors import RetrosolveError
from retrosolve.explanation.tracing import MAX_MOVES
from retrosolve.languages import mark
from retrosolve.pursuit.police import SAMPLE
from retrosolve.solution import Solution
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
from retrosolve.web.errors import status_of
from retrosolve.web.rendering import asked_language, catalogue, render

VERDICTS = (mark("Police catches the thief"), mark("The thief escapes"), mark("Draw"))
INCOMPLETE = mark("All positions are solved. Put a policeman and a thief on the board to see who wins.")
# The letter of a cell, its key, and what it is called.
TOOLS = (
    (".", mark("free cell")), ("*", mark("wall")), ("E", mark("exit")), ("P", mark("policeman")),
    ("T", mark("thief")),
)  # fmt: skip


async def page(request: Request) -> Response:
    """Show the editor with the board of the address, or go to the address of a board given as text.

    A text that is no board stays in its field, beside a board for an example.
    """
    typed, refusal = request.query_params.get("text"), None
    if typed is not None:
        try:
            name = board_name(small_board(typed))
        except RetrosolveError as error:
            refusal = error
        else:
            return RedirectResponse(editor_url(BOARD, name, asked_language(request)), 303)
    description = request.query_params.get(BOARD)
    board = small_board(SAMPLE) if description is None else board_of(description)
    found = await run_in_threadpool(solved, request, board_name(board))
    return render(
        request, "board_editor.html", 200 if refusal is None else status_of(refusal), found=found,
        tools=TOOLS, most=MAX_SIDE, typed=typed, refusal=refusal,
    )  # fmt: skip


async def answer(request: Request) -> Response:
    """Solve the board in the body of a request."""
    board = small_board(text_of(await request.body()))
    return JSONResponse(await run_in_threadpool(solved, request, board_name(board)))


def solved(request: Request, name: str) -> dict[str, Any]:
    """Return a board, who wins, and where to go on."""
    to, language = catalogue(request), asked_language(request)
    solution: Solution = request.app.state.library.entry(name).solution
    address = Address(name, language=language)
    rules: Any = getattr(solution.space, "rules", None)
    found: dict[str, Any] = {
        "board": str(rules.board),
        "verdict": to.gettext(INCOMPLETE),
        "value": None,
        "plies": None,
        "play": address.url(),
        "film": address.url("film") if solution.num_edges <= MAX_MOVES else None,
        "edit": editor_url(BOARD, name, language),
    }
    if solution.start is not None:
        outcome = solution[solution.start]
        found["verdict"] = to.gettext(rules.verdict(outcome, solution.start))
        found["value"] = outcome.value.label
        if outcome.remoteness is not None:
            sentence = to.ngettext("in {plies} ply", "in {plies} plies", outcome.remoteness)
            found["plies"] = sentence.format(plies=outcome.remoteness)
    return found
