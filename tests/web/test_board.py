"""The board in the browser: values on it, drags, hovering, the line by keys, and the room that it takes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.web.library import Entry, Library
from tests.web.drawn import check_accessible, request, serving, violations, watched

POINT = '#board [data-point="{}"]'
WIDTHS = (320, 390, 820, 1024, 1440, 2560)
PHONE = {"width": 390, "height": 844}
LONG = "a position with a very long name " * 12


@pytest.fixture(scope="module")
def wide() -> Iterator[str]:
    """The address of an explorer of games that need room: long names, and lines of 1,000 plies."""
    graph = rs.Graph.from_edges(["a", LONG, LONG], [LONG, "a", "b"])
    library = Library(
        [
            Entry("long", LONG, rs.solve(graph).with_start("a")),
            Entry("heap", "stones:n=1000", rs.solve(parse_game("stones:n=1000,take=1"))),
            Entry("lgame", "lgame", rs.solve(parse_game("lgame"))),
        ]
    )
    with serving(library) as found:
        yield found


def centre(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def badges(page: Page) -> list[str]:
    """The values on the board: each class and its text."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#board .badge')].map((badge) => "
        "badge.getAttribute('class').replace('badge ', '') + ' ' + badge.textContent)"
    )
    return found


def test_targets_have_their_values_and_best_moves_their_arrows(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/")
        assert page.locator("#board .best-move.v-win").count() == 1
        assert set(badges(page)) >= {"v-win is-best 9", "v-tie 2"}  # only the rook can move
        for point in ("a1", "a2"):  # neither puts it down
            page.click(POINT.format(point))
            assert set(badges(page)) >= {"v-win is-best 9", "v-tie 2"}
        page.goto(f"{address}/g/krk/?line=1-1")
        assert badges(page) == []
        assert page.locator("#board .dot").count() == 1  # of the king; the arrow is the rook's
        page.click(POINT.format("a3"))
        assert badges(page)
        page.goto(f"{address}/g/tictactoe/?line=1")
        assert len(badges(page)) == 8  # a move is one click: all of them are shown at once
        page.goto(f"{address}/g/tictactoe/?line=1&hints=no")
        assert set(badges(page)) <= {"badge "}
        assert page.locator("#board .best-move, #board .dot, #board [class*=v-]").count() == 0


def test_values_stand_in_the_holes_where_pieces_fall(browser: Browser) -> None:
    entry = Entry("c4", "connect4", rs.solve(parse_game("connect4:rows=3,columns=3,connect=3")))
    with serving(Library([entry])) as address, watched(browser) as page:
        page.goto(f"{address}/g/c4/?line=1-1")
        badges, holes = (
            [box for one in page.locator(f"#board {kind}").all() if (box := one.bounding_box())]
            for kind in (".badge circle", ".gap, #board .piece")
        )
        assert page.locator(".turn .disc.red").count() == 1
        assert len(badges) == 3  # one at the top of each column, with or without a piece below
        for badge in badges:
            assert any(
                abs(badge["x"] + badge["width"] / 2 - hole["x"] - hole["width"] / 2) < 2
                and abs(badge["y"] + badge["height"] / 2 - hole["y"] - hole["height"] / 2) < 2
                for hole in holes
            )
        last = page.locator("#board .last").bounding_box()
        assert last is not None
        assert abs(last["width"] - last["height"]) < 2  # the piece that fell, not its column


def test_the_last_move_is_marked_below_the_piece(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        for path, piece in (("tictactoe/?line=1-2", ".nought"), ("krk/?line=1", ".piece")):
            page.goto(f"{address}/g/{path}")
            marks, pieces = page.locator("#board .last-move"), page.locator(f"#board {piece}")
            assert marks.locator("rect").count() > 0
            script = "(mark, piece) => mark.compareDocumentPosition(piece)"
            found = marks.evaluate(script, pieces.first.element_handle())
            assert found == 4, path  # DOCUMENT_POSITION_FOLLOWING


def test_a_chosen_piece_leaves_its_moves_in_the_list(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/?line=1-1")
        every = page.locator("a.move:visible").count()
        page.click(POINT.format("a3"))
        names = page.locator("a.move:visible").all_inner_texts()
        assert 0 < len(names) < every
        assert all(name.startswith("R") for name in names)
        counts = page.locator(".group:visible .count").all_inner_texts()
        assert sum(map(int, counts)) == len(names)
        page.click(POINT.format("a3"))
        assert page.locator("a.move:visible").count() == every


def test_moves_stand_in_groups_by_result_and_long_ones_are_folded(browser: Browser, wide: str) -> None:
    with watched(browser) as page:
        page.goto(f"{wide}/g/lgame/")
        assert page.locator(".group > summary").all_inner_texts() == ["∞ Drawing 36", "▼ Losing 29"]
        assert page.locator(".more > summary").all_inner_texts() == ["16 more moves", "9 more moves"]
        assert page.locator("a.move:visible").count() == 40
        page.locator(".more > summary").first.click()
        assert page.locator("a.move:visible").count() == 56


@pytest.mark.parametrize(("taken", "dropped", "plies"), [("7,8", "6,7", 1), ("7,8", "1,1", 0)])
def test_a_piece_is_drawn_to_where_it_goes(
    browser: Browser, address: str, taken: str, dropped: str, plies: int
) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/caught/")
        page.mouse.move(*centre(page.locator(POINT.format(taken))))
        page.mouse.down()
        page.mouse.move(*centre(page.locator(POINT.format("5,5"))), steps=4)
        assert (
            page.locator("#board .piece.policeman").get_attribute("transform").startswith("translate")
        )
        page.mouse.move(*centre(page.locator(POINT.format(dropped))), steps=4)
        page.mouse.up()
        if plies:
            expect(page.locator(".plies li")).to_have_count(plies)
            assert "policeman 6,7" in page.inner_text("#position-text")
            page.mouse.move(5, 5)
            assert page.locator("#board .last-move .last").count() == 2
        else:  # the policeman stays where he was, chosen
            assert page.locator(".plies").count() == 0
            assert page.locator("#board .is-clicked").get_attribute("data-point") == taken


def test_pointing_at_a_move_shows_it_on_the_board_and_the_other_way_round(
    browser: Browser, address: str
) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/")
        page.locator("a.move", has_text="Rd2").hover()
        assert page.locator("#board .shown-move .through").count() == 2
        assert page.locator("#board .shown-move .pointed-at").count() == 1
        page.mouse.move(2, 2)
        assert page.locator("#board .shown-move > *").count() == 0
        page.locator(POINT.format("a2")).hover()
        names = page.locator("a.move.is-pointed-at").all_inner_texts()
        assert names
        assert all(name.startswith("R") for name in names)


@pytest.mark.parametrize("way", ["click", "drag", "keys"])
def test_nothing_is_recommended_after_a_move_where_hints_are_hidden(
    browser: Browser, address: str, way: str
) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/?hints=no")
        piece, place = page.locator(POINT.format("a2")), page.locator(POINT.format("a4"))
        if way == "keys":
            for point in (piece, place):
                point.focus()
                page.keyboard.press("Enter")
        else:
            page.mouse.move(*centre(piece))
            page.mouse.down()
            if way == "click":
                page.mouse.up()
                page.mouse.move(*centre(place))
                page.mouse.down()
            else:
                page.mouse.move(*centre(place), steps=4)
            page.mouse.up()
        expect(page.locator(".plies li")).to_have_count(1)
        assert page.locator("#board .shown-move > *").count() == 0
        assert page.evaluate("document.activeElement.closest('.move-list')") is None


def test_the_line_goes_back_and_on_by_keys(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/?line=1-1-1")
        for key, plies in (
            ("ArrowLeft", 2),
            ("ArrowLeft", 1),
            ("ArrowRight", 2),
            ("Home", 0),
            ("End", 3),
        ):
            page.keyboard.press(key)
            expect(page.locator(".plies li")).to_have_count(plies)
        page.keyboard.press("ArrowRight")  # there is no later move
        expect(page.locator(".plies li")).to_have_count(3)
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".plies li")).to_have_count(2)
        page.locator("#redo").click()
        expect(page.locator(".plies li")).to_have_count(3)
        page.fill("input[name=moves]", "x")
        page.keyboard.press("ArrowLeft")  # within a field, arrows move its cursor
        expect(page.locator(".plies li")).to_have_count(3)
        page.locator(".chart a").first.click()
        expect(page.locator(".plies")).to_have_count(0)


def test_plies_are_numbered_in_pairs_within_the_margin(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}/g/caught/?line={'-'.join(['1'] * 16)}")
        record, rows = page.locator(".record").bounding_box(), page.locator(".plies li").all()
        boxes = [box for row in rows if (box := row.bounding_box())]
        assert record is not None
        assert len(boxes) == 16
        assert all(box["x"] >= record["x"] for box in boxes)
        for first, second in zip(boxes[::2], boxes[1::2], strict=True):
            assert (first["y"], first["x"] < second["x"]) == (second["y"], True)
        script = "row => getComputedStyle(row, '::before').content"
        assert [row.evaluate(script).startswith("counter") for row in rows] == [True, False] * 8


@pytest.mark.long
def test_the_best_line_plays_by_itself_until_the_end(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/stones/?at=4")
        page.get_by_role("button", name="Best line").click()
        expect(page.locator(".turn")).to_contain_text("The game is over.")
        expect(page.locator(".plies li")).to_have_count(3)
        page.goto(f"{address}/g/krk/")
        page.get_by_role("button", name="Best line").click()
        expect(page.locator(".plies li")).to_have_count(2)
        page.get_by_role("button", name="Best line").click()
        page.wait_for_timeout(1000)  # on a busy machine a move may have been on its way
        stopped = page.locator(".plies li").count()
        assert stopped in (2, 3)
        page.wait_for_timeout(1500)
        expect(page.locator(".plies li")).to_have_count(stopped)


def test_a_board_is_turned_and_stays_so(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/")
        assert centre(page.locator(POINT.format("a1")))[0] < centre(page.locator(POINT.format("d1")))[0]
        page.keyboard.press("f")
        expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
        assert centre(page.locator(POINT.format("a1")))[0] > centre(page.locator(POINT.format("d1")))[0]
        page.click(POINT.format("a2"))
        page.click(POINT.format("a3"))
        expect(page.locator(".plies li")).to_have_count(1)
        assert centre(page.locator(POINT.format("a1")))[1] < centre(page.locator(POINT.format("a4")))[1]
        king = page.locator("#board .piece.white").first
        assert king.evaluate("king => king.getScreenCTM().d") > 0  # upright


def test_two_quick_clicks_make_one_move(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/")
        before = page.evaluate("history.length")
        page.locator("a.move").first.dblclick()
        expect(page.locator(".plies li")).to_have_count(1)
        assert page.evaluate("history.length") == before + 1


def test_links_positions_and_pictures_are_taken_along(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"{address}/g/krk/?line=1")
        page.locator(".share summary").click()
        page.get_by_role("button", name="Copy the link").click()
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        page.get_by_role("button", name="Copy the position").click()
        assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#position-text")
        expect(page.locator("#announcement")).to_have_text("Copied")
        with page.expect_download() as found:
            page.get_by_text("Download the picture").click()
        assert found.value.suggested_filename == "position.svg"
        assert found.value.path().read_text().startswith("<svg")


def test_why_a_position_is_won_unfolds_on_its_page(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/")
        page.locator("#why summary").click()
        expect(page.locator("#why .explanation")).to_contain_text("is WIN in 9, because")
        page.goto(f"{address}/g/krk/?hints=no")
        assert page.locator("#why").count() == 0
        check_accessible(page)
    status, page_alone = request(f"{address}/g/krk/explanation")
    assert status == 200
    assert "is WIN in 9, because" in page_alone


@pytest.mark.long("morris3/")
@pytest.mark.parametrize(
    "path", ["krk/?line=1-1-1-1-1-1-1-1-1", "morris3/", "caught/?line=1-2", "stones/"]
)
def test_a_phone_shows_the_whole_board_and_nothing_beside_it(
    browser: Browser, address: str, path: str
) -> None:
    with watched(browser, viewport=PHONE) as page:
        page.goto(f"{address}/g/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        header = page.locator("header").bounding_box()
        assert header is not None
        assert header["height"] < 60  # one line
        board = page.locator("#board").bounding_box()
        assert board is not None
        assert board["x"] >= 0
        assert board["width"] > 0.9 * PHONE["width"]
        assert board["y"] + board["height"] < PHONE["height"]


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("locale", "scheme", "size"),
    [("en", "light", {"width": 1440, "height": 900}), ("fa", "dark", PHONE)],
)
@pytest.mark.parametrize(
    "path", ["krk/?line=5&you=1", "morris3/?line=1-1", "stones/", "krk/explanation"]
)
def test_pages_with_all_that_unfolds_are_accessible(
    browser: Browser, address: str, path: str, locale: str, scheme: Any, size: Any
) -> None:
    with watched(browser, viewport=size, locale=locale, color_scheme=scheme) as page:
        page.goto(f"{address}/g/{path}")
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        if page.locator("#why").count():
            expect(page.locator("#why .explanation")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_of_a_position_scrolls_from_side_to_side(
    browser: Browser, address: str, wide: str, width: int
) -> None:
    thousand = "-".join(["1"] * 1000)
    paths = [
        f"{address}/g/{name}/?line=1-1" for name in ("krk", "tictactoe", "morris3", "caught", "stones")
    ]
    paths += [f"{address}/g/graph/", f"{wide}/g/long/?line=1-1", f"{wide}/g/lgame/?line=1"]
    paths.append(f"{wide}/g/heap/?line={thousand}")
    with watched(browser, viewport={"width": width, "height": 800}) as page:
        for path in paths:
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate("document.documentElement.scrollHeight") < 6000


def test_the_verdict_is_the_largest_text_and_the_board_uses_the_window(
    browser: Browser, address: str
) -> None:
    with watched(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{address}/g/krk/?line=1")
        sizes = page.evaluate(
            "[...document.querySelectorAll('main :is(h1, h2, p, a, summary, li, label)')].filter(one => "
            "one.id !== 'verdict').map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        largest = page.locator("#verdict").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        assert largest > max(sizes)
        board = page.locator("#board svg").bounding_box()
        assert board is not None
        assert board["height"] > 0.65 * 900
        columns = [page.locator(part).bounding_box() for part in (".place", ".moves", ".beside")]
        lefts = [box["x"] for box in columns if box]
        assert lefts == sorted(set(lefts))
        assert len(lefts) == 3


def test_whose_turn_it_is_is_said_in_every_game(address: str) -> None:
    for name in ("stones", "tictactoe", "morris3", "krk", "caught", "graph"):
        _, page = request(f"{address}/g/{name}/")
        turn = re.search(r'<p class="turn">(.*?)</p>', page)
        assert turn is not None
        assert "to move" in turn[1], name


@pytest.mark.parametrize(
    ("game", "line", "kind", "count"),
    [
        ("tictactoe", "X at 1,1; O at 2,1; X at 1,2; O at 2,2; X at 1,3", "won", 1),
        ("connect4", "a; b; a; b; a; b; a", "won", 4),
        ("chess:KRK,board=4", None, "mated", 1),
    ],
)
def test_what_decided_a_game_is_marked_on_its_board(
    game: str, line: str | None, kind: str, count: int
) -> None:
    solution = rs.solve(parse_game(game))
    position = solution.start
    names = line.split("; ") if line else [move.name for move in solution.line(position)]
    for name in names:
        assert f'class="{kind}"' not in (solution.space.svg(position) or "")
        position = next(move.position for move in solution.moves(position) if move.name == name)
    assert (solution.space.svg(position) or "").count(f'class="{kind}"') == count


class Heap(rs.Game):
    """Take one or two from a heap.

    A second paragraph is for programmers.
    """

    win_in_moves = "over in {moves}"

    def start(self) -> int:
        return 5

    def moves(self, n: int) -> list[int]:
        return [n - k for k in (1, 2) if k <= n]


def test_rules_of_an_author_have_their_words_on_the_page() -> None:
    with serving(Library([Entry("heap", "heap", rs.solve(Heap()))])) as address:
        _, page = request(f"{address}/g/heap/")
    assert "First player wins in 3 plies" in page
    assert '<p class="aside">over in 2</p>' in page
    assert "<p>Take one or two from a heap.</p>" in page
    assert "for programmers" not in page
