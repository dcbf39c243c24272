"""The explorer behind nginx, as its page says: ``python -m tests.package.behind_nginx``.

nginx runs with the lines of ``docs/howto/deploy.md``, in which only ports and folders are others, before an
explorer that shows a small saved game.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import expect

import retrosolve as rs
from tests.package.clean_environments import call, say
from tests.support.pages import DOCS, blocks
from tests.support.programs import started
from tests.web.drawn import chromium, watched

PAGE = DOCS / "howto" / "deploy.md"
NAME = "games.example"
(LINES,) = blocks(PAGE.read_text("utf-8"), "nginx")
PER_SECOND, BURST, CONNECTIONS = (
    int(re.findall(pattern, LINES)[0])
    for pattern in (r"rate=(\d+)r/s", r"burst=(\d+)", r"limit_conn \w+ (\d+)")
)
AT_ONCE = BURST + 1
HEAD = """
user {user};
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
"""


class Answer(NamedTuple):
    """What nginx answers."""

    status: int
    headers: dict[str, str]
    body: bytes


class Proxy(NamedTuple):
    """The port of a running nginx, and the certificate of its name."""

    port: int
    certificate: Path

    def connect(self, name: str = NAME) -> HTTPConnection:
        """Return a connection under a name."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        connection = HTTPConnection(name, self.port)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sock = context.wrap_socket(plain, server_hostname=name)
        return connection

    def ask(
        self, path: str, body: bytes | None = None, on: HTTPConnection | None = None, **headers: str
    ) -> Answer:
        """Return the answer to a request, by default on a connection of its own."""
        with closing(self.connect()) if on is None else nullcontext(on) as connection:
            headers = {key.replace("_", "-"): value for key, value in headers.items()}
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            found = {key.lower(): value for key, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())


