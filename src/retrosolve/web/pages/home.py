"""The first page: the games that are open, and the catalogue of built-in games, solved on request."""

from __future__ import annotations

from functools import lru_cache
from gettext import NullTranslations
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retrosolve.games import GAMES, GameSpec, parse_game
from retrosolve.games.table import spec_of
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address, position_at
from retrosolve.web.descriptions import text_of
from retrosolve.web.jobs import Solving
from retrosolve.web.library import Entry, Library, name_of
from retrosolve.web.pages.structure import start_of
from retrosolve.web.phrasing import headline, titled
from retrosolve.web.rendering import asked_language, catalogue, render
from retrosolve.web.security import is_foreign

# Parameters with which large games are offered: some seconds each.
SAMPLES = {
    "baghchal": "size=3,goats=5,captures=2",
    "dobutsu": "drops=no",
    "foxhounds-plain": "n=6",
    "morris6": "men=4",
    "morris9": "men=3",
    "musketeers": "size=3",
    "quoridor": "n=3,walls=1",
}
LEFT_OUT = ("foxhounds-plain", "grundy", "octal")  # the same as another one, and sums of heaps


class Card(NamedTuple):
    """A game on the first page.

    Parameters
    ----------
    text : str
        The game, as commands take it.
    title : str
    rules : str
        In two sentences.
    positions : int or None
    value : str
        The label of the value of the start; empty where it is not known.
    verdict : str
        The same in a sentence.
    url, picture : str
        Addresses; empty where there is none.
    structure : str
        The address of its structure, for a game that is open.
    """

    text: str
    title: str
    rules: str
    positions: int | None
    value: str
    verdict: str
    url: str
    picture: str
    structure: str


def home(request: Request) -> Response:
    """Go to the only game, or list the games."""
    library: Library = request.app.state.library
    entries = library.entries()
    names = [entry.name for entry in entries] + [task.name for task in library.tasks()]
    if len(names) == 1 and request.app.state.solving is None:
        return RedirectResponse(Address(names[0], language=asked_language(request)).url(), 303)
    return games(request)


def games(request: Request) -> Response:
    """List the games that are open, those that are being solved, and those of the catalogue."""
    library: Library = request.app.state.library
    solving: Solving | None = request.app.state.solving
    cards = [_card(request, entry) for entry in library.entries()]
    names = {entry.name for entry in library.entries()}
    specs = [spec for spec in GAMES.values() if spec.name not in LEFT_OUT] if solving else []
    offered = [card for spec in specs if name_of((card := _offer(request, spec)).text) not in names]
    return render(
        request,
        "home.html",
        cards=cards,
        offered=offered,
        tasks=library.tasks(),
        solving=solving,
        memory=_bytes(solving.memory) if solving else "",
    )


def _bytes(memory: int | str) -> str:
    """Return an amount of memory as text.

    >>> _bytes(2_000_000_000), _bytes("2GB")
    ('2GB', '2GB')
    """
    return memory if isinstance(memory, str) else f"{memory / 1e9:g}GB"


def _card(request: Request, entry: Entry) -> Card:
    """Return the card of a game; for another site, a solution on disk is not opened."""
    to, address = catalogue(request), Address(entry.name, language=asked_language(request))
    if is_foreign(request.headers) and not request.app.state.library.is_open(entry.name):
        return Card(entry.title, entry.title, "", None, "", "", address.url(), "", "")
    has_picture = entry.solution.space.svg(position_at(entry.solution, None)[0]) is not None
    picture = address.url("picture") if has_picture else ""
    return card_of(entry, to, address.url(), picture, address.url("structure"))


def card_of(entry: Entry, to: NullTranslations, url: str, picture: str, structure: str) -> Card:
    """Return the card of a solved game, with the addresses of its pages."""
    value, verdict = start_of(entry, to)
    spec = spec_of(entry.solution.space.rules)
    return Card(
        entry.title, to.gettext(spec.title) if spec else entry.title,
        to.gettext(spec.rules) if spec else "", len(entry.solution), value.kind.label, verdict,
        url, picture, structure,
    )  # fmt: skip


def _offer(request: Request, spec: GameSpec) -> Card:
    """Return the card of a game of the catalogue."""
    to, sample = catalogue(request), SAMPLES.get(spec.name, "")
    value, plies = spec.outcome
    verdict, label = "", ""
    if not sample:
        first = value.kind is not Value.LOSS or getattr(value, "is_payoff", False)
        winner = to.gettext("First player") if first else to.gettext("Second player")
        named = winner if value.kind in (Value.WIN, Value.LOSS) else None
        shown = Outcome(value, plies if value is value.kind else None)  # points count to the next ones
        verdict, label = headline(shown, to, named), value.kind.label
    return Card(
        f"{spec.name}:{sample}" if sample else spec.name,
        to.gettext(spec.title), to.gettext(spec.rules), None if sample else spec.positions, label,
        verdict, "",
        f"/catalogue/{spec.name}.svg" if spec.has_picture else "", "",
    )  # fmt: skip


def thumbnail(request: Request) -> Response:
    """Send the picture of the start of a game of the catalogue."""
    name = request.path_params["name"]
    picture = _start_of(name) if name in GAMES else None
    if picture is None:
        raise HTTPException(404)
    headers = {"Cache-Control": "max-age=86400"}
    return Response(titled(picture, catalogue(request)), media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=len(GAMES))
def _start_of(name: str) -> str | None:
    """Return the picture of the start of a built-in game."""
    game = parse_game(name)
    start: Any = game.start()
    return game.svg(start)


async def solve(request: Request) -> Response:
    """Begin to solve a game of the catalogue, and go to its page."""
    library: Library = request.app.state.library
    solving: Solving | None = request.app.state.solving
    if solving is None:
        raise HTTPException(404)
    fields = parse_qs(text_of(await request.body()))
    text = fields.get("game", [""])[0].strip()
    name = name_of(text)
    if not library.is_listed(name) and library.task(name) is None:
        library.begin(solving.begin(text, name, library.finish))
    return RedirectResponse(Address(name, language=fields.get("language", [None])[0]).url(), 303)


def stop(request: Request) -> Response:
    """Stop the solve of a game of the catalogue."""
    task = request.app.state.library.task(request.path_params["name"])
    if task is not None and task.cancel is not None:
        task.cancel()
    return RedirectResponse("/", 303)


def progress(request: Request) -> Response:
    """Return how far a solve is."""
    library: Library = request.app.state.library
    name = request.path_params["name"]
    task = library.task(name)
    if task is None:
        library.entry(name)  # raises NoSuchGameError
        return JSONResponse({"ended": True, "error": ""})
    state = task.record() | {"stage": catalogue(request).gettext(task.stage)}
    return JSONResponse(state, headers={"Cache-Control": "no-store"})
