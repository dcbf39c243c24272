"""The page of a position: the board, the moves, the line that led here with a chart, an opponent."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from gettext import NullTranslations
from html import escape
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import PositionError, RetrosolveError
from retrosolve.explanation import explain
from retrosolve.games.table import spec_of
from retrosolve.languages import decimal, digits, percent, player_name, side_name, translation
from retrosolve.languages.phrases import (
    FROM_LINE,
    PLAIN,
    balance_text,
    detail_text,
    phrase,
    plies_apart,
    points_text,
)
from retrosolve.objectives.chance import Odds
from retrosolve.objectives.score import Margin
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution
from retrosolve.solution.playing import Ply, Quality, balance, reply, throw_dice
from retrosolve.solution.preference import RankedMove, best_of
from retrosolve.solution.view import clock_text, win_in_moves
from retrosolve.spaces.base import Rules
from retrosolve.values import Outcome, Result, Value
from retrosolve.web.address import SEPARATOR, Address, AddressError, parse_address, text_at
from retrosolve.web.axes import Mark, round_numbers
from retrosolve.web.library import Entry, Label
from retrosolve.web.page_state import Scene, in_line_order, moves_in, number_of, scene
from retrosolve.web.pages.graph import graph_url
from retrosolve.web.pages.setup import board_to_set_up, points_of
from retrosolve.web.phrasing import (
    GROUPS,
    capitalized,
    headline,
    score_text,
    titled,
)
from retrosolve.web.rendering import (
    cached_page,
    catalogue,
    entry_of,
    language_of,
    render,
    rendered,
    status_of,
)

MISTAKES = (0.0, 0.1, 0.2, 0.5)
MAX_TITLE = 60
CHOICES = random.Random()
SIGNS = {
    value: Markup('<span class="sign" aria-hidden="true">{}</span> ').format(look.symbol)
    for value, look in APPEARANCE.items()
}
# What each form keeps of the address; the rest of it is asked for by its fields.
KEPT = {
    "play-form": ("at", "language", "embed", "line", "played"),
    "line-form": ("at", "you", "mistakes", "hints", "language", "embed", "line", "played"),
    "start-form": ("at", "you", "mistakes", "hints", "language", "embed", "line", "played"),
}
PLACES = ("at", "line", "played")
UNFOLDED = 20  # moves of a group that are shown without being asked for
HOW = (
    mark("Choose a move in the list."),
    mark("Click a place on the board, or choose a move in the list."),
    mark("Click a piece and then where it goes, or draw it there; or choose a move in the list."),
    mark("Click a piece, where it goes, and then the piece that it takes or becomes."),
    mark(
        "Click the cells that the piece is to cover, row by row, and then what else moves and where it "
        "goes, or what says that it stays."
    ),
)
"""How to move, by the most points that are clicked for a move."""
RELATIVE = 'class="position relative"'


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


def page(request: Request) -> Response:
    """Show a position."""
    return _page(request, *_scene_of(request))


def typed(request: Request) -> Response:
    """Go to where a line leads that was typed in; the page stays where there is no such line."""
    text = request.query_params.get("moves", "")

    def after_line(entry: Entry, shown: Scene) -> Address:
        numbers = moves_in(entry.solution, shown, text, catalogue(request))
        return shown.address._replace(line=(*shown.address.line, *numbers))

    return _go(request, after_line, "line", text)


def start(request: Request) -> Response:
    """Go to a position that was typed in; the page stays where there is no such position."""
    text = request.query_params.get("position", "").strip()

    def from_there(entry: Entry, shown: Scene) -> Address:
        return scene(entry.solution, shown.address._replace(at=text or None, line=())).address

    return _go(request, from_there, "start", text)


def _go(
    request: Request, address_of: Callable[[Entry, Scene], Address], field: str, text: str
) -> Response:
    """Go to an address that follows from a text of the reader; the page stays where that is refused."""
    entry, shown, refusal = _scene_of(request)
    if refusal is None:
        try:
            return RedirectResponse(address_of(entry, shown).url(), 303)
        except RetrosolveError as error:
            refusal = Refusal(error, field, text)
    return _page(request, entry, shown, refusal)


async def without_slash(request: Request) -> Response:
    """Go to the page of a game, from its address without the last slash."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{quote(request.url.path)}/{query}", 307)


