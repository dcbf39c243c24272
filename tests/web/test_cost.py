"""What pages cost: compressed answers, files that browsers keep, and pages within those of other sites."""

import gzip
import http.client
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.explanation import Trace, trace, tracing
from retrosolve.games import parse_game
from retrosolve.web.app import application
from retrosolve.web.assets import digest
from retrosolve.web.library import Entry, Library
from retrosolve.web.pages import film
from tests.web.drawn import answering, request, watched

ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')
IMPORT = re.compile(r'from "\./([^"]+)"')
LIMIT = 40_000  # bytes of a position page with all that it needs, without its board


def answered(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The status of an answer, its headers in small letters, and its body as it was sent."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    connection.request("GET", target, headers={k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


@pytest.mark.parametrize(
    "path", ["/g/krk/", "/g/krk/structure", "/static/explorer.css", "/api/games/stones/film"]
)
def test_answers_are_compressed_for_who_takes_that(address: str, path: str) -> None:
    status, headers, packed = answered(address + path, Accept_Encoding="gzip")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    _, headers, plain = answered(address + path)
    assert "content-encoding" not in headers
    assert gzip.decompress(packed) == plain
    assert len(packed) < len(plain) / 2


def test_files_are_kept_for_a_year_and_have_other_addresses_when_they_change(address: str) -> None:
    _, page = request(f"{address}/g/krk/")
    files = ASSET.findall(page)
    assert len(files) > 3
    assert all(path.startswith(f"/static/{digest()}/") for path in files)
    for path in files:
        status, headers, _ = answered(address + path)
        assert status == 200
        assert "immutable" in headers["cache-control"]
    status, headers, _ = answered(f"{address}/static/explorer.css")
    assert headers["cache-control"] == "no-cache"
    assert answered(f"{address}/static/explorer.css", If_None_Match=headers["etag"])[0] == 304
    assert answered(f"{address}/static/000000000000/explorer.css")[0] == 404


def test_a_move_asks_for_no_file_again(browser: Browser, address: str) -> None:
    with watched(browser) as page:
        page.goto(f"{address}/g/krk/")
        page.wait_for_load_state("networkidle")
        asked: list[str] = []
        page.on("request", lambda made: asked.append(urlsplit(made.url).path))
        page.locator("a.move").first.click()
        expect(page.locator(".plies li")).to_have_count(1)
        assert [path for path in asked if path.endswith((".js", ".css"))] == []


@pytest.mark.parametrize("name", ["krk", "tictactoe", "caught"])
def test_a_position_page_is_light(address: str, name: str) -> None:
    _, _, packed = answered(f"{address}/g/{name}/", Accept_Encoding="gzip")
    page = gzip.decompress(packed).decode()
    files = set(ASSET.findall(page))
    scripts = [path for path in files if path.endswith(".js")]
    total = len(packed)
    for path in scripts:
        text = request(address + path)[1]
        found = {path.rpartition("/")[0] + "/" + name for name in IMPORT.findall(text)}
        scripts += sorted(found - files)
        files |= found
    total += sum(len(answered(address + path, Accept_Encoding="gzip")[2]) for path in files)
    assert total < LIMIT


@contextmanager
def other_site(text: str) -> Iterator[str]:
    """Serve one page under another host name."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *arguments: object) -> None:
            pass

    # A browser opens connections in advance, for which a server of one thread would wait without end.
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()


@contextmanager
def embeddable(*sites: str) -> Iterator[str]:
    library = Library([Entry("krk", "krk", rs.solve(parse_game("chess:KRK,board=4")))])
    with answering(application(library, embedding=sites)) as found:
        yield found


def test_another_site_shows_a_position_where_the_operator_allows_it(browser: Browser) -> None:
    with embeddable("*") as address:
        with watched(browser) as page:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page.goto(f"{address}/g/krk/")
            page.locator(".share summary").click()
            page.get_by_role("button", name="Copy the code to embed").click()
            code = page.evaluate("navigator.clipboard.readText()")
        with other_site(f"<!doctype html><title>Blog</title>{code}") as blog, watched(browser) as page:
            page.goto(blog)
            frame = page.frame_locator("iframe")
            expect(frame.locator("#verdict")).to_contain_text("White wins in 9 plies")
            expect(frame.locator("header")).to_be_hidden()
            expect(frame.locator(".controls")).to_be_hidden()
            frame.locator("a.move").first.click()
            expect(frame.locator(".plies li")).to_have_count(1)
            expect(frame.locator("header")).to_be_hidden()


def test_no_other_site_shows_a_position_by_default(address: str) -> None:
    _, headers, page = answered(f"{address}/g/krk/")
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert b"to embed" not in page
    with embeddable("https://blog.example") as allowing:
        _, headers, _ = answered(f"{allowing}/g/krk/")
        assert headers["content-security-policy"].endswith("frame-ancestors https://blog.example")


def test_a_site_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "stones", "--allow-embedding", "blog.example; script-src *"]) == 2
    assert "is no site: expected one such as https://blog.example" in capsys.readouterr().err


def test_a_film_is_made_once_for_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def traced(entry: Entry) -> Trace:
        made.append(entry.name)
        return trace(entry.solution)

    monkeypatch.setattr(film, "trace_of", traced)
    large = rs.solve(parse_game("chess:KRK,board=4"))
    monkeypatch.setattr(tracing, "MAX_MOVES", large.num_edges - 1)
    entries = [
        Entry("stones", "stones", rs.solve(parse_game("stones:n=5"))),
        Entry("krk", "krk", large),
    ]
    with answering(application(Library(entries))) as address:
        data = f"{address}/api/games/stones/film"
        packed = [answered(data, Accept_Encoding="gzip")[2] for _ in range(2)]
        assert packed[0] == packed[1]
        assert answered(data)[2] == gzip.decompress(packed[0])
        pages = {answered(f"{address}/g/stones/film")[2] for _ in range(2)}
        assert len(pages) == 1
        refusals = {answered(f"{address}/g/krk/film")[2] for _ in range(2)}
        assert len(refusals) == 1
        assert b"too many to trace" in refusals.pop()
    assert made == ["stones"] * 3 + ["krk"]
