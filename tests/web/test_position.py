"""Positions in the browser: moves by every way, the line so far, values on the board, an opponent, links."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.web.address import Address
from retrosolve.web.page_state import scene
from retrosolve.web.pages.position import _undo
from tests.web.drawn import box, centre, draw_along, exploring, read, watched

# The colours of the pieces in the middle and in a corner of a board of three men's morris.
COLOURS = """[100.8, 33.6].map((at) => {
  const discs = [...document.querySelectorAll("#board circle.piece")];
  const one = discs.find(({ cx, cy }) => Math.hypot(cx.baseVal.value - at, cy.baseVal.value - at) < 1);
  return one && getComputedStyle(one).fill;
})"""
SIZES = """["#verdict", "main :is(h1, h2:not(#verdict), p, a, summary, li, label)"].map((all) => Math.max(
  ...[...document.querySelectorAll(all)].map((one) => parseFloat(getComputedStyle(one).fontSize))))"""


class Corner(rs.Game[int]):
    """A rook moves up or to the right; who brings it into the corner wins. No function draws it.

    A second paragraph is for programmers.
    """

    win_in_moves = "over in {moves}"

    def start(self) -> int:
        return 6

    def moves(self, square: int) -> list[tuple[str, int]]:
        row, column = divmod(square, 3)
        up, right = [3 * r + column for r in range(row)], [3 * row + c for c in range(column + 1, 3)]
        return [(f"to {target}", target) for target in up + right]

    def text(self, square: int) -> str:
        cells = "." * square + "R" + "." * (8 - square)
        return "/".join((cells[:3], cells[3:6], cells[6:]))


def point(page: Page, name: str) -> Page:
    return page.locator(f'#board [data-point="{name}"]')  # type: ignore[return-value]


def line_of(page: Page, number: int) -> None:
    """Wait until the line has so many moves."""
    expect(page.locator(".plies li")).to_have_count(number)


def badges(page: Page) -> list[str]:
    """The values on the board: each class and its text."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#board .badge')].map((badge) => "
        "badge.getAttribute('class').replace('badge ', '') + ' ' + badge.textContent)"
    )
    return found


def test_moves_are_made_by_clicks_and_drags(page: Page) -> None:
    page.goto("/g/caught/")
    chosen, text = page.locator("#board .is-clicked"), page.locator("#position-text")
    point(page, "7,8").click()
    expect(chosen).to_have_attribute("data-point", "7,8")
    point(page, "6,7").click()
    line_of(page, 1)
    expect(text).to_have_text("policeman 6,7, thief 3,2, thief to move")
    point(page, "1,1").click()  # no piece is there: nothing happens
    expect(chosen).to_have_attribute("data-point", "3,2")
    page.click("#undo")
    expect(text).to_have_text("policeman 7,8, thief 3,2, policeman to move")
    draw_along(page, point(page, "7,8"), point(page, "5,5"), point(page, "1,1"))
    expect(chosen).to_have_attribute("data-point", "7,8")  # the policeman stays where he was
    line_of(page, 0)
    page.mouse.move(*centre(point(page, "7,8")))
    page.mouse.down()
    page.mouse.move(*centre(point(page, "5,5")), steps=4)
    assert (page.get_attribute("#board .piece.policeman", "transform") or "").startswith("translate")
    page.mouse.move(*centre(point(page, "6,7")), steps=4)
    page.mouse.up()
    line_of(page, 1)
    page.mouse.move(5, 5)
    expect(page.locator("#board .last-move .last")).to_have_count(2)
    before = page.evaluate("history.length")
    page.locator("a.move").first.dblclick()  # makes one move
    line_of(page, 2)
    assert page.evaluate("history.length") == before + 1


