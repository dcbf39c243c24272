"""The description of the API, OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from retrosolve.runtime.release import __version__
from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.web.limits import MAX_BATCH, MAX_BODY, MAX_LINE, MAX_POSITIONS, MAX_TEXT, POSITIONS

Json = dict[str, Any]

TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "integer"}
VALUE: Json = {"type": "string", "enum": [value.label for value in REPORTED_VALUES]}
REMOTENESS: Json = {
    "type": ["integer", "null"],
    "description": "Plies to the end of the game; null for a draw, and where it is not known.",
}
COUNTS: Json = {"type": "object", "additionalProperties": NUMBER}
OUTCOME: Json = {
    "position": {**TEXT, "description": "The position as text."},
    "at": {**TEXT, "description": "The position in an address; # and its index where it has no text."},
    "value": {**VALUE, "description": "For the player who moves there."},
    "remoteness": REMOTENESS,
}
PLAYER: Json = {
    "type": ["string", "null"],
    "description": "Who moves; null where the players alternate.",
}


def record(properties: Json, **more: Any) -> Json:
    """Return the schema of an object of which all properties are there."""
    return {"type": "object", "properties": properties, "required": list(properties), **more}


def many(schema: Json) -> Json:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


def ref(name: str) -> Json:
    """Return a reference to a schema."""
    return {"$ref": f"#/components/schemas/{name}"}


OPTIONAL_TEXT: Json = {"type": ["string", "null"]}
OPTIONAL_NUMBER: Json = {"type": ["integer", "null"]}
OPTIONAL_VALUE: Json = {"type": ["string", "null"], "enum": [*VALUE["enum"], None]}
MOVE = {"name": TEXT, **OUTCOME, "value_for_mover": VALUE, "best": {"type": "boolean"}}
NODE = {
    "index": NUMBER, "position": TEXT, "value": OPTIONAL_VALUE, "remoteness": REMOTENESS,
    "player": PLAYER, "side": {"type": ["integer", "null"]}, "url": TEXT, "x": NUMBER, "y": NUMBER,
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
            "verified": {"type": "boolean"},
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
            "complete": {"type": "boolean"},
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
            "places": {"type": ["array", "null"], "items": many({"type": "number"})},
            "labels": {"type": ["array", "null"], "items": many(TEXT)},
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
            "start": OPTIONAL_NUMBER, "stuck": TEXT, "places": many(many({"type": "number"})),
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
        "The positions around a position.", "Neighborhood", NAME, AT, LIMIT, HINTS
    ),
    f"{GAME}/film": operation("The solve of a small game, step by step.", "Film", NAME),
    f"{GAME}/probe": operation(
        "The outcomes of some positions; what is no position has an error instead.",
        "Outcomes",
        NAME,
        body=("application/json", ref("Batch")),
    ),
    "/api/boards": operation(
        "Solve a small board of policeman and thief.", "Board", body=("text/plain", TEXT)
    ),
    "/api/graphs": operation(
        "Solve a small graph, as a JSON graph file or a list of edges.",
        "Graph",
        body=("text/plain", TEXT),
    ),
}


async def page(request: Request) -> Response:
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