def setup(request: Request) -> Response:
    """Return the board of a position, for a reader to set up another one."""
    entry, shown, _ = _scene_of(request)
    return JSONResponse(board_to_set_up(entry, shown.position, catalogue(request)))


def picture(request: Request) -> Response:
    """Send the picture of a position as a file."""
    entry, shown, _ = _scene_of(request)
    drawing = entry.solution.space.svg(shown.position)
    if drawing is None:
        raise PositionError("positions of this game have no picture: expected a game with a board")
    headers = {"Content-Disposition": 'attachment; filename="position.svg"'}
    return Response(titled(drawing, catalogue(request)), media_type="image/svg+xml", headers=headers)


def explanation(request: Request) -> Response:
    """Explain why a position has its value: the moves that decide it, as a tree."""
    entry, shown, _ = _scene_of(request)
    proof = explain(entry.answers, shown.position, language=language_of(request))
    return render(
        request, "explanation.html", entry=entry, address=shown.address,
        text=entry.solution.space.text(shown.position), tree=Markup(proof._repr_html_()),
    )  # fmt: skip


def _scene_of(request: Request) -> tuple[Entry, Scene, Refusal | None]:
    """Return the game and the scene of an address, and what is wrong with it.

    An address of a position or a line that does not exist has the scene of what is right in it: the
    position before the line, or else the start of the game.
    """
    entry = entry_of(request)
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
    text = position_page(entry, shown, language, refusal, request.app.state.embedding)
    status = 200 if refusal is None else status_of(refusal.error)
    return HTMLResponse(text, status, {"Content-Language": language, "Cache-Control": "no-store"})


def position_page(
    entry: Entry,
    shown: Scene,
    language: str,
    refusal: Refusal | None = None,
    embedding: bool = False,
) -> bytes:
    """Return the page of a position in a language."""
    solution, address, to = entry.solution, shown.address, translation(language)
    space, over = solution.space, not shown.moves
    text, picture = space.text(shown.position), space.svg(shown.position)
    at = text_at(solution, shown.position, text)
    link = Address(
        entry.name, at, language=address.language, hints=address.hints, embedded=address.embedded
    )
    rules = space.rules
    drawn = picture is None and rules is None
    replying = address.playing and not over and shown.side != shown.viewer
    sides = tuple(side_name(space.players, side, shown.named, to) for side in (0, 1))
    value = shown.value_for(shown.outcome.value, shown.side)
    judged = address.hints or over
    turn = _turn(shown, sides, to)
    counted = win_in_moves(solution)
    plies, moves = plies_apart(counted, shown.outcome, to)
    verdict, exact = _verdict(shown, Outcome(value, plies), sides, to) if judged else (turn, "")
    clock = capitalized(clock_text(solution, shown.position, to))
    nimber = "" if entry.nimbers is None else entry.nimbers[shown.position].value.name
    about, source = about_rules(rules)
    points = [space.move_points(shown.position, one.move.position) or () for one in shown.moves]
    slots = {
        "title": shortened(text),
        "text": text,
        "source": graph_url(solution, entry.name, shown.position, address.hints) if drawn else "",
        "shown": text if picture is None else Markup(titled(picture, to)),
        "last": "" if shown.last is None else json.dumps(shown.last),
        "graph": address.url("graph"),
        "permalink": link._replace(embedded=False).url(),
        "embedded": link._replace(embedded=True).url(),
        "picture": link.url("picture"),
        "why": link.url("explanation"),
        "swap": address._replace(you=1 - (address.you or 0)).url(),
        "value": value.kind.label,
        "verdict": SIGNS[value.kind] + verdict if judged else turn,
        "summary": verdict if verdict == turn else f"{verdict} · {turn}",
        "setup": link.url("setup"),
        "aside": " · ".join(filter(None, (nimber or exact or moves, clock))) if judged else "",
        "points": _points(shown, sides, judged, to),
        "turn": turn if judged else _whose(shown, to),
        "reply": _reply(solution, shown) if replying else "",
        "throw": _throw(solution, shown) if shown.awaits_throw else "",
        "moves": move_groups(shown, points, counted, to, entry.nimbers),
        "line": SEPARATOR.join(map(str, address.line)),
        "start": address._replace(line=()).url(),
        "undo": _undo(shown).url(),
        "record": _record(shown, sides, counted, language, to) if shown.played else "",
        "hidden": _hidden(address),
        "typed": "" if refusal is None else refusal.text,
        "sentence": "" if refusal is None else _reason(refusal, to),
    }
    frame = cached_page(
        language, "position.html", tuple(slots),
        entry=Label(
            entry.name, entry.title, entry.has_film, entry.has_reasons, entry.signs, entry.proven
        ),
        address=address._replace(at=None, line=()), asked_language=address.language,
        pictured=picture is not None, drawn=drawn, over=over, replying=replying,
        placed=bool(rules and points_of(text, picture)),
        played=bool(shown.played), relative=picture is not None and RELATIVE in picture,
        side=shown.side, pieces=rules.piece_kinds if rules else None, named=shown.named,
        chances=MISTAKES, sides=sides, judged=judged,
        refusal=None if refusal is None else refusal.field, embedding=embedding,
        throwing=shown.awaits_throw and not replying,
        dice=bool(shown.moves) and shown.moves[0].throw is not None,
        about=about, published=source, how=HOW[min(max(map(len, points), default=0), len(HOW) - 1)],
    )  # fmt: skip
    return frame.filled(slots)


