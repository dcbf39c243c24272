"""Requests that no page makes: refused in a sentence, never a traceback, and nothing is solved for other sites."""

import contextlib
import json
import re
import select
import socket
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

import retrosolve as rs
from retrosolve.cli.serve import LOOPBACK_NAMES
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.web import limits
from retrosolve.web.app import PAGES, QUERIES
from retrosolve.web.library import Entry, Library
from retrosolve.web.limits import MAX_BODY, MAX_HEAD, MAX_HEADERS, MAX_URL
from retrosolve.web.security import SENTENCE, host_name
from tests.web.drawn import answer_of, answered, connected, raw, request, serving

KRK, PROBE = "/api/games/krk/position", "/api/games/krk/probe"
ERROR = re.compile('<p class="error"[^>]*>(.+?)</p>')
BAD_ADDRESSES = {
    404: "/nothing /g/nothing/ /api/games/nothing {0}?at=%F0%9F%92%A5 {0}?at=%00 {0}?at=%23999999999 {0}?at=%23-1 "
    "{0}?at=%ED%A0%80 {0}?at=%zz% /g/krk/?at=nonsense /g/krk/?line=1-99 /g/krk/?line=0 /g/krk/typed?moves=Qa1-a8 "
    "/g/krk/start?position=%ED%A0%80 /g/krk/random?value=draw /static/../app.py /static/%2e%2e/app.py "
    "/static/..%2fapp.py /static//etc/passwd /static/ /g/..%2f..%2fetc/ /g/%2e%2e/",
    400: f"/g/krk/?at={'8' * 5000} /g/krk/?line=-1 /g/krk/?line={'-'.join('1' * 1001)} /g/krk/?you=2 /g/krk/?mistakes=nan "
    "/g/krk/?mistakes=2 /g/krk/?line=1&played=1 /api/games/krk/line?plies=1001 /api/games/krk/neighborhood?limit=201",
    422: f"/g/krk/find?value=best /g/krk/random?remoteness=-1 /g/krk/find?remoteness={'9' * 5000}",
    414: f"/g/krk/?at={'8' * MAX_URL}",
}
POSITION = re.compile(r"/g/krk/(typed|start)?\?")
BODIES = b"", b"\xff", b"[" * 5000, b"[]", b'{"positions": [1]}', b'{"positions": ["\\ud800"]}', b'{"positions": NaN}'  # fmt: skip


def sentence_in(answer: object) -> str:
    """The sentence of an error, as JSON, on a page or as plain text."""
    if isinstance(answer, str) and answer.startswith("{"):
        answer = json.loads(answer)
    if isinstance(answer, dict):
        assert list(answer) == ["error"]
        return str(answer["error"])
    text = str(answer)
    assert "Traceback" not in text
    found = ERROR.search(text)
    return unescape(found[1] if found else text)


def test_bad_addresses_bodies_and_methods_are_refused_in_a_sentence(address: str) -> None:
    for status, paths in BAD_ADDRESSES.items():
        for path in paths.format(KRK).split():
            found, answer = raw(address, f"GET {path} HTTP/1.1")
            assert found == status, path
            assert ": " in sentence_in(answer) or status == 404, path
            # The page of the game stays; other pages have a heading.
            kept = status != 414 and POSITION.match(path)
            assert path.startswith("/api/") or ('id="board"' if kept else "<h1>") in answer, path
    for body in BODIES:
        status, answer = request(address + PROBE, body)
        assert (status, ": expected" in sentence_in(answer)) == (400, True)
    for path in ("/", "/g/krk/", KRK, "/static/explorer.css", "/openapi.json"):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"):
            status, answer = request(address + path, b"" if method == "POST" else None, method)
            assert status == (
                400 if method == "NONSENSE" else 405
            )  # refused before any page is looked for
            assert "expected" in sentence_in(answer)


def test_oversized_bodies_are_refused_by_their_length_and_by_what_arrives(address: str) -> None:
    assert request(address + PROBE, b" " * (MAX_BODY + 1))[0] == 413
    with connected(address) as connection:
        head = f"POST {PROBE} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        with contextlib.suppress(ConnectionError):
            for _ in range(8):
                connection.sendall(b"%x\r\n%s\r\n" % (1 << 14, b" " * (1 << 14)))
        status, text = answer_of(connection)
        assert (status, "65536 bytes" in sentence_in(text)) == (413, True)


