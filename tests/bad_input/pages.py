"""What pages and their files cannot show, and addresses and texts that they cannot read."""

import atexit
import functools
import json
import re
import sys
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import retrosolve as rs
from tests.bad_input import Input, command

ERROR = re.compile('<p (?!id="gone")[^>]*\\bclass="error"[^>]*>(.+?)</p>')
VERTICES = '"format": "retrosolve", "version": 1, "vertices"'


@functools.cache
def explorer() -> str:
    """The address of an explorer of small games, which runs until the tests end."""
    from tests.web.drawn import exploring

    stack, krk = ExitStack(), rs.game("chess:KRK,board=3")
    atexit.register(stack.close)
    dice = rs.game("rolls:points=1,checkers=1")
    return stack.enter_context(exploring(stones=rs.game("stones"), krk=krk, dice=dice))


def asked(path: str, body: str | bytes | None = None, **headers: str) -> Input:
    """Ask the explorer for an address; returns the status and the sentence of the answer."""

    def meet(_: Path) -> str:
        data = body.encode() if isinstance(body, str) else body
        request = Request(explorer() + path, data, {k.replace("_", "-"): v for k, v in headers.items()})
        try:
            with urlopen(request, timeout=90) as page:
                status, text = page.status, page.read().decode()
        except HTTPError as page:
            status, text = page.code, page.read().decode()
        found = ERROR.search(text)
        said = (
            json.loads(text)["error"] if text.startswith("{") else unescape(found[1]) if found else text
        )
        return f"{status}: {said.strip()}"

    return meet


def without(library: str, *arguments: str) -> Input:
    """Run a command where a library is not installed."""

    def meet(folder: Path) -> object:
        with patch.dict(sys.modules, {library: None}):
            return command(*arguments)(folder)

    return meet


ADDRESSES = {
    "no page": "/nothing",
    "no game": "/g/nothing/",
    "no position": "/g/stones/?at=99",
    "no index": "/api/games/krk/position?at=%23999",
    "a long position": f"/g/stones/?at={'8' * 5000}",
    "a long address": f"/g/stones/?at={'8' * 20000}",
    "a move too many": "/g/stones/?line=1-99",
    "a line of letters": "/g/stones/?line=1-x",
    "a long line": f"/g/stones/?line={'-'.join('1' * 1001)}",
    "two lines": "/g/stones/?line=1&played=1",
    "a third side": "/g/stones/?you=2",
    "more mistakes than moves": "/g/stones/?mistakes=2",
    "a throw of letters": "/g/dice/?throw=x",
    "a throw that is none": "/g/dice/?throw=99",
    "a typed move": "/g/stones/typed?moves=take+1,+nonsense",
    "a typed move in Russian": "/g/stones/typed?moves=nonsense&language=ru",
    "a typed position in Turkish": "/g/stones/start?position=nonsense&language=tr",
    "no value": "/g/stones/find?value=best",
    "negative plies": "/g/stones/random?remoteness=-1",
    "a value that does not occur": "/g/stones/random?value=draw",
    "a zugzwang without passing": "/g/stones/zugzwang",
    "a zugzwang that there is not": "/g/krk/zugzwang",
    "a picture of a graph": "/g/graph~a.b~a-b/picture",
    "a board to set up of a heap": "/g/stones/setup",
    "too many plies": "/api/games/stones/line?plies=1001",
    "an unknown parameter": "/api/games/stones/position?position=foo",
    "an unknown parameter of games": "/api/games?limit=3",
    "a film of a large board": f"/g/board~{'-'.join(['.' * 12] * 12)}/film",
    "a drawn edge to nowhere": "/g/graph~a~a-b/",
    "a drawn name twice": "/g/graph~a.a~/",
    "a drawn flag": "/g/graph~a-x~/",
    "a drawn owner": "/g/graph~a-0.b~/",
    "two drawn starts": "/g/graph~a-s.b-s~/",
    "no drawn graph": "/g/graph~a~~~/",
    "a drawn name without UTF-8": "/g/graph~!ff~/",
    "a board in an address in Turkish": "/edit/board?text=X&language=tr",
}
BODIES: dict[str, tuple[str, str | bytes]] = {
    "probe no JSON": ("/api/games/stones/probe", "["),
    "probe numbers": ("/api/games/stones/probe", '{"positions": [1]}'),
    "probe too many": ("/api/games/stones/probe", json.dumps({"positions": ["x"] * 1001})),
    "probe a surrogate": ("/api/games/stones/probe", '{"positions": ["4", "\\ud800"]}'),
    "a large body": ("/api/games/stones/probe", " " * 70_000),
    "a high board": ("/api/boards", ".\n" * 21),
    "a long board": ("/api/boards", "." * 2000),
    "a board with a letter": ("/api/boards", "import os"),
    "a board of bytes": ("/api/boards", b"\xff"),
    "a large graph": ("/api/graphs", "\n".join(f"{i},{i + 1}" for i in range(100))),
    "an empty graph": ("/api/graphs", f'{{{VERTICES}: 0, "successors": []}}'),
    "a graph of long names": ("/api/graphs", "a" * 41 + ",c"),
    "a graph of a long address": (
        "/api/graphs",
        "\n".join(f"{v:035},{99 - v:035}" for v in range(100)),
    ),
    "a graph of rewards": (
        "/api/graphs",
        f'{{{VERTICES}: 2, "successors": [[1], []], "reward": [[3], []]}}',
    ),
    "a page that is only read": ("/", ""),
    "a solve without a catalogue": ("/solve", "game=stones"),
}
INPUTS: dict[str, Input] = {
    "film of points": command("film", "dots:rows=1,columns=1", "film.html"),
    "film of chances": lambda folder: rs.write_film(
        rs.solve(rs.game("rolls:points=1,checkers=1")), folder / "film.html"
    ),
    "film of distances to conversion": lambda folder: rs.write_film(
        rs.solve(rs.game("chess:KRK,board=3"), objective="conversion"), folder / "film.html"
    ),
    "film of a game": lambda folder: rs.write_film(42, folder / "film.html"),  # type: ignore[arg-type]
    "film as a GIF": command("film", "stones:n=2", "film.gif"),
    "film into a folder": command("film", "stones:n=2", "."),
    "steps of rules that throw dice": lambda folder: rs.explain(rs.game("rolls:points=1,checkers=1")),
    "export chances": command("export", "rolls:points=1,checkers=1", "--static", "site"),
    "export two games of a name": command("export", "stones", "stones", "--static", "site"),
    "export over a file": command("export", "stones", "--static", "file", file=""),
    "export over files": command("export", "stones", "--static", ".", file=""),
    "export no positions": command("export", "g.json", "--static", "site", **{"g.json": f'{{{VERTICES}: 0, "successors": []}}'}),
    "serve two games of a name": command("serve", "stones", "stones", "--no-browser"),
    "serve a catalogue by two processes": command("serve", "--processes", "2", "--no-browser"),
    "serve nonsense": command("serve", "stones", "nonsense", "--no-browser"),
    "serve to no site": command("serve", "stones", "--allow-embedding", "blog.example; script-src *"),
    "serve without uvicorn": without("uvicorn", "serve", "stones"),
    "export without jinja2": without("jinja2", "export", "stones", "--static", "site"),
    "film without starlette": without("starlette", "film", "stones", "film.html"),
    **{f"ask for {name}": asked(path) for name, path in ADDRESSES.items()},
    **{f"send {name}": asked(*sent) for name, sent in BODIES.items()},
    "ask from another site": asked("/g/stones/film", Sec_Fetch_Site="cross-site"),
}  # fmt: skip