def _reason(refusal: Refusal, to: NullTranslations) -> str:
    """Return why an input is refused; what rules or addresses say is in English behind a sentence."""
    reason = str(refusal.error)
    if refusal.field == "line" or to is PLAIN:
        return reason
    said = f"{to.gettext('There is no such position.')} " if refusal.field == "start" else ""
    return f"{said}{to.gettext('Details:')} {reason}"


def about_rules(rules: Rules | None) -> tuple[str, str]:
    """Return the rules of a game in words, and where its answer is published; empty if nobody says.

    Rules of an author are described by the first paragraph of the docstring of their class.
    """
    spec = spec_of(rules)
    if spec is not None:
        return spec.rules, spec.source
    described = None if rules is None else type(rules).__doc__
    return " ".join((described or "").strip().partition("\n\n")[0].split()), ""


def _verdict(
    shown: Scene, outcome: Outcome, sides: tuple[str, ...], to: NullTranslations
) -> tuple[str, str]:
    """Return the verdict for the reader who has chosen a side, or else the winner, and exact odds."""
    value = outcome.value
    winner = shown.winner(value)
    sentence = headline(outcome, to, None if winner is None else sides[winner])
    theirs = value if winner in (None, shown.viewer) else value.opposite()
    odds = detail_text(theirs, to.gettext)
    return sentence, "" if odds == detail_text(theirs, to.gettext, rounded=True) else odds


def _turn(shown: Scene, sides: tuple[str, ...], to: NullTranslations) -> str:
    """Return the sentence that says whose turn it is, of the side by its name."""
    if not shown.moves:
        return to.gettext("The game is over.")
    by_chance = not shown.moves[0].is_choice
    mover = player_name("chance", to) if by_chance else sides[shown.side]
    turn = capitalized(to.gettext("{player} to move").format(player=mover))
    whose = _whose(shown, to)
    return f"{turn} · {whose}" if whose else turn