def test_everything_by_keyboard(page: Page) -> None:
    page.goto("/g/caught/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.wait_for_url("**/#content")
    page.keyboard.press("Tab")  # the first point that the policeman, who alone can move, goes to
    assert page.evaluate("document.activeElement.dataset.point") == "6,7"
    for name, key in (("7,8", "Enter"), ("6,7", " ")):
        point(page, name).focus()
        page.keyboard.press(key)
    line_of(page, 1)
    expect(page.locator("#announcement")).to_contain_text("Policeman wins in 16 plies")
    page.locator("a.move").first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    second = page.locator("a.move").nth(1).inner_text()
    assert page.evaluate("document.activeElement.textContent") == second
    page.keyboard.press("Enter")
    line_of(page, 2)
    assert page.locator(".plies a").nth(1).inner_text() == second
    assert page.evaluate("document.activeElement.classList.contains('move')")
    page.locator("#undo").focus()
    for left in (1, 0):
        page.keyboard.press("Enter")
        line_of(page, left)
    page.goto("/g/krk/?line=1-1-1")
    for step in [
        "ArrowLeft 2",
        "ArrowLeft 1",
        "ArrowRight 2",
        "Home 0",
        "End 3",
        "ArrowRight 3",
        "ArrowLeft 2",
    ]:
        key, left = step.split()
        page.keyboard.press(key)
        line_of(page, int(left))
    page.click("#redo")
    line_of(page, 3)
    page.fill("input[name=moves]", "x")
    page.keyboard.press("ArrowLeft")  # within a field, arrows move its cursor
    line_of(page, 3)
    page.locator(".chart a").first.click()
    expect(page.locator(".plies")).to_have_count(0)


def test_a_won_game_is_played_to_its_end_and_a_mistake_is_marked(page: Page) -> None:
    page.goto("/g/caught/?you=0")
    for left in range(17, 0, -1):
        expect(page.locator("#verdict")).to_have_text(
            f"▲ You win in {left} {'ply' if left == 1 else 'plies'}"
        )
        page.locator("a.move").first.click()
    expect(page.locator("#verdict")).to_have_text("▲ You have won")
    expect(page.locator(".turn")).to_contain_text("The game is over.")
    police, thief = re.findall(r"(\d+,\d+)", page.inner_text("#position-text"))
    assert police == thief
    assert page.locator(".plies .note").count() == 0
    assert page.locator(".chart a").count() == 18
    page.goto("/g/krk/?you=0")
    bad = page.locator(".group.v-tie li", has_text="Rd2")
    assert bad.locator(".number").get_attribute("title") == "2 plies"
    bad.locator("a").click()
    row = page.locator(".plies li")
    expect(row).to_have_class("is-mistake")
    assert "mistake: Ra3 was better" in row.inner_text()
    assert page.locator(".chart .is-mistake text.flag").text_content() == "?"
    page.locator(".plies a").click()  # a jump to where one is changes nothing
    line_of(page, 1)
    page.get_by_role("link", name="To the beginning").click()
    expect(page.locator("#verdict")).to_contain_text("You win in 9 plies")


def test_values_stand_on_the_board_and_best_moves_are_arrows(page: Page) -> None:
    page.goto("/g/krk/")
    expect(page.locator("#board .best-move.v-win")).to_have_count(1)
    assert set(badges(page)) >= {"v-win is-best 9", "v-tie 2"}  # only the rook can move
    for name in ("a1", "a2"):  # neither puts it down
        point(page, name).click()
        assert set(badges(page)) >= {"v-win is-best 9", "v-tie 2"}
    page.locator("a.move", has_text="Rd2").hover()
    assert page.locator("#board .shown-move .through").count() == 2
    assert page.locator("#board .shown-move .pointed-at").count() == 1
    page.mouse.move(2, 2)
    assert page.locator("#board .shown-move > *").count() == 0
    point(page, "a2").hover()
    names = page.locator("a.move.is-pointed-at").all_inner_texts()
    assert names
    assert all(name.startswith("R") for name in names)
    page.goto("/g/krk/?line=1-1")
    assert badges(page) == []
    assert page.locator("#board .dot").count() == 1  # of the king; the arrow is the rook's
    every = page.locator("a.move:visible").count()
    point(page, "a3").click()  # which leaves its moves in the list
    assert badges(page)
    names = page.locator("a.move:visible").all_inner_texts()
    assert 0 < len(names) < every
    assert all(name.startswith("R") for name in names)
    assert sum(map(int, page.locator(".group:visible .count").all_inner_texts())) == len(names)
    point(page, "a3").click()
    expect(page.locator("a.move:visible")).to_have_count(every)
    page.goto("/g/tictactoe/?line=1")
    assert len(badges(page)) == 8  # a move is one click: all of them are shown at once


@pytest.mark.parametrize("way", ["click", "drag", "keys"])
def test_hidden_hints_recommend_nothing_before_and_after_a_move(page: Page, way: str) -> None:
    page.goto("/g/krk/?hints=no")
    told = ".group, .count, .number, #why, #board .best-move, #board .dot, #board [class*=v-]"
    assert page.locator(told).count() == 0
    assert set(badges(page)) <= {"badge "}
    names = page.locator("a.move").all_inner_texts()
    assert names == sorted(names)
    piece, place = point(page, "a2"), point(page, "a4")
    if way == "keys":
        for one in (piece, place):
            one.focus()
            page.keyboard.press("Enter")
    elif way == "click":
        piece.click()
        place.click()
    else:
        draw_along(page, piece, place)
    line_of(page, 1)
    assert page.locator("#board .shown-move > *").count() == 0
    assert page.evaluate("document.activeElement.closest('.move-list')") is None


def test_pieces_keep_their_colours_and_marks_their_places(page: Page, browser: Browser) -> None:
    page.goto("/g/morris3/")
    seen = []
    for number, name in enumerate(("2,2", "1,1", "1,2"), 1):
        point(page, name).click()
        line_of(page, number)
        seen.append(page.evaluate(COLOURS))
    assert len({middle for middle, _ in seen}) == 1
    assert seen[2][1] not in (seen[2][0], None)
    for path, piece in (("tictactoe/?line=1-2", ".nought"), ("krk/?line=1", ".piece")):
        page.goto(f"/g/{path}")
        marks, pieces = page.locator("#board .last-move"), page.locator(f"#board {piece}")
        assert marks.locator("rect").count() > 0
        script = "(mark, piece) => mark.compareDocumentPosition(piece)"
        assert marks.evaluate(script, pieces.first.element_handle()) == 4, path  # the mark is below
    four = rs.game("connect4:rows=3,columns=3,connect=3")
    with exploring(c4=four) as address:
        page.goto(f"{address}/g/c4/?line=1-1")
        values, holes = (
            [centre(one) for one in page.locator(f"#board {kind}").all()]
            for kind in (".badge circle", ".gap, #board .piece")
        )
        assert page.locator(".turn .disc.red").count() == 1
        assert len(values) == 3  # one in the hole of each column where a piece would fall
        for x, y in values:
            assert any(abs(x - left) < 2 and abs(y - top) < 2 for left, top in holes)
        last = box(page.locator("#board .last"))
        assert abs(last["width"] - last["height"]) < 2  # the piece that fell, not its column


def test_a_board_is_turned_and_stays_so(page: Page) -> None:
    page.goto("/g/krk/")
    assert centre(point(page, "a1"))[0] < centre(point(page, "d1"))[0]
    page.keyboard.press("f")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    assert centre(point(page, "a1"))[0] > centre(point(page, "d1"))[0]
    for name in ("a2", "a3"):
        point(page, name).click()
    line_of(page, 1)
    assert centre(point(page, "a1"))[1] < centre(point(page, "a4"))[1]
    assert (
        page.locator("#board .piece.white").first.evaluate("king => king.getScreenCTM().d") > 0
    )  # upright


def test_long_groups_are_folded_and_plies_stand_in_pairs(page: Page) -> None:
    with exploring(lgame=rs.game("lgame")) as address:
        page.goto(f"{address}/g/lgame/")
        assert page.locator(".group > summary").all_inner_texts() == ["∞ Drawing 36", "▼ Losing 29"]
        assert page.locator(".more > summary").all_inner_texts() == ["16 more moves", "9 more moves"]
        expect(page.locator("a.move:visible")).to_have_count(40)
        page.locator(".more > summary").first.click()
        expect(page.locator("a.move:visible")).to_have_count(56)
    page.goto(f"/g/caught/?line={'-'.join('1' * 16)}")
    record, rows = box(page.locator(".record")), page.locator(".plies li").all()
    boxes = [box(row) for row in rows]
    assert len(boxes) == 16
    assert all(one["x"] >= record["x"] for one in boxes)
    for first, second in zip(boxes[::2], boxes[1::2], strict=True):
        assert (first["y"], first["x"] < second["x"]) == (second["y"], True)
    numbered = [row.evaluate("row => getComputedStyle(row, '::before').content") for row in rows]
    assert [text.startswith("counter") for text in numbered] == [True, False] * 8
    largest, others = page.evaluate(SIZES)
    assert largest > others  # the verdict
    assert box(page.locator("#board"))["height"] > 0.5 * 900
    lefts = [box(page.locator(part))["x"] for part in (".place", ".moves", ".beside")]
    assert lefts == sorted(set(lefts))


@pytest.mark.long
def test_the_best_line_plays_by_itself_until_it_is_stopped(page: Page) -> None:
    page.clock.install()
    page.goto("/g/krk/")
    button, asked = page.get_by_role("button", name="Best line"), list[str]()
    button.click()
    for number in (1, 2):
        expect(page.locator(".plies li")).to_have_count(number - 1)
        while page.locator(".plies li").count() < number:
            page.clock.run_for(100)
    button.click()
    page.on("request", lambda made: asked.append(made.url))
    page.clock.run_for(60_000)
    assert page.evaluate("location.search") == "?line=1-1"
    assert [url for url in asked if "line=" in url] == []
    page.goto("/g/stones/?at=4")
    button.click()
    while page.locator(".plies li").count() < 3:
        page.clock.run_for(100)
    expect(page.locator(".turn")).to_contain_text("The game is over.")


def test_links_positions_and_pictures_are_taken_along(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/g/tictactoe/")
    for number in (1, 2, 3):
        page.locator("a.move").first.click()
        line_of(page, number)
    text = page.inner_text("#position-text")
    page.locator(".share summary").click()
    for name, copied in (("Copy the link", page.url), ("Copy the position", text)):
        page.get_by_role("button", name=name).click()
        expect(page.locator("#announcement")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == copied
    with page.expect_download() as found:
        page.get_by_text("Download the picture").click()
    assert found.value.suggested_filename == "position.svg"
    assert found.value.path().read_text().startswith("<svg")
    page.locator("#permalink").click()
    expect(page.locator(".plies")).to_have_count(0)
    solution = rs.solve(rs.game("tictactoe"))
    assert page.url.endswith(f"/g/tictactoe/?at=%23{solution.space.index(text.replace('/', ''))}")
    assert page.inner_text("#position-text") == text
    names = [move.name for move in solution.moves(text.replace("/", ""))]
    assert page.locator(".move-list a.move").all_inner_texts() == names
    for go, number in ((page.go_back, 3), (page.go_back, 2), (page.go_forward, 3)):
        go()
        line_of(page, number)
    page.emulate_media(
        media="print", color_scheme="dark"
    )  # what cannot be clicked on paper is left out
    for gone in ("header", "footer", ".controls", ".actions"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.locator(".move-list").first).to_be_visible()
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colour == "rgb(255, 255, 255)"


def test_a_perfect_opponent_answers_and_undo_takes_both_moves_back(page: Page) -> None:
    page.goto("/g/caught/")
    page.select_option("select[name=mistakes]", "0.0")
    page.select_option("select[name=you]", "0")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".turn")).to_contain_text("It is your turn.")
    page.locator("a.move").nth(2).click()
    line_of(page, 2)
    expect(page.locator(".turn")).to_contain_text("It is your turn.")
    kinds = [row.get_attribute("class") for row in page.locator(".plies li").all()]
    assert kinds == ["is-slow", "is-best"]
    page.click("#undo")
    line_of(page, 0)
    page.get_by_text("Swap sides").click()
    line_of(page, 1)  # now the policeman, who moves first, is the opponent
    expect(page.locator("#verdict")).to_contain_text("You lose in 16 plies")
    page.go_back()
    expect(page.locator(".turn")).to_contain_text("It is your turn.")
    page.goto("/g/stones/?at=10&you=1&mistakes=1")  # the only other move loses
    line_of(page, 1)
    expect(page.locator("#verdict")).to_contain_text("You win in 5 plies")


@pytest.mark.parametrize(
    ("made", "you", "mistakes", "left"),
    [(4, 0, 0.0, 1), (3, 0, 0.0, 1), (2, 0, 0.0, 1), (4, 1, 0.0, 3), (1, 1, 0.0, 0), (4, 0, None, 3)],
)
def test_undo_goes_back_to_the_last_move_of_the_reader(
    made: int, you: int, mistakes: float | None, left: int
) -> None:
    """Each player moves twice."""
    owner = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1}
    graph = rs.Graph.from_edges(list(pairwise("abcdef")), owner=owner)
    shown = scene(rs.solve(graph.with_start("a")), Address("g", None, (1,) * made, you, mistakes))
    assert _undo(shown).line == (1,) * left


