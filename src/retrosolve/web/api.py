"""The API for programs: read only, JSON, described at /openapi.json as OpenAPI 3.1."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable
from inspect import iscoroutinefunction
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from retrosolve.errors import RetrosolveError
from retrosolve.languages import LANGUAGES
from retrosolve.languages.phrases import proven_record
from retrosolve.objectives.base import VALUES
from retrosolve.runtime.release import __version__
from retrosolve.solution import Solution
from retrosolve.solution.preference import best_of, ranked_moves
from retrosolve.solution.records import by_remoteness, clock_record, count_records, player_to_move
from retrosolve.values import Outcome
from retrosolve.web.address import AddressError, position_at, text_at
from retrosolve.web.library import Entry
from retrosolve.web.limits import MAX_BATCH, MAX_BODY, MAX_LINE, MAX_POSITIONS, MAX_TEXT, POSITIONS
from retrosolve.web.pages.graph import neighborhood as positions_around
from retrosolve.web.pages.structure import asked_choice, random_position
from retrosolve.web.rendering import entry_of

SURROGATE = re.compile("[\ud800-\udfff]")  # JSON may have one alone, which no encoding of text has


async def games(request: Request) -> Response:
    """Return the games."""
    entries = request.app.state.library.entries()
    return JSONResponse({"games": [{"name": entry.name, "title": entry.title} for entry in entries]})


def game(request: Request) -> Response:
    """Return a game with its counts and its histogram."""
    return JSONResponse(game_record(entry_of(request)))


def position(request: Request) -> Response:
    """Return a position with all its moves."""
    solution = entry_of(request).answers
    return JSONResponse(position_record(solution, _asked(request, solution)))


def line(request: Request) -> Response:
    """Return perfect play from a position."""
    solution = entry_of(request).answers
    plies = _number(request, "plies", 100, MAX_LINE)
    moves = solution.line(_asked(request, solution), plies)
    return JSONResponse(
        {"line": [{"name": m.name, **outcome_record(solution, m.position, m.outcome)} for m in moves]}
    )


def at_random(request: Request) -> Response:
    """Return a random position."""
    solution = entry_of(request).solution
    chosen = random_position(solution, *asked_choice(request, solution))
    return JSONResponse(position_record(solution, chosen), headers={"Cache-Control": "no-store"})


def neighborhood(request: Request) -> Response:
    """Return the positions around a position."""
    entry = entry_of(request)
    limit = _number(request, "limit", POSITIONS, MAX_POSITIONS)
    center, hints = _asked(request, entry.solution), request.query_params.get("hints") != "no"
    pictures = request.query_params.get("pictures") == "yes"
    return JSONResponse(positions_around(entry, center, limit, hints, pictures))


async def probe(request: Request) -> Response:
    """Return the outcome of each of some positions."""
    texts = _batch(await request.body())
    return await run_in_threadpool(_all_probed, request, texts)


def _all_probed(request: Request, texts: list[str]) -> Response:
    """Return the outcome of each of some positions, or what is wrong with it."""
    solution = entry_of(request).answers
    return JSONResponse({"positions": [_probed(solution, text) for text in texts]})


def _probed(solution: Solution, text: str) -> dict[str, Any]:
    """Return the outcome of a position, or what is wrong with it."""
    try:
        at, _ = position_at(solution, text)
        return outcome_record(solution, at, solution[at])
    except RetrosolveError as error:
        return {"position": text, "error": str(error)}


def _batch(body: bytes) -> list[str]:
    """Return the positions in the body of a request. Raises AddressError."""
    expected = f'expected {{"positions": [text, ...]}} with at most {MAX_BATCH} positions'
    try:
        query = json.loads(body)
    except (ValueError, RecursionError):
        raise AddressError(f"the body is no JSON: {expected}") from None
    texts = query.get("positions") if isinstance(query, dict) else None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise AddressError(f"the body holds no list of texts: {expected}")
    if len(texts) > MAX_BATCH:
        raise AddressError(f"the body holds {len(texts)} positions: {expected}")
    for number, text in enumerate(texts, 1):
        if not text.isascii() and SURROGATE.search(text):
            raise AddressError(f"position {number} of the body holds a lone surrogate: {expected}")
    return texts


def _asked(request: Request, solution: Solution) -> Hashable:
    """Return the position that the address names."""
    return position_at(solution, request.query_params.get("at") or None)[0]


def _number(request: Request, name: str, default: int, most: int) -> int:
    """Return a whole number from the address. Raises AddressError."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise AddressError(f"{name}={text!r}: expected a number from 1 to {most}")
    return int(text)


