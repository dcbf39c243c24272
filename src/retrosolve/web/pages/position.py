"""The page of a position: the board, the verdict, the moves, the line that led here, an opponent."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from retrosolve.languages.verdicts import verdict
from retrosolve.solution import Solution
from retrosolve.web.address import Address, parse_address, text_at
from retrosolve.web.history import history
from retrosolve.web.library import Entry
from retrosolve.web.play import Scene, reply, scene
from retrosolve.web.rendering import catalogue, render
from retrosolve.web.typed import moves_in

MISTAKES = (0.0, 0.1, 0.2, 0.5)


async def page(request: Request) -> Response:
    """Show a position."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    shown = scene(entry.solution, address)
    answer = render(request, "position.html", **_values(entry, shown, catalogue(request)))
    answer.headers["Cache-Control"] = "no-store"
    return answer


async def typed(request: Request) -> Response:
    """Follow a line that was typed in, and show where it leads."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    shown = scene(entry.solution, address)
    numbers = moves_in(entry.solution, shown, request.query_params.get("moves", ""))
    return RedirectResponse(address._replace(line=(*address.line, *numbers)).url(), 303)


def _values(entry: Entry, shown: Scene, to: NullTranslations) -> dict[str, Any]:
    """Return what the template shows."""
    space, address = entry.solution.space, shown.address
    text = space.text(shown.position)
    value = shown.seen(shown.outcome.value, shown.side)
    answer = None
    if address.playing and shown.moves and shown.side != shown.viewer:
        assert address.mistakes is not None
        answer = address.after(reply(shown.moves, address.mistakes)).url()
    return {
        "entry": entry,
        "address": address,
        "text": text,
        "permalink": Address(entry.name, text_at(entry.solution, shown.position)).url(),
        "picture": space.svg(shown.position),
        "turn": side_name(entry.solution, shown.side, shown.named, to),
        "sides": [side_name(entry.solution, side, shown.named, to) for side in (0, 1)],
        "verdict": verdict(value, shown.outcome.remoteness, None, to),
        "value": value,
        "your_turn": shown.side == shown.viewer,
        "named": shown.named,
        "moves": _moves(entry.solution, shown),
        "history": history(shown, to),
        "reply": answer,
        "mistakes": MISTAKES,
    }


def side_name(solution: Solution, side: int, named: bool, to: NullTranslations) -> str:
    """Return the name of a player, or which one it is where the rules do not say who moves."""
    if named and solution.space.players != ("0", "1"):
        return solution.space.players[side]
    return to.gettext("the other side") if side else to.gettext("the side that moves first")


def _moves(solution: Solution, shown: Scene) -> list[dict[str, Any]]:
    """Return the moves, best first, as the reader sees them."""
    rows = []
    for number, (ranked, rank) in enumerate(zip(shown.moves, shown.ranks(), strict=True), 1):
        plies = ranked.move.outcome.remoteness
        rows.append(
            {
                "name": ranked.move.name,
                "value": shown.seen(ranked.value, shown.side),
                "plies": None if plies is None else plies + 1,
                "rank": rank,
                "url": shown.address.after(number).url(),
                "points": solution.space.move_points(shown.position, ranked.move.position),
            }
        )
    return rows
