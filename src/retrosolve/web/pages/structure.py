"""The pages of a game as a whole: its positions by value, remoteness and tier, in order and random."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from gettext import NullTranslations
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from retrosolve.arrays import IntArray, spans
from retrosolve.errors import GraphError, PositionError
from retrosolve.languages import count, digits, side_name, translation
from retrosolve.languages.phrases import plies_apart
from retrosolve.solution import Solution
from retrosolve.solution.view import PLIES_COUNT, win_in_moves
from retrosolve.solution.zugzwang import knows_passing, zugzwangs_among
from retrosolve.spaces.base import NO_PASSING
from retrosolve.values import INVALID, Outcome, Result, Value
from retrosolve.web.address import Address, text_at
from retrosolve.web.axes import Mark, round_numbers
from retrosolve.web.library import Entry, in_turn
from retrosolve.web.page_state import scene
from retrosolve.web.phrasing import headline
from retrosolve.web.rendering import asked_language, entry_of, render, render_once, rendered

MAX_COUNTED = 5_000_000  # indices whose tiers are counted for a page
FOUND = 24


async def page(request: Request) -> Response:
    """Show the structure of a game."""
    return await render_once(request, structure_page)


def structure_page(entry: Entry, language: str, asked: str | None) -> str:
    """Return the page of the structure of a game."""
    address = Address(entry.name, language=asked)
    return rendered(
        language,
        "structure.html",
        frame="game.html",
        address=address,
        asked_language=asked,
        find=lambda value, plies: address.url("find", value=value.label, remoteness=str(plies)),
        random=lambda value: address.url("random", value=value.label),
        zugzwang=address.url("zugzwang") if some_zugzwangs(entry) else None,
        **structure(entry, translation(language)),
    )


def structure(entry: Entry, to: NullTranslations) -> dict[str, Any]:
    """Return the numbers that the page shows, and the sentence above them."""
    solution = entry.solution
    histogram = solution.histogram()
    count_of = len({plies for by_plies in histogram.values() for plies in by_plies} - {None})
    rows = levels(histogram)
    return {
        "entry": entry,
        "values": solution.table.codec.reported,
        "finished": [v for v in solution.table.codec.reported if v.ends],
        "size": len(solution),
        "counts": solution.counts(),
        "by_player": solution.counts_by_player(),
        "longest": solution.longest(),
        "counted": PLIES_COUNT.get(solution.objective.name, ""),
        "has_remoteness": solution.table.has_remoteness,
        "levels": rows,
        "more_levels": count_of - len(rows),
        "charts": charts(rows, to),
        "narrow": NARROW,
        "plies": marks_of_plies(rows, to),
        "tiers": entry.once("tiers", partial(tiers, solution)),
        "start": start_of(entry, to),
    }


def start_of(entry: Entry, to: NullTranslations) -> tuple[Result, str]:
    """Return the value of the start for the first player, and a sentence that names the sides."""
    shown, players = scene(entry.solution, Address(entry.name)), entry.solution.space.players
    value = shown.value_for(shown.outcome.value, shown.side)
    plies, _ = plies_apart(win_in_moves(entry.solution), shown.outcome, to)
    winner = shown.winner(value)
    name = None if winner is None else side_name(players, winner, shown.named, to)
    return value, headline(Outcome(value, plies), to, name)


def find(request: Request) -> Response:
    """List the first positions of a value and a remoteness."""
    entry = entry_of(request)
    value, remoteness = asked_choice(request, entry.solution)
    positions = first_positions(entry.solution, value, remoteness, FOUND)
    address = Address(entry.name, language=asked_language(request))
    rows = [
        {
            "text": entry.solution.space.text(position),
            "url": address._replace(at=text_at(entry.solution, position)).url(),
        }
        for position in positions
    ]
    asked = {key: request.query_params.get(key, "") for key in ("value", "remoteness")}
    return render(
        request,
        "find.html",
        entry=entry,
        rows=rows,
        value=value,
        remoteness=remoteness,
        address=address,
        again=address.url("random", **asked),
    )


def at_random(request: Request) -> Response:
    """Go to a random position of a value and a remoteness."""
    entry = entry_of(request)
    position = random_position(entry.solution, *asked_choice(request, entry.solution))
    return _redirect(request, entry, position)


async def zugzwang(request: Request) -> Response:
    """Go to a random mutual zugzwang."""
    return await in_turn(_zugzwang, request)


def _zugzwang(request: Request) -> Response:
    entry = entry_of(request)
    return _redirect(request, entry, random_zugzwang(entry))


def _redirect(request: Request, entry: Entry, position: Hashable) -> Response:
    """Return the answer that leads to a random position."""
    at = text_at(entry.solution, position)
    url = Address(entry.name, at, language=asked_language(request)).url()
    return RedirectResponse(url, 303, {"Cache-Control": "no-store"})


def tiers(solution: Solution) -> list[dict[str, Any]]:
    """Return the tiers with their values; those of a large game without."""
    first: Sequence[int] = solution.space.tiers
    if len(first) == 1:
        return []
    bounds = np.array([*first, solution.table.num_vertices]).tolist()
    table = solution.table
    counted = table.num_vertices <= MAX_COUNTED
    return [
        {
            "number": number,
            "indices": stop - start,
            "counts": counted and table.codec.by_result(table.counts(start, stop)),
        }
        for number, (start, stop) in enumerate(pairwise(bounds))
    ]


WIDTH, HEIGHT, GAP = 720.0, 120.0, 1.0
WIDEST = 40.0
NARROW = 500.0
MAX_MARKS = 12, 4  # of the two axes
MAX_LEVELS = 2_000  # of a page: a row and some bars each


class Level(NamedTuple):
    """The positions of one remoteness.

    Parameters
    ----------
    remoteness : int
    counts : dict of Value to int
        Of all values but DRAW.
    total, decided : int
        How many there are, and how many of this remoteness or a smaller one.
    """

    remoteness: int
    counts: dict[Any, int]
    total: int
    decided: int


class Bar(NamedTuple):
    """A bar of a chart: its place, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    remoteness: int
    positions: int