def outcome_record(solution: Solution, position: Hashable, outcome: Outcome) -> dict[str, Any]:
    """Return a position with its outcome, for the player who moves there."""
    return {
        "position": solution.space.text(position),
        "at": text_at(solution, position),
        **solution.objective.fields(outcome),
        **clock_record(solution, position),
    }


def position_record(solution: Solution, position: Hashable) -> dict[str, Any]:
    """Return a position with its outcome and all its moves, best first.

    Returns
    -------
    dict
        As ``retrosolve probe --json``, with ``at``, the text for an address, and for each move
        ``value_for_mover`` and ``best``.
    """
    moves = ranked_moves(solution, position)
    best = {ranked.place for ranked in best_of(moves)}
    return {
        **outcome_record(solution, position, solution[position]),
        "player": player_to_move(solution, position),
        "moves": [
            {
                "name": ranked.move.name,
                **outcome_record(solution, ranked.move.position, ranked.move.outcome),
                "value_for_mover": ranked.value.label,
                "best": ranked.place in best,
            }
            for ranked in moves
        ],
    }


def game_record(entry: Entry) -> dict[str, Any]:
    """Return a game with the numbers of its positions."""
    solution = entry.solution
    return {
        "name": entry.name,
        "title": entry.title,
        "positions": len(solution),
        "players": list(solution.space.players),
        "start": None if solution.start is None else text_at(solution, solution.start),
        **count_records(solution),
        "histogram": by_remoteness(solution.histogram()),
        **proven_record(entry.proven),
    }


Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
VALUE: Json = {
    "type": "string",
    "description": "win, loss, tie or draw; other objectives have others, as the points from there on.",
    "examples": [value.label for value in VALUES.reported],
}
REMOTENESS: Json = {
    "type": ["integer", "null"],
    "description": "Plies to the end of the game; null for a draw, and where it is not known.",
}
CLOCK: Json = {
    "type": "object",
    "description": "Where a FEN has a halfmove clock above 0: its plies, and whether they count.",
    "properties": {"plies": NUMBER, "counts": {"type": "boolean"}},
}
COUNTS: Json = {"type": "object", "additionalProperties": NUMBER}
OUTCOME: Json = {
    "position": {**TEXT, "description": "The position as text."},
    "at": {**TEXT, "description": "The position in an address; # and its index where it has no text."},
    "value": {**VALUE, "description": "For the player who moves there."},
    "remoteness": REMOTENESS,
    "clock": CLOCK,
}
PLAYER: Json = {
    "type": ["string", "null"],
    "description": "Who moves; null where the players alternate.",
}


def record(properties: Json, **more: Any) -> Json:
    """Return the schema of an object of which all properties are there but a clock."""
    required = [name for name in properties if name != "clock"]
    return {"type": "object", "properties": properties, "required": required, **more}


def many(schema: Json) -> Json:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def ref(name: str) -> Json:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


