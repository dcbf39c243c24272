"""The pages in other languages: chosen by the browser or the reader, Persian from right to left."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from retrosolve.languages import LANGUAGES, digits, translation
from tests.web.drawn import DESKTOP, box, check_accessible, fits, read, watched

PAGES = ("/", "/g/tictactoe/", "/g/stones/structure", "/g/stones/film", "/g/graph/graph")
SENTENCES = ("Solved games", "Moves, best first", "Structure", "Skip to the content")
COUNTS = {"en": "5,478", "ru": "5\u00a0478", "tr": "5.478", "fa": "۵٬۴۷۸"}


def left_of(page: Page, selector: str) -> float:
    return box(page.locator(selector))["x"]


@pytest.mark.long(but=1)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_is_in_the_language_of_the_browser(
    browser: Browser, address: str, code: str
) -> None:
    to, runs = translation(code), LANGUAGES[code].direction
    with watched(browser, locale=code, base_url=address, viewport=DESKTOP) as page:
        for path in PAGES:
            page.goto(path)
            assert page.get_attribute("html", "lang") == code
            assert page.evaluate("getComputedStyle(document.documentElement).direction") == runs
            assert to.gettext("Skip to the content") in page.inner_text("body")
            shown = page.inner_text("main")
            assert code == "en" or not [sentence for sentence in SENTENCES if sentence in shown]
            assert fits(page)
        page.goto("/g/tictactoe/?line=1-2")
        assert (left_of(page, ".place") > left_of(page, "section.moves")) == (runs == "rtl")
        assert left_of(page, '[data-point="1,1"]') < left_of(
            page, '[data-point="1,3"]'
        )  # boards are not turned
        back = "ArrowLeft" if runs == "ltr" else "ArrowRight"
        assert (left_of(page, "#undo") < left_of(page, "#redo")) == (runs == "ltr")
        page.keyboard.press(back)
        page.wait_for_url(re.compile("line=1(&|$)"))
        page.goto("/g/krk/?you=0")
        assert to.gettext("It is your turn.") in page.inner_text(".turn")
        sentence = to.ngettext("{player} wins in {plies} ply", "{player} wins in {plies} plies", 9)
        page.goto("/g/krk/")
        expect(page.locator("#verdict")).to_contain_text(
            sentence.format(player=to.gettext("White"), plies=digits(9, to.gettext))
        )
    for path in ("/", "/g/tictactoe/structure"):
        assert COUNTS.get(code, "") in read(f"{address}{path}?language={code}")


def test_readers_type_and_read_in_persian(page: Page) -> None:
    page.goto("/g/stones/?language=fa")
    page.fill("input[name=moves]", "برداشتن ۱، برداشتن ۲؛ take 1")
    page.locator("#line-form button").click()
    expect(page.locator("#position-text")).to_have_text("6")
    page.fill("input[name=position]", "۴")
    page.locator("#start-form button").click()
    expect(page.locator("#position-text")).to_have_text("4")
    page.goto("/g/tictactoe/?line=1-2&language=fa")
    assert page.locator(".group .count").all_text_contents() == ["۳", "۴"]
    assert page.locator(".group .number").all_text_contents() == [*"۵۵۵۷۷۷۷"]
    assert page.locator('.move[data-label="۵"]').count() == 3
    assert page.locator(".plies li > span").first.inner_text().endswith("۸")
    assert "persian" in page.evaluate(
        "getComputedStyle(document.querySelector('.plies li'), '::before').content"
    )
    assert page.inner_text("nav [aria-current]") == translation("fa").gettext("Tic-tac-toe")
    page.goto("/g/krk/?language=fa")  # the sign of a check stands after the move
    page.locator(".move-list a.move").filter(has_text=re.compile(r"\+$")).first.click()
    expect(page.locator(".plies a")).to_have_count(1)
    ends = page.locator(".plies a").evaluate("""one => [0, one.textContent.trim().length - 1].map((at) => {
        const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().x;
    })""")
    assert ends[0] < ends[1]


def test_a_language_is_chosen_and_stays_in_every_link(browser: Browser, address: str) -> None:
    for scripts in (True, False):
        with watched(browser, java_script_enabled=scripts, base_url=address) as page:
            page.goto("/g/stones/?you=0&line=1-1")
            for code, name in (("ru", "Русский"), ("fa", "فارسی")):
                page.click(".switches summary")
                page.locator(".switches").get_by_role("link", name=name).click()
                page.wait_for_url(f"**language={code}**")
                assert not scripts or "/g/stones/?you=0&line=1-1" in page.url
                assert page.locator("html").get_attribute("lang") == code
                page.locator("a.move").first.click()
                page.wait_for_url(f"**language={code}&line=1{'-1-1' if scripts else ''}**")
                page.go_back()
    for path in ("", "structure", "film", "graph"):
        text = read(f"{address}/g/stones/{path}?language=tr")
        links = re.findall('<a [^>]*href="([^"]*)"', text.partition("<nav")[2].partition("</nav>")[0])
        assert len(links) == 7
        assert all("language=tr" in link for link in links), links
    text = read(f"{address}/g/stones/?language=xx")
    for part in ("nav", "main"):  # the menu of languages is outside
        assert "language=" not in text.partition(f"<{part}")[2].partition(f"</{part}>")[0]


def test_a_theme_is_chosen_and_kept(browser: Browser, address: str) -> None:
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    with watched(browser, color_scheme="light", base_url=address) as page:
        page.goto("/g/stones/")
        light = page.evaluate(colour)
        page.click(".switches summary")
        page.select_option("#theme", "dark")
        dark = page.evaluate(colour)
        assert dark != light
        page.goto("/edit/board")
        assert page.evaluate(colour) == dark
        assert page.input_value("#theme") == "dark"
        check_accessible(page)
        page.emulate_media(color_scheme="dark")
        page.click(".switches summary")
        for theme, expected in (("light", light), ("system", dark)):
            page.select_option("#theme", theme)
            assert page.evaluate(colour) == expected
