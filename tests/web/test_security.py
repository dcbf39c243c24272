"""Requests that no page makes: a status 4xx and one sentence, never a traceback, nothing but the table."""

import contextlib
import http.client
import json
import re
import socket
import time
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote, urlsplit

import pytest

import retrosolve as rs
from retrosolve.cli.serve import LOOPBACK_NAMES
from retrosolve.web import limits
from retrosolve.web.library import Entry, Library
from retrosolve.web.limits import MAX_BATCH, MAX_BODY, MAX_HEAD, MAX_HEADERS, MAX_URL
from retrosolve.web.rendering import HEADINGS, REFUSED
from retrosolve.web.security import host_name
from tests.web.drawn import request, serving

KRK, PROBE = "/api/games/krk/position", "/api/games/krk/probe"

BAD_ADDRESSES = [
    (404, "/nothing", "there is no such page"),
    (404, "/g/nothing/", "there is no game 'nothing'"),
    (404, "/api/games/nothing", "there is no game 'nothing'"),
    (404, f"{KRK}?at=nonsense", "nonsense"),
    (404, f"{KRK}?at=%F0%9F%92%A5", "is no position"),
    (404, f"{KRK}?at=%00", "is no position"),
    (404, f"{KRK}?at=%23999999999", "there is no index 999999999"),
    (404, f"{KRK}?at=%23-1", "is no position"),
    (404, "/g/stones/?at=11", "no position that play from the start reaches is written '11'"),
    (404, "/g/caught/?at=policeman+99,99,+thief+1,1", "(99, 99)"),
    (400, f"/g/krk/?at={'8' * 5000}", "a position of 5000 characters: expected at most 4000"),
    (404, "/g/krk/?line=1-99", "move 2 of the line is number 99"),
    (404, "/g/krk/?line=0", "move 1 of the line is number 0"),
    (400, "/g/krk/?line=-1", "line= holds something else"),
    (400, "/g/krk/?line=1-x", "line= holds something else"),
    (400, f"/g/krk/?line={'-'.join('1' * 1001)}", "line= has 1001 moves: expected at most 1000"),
    (400, "/g/krk/?you=2", "you= is neither side"),
    (400, "/g/krk/?mistakes=nan", "mistakes= is no probability"),
    (400, "/g/krk/?mistakes=2", "mistakes= is no probability"),
    (404, "/g/krk/typed?moves=Qa1-a8", "is no move there: expected"),
    (404, "/g/krk/start?position=nonsense", "nonsense"),
    (404, "/g/krk/start?position=%ED%A0%80", "is no position"),
    (400, "/g/krk/?line=1&played=1", "line= and played= are both there: expected one of them"),
    (400, "/g/krk/?played=x", "played= holds something else"),
    (422, "/g/krk/find?value=best", "'best' is not a value"),
    (422, "/g/krk/random?remoteness=-1", "expected a number of plies"),
    (404, "/g/krk/random?value=draw", "there is no position of value draw"),
    (400, "/api/games/krk/line?plies=1001", "expected a number from 1 to 1000"),
    (400, "/api/games/krk/neighborhood?limit=201", "expected a number from 1 to 200"),
    (414, f"/g/krk/?at={'8' * MAX_URL}", "the address is too long"),
    (404, "/static/../app.py", "there is no such page"),
    (404, "/static/%2e%2e/app.py", "there is no such page"),
    (404, "/static/..%2fapp.py", "there is no such page"),
    (404, "/static//etc/passwd", "there is no such page"),
    (404, "/static/", "there is no such page"),
    (404, f"{KRK}?at=%ED%A0%80", "is no position"),
    (404, f"{KRK}?at=%zz%", "is no position"),
    (422, f"/g/krk/find?remoteness={'9' * 5000}", "expected a number of plies"),
    (404, "/g/..%2f..%2fetc/", "there is no"),
    (404, "/g/%2e%2e/", "there is no"),
]
BAD_BODIES = [
    (b"", "the body is no JSON"),
    (b"\xff", "the body is no JSON"),
    (b"[" * 5000, "the body is no JSON"),
    (b"[]", "the body holds no list of texts"),
    (b'{"positions": [1]}', "the body holds no list of texts"),
    (b'{"positions": ["4", "\\ud800"]}', "position 2 of the body holds a lone surrogate: expected"),
    (b'{"positions": ' + b"9" * 5000 + b"}", "the body is no JSON"),
    (b'{"positions": NaN}', "the body holds no list of texts"),
    (json.dumps({"positions": ["x"] * (MAX_BATCH + 1)}).encode(), f"holds {MAX_BATCH + 1} positions"),
]


ERROR = re.compile('<p class="error"[^>]*>(.+?)</p>')
POSITION = re.compile(r"/g/(krk|stones|caught)/(typed|start)?\?")


