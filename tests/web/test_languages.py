"""The pages in other languages: chosen by the browser, Persian from right to left."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.games.stones import Stones
from retrosolve.languages import LANGUAGES, translation
from tests.web.drawn import check_accessible, request, watched

PAGES = ("/", "/g/tictactoe/", "/g/stones/structure", "/g/stones/film", "/g/graph/graph")


def left_of(page: Page, label: str) -> float:
    box = page.locator(f'[data-point="{label}"]').bounding_box()
    assert box is not None
    return box["x"]


def direction(page: Page, selector: str) -> str:
    found: str = page.evaluate(
        "selector => getComputedStyle(document.querySelector(selector)).direction", selector
    )
    return found


def test_persian_runs_from_right_to_left_and_boards_do_not(browser: Browser, address: str) -> None:
    with watched(browser, locale="fa-IR", viewport={"width": 1200, "height": 900}) as page:
        page.goto(f"{address}/g/tictactoe/")
        assert page.get_attribute("html", "lang") == "fa"
        assert direction(page, "html") == "rtl"
        assert direction(page, ".moves") == "rtl"
        place, moves = (page.locator(part).bounding_box() for part in (".place", "section.moves"))
        assert place is not None
        assert moves is not None
        assert place["x"] > moves["x"] + moves["width"] - 1  # the board is on the right
        assert left_of(page, "1,1") < left_of(page, "1,2") < left_of(page, "1,3")
        page.goto(f"{address}/g/krk/")
        assert translation("fa").gettext("{player} to move").partition("{")[0] in page.inner_text(
            ".turn"
        )
        page.goto(f"{address}/g/krk/?you=0")
        assert left_of(page, "a1") < left_of(page, "d1")
        assert translation("fa").gettext("It is your turn.") in page.inner_text(".turn")
        assert "You" not in page.inner_text("main")
        check_accessible(page)


def test_english_boards_are_where_persian_ones_are_not(browser: Browser, address: str) -> None:
    with watched(browser, locale="en-GB", viewport={"width": 1200, "height": 900}) as page:
        page.goto(f"{address}/g/tictactoe/")
        assert direction(page, "html") == "ltr"
        place, moves = (page.locator(part).bounding_box() for part in (".place", "section.moves"))
        assert place is not None
        assert moves is not None
        assert place["x"] + place["width"] <= moves["x"]
        assert left_of(page, "1,1") < left_of(page, "1,3")


@pytest.mark.long(but=1)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_in_the_language_of_the_browser(
    browser: Browser, address: str, code: str
) -> None:
    sentences = {
        sentence: translation(code).gettext(sentence)
        for sentence in ("Solved games", "Moves, best first", "Structure", "Skip to the content")
    }
    with watched(browser, locale=code) as page:
        for path in PAGES:
            page.goto(address + path)
            assert page.get_attribute("html", "lang") == code
            assert page.get_attribute("html", "dir") == LANGUAGES[code].direction
            assert sentences["Skip to the content"] in page.inner_text("body")
            shown = page.inner_text("main")
            if code != "en":
                assert not [sentence for sentence in sentences if sentence in shown]
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("code", ["fa", "ru"])
def test_the_film_speaks_as_explain_does(browser: Browser, address: str, code: str) -> None:
    expected = [
        sentence for part in rs.explain(Stones(n=10), language=code) for sentence in part.sentences
    ]
    with watched(browser, locale=code) as page:
        page.goto(f"{address}/g/stones/film")
        page.wait_for_selector("#film[data-ready]")
        shown = []
        for _ in expected:
            page.click("#film-forward")
            shown.append(page.inner_text("#film-sentence"))
        assert shown == expected
        assert direction(page, "#film") == LANGUAGES[code].direction


def test_an_address_may_ask_for_a_language(browser: Browser, address: str) -> None:
    with watched(browser, locale="en") as page:
        page.goto(f"{address}/g/tictactoe/?language=tr")
        assert page.get_attribute("html", "lang") == "tr"
        page.click("a.move >> nth=0")
        page.wait_for_url("**language=tr**")
        assert page.get_attribute("html", "lang") == "tr"


def test_a_line_and_a_position_are_typed_with_persian_digits_and_commas(
    browser: Browser, address: str
) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/stones/?language=fa")
        page.fill("input[name=moves]", "برداشتن ۱، برداشتن ۲؛ take 1")
        page.locator("#line-form button").click()
        expect(page.locator("#position-text")).to_have_text("6")
        page.fill("input[name=position]", "۴")
        page.locator("#start-form button").click()
        expect(page.locator("#position-text")).to_have_text("4")


def test_what_cannot_be_followed_is_said_in_the_language_of_the_page(address: str) -> None:
    page = request(f"{address}/g/stones/typed?moves=nonsense&language=ru")[1]
    assert "ход 1 (&#39;nonsense&#39;) здесь невозможен; возможные ходы: взять 1, взять 2" in page
    page = request(f"{address}/g/stones/start?position=nonsense&language=tr")[1]
    assert f"{translation('tr').gettext('There is no such position.')} Ayrıntılar (İngilizce): " in page
    page = request(f"{address}/g/stones/start?position=nonsense&language=en")[1]
    assert "Details" not in page


def test_a_persian_page_counts_in_persian_digits(address: str) -> None:
    page = request(f"{address}/g/tictactoe/?line=1-2&language=fa")[1]
    assert re.findall('class="(?:count|number)"[^>]*>(.)<', page) == [*"۳۵۵۵۴۷۷۷۷"]
    assert 'data-label="۵"' in page
    assert "</span> ۸</span>" in page  # of the first move of the line


def test_a_count_of_moves_is_in_persian_digits_and_games_have_persian_names(
    browser: Browser, address: str
) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/tictactoe/?line=1-2&language=fa")
        assert page.locator(".group .count").all_text_contents() == ["۳", "۴"]
        numbers = page.evaluate(
            "getComputedStyle(document.querySelector('.plies li'), '::before').content"
        )
        assert "persian" in numbers
        assert page.inner_text("nav [aria-current]") == translation("fa").gettext("Tic-tac-toe")


def test_arrow_keys_go_where_the_buttons_of_the_line_point(browser: Browser, address: str) -> None:
    for language, back in (("en", "ArrowLeft"), ("fa", "ArrowRight")):
        with watched(browser) as page:
            page.goto(f"{address}/g/tictactoe/?line=1-2&language={language}")
            undo, redo = (page.locator(name).bounding_box() for name in ("#undo", "#redo"))
            assert undo is not None
            assert redo is not None
            assert (undo["x"] < redo["x"]) == (back == "ArrowLeft")
            page.keyboard.press(back)
            page.wait_for_url(re.compile("line=1(&|$)"))


def test_arrow_keys_go_where_the_buttons_of_the_film_point(browser: Browser, address: str) -> None:
    for language, onward in (("en", "ArrowRight"), ("fa", "ArrowLeft")):
        with watched(browser) as page:
            page.goto(f"{address}/g/stones/film?language={language}#6")
            page.wait_for_selector("#film[data-ready]")
            back, forward = (
                page.locator(f"#film-{name}").bounding_box() for name in ("back", "forward")
            )
            assert back is not None
            assert forward is not None
            assert (back["x"] < forward["x"]) == (onward == "ArrowRight")
            sign = "→" if onward == "ArrowRight" else "←"
            assert (page.get_attribute("#film-forward", "title") or "").endswith(f"({sign})")
            drawn = "getComputedStyle(document.querySelector('#film-play')).transform"
            assert page.evaluate(drawn).startswith("matrix(-1") == (onward == "ArrowLeft")
            slider = page.locator("#film-slider")
            for focus in ("#film-forward", "#film-slider"):
                page.focus(focus)
                before = int(slider.input_value())
                page.keyboard.press(onward)
                assert int(slider.input_value()) == before + 1
                page.keyboard.press({"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[onward])
                assert int(slider.input_value()) == before
            level = page.inner_text("#film-heading")
            page.keyboard.press(f"Shift+{onward}")
            assert page.inner_text("#film-heading") != level
            assert int(slider.input_value()) > 6


def test_the_sign_of_a_check_stands_after_the_move_in_persian(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/?language=fa")
        checks = page.locator(".move-list a.move").filter(has_text=re.compile(r"\+$"))
        checks.first.click()
        expect(page.locator(".plies a")).to_have_count(1)
        ends = page.locator(".plies a").evaluate("""one => [0, one.textContent.trim().length - 1].map((at) => {
            const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().x;
        })""")
        assert ends[0] < ends[1]


def test_a_persian_film_has_persian_digits_and_words(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/caught/film?language=fa#2000")
        page.wait_for_selector("#film[data-ready]")
        page.select_option("#film-unit", "step")
        page.click("#film-forward")
        assert "گام ۲٬۰۰۱ از" in page.inner_text("#film-count")
        sentence = page.inner_text("#film-sentence")
        assert re.search("پلیس \\d+,\\d+, دزد \\d+,\\d+، نوبت", sentence)
        assert not re.search("[a-z]", sentence)


def test_counts_are_written_as_readers_do(address: str) -> None:
    for code, size in (("en", "5,478"), ("ru", "5\u00a0478"), ("tr", "5.478"), ("fa", "۵٬۴۷۸")):
        for path in ("/", "/g/tictactoe/structure"):
            page = request(f"{address}{path}?language={code}")[1]
            assert size in page, (code, path)


def choose_language(page: Page, name: str) -> None:
    """Choose a language at the head of a page."""
    page.click(".switches summary")
    page.locator(".switches").get_by_role("link", name=name).click()


def test_another_language_keeps_the_address(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/stones/?you=0&line=1-1")
        choose_language(page, "Русский")
        page.wait_for_url(f"{address}/g/stones/?you=0&line=1-1&language=ru")
        assert page.locator("html").get_attribute("lang") == "ru"
        page.locator("a.move").first.click()
        page.wait_for_url("**language=ru**")
        choose_language(page, "فارسی")
        page.wait_for_url("**language=fa**")
        assert page.locator("html").get_attribute("dir") == "rtl"
    with watched(browser, java_script_enabled=False) as page:
        page.goto(f"{address}/g/stones/structure")
        choose_language(page, "Türkçe")
        assert page.locator("html").get_attribute("lang") == "tr"


def test_a_theme_is_chosen_and_kept(browser: Browser, address: str) -> None:
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    with watched(browser, color_scheme="light") as page:
        page.goto(f"{address}/g/stones/")
        light = page.evaluate(colour)
        page.click(".switches summary")
        page.select_option("#theme", "dark")
        dark = page.evaluate(colour)
        assert dark != light
        page.goto(f"{address}/edit/board")
        assert page.evaluate(colour) == dark
        assert page.input_value("#theme") == "dark"
        check_accessible(page)
        page.emulate_media(color_scheme="dark")
        page.click(".switches summary")
        page.select_option("#theme", "light")
        assert page.evaluate(colour) == light
        page.select_option("#theme", "system")
        assert page.evaluate(colour) == dark