def _points(shown: Scene, sides: tuple[str, ...], judged: bool, to: NullTranslations) -> Markup:
    """Return the points that each player has taken, and the rest of a verdict; empty without points."""
    value = shown.value_for(shown.outcome.value, shown.side)
    if not isinstance(value, Margin):
        return Markup("")
    winner = shown.winner(value)
    me, total = (shown.viewer, value) if winner in (None, shown.viewer) else (winner, value.opposite())
    names: Sequence[str] = sides[me], sides[1 - me]
    if shown.address.you is not None:
        names = to.gettext("You"), to.gettext("Opponent")
    taken = shown.taken[me], shown.taken[1 - me]
    said = [points_text(names, taken, total if judged else None, to)]
    said += [] if shown.address.at is None else [to.gettext(FROM_LINE)]
    return Markup("\n").join(Markup('<p class="points">{}</p>').format(one) for one in said)


def _whose(shown: Scene, to: NullTranslations) -> str:
    """Return whose turn it is for a reader who has chosen a side."""
    if shown.address.you is None or not shown.moves or not shown.moves[0].is_choice:
        return ""
    yours = shown.side == shown.viewer
    return to.gettext("It is your turn.") if yours else to.gettext("It is your opponent's turn.")


def _reply(solution: Solution, shown: Scene) -> str:
    """Return the address after the opponent has moved, dice thrown before it."""
    address, moves = shown.address, shown.moves
    if shown.awaits_throw:
        number, _ = throw_dice(solution.space, shown.position, moves, CHOICES)
        moves = [move for move in moves if move.throw == number] or moves
    chosen = moves[reply(moves, address.mistakes or 0.0) - 1]
    return address.after(number_of(shown.moves, chosen, address.ranked)).url()


def _throw(solution: Solution, shown: Scene) -> str:
    """Return the address after the dice are thrown; where chance moves, after its move."""
    number, _ = throw_dice(solution.space, shown.position, shown.moves, CHOICES)
    if not shown.moves[0].is_choice:
        chosen = next(move for move in shown.moves if move.throw == number)
        return shown.address.after(number_of(shown.moves, chosen, shown.address.ranked)).url()
    return shown.address._replace(throw=(number or 0) + 1).url()


def _undo(shown: Scene) -> Address:
    """Return the address before the last move; against an opponent, before the reader's last one."""
    line, back = shown.address.line, 1
    if shown.address.playing:
        chosen = [
            ply.side == shown.viewer and ply.quality is not Quality.CHANCE for ply in shown.played
        ]
        back = chosen[::-1].index(True) + 1 if any(chosen) else 1
    return shown.address._replace(line=line[:-back])


def _record(
    shown: Scene, sides: tuple[str, ...], counted: str, language: str, to: NullTranslations
) -> Markup:
    """Return the moves that led to a position, with a chart."""
    made, hints = history(shown, sides, counted, to), shown.address.hints
    return Markup(rendered(language, "record.html", history=made, hints=hints, sides=sides))


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


def move_groups(
    shown: Scene,
    points: Sequence[tuple[str, ...]],
    counted: str,
    to: NullTranslations,
    nimbers: Solution | None = None,
) -> Markup:
    """Return the moves of a position in groups of one value each, or by name where hints are hidden.

    Parameters
    ----------
    shown : Scene
    points : sequence of tuple of str
        What is clicked for each of its moves.
    counted : str
        The phrase of the rules for moves to a win, empty without one.
    to : NullTranslations
    nimbers : Solution, optional
        Where the nimbers of positions are.

    Notes
    -----
    Values are for the player who moves: these are the choices of that player. Lists without hints are
    made from the moves as the rules list them: neither their order, that of equal names included, nor
    their addresses depend on a value.
    """
    url = escape(shown.address.after(1).url()[:-1])  # but for the number of the move
    if shown.awaits_throw and shown.address.playing:
        return Markup("")  # dice first
    if not shown.address.hints:
        clicked = dict(zip((move.place for move in shown.moves), points, strict=True))
        moves = in_line_order(shown.moves, ranked=False)
        rows = [
            (label, _row(f"{url}{number}", clicked[move.place], label) + "</li>")
            for number, move in enumerate(moves, 1)
            if shown.throw in (None, move.throw)
            for label in (phrase(move.move.name, to),)
        ]
        rows.sort(key=itemgetter(0))
        return Markup(f'<ol class="move-list">{"".join([row for _, row in rows])}</ol>')
    best = {move.place for move in best_of(shown.moves)}
    with_others = {move.throw for move in shown.moves if move.place not in best}
    groups: dict[tuple[int, str, str], list[str]] = {}
    for number, (move, clicks) in enumerate(zip(shown.moves, points, strict=True), 1):
        if shown.throw not in (None, move.throw):
            continue
        heading, label = _heading(move, to), phrase(move.move.name, to)
        if move.throw is not None and move.is_choice:
            label = label.partition(": ")[2] or label  # the throw is in the heading
        is_best = move.place in best and (len(shown.moves) == 1 or move.throw in with_others)
        nimber = "" if nimbers is None else nimbers[move.move.position].value.name
        share = "" if move.is_choice else percent(move.share, to.gettext, 1)
        more, end = _ends(move.value, move.plies, is_best, counted, to, nimber, share)
        row = _row(f"{url}{number}", clicks, label, more, is_best) + end
        groups.setdefault(heading, []).append(row)
    in_order = sorted(groups.items(), key=lambda group: group[0][0])
    return Markup("".join([_group(*heading[1:], rows, to) for heading, rows in in_order]))