def sentence_in(answer: object) -> str:
    """The sentence of an error, as JSON, on a page or as plain text."""
    if isinstance(answer, dict):
        assert list(answer) == ["error"]
        return str(answer["error"])
    text = str(answer)
    assert "Traceback" not in text
    found = ERROR.search(text)
    return unescape(found[1] if found else text)


@contextlib.contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """A connection to the explorer."""
    url = urlsplit(address)
    with socket.create_connection((url.hostname or "", url.port or 0), timeout=20) as connection:
        yield connection


def raw(address: str, lines: str, host: str = "localhost") -> tuple[int, str]:
    """Send the first lines of a request as they are; return the status and the body of the answer."""
    with connected(address) as connection:
        connection.sendall(f"{lines}\r\nHost: {host}\r\n\r\n".encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize(("status", "path", "said"), BAD_ADDRESSES)
def test_bad_addresses_are_refused_in_a_sentence(
    address: str, status: int, path: str, said: str
) -> None:
    found, answer = raw(address, f"GET {path} HTTP/1.1")
    if path.startswith("/api/"):
        answer = json.loads(answer)
    elif POSITION.match(path) and status != 414:
        assert 'id="board"' in answer  # the page of the game stays
    else:
        assert f"<h1>{HEADINGS.get(status, REFUSED)}</h1>" in answer
    assert found == status
    assert said in sentence_in(answer)


@pytest.mark.parametrize(("body", "said"), BAD_BODIES)
def test_bad_bodies_are_refused_in_a_sentence(address: str, body: bytes, said: str) -> None:
    status, answer = request(address + PROBE, body)
    assert status == 400
    assert said in sentence_in(answer)


@pytest.mark.parametrize("path", ["/", "/g/krk/", KRK, "/static/explorer.css", "/openapi.json"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
def test_wrong_methods_are_refused(address: str, path: str, method: str) -> None:
    status, answer = request(address + path, b"" if method == "POST" else None, method)
    if method == "NONSENSE":  # refused before any page is looked for
        assert (status, answer[:28]) == (400, "the request is not HTTP/1.1:")
    else:
        assert status == 405
        assert "this page is only read: expected GET" in sentence_in(answer)


def test_oversized_bodies_are_refused_by_their_length_and_by_what_arrives(address: str) -> None:
    assert request(address + PROBE, b" " * (MAX_BODY + 1))[0] == 413
    with connected(address) as connection:
        head = f"POST {PROBE} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head.encode())
        chunk = b"%x\r\n%s\r\n" % (1 << 14, b" " * (1 << 14))
        with contextlib.suppress(ConnectionError):
            for _ in range(8):
                connection.sendall(chunk)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 413
        assert "expected at most 65536 bytes" in json.loads(answer.read())["error"]


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: local",
        f"POST {PROBE} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{{".encode(),
    ],
)
def test_slow_clients_are_told_so(address: str, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(limits, "ARRIVAL_SECONDS", 0.1)
    with connected(address) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 408
        assert "did not arrive: expected it within 0.1 seconds" in answer.read().decode()


def head_answered(address: str, *parts: bytes) -> tuple[int, str]:
    """Send parts of a request until an answer is there; return its status and its body."""
    with connected(address) as connection:
        with contextlib.suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.read().decode()


def test_too_many_headers_are_refused(address: str) -> None:
    headers = b"".join(b"X-%d: 1\r\n" % number for number in range(MAX_HEADERS + 1))
    status, text = head_answered(address, b"GET / HTTP/1.1\r\n" + headers + b"\r\n")
    assert (status, text) == (
        431,
        f"the request has too many headers: expected at most {MAX_HEADERS}\n",
    )
    few = headers.rpartition(b"X-99")[0]  # 99, and Host
    assert raw(address, "GET / HTTP/1.1\r\n" + few.decode().strip())[0] == 200


@pytest.mark.parametrize(
    "parts",
    [
        [b"GET / HTTP/1.1\r\nX: " + b"x" * MAX_HEAD + b"\r\n"],
        [b"GET / HTTP/1.1\r\nX: ", *[b"x" * 4096] * (2 * MAX_HEAD // 4096)],
        [b"GET /", *[b"x" * 4096] * (2 * MAX_HEAD // 4096)],
        [b"GET / HTTP/1.1\r\n", *[b"X: " + b"x" * 4096 + b"\r\n"] * 12],
    ],
    ids=["one header", "a header without an end", "an address without an end", "headers"],
)
def test_a_head_too_long_is_refused_while_it_arrives(address: str, parts: list[bytes]) -> None:
    status, text = head_answered(address, *parts)
    assert status == 431
    assert f"are too long: expected at most {MAX_HEAD} bytes" in text


def test_a_body_of_many_parts_has_one_time_to_arrive(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ARRIVAL_SECONDS", 0.3)
    head = f"POST {PROBE} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n".encode()
    with connected(address) as connection:
        connection.sendall(head)
        connection.settimeout(0.05)
        for _ in range(400):  # each part arrives in time
            connection.sendall(b" ")
            with contextlib.suppress(TimeoutError):
                first = connection.recv(12)
                break
        assert first == b"HTTP/1.1 408"


def test_idle_connections_leave_room_for_a_page(
    address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "MAX_CONNECTIONS", 20)
    half = f"POST {PROBE} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{{".encode()
    sent = (
        b"",
        b"GET / HTTP/1.1\r\nHost: local",
        half,
        b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n",
    )
    with contextlib.ExitStack() as stack:
        idle = []
        for number in range(80):
            idle.append(stack.enter_context(connected(address)))
            with contextlib.suppress(ConnectionError):
                idle[-1].sendall(sent[number % len(sent)])
        assert request(f"{address}/g/krk/")[0] == 200
        idle[0].settimeout(20)
        with contextlib.suppress(ConnectionError):
            assert idle[0].recv(1) == b""  # the oldest one was closed
        assert raw(address, "GET / HTTP/1.1")[0] == 200
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def send_again(connection: socket.socket, sent: bytes) -> None:
    """Send something every now and then. Raises ConnectionError when the other side has left."""
    for _ in range(400):
        connection.sendall(sent)
        time.sleep(0.02)


def test_a_client_that_reads_nothing_loses_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "IDLE_SECONDS", 0.2)
    sent = b"GET /static/vendor/cytoscape.esm.min.mjs HTTP/1.1\r\nHost: x\r\n\r\n"
    with serving(Library([])) as address, connected(address) as connection:
        connection.sendall(sent * 40)
        with pytest.raises(ConnectionError):
            send_again(connection, sent)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8000", "localhost"),
        ("127.0.0.1:", "127.0.0.1"),
        ("[::1]:8000", "[::1]"),
        ("pages.example", "pages.example"),
        ("", ""),
        ("localhost.", "localhost."),
        ("[0:0:0:0:0:0:0:1]", "[0:0:0:0:0:0:0:1]"),
        ("[::1].evil.com", None),
        ("[::1]evil.com:80", None),
        ("[::1]:80:80", None),
        ("[::1%25lo]", None),
        ("[::1", None),
        ("::1", None),
        ("evil@localhost", None),
        ("localhost@evil.com", None),
        ("localhost:80@evil.com", None),
        ("localhost:65536", None),
        ("localhost:8e3", None),
        ("localhost:\u0661", None),
        ("localhost/evil.com", None),
        ("localhost\\evil.com", None),
        ("localhost evil.com", None),
        ("localhost,evil.com", None),
        ("l\u00f6calhost", None),
        ("localhost\0", None),
        ("localhost\n", None),
    ],
)
def test_the_host_header_is_a_name_and_a_port_and_nothing_else(host: str, name: str | None) -> None:
    assert host_name(host) == name


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:80", 200),
        ("[::1]:80", 200),
        ("LOCALHOST", 200),
        ("[::1].evil.com", 400),
        ("evil@localhost", 400),
        ("localhost\r\nHost: evil.com", 400),
        ("evil.com", 421),
        ("localhost.", 421),
        ("localhost.evil.com", 421),
        ("", 421),
    ],
)
def test_only_the_names_of_this_computer_are_served(host: str, status: int) -> None:
    with serving(Library([]), hosts=LOOPBACK_NAMES) as address:
        for path in ("/", "/api/games"):
            found, text = raw(address, f"GET {path} HTTP/1.1", host=host)
            assert found == status
            if status != 200:
                said = sentence_in(json.loads(text) if path == "/api/games" else text)
                assert said.partition(": expected ")[2]


@pytest.mark.parametrize(
    "path", ["/", "/g/krk/", "/nothing", KRK, f"{KRK}?at=x", "/static/position.js"]
)
def test_every_answer_has_a_strict_policy(address: str, path: str) -> None:
    url = urlsplit(address)
    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    policy = dict(
        part.split(" ", 1) for part in (answer.getheader("Content-Security-Policy") or "").split("; ")
    )
    connection.close()
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Server") is None


def test_a_failure_of_the_explorer_is_a_sentence_and_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = Entry("broken", "broken", rs.solve(rs.Graph.from_edges([0], [1])))
    object.__setattr__(broken, "solution", None)
    with serving(Library([broken])) as address:
        for path in ("/g/broken/", "/api/games/broken"):
            with connected(address) as connection:
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                text = answer.read().decode()
                assert answer.status == 500
                assert answer.getheader("Content-Security-Policy") is not None
                said = sentence_in(json.loads(text) if path.startswith("/api/") else text)
                assert said.startswith("the explorer failed at this page")
    logged = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.name for record in logged] == ["retrosolve.web.rendering"] * 2
    assert all(record.exc_info is not None for record in logged)


def test_names_from_outside_are_text_and_never_markup(address: str) -> None:
    hostile = "<script>alert(1)"
    for path in ("/g/krk/?at=", "/g/krk/typed?moves=", "/g/"):
        _, page = request(f"{address}{path}{quote(hostile, safe='')}")
        assert "&lt;script&gt;" in page
        assert hostile not in page
