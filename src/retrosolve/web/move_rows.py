"""The rows of the list of moves, formatted without a template: they are most of what a page shows."""

from __future__ import annotations

import json
from functools import lru_cache
from gettext import NullTranslations
from html import escape
from operator import itemgetter

from markupsafe import Markup

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.languages.phrases import phrase
from retrosolve.solution import Solution
from retrosolve.values import Value
from retrosolve.web.scene import Scene, in_line_order, ranks
from retrosolve.web.wording import result


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
    seen = shown.seen(value, shown.side)
    winner = shown.winner(seen)
    return seen, None if winner is None else sides[winner]


@lru_cache(maxsize=1 << 12)
def _ends(
    seen: tuple[Value, str | None], remoteness: int | None, rank: int, to: NullTranslations
) -> tuple[str, str]:
    """Return what comes before the address of a move, and what after its name."""
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