OPTIONAL_TEXT: Json = {"type": ["string", "null"]}
OPTIONAL_NUMBER: Json = {"type": ["integer", "null"]}
OPTIONAL_VALUE: Json = {**VALUE, "type": ["string", "null"]}
MOVE = {"name": TEXT, **OUTCOME, "value_for_mover": VALUE, "best": {"type": "boolean"}}
NODE = {
    "index": NUMBER, "position": TEXT, "value": OPTIONAL_VALUE, "kind": OPTIONAL_TEXT,
    "short": OPTIONAL_TEXT, "remoteness": REMOTENESS, "player": PLAYER, "side": OPTIONAL_NUMBER,
    "url": TEXT, "picture": OPTIONAL_TEXT, "depth": NUMBER,
}  # fmt: skip
EDGE = {"source": NUMBER, "target": NUMBER, "name": TEXT, "best": {"type": "boolean"}}
LINKS = {"play": TEXT, "film": OPTIONAL_TEXT, "edit": TEXT}
EVENT: Json = {
    "type": ["array"],
    "description": "Rule, vertex, target, open moves, and the value and remoteness that it decides.",
}
TRACE = {
    "names": many(TEXT), "successors": many(many(NUMBER)),
    "owner": {"type": ["array", "null"], "items": NUMBER}, "players": many(TEXT),
    "start": OPTIONAL_NUMBER,
    "levels": many(record({"phase": TEXT, "remoteness": REMOTENESS, "events": many(EVENT)})),
}  # fmt: skip
SCHEMAS: Json = {
    "Error": record({"error": {**TEXT, "description": "What is wrong, and what is expected."}}),
    "Games": record({"games": many(record({"name": TEXT, "title": TEXT}))}),
    "Game": record(
        {
            "name": TEXT, "title": TEXT, "positions": NUMBER, "players": many(TEXT),
            "start": {"type": ["string", "null"]}, "counts": COUNTS,
            "counts_by_player": {"type": ["object", "null"], "additionalProperties": COUNTS},
            "histogram": {"type": "object", "additionalProperties": COUNTS},
            "verified": {"type": "boolean"}, "rules_called_again": OPTIONAL_NUMBER,
        }
    ),
    "Position": record(
        {**OUTCOME, "player": PLAYER, "moves": many(record(MOVE))},
        description="A position and all its moves, best first.",
    ),
    "Line": record({"line": many(record({"name": TEXT, **OUTCOME}))}),
    "Neighborhood": record(
        {
            "center": NUMBER, "nodes": many(record(NODE)), "edges": many(record(EDGE)),
            "complete": {"type": "boolean"}, "by_remoteness": {"type": "boolean"},
        }
    ),
    "Batch": record({"positions": {**many(TEXT), "maxItems": MAX_BATCH}}),
    "Outcomes": record(
        {"positions": many({"anyOf": [record(OUTCOME), record({"position": TEXT, "error": TEXT})]})}
    ),
    "Film": record(
        {
            "trace": record(TRACE, description="As retrosolve.explanation.Trace.to_json has it."),
            "words": {"type": "object"}, "signs": {"type": "object", "additionalProperties": TEXT},
            "drawn": {"type": "boolean"},
            "pictures": {"type": ["array", "null"], "items": TEXT},
            "board": {"type": ["object", "null"]},
        }
    ),
    "Board": record(
        {"board": TEXT, "verdict": TEXT, "value": OPTIONAL_VALUE, "plies": OPTIONAL_TEXT, **LINKS}
    ),
    "Graph": record(
        {
            "names": many(TEXT), "edges": many(many(NUMBER)),
            "owner": {"type": ["array", "null"], "items": NUMBER}, "terminal": many(OPTIONAL_VALUE),
            "start": OPTIONAL_NUMBER, "stuck": TEXT,
            "signs": {"type": "object", "additionalProperties": TEXT},
            "outcomes": many(record(
                {"value": VALUE, "remoteness": REMOTENESS, "text": TEXT, "winner": OPTIONAL_NUMBER}
            )),
            "verdict": TEXT, "value": VALUE, "texts": record({"json": TEXT, "csv": TEXT}), **LINKS,
        }
    ),
}  # fmt: skip


def parameter(name: str, description: str, schema: Json = TEXT, where: str = "query") -> Json:
    """Return the description of a parameter."""
    return {"name": name, "in": where, "description": description, "schema": schema,
            "required": where == "path"}  # fmt: skip


