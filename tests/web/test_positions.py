"""Positions in the browser: moves by click and by key, lines of play, opponents, links, what is read out."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.address import Address
from retrosolve.web.page_state import scene
from retrosolve.web.pages.position import _undo
from tests.web.drawn import check_accessible, games, watched

SVG_POINT = '#board [data-point="{}"]'


def verdict(page: Page) -> str:
    return page.inner_text("#verdict").split(maxsplit=1)[1]


def text(page: Page) -> str:
    return page.inner_text("#position-text")


def click_best(page: Page) -> None:
    """Click the first move of the list, and wait for the position that it leads to."""
    before = page.url
    page.locator("a.move").first.click()
    page.wait_for_function("url => location.href !== url", arg=before)
    page.wait_for_load_state()


def shown(page: Page, number: int) -> None:
    """Wait until the line has so many moves."""
    expect(page.locator(".plies li")).to_have_count(number)


def test_caught_is_played_to_the_capture_by_clicking_best_moves(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/caught/?you=0")
        for left in range(17, 0, -1):
            expect(page.locator("#verdict")).to_contain_text(
                f"You win in {left} {'ply' if left == 1 else 'plies'}"
            )
            click_best(page)
        expect(page.locator("#verdict")).to_contain_text("You have won")
        expect(page.locator(".turn")).to_contain_text("The game is over.")
        police, thief = re.findall(r"(\d+,\d+)", text(page))
        assert police == thief
        assert page.locator(".plies .note").count() == 0
        assert page.locator(".chart a").count() == 18


def test_moves_are_made_by_clicking_points_of_the_board(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/caught/")
        page.click(SVG_POINT.format("7,8"))
        assert page.locator("#board .is-clicked").get_attribute("data-point") == "7,8"
        page.click(SVG_POINT.format("6,7"))
        shown(page, 1)
        assert text(page) == "policeman 6,7, thief 3,2, thief to move"
        page.click(SVG_POINT.format("1,1"))  # no piece is there: nothing happens
        assert page.locator("#board .is-clicked").get_attribute("data-point") == "3,2"
        page.locator("#undo").click()
        expect(page.locator("#position-text")).to_have_text(
            "policeman 7,8, thief 3,2, policeman to move"
        )


def test_a_won_chess_ending_is_lost_by_a_bad_move_and_marked(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/?you=0")
        assert verdict(page) == "You win in 9 plies"
        bad = page.locator(".group.v-tie li", has_text="Rd2")
        assert bad.locator(".number").get_attribute("title") == "2 plies"
        bad.locator("a").click()
        shown(page, 1)
        row = page.locator(".plies li")
        expect(row).to_have_class("is-mistake")
        assert "mistake: Ra3 was better" in row.inner_text()
        assert page.locator(".chart .is-mistake text.flag").text_content() == "?"
        assert "without a winner" in verdict(page)
        page.locator(".plies a").click()  # a jump to where one is changes nothing
        shown(page, 1)
        page.get_by_role("link", name="To the beginning").click()
        expect(page.locator("#verdict")).to_contain_text("You win in 9 plies")


def test_a_permalink_and_the_back_button(browser: Browser, address: str) -> None:
    solution = rs.solve(parse_game("tictactoe"))
    with watched(browser) as page:
        page.goto(f"{address}/g/tictactoe/")
        for _ in range(3):
            click_best(page)
        position, link = text(page), page.locator("#permalink")
        page.locator(".share summary").click()
        link.click()
        expect(page.locator(".plies")).to_have_count(0)
        permalink, index = page.url, solution.space.index(position.replace("/", ""))
        assert permalink == f"{address}/g/tictactoe/?at=%23{index}"
        page.go_back()
        shown(page, 3)
        page.go_back()
        shown(page, 2)
        page.go_forward()
        shown(page, 3)
        assert text(page) == position
    with watched(browser) as page:
        page.goto(permalink)
        assert text(page) == position
        assert page.locator(".move-list a.move").all_inner_texts() == [
            move.name for move in solution.moves(position.replace("/", ""))
        ]


def test_everything_by_keyboard(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/caught/")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.wait_for_url("**/#content")
        page.keyboard.press("Tab")  # the first point that the policeman, who alone can move, goes to
        assert page.evaluate("document.activeElement.dataset.point") == "6,7"
        page.locator(SVG_POINT.format("7,8")).focus()
        page.keyboard.press("Enter")
        page.locator(SVG_POINT.format("6,7")).focus()
        page.keyboard.press(" ")
        shown(page, 1)
        expect(page.locator("#announcement")).to_contain_text("Policeman wins in 16 plies")
        page.locator("a.move").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        second = page.locator("a.move").nth(1).inner_text()
        assert page.evaluate("document.activeElement.textContent") == second
        page.keyboard.press("Enter")
        shown(page, 2)
        assert page.locator(".plies a").nth(1).inner_text() == second
        assert page.evaluate("document.activeElement.classList.contains('move')")
        page.locator("#undo").focus()
        page.keyboard.press("Enter")
        shown(page, 1)
        page.keyboard.press("Enter")
        shown(page, 0)


def test_a_perfect_opponent_answers_and_undo_takes_both_moves_back(
    browser: Browser, address: str
) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/caught/")
        page.select_option("select[name=mistakes]", "0.0")
        page.select_option("select[name=you]", "0")
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".turn")).to_contain_text("It is your turn.")
        page.locator("a.move").nth(2).click()
        shown(page, 2)
        expect(page.locator(".turn")).to_contain_text("It is your turn.")
        rows = page.locator(".plies li")
        assert rows.nth(0).get_attribute("class") == "is-slow"
        assert rows.nth(1).get_attribute("class") == "is-best"
        page.locator("#undo").click()
        shown(page, 0)
        page.get_by_text("Swap sides").click()
        shown(page, 1)  # now the policeman, who moves first, is the opponent
        expect(page.locator("#verdict")).to_contain_text("You lose in 16 plies")
        page.go_back()
        expect(page.locator(".turn")).to_contain_text("It is your turn.")


@pytest.mark.parametrize(
    ("made", "you", "mistakes", "left"),
    [
        (4, 0, 0.0, 1),
        (3, 0, 0.0, 1),
        (2, 0, 0.0, 1),
        (4, 1, 0.0, 3),
        (1, 1, 0.0, 0),
        (4, 0, None, 3),
    ],
)
def test_undo_goes_back_to_the_last_move_of_the_reader(
    made: int, you: int, mistakes: float | None, left: int
) -> None:
    """Each player moves twice."""
    owner = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1}
    graph = rs.Graph.from_edges(list(pairwise("abcdef")), owner=owner)
    shown = scene(rs.solve(graph.with_start("a")), Address("g", None, (1,) * made, you, mistakes))
    assert _undo(shown).line == (1,) * left


def test_an_opponent_who_always_errs_and_hidden_hints(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/stones/?at=9&you=0&mistakes=1&hints=no")
        assert page.locator(".group, .count, .number").count() == 0
        assert "win" not in page.inner_text("main").lower()
        page.goto(f"{address}/g/krk/?hints=no")  # in an order that says nothing
        names = page.locator("a.move").all_inner_texts()
        assert names == sorted(names)
        page.goto(f"{address}/g/stones/?at=10&you=1&mistakes=1")  # the only other move loses
        shown(page, 1)
        assert "mistake: take 1 was better" in page.locator(".plies li").inner_text()
        expect(page.locator("#verdict")).to_contain_text("You win in 5 plies")


def test_a_typed_line_is_followed_and_a_wrong_move_is_named(browser: Browser, address: str) -> None:
    with watched(browser, refused=1) as page:
        page.goto(f"{address}/g/krk/")
        page.fill("input[name=moves]", "1. ra2-a3 , ka4xa3")
        page.get_by_role("button", name="Follow the line").click()
        expect(page.locator("#line-error")).to_contain_text("'ka4xa3', is no move there: expected")
        assert page.input_value("input[name=moves]") == "1. ra2-a3 , ka4xa3"
        page.goto(f"{address}/g/stones/")
        page.fill("input[name=moves]", "take 1, Take 2; take 1")
        page.get_by_role("button", name="Follow the line").click()
        shown(page, 3)
        assert text(page) == "6"
        page.goto(f"{address}/g/stones/?language=ru")
        assert page.locator("a.move").all_inner_texts() == ["взять 1", "взять 2"]
        page.fill("input[name=moves]", "взять 1, take 2")
        page.locator("#line-form button").click()
        shown(page, 2)
        assert text(page) == "7"


def test_play_starts_from_any_position(browser: Browser, address: str) -> None:
    with watched(browser, refused=1) as page:
        page.goto(f"{address}/g/krk/")
        page.fill("input[name=position]", "4/1k2/4/KR2 b")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#position-text")).to_have_text("4/1k2/4/KR2 b")
        page.fill("input[name=position]", "nonsense")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#start-error")).to_contain_text("nonsense")
        check_accessible(page)


@pytest.mark.long
@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_wrong_in_a_form_stays_on_the_page_of_the_position(
    browser: Browser, address: str, scripts: bool
) -> None:
    with watched(browser, refused=2, java_script_enabled=scripts) as page:
        page.goto(f"{address}/g/krk/?hints=no&you=1&language=en&line=2-1")
        shown(page, 2)
        before = text(page)
        for field, form in (("moves", "line"), ("position", "start")):
            page.fill(f"input[name={field}]", "<8/8 'nonsense\"")
            page.locator(f"#{form}-form button").click()
            wrong = page.locator(f"input[name={field}]")
            expect(wrong).to_have_attribute("aria-invalid", "true")
            assert wrong.input_value() == "<8/8 'nonsense\""
            sentence = page.locator(f"#{wrong.get_attribute('aria-describedby')}")
            assert "nonsense" in sentence.inner_text()
            below, above = sentence.bounding_box(), wrong.bounding_box()
            assert below is not None
            assert above is not None
            assert 0 < below["y"] - above["y"] < 120
            shown(page, 2)
            assert text(page) == before
            assert page.locator("#board svg").count() == 1
            assert page.locator("nav [aria-current]").inner_text() == "krk"
            assert page.locator("select[name=hints]").input_value() == "no"
            assert page.locator("select[name=you]").input_value() == "1"
        page.fill("input[name=position]", "4/1k2/4/KR2 b")
        page.locator("#start-form button").click()
        expect(page.locator("#position-text")).to_have_text("4/1k2/4/KR2 b")
        assert "hints=no" in page.url
        assert page.locator(".error:visible").count() == 0


def test_an_address_of_no_position_shows_the_game_and_the_text(browser: Browser, address: str) -> None:
    with watched(browser, refused=2) as page:
        page.goto(f"{address}/g/krk/?at=nonsense&you=1&line=1")
        assert page.input_value("input[name=position]") == "nonsense"
        assert text(page) == "4/4/R3/K1k1 w"
        page.locator("a.move").first.click()
        shown(page, 1)
        page.goto(f"{address}/g/krk/?at=4/1k2/4/KR2+b&line=99")
        assert text(page) == "4/1k2/4/KR2 b"
        assert "number 99" in page.inner_text("main > .error")


def test_a_piece_keeps_its_colour_when_the_other_side_moves(browser: Browser, address: str) -> None:
    fill = "place => getComputedStyle(place).fill"
    with watched(browser) as page:
        page.goto(f"{address}/g/morris3/")
        page.click(SVG_POINT.format("1,1"))
        shown(page, 1)
        first = page.locator("#board .piece.other").evaluate(fill)
        page.click(SVG_POINT.format("2,2"))
        shown(page, 2)
        assert page.locator("#board .piece.mover").evaluate(fill) == first
        assert page.locator("#board .piece.other").evaluate(fill) != first


def test_a_graph_is_drawn_around_a_position(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/graph/")
        page.wait_for_selector('.graph[data-drawn="6"] svg')
        page.locator("a.move").first.click()
        page.wait_for_selector('.graph[data-drawn="6"] svg')
        shown(page, 1)
        page.goto(f"{address}/g/stones/graph?at=4")
        page.wait_for_selector('.graph[data-drawn="5"] svg')
        rows = page.locator("main tbody tr").all_inner_texts()
        assert rows == [
            "4\t▲ wins in 3",
            "3\t▼ loses in 2",
            "2\t▲ wins in 1",
            "1\t▲ wins in 1",
            "0\t▼ has lost",
        ]


def test_printing_leaves_out_what_cannot_be_clicked_on_paper(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/tictactoe/?line=1-1")
        page.emulate_media(media="print", color_scheme="dark")
        for gone in ("header", "footer", ".controls", ".actions"):
            expect(page.locator(gone)).to_be_hidden()
        expect(page.locator(".move-list")).to_be_visible()
        color = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert color == "rgb(255, 255, 255)"


PAGES = (
    "/",
    "/g/caught/?line=1-1-4",
    "/g/krk/?line=5&you=1",
    "/g/graph/",
    "/g/stones/graph",
    "/g/krk/structure",
    "/g/caught/find?value=win&remoteness=17",
    "/g/krk/?at=nothing",
)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("path", PAGES)
def test_pages_are_accessible_on_a_phone_and_in_both_schemes(
    browser: Browser, address: str, path: str
) -> None:
    with watched(
        browser, refused=path.endswith("nothing"), viewport={"width": 360, "height": 740}
    ) as page:
        page.goto(address + path)
        check_accessible(page)


def test_pages_work_without_scripts(browser: Browser, address: str) -> None:
    with watched(browser, java_script_enabled=False) as page:
        page.goto(f"{address}/g/tictactoe/?you=0&mistakes=0")
        for ply in range(9):
            (page.locator("#reply") if ply % 2 else page.locator("a.move").first).click()
        assert page.locator(".plies li").count() == 9
        expect(page.locator("#verdict")).to_contain_text("The game has ended without a winner")


def test_every_game_of_the_tests_is_listed(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(address)
        codes = page.locator(".card h2 code").all_inner_texts()
        assert [*codes, page.locator(".card h2 a").last.inner_text()] == list(games())