def _heading(move: RankedMove, to: NullTranslations) -> tuple[int, str, str]:
    """Return the place, the class and the words of the group of a move: its throw, or its value."""
    if move.throw is not None and move.is_choice:
        thrown = move.move.name.partition(": ")[0]
        return move.throw, "group", escape(f"⚅ {thrown} · {percent(move.share, to.gettext, 1)}")
    if isinstance(move.value, Odds):
        mover = to.gettext("Moves, best first") if move.is_choice else player_name("chance", to)
        return 0, "group", escape(capitalized(mover))
    value = move.value.kind
    return 0, f"group v-{value.label}", f"{SIGNS[value]}{escape(to.gettext(GROUPS[value]))}"


def _group(kind: str, words: str, rows: list[str], to: NullTranslations) -> str:
    """Return a group of moves, those after the first ones folded."""
    number = digits(len(rows), to.gettext)
    heading = (
        f'<details class="{kind}" open><summary>{words} <span class="count">{number}</span></summary>'
        f'<ol class="move-list">{"".join(rows[:UNFOLDED])}</ol>'
    )
    rest = rows[UNFOLDED:]
    if rest:
        sentence = to.ngettext("{count} more move", "{count} more moves", len(rest))
        more = sentence.format(count=digits(len(rest), to.gettext))
        heading += (
            f'<details class="more"><summary>{escape(more)}</summary>'
            f'<ol class="move-list" start="{UNFOLDED + 1}">{"".join(rest)}</ol></details>'
        )
    return heading + "</details>"


def _row(url: str, points: tuple[str, ...], label: str, more: str = "", is_best: bool = False) -> str:
    """Return the beginning of the row of a move: its link, with the points to click."""
    kind, clicks = "move is-best" if is_best else "move", _attribute(points)
    return f'<li><a class="{kind}" href="{url}" data-points="{clicks}"{more}>{_escaped(label)}</a>'


@lru_cache(maxsize=1 << 12)
def _ends(
    value: Result,
    plies: int | None,
    is_best: bool,
    counted: str,
    to: NullTranslations,
    nimber: str,
    share: str = "",
) -> tuple[str, str]:
    """Return the attributes of the link of a move that describe its value, and the rest of its row."""
    star = f'<span class="best">★<span class="unseen"> {escape(to.gettext("best"))}</span></span>'
    apart, said = plies_apart(counted, Outcome(value, plies), to)
    if plies is None:
        unit = ""
    elif said and apart is None:
        unit, said = said, ""  # to something else than the end
    else:
        unit = to.ngettext("{plies} ply", "{plies} plies", plies).format(
            plies=digits(plies, to.gettext)
        )
    detail, label = detail_text(value, to.gettext, rounded=True), _short(value, plies, to)
    number = f'<span class="number" title="{escape(unit)}">{label}</span>' if label else ""
    if isinstance(value, Odds):
        said = f"{share} · {detail}" if share else detail
        percentage = digits(round(100 * value.middle), to.gettext)
        label = decimal(value.middle, to.gettext, 1) if value.is_payoff else percentage
    label = nimber or label or APPEARANCE[value].symbol
    attributes = f' data-value="{value.kind.label}" data-label="{label}"'
    mark = star if is_best else ""
    return attributes, f'{mark}<span class="in">{escape(nimber or said)}</span>{number}</li>'


