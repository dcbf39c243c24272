"""The editors: what is drawn is solved at once, and its address is all there is to it."""

import json
import re
from contextlib import suppress
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import random_board, random_graph
from retrosolve.testing.strategies import boards, graphs, stuck_values
from retrosolve.web.api import SCHEMAS
from retrosolve.web.descriptions import (
    MAX_EDGES,
    MAX_SIDE,
    MAX_VERTICES,
    DescriptionError,
    SmallGraph,
    board_name,
    board_of,
    make_graph,
    small_board,
)
from retrosolve.web.pages.editors import file_text, small_graph
from tests.support.odd_texts import ODD_TEXTS, Reading
from tests.web.drawn import check_accessible, request, watched
from tests.web.test_api import check

SAMPLE = "P.x..E-..x...-....x.-.x....-T....."


def cell(page: Page, row: int, column: int) -> str:
    return f'#board-grid td[data-at="{row},{column}"]'


def test_painted_walls_change_the_verdict(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/board")
        verdict = page.locator("#verdict")
        expect(verdict).to_have_text("Police catches the thief in 9 plies")
        page.click(cell(page, 3, 0))
        page.click(cell(page, 4, 1))
        expect(verdict).to_have_text("Draw")
        assert page.url == f"{address}/edit/board?board=P.x..E-..x...-....x.-xx....-Tx...."
        page.click(cell(page, 3, 0))
        expect(verdict).to_have_text("Police catches the thief in 7 plies")
        page.reload()
        expect(verdict).to_have_text("Police catches the thief in 7 plies")
        assert page.input_value("#board-text").split() == [
            "P.*..E",
            "..*...",
            "....*.",
            ".*....",
            "T*....",
        ]
        page.click("[name=tool][value=E]")
        page.mouse.move(*middle(page, 2, 0))
        page.mouse.down()
        page.mouse.move(*middle(page, 2, 3), steps=6)
        page.mouse.up()
        expect(page.locator("#board-grid .is-exit")).to_have_count(5)
        page.wait_for_url("**/edit/board?board=P.x..E-..x...-EEEEx.-.x....-Tx....")
        page.click("#play")
        page.wait_for_selector("a.move")
        assert page.url == f"{address}/g/board~P.x..E-..x...-EEEEx.-.x....-Tx..../"
        page.click("nav >> text=Edit")
        expect(page.locator("#board-grid .is-exit")).to_have_count(5)


def no_result(page: Page) -> None:
    """Neither a verdict nor a link to a game is beside a text that has none."""
    expect(page.locator("#verdict")).to_have_text("")
    expect(page.locator("#verdict")).to_have_class("verdict")
    for link in ("play", "film", "edit"):
        assert page.locator(f"#{link}").get_attribute("href") is None


def middle(page: Page, row: int, column: int) -> tuple[float, float]:
    box = page.locator(cell(page, row, column)).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_board_is_painted_by_keyboard(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/board?board=...-...")
        verdict = page.locator("#verdict")
        expect(verdict).to_contain_text("All positions are solved.")
        page.focus(cell(page, 0, 0))
        for key in ("p", "ArrowRight", "*", "ArrowDown", "ArrowRight", "t"):
            page.keyboard.press(key)
        expect(verdict).to_have_text("Police catches the thief in 3 plies")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        assert page.locator(cell(page, 0, 2)).get_attribute("aria-label") == "row 1, column 3: wall"
        page.focus("#board-rows")
        page.keyboard.press("ArrowUp")
        expect(page.locator("#board-grid tr")).to_have_count(3)
        page.fill("#board-text", "P.E\n.X.")
        page.click("#board-form button")
        expect(page.locator("#error")).to_contain_text("row 2, column 2 is 'X'")
        no_result(page)
        page.fill("#board-text", "P.E\n.T.")
        page.click("#board-form button")
        expect(page.locator("#error")).to_have_text("")
        expect(page.locator("#verdict")).to_have_text("Police catches the thief in 1 ply")
        expect(page.locator("#play")).to_have_attribute("href", "/g/board~P.E-.T./")
        expect(page.locator("#board-grid tr")).to_have_count(2)
        file = {"name": "board.txt", "mimeType": "text/plain", "buffer": b"1 3\nPT.\n"}
        page.set_input_files("#board-file", [file])
        expect(page.locator("#board-grid tr")).to_have_count(1)
        saved = page.locator("#save").get_attribute("href") or ""
        assert unquote(saved.partition(",")[2]) == "PT.\n"
        page.click("#film")
        page.wait_for_selector(".film-board")


def test_a_wall_is_painted_by_touch(browser: Browser, address: str) -> None:
    with watched(browser, has_touch=True, viewport={"width": 390, "height": 800}) as page:
        page.goto(f"{address}/edit/board?board=P.T")
        expect(page.locator("#verdict")).to_have_text("Police catches the thief in 3 plies")
        page.tap(cell(page, 0, 1))
        expect(page.locator("#verdict")).to_have_text("Draw")


def test_a_graph_is_drawn_by_keyboard_and_its_winners_seen(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/graph?graph=a~")
        for name in ("b", "c"):
            page.focus("#graph-name")
            page.keyboard.type(name)
            page.keyboard.press("Enter")
        for source, target in (("a", "b"), ("b", "c"), ("c", "a")):
            page.select_option("#graph-source", source)
            page.select_option("#graph-target", target)
            page.focus("#graph-add-edge button")
            page.keyboard.press("Enter")
        verdict = page.locator("#verdict")
        expect(verdict).to_have_text("From a: Draw: perfect play never ends")
        page.locator('[aria-label="The game ends at c"]').select_option("loss")
        rows = page.locator("#graph-vertices tr")
        expect(rows.nth(0)).to_contain_text("▼ LOSS in 2")
        expect(rows.nth(1)).to_contain_text("▲ WIN in 1")
        page.focus("#graph-owned")
        page.keyboard.press(" ")
        page.locator('[aria-label="Who moves at b"]').select_option("1")
        expect(rows.nth(1)).to_contain_text("▲ WIN in 1player 1")
        page.focus('[aria-label="Start at b"]')
        page.keyboard.press(" ")
        expect(verdict).to_have_text("From b: Win for player 1 in 1 ply")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Start at b"
        assert page.url == f"{address}/edit/graph?graph=a-0.b-1s.c-0l~a-b.b-c.c-a"
        page.reload()
        expect(rows.nth(1)).to_contain_text("▲ WIN in 1player 1")
        page.focus('[aria-label="Remove the edge from b to c"]')
        page.keyboard.press("Enter")
        expect(verdict).to_have_text("From b: Game over, won by player 0")
        page.click("#film")
        page.wait_for_selector("#film[data-ready]")


def test_a_graph_is_drawn_by_mouse_and_loaded_as_text(browser: Browser, address: str) -> None:
    with watched(browser, refused=1) as page:
        page.goto(f"{address}/edit/graph?graph=a~")
        page.wait_for_selector("#graph-sketch svg")
        box = page.locator("#graph-sketch").bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.click(middle[0] + 150, middle[1])
        expect(page.locator("#graph-vertices tr")).to_have_count(2)
        page.mouse.click(*middle)
        page.mouse.click(middle[0] + 150, middle[1])
        expect(page.locator("#graph-edges li")).to_have_text(["a → b \N{MULTIPLICATION SIGN}"])
        expect(page.locator("#verdict")).to_have_text("From a: Win for First player in 1 ply")
        page.fill("#graph-text", "x,y\ny,z\n")
        page.click("#graph-form button")
        expect(page.locator("#graph-edges li")).to_have_text(
            ["x → y \N{MULTIPLICATION SIGN}", "y → z \N{MULTIPLICATION SIGN}"]
        )
        saved = page.locator("#save-json").get_attribute("href")
        assert saved is not None
        page.fill("#graph-text", "only one column")
        page.click("#graph-form button")
        expect(page.locator("#error")).not_to_have_text("")
        no_result(page)
        for row in page.locator("#graph-vertices tr").all():
            expect(row.locator("td").first).to_have_text("")
        assert page.input_value("#graph-text") == "only one column"
        page.click("[name=tool][value=erase]")
        page.click('[aria-label="Remove y"]')
        expect(page.locator("#graph-edges li")).to_have_count(0)
        expect(page.locator("#verdict")).to_have_text("From x: Game over, won by Second player")
        for name in ("x", "z"):
            page.click(f'[aria-label="Remove {name}"]')
        expect(page.locator("#verdict")).to_have_text("Add a vertex to begin.")
        assert page.locator("#play").get_attribute("href") is None


def test_the_editors_are_accessible(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 380, "height": 800}) as page:
        for kind in ("board", "graph"):
            page.goto(f"{address}/edit/{kind}")
            page.wait_for_selector(".drawing:not([hidden])")
            check_accessible(page)


def test_a_page_without_javascript_solves_what_is_typed(address: str) -> None:
    status, page = request(f"{address}/edit/board?text=P.E%0D%0A.T.")
    assert status == 200
    assert "Police catches the thief in 1 ply" in page
    assert (
        "/edit/board?board=P.E-.T.&amp;language=en"
        in request(f"{address}/edit/board?text=P.E%0A.T.&language=en")[1]
    )
    status, page = request(f"{address}/edit/graph?text=a,b")
    assert status == 200
    assert "Win for First player in 1 ply" in page


@pytest.mark.long(but=1)
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("kind", "typed", "sentence"),
    [("board", "P.E\n.X.", "row 2, column 2 is 'X'"), ("graph", "<one> <two> <three>", "expected")],
)
def test_a_text_that_is_no_drawing_stays_in_the_editor(
    browser: Browser, address: str, scripts: bool, kind: str, typed: str, sentence: str
) -> None:
    with watched(browser, refused=1, java_script_enabled=scripts) as page:
        page.goto(f"{address}/edit/{kind}?text={quote(typed)}&language=en")
        expect(page.locator("#error")).to_contain_text(sentence)
        no_result(page)
        assert page.input_value(f"#{kind}-text") == typed
        page.fill(f"#{kind}-text", "PT" if kind == "board" else "a,b")
        page.locator(f"#{kind}-form button").first.click()
        expect(page.locator("#verdict")).not_to_have_text("")
        expect(page.locator("#error")).to_have_text("")


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("/api/boards", b".\n" * 21, "a board of 21 by 1 cells is too large: expected at most 20 by 20"),
        ("/api/boards", b"." * 2000, "a board of 2000 characters is too large"),
        ("/api/boards", b"PP", "has a second policeman"),
        ("/api/boards", b"", "no rows: expected lines of"),
        ("/api/boards", b"\xff", "byte 0 of the body is not UTF-8: expected text"),
        ("/api/boards", b"import os", "row 1, column 1 is 'i'"),
        ("/api/graphs", b"\n".join(b"%d,%d" % (i, i + 1) for i in range(100)), "a graph of 101 vertices"),
        ("/api/graphs", b"a,b\n" * 401, "and 401 edges: expected 1 to 100 vertices and at most 400 edges"),
        ("/api/graphs", b'{"format": "retrosolve", "version": 1, "vertices": 0, "successors": []}', "a graph of 0"),
        ("/api/graphs", b"{", "expected JSON"),
        ("/api/graphs", b"a" * 41 + b",c", "is no name"),
        ("/api/graphs", b"class Stones(rs.Game): pass", "expected"),
    ],
)  # fmt: skip
def test_what_is_too_large_or_no_drawing_is_refused(
    address: str, path: str, body: bytes, sentence: str
) -> None:
    status, answer = request(address + path, body)
    assert status == 422
    assert sentence in answer["error"]


