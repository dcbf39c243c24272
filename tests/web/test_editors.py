"""The editors: what is drawn is solved at once, and its address is all there is to it."""

import json
import re
from contextlib import suppress
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Locator, Page, expect

import retrosolve as rs
from retrosolve.formats.board import parse_board
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import random_board, random_graph
from retrosolve.testing.strategies import boards, graphs, stuck_values
from retrosolve.web.api import SCHEMAS
from retrosolve.web.descriptions import SmallGraph, board_name, board_of, make_graph, small_board
from retrosolve.web.pages.editors import file_text, small_graph
from tests.support.odd_texts import ODD_TEXTS, Reading
from tests.web.drawn import box, centre, draw_along, read, request, watched
from tests.web.test_api import check


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'#board-grid td[data-at="{row},{column}"]')


def solves(page: Page, text: str, kind: str) -> None:
    """Write a text and have it solved."""
    page.fill(f"#{kind}-text", text)
    page.locator(f"#{kind}-form button").first.click()


def no_result(page: Page) -> None:
    """Neither a verdict nor a link to a game is beside a text that has none."""
    expect(page.locator("#verdict")).to_have_text("")
    expect(page.locator("#verdict")).to_have_class("verdict")
    for link in ("play", "film", "edit"):
        assert page.locator(f"#{link}").get_attribute("href") is None


def test_a_board_is_painted_by_mouse_and_every_change_is_undone(page: Page) -> None:
    verdict, text = page.locator("#verdict"), page.locator("#board-text")
    page.goto("/edit/board")
    expect(verdict).to_have_text("Police catches the thief in 9 plies")
    cell(page, 3, 0).click()
    cell(page, 4, 1).click()
    expect(verdict).to_have_text("Draw")
    page.wait_for_url("**/edit/board?board=P.x..E-..x...-....x.-xx....-Tx....")
    cell(page, 3, 0).click()
    expect(verdict).to_have_text("Police catches the thief in 7 plies")
    page.reload()
    expect(verdict).to_have_text("Police catches the thief in 7 plies")
    expect(text).to_have_value("P.*..E\n..*...\n....*.\n.*....\nT*....")
    page.click("[name=tool][value=E]")
    draw_along(page, cell(page, 2, 0), cell(page, 2, 3))
    expect(page.locator("#board-grid .is-exit")).to_have_count(5)
    page.wait_for_url("**/edit/board?board=P.x..E-..x...-EEEEx.-.x....-Tx....")
    page.click("#play")
    page.wait_for_selector("a.move")
    assert page.url.endswith("/g/board~P.x..E-..x...-EEEEx.-.x....-Tx..../")
    page.click("nav >> text=Edit")
    expect(page.locator("#board-grid .is-exit")).to_have_count(5)
    page.goto("/edit/board?board=..P..T")
    draw_along(page, cell(page, 0, 0), cell(page, 0, 1), cell(page, 0, 3), cell(page, 0, 5))
    expect(text).to_have_value("**P**T")  # a stroke goes round the tokens
    page.goto("/edit/board?board=P...-....-...T")
    expect(page.locator("#undo")).to_be_disabled()
    page.mouse.move(*centre(cell(page, 1, 0)))
    draw_along(page, *(cell(page, 1, column) for column in range(4)))
    cell(page, 0, 1).click()
    first, stroke, both = (f"P{a}..\n{4 * b}\n...T" for a, b in ("..", ".*", "**"))
    expect(text).to_have_value(both)
    presses = ("z", stroke), ("z", first), ("y", stroke), ("Shift+z", both)
    for press, shown in presses:
        page.keyboard.press(f"Control+{press}")
        expect(text).to_have_value(shown)
    expect(page.locator("#redo")).to_be_disabled()
    page.fill("#board-rows", "2")
    page.keyboard.press("Tab")
    cell(page, 0, 0).focus()
    page.click("#undo")
    expect(text).to_have_value(both)