def _short(value: Result, plies: int | None, to: NullTranslations) -> str:
    """Return the points of a result, or else its plies; empty without either."""
    if isinstance(value, Margin) and value.ends:
        return detail_text(value, to.gettext) or digits(0, to.gettext)
    return "" if plies is None else digits(plies, to.gettext)


@lru_cache(maxsize=1 << 12)
def _attribute(points: tuple[str, ...]) -> str:
    """Return the points of a move as JSON in an attribute."""
    return escape(json.dumps(points))


@lru_cache(maxsize=1 << 12)
def _escaped(text: str) -> str:
    return escape(text)


REACH = 0.8  # of the height, that the longest win or loss is drawn nearer to the middle
MIN_PLIES = 8  # that the chart of a short line has room for
MAX_MARKS = 8
MAX_POINTS = 120  # of a line that the chart has as links, besides those where a mistake was made


class Point(NamedTuple):
    """A point of the chart: one ply, as one player sees it, at so many percent of both axes."""

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
    result: str
    quality: Quality
    note: str
    url: str


class History(NamedTuple):
    """A line of play as a chart and as a record.

    Parameters
    ----------
    side : int
        Whose values they are.
    heights, plies : list of Mark
        Of the axes: plies to a win or a loss, that of neither in the middle, and those since the start.
    middle : float
        Where neither player is ahead, in percent of the height.
    points : list of Point
        One for each position, the first included; of a long line those that are drawn.
    path, area : str
        All positions as a line, and the area between it and the middle, in percent.
    rows : list of Row
        One for each move.
    alternating : bool
        Whether the players took turns, so that two moves make a row of the record.
    balance : list of str
        Where dice are thrown, the luck of each player and the losses by moves.
    """

    side: int
    heights: list[Mark]
    plies: list[Mark]
    middle: float
    points: list[Point]
    path: str
    area: str
    rows: list[Row]
    alternating: bool
    balance: list[str]