@pytest.mark.parametrize(
    "name",
    [
        "graph~a~a-b",
        "graph~a.a~",
        "graph~~",
        "graph~a~~~",
        "graph~a-x~",
        "graph~a-0.b~",
        "graph~a-s.b-s~",
        "board~P-..",
    ],
)
def test_a_name_that_describes_no_game_is_refused(address: str, name: str) -> None:
    for page in ("", "film", "structure"):
        assert request(f"{address}/g/{name}/{page}")[0] == 422
    assert request(f"{address}/api/games/{name}/position")[0] == 422


@settings(max_examples=60)
@given(boards())
def test_a_board_is_described_by_its_name(text: str) -> None:
    board = parse_board(text)
    assert str(board_of(board_name(board).partition("~")[2])) == str(board)


@settings(max_examples=60)
@given(graphs(max_vertices=9), stuck_values())
def test_a_graph_is_described_by_its_name(graph: rs.Graph, stuck: str) -> None:
    if not graph.num_vertices:
        return
    drawn = SmallGraph.of(graph, 0, stuck)
    again = SmallGraph.parse(drawn.name().partition("~")[2])
    assert again.graph() == drawn.graph()
    assert (again.start, again.stuck) == (0, stuck)
    _, solution = make_graph(drawn.name().partition("~")[2])
    expected = rs.solve(graph, stuck=stuck)
    assert [solution[str(v)] for v in range(graph.num_vertices)] == [
        expected[v] for v in range(graph.num_vertices)
    ]


