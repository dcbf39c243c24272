"""The positions that play can reach from a position in a few moves, as a graph, and their page."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.languages import side_name
from retrosolve.solution import Solution
from retrosolve.solution.preference import ranked_moves
from retrosolve.values import Outcome
from retrosolve.web.address import Address, parse_address, text_at
from retrosolve.web.limits import MAX_POSITIONS, POSITIONS
from retrosolve.web.page_state import in_line_order, scene
from retrosolve.web.phrasing import score_text
from retrosolve.web.rendering import catalogue, entry_of, render


def neighborhood(
    solution: Solution,
    name: str,
    position: Hashable,
    limit: int,
    hints: bool = True,
    pictures: bool = False,
) -> dict[str, Any]:
    """Return the positions nearest to a position along moves, and the moves between them.

    Parameters
    ----------
    solution : Solution
    name : str
        The name of the game in the library.
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
        ``nodes``: index, position, value, remoteness, player, url, picture, and the number of moves to
        it.
        ``edges``: source, target, name, whether it is a best move. ``complete``: whether all positions
        that play can reach are there.
    """
    space = solution.space
    order, nearest, edges = [position], {space.index(position): position}, []
    depth = dict.fromkeys(nearest, 0)
    for current in order:
        source = space.index(current)
        moves = ranked_moves(solution, current)
        for ranked in in_line_order(moves, hints):
            target = space.index(ranked.move.position)
            if target not in nearest and len(nearest) < min(limit, MAX_POSITIONS):
                nearest[target] = ranked.move.position
                depth[target] = depth[source] + 1
                order.append(ranked.move.position)
            best = hints and ranked.key == moves[0].key
            edges.append({"source": source, "target": target, "name": ranked.move.name, "best": best})
    kept = [edge for edge in edges if edge["target"] in nearest]
    nodes = [
        _node(solution, name, vertex, at, hints) | {"depth": depth[vertex]}
        for vertex, at in nearest.items()
    ]
    if pictures:
        for node, at in zip(nodes, nearest.values(), strict=True):
            node["picture"] = space.svg(at)
    return {"center": space.index(position), "nodes": nodes, "edges": kept,
            "complete": len(kept) == len(edges)}  # fmt: skip


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


def _node(
    solution: Solution, name: str, vertex: int, position: Hashable, hints: bool
) -> dict[str, Any]:
    space = solution.space
    outcome = solution[position]
    movers = space.player(np.array([vertex]))
    return {
        "index": vertex,
        "position": space.text(position),
        "value": outcome.value.label if hints else None,
        "remoteness": outcome.remoteness if hints else None,
        "player": None if movers is None else space.owners[int(movers[0])],
        "side": None if movers is None else int(movers[0]),
        "url": Address(name, text_at(solution, position), hints=hints).url(),
        "picture": None,
    }


def page(request: Request) -> Response:
    """Draw the neighbourhood of a position."""
    entry = entry_of(request)
    shown = scene(entry.solution, parse_address(entry.name, request.query_params))
    hints = shown.address.hints
    around = neighborhood(entry.solution, entry.name, shown.position, POSITIONS, hints)
    to = catalogue(request)
    for node in around["nodes"] if hints else ():
        value = entry.solution.table.codec.result(node["value"])
        node["kind"] = value.kind.label
        node["symbol"] = APPEARANCE[value].symbol
        node["result"] = score_text(Outcome(value, node["remoteness"]), to)
    return render(
        request,
        "graph.html",
        entry=entry,
        address=shown.address,
        around=around,
        text=entry.solution.space.text(shown.position),
        sides=[side_name(entry.solution.space.players, side, shown.named, to) for side in (0, 1)],
        named=shown.named,
        source=graph_url(entry.solution, entry.name, shown.position, hints, pictures=True),
    )
