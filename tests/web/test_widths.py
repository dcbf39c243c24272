"""Each kind of page on narrow and wide screens, in both schemes and directions: accessible, and never wider."""

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from tests.web.drawn import (
    DESKTOP,
    PHONE,
    READY,
    box,
    check_accessible,
    exploring,
    fits,
    violations,
    watched,
)

WIDTHS = (320, 390, 640, 900, 1440, 2560)
LONG = "a very long name of a state without any end to it whatsoever, number {}"
BOARD = "board~P....E-.xx...-...T.."
KINDS = {
    "games": "/",
    "position": "/g/krk/?line=5&you=1",
    "hidden": "/g/krk/?line=1-1-1&hints=no",
    "text": "/g/stones/?line=1",
    "board": "/g/caught/?line=1-1-4",
    "drawn": "/g/graph/",
    "nothing": "/g/krk/?at=nothing",
    "explanation": "/g/krk/explanation",
    "find": "/g/caught/find?value=win&remoteness=17",
    "structure": "/g/krk/structure",
    "graph": "/g/stones/graph",
    "pictures": "/g/tictactoe/graph",
    "film": "/g/stones/film",
    "table film": "/g/tictactoe/film",
    "board film": f"/g/{BOARD}/film",
    "drawn film": "/g/graph~a-0s.b-1.c-0l~a-b.b-c.c-a/film",
    "board editor": "/edit/board",
    "large board": "/edit/board?board=" + "-".join(["." * 20] * 20),
    "graph editor": "/edit/graph",
}


@pytest.mark.long("narrow*film", "narrow*editor", "wide*")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", ["narrow, right to left", "wide"])
def test_every_kind_of_page_is_accessible_and_fits(
    browser: Browser, address: str, kind: str, width: str
) -> None:
    language, size = ("fa", PHONE) if "narrow" in width else ("ru", DESKTOP)
    path = KINDS[kind]
    with watched(browser, refused=kind == "nothing", viewport=size, base_url=address) as page:
        page.goto(f"{path}{'&' if '?' in path else '?'}language={language}")
        if "film" in kind or "editor" in kind or kind in ("graph", "pictures", "drawn", "large board"):
            page.wait_for_selector(READY)
        if "film" in kind:
            page.keyboard.press("End")
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        if page.locator("#why").count():
            expect(page.locator("#why .explanation")).to_be_visible()
        assert page.get_attribute("html", "dir") == ("rtl" if language == "fa" else "ltr")
        check_accessible(page)
        for number in WIDTHS:
            page.set_viewport_size({"width": number, "height": 800})
            assert fits(page), number


@pytest.mark.long
def test_long_names_and_a_thousand_plies_stay_within_the_page(page: Page) -> None:
    graph = rs.Graph.from_edges([LONG.format(1)] * 2 + ["b"], ["b", LONG.format(2), LONG.format(3)])
    heap, thousand = rs.game("stones:n=1000,take=1"), "-".join("1" * 1000)
    places = {
        "long": ("?line=1", "film", "graph", "structure"),
        "heap": (f"?line={thousand}", "film", "structure"),
    }
    with exploring(long=rs.solve(graph).with_start("b"), heap=heap) as address:
        for name, paths in places.items():
            for path in paths:
                page.set_viewport_size({"width": 900, "height": 800})
                page.goto(f"{address}/g/{name}/{path}")
                if path in ("film", "graph"):
                    page.wait_for_selector(READY)
                    page.keyboard.press("End")
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 800})
                    assert fits(page), (name, path[:20], width)
                assert page.evaluate("document.documentElement.scrollHeight") < 6000


@pytest.mark.parametrize(
    "path", ["krk/?line=1-1-1-1-1-1-1-1-1", "morris3/", "caught/?line=1-2", "stones/"]
)
def test_a_phone_shows_the_whole_board_and_nothing_beside_it(phone: Page, path: str) -> None:
    phone.goto(f"/g/{path}")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert box(phone.locator("header"))["height"] < 60  # one line
    board = box(phone.locator("#board"))
    assert board["x"] >= 0
    assert board["width"] > 0.9 * PHONE["width"]
    assert board["y"] + board["height"] < PHONE["height"]
    if path.startswith("krk"):
        phone.click("#set-up")
        phone.wait_for_selector("#board.is-set-up")
        assert violations(phone) == []
        assert fits(phone)


@pytest.mark.long
def test_swipes_over_a_drawing_move_the_page(browser: Browser, address: str) -> None:
    options = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 600}}
    drawings = {
        "/g/stones/film": "#film-graph",
        "/g/krk/graph": ".graph",
        "/g/caught/film": "#film-board",
    }
    for path, place in (drawings | {"/edit/graph": "#graph-sketch"}).items():
        with watched(browser, **options) as page:
            page.goto(address + path)
            page.wait_for_selector(READY)
            page.evaluate(f"document.querySelector('{place}').scrollIntoView({{ block: 'center' }})")
            before = page.evaluate("scrollY")
            session = page.context.new_cdp_session(page)
            for _ in range(12):  # of which the first ones scroll a high drawing within its box
                for number in range(12):
                    kind = "touchStart" if number == 0 else "touchEnd" if number == 11 else "touchMove"
                    points = [] if number == 11 else [{"x": 200, "y": 420 - 20 * number}]
                    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
                if page.evaluate("scrollY") > before + 40:
                    break
            page.wait_for_function("least => scrollY > least", arg=before + 40)
