"""The API and the description that it gives of itself; its answers about positions are in test_law.py."""

import json
from typing import Any
from urllib.parse import quote

import pytest

import retrosolve as rs
from retrosolve.web.address import text_at
from retrosolve.web.api import SCHEMAS, description
from retrosolve.web.app import PAGES, QUERIES
from retrosolve.web.limits import MAX_BATCH
from tests.web.drawn import exploring, games, request


@pytest.fixture(scope="module")
def krk() -> rs.Solution:
    return rs.solve(games()["krk"])


def check(schema: dict[str, Any], found: Any) -> None:
    """Compare an answer with its schema: objects have just the properties that are described."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = next(part for part in schema["anyOf"] if part["required"] == list(found))
    if schema["type"] == "array":
        for item in found:
            check(schema["items"], item)
    elif schema["type"] == "object" and "properties" in schema:
        assert list(found) == schema["required"]
        for name, value in found.items():
            check(schema["properties"][name], value)
    elif schema["type"] == "string":
        assert isinstance(found, str)
        assert found in schema.get("enum", [found])
    elif schema["type"] == "integer":
        assert type(found) is int


def test_answers_are_as_described(address: str, krk: rs.Solution) -> None:
    def asked(path: str, schema: str, body: bytes | None = None) -> Any:
        status, found = request(f"{address}/api/games{path}", body)
        assert status == 200
        check(SCHEMAS[schema], found)
        return found

    assert [game["name"] for game in asked("", "Games")["games"]] == list(games())
    for name in games():
        asked(f"/{name}", "Game")
        asked(f"/{name}/position", "Position")
    line = asked("/krk/line?plies=4", "Line")["line"]
    assert [move["name"] for move in line] == [m.name for m in krk.line(krk.start, 4)]
    for value, remoteness in (("win", 9), ("loss", 0), ("tie", 1)):
        found = asked(f"/krk/random?value={value}&remoteness={remoteness}", "Position")
        assert (found["value"], found["remoteness"]) == (value, remoteness)
        moves = krk.moves(krk.space.parse(found["position"]))
        assert [m["value_for_mover"] for m in found["moves"]] == [
            m.outcome.value.opposite().label for m in moves
        ]
    found = asked("/tictactoe/neighborhood?limit=200", "Neighborhood")
    assert (len(found["nodes"]), found["complete"]) == (200, False)
    found = asked("/graph/neighborhood", "Neighborhood")
    assert (len(found["nodes"]), len(found["edges"]), found["complete"]) == (6, 8, True)
    depth = {node["index"]: node["depth"] for node in found["nodes"]}
    steps = [(depth[edge["source"]], depth[edge["target"]]) for edge in found["edges"]]
    assert depth[found["center"]] == 0
    assert all(after <= before + 1 for before, after in steps)
    assert {after for before, after in steps if after == before + 1} == set(depth.values()) - {0}
    texts = [krk.space.text(position) for position in list(krk)[:MAX_BATCH]]
    body = json.dumps({"positions": ["nonsense", "#0", *texts]}).encode()
    wrong, _, *rest = asked("/krk/probe", "Outcomes", body)["positions"]
    assert "nonsense" in wrong["error"]
    assert [(p["position"], p["value"], p["remoteness"]) for p in rest] == [
        (at, outcome.value.label, outcome.remoteness)
        for at in texts
        for outcome in (krk[krk.space.parse(at)],)
    ]


def test_names_that_look_like_an_index_or_are_empty_are_found() -> None:
    edges = [("#2", "#1"), ("#1", "#0"), ("#0", "#5"), ("#5", ""), ("", "#"), ("#", "x" * 5000)]
    solution = rs.solve(rs.Graph.from_edges(edges)).with_start("#2")
    with exploring(names=solution) as address:
        place = f"{address}/api/games/names/position?at="
        for vertex, (name, target) in enumerate(edges):
            for at in (name or f"#{vertex}", text_at(solution, name)):
                status, found = request(place + quote(at))
                assert (status, found["position"]) == (200, name)
                assert (found["value"], found["remoteness"]) == (
                    ("loss", "win")[vertex % 2 == 1],
                    6 - vertex,
                )
                assert [move["position"] for move in found["moves"]] == [target]
            status, found = request(place + quote(found["moves"][0]["at"]))
            assert (status, found["position"]) == (200, target)


def test_every_address_of_the_api_is_described(address: str) -> None:
    status, found = request(f"{address}/openapi.json")
    assert status == 200
    assert found == json.loads(json.dumps(description()))
    described = {(path, method) for path, item in found["paths"].items() for method in item}
    routes = {(path, "get") for path, _ in PAGES} | {(path, "post") for path, _ in QUERIES}
    assert described == {route for route in routes if route[0].startswith("/api/")}
    for _, item in found["paths"].items():
        for operation in item.values():
            for answer in operation["responses"].values():
                name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert name in found["components"]["schemas"]
    for path, status in (
        ("krk/position?position=foo", 400),
        ("krk/line?at=&ply=3", 400),
        ("stones/film?language=tr", 200),
    ):
        assert request(f"{address}/api/games/{path}")[0] == status
