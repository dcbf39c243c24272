"""The page of a position: the board, the verdict, the moves, the line that led here, an opponent."""

from __future__ import annotations

import html
from gettext import NullTranslations

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.languages import translation
from retrosolve.languages.verdicts import verdict
from retrosolve.solution import Solution
from retrosolve.solution.playing import reply
from retrosolve.web.address import Address, parse_address, text_at
from retrosolve.web.history import history
from retrosolve.web.library import Entry, Label
from retrosolve.web.move_rows import move_rows
from retrosolve.web.neighborhood import graph_url
from retrosolve.web.rendering import catalogue, environment, language_of, skeleton
from retrosolve.web.scene import Scene, scene
from retrosolve.web.typed import moves_in
from retrosolve.web.wording import titled

MISTAKES = (0.0, 0.1, 0.2, 0.5)
MAX_TITLE = 60
SIGNS = {
    value: Markup('<span class="sign" aria-hidden="true">{}</span> ').format(look.symbol)
    for value, look in APPEARANCE.items()
}
# What each form keeps of the address; the rest of it is asked for by its fields.
KEPT = {
    "play-form": ("at", "language", "line"),
    "line-form": ("at", "you", "mistakes", "hints", "language", "line"),
    "start-form": ("you", "mistakes", "hints", "language"),
}


GAPS = (
    "title", "text", "source", "shown", "graph", "permalink", "swap", "value", "verdict", "reply",
    "moves", "record", "hidden",
)  # fmt: skip


async def page(request: Request) -> Response:
    """Show a position."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    language = language_of(request)
    shown = scene(entry.solution, address)
    if address.playing and address.you is None:  # against an opponent, readers keep the side they have
        shown = shown._replace(address=address._replace(you=shown.side))
    found = position_page(entry, shown, language)
    return HTMLResponse(found, 200, {"Content-Language": language, "Cache-Control": "no-store"})


async def typed(request: Request) -> Response:
    """Follow a line that was typed in, and show where it leads."""
    entry = request.app.state.library.entry(request.path_params["name"])
    address = parse_address(entry.name, request.query_params)
    shown = scene(entry.solution, address)
    numbers = moves_in(entry.solution, shown, request.query_params.get("moves", ""), catalogue(request))
    return RedirectResponse(address._replace(line=(*address.line, *numbers)).url(), 303)


def position_page(entry: Entry, shown: Scene, language: str) -> bytes:
    """Return the page of a position in a language."""
    solution, address, to = entry.solution, shown.address, translation(language)
    space = solution.space
    text, picture = space.text(shown.position), space.svg(shown.position)
    link = Address(entry.name, text_at(solution, shown.position, text), language=address.language)
    drawn = picture is None and getattr(space, "rules", None) is None
    replying = address.playing and bool(shown.moves) and shown.side != shown.viewer
    sides = tuple(side_name(solution, side, shown.named, to) for side in (0, 1))
    value = shown.seen(shown.outcome.value, shown.side)
    said = escape(verdict(value, shown.outcome.remoteness, None, to))
    frame = skeleton(
        language, "position.html", GAPS, entry=Label(entry.name, entry.title),
        address=address._replace(at=None, line=()), asked_language=address.language,
        pictured=picture is not None, drawn=drawn, over=not shown.moves, replying=replying,
        played=bool(shown.played), your_turn=shown.side == shown.viewer, turn=sides[shown.side],
        named=shown.named, second=shown.side == 1 and not shown.named, chances=MISTAKES, sides=sides,
    )  # fmt: skip
    return frame.filled(
        {
            "title": shortened(text),
            "text": text,
            "source": graph_url(solution, entry.name, shown.position) if drawn else "",
            "shown": text if picture is None else Markup(titled(picture, to)),
            "graph": address.url("graph"),
            "permalink": link.url(),
            "swap": address._replace(you=1 - (address.you or 0)).url(),
            "value": value.label,
            "verdict": SIGNS[value] + said,
            "reply": _reply(shown) if replying else "",
            "moves": move_rows(solution, shown, to),
            "record": _record(shown, sides, language, to) if shown.played else "",
            "hidden": _hidden(address),
        }
    )


def _reply(shown: Scene) -> str:
    """Return the address after the opponent has moved."""
    return shown.address.after(reply(shown.moves, shown.address.mistakes or 0.0)).url()


def _record(shown: Scene, sides: tuple[str, ...], language: str, to: NullTranslations) -> Markup:
    """Return the moves that led to a position, with a chart."""
    address, back = shown.address, 1
    if address.playing and shown.side == shown.viewer and len(address.line) > 1:
        back = 2  # the opponent's answer is taken back too
    template = environment(language).get_template("record.html")
    undo = address._replace(line=address.line[:-back]).url()
    found = history(shown, to)
    return Markup(template.render(history=found, undo=undo, hints=address.hints, sides=sides))


def _hidden(address: Address) -> Markup:
    """Return what the forms of the page keep of its address, out of sight."""
    found = {name: html.escape(text) for name, text in address.parameters().items()}
    return Markup(
        "\n".join(
            f'<input type="hidden" form="{form}" name="{name}" value="{found[name]}">'
            for form, names in KEPT.items()
            for name in names
            if name in found
        )
    )


def shortened(text: str) -> str:
    """Return a position for the title of a page.

    >>> shortened("XO.\\n..."), len(shortened("long " * 50))
    ('XO. / ...', 60)
    """
    line = text.replace("\n", " / ")
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


def side_name(solution: Solution, side: int, named: bool, to: NullTranslations) -> str:
    """Return the name of a player, or which one it is where the rules do not say who moves."""
    name = solution.space.players[side]
    if named and name not in ("", str(side)):
        return to.gettext(name)
    return to.gettext("the other side") if side else to.gettext("the side that moves first")