class Chart(NamedTuple):
    """The positions of one value by remoteness.

    Parameters
    ----------
    value : Value
    width, height : float
    bars : list of Bar
    most : int
        What the highest bar stands for.
    marks : list of Mark
        Of the axis of positions.
    """

    value: Value
    width: float
    height: float
    bars: list[Bar]
    most: int
    marks: list[Mark]


def levels(histogram: dict[Any, dict[int | None, int]]) -> list[Level]:
    """Return the first levels of a histogram, the end of the game first; none without remoteness."""
    finished = [value for value in histogram if value.ends]
    occurring = sorted({r for value in finished for r in histogram[value] if r is not None})
    rows, decided = [], 0
    for remoteness in occurring[:MAX_LEVELS]:
        counts = {value: histogram[value].get(remoteness, 0) for value in finished}
        total = sum(counts.values())
        decided += total
        rows.append(Level(remoteness, counts, total, decided))
    return rows


def marks_of_plies(rows: list[Level], to: NullTranslations) -> list[Mark]:
    """Return the marks below the charts."""
    last = max((row.remoteness for row in rows), default=0)
    numbers = round_numbers(last, MAX_MARKS[0])
    return [Mark(round(100 * (n + 1) / (last + 2), 2), digits(n, to.gettext)) for n in numbers]


def charts(rows: list[Level], to: NullTranslations) -> list[Chart]:
    """Return a chart for each value that occurs, all of one scale from left to right."""
    last = max((row.remoteness for row in rows), default=0)
    step, drawn = min(WIDTH / (last + 2), WIDEST), []  # half a step is free at both ends
    for value in rows[0].counts if rows else ():
        present = [row for row in rows if row.counts[value]]
        most = max((row.counts[value] for row in present), default=0)
        wide = max(step - GAP, 0.5)
        bars = []
        for row in present:
            high = max(HEIGHT * row.counts[value] / most, 1.0)
            left = step * (row.remoteness + 1) - wide / 2
            bars.append(
                Bar(round(left, 2), round(HEIGHT - high, 2), round(wide, 2), round(high, 2),
                    row.remoteness, row.counts[value])
            )  # fmt: skip
        if bars:
            numbers = round_numbers(most, MAX_MARKS[1])
            marks = [Mark(round(100 - 100 * n / most, 2), count(n, to.gettext)) for n in numbers]
            drawn.append(Chart(value, round(step * (last + 2), 2), HEIGHT, bars, most, marks))
    return drawn


ATTEMPTS = 16
SAMPLE = 1024
MAX_ASKED = 25_000  # lost positions
PARTS, MAX_KEPT = 8, 64


def random_position(solution: Solution, value: Result | None, remoteness: int | None) -> Hashable:
    """Return a random position with a value, with a remoteness, or with both.

    Notes
    -----
    Samples of 1,024 indices are looked up first; positions so rare that these hold none are searched
    for from a random index on, so a position after a long gap is likelier.

    Raises
    ------
    PositionError
        If there is none.
    """
    n = solution.table.num_vertices
    if not _occurs(solution, value, remoteness):  # for which the whole table would be read
        n = 0
    for _ in range(ATTEMPTS if n else 0):
        drawn = np.array([random.randrange(n) for _ in range(min(SAMPLE, n))])
        matching = drawn[_matches(solution, drawn, value, remoteness)]
        if len(matching):
            return solution.space.position(int(matching[0]))
    for vertex in _from(solution, random.randrange(n), value, remoteness) if n else ():
        return solution.space.position(vertex)
    raise PositionError(f"there is no {describe(value, remoteness)}: expected one that occurs")


