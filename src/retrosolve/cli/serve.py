"""``retrosolve serve``: solutions on pages of the browser."""

from __future__ import annotations

import dataclasses
import re
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click
from click.core import ParameterSource

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import (
    INPUT_OPTIONS,
    SOLVER_OPTIONS,
    STUCK_OPTIONS,
    LoadedInput,
    Request,
    check_different,
    choose_language,
    option_group,
)
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.runtime.context import Progress, ProgressCallback
from retrosolve.runtime.files import import_library
from retrosolve.solution import OpenedSolution
from retrosolve.store.manifest import MANIFEST
from retrosolve.web.jobs import LIMIT, MEMORY, Solving, Task
from retrosolve.web.library import Entry, Library, name_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
LIBRARIES = ("starlette", "uvicorn", "httptools", "jinja2")
OPEN_AFTER = 0.5
MORE_PORTS = 20  # that are tried after the usual one
EVERY_SECONDS = 5.0  # between two lines of progress


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
        "retrosolve serve",
        "retrosolve serve examples/boards/caught.txt",
        "retrosolve serve tictactoe connect4 saved/ --port 8080 --no-browser",
        solvers=True,
    )
)
@click.argument("sources", metavar="[INPUT]...", nargs=-1)
@option_group("request", Request, *INPUT_OPTIONS[1:], *STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes a free one. Instead of the default, a later one is taken if it is "
    "in use.",
)  # fmt: skip
@click.option(
    "--processes", default=1, show_default=True, type=click.IntRange(1, 64),
    help="Processes that answer; more than one for many readers.",
)  # fmt: skip
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser (default: yes).")
@choose_language(help="Language of the pages (default: the browser's).")
@click.option(
    "--allow-embedding",
    "embedding",
    metavar="SITE",
    multiple=True,
    callback=_sites,
    help="A site whose pages may show positions within a frame, such as https://blog.example; * for "
    "any. May be given several times (default: none).",
)
@click.pass_context
def serve(
    ctx: click.Context,
    sources: tuple[str, ...],
    request: Request,
    host: str,
    port: int,
    processes: int,
    browser: bool,
    language: str | None,
    embedding: tuple[str, ...],
) -> None:
    """Show games in a browser: positions, moves and their values, an opponent, the structure.

    Each INPUT may also be a folder of saved solutions. A saved solution is opened; anything else is
    solved, and pages show how far that is. Without INPUT, a catalogue of the built-in games is shown,
    which are solved on request, of at most --limit positions (default: 10000000) and --memory (default:
    2GB). Prints the address, and serves until it is interrupted. Nobody else can connect unless --host
    names an address of the network.
    """
    for name in LIBRARIES:
        import_library(name, "serving pages", "web")
    from retrosolve.web.app import application
    from retrosolve.web.descriptions import MAKERS
    from retrosolve.web.server import Background, run

    if processes > 1 and not sources:
        raise click.UsageError(f"--processes {processes}: expected INPUT, for a catalogue takes one")
    opened, refused, unsolved = _opened(request, sources)
    is_usual = ctx.get_parameter_source("port") is ParameterSource.DEFAULT
    listening = _listen(host, port, processes, MORE_PORTS if is_usual else 0)
    named = f"[{host}]" if ":" in host else host
    address = f"http://{named}:{listening[0].getsockname()[1]}/"
    hosts = LOOPBACK_NAMES if host in LOOPBACK else ()
    library = Library(opened, MAKERS)
    for task in refused:
        library.begin(task)

    def announce() -> None:
        print_line(address)
        if browser:  # which waits until the server has had time to start
            timer = threading.Timer(OPEN_AFTER, webbrowser.open, [address])
            timer.daemon = True
            timer.start()

    if not sources:
        solving = Solving(request.limit or LIMIT, request.memory or MEMORY)
        announce()
        with _ending(solving.close):
            run(application(library, language, hosts, embedding, solving), listening)
        return
    tasks = [Task(name_of(Path(one.source).name), one.title) for one, _ in unsolved]
    app = application(library, language, hosts, embedding)

    def solve_all() -> None:
        for task, (one, loaded) in zip(tasks, unsolved, strict=True):
            with _progress(task) as report:
                library.finish(task, one.solve(loaded, report))

    if not unsolved or processes > 1:
        solve_all()
        announce()
        run(app, listening)
        return
    for task in tasks:
        library.begin(task)
    is_solved = False
    try:
        with Background(app, listening[0]) as server:
            announce()
            solve_all()
            is_solved = True
            with _ending(lambda: None):
                server.wait()
    except KeyboardInterrupt:
        if not is_solved:
            raise


def _opened(
    request: Request, sources: Sequence[str]
) -> tuple[list[Entry], list[Task], list[tuple[Request, LoadedInput]]]:
    """Return the solutions among the inputs, those without pages, and what is to be solved."""
    opened: list[Entry] = []
    refused, unsolved = [], []
    for source in sources:
        folders = _saved_in(source)
        for path in folders:
            found = rs.open(path, trust_rules=request.trust_rules)
            try:
                opened.append(Entry(name_of(path.name), path.name, found))
            except rs.GraphError as error:
                if len(folders) == 1:
                    raise
                refused.append(Task(name_of(path.name), path.name, error=str(error)))
        if folders:
            continue
        one = dataclasses.replace(request, source=source)
        with progress_bar() as report:
            loaded = one.load(report=report)
        if loaded.solution is None:
            unsolved.append((one, loaded))
        else:
            opened.append(Entry(name_of(Path(source).name), one.title, one.solve(loaded)))
    for entry in opened:
        if isinstance(entry.solution, OpenedSolution):
            entry.solution.opened.check_rules()
    names = [name_of(Path(one.source).name) for one, _ in unsolved]
    check_different([entry.name for entry in opened] + [task.name for task in refused] + names)
    return opened, refused, unsolved


def _listen(host: str, port: int, processes: int, more: int) -> list[socket.socket]:
    """Return sockets that listen, of a later port if the first one is in use and more may be tried."""
    from retrosolve.web.server import listen_shared

    for tried in range(port, port + more + 1):
        try:
            return listen_shared(host, tried, processes)
        except OSError as error:
            failed = error
    raise click.UsageError(f"cannot listen on {host}, port {port}: {failed.strerror}")


@contextmanager
def _progress(task: Task) -> Iterator[ProgressCallback]:
    """Show the progress of a solve on its page, and as a bar; as lines where no terminal reads them."""
    with progress_bar() as bar:
        last = time.monotonic()

        def report(progress: Progress) -> None:
            nonlocal last
            task.report(progress)
            bar(progress)
            now = time.monotonic()
            if now - last >= EVERY_SECONDS and not sys.stderr.isatty():
                last = now
                total = "" if progress.total is None else f" of {progress.total}"
                print_line(f"{task.title}: {progress.stage}, {progress.done}{total}", err=True)

        yield report


@contextmanager
def _ending(close: Callable[[], None]) -> Iterator[None]:
    """Call a function at the end of a block, that by SIGTERM included."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        close()
        signal.signal(signal.SIGTERM, before)


def _saved_in(source: str) -> list[Path]:
    """Return the saved solutions in a folder; none if it is one itself."""
    folder = Path(source)
    if not folder.is_dir() or (folder / MANIFEST).is_file():
        return []
    return sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
