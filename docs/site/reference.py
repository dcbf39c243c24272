"""Pages of the reference that are made of tables of the package: the JSON API and the solvers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrosolve.objectives import OBJECTIVES
from retrosolve.solvers import SOLVERS
from retrosolve.spaces.base import Capability
from retrosolve.web.api import description

API = """# JSON API

The explorer answers the same questions as JSON, read only. This page is made of the description that
the explorer serves at `/openapi.json`, OpenAPI {version}. [The explorer](../explorer.md#api) has an
example and the errors.
"""
SOLVER_HEAD = """# Solvers

One row for each algorithm and kind of edges, from the table in `retrosolve.solvers`. `solver="auto"`
takes the first that suits the input and the memory; [the design](../design.md#solvers) has the order.

| `solver=` | method | requires | objective | remoteness |
|---|---|---|---|---|"""


def write_pages(source: Path) -> dict[Path, str]:
    """Return the text of each page."""
    folder = source / "reference"
    return {folder / "json-api.md": json_api(), folder / "solvers.md": solvers()}


def solvers() -> str:
    """Return the page of all solvers."""
    rows = [
        f"| `{solver.name}` | {solver.summary} | {_flags(solver.requires)} "
        f"| {solver.objective} | {'yes' if OBJECTIVES[solver.objective].has_levels else 'no'} |"
        for solver in SOLVERS
    ]
    return "\n".join([SOLVER_HEAD, *rows, ""])


def _flags(required: Capability) -> str:
    """Return the names of capabilities."""
    return ", ".join(flag.name.lower().replace("_", " ") for flag in required if flag.name)


def json_api() -> str:
    """Return the page of all addresses and schemas."""
    api = description()
    parts = [API.format(version=api["openapi"])]
    for path, methods in api["paths"].items():
        for method, operation in methods.items():
            parts += [f"## {method.upper()} {path}", "", operation["summary"], ""]
            parts += _parameters(operation["parameters"])
            if "requestBody" in operation:
                (kind,) = operation["requestBody"]["content"]
                limit = operation["requestBody"]["description"]
                parts += [f"Body: `{kind}`. {limit}", ""]
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            parts += [f"Answer: [{_kind(schema)}](#{_kind(schema).lower()}).", ""]
    for name, schema in api["components"]["schemas"].items():
        parts += [f"## {name}", "", *filter(None, [schema.get("description", "")]), "",
                  "| key | type | |", "|---|---|---|"]  # fmt: skip
        parts += [
            f"| `{key}` | {_kind(what)} | {what.get('description', '')} |"
            for key, what in schema["properties"].items()
        ]
        parts.append("")
    return "\n".join(parts)


def _parameters(parameters: list[dict[str, Any]]) -> list[str]:
    """Return the table of the parameters of an address."""
    if not parameters:
        return []
    rows = [f"| `{one['name']}` | {one['in']} | {one['description']} |" for one in parameters]
    return ["| parameter | in | |", "|---|---|---|", *rows, ""]


def _kind(schema: dict[str, Any]) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "items" in schema:
        kinds = [f"list of {_kind(schema['items'])}" if kind == "array" else kind for kind in kinds]
    if schema.get("properties"):
        return "object of " + ", ".join(f"`{key}`" for key in schema["properties"])
    return " or ".join(kinds)