@settings(max_examples=150)
@given(st.text(alphabet='ab.-~01wlts*EPTx\n,{}"\u0661 ', max_size=40))
def test_any_text_is_a_drawing_or_refused_in_a_sentence(text: str) -> None:
    for read in (board_of, small_board, SmallGraph.parse, small_graph):
        with suppress(rs.RetrosolveError):
            read(text)


def test_limits_of_the_editors() -> None:
    with pytest.raises(DescriptionError):
        SmallGraph(("a",) * (MAX_VERTICES + 1), ()).checked()
    with pytest.raises(DescriptionError):
        SmallGraph(("a",), ((0, 0),) * (MAX_EDGES + 1)).checked()
    with pytest.raises(DescriptionError, match="the address of the graph would have"):
        SmallGraph(
            tuple(f"{v:020}" for v in range(100)), tuple((v, 99 - v) for v in range(100)) * 4
        ).checked()
    assert board_of("-".join(["." * MAX_SIDE] * MAX_SIDE)).rows == MAX_SIDE


def test_a_graph_is_saved_as_files_that_are_read_again(address: str) -> None:
    status, found = request(f"{address}/api/graphs", b"a,b\nb,a\nb,c")
    assert status == 200
    check(SCHEMAS["Graph"], found)
    check(SCHEMAS["Board"], request(f"{address}/api/boards", b"P.E")[1])
    assert found["texts"]["csv"] == "source,target\na,b\nb,a\nb,c\n"
    assert json.loads(found["texts"]["json"])["names"] == ["a", "b", "c"]
    for text in found["texts"].values():
        again = request(f"{address}/api/graphs", text.encode())[1]
        assert again == found