@pytest.mark.long(but=1)
@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_wrong_in_a_form_stays_on_the_page_and_the_rest_is_followed(
    browser: Browser, address: str, scripts: bool
) -> None:
    with watched(browser, refused=3, java_script_enabled=scripts, base_url=address) as page:
        text = page.locator("#position-text")
        page.goto("/g/krk/?hints=no&you=1&language=en&line=2-1")
        line_of(page, 2)
        before = text.inner_text()
        for field, form in (("moves", "line"), ("position", "start")):
            page.fill(f"input[name={field}]", "<8/8 'nonsense\"")
            page.locator(f"#{form}-form button").click()
            wrong = page.locator(f"input[name={field}]")
            expect(wrong).to_have_attribute("aria-invalid", "true")
            assert wrong.input_value() == "<8/8 'nonsense\""
            sentence = page.locator(f"#{wrong.get_attribute('aria-describedby')}")
            assert "nonsense" in sentence.inner_text()
            assert 0 < box(sentence)["y"] - box(wrong)["y"] < 120
            line_of(page, 2)
            assert text.inner_text() == before
            assert page.locator("nav [aria-current]").inner_text() == "krk"
            assert page.locator("select[name=hints]").input_value() == "no"
            assert page.locator("select[name=you]").input_value() == "1"
        page.fill("input[name=position]", "4/1k2/4/KR2 b")
        page.locator("#start-form button").click()
        expect(text).to_have_text("4/1k2/4/KR2 b")
        assert "hints=no" in page.url
        assert page.locator(".error:visible").count() == 0
        page.goto("/g/stones/?language=ru")
        page.fill("input[name=moves]", "взять 1, take 2; Take 1")
        page.locator("#line-form button").click()
        line_of(page, 3)
        expect(text).to_have_text("6")
        page.goto("/g/krk/?at=nonsense&you=1&line=1")
        assert page.input_value("input[name=position]") == "nonsense"
        page.locator("a.move").first.click()
        line_of(page, 1)
        page.goto("/g/tictactoe/?you=0&mistakes=0.0")  # played to its end
        for ply in range(9):
            (
                page.locator("#reply") if ply % 2 and not scripts else page.locator("a.move").first
            ).click()
            line_of(page, min(ply + 1 + scripts, 9))
            if scripts and ply == 4:
                break
        assert "without a winner" in page.inner_text("#verdict") or scripts


