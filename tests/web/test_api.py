"""The API: the same answers as the library, and the description that it gives of itself."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest

import retrosolve as rs
from retrosolve.web.address import text_at
from retrosolve.web.api import SCHEMAS, description
from retrosolve.web.app import PAGES, QUERIES
from retrosolve.web.library import Entry, Library
from retrosolve.web.limits import MAX_BATCH
from retrosolve.web.pages import structure
from tests.cli.test_stats import Duel
from tests.web.drawn import games, request, serving


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


def test_all_moves_of_every_position_are_those_of_the_library(address: str, krk: rs.Solution) -> None:
    for position in list(krk)[::20]:
        at = krk.space.text(position)
        status, found = request(f"{address}/api/games/krk/position?at={quote(at)}")
        assert status == 200
        check(SCHEMAS["Position"], found)
        value, remoteness = krk[position]
        assert (found["position"], found["at"]) == (at, at)
        assert (found["value"], found["remoteness"]) == (value.label, remoteness)
        moves = krk.moves(position)
        best = [move.name for move in krk.best_moves(position)]
        assert [(m["name"], m["value"], m["remoteness"], m["best"]) for m in found["moves"]] == [
            (m.name, m.outcome.value.label, m.outcome.remoteness, m.name in best) for m in moves
        ]
        assert [m["value_for_mover"] for m in found["moves"]] == [
            m.outcome.value.opposite().label for m in moves
        ]


def test_names_that_look_like_an_index_or_are_empty_are_found() -> None:
    edges = [("#2", "#1"), ("#1", "#0"), ("#0", "#5"), ("#5", ""), ("", "#"), ("#", "x" * 5000)]
    solution = rs.solve(rs.Graph.from_edges(edges)).with_start("#2")
    with serving(Library([Entry("names", "names", solution)])) as address:
        for vertex, (name, target) in enumerate(edges):
            for at in (name or f"#{vertex}", text_at(solution, name)):
                status, found = request(f"{address}/api/games/names/position?at={quote(at)}")
                assert (status, found["position"]) == (200, name)
                assert (found["value"], found["remoteness"]) == (
                    ("loss", "win")[vertex % 2 == 1],
                    6 - vertex,
                )
                assert [move["position"] for move in found["moves"]] == [target]
            after = found["moves"][0]["at"]
            status, found = request(f"{address}/api/games/names/position?at={quote(after)}")
            assert (status, found["position"]) == (200, target)


def test_a_batch_is_probed_and_what_is_no_position_has_an_error(address: str, krk: rs.Solution) -> None:
    texts = [krk.space.text(position) for position in list(krk)[:MAX_BATCH]]
    body = json.dumps({"positions": ["nonsense", "#0", *texts]}).encode()
    status, found = request(f"{address}/api/games/krk/probe", body)
    assert status == 200
    check(SCHEMAS["Outcomes"], found)
    wrong, _, *rest = found["positions"]
    assert "nonsense" in wrong["error"]
    assert [(p["position"], p["value"], p["remoteness"]) for p in rest] == [
        (at, krk[krk.space.parse(at)].value.label, krk[krk.space.parse(at)].remoteness) for at in texts
    ]


def test_games_lines_random_positions_and_neighborhoods(address: str, krk: rs.Solution) -> None:
    status, found = request(f"{address}/api/games")
    check(SCHEMAS["Games"], found)
    assert [game["name"] for game in found["games"]] == list(games())
    for name in games():
        status, found = request(f"{address}/api/games/{name}")
        assert status == 200
        check(SCHEMAS["Game"], found)
    _, found = request(f"{address}/api/games/krk/line?plies=4")
    check(SCHEMAS["Line"], found)
    assert [move["name"] for move in found["line"]] == [m.name for m in krk.line(krk.start, 4)]
    for value, remoteness in (("win", 9), ("loss", 0), ("tie", 1)):
        query = f"value={value}&remoteness={remoteness}"
        _, found = request(f"{address}/api/games/krk/random?{query}")
        assert (found["value"], found["remoteness"]) == (value, remoteness)
    _, found = request(f"{address}/api/games/tictactoe/neighborhood?limit=200")
    check(SCHEMAS["Neighborhood"], found)
    assert (len(found["nodes"]), found["complete"]) == (200, False)
    _, found = request(f"{address}/api/games/graph/neighborhood")
    assert (len(found["nodes"]), len(found["edges"]), found["complete"]) == (6, 8, True)
    depth = {node["index"]: node["depth"] for node in found["nodes"]}
    moves = [(depth[edge["source"]], depth[edge["target"]]) for edge in found["edges"]]
    assert depth[found["center"]] == 0
    assert all(after <= before + 1 for before, after in moves)
    assert {after for before, after in moves if after == before + 1} == set(depth.values()) - {0}


def test_no_table_is_searched_for_what_does_not_occur(
    krk: rs.Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(structure, "_from", None)
    wanted = (rs.Value.WIN, 4), (rs.Value.LOSS, 33), (rs.Value.DRAW, None), (None, 40)
    for value, remoteness in wanted:
        with pytest.raises(rs.PositionError, match="there is no position of"):
            structure.random_position(krk, value, remoteness)


def test_parameters_that_are_not_described_are_refused(address: str) -> None:
    for path, expected in (
        ("games/krk/position?position=foo", "expected at="),
        ("games/krk/line?at=&ply=3", "expected at= or plies="),
        ("games?limit=3", "expected none"),
    ):
        status, found = request(f"{address}/api/{path}")
        assert status == 400
        check(SCHEMAS["Error"], found)
        assert found["error"].endswith(f"is no parameter of this address: {expected}")
    assert request(f"{address}/api/games/stones/film?language=tr")[0] == 200


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


def test_mutual_zugzwangs_are_shown_where_the_rules_know_passing(address: str) -> None:
    link = 'href="/g/duel/zugzwang"'
    with serving(Library([Entry("duel", "duel", rs.solve(Duel()))])) as duels:
        assert link in request(f"{duels}/g/duel/structure")[1]
        for _ in range(4):
            status, page = request(f"{duels}/g/duel/zugzwang")
            assert (status, 'id="position-text">(0, 0)<' in page) == (200, True)
    assert "zugzwang" not in request(f"{address}/g/stones/structure")[1]
    status, page = request(f"{address}/g/stones/zugzwang")
    assert (status, "expected a method null_move(position)" in page) == (422, True)
    status, page = request(f"{address}/g/krk/zugzwang")
    assert (status, "no mutual zugzwang was found among 198 lost positions" in page) == (404, True)
    assert "zugzwang" not in request(f"{address}/g/krk/structure")[1]  # nothing leads there


def test_against_an_opponent_readers_keep_the_side_that_has_the_move(address: str) -> None:
    _, page = request(f"{address}/g/caught/?mistakes=0")
    assert 'class="swap" href="/g/caught/?you=1&amp;mistakes=0"' in page
    assert 'href="/g/caught/?you=0&amp;mistakes=0&amp;line=1"' in page
    assert "It is your turn." in page


def test_links_keep_the_language_that_the_address_asks_for(address: str) -> None:
    for path in ("", "structure", "film", "graph"):
        _, page = request(f"{address}/g/stones/{path}?language=tr")
        links = re.findall('<a [^>]*href="([^"]*)"', page.partition("<nav")[2].partition("</nav>")[0])
        assert len(links) == 7
        assert all("language=tr" in link for link in links), links
    page = request(f"{address}/g/stones/?language=xx")[1]
    for part in ("nav", "main"):  # the menu of languages is outside
        links = page.partition(f"<{part}")[2].partition(f"</{part}>")[0]
        assert "href" in links
        assert "language=" not in links