READ = """async (texts) => {
  const { solvedGraph, parseGraph } = await import("/static/drawn-games.js");
  const { TextError } = await import("/static/pursuit.js");
  const { editorData } = await import("/static/solving.js");
  const { words, limits } = editorData();
  return texts.map((text) => {
    try {
      const { names, edges } = solvedGraph(parseGraph(text), words, limits);
      return { names, edges };
    } catch (failure) {
      if (failure instanceof TextError) return null;
      throw failure;
    }
  });
}"""


def test_odd_texts_are_the_same_graph_for_page_and_package_or_refused(
    browser: Browser, address: str
) -> None:
    rows = {row.what: row for row in ODD_TEXTS if not row.options and row.data[:2] != b"\xff\xfe"}
    texts = {what: row.data.decode() for what, row in rows.items()}
    successors = '"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []]'
    texts["rewards in JSON"] = f'{{{successors}, "reward": [[3], []]}}'
    texts["no rewards in JSON"] = f'{{{successors}, "reward": [[0], []]}}'
    with watched(browser) as page:
        page.goto(f"{address}/edit/graph")
        drawn = page.evaluate(READ, [*texts.values()])
    found = {
        what: graph and Reading.of(graph["names"], graph["edges"])
        for what, graph in zip(texts, drawn, strict=True)
    }
    served: dict[str, Reading | None] = dict.fromkeys(texts)
    for what, text in texts.items():
        with suppress(rs.RetrosolveError):
            graph = small_graph(text)
            served[what] = Reading.of([*graph.names], graph.edges)
    expected = {what: row.by("page") for what, row in rows.items()}
    assert len(expected) > 270
    assert found == served
    assert found == {what: right and right.as_text() for what, right in expected.items()} | {
        "rewards in JSON": None,
        "no rewards in JSON": Reading(["0", "1"], [("0", "1")]),
    }


