"""Random requests, most of them wrong: never a failure of the explorer, never a connection that hangs."""

from __future__ import annotations

import http.client
import json
import logging
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from retrosolve.web import limits
from retrosolve.web.app import PAGES, QUERIES
from tests.support.marks import samples
from tests.web.drawn import connected, games
from tests.web.test_security import sentence_in

METHODS = ("HEAD", "OPTIONS", "PUT", "CONNECT", "get", "G\0T", "", "X" * 300)
NAMES = (
    "board~P.x-..E-T..", "graph~a-s.b.c-w~a-b.b-c.c-a", "graph~" + ".".join("abc") * 20, "board~P\0T",
    "graph~%ED%A0%80~", "nothing", "..", "%2e%2e%2f", "%00", "%FF%FE", "a" * 500, "\u202e", "~", "board~",
)  # fmt: skip
PARAMETERS = (
    "at", "line", "played", "you", "mistakes", "hints", "language", "moves", "position", "value", "remoteness",
    "plies", "limit", "text", "board", "graph", "x",
)  # fmt: skip
TEXTS = (
    "", "0", "1", "-1", "1-1", "1-2-1", "no", "win", "fa", "10", "#3", "#-1", "#" + "9" * 30, "nan", "inf", "1e400",
    "9" * 5000, "\u0661", "\u00b2", "%00", "%ED%A0%80", "%", "%zz", "%FF", "4/1k2/4/KR2 b", "8/8 w - - 0 1",
    "policeman 7,8, thief 3,2, policeman to move", "take 1", "X" * 5000, "<script>", "'\"", "\\", "a,b\nb,a",
    "P.E\n.T.", "{", "[" * 900, "\U0001f4a5", "\u202e", "\ud800", "\udcff", "../../etc/passwd", "XO.......", "a", "1_0", " ",
)  # fmt: skip
BODIES = (
    b"", b"\xff\xfe", b"{", b"[" * 60_000, b'{"positions": ["\\ud800"]}', b'{"positions": [NaN]}',
    b'{"positions": ["4", "\\u0000", "' + b"9" * 5000 + b'"]}', b"9" * 5000, b"-" * 5000, b"NaN", b"1e999",
    b'{"positions": ' + b"9" * 5000 + b"}", b'{"a":' * 5000, b'{"positions": ["\\udcff", "XO......."]}',
    b"P.E\n.T.", b"9999999999 9999999999\n..", b"a,b\nb,a", b"\xef\xbb\xbfa,b", b"\0" * 100, b" " * 70_000,
    b'{"format": "retrosolve", "version": 1, "vertices": 1e300, "successors": []}',
    b'{"format": "retrosolve", "version": 1, "vertices": ' + b"9" * 5000 + b', "successors": []}',
    b'{"format": "retrosolve", "version": 1, "vertices": 1, "successors": [[NaN]]}',
    b'{"format": "retrosolve", "version": 1, "vertices": 1, "successors": [[0]], "names": ["\\ud800"]}',
    b'{"format": "retrosolve", "version": 1, "vertices": 1, "successors": [[0]], "start": "\\ud800"}',
    b'{"format": "retrosolve", "version": 1, "vertices": 1, "successors": [[0]], "stuck": "\\ud800"}',
    b'{"format": "\\ud800"}', b'{"\\ud800": 1}',
)  # fmt: skip
HOSTS = ("localhost", "localhost:80", "[::1]", "[::1].evil.com", "a@localhost", "[", "a/b", "", "\xff", "x:99999999")  # fmt: skip
HEADERS = (
    "Accept-Language: tr;q=nan, fa;q=\u00b2,,;;", "Content-Length: 99", "Content-Length: 9999999999999999999999",
    "Content-Length: -1", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Expect: 100-continue",
    "Connection: upgrade, close", "Upgrade: websocket", "Upgrade: h2c", "Range: bytes=9-1,-,5-", "X: " + "x" * 40_000,
    "If-None-Match: \"", "If-Modified-Since: never", "Host: second", "Cookie: \xff=\xff", ": no name", "no colon",
    "\r\n".join(f"X-{n}: {n}" for n in range(200)),
)  # fmt: skip