HEADERS = b"".join(b"X-%d: 1\r\n" % number for number in range(MAX_HEADERS + 1))
HEADS = {
    "headers in number": [b"GET / HTTP/1.1\r\n", HEADERS, b"\r\n"],
    "one header": [b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD + b"\r\n"],
    "a header without an end": [b"GET / HTTP/1.1\r\nX: ", *[b"x" * 4096] * (2 * MAX_HEAD // 4096)],
    "an address without an end": [b"GET /", *[b"x" * 4096] * (2 * MAX_HEAD // 4096)],
    "headers": [b"GET / HTTP/1.1\r\n", *[b"X: " + b"x" * 4096 + b"\r\n"] * 12],
}


@pytest.mark.parametrize("what", HEADS)
def test_a_head_too_long_is_refused_while_it_arrives(address: str, what: str) -> None:
    with connected(address) as connection:
        with contextlib.suppress(ConnectionError):
            for part in HEADS[what]:
                connection.sendall(part)
        status, text = answer_of(connection)
    most = MAX_HEADERS if what == "headers in number" else MAX_HEAD
    assert (status, f"expected at most {most}" in text) == (431, True)
    few = HEADERS.rpartition(b"X-99")[0]  # 99, and Host
    assert raw(address, "GET / HTTP/1.1\r\n" + few.decode().strip())[0] == 200


HALF = f"POST {PROBE} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{{".encode()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: local", HALF])
def test_slow_clients_are_told_so(address: str, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(limits, "ARRIVAL_SECONDS", 0.1)
    with connected(address) as connection:
        connection.sendall(sent)
        status, text = answer_of(connection)
        assert (status, "within 0.1 seconds" in text) == (408, True)
    with connected(address) as connection:  # a body of many parts has one time to arrive
        connection.sendall(HALF)
        while not select.select([connection], [], [], 0.01)[0]:
            connection.sendall(b" ")
        assert connection.recv(12) == b"HTTP/1.1 408"


def test_idle_connections_leave_room_for_a_page(
    address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "MAX_CONNECTIONS", 20)
    sent = b"", b"GET / HTTP/1.1\r\nHost: local", HALF, b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with contextlib.ExitStack() as stack:
        idle: list[socket.socket] = []
        for number in range(80):
            idle.append(stack.enter_context(connected(address)))
            with contextlib.suppress(ConnectionError):
                idle[-1].sendall(sent[number % len(sent)])
        assert request(f"{address}/g/krk/")[0] == 200
        with contextlib.suppress(ConnectionError):
            assert idle[0].recv(1) == b""  # the oldest one was closed
        assert raw(address, "GET / HTTP/1.1")[0] == 200
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_client_that_reads_nothing_loses_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "IDLE_SECONDS", 0.2)
    sent = b"GET /static/vendor/cytoscape.esm.min.mjs HTTP/1.1\r\nHost: x\r\n\r\n"
    closed = contextlib.suppress(ConnectionError)
    with serving(Library([])) as address, connected(address) as connection, closed:
        while connection.send(sent):  # until it is closed; a time-out is no ConnectionError
            pass


@pytest.mark.parametrize(
    ("host", "name"),
    [
        *((host, host) for host in ("pages.example", "", "localhost.", "[0:0:0:0:0:0:0:1]")),
        ("LocalHost:8000", "localhost"), ("127.0.0.1:", "127.0.0.1"), ("[::1]:8000", "[::1]"),
        *((host, None) for host in (
            "[::1].evil.com", "[::1]evil.com:80", "[::1]:80:80", "[::1%25lo]", "[::1", "::1", "evil@localhost",
            "localhost:80@evil.com", "localhost:65536", "localhost:8e3", "localhost:\u0661", "localhost/evil.com",
            "localhost\\evil.com", "localhost evil.com", "localhost,evil.com", "l\u00f6calhost", "localhost\0", "localhost\n",
        )),
    ],
)  # fmt: skip
def test_the_host_header_is_a_name_and_a_port_and_nothing_else(host: str, name: str | None) -> None:
    assert host_name(host) == name


def test_only_the_names_of_this_computer_are_served() -> None:
    hosts = {
        200: ("localhost:80", "[::1]:80", "LOCALHOST"),
        400: ("[::1].evil.com", "evil@localhost", "localhost\r\nHost: evil.com"),
        421: ("evil.com", "localhost.", "localhost.evil.com", ""),
    }
    with serving(Library([]), hosts=LOOPBACK_NAMES) as address:
        for status, names in hosts.items():
            for host in names:
                for path in ("/", "/api/games"):
                    found, text = raw(address, f"GET {path} HTTP/1.1", host=host)
                    assert found == status, host
                    assert status == 200 or ": expected " in sentence_in(text)


def test_every_answer_has_a_strict_policy_and_failures_a_line_in_the_log(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Entry("broken", "broken", rs.solve(rs.Graph.from_edges([0], [1])))
    object.__setattr__(broken, "solution", None)
    with serving(Library([broken])) as failing:
        wrong = [f"{failing}/g/broken/", f"{failing}/api/games/broken"]
        for url in [
            address + path
            for path in ("/", "/g/krk/", "/nothing", KRK, f"{KRK}?at=x", "/static/position.js")
        ] + wrong:
            status, headers, text = answered(url)
            policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
            assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == "'self'"
            assert headers["x-content-type-options"] == "nosniff"
            assert "server" not in headers
            if url in wrong:
                assert (status, "Traceback" in sentence_in(text.decode())) == (500, False)
    logged = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [(record.name, record.exc_info is None) for record in logged] == [
        ("retrosolve.web.rendering", False)
    ] * 2


def test_names_from_outside_are_text_and_never_markup(address: str) -> None:
    hostile = "<script>alert(1)"
    for path in ("/g/krk/?at=", "/g/krk/typed?moves=", "/g/"):
        text = request(f"{address}{path}{quote(hostile, safe='')}")[1]
        assert ("&lt;script&gt;" in text, hostile in text) == (True, False)


# -- requests that pages of other sites make a browser send ---------------------------------------------

LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Origin": "http://localhost:3000"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    LINK,
]
OWN = [
    {},
    {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    {"Origin": "OWN"},
]


def test_other_sites_start_no_work_and_a_link_shows_what_is_open(tmp_path: Path) -> None:
    solution, made = rs.solve(rs.game("stones")), list[str]()
    solution.save(tmp_path / "s")

    def make(description: str) -> tuple[str, Solution]:
        made.append(description)
        return "made", rs.solve(rs.Graph.from_edges([0], [1]))

    def explorer() -> tuple[Library, OpenedSolution]:
        lazy: OpenedSolution = rs.open(tmp_path / "s")
        entries = [Entry("here", "here", solution), Entry("lazy", "lazy", lazy)]
        return Library(entries, dict.fromkeys(("board", "graph"), make)), lazy

    shown, lazy = explorer()
    with serving(shown) as address:

        def asked(path: str, headers: dict[str, str], body: str | None = None) -> tuple[int, str]:
            status, _, text = answered(address + path, headers, body)
            return status, text.decode()

        for headers in FOREIGN:
            for name in ("lazy", "board~P.T", "graph~a.b~a-b"):
                for path, _ in PAGES:
                    status, answer = asked(path.replace("{name}", name), headers)
                    assert status == (200 if path in {"/", "/openapi.json"} else 403), path
                    assert status == 200 or SENTENCE in sentence_in(answer)
                for path, _ in QUERIES:
                    assert asked(path.replace("{name}", name), headers, "P.T")[0] == 403
            for path in ("/edit/board?board=P.T", "/edit/board?text=P.T", "/edit/graph?graph=a.b~a-b"):
                assert asked(path, headers)[0] == 403
            assert asked("/static/explorer.css", headers)[0] == 200
        assert asked("/g/here/?at=7&line=1", LINK)[0] == 200
        for path in [
            "/g/here/film",
            "/g/here/zugzwang",
            "/g/here/random",
            "/api/games/here",
            "/g/lazy?at=7",
        ]:
            assert asked(path, LINK)[0] == 403
        assert asked("/g/here/", FOREIGN[0])[0] == 403  # a picture or a frame, not a link
        status, answer = asked("/g/lazy/?at=7&you=1", LINK)
        assert status == 403
        assert '<a href="/g/lazy/?at=7&amp;you=1">' in answer  # which the reader may follow
        status, sent, _ = answered(f"{address}/g/here?at=7&line=1", LINK)
        assert (status, sent["location"]) == (307, "/g/here/?at=7&line=1")
        assert (made, lazy.opened.is_built) == ([], False)
        for headers in ({"Sec-Fetch-Site": "same-origin"}, LINK):  # once it is open
            assert asked("/g/lazy/?at=7", headers)[0] == 200
        assert asked("//evil.example/x", LINK)[1].count('href="//') == 0
    for headers in OWN:
        made.clear()
        with serving(explorer()[0]) as address:
            sent = {name: address if text == "OWN" else text for name, text in headers.items()}
            assert answered(f"{address}/g/lazy/", sent)[0] == 200
            status, _, text = answered(f"{address}/api/games/lazy/probe", sent, '{"positions": ["7"]}')
            assert (status, json.loads(text)["positions"][0]["remoteness"]) == (200, 5)
            assert answered(f"{address}/g/graph~a.b~a-b/", sent)[0] == 200
            assert made == ["a.b~a-b"]
