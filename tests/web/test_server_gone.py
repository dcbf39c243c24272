"""A server that is gone, or answers with something else: pages say so, and go on when it is back."""

from playwright.sync_api import Browser, Route, expect

from retrosolve.web.app import application
from retrosolve.web.jobs import Task
from retrosolve.web.library import Library
from tests.web.drawn import PHONE, answering

SENTENCE = "The explorer does not answer. Is it still running?"


def gone(route: Route) -> None:
    route.abort("connectionrefused")


def test_a_page_says_that_the_server_is_gone_until_it_is_back(browser: Browser, address: str) -> None:
    page, failed = browser.new_page(viewport=PHONE, base_url=address), list[str]()
    page.on("pageerror", lambda error: failed.append(str(error)))
    notice = page.locator("#gone")
    for path, asked, do in (
        ("/g/krk/", "**/g/krk/?line*", "a.move"),
        ("/g/krk/", "**/explanation*", "#why summary"),
        ("/g/krk/", "**/setup*", "#set-up"),
        ("/edit/graph", "**/api/graphs", "text=Solve this text"),
    ):
        page.goto(path)
        expect(notice).to_be_hidden()
        page.route(asked, gone)
        for is_back in (False, True):
            if is_back:
                page.unroute(asked)
            if path == "/edit/graph":
                page.fill("#graph-text", "nonsense")  # which the server may read
            for _ in range(1 + (is_back and do == "#why summary")):  # folded, and unfolded again
                page.locator(do).first.click()
            if is_back:
                expect(notice).to_be_hidden()
            else:
                expect(notice).to_have_text(SENTENCE)
                expect(notice).to_be_in_viewport()
    page.close()
    assert failed == []


def test_a_page_of_a_solve_goes_on_when_the_server_is_back_and_reads_no_other_answer(
    browser: Browser,
) -> None:
    shown, page, failed = Library([]), browser.new_page(), list[str]()
    page.on("pageerror", lambda error: failed.append(str(error)))
    shown.begin(Task("stones", "stones"))
    with answering(application(shown)) as address:
        page.route("**/solving/*", gone)
        page.goto(f"{address}/g/stones/")
        expect(page.locator("#gone")).to_have_text(SENTENCE)
        page.unroute("**/solving/*")
        expect(page.locator("#gone")).to_be_hidden()
        with page.expect_navigation():  # to what the server says of the game
            page.route(
                "**/solving/*",
                lambda route: route.fulfill(status=502, content_type="text/html", body="<p>"),
            )
        page.close()
    assert failed == []