NAME = parameter("name", "The name of a game.", where="path")
AT = parameter(
    "at",
    "A position as text, or # and its index; by default the start.",
    {**TEXT, "maxLength": MAX_TEXT},
)
CHOICE = (
    parameter("value", "For the player who moves there.", VALUE),
    parameter("remoteness", "Plies to the end of the game.", NUMBER),
)
PLIES = parameter("plies", "The most moves.", {**NUMBER, "minimum": 1, "maximum": MAX_LINE})
LIMIT = parameter(
    "limit",
    "The most positions.",
    {**NUMBER, "minimum": 1, "maximum": MAX_POSITIONS, "default": POSITIONS},
)
HINTS = parameter("hints", "no leaves out values and best moves.", {**TEXT, "enum": ["yes", "no"]})
LANGUAGE = parameter("language", "Of names and sentences.", {**TEXT, "enum": list(LANGUAGES)})
PICTURES = parameter("pictures", "yes adds an SVG picture of each.", {**TEXT, "enum": ["yes", "no"]})


def content(kind: str, schema: Json, **more: Any) -> Json:
    """Return the description of a body."""
    return {"content": {kind: {"schema": schema}}, **more}


def operation(
    summary: str, schema: str, *parameters: Json, body: tuple[str, Json] | None = None
) -> Json:
    """Return the operation of an address, a POST if it takes a body."""
    wrong = content(
        "application/json", ref("Error"), description="Something is wrong with the request."
    )
    answer = content("application/json", ref(schema), description="OK")
    described: Json = {
        "summary": summary,
        "parameters": list(parameters),
        "responses": {"200": answer, "4XX": wrong},
    }
    if body is None:
        return {"get": described}
    described["requestBody"] = content(*body, required=True, description=f"At most {MAX_BODY} bytes.")
    return {"post": described}


GAME = "/api/games/{name}"
PATHS: Json = {
    "/api/games": operation("The games.", "Games"),
    GAME: operation("A game, with the numbers of its positions.", "Game", NAME),
    f"{GAME}/position": operation("A position with all its moves, best first.", "Position", NAME, AT),
    f"{GAME}/line": operation("Perfect play from a position.", "Line", NAME, AT, PLIES),
    f"{GAME}/random": operation("A random position with all its moves.", "Position", NAME, *CHOICE),
    f"{GAME}/neighborhood": operation(
        "The positions around a position.", "Neighborhood", NAME, AT, LIMIT, HINTS, PICTURES
    ),
    f"{GAME}/film": operation("The solve of a small game, step by step.", "Film", NAME, LANGUAGE),
    f"{GAME}/probe": operation(
        "The outcomes of some positions; what is no position has an error instead.",
        "Outcomes",
        NAME,
        body=("application/json", ref("Batch")),
    ),
    "/api/boards": operation(
        "Solve a small board of policeman and thief.", "Board", LANGUAGE, body=("text/plain", TEXT)
    ),
    "/api/graphs": operation(
        "Solve a small graph, as a JSON graph file or a list of edges.",
        "Graph",
        LANGUAGE,
        body=("text/plain", TEXT),
    ),
}


def strict(path: str, answer: Callable[[Request], Any]) -> Any:
    """Return an answer of the API that raises AddressError for parameters that are not described.

    A position that is asked for by another name would be taken for the start.
    """
    (described,) = PATHS[path].values()
    known = [f"{one['name']}=" for one in described["parameters"] if one["in"] == "query"]

    async def checked(request: Request) -> Response:
        for name in request.query_params:
            if f"{name}=" not in known:
                expected = " or ".join(known) or "none"
                raise AddressError(f"{name}= is no parameter of this address: expected {expected}")
        if iscoroutinefunction(answer):
            made: Response = await answer(request)
            return made
        return await run_in_threadpool(answer, request)

    return checked


async def openapi(request: Request) -> Response:
    """Return the description."""
    return JSONResponse(description())


def description() -> Json:
    """Return the description of the API."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "retrosolve explorer",
            "version": __version__,
            "description": "Read only. Values are for the player who moves in a position.",
        },
        "paths": PATHS,
        "components": {"schemas": SCHEMAS},
    }