def _occurs(solution: Solution, value: Result | None, remoteness: int | None) -> bool:
    """Return whether a position has a value, a remoteness, or both, as far as the histogram says."""
    if not solution.table.has_remoteness or (value is None and remoteness is None):
        return True
    kinds = [plies for each, plies in solution.histogram().items() if plies and value in (None, each)]
    return any(remoteness is None or remoteness in plies for plies in kinds)


def some_zugzwangs(entry: Entry) -> tuple[Hashable, ...]:
    """Return the lost positions of some mutual zugzwangs, searched for once; none if there are none."""
    return entry.once("zugzwangs", lambda: _some_zugzwangs(entry.solution))


def random_zugzwang(entry: Entry) -> Hashable:
    """Return the lost position of one of these mutual zugzwangs.

    Raises
    ------
    GraphError
        If the rules do not define ``null_move``.
    PositionError
        If there is none.
    """
    found = some_zugzwangs(entry)
    if found:
        return random.choice(found)
    if not knows_passing(entry.solution.space):
        raise GraphError(NO_PASSING)
    asked = min(entry.solution.counts().get(Value.LOSS, 0), MAX_ASKED)
    raise PositionError(f"no mutual zugzwang was found among {asked} lost positions: expected one")


def _some_zugzwangs(solution: Solution) -> tuple[Hashable, ...]:
    """Search for mutual zugzwangs from several places on, among MAX_ASKED lost positions in all."""
    if not solution.counts().get(Value.LOSS, 0) or not knows_passing(solution.space):
        return ()
    n, positions = solution.table.num_vertices, []
    for part in range(PARTS):
        lost = islice(_from(solution, n * part // PARTS, Value.LOSS, None), MAX_ASKED // PARTS)
        pairs = zugzwangs_among(solution.space, solution.table, np.array(list(lost), np.int64))
        positions += [pair.position for pair in islice(pairs, MAX_KEPT // PARTS)]
    return tuple(dict.fromkeys(positions))


def first_positions(
    solution: Solution, value: Result | None, remoteness: int | None, count: int
) -> list[Hashable]:
    """Return the first positions with a value, with a remoteness, or with both."""
    return list(islice(solution.where(value, remoteness), count))


def describe(value: Result | None, remoteness: int | None) -> str:
    """Return a value and a remoteness in words.

    >>> describe(Value.WIN, 7), describe(None, None)
    ('position of value win and remoteness 7', 'position')
    """
    parts = [] if value is None else [f"value {value.label}"]
    parts += [] if remoteness is None else [f"remoteness {remoteness}"]
    return " of ".join(["position", " and ".join(parts)] if parts else ["position"])


def asked_choice(request: Request, solution: Solution) -> tuple[Result | None, int | None]:
    """Return the value and the remoteness that an address asks for; None where one is empty.

    Raises GraphError for anything else.
    """
    value, remoteness = (request.query_params.get(name, "") for name in ("value", "remoteness"))
    if remoteness and not (remoteness.isascii() and remoteness.isdigit() and len(remoteness) < 10):
        raise GraphError(f"remoteness={remoteness!r}: expected a number of plies")
    wanted = solution.table.codec.result(value) if value else None
    return wanted, int(remoteness) if remoteness else None


def _matches(
    solution: Solution, at: IntArray | slice, value: Result | None, remoteness: int | None
) -> NDArray[np.bool_]:
    """Return which vertices are as asked for."""
    values = solution.table.values(at)
    wanted = None if value is None else solution.table.codec.value(value)
    matching: NDArray[np.bool_] = values != INVALID if wanted is None else values == wanted
    if remoteness is not None and matching.any():
        matching &= solution.table.codec.shown(values, solution.table.remoteness(at)) == remoteness
    return matching


def _from(
    solution: Solution, first: int, value: Result | None, remoteness: int | None
) -> Iterator[int]:
    """Yield the vertices that are as asked for, from one on and then from the beginning."""
    ranges = [*spans(solution.table.num_vertices)]
    later = [span for span in ranges if span[1] > first]
    for start, stop in [*later, *(span for span in ranges if span[1] <= first)]:
        matching = _matches(solution, slice(start, stop), value, remoteness)
        yield from (start + np.flatnonzero(matching)).tolist()