def some_request(chance: random.Random) -> bytes:
    """A request that is wrong in a few places."""
    asked = chance.random() < 0.4
    method = chance.choice(METHODS) if chance.random() < 0.1 else "POST" if asked else "GET"
    path = chance.choice(QUERIES if asked else PAGES)[0]
    if chance.random() < 0.05:
        path = chance.choice(
            ("/static/%00", "/static/" + "x" * 300, "//etc/passwd", "*", "//", "/\xff")
        )
    path = path.replace("{name}", chance.choice(NAMES if chance.random() < 0.3 else (*games(),)))
    pairs = [
        (chance.choice(PARAMETERS), chance.choice(TEXTS)) for _ in range(chance.choice((0, 1, 1, 2, 4)))
    ]
    quoted = [f"{name}={''.join(_written(c, chance) for c in text)}" for name, text in pairs]
    address = path + ("?" + "&".join(quoted) if quoted else "")
    body = _body(chance) if asked or chance.random() < 0.05 else b""
    headers = [f"Host: {'localhost' if chance.random() < 0.8 else chance.choice(HOSTS)}"]
    headers += [f"Content-Length: {len(body)}"] * (bool(body) and chance.random() < 0.95)
    headers += chance.sample(HEADERS, chance.choice((0, 0, 0, 0, 1, 2)))
    lines = "\r\n".join([f"{method} {address} HTTP/1.{chance.choice('11110')}", *headers])
    found = lines.encode("latin-1", "replace") + b"\r\n\r\n" + body
    if chance.random() < 0.1:
        cut = chance.randrange(len(found))
        found = found[:cut] + chance.randbytes(chance.choice((0, 1, 9))) + found[cut + 1 :]
    return found


def _body(chance: random.Random) -> bytes:
    """A body: one of the list, some positions, or a graph file of values that do not belong there."""
    values = [*TEXTS, None, True, 1, -1, 1.5, float("nan"), [], [[0]], {}, 10**30]
    if chance.random() < 0.3:
        return chance.choice(BODIES)
    if chance.random() < 0.5:
        return json.dumps({"positions": chance.choices(TEXTS, k=chance.choice((0, 1, 3)))}).encode()
    graph = {"format": "retrosolve", "version": 1, "vertices": 1, "successors": [[0]]}
    for name in chance.sample((*graph, "names", "owner", "terminal", "start", "stuck", "players"), 2):
        value = chance.choice(values)
        graph[name] = [value] if chance.random() < 0.5 else value
    return json.dumps(graph).encode()


def _written(letter: str, chance: random.Random) -> str:
    """A letter of an address, as a browser writes it, or now and then as it is."""
    if (letter.isalnum() and letter.isascii()) or letter in "%-":
        return letter
    escaped = "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
    return letter if chance.random() < 0.02 else escaped


def answered(address: str, sent: bytes) -> str:
    """Send a request; return what is wrong with the answer, nothing if it is an answer or a refusal."""
    with connected(address) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection, method=sent.partition(b" ")[0].decode("latin-1"))
        try:
            answer.begin()
            text = answer.read().decode()
        except ConnectionError:  # refused before all of it was read
            return ""
        except (OSError, ValueError, http.client.HTTPException) as error:
            return f"{sent[:200]!r}: {error!r}"
    if answer.status >= 500 or "Traceback" in text:
        return f"{sent[:200]!r}: {answer.status} {text[:200]}"
    if text and answer.status >= 400 and answer.getheader("Content-Type") == "application/json":
        sentence_in(json.loads(text))
    return ""


@pytest.mark.long
@pytest.mark.parametrize("seed", range(samples(1, 40)))
def test_random_requests_are_answered_or_refused(
    address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    monkeypatch.setattr(limits, "ARRIVAL_SECONDS", 0.3)  # what is cut off is refused soon
    chance = random.Random(seed)
    sent = [some_request(chance) for _ in range(samples(300, 2000))]
    with caplog.at_level(logging.ERROR), ThreadPoolExecutor(8) as pool:
        wrong = list(filter(None, pool.map(lambda part: answered(address, part), sent)))
    assert wrong == []
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