def main() -> None:
    """Run nginx and the explorer, and check what the page says; the first failure ends it."""
    if shutil.which("nginx") is None:
        raise SystemExit("there is no nginx: expected one, `make test-proxy` installs it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # workers of nginx have a user of their own
        (folder / "tables").mkdir()
        rs.solve(rs.game("tictactoe")).save(folder / "tables" / "tictactoe")
        serve = [sys.executable, "-m", "retrosolve", "serve", str(folder / "tables")]
        serve += ["--no-browser", "--port", "0", "--processes", "2", "--host", "127.0.0.1"]
        with started(serve) as explorer:
            assert explorer.stdout is not None
            (port,) = re.findall(r":(\d+)/", explorer.stdout.readline())
            with running(folder, int(port)) as proxy:
                check_names(proxy)
                script = check_pages(proxy)
                check_browser(proxy)
                check_limits(proxy)
                explorer.terminate()
                explorer.wait(30)
                check_cache(proxy, script)


@contextmanager
def running(folder: Path, explorer: int) -> Iterator[Proxy]:
    """Run nginx with the lines of the page."""
    certificate, key = folder / "games.pem", folder / "games.key"
    made = ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", f"/CN={NAME}"]
    names = ["-addext", f"subjectAltName=DNS:{NAME}"]
    call("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made, *names, cwd=folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    text = LINES
    for old, new in {
        "listen 443": f"listen 127.0.0.1:{port}",
        "127.0.0.1:8000": f"127.0.0.1:{explorer}",
        "/etc/ssl/": f"{folder}/",
        "/var/cache/nginx/": f"{folder}/cache-",
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    user = "root" if os.getuid() == 0 else "nobody"
    settings = folder / "nginx.conf"
    settings.write_text(HEAD.format(user=user, folder=folder) + text + "}\n")
    command = ["nginx", "-p", str(folder), "-c", str(settings), "-e", str(folder / "error.log")]
    call(*command, "-t", cwd=folder)
    say("nginx accepts the lines of the page")
    with started(command) as server:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield Proxy(port, certificate)
        server.terminate()
        server.wait(30)


def check_names(proxy: Proxy) -> None:
    """One name is answered, and redirections stay there."""
    try:
        proxy.connect("other.example")
    except ssl.SSLError:
        say("another name is refused")
    else:
        raise SystemExit("another name is answered: expected a refused handshake")
    assert proxy.ask("/").headers["location"] == "/g/tictactoe/"
    moved = proxy.ask("/g/tictactoe")
    assert (moved.status, moved.headers["location"]) == (307, "/g/tictactoe/"), moved
    say("redirections name no host")


def check_pages(proxy: Proxy) -> str:
    """Pages and JSON come as the explorer sends them; return the address of a script."""
    connection = proxy.connect()
    for _ in range(3):
        page = proxy.ask("/g/tictactoe/", on=connection, Accept_Encoding="gzip")
        assert (page.status, page.headers["content-encoding"]) == (200, "gzip")
    connection.close()
    address = re.search(rb"/static/\w+/\w+\.js", proxy.ask("/g/tictactoe/").body)
    assert address is not None
    script = address[0].decode()
    assert proxy.ask(script).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert b'"tictactoe"' in proxy.ask("/api/games").body
    body = json.dumps({"positions": [".../.../..."]}).encode()
    probed = proxy.ask("/api/games/tictactoe/probe", body, Content_Type="application/json")
    assert json.loads(probed.body)["positions"][0]["value"] == "tie", probed
    assert proxy.ask("/api/boards", b"PE\n.T\n", Sec_Fetch_Site="same-origin").status == 200
    assert proxy.ask("/api/boards", b"PE\n.T\n", Origin=f"https://{NAME}").status == 403
    say("pages, compressed, and JSON")
    return script


def check_browser(proxy: Proxy) -> None:
    """A reader plays, watches a film and draws a board; nothing is refused and nothing else is asked."""
    with (
        chromium(f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as browser,
        watched(browser, ignore_https_errors=True) as page,
    ):
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        address = f"https://{NAME}:{proxy.port}"
        page.goto(f"{address}/")
        page.locator("#moves a").first.click()
        page.wait_for_url("**line=*")
        page.goto(f"{address}/edit/board")
        page.locator("#film").click()
        expect(page.locator("#film[data-ready]")).to_be_visible()
        assert hosts == {f"{NAME}:{proxy.port}"}
    say("Chromium plays and watches a film, and asks no other host")


def check_limits(proxy: Proxy) -> None:
    """A body that is too large, requests and connections that are too many."""
    assert proxy.ask("/api/boards", b" " * 70_000).status == 413
    say("a body of 70 kB is answered 413")
    time.sleep(AT_ONCE / PER_SECOND + 1)
    connection = proxy.connect()
    begun = time.monotonic()
    statuses = Counter(proxy.ask("/api/games", on=connection).status for _ in range(300))
    allowed = AT_ONCE + PER_SECOND * (time.monotonic() - begun) + 1
    connection.close()
    assert set(statuses) == {200, 429}, statuses
    assert AT_ONCE <= statuses[200] <= allowed, (statuses, allowed)
    say(
        f"of 300 requests as fast as possible, {statuses[200]} are answered and {statuses[429]} get 429"
    )
    time.sleep(AT_ONCE / PER_SECOND + 1)
    waiting = [proxy.connect() for _ in range(CONNECTIONS)]
    for one in waiting:
        one.putrequest("POST", "/api/boards")
        one.putheader("Content-Length", "10")
        one.endheaders()
    time.sleep(0.5)  # nginx counts a connection once it has read what a request begins with
    assert proxy.ask("/api/games").status == 429
    for one in waiting:
        one.close()
    time.sleep(0.5)
    assert proxy.ask("/api/games").status == 200
    say(f"beside {CONNECTIONS} connections with a request, one more is answered 429")


def check_cache(proxy: Proxy, script: str) -> None:
    """A script stays where the explorer has ended, and a page does not."""
    assert proxy.ask("/g/tictactoe/").status == 502
    assert proxy.ask(script).status == 200
    say("with the explorer ended, a script comes from the cache and a page does not")


if __name__ == "__main__":
    main()