def test_a_graph_is_drawn_around_a_position(page: Page) -> None:
    page.goto("/g/graph/")
    for number in (0, 1):
        page.wait_for_selector('.graph[data-drawn="6"] svg')
        line_of(page, number)
        page.locator("a.move").first.click()
    page.goto("/g/stones/graph?at=4")
    page.wait_for_selector('.graph[data-drawn="5"] svg')
    rows = "|".join(page.locator("main tbody tr").all_inner_texts()).replace("\t", " ")
    assert rows == "4 ▲ wins in 3|3 ▼ loses in 2|2 ▲ wins in 1|1 ▲ wins in 1|0 ▼ has lost"


def test_a_board_of_text_is_drawn_played_by_clicks_and_described_by_its_author(page: Page) -> None:
    with exploring(corner=Corner()) as address:
        text = read(f"{address}/g/corner/")
        assert "Second player wins in 4 plies" in text
        assert '<p class="aside">over in 2</p>' in text
        assert "who brings it into the corner wins. No function draws it.</p>" in text
        assert "for programmers" not in text
        page.goto(f"{address}/g/corner/")
        assert page.locator("#board [data-point]").count() == 9
        assert page.locator("#board svg text.letter").all_text_contents() == ["R"]
        for name in ("3,1", "1,1"):
            point(page, name).click()
        expect(page.locator("#position-text")).to_have_text("R../.../...")
        draw_along(page, point(page, "1,1"), point(page, "1,3"))
        expect(page.locator(".turn")).to_contain_text("The game is over.")


def test_why_a_position_is_won_unfolds_on_its_page(page: Page, address: str) -> None:
    page.goto("/g/krk/")
    page.locator("#why summary").click()
    expect(page.locator("#why .explanation")).to_contain_text("is WIN in 9, because")
    assert "is WIN in 9, because" in read(f"{address}/g/krk/explanation")


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
    solution = rs.solve(rs.game(game))
    position = solution.start
    for name in line.split("; ") if line else [move.name for move in solution.line(position)]:
        assert f'class="{kind}"' not in (solution.space.svg(position) or "")
        position = next(move.position for move in solution.moves(position) if move.name == name)
    assert (solution.space.svg(position) or "").count(f'class="{kind}"') == count
