"""The page of a position: the board, the moves, the line that led here with a chart, an opponent."""

from __future__ import annotations

import json
from functools import lru_cache
from gettext import NullTranslations
from html import escape
from operator import itemgetter
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import RetrosolveError
from retrosolve.languages import side_name, translation
from retrosolve.languages.phrases import phrase, verdict
from retrosolve.solution import Solution
from retrosolve.solution.playing import Ply, Quality, reply
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address, AddressError, parse_address, text_at
from retrosolve.web.library import Entry, Label
from retrosolve.web.page_state import Scene, in_line_order, moves_in, number_of, ranks, scene
from retrosolve.web.pages.graph import graph_url
from retrosolve.web.phrasing import result, score_text, titled
from retrosolve.web.rendering import cached_page, catalogue, environment, language_of, status_of

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

SLOTS = (
    "title", "text", "source", "shown", "graph", "permalink", "swap", "value", "verdict", "reply",
    "moves", "record", "hidden", "typed", "sentence",
)  # fmt: skip


class Refusal(NamedTuple):
    """An input of the reader that is refused, and the reason.

    Parameters
    ----------
    error : RetrosolveError
    field : {"line", "start", ""}
        The form of the page that has it; none for an address that no form makes.
    text : str
        The text in that form.
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
    text = position_page(entry, shown, language, refusal)
    status = 200 if refusal is None else status_of(refusal.error)
    return HTMLResponse(text, status, {"Content-Language": language, "Cache-Control": "no-store"})


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
    value = shown.value_for(shown.outcome.value, shown.side)
    frame = cached_page(
        language, "position.html", SLOTS, entry=Label(entry.name, entry.title),
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
    """Return the verdict for the reader who has chosen a side, or else the winner."""
    winner, plies = shown.winner(value), shown.outcome.remoteness
    if winner is None:
        return verdict(value, plies, None, to)
    return verdict(Value.WIN, plies, sides[winner], to)


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
    """Return hidden fields with the part of the address that each form repeats."""
    parameters = {name: escape(text) for name, text in address.parameters().items()}
    return Markup(
        "\n".join(
            f'<input type="hidden" form="{form}" name="{name}" value="{parameters[name]}">'
            for form, names in KEPT.items()
            for name in names
            if name in parameters
        )
    )


def shortened(text: str) -> str:
    """Return a position for the title of a page.

    >>> shortened("XO.\\n..."), len(shortened("long " * 50))
    ('XO. / ...', 60)
    """
    line = text.replace("\n", " / ")
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


def move_rows(solution: Solution, shown: Scene, sides: tuple[str, ...], to: NullTranslations) -> Markup:
    """Return the rows of the moves of a position: best first, or by name where hints are hidden.

    Rows without hints are made from the moves as the rules list them: neither their order, that of
    equal names included, nor their addresses depend on a value.
    """
    space, rows = solution.space, []
    hints = shown.address.hints
    seen = {value: _seen(shown, value, sides) for value in Value}
    url = escape(shown.address.url_after())
    moves = shown.moves if hints else in_line_order(shown.moves, ranked=False)
    for number, (ranked, rank) in enumerate(zip(moves, ranks(shown.moves), strict=True), 1):
        name, target, outcome = ranked.move
        points = _attribute(space.move_points(shown.position, target))
        start, end = BARE
        if hints:
            start, end = _ends(seen[ranked.value], outcome.remoteness, rank, to)
        label = phrase(name, to)
        rows.append((label, f'{start}{url}{number}" data-points="{points}">{_escaped(label)}{end}'))
    if not hints:
        rows.sort(key=itemgetter(0))
    return Markup("\n".join([row for _, row in rows]))


LINK = '<th scope="row"><a class="move" href="'
BARE = f"<tr>{LINK}", "</a></th></tr>"


def _seen(shown: Scene, value: Value, sides: tuple[str, ...]) -> tuple[Value, str | None]:
    """Return a value of the player to move as the reader sees it, and the name of who wins."""
    seen = shown.value_for(value, shown.side)
    winner = shown.winner(seen)
    return seen, None if winner is None else sides[winner]


@lru_cache(maxsize=1 << 12)
def _ends(
    seen: tuple[Value, str | None], remoteness: int | None, rank: int, to: NullTranslations
) -> tuple[str, str]:
    """Return the HTML before the address of a move, and that after its name."""
    value, winner = seen
    said = escape(result(value, remoteness, to, winner))
    return f'<tr class="v-{value.label}">{LINK}', (
        '</a></th><td><span class="sign" aria-hidden="true">'
        f'{APPEARANCE[value].symbol}</span> {said}</td><td class="number">{rank}</td></tr>'
    )


@lru_cache(maxsize=1 << 12)
def _attribute(points: tuple[str, ...] | None) -> str:
    """Return the points of a move as JSON in an attribute."""
    return escape(json.dumps(points))


@lru_cache(maxsize=1 << 12)
def _escaped(text: str) -> str:
    return escape(text)


STEP = 28
MARGIN = 24
HEIGHT = 104
REACH = 0.8  # of the height, that the longest win or loss is drawn nearer to the middle


class Point(NamedTuple):
    """A point of the chart: one ply, as one player sees it."""

    x: float
    y: float
    value: Value
    url: str
    quality: Quality
    title: str


class Row(NamedTuple):
    """A row of the record: one move."""

    number: int
    side: int
    name: str
    value: Value
    remoteness: int | None
    quality: Quality
    note: str
    url: str


class History(NamedTuple):
    """A line of play as a chart and as a record.

    Parameters
    ----------
    side : int
        Whose values they are.
    width, height, middle : float
        The size of the chart, and where neither player is ahead.
    points : list of Point
        One for each position, the first included.
    path : str
        The points as a line.
    rows : list of Row
        One for each move.
    start : Address
        Before the first move.
    """

    side: int
    width: float
    height: float
    middle: float
    points: list[Point]
    path: str
    rows: list[Row]
    start: Address


def history(shown: Scene, to: NullTranslations) -> History:
    """Return the history of the line that led to a position."""
    side = shown.viewer
    line = [shown.address._replace(line=shown.address.line[:n]) for n in range(len(shown.played) + 1)]
    outcomes = [_for(ply.before, ply.side, side) for ply in shown.played]
    outcomes.append(_for(shown.outcome, shown.side, side))
    longest = max((o.remoteness or 0 for o in outcomes), default=0)
    points, rows = [], []
    for number, outcome in enumerate(outcomes):
        ply = shown.played[number - 1] if number else None
        quality = ply.quality if ply else Quality.BEST
        y = HEIGHT / 2 - (HEIGHT / 2 - MARGIN / 2) * _score(outcome, longest)
        result = score_text(outcome, to)
        title = to.gettext("ply {number}: {result}").format(number=number, result=result)
        x, url = MARGIN + STEP * number, line[number].url()
        points.append(Point(x, round(y, 1), outcome.value, url, quality, title))
        if ply:
            name = phrase(ply.name, to)
            rows.append(Row(number, ply.side, name, *outcome, quality, note(ply, to), url))
    path = " ".join(f"{point.x:g},{point.y:g}" for point in points)
    width = 2 * MARGIN + STEP * max(len(shown.played), 8)
    return History(side, width, HEIGHT, HEIGHT / 2, points, path, rows, line[0])


def note(ply: Ply, to: NullTranslations) -> str:
    """Return a note about a move; empty if it was a best one."""
    if ply.quality is Quality.BEST:
        return ""
    if ply.quality is Quality.MISTAKE:
        sentence = to.gettext("mistake: {move} was better")
    elif ply.after.value is Value.LOSS:
        sentence = to.gettext("{move} would have lasted longer")
    else:
        sentence = to.gettext("{move} was faster")
    return sentence.format(move=phrase(ply.best, to))


def _for(outcome: Outcome, mover: int, side: int) -> Outcome:
    """Return the outcome of a position as a player sees it."""
    value = outcome.value if mover == side else outcome.value.opposite()
    return Outcome(value, outcome.remoteness)


def _score(outcome: Outcome, longest: int) -> float:
    """Return how far above the middle an outcome is drawn, from -1 to 1: farthest at the end."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return 0.0
    height = 1 - REACH * (outcome.remoteness or 0) / (longest + 1)
    return height if outcome.value is Value.WIN else -height