def test_a_board_is_painted_by_touch_by_keyboard_and_from_files(phone: Page) -> None:
    verdict, grid = phone.locator("#verdict"), phone.locator("#board-grid tr")
    phone.goto("/edit/board?board=P.T")
    expect(verdict).to_have_text("Police catches the thief in 3 plies")
    cell(phone, 0, 1).tap()
    expect(verdict).to_have_text("Draw")
    phone.goto("/edit/board?board=...-...")
    expect(verdict).to_contain_text("All positions are solved.")
    cell(phone, 0, 0).focus()
    for key in ("p", "ArrowRight", "*", "ArrowDown", "ArrowRight", "t"):
        phone.keyboard.press(key)
    expect(verdict).to_have_text("Police catches the thief in 3 plies")
    for key in ("ArrowUp", "Enter"):
        phone.keyboard.press(key)
    assert cell(phone, 0, 2).get_attribute("aria-label") == "row 1, column 3: wall"
    phone.focus("#board-rows")
    phone.keyboard.press("ArrowUp")
    expect(grid).to_have_count(3)
    solves(phone, "P.E\n.X.", "board")
    expect(phone.locator("#error")).to_contain_text("row 2, column 2 is 'X'")
    no_result(phone)
    solves(phone, "P.E\n.T.", "board")
    expect(phone.locator("#error")).to_have_text("")
    expect(verdict).to_have_text("Police catches the thief in 1 ply")
    expect(phone.locator("#play")).to_have_attribute("href", "/g/board~P.E-.T./")
    file = {"name": "board.txt", "mimeType": "text/plain", "buffer": b"1 3\nPT.\n"}
    phone.set_input_files("#board-file", [file])
    expect(grid).to_have_count(1)
    assert unquote((phone.get_attribute("#save", "href") or "").partition(",")[2]) == "PT.\n"
    phone.click("#film")
    phone.wait_for_selector(".film-board")


def test_every_cell_shows_who_wins_with_the_thief_there(page: Page) -> None:
    solution = rs.solve(PoliceAndThief.from_text("P.E\n.*.\n..T"))
    expected = {}
    for row, column in [(r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2)]:
        value, plies = solution[(1, 1), (row, column), "policeman"]
        sign = {"win": "▲", "loss": "▼", "draw": "∞"}[value.label]
        expected[f"{row - 1},{column - 1}"] = f"{sign}{'' if plies is None else plies}"
    page.goto("/edit/board?board=P.E-.x.-..T")
    expect(page.locator("#board-grid [data-outcome='▼0']")).to_have_count(1)
    shown = page.locator("#board-grid td:not(.is-wall)").evaluate_all(
        "all => all.map(({ dataset }) => [dataset.at, dataset.outcome])"
    )
    assert dict(shown) == expected
    said = cell(page, 0, 2).get_attribute("aria-label")
    assert said == "row 1, column 3: exit; with the thief here: The thief escapes"
    page.uncheck("#board-winners")
    expect(page.locator("#board-grid [data-outcome='']")).to_have_count(9)


def test_a_graph_is_drawn_by_keyboard_and_its_winners_seen(page: Page) -> None:
    page.goto("/edit/graph?graph=a~")
    for name in ("b", "c"):
        page.focus("#graph-name")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    for source, target in (("a", "b"), ("b", "c"), ("c", "a")):
        page.select_option("#graph-source", source)
        page.select_option("#graph-target", target)
        page.focus("#graph-add-edge button")
        page.keyboard.press("Enter")
    verdict, rows = page.locator("#verdict"), page.locator("#graph-vertices tr")
    expect(verdict).to_have_text("From a: Draw: perfect play never ends")
    page.locator('[aria-label="The game ends at c"]').select_option("loss")
    expect(rows.nth(0)).to_contain_text("▼ LOSS in 2")
    expect(rows.nth(1)).to_contain_text("▲ WIN in 1")
    page.focus("#graph-owned")
    page.keyboard.press(" ")
    page.locator('[aria-label="Who moves at b"]').select_option("1")
    page.focus('[aria-label="Start at b"]')
    page.keyboard.press(" ")
    expect(verdict).to_have_text("From b: Win for player 1 in 1 ply")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Start at b"
    page.wait_for_url("**/edit/graph?graph=a-0.b-1s.c-0l~a-b.b-c.c-a")
    page.reload()
    expect(rows.nth(1)).to_contain_text("▲ WIN in 1player 1")
    page.focus('[aria-label="Remove the edge from b to c"]')
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("From b: Game over, won by player 0")
    page.click("#film")
    page.wait_for_selector("#film[data-ready]")


