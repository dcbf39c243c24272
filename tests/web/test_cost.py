"""What pages cost: compressed answers, files that browsers keep; and pages within those of other sites."""

import gzip
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.explanation import Trace, trace, tracing
from retrosolve.web.app import application
from retrosolve.web.assets import digest
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages import film
from tests.web.drawn import answered, answering, hosted, read, watched

ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')
IMPORT = re.compile(r'from "\./([^"]+)"')
LIMIT = 40_000  # bytes of a position page with all that it needs, without its board
PACKED = {"Accept-Encoding": "gzip"}


@pytest.mark.parametrize(
    "path", ["/g/krk/", "/g/krk/structure", "/static/explorer.css", "/api/games/stones/film"]
)
def test_answers_are_compressed_for_who_takes_that(address: str, path: str) -> None:
    status, headers, packed = answered(address + path, PACKED)
    assert (status, headers["content-encoding"]) == (200, "gzip")
    _, headers, plain = answered(address + path)
    assert "content-encoding" not in headers
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2


@pytest.mark.parametrize("name", ["krk", "tictactoe", "caught"])
def test_a_position_page_is_light_and_its_files_are_kept_for_a_year(address: str, name: str) -> None:
    packed = answered(f"{address}/g/{name}/", PACKED)[2]
    files = set(ASSET.findall(gzip.decompress(packed).decode()))
    assert len(files) > 3
    assert all(path.startswith(f"/static/{digest()}/") for path in files)
    scripts, total = [path for path in files if path.endswith(".js")], len(packed)
    for path in scripts:
        found = {path.rpartition("/")[0] + "/" + name for name in IMPORT.findall(read(address + path))}
        scripts += sorted(found - files)
        files |= found
    for path in files:
        status, headers, content = answered(address + path, PACKED)
        assert status == 200
        assert "immutable" in headers["cache-control"]
        total += len(content)
    assert total < LIMIT
    file = f"{address}/static/explorer.css"
    headers = answered(file)[1]
    assert headers["cache-control"] == "no-cache"
    assert answered(file, {"If-None-Match": headers["etag"]})[0] == 304
    assert answered(f"{address}/static/000000000000/explorer.css")[0] == 404


def test_a_move_asks_for_no_file_again(page: Page) -> None:
    page.goto("/g/krk/")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda made: asked.append(urlsplit(made.url).path))
    page.locator("a.move").first.click()
    expect(page.locator(".plies li")).to_have_count(1)
    assert [path for path in asked if path.endswith((".js", ".css"))] == []


def test_another_site_shows_a_position_where_the_operator_allows_it(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    library = Library([Entry("krk", "krk", rs.solve(rs.game("chess:KRK,board=4")))])
    with answering(application(library, embedding=("*",))) as allowing:
        with watched(browser) as page:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page.goto(f"{allowing}/g/krk/")
            page.locator(".share summary").click()
            page.get_by_role("button", name="Copy the code to embed").click()
            code = page.evaluate("navigator.clipboard.readText()")
        (tmp_path / "index.html").write_text(f"<!doctype html><title>Blog</title>{code}")
        (tmp_path / "favicon.ico").touch()
        with hosted(tmp_path) as blog, watched(browser) as page:
            page.goto(blog.replace("127.0.0.1", "localhost"))
            frame = page.frame_locator("iframe")
            expect(frame.locator("#verdict")).to_contain_text("White wins in 9 plies")
            expect(frame.locator(".controls")).to_be_hidden()
            frame.locator("a.move").first.click()
            expect(frame.locator(".plies li")).to_have_count(1)
            expect(frame.locator("header")).to_be_hidden()
    _, headers, page_text = answered(f"{address}/g/krk/")
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert b"to embed" not in page_text
    with answering(application(library, embedding=("https://blog.example",))) as allowing:
        headers = answered(f"{allowing}/g/krk/")[1]
        assert headers["content-security-policy"].endswith("frame-ancestors https://blog.example")


def test_a_film_is_made_once_for_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def traced(entry: Entry) -> Trace:
        made.append(entry.name)
        return trace(entry.solution)

    monkeypatch.setattr(film, "trace_of", traced)
    large = rs.solve(rs.game("chess:KRK,board=4"))
    monkeypatch.setattr(tracing, "MAX_MOVES", large.num_edges - 1)
    entries = [Entry("stones", "stones", rs.solve(rs.game("stones:n=5"))), Entry("krk", "krk", large)]
    with answering(application(Library(entries))) as address:
        data = f"{address}/api/games/stones/film"
        packed = [answered(data, PACKED)[2] for _ in range(2)]
        assert packed[0] == packed[1]
        assert answered(data)[2] == gzip.decompress(packed[0])
        for name in ("stones", "krk"):
            assert len({answered(f"{address}/g/{name}/film")[2] for _ in range(2)}) == 1
    assert made == ["stones"] * 3 + ["krk"]