def drawn_names(page: Page) -> list[str]:
    names: list[str] = page.locator("#graph-vertices input").evaluate_all(
        "inputs => inputs.filter((e) => e.type !== 'radio').map((e) => e.value)"
    )
    return names


def test_strokes_and_clicks_on_a_board_are_undone_and_done_again(
    browser: Browser, address: str
) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/board?board=P...-....-...T")
        text = page.locator("#board-text")
        expect(page.locator("#undo")).to_be_disabled()
        page.mouse.move(*middle(page, 0, 0))
        page.mouse.move(*middle(page, 1, 0))
        page.mouse.down()
        for column in (1, 2, 3):
            page.mouse.move(*middle(page, 1, column), steps=3)
        page.mouse.up()
        expect(text).to_have_value("P...\n****\n...T")
        page.click(cell(page, 0, 1))
        expect(text).to_have_value("P*..\n****\n...T")
        page.keyboard.press("Control+z")
        expect(text).to_have_value("P...\n****\n...T")
        page.click("#undo")
        expect(text).to_have_value("P...\n....\n...T")
        expect(page.locator("#undo")).to_be_disabled()
        expect(page.locator("#verdict")).to_contain_text("Police catches the thief in")
        page.keyboard.press("Control+y")
        page.keyboard.press("Control+Shift+z")
        expect(text).to_have_value("P*..\n****\n...T")
        expect(page.locator("#redo")).to_be_disabled()
        page.fill("#board-rows", "2")
        page.keyboard.press("Tab")
        page.focus(cell(page, 0, 0))
        page.keyboard.press("Control+z")
        expect(text).to_have_value("P*..\n****\n...T")


