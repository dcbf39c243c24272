"""The page of a position: the board, the verdict, the moves, the line that led here, an opponent."""

from __future__ import annotations

import json
from functools import lru_cache
from gettext import NullTranslations
from html import escape
from operator import itemgetter
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.languages.verdicts import verdict
from retrosolve.solution import Solution
from retrosolve.solution.playing import reply
from retrosolve.values import Value
from retrosolve.web.address import Address, parse_address, text_at
from retrosolve.web.history import history
from retrosolve.web.library import Entry
from retrosolve.web.neighborhood import graph_url
from retrosolve.web.rendering import catalogue, fragment, language_of, render
from retrosolve.web.scene import Scene, ranks, scene
from retrosolve.web.typed import moves_in
from retrosolve.web.wording import result

BARE_MOVE = (
    '<tr><th scope="row"><a class="move" href="{url}" data-points="{points}">{name}</a></th></tr>'
)
MOVE = (
    '<tr class="v-{value}"><th scope="row"><a class="move" href="{url}" data-points="{points}">'
    '{name}</a></th><td><span class="sign" aria-hidden="true">{symbol}</span> {result}</td>'
    '<td class="number">{rank}</td></tr>'
)
MISTAKES = (0.0, 0.1, 0.2, 0.5)


async def page(request: Request) -> Response:
    """Show a position."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    shown = scene(entry.solution, address)
    values = _values(entry, shown, catalogue(request))
    values["controls"] = fragment(
        language_of(request), "controls.html", name=entry.name, you=address.you, hints=address.hints,
        mistakes=address.mistakes, chances=MISTAKES, sides=values["sides"],
    )  # fmt: skip
    answer = render(request, "position.html", **values)
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
    picture = space.svg(shown.position)
    plain = picture is None and getattr(space, "rules", None) is None
    answer = None
    if address.playing and shown.moves and shown.side != shown.viewer:
        assert address.mistakes is not None
        answer = address.after(reply(shown.moves, address.mistakes)).url()
    return {
        "entry": entry,
        "address": address,
        "text": text,
        "permalink": Address(
            entry.name, text_at(entry.solution, shown.position), language=address.language
        ).url(),
        "picture": picture,
        "drawn": graph_url(entry.solution, entry.name, shown.position) if plain else None,
        "turn": side_name(entry.solution, shown.side, shown.named, to),
        "sides": tuple(side_name(entry.solution, side, shown.named, to) for side in (0, 1)),
        "verdict": verdict(value, shown.outcome.remoteness, None, to),
        "value": value,
        "your_turn": shown.side == shown.viewer,
        "named": shown.named,
        "second": shown.side == 1 and not shown.named,
        "moves": _moves(entry.solution, shown, to),
        "history": history(shown, to),
        "reply": answer,
    }


def side_name(solution: Solution, side: int, named: bool, to: NullTranslations) -> str:
    """Return the name of a player, or which one it is where the rules do not say who moves."""
    name = solution.space.players[side]
    if named and name not in ("", str(side)):
        return to.gettext(name)
    return to.gettext("the other side") if side else to.gettext("the side that moves first")


def _moves(solution: Solution, shown: Scene, to: NullTranslations) -> Markup:
    """Return the rows of the list of moves, best first, or by name if there are to be no hints.

    A page has up to a hundred moves, and these rows are most of what it takes to render one: they are
    formatted here, which takes a third of the time of a template.
    """
    space, rows = solution.space, []
    urls = shown.address.urls_after(len(shown.moves))
    row = MOVE if shown.address.hints else BARE_MOVE
    seen = {value: shown.seen(value, shown.side) for value in Value}
    for ranked, rank, url in zip(shown.moves, ranks(shown.moves), urls, strict=True):
        name, target, outcome = ranked.move
        value = seen[ranked.value]
        text = row.format(
            value=value.label,
            url=escape(url),
            points=points_attribute(space.move_points(shown.position, target)),
            name=escape(name),
            symbol=APPEARANCE[value].symbol,
            result=escape(result(value, outcome.remoteness, to)),
            rank=rank,
        )
        rows.append((name, text))
    if not shown.address.hints:
        rows.sort(key=itemgetter(0))  # the order of the moves would be a hint
    return Markup("\n".join(text for _, text in rows))


@lru_cache(maxsize=1 << 12)
def points_attribute(points: tuple[str, ...] | None) -> str:
    """Return the points of a move as JSON in an attribute."""
    return escape(json.dumps(points))
