"""The page of a position: the board, the verdict, the moves, the line that led here, an opponent."""

from __future__ import annotations

import html
from gettext import NullTranslations
from typing import NamedTuple

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import RetrosolveError
from retrosolve.languages import side_name, translation
from retrosolve.languages.verdicts import verdict
from retrosolve.solution.playing import reply
from retrosolve.values import Value
from retrosolve.web.address import Address, AddressError, parse_address, text_at
from retrosolve.web.errors import status_of
from retrosolve.web.history import history
from retrosolve.web.library import Entry, Label
from retrosolve.web.move_rows import move_rows
from retrosolve.web.neighborhood import graph_url
from retrosolve.web.rendering import catalogue, environment, language_of, skeleton
from retrosolve.web.scene import Scene, number_of, scene
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
    "play-form": ("at", "language", "line", "played"),
    "line-form": ("at", "you", "mistakes", "hints", "language", "line", "played"),
    "start-form": ("at", "you", "mistakes", "hints", "language", "line", "played"),
}
PLACES = ("at", "line", "played")

GAPS = (
    "title", "text", "source", "shown", "graph", "permalink", "swap", "value", "verdict", "reply",
    "moves", "record", "hidden", "typed", "sentence",
)  # fmt: skip


class Refusal(NamedTuple):
    """What a reader typed, and what is wrong with it.

    Parameters
    ----------
    error : RetrosolveError
    field : {"line", "start", ""}
        The form of the page that has it; none for an address that no form makes.
    text : str
        What was typed there.
    """

    error: RetrosolveError
    field: str = ""
    text: str = ""


async def page(request: Request) -> Response:
    """Show a position."""
    return _page(request, *_scene_of(request))


async def typed(request: Request) -> Response:
    """Go to where a line leads that was typed in; the page stays where there is no such line."""
    entry, shown, refusal = _scene_of(request)
    text = request.query_params.get("moves", "")
    if refusal is None:
        try:
            numbers = moves_in(entry.solution, shown, text, catalogue(request))
        except RetrosolveError as error:
            refusal = Refusal(error, "line", text)
        else:
            address = shown.address._replace(line=(*shown.address.line, *numbers))
            return RedirectResponse(address.url(), 303)
    return _page(request, entry, shown, refusal)


async def start(request: Request) -> Response:
    """Go to a position that was typed in; the page stays where there is no such position."""
    entry, shown, refusal = _scene_of(request)
    text = request.query_params.get("position", "").strip()
    if refusal is None:
        try:
            there = scene(entry.solution, shown.address._replace(at=text or None, line=()))
        except RetrosolveError as error:
            refusal = Refusal(error, "start", text)
        else:
            return RedirectResponse(there.address.url(), 303)
    return _page(request, entry, shown, refusal)


def _scene_of(request: Request) -> tuple[Entry, Scene, Refusal | None]:
    """Return the game and the scene of an address, and what is wrong with it.

    An address of a position or a line that does not exist has the scene of what is right in it: the
    position before the line, or else the start of the game.
    """
    entry: Entry = request.app.state.library.entry(request.path_params["name"])
    query = dict(request.query_params)
    try:
        return entry, scene(entry.solution, parse_address(entry.name, query)), None
    except RetrosolveError as error:
        return entry, *_scene_without(entry, query, error)


def _scene_without(
    entry: Entry, query: dict[str, str], error: RetrosolveError
) -> tuple[Scene, Refusal]:
    """Return the scene of what is right in an address, and what is wrong with it."""
    try:
        address = parse_address(entry.name, {k: v for k, v in query.items() if k not in PLACES})
    except AddressError:
        address = Address(entry.name)
    at = query.get("at") or None
    try:
        return scene(entry.solution, address._replace(at=at)), Refusal(error)
    except RetrosolveError:
        return scene(entry.solution, address), Refusal(error, "start", at or "")


def _page(request: Request, entry: Entry, shown: Scene, refusal: Refusal | None) -> Response:
    """Return the page of a position."""
    address, language = shown.address, language_of(request)
    if address.playing and address.you is None:  # against an opponent, readers keep the side they have
        shown = shown._replace(address=address._replace(you=shown.side))
    found = position_page(entry, shown, language, refusal)
    status = 200 if refusal is None else status_of(refusal.error)
    return HTMLResponse(found, status, {"Content-Language": language, "Cache-Control": "no-store"})


def position_page(entry: Entry, shown: Scene, language: str, refusal: Refusal | None = None) -> bytes:
    """Return the page of a position in a language."""
    solution, address, to = entry.solution, shown.address, translation(language)
    space, over = solution.space, not shown.moves
    text, picture = space.text(shown.position), space.svg(shown.position)
    at = text_at(solution, shown.position, text)
    link = Address(entry.name, at, language=address.language, hints=address.hints)
    drawn = picture is None and getattr(space, "rules", None) is None
    replying = address.playing and not over and shown.side != shown.viewer
    sides = tuple(side_name(space.players, side, shown.named, to) for side in (0, 1))
    value = shown.seen(shown.outcome.value, shown.side)
    frame = skeleton(
        language, "position.html", GAPS, entry=Label(entry.name, entry.title),
        address=address._replace(at=None, line=()), asked_language=address.language,
        pictured=picture is not None, drawn=drawn, over=over, replying=replying,
        played=bool(shown.played), your_turn=shown.side == shown.viewer, turn=sides[shown.side],
        named=shown.named, second=shown.side == 1 and not shown.named, chances=MISTAKES, sides=sides,
        judged=address.hints or over, refusal=None if refusal is None else refusal.field,
    )  # fmt: skip
    return frame.filled(
        {
            "title": shortened(text),
            "text": text,
            "source": graph_url(solution, entry.name, shown.position, address.hints) if drawn else "",
            "shown": text if picture is None else Markup(titled(picture, to)),
            "graph": address.url("graph"),
            "permalink": link.url(),
            "swap": address._replace(you=1 - (address.you or 0)).url(),
            "value": value.label,
            "verdict": SIGNS[value] + _verdict(shown, value, sides, to),
            "reply": _reply(shown) if replying else "",
            "moves": move_rows(solution, shown, sides, to),
            "record": _record(shown, sides, language, to) if shown.played else "",
            "hidden": _hidden(address),
            "typed": "" if refusal is None else refusal.text,
            "sentence": "" if refusal is None else str(refusal.error),
        }
    )


def _verdict(shown: Scene, value: Value, sides: tuple[str, ...], to: NullTranslations) -> str:
    """Return what a position means to the reader who has chosen a side, or else who wins it."""
    winner, plies = shown.winner(value), shown.outcome.remoteness
    if winner is None:
        return escape(verdict(value, plies, None, to))
    return escape(verdict(Value.WIN, plies, sides[winner], to))


def _reply(shown: Scene) -> str:
    """Return the address after the opponent has moved."""
    address = shown.address
    chosen = shown.moves[reply(shown.moves, address.mistakes or 0.0) - 1]
    return address.after(number_of(shown.moves, chosen, address.ranked)).url()


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