def test_a_graph_is_drawn_by_mouse_loaded_as_text_and_renamed(browser: Browser, address: str) -> None:
    with watched(browser, refused=1, base_url=address) as page:
        rows, edges, verdict = (
            page.locator(name) for name in ("#graph-vertices tr", "#graph-edges li", "#verdict")
        )
        page.goto("/edit/graph?graph=a~")
        page.wait_for_selector("#graph-sketch svg")
        x, y = centre(page.locator("#graph-sketch"))
        page.mouse.click(x + 150, y)
        expect(rows).to_have_count(2)
        page.mouse.click(x, y)
        page.mouse.click(x + 150, y)
        expect(edges).to_have_text(["a → b \N{MULTIPLICATION SIGN}"])
        expect(verdict).to_have_text("From a: Win for First player in 1 ply")
        solves(page, "x,y\ny,z\n", "graph")
        expect(edges).to_have_text(["x → y \N{MULTIPLICATION SIGN}", "y → z \N{MULTIPLICATION SIGN}"])
        assert page.get_attribute("#save-json", "href")
        solves(page, "only one column", "graph")
        expect(page.locator("#error")).not_to_have_text("")
        no_result(page)
        for row in rows.all():
            expect(row.locator("td").first).to_have_text("")
        assert page.input_value("#graph-text") == "only one column"
        page.click("[name=tool][value=erase]")
        page.click('[aria-label="Remove y"]')
        expect(edges).to_have_count(0)
        expect(verdict).to_have_text("From x: Game over, won by Second player")
        for name in ("x", "z"):
            page.click(f'[aria-label="Remove {name}"]')
        expect(verdict).to_have_text("Add a vertex to begin.")
        assert page.get_attribute("#play", "href") is None
        page.goto("/edit/graph?graph=a.b~a-b")
        node = page.locator(".sketch .node").nth(1)
        transform, before = node.get_attribute("transform") or "", box(node)
        draw_along(page, *((before["x"] + 20 + 20 * k, before["y"] + 20 + 50 * k) for k in range(3)))
        assert box(node)["y"] > before["y"] + 60
        assert rows.count() == 2
        page.click("#undo")
        expect(node).to_have_attribute("transform", transform)
        name = "a state: 3, left é رأس"
        page.fill('[aria-label="Name of b"]', name)
        page.keyboard.press("Tab")
        expect(page.locator("#play")).to_have_attribute("href", re.compile("graph~a\\.a!20state"))
        page.click("#play")
        assert page.locator("a.move").first.inner_text() == name
        page.click("nav >> text=Edit")
        page.wait_for_selector("#graph-vertices input")
        assert page.locator('#graph-vertices [aria-label^="Name of"]').nth(1).input_value() == name
        page.fill('[aria-label="Name of a"]', name)
        page.keyboard.press("Tab")
        expect(page.locator("#error")).to_have_text(f"There already is a vertex {name}.")


@pytest.mark.long(but=1)
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(
    ("kind", "typed", "good"),
    [("board", "P.E\n.X.", "P.E\n.T."), ("graph", "<one> <two> <three>", "a,b")],
)
def test_a_text_that_is_no_drawing_stays_in_the_editor(
    browser: Browser, address: str, scripts: bool, kind: str, typed: str, good: str
) -> None:
    with watched(browser, refused=1, java_script_enabled=scripts, base_url=address) as page:
        page.goto(f"/edit/{kind}?text={quote(typed)}&language=en")
        expect(page.locator("#error")).not_to_have_text("")
        no_result(page)
        assert page.input_value(f"#{kind}-text") == typed
        solves(page, good, kind)
        expect(page.locator("#verdict")).to_contain_text("in 1 ply")
        expect(page.locator("#error")).to_have_text("")
        if kind == "board" and scripts:  # the page itself says why, in its language
            page.goto("/edit/board?language=fa")
            solves(page, "PP", "board")
            expect(page.locator("#error")).to_contain_text("ردیف ۱، ستون ۲")


# -- what describes a drawing ---------------------------------------------------------------------------


@settings(max_examples=30)
@given(boards(), graphs(max_vertices=9), stuck_values())
def test_a_drawing_is_described_by_its_name(text: str, graph: rs.Graph, stuck: str) -> None:
    board = parse_board(text)
    assert str(board_of(board_name(board).partition("~")[2])) == str(board)
    if not graph.num_vertices:
        return
    drawn = SmallGraph.of(graph, 0, stuck)
    description = drawn.name().partition("~")[2]
    again = SmallGraph.parse(description)
    assert again.graph() == drawn.graph()
    assert (again.start, again.stuck) == (0, stuck)
    found, expected = make_graph(description)[1], rs.solve(graph, stuck=stuck)
    assert [found[str(v)] for v in range(graph.num_vertices)] == list(expected.values())


@settings(max_examples=60)
@given(st.text(alphabet='ab.-~01wlts*EPTx\n,{}"\u0661 ', max_size=40))
def test_any_text_is_a_drawing_or_refused_in_a_sentence(text: str) -> None:
    for reader in (board_of, small_board, SmallGraph.parse, small_graph):
        with suppress(rs.RetrosolveError):
            reader(text)