def test_a_stroke_goes_round_the_tokens(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/board?board=..P..T")
        page.mouse.move(*middle(page, 0, 0))
        page.mouse.down()
        page.mouse.move(*middle(page, 0, 5), steps=12)
        page.mouse.up()
        expect(page.locator("#board-text")).to_have_value("**P**T")


def test_every_cell_shows_who_wins_with_the_thief_there(browser: Browser, address: str) -> None:
    game = PoliceAndThief.from_text("P.E\n.*.\n..T")
    solution = rs.solve(game)
    signs = {"win": "▲", "loss": "▼", "draw": "∞"}
    expected = {}
    for row, column in [(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2)]:
        outcome = solution[(1, 1), (row, column), "policeman"]
        plies = "" if outcome.remoteness is None else outcome.remoteness
        expected[f"{row - 1},{column - 1}"] = f"{signs[outcome.value.label]}{plies}"
    with watched(browser) as page:
        page.goto(f"{address}/edit/board?board=P.E-.x.-..T")
        expect(page.locator("#board-grid [data-outcome='▼0']")).to_have_count(1)
        shown = page.locator("#board-grid td:not(.is-wall)").evaluate_all(
            "cells => cells.map((cell) => [cell.dataset.at, cell.dataset.outcome])"
        )
        assert dict(shown) == expected
        said = page.locator(cell(page, 0, 2)).get_attribute("aria-label")
        assert said == "row 1, column 3: exit; with the thief here: The thief escapes"
        page.uncheck("#board-winners")
        expect(page.locator("#board-grid [data-outcome='']")).to_have_count(9)


def test_vertices_are_moved_and_have_names_of_any_kind(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/graph?graph=a.b~a-b")
        node = page.locator(".sketch .node").nth(1)
        transform = node.get_attribute("transform") or ""
        before = node.bounding_box()
        assert before is not None
        page.mouse.move(before["x"] + 20, before["y"] + 20)
        page.mouse.down()
        page.mouse.move(before["x"] + 60, before["y"] + 120, steps=5)
        page.mouse.up()
        after = page.locator(".sketch .node").nth(1).bounding_box()
        assert after is not None
        assert after["y"] > before["y"] + 60
        assert page.locator("#graph-vertices tr").count() == 2
        page.click("#undo")
        expect(node).to_have_attribute("transform", transform)
        name = "a state: 3, left é رأس"
        page.fill('[aria-label="Name of b"]', name)
        page.keyboard.press("Tab")
        expect(page.locator("#play")).to_have_attribute("href", re.compile("graph~a\\.a!20state"))
        page.click("#play")
        page.wait_for_selector("a.move")
        assert page.locator("a.move").first.inner_text() == name
        page.click("nav >> text=Edit")
        page.wait_for_selector("#graph-vertices input")
        assert drawn_names(page) == ["a", name]
        page.fill('[aria-label="Name of a"]', name)
        page.keyboard.press("Tab")
        expect(page.locator("#error")).to_have_text(f"There already is a vertex {name}.")


def test_editors_say_in_the_language_of_the_page_why_a_text_is_refused(
    browser: Browser, address: str
) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/edit/board?language=ru")
        page.fill("#board-text", "P.E\n.X.")
        page.click("#board-form button")
        expect(page.locator("#error")).to_contain_text("строка 2, столбец 2")
        page.goto(f"{address}/edit/board?language=fa")
        page.fill("#board-text", "PP")
        page.click("#board-form button")
        expect(page.locator("#error")).to_contain_text("ردیف ۱، ستون ۲")
    status, answer = request(f"{address}/edit/board?text=X&language=tr")
    assert status == 422
    assert "Ayrıntılar (İngilizce): board, line 1" in answer


COMPARED = """async ([kind, texts, language]) => {
  const { solvedBoard, solvedGraph, parseGraph } = await import("/static/drawn-games.js");
  const { editorData } = await import("/static/solving.js");
  const { words, limits, most } = editorData();
  return texts.map((text) => {
    const found = kind === "board" ? solvedBoard(text, words, most) : solvedGraph(parseGraph(text), words, limits);
    delete found.game;
    return found;
  });
}"""


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_solves_a_drawing_as_the_server_does(
    browser: Browser, address: str, language: str
) -> None:
    boards = [random_board(seed, 4) for seed in range(60)]
    graphs = [random_graph(seed) for seed in range(60)]
    drawn = [
        SmallGraph.of(graph, None, ("loss", "win", "tie")[seed % 3])
        for seed, graph in enumerate(graphs)
        if graph.num_vertices
    ]
    texts = {"board": boards, "graph": [file_text("json", one) for one in drawn]}
    texts["graph"] += ["a,b\nb,a\nb,c\n", "3 4\n4 7\n", "# edges\nsource;target\nx;y y\n"]
    for kind, all_of_kind in texts.items():
        with watched(browser) as page:
            page.goto(f"{address}/edit/{kind}?language={language}")
            found = page.evaluate(COMPARED, [kind, all_of_kind, language])
        for text, here in zip(all_of_kind, found, strict=True):
            there = request(f"{address}/api/{kind}s?language={language}", text.encode())[1]
            for key in ("verdict", "value", "plies") if kind == "board" else (
                "verdict", "value", "names", "edges", "owner", "start", "stuck"
            ):  # fmt: skip
                assert here[key] == there[key], (key, text)
            description = unquote(there["edit"].partition("=")[2].partition("&")[0])
            assert here["description"] == description
            if kind == "graph":
                keys = ("value", "remoteness", "text", "winner")
                assert [{k: o[k] for k in keys} for o in here["outcomes"]] == there["outcomes"]
                assert [t for t in here["terminal"] if t] == [t for t in there["terminal"] if t]
                assert here["texts"]["csv"] == there["texts"]["csv"]
