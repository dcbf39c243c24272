"""``retrosolve serve``: solutions on pages of the browser."""

from __future__ import annotations

import os
import re
import threading
import webbrowser
from pathlib import Path

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, takes_input
from retrosolve.cli.output import print_line
from retrosolve.languages import LANGUAGES
from retrosolve.runtime.files import import_library
from retrosolve.solution import OpenedSolution
from retrosolve.store.manifest import MANIFEST
from retrosolve.web.library import Entry, Library

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
LIBRARIES = ("starlette", "uvicorn", "httptools", "jinja2")
OPEN_AFTER = 0.5
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._=+-]+")


SITE = re.compile(r"\*|https?://(\*\.)?[A-Za-z0-9.-]+(:[0-9]{1,5})?")


def _sites(ctx: click.Context, param: click.Parameter, sites: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sites that may embed pages. Raises click.BadParameter."""
    for site in sites:
        if SITE.fullmatch(site) is None:
            message = f"{site!r} is no site: expected one such as https://blog.example, or *"
            raise click.BadParameter(message, ctx, param)
    return sites


@click.command(
    epilog=epilog(
        "retrosolve serve examples/boards/caught.txt",
        "retrosolve serve saved/ --port 8080 --no-browser",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--processes", default=1, show_default=True, type=click.IntRange(1, 64),
    help="Processes that answer; more than one for many readers.",
)  # fmt: skip
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser (default: yes).")
@click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    help="Language of the pages (default: the browser's).",
)
@click.option(
    "--allow-embedding",
    "embedding",
    metavar="SITE",
    multiple=True,
    callback=_sites,
    help="A site whose pages may show positions within a frame, such as https://blog.example; * for "
    "any. May be given several times (default: none).",
)
def serve(
    request: Request,
    host: str,
    port: int,
    processes: int,
    browser: bool,
    language: str | None,
    embedding: tuple[str, ...],
) -> None:
    """Show INPUT in a browser: positions, moves and their values, an opponent, the structure.

    INPUT may also be a folder of saved solutions. A saved solution is opened; anything else is solved
    first. Prints the address, and serves until it is interrupted. Nobody else can connect unless --host
    names an address of the network.
    """
    for name in LIBRARIES:
        import_library(name, "serving pages", "web")
    from retrosolve.web.app import application
    from retrosolve.web.descriptions import MAKERS
    from retrosolve.web.server import listen_shared, run

    if processes > 1 and not hasattr(os, "fork"):
        raise click.UsageError(f"--processes {processes}: expected 1, for this system does not fork")

    folders = _saved_in(request.source)
    if folders:
        entries = [
            Entry(_name(path.name), path.name, rs.open(path, trust_rules=request.trust_rules))
            for path in folders
        ]
    else:
        entries = [Entry(_name(request.source), request.title, request.solution())]
    for entry in entries:
        if isinstance(entry.solution, OpenedSolution):
            entry.solution.opened.check_rules()
    try:
        listening = listen_shared(host, port, processes)
    except OSError as error:
        raise click.UsageError(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    address = _address(host, listening[0].getsockname()[1])
    hosts = LOOPBACK_NAMES if host in LOOPBACK else ()
    print_line(address)
    if browser:
        _open_soon(address)
    app = application(Library(entries, MAKERS), language, hosts, embedding)
    run(app, listening)


def _open_soon(address: str) -> None:
    """Open the browser when the server has had time to start."""
    timer = threading.Timer(OPEN_AFTER, webbrowser.open, [address])
    timer.daemon = True
    timer.start()


def _saved_in(source: str) -> list[Path]:
    """Return the saved solutions in a folder; none if it is one itself."""
    folder = Path(source)
    if not folder.is_dir() or (folder / MANIFEST).is_file():
        return []
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))


def _name(source: str) -> str:
    """Return a name for addresses: that of a file, or the text of a game."""
    return NOT_IN_NAMES.sub("-", Path(source).name).strip("-.") or "game"


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