def test_a_name_that_describes_no_game_is_refused_on_every_page(address: str) -> None:
    for name in [
        "graph~a~a-b",
        "graph~a.a~",
        "graph~a~~~",
        "graph~a-x~",
        "graph~a-0.b~",
        "graph~a-s.b-s~",
        "board~P-..",
    ]:
        for page in (
            f"/g/{name}/",
            f"/g/{name}/film",
            f"/g/{name}/structure",
            f"/api/games/{name}/position",
        ):
            assert request(address + page)[0] == 422


def test_a_graph_is_saved_as_files_that_are_read_again(address: str) -> None:
    status, found = request(f"{address}/api/graphs", b"a,b\nb,a\nb,c")
    assert status == 200
    check(SCHEMAS["Graph"], found)
    check(SCHEMAS["Board"], request(f"{address}/api/boards", b"P.E")[1])
    assert found["texts"]["csv"] == "source,target\na,b\nb,a\nb,c\n"
    assert json.loads(found["texts"]["json"])["names"] == ["a", "b", "c"]
    for text in found["texts"].values():
        assert request(f"{address}/api/graphs", text.encode())[1] == found
    assert "/edit/board?board=P.E-.T.&amp;language=en" in read(
        f"{address}/edit/board?text=P.E%0A.T.&language=en"
    )


# -- what the page reads and solves, the package does ---------------------------------------------------

READ = """async ([kind, texts]) => {
  const { solvedBoard, solvedGraph, parseGraph } = await import("/static/drawn-games.js");
  const { TextError } = await import("/static/pursuit.js");
  const { editorData } = await import("/static/solving.js");
  const { words, limits, most } = editorData();
  return texts.map((text) => {
    try {
      const found = kind === "board" ? solvedBoard(text, words, most) : solvedGraph(parseGraph(text), words, limits);
      delete found.game;
      return found;
    } catch (failure) {
      if (failure instanceof TextError) return null;
      throw failure;
    }
  });
}"""


def test_odd_texts_are_the_same_graph_for_page_and_package_or_refused(page: Page) -> None:
    rows = {row.what: row for row in ODD_TEXTS if not row.options and row.data[:2] != b"\xff\xfe"}
    texts = {what: row.data.decode() for what, row in rows.items()}
    right = {
        what: found and found.as_text() for what, row in rows.items() for found in (row.by("page"),)
    }
    successors = '"format": "retrosolve", "version": 1, "vertices": 2, "successors": [[1], []]'
    for what, reward in (("rewards", 3), ("no rewards", 0)):
        texts[what] = f'{{{successors}, "reward": [[{reward}], []]}}'
        right[what] = None if reward else Reading(["0", "1"], [("0", "1")])
    page.goto("/edit/graph")
    drawn = zip(texts, page.evaluate(READ, ["graph", [*texts.values()]]), strict=True)
    served: dict[str, Reading | None] = dict.fromkeys(texts)
    for what, text in texts.items():
        with suppress(rs.RetrosolveError):
            graph = small_graph(text)
            served[what] = Reading.of([*graph.names], graph.edges)
    assert len(texts) > 270
    assert (
        {what: one and Reading.of(one["names"], one["edges"]) for what, one in drawn} == served == right
    )


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_solves_a_drawing_as_the_server_does(page: Page, address: str, language: str) -> None:
    graphs = [(random_graph(seed), ("loss", "win", "tie")[seed % 3]) for seed in range(25)]
    drawn = [SmallGraph.of(graph, None, stuck) for graph, stuck in graphs if graph.num_vertices]
    texts = {
        "board": [random_board(seed, 4) for seed in range(25)],
        "graph": [file_text("json", one) for one in drawn],
    }
    texts["graph"] += ["a,b\nb,a\nb,c\n", "3 4\n4 7\n", "# edges\nsource;target\nx;y y\n"]
    compared = {
        "board": ("verdict", "value", "plies"),
        "graph": ("verdict", "value", "names", "edges", "owner", "start", "stuck"),
    }
    for kind, all_of_kind in texts.items():
        page.goto(f"/edit/{kind}?language={language}")
        for text, here in zip(all_of_kind, page.evaluate(READ, [kind, all_of_kind]), strict=True):
            there = request(f"{address}/api/{kind}s?language={language}", text.encode())[1]
            assert {key: here[key] for key in compared[kind]} == {
                key: there[key] for key in compared[kind]
            }, text
            assert here["description"] == unquote(there["edit"].partition("=")[2].partition("&")[0])
            if kind == "graph":
                keys = ("value", "remoteness", "text", "winner")
                assert [{k: o[k] for k in keys} for o in here["outcomes"]] == there["outcomes"]
                assert [t for t in here["terminal"] if t] == [t for t in there["terminal"] if t]
                assert here["texts"]["csv"] == there["texts"]["csv"]