def history(shown: Scene, sides: Sequence[str], counted: str, to: NullTranslations) -> History:
    """Return the history of the line that led to a position.

    ``sides`` are the names of the players, and ``counted`` is what plies count, as for ``move_groups``.
    """
    side, last = shown.viewer, len(shown.played)
    line = [shown.address._replace(line=shown.address.line[:n]) for n in range(last + 1)]
    outcomes = [_for(ply.before, ply.side, side) for ply in shown.played]
    outcomes.append(_for(shown.outcome, shown.side, side))
    longest = max(map(_distance, outcomes))
    low, high = _limits(outcomes)
    long, every = max(last, MIN_PLIES), -(-last // MAX_POINTS)

    def height(score: float) -> float:
        return round(100 * (high - score) / (high - low), 1)

    places, points, rows = [], [], []
    for number, outcome in enumerate(outcomes):
        ply = shown.played[number - 1] if number else None
        quality = ply.quality if ply else Quality.BEST
        y = height(_score(outcome.value, _distance(outcome), longest))
        x, url = round(100 * number / long, 1), line[number].url()
        places.append(f"{x:g},{y:g}")
        if number == last or quality is Quality.MISTAKE or number % every == 0:
            result = score_text(Outcome(outcome.value, plies_apart(counted, outcome, to)[0]), to)
            place = digits(number, to.gettext)
            title = to.gettext("ply {number}: {result}").format(number=place, result=result)
            points.append(Point(x, y, outcome.value, url, quality, title))
        if ply:
            name = phrase(ply.name, to)
            value, short = outcome.value, _short(*outcome, to)
            value = value.kind if isinstance(value, Margin) else value  # the points follow
            rows.append(Row(number, ply.side, name, value, short, quality, note(ply, to), url))
    path, middle = " ".join(places), height(0)
    area = f"0,{middle:g} {path} {100 * last / long:.1f},{middle:g}"
    heights = [
        Mark(height(_score(value, far, longest)), f"{APPEARANCE[value].symbol}{said}", value.kind.label)
        for value, far, said in _axis(outcomes, low, high, longest, to)
    ]
    numbers = round_numbers(long, MAX_MARKS)
    plies = [Mark(round(100 * n / long, 1), digits(n, to.gettext)) for n in numbers]
    movers = [ply.side for ply in shown.played]
    alternating = all(one != other for one, other in pairwise(movers))
    value = shown.outcome.value
    said = [
        balance_text(sides[player], *balance(shown.played, player), value.is_payoff, to)
        for player in ((0, 1) if isinstance(value, Odds) else ())
    ]
    return History(side, heights, plies, middle, points, path, area, rows, alternating, said)


def note(ply: Ply, to: NullTranslations) -> str:
    """Return a note about a move; empty if it was a best one."""
    if ply.quality in (Quality.BEST, Quality.CHANCE):
        return ""
    if ply.quality is Quality.MISTAKE:
        sentence = to.gettext("mistake: {move} was better")
    elif ply.quality is Quality.HASTY:
        sentence = to.gettext("{move} would have lasted longer")
    else:
        sentence = to.gettext("{move} was faster")
    return sentence.format(move=phrase(ply.best, to))


def _for(outcome: Outcome, mover: int, side: int) -> Outcome:
    """Return the outcome of a position as a player sees it."""
    value = outcome.value if mover == side else outcome.value.opposite()
    return Outcome(value, outcome.remoteness)


def _limits(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """Return the least and the greatest score of a chart: a half where nobody is ahead is left out."""
    kinds = {outcome.value.kind for outcome in outcomes}
    high, low = int(Value.WIN in kinds), -int(Value.LOSS in kinds)
    return (low, high) if low < high else (-1, 1)


def _axis(
    outcomes: Sequence[Outcome], low: int, high: int, longest: int, to: NullTranslations
) -> list[tuple[Result, int, str]]:
    """Return the values along the upright axis, one of those in its middle, each with a distance."""
    kinds = {outcome.value.kind for outcome in outcomes}
    middle = Value.DRAW if Value.DRAW in kinds else Value.TIE
    counted = any(outcome.remoteness is not None for outcome in outcomes)
    numbers = round_numbers(longest, 3 if low * high == 0 else 2)
    marks: list[tuple[Result, int, str]] = [(middle, 0, "")]
    for value, sign in ((Value.WIN, high), (Value.LOSS, low)):
        if sign and isinstance(outcomes[0].value, Margin):
            scores = [Margin(sign * number) for number in numbers if number]
            marks += [
                (score, abs(score.points), f" {detail_text(score, to.gettext)}") for score in scores
            ]
        elif sign:
            marks += [
                (value, plies, f" {digits(plies, to.gettext)}" if counted else "")
                for plies in (numbers if counted else [0])
            ]
    return marks


def _distance(outcome: Outcome) -> int:
    """Return the plies to the end of a game, or by how many points somebody is ahead."""
    value, plies = outcome
    return abs(value.points) if isinstance(value, Margin) else plies or 0


def _score(value: Result, distance: int, longest: int) -> float:
    """Return how far above the middle a value is drawn, from -1 to 1: farthest at the end."""
    if isinstance(value, Odds) and not value.is_payoff:
        return 2 * value.middle - 1
    if isinstance(value, Margin):
        return value.points / max(longest, 1)
    value = value.kind
    if value not in (Value.WIN, Value.LOSS):
        return 0.0
    height = 1 - REACH * distance / (longest + 1)
    return height if value is Value.WIN else -height
