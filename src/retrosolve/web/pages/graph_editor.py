"""The page of the graph editor: vertices, edges, owners and terminals, solved while they are drawn."""

from __future__ import annotations

from gettext import NullTranslations
from io import BytesIO
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.columns import in_columns
from retrosolve.errors import RetrosolveError
from retrosolve.explanation.steps import outcome_text
from retrosolve.formats import FORMATS, find_content, graph_in
from retrosolve.formats.graphfile import GraphFile
from retrosolve.languages import side_name
from retrosolve.languages.verdicts import verdict
from retrosolve.solution import Solution
from retrosolve.values import Outcome, Value
from retrosolve.web.address import Address
from retrosolve.web.descriptions import (
    GRAPH,
    MAX_EDGES,
    MAX_VERTICES,
    SmallGraph,
    editor_url,
    text_of,
)
from retrosolve.web.errors import status_of
from retrosolve.web.rendering import asked_language, catalogue, render

SAMPLE = "a-s.b.c.d.e.f~a-b.b-a.b-c.c-d.e-c.f-e.f-b"
WRITTEN = ("json", "csv")
STUCK = ("loss", "win", "tie")


async def page(request: Request) -> Response:
    """Show the editor with the graph of the address, or go to the address of a graph given as text.

    A text that is no graph stays in its field, beside a graph for an example.
    """
    typed, refusal = request.query_params.get("text"), None
    if typed is not None:
        try:
            name = small_graph(typed).name()
        except RetrosolveError as error:
            refusal = error
        else:
            return RedirectResponse(editor_url(GRAPH, name, asked_language(request)), 303)
    drawn = SmallGraph.parse(request.query_params.get(GRAPH, SAMPLE))
    found = await run_in_threadpool(solved, request, drawn)
    return render(
        request, "graph_editor.html", 200 if refusal is None else status_of(refusal), found=found,
        stuck=STUCK, most=MAX_VERTICES, most_edges=MAX_EDGES, typed=typed, refusal=refusal,
    )  # fmt: skip


async def answer(request: Request) -> Response:
    """Solve the graph in the body of a request, a JSON graph file or an edge list."""
    drawn = small_graph(text_of(await request.body()))
    return JSONResponse(await run_in_threadpool(solved, request, drawn))


def small_graph(text: str) -> SmallGraph:
    """Return the graph in a JSON graph file or an edge list. Raises RetrosolveError."""
    data = text.encode()
    kind = "json" if text.lstrip().startswith("{") else "edges"
    found = graph_in(find_content(BytesIO(data), kind))
    return SmallGraph.of(found.graph, found.start, found.stuck or STUCK[0])


def solved(request: Request, drawn: SmallGraph) -> dict[str, Any]:
    """Return a graph, the outcome of each vertex, where to draw it, its texts, and where to go on."""
    name, to, language = drawn.name(), catalogue(request), asked_language(request)
    solution: Solution = request.app.state.library.entry(name).solution
    address = Address(name, language=language)
    outcomes = [solution[vertex] for vertex in drawn.names]
    places = in_columns([outcome.remoteness for outcome in outcomes], drawn.edges)
    first = drawn.start or 0
    sentence = to.gettext("From {vertex}: {verdict}").format(
        vertex=drawn.names[first], verdict=_verdict(drawn, outcomes[first], first, to)
    )
    return {
        "names": drawn.names,
        "edges": drawn.edges,
        "owner": drawn.owner,
        "terminal": [None if value is Value.DRAW else value.label for value in drawn.terminal or ()],
        "start": drawn.start,
        "stuck": drawn.stuck,
        "places": places,
        "signs": {value.label: look.symbol for value, look in APPEARANCE.items()},
        "outcomes": [
            {
                "value": outcome.value.label,
                "remoteness": outcome.remoteness,
                "text": outcome_text(outcome, to.gettext),
                "winner": winner(outcome, drawn.owner[v]) if drawn.owner is not None else None,
            }
            for v, outcome in enumerate(outcomes)
        ],
        "verdict": sentence,
        "value": outcomes[first].value.label,
        "texts": {kind: file_text(kind, drawn) for kind in WRITTEN},
        "play": address.url(),
        "film": address.url("film"),
        "edit": editor_url(GRAPH, name, language),
    }


def _verdict(drawn: SmallGraph, outcome: Outcome, vertex: int, to: NullTranslations) -> str:
    """Return who wins from a vertex: by the number of the player, or by who moves first."""
    value, plies = outcome
    won_by = winner(outcome, 0 if drawn.owner is None else drawn.owner[vertex])
    if won_by is None:
        return verdict(value, plies, None, to)
    name = side_name(("", ""), won_by, False, to)
    if drawn.owner is not None:
        name = to.gettext("player {number}").format(number=won_by)
    return verdict(Value.WIN, plies, name, to)


def winner(outcome: Outcome, owner: int) -> int | None:
    """Return the player who wins at a vertex; None if nobody does."""
    if outcome.value is Value.WIN:
        return owner
    return 1 - owner if outcome.value is Value.LOSS else None


def file_text(kind: str, drawn: SmallGraph) -> str:
    """Return a graph as the content of a file; an edge list has edges only."""
    write = FORMATS[kind].write
    assert write is not None
    start = None if drawn.start is None else drawn.names[drawn.start]
    *_, edges = write(GraphFile(drawn.graph(), start, stuck=drawn.stuck))
    out = BytesIO()
    edges.write(out)
    return out.getvalue().decode()
