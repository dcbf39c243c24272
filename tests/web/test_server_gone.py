"""A server that is gone, or answers with something else: pages say so, and go on when it is back."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from retrosolve.web.app import application
from retrosolve.web.jobs import Task
from retrosolve.web.library import Library
from tests.web.drawn import answering

SENTENCE = "The explorer does not answer. Is it still running?"


@contextmanager
def opened(browser: Browser) -> Iterator[Page]:
    """Open a page on which no script may fail; its console lists the requests that nobody answers."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page, failed = context.new_page(), list[str]()
    page.on("pageerror", lambda error: failed.append(str(error)))
    try:
        yield page
    finally:
        context.close()
    assert failed == []


def gone(route: Route) -> None:
    route.abort("connectionrefused")


@pytest.mark.parametrize(
    ("path", "asked", "do"),
    [
        ("/g/krk/", "**/g/krk/?line*", "a.move"),
        ("/g/krk/", "**/explanation*", "#why summary"),
        ("/g/krk/", "**/setup*", "#set-up"),
        ("/edit/graph", "**/api/graphs", "text=Solve this text"),
    ],
)
def test_a_page_says_that_the_server_is_gone_until_it_is_back(
    browser: Browser, address: str, path: str, asked: str, do: str
) -> None:
    def act() -> None:
        if path == "/edit/graph":
            page.fill("#graph-text", "nonsense")  # which the server may read
        page.locator(do).first.click()

    with opened(browser) as page:
        page.goto(address + path)
        expect(page.locator("#gone")).to_be_hidden()
        page.route(asked, gone)
        act()
        expect(page.locator("#gone")).to_have_text(SENTENCE)
        expect(page.locator("#gone")).to_be_in_viewport()
        page.unroute(asked)
        if do == "#why summary":
            act()  # fold it
        act()
        expect(page.locator("#gone")).to_be_hidden()


def test_a_page_of_a_solve_goes_on_when_the_server_is_back_and_reads_no_other_answer(
    browser: Browser,
) -> None:
    shown = Library([])
    shown.begin(Task("stones", "stones"))
    with answering(application(shown)) as address, opened(browser) as page:
        page.route("**/solving/*", gone)
        page.goto(f"{address}/g/stones/")
        expect(page.locator("#gone")).to_have_text(SENTENCE)
        page.unroute("**/solving/*")
        expect(page.locator("#gone")).to_be_hidden()
        page.route(
            "**/solving/*",
            lambda route: route.fulfill(status=502, content_type="text/html", body="<p>"),
        )
        with page.expect_navigation():  # to what the server says of the game
            pass
