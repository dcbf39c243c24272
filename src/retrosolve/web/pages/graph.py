"""The positions that play can reach from a position in a few moves, as a graph, and their page."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from retrosolve.languages import side_name
from retrosolve.languages.phrases import plies_apart
from retrosolve.solution import Solution
from retrosolve.solution.preference import best_of, ranked_moves
from retrosolve.solution.view import PLIES_COUNT, win_in_moves
from retrosolve.values import CHANCE, Outcome
from retrosolve.web.address import Address, parse_address, text_at
from retrosolve.web.library import Entry
from retrosolve.web.limits import MAX_POSITIONS, POSITIONS
from retrosolve.web.page_state import in_line_order, scene
from retrosolve.web.phrasing import score_text, short_text
from retrosolve.web.rendering import catalogue, entry_of, render


def neighborhood(
    entry: Entry, position: Hashable, limit: int, hints: bool = True, pictures: bool = False
) -> dict[str, Any]:
    """Return the positions nearest to a position along moves, and the moves between them.

    Parameters
    ----------
    entry : Entry
    position : hashable
    limit : int
        The most positions, at most MAX_POSITIONS.
    hints : bool
        Whether the positions come with their values. Without them neither choice nor order of
        positions and moves depends on a value.
    pictures : bool
        Whether the positions come with their pictures.

    Returns
    -------
    dict
        ``nodes``: index, position, value, its kind and the value in a few letters, remoteness, player,
        url, picture, and the number of moves to it.
        ``edges``: source, target, name, whether it is a best move. ``complete``: whether all positions
        that play can reach are there. ``by_remoteness``: whether values tell how far the end is.
    """
    solution, space = entry.solution, entry.solution.space
    order, nearest, edges = [position], {space.index(position): position}, []
    depth = dict.fromkeys(nearest, 0)
    for current in order:
        source = space.index(current)
        moves = ranked_moves(solution, current)
        best = {ranked.place for ranked in best_of(moves)} if hints else set()
        for ranked in in_line_order(moves, hints):
            target = space.index(ranked.move.position)
            if target not in nearest and len(nearest) < min(limit, MAX_POSITIONS):
                nearest[target] = ranked.move.position
                depth[target] = depth[source] + 1
                order.append(ranked.move.position)
            edges.append({"source": source, "target": target, "name": ranked.move.name,
                          "best": ranked.place in best})  # fmt: skip
    kept = [edge for edge in edges if edge["target"] in nearest]
    nodes = [
        _node(entry, vertex, at, hints) | {"depth": depth[vertex]} for vertex, at in nearest.items()
    ]
    if pictures:
        for node, at in zip(nodes, nearest.values(), strict=True):
            node["picture"] = space.svg(at)
    counts_to_end = solution.table.has_remoteness and solution.objective.name not in PLIES_COUNT
    return {"center": space.index(position), "nodes": nodes, "edges": kept,
            "complete": len(kept) == len(edges), "by_remoteness": hints and counts_to_end}  # fmt: skip


def graph_url(
    solution: Solution, name: str, position: Hashable, hints: bool = True, pictures: bool = False
) -> str:
    """Return the address of the neighbourhood of a position, as the API has it."""
    query = {"at": text_at(solution, position), "limit": str(POSITIONS)}
    if not hints:
        query["hints"] = "no"
    if pictures:
        query["pictures"] = "yes"
    return f"/api/games/{quote(name, safe='')}/neighborhood?{urlencode(query)}"


def _node(entry: Entry, vertex: int, position: Hashable, hints: bool) -> dict[str, Any]:
    space = entry.solution.space
    outcome = entry.solution[position]
    short = short_text(outcome if entry.nimbers is None else entry.nimbers[position])
    movers = space.player(np.array([vertex]))
    return {
        "index": vertex,
        "position": space.text(position),
        "value": outcome.value.label if hints else None,
        "kind": outcome.value.kind.label if hints else None,
        "short": short if hints else None,
        "remoteness": outcome.remoteness if hints else None,
        "player": None if movers is None else space.owners[int(movers[0])],
        "side": None if movers is None else int(movers[0]),
        "url": Address(entry.name, text_at(entry.solution, position), hints=hints).url(),
        "picture": None,
    }


def page(request: Request) -> Response:
    """Draw the neighbourhood of a position."""
    entry = entry_of(request)
    solution = entry.solution
    shown = scene(solution, parse_address(entry.name, request.query_params))
    hints = shown.address.hints
    around = neighborhood(entry, shown.position, POSITIONS, hints)
    to, counted = catalogue(request), win_in_moves(solution)
    for node in around["nodes"] if hints else ():
        outcome = solution[solution.space.position(node["index"])]
        plies, words = plies_apart(counted, outcome, to)
        node["result"] = score_text(Outcome(outcome.value, plies), to)
        if outcome.remoteness != plies:
            node["result"] += f" · {words}"
        if entry.nimbers is not None:
            node["result"] += f" ({node['short'].split()[-1]})"
    return render(
        request,
        "graph.html",
        entry=entry,
        address=shown.address,
        around=around,
        text=solution.space.text(shown.position),
        sides=[side_name(solution.space.players, side, shown.named, to) for side in (0, 1)],
        chance=any(node["side"] == CHANCE for node in around["nodes"]),
        named=shown.named,
        source=graph_url(solution, entry.name, shown.position, hints, pictures=True),
    )
