"""Work that an author or a parameter can make slow: it holds up no other request."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import GAMES
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.web.app import PAGES, QUERIES, application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.jobs import Solving
from retrosolve.web.library import Entry, Library
from tests.web.drawn import PATIENCE, answering, request

BODIES = {
    "/api/games/{name}/probe": b'{"positions": ["4", "nonsense"]}',
    "/api/boards": b"P.E\n*.T",
    "/api/graphs": b"a,b\nb,c",
    "/solve": b"game=watched:n=4",
}
ASKED = {
    "find": "?value=win&remoteness=1",
    "random": "?value=win",
    "typed": "?moves=1",
    "start": "?position=3",
}


class Heap(rs.Game[int]):
    """Take one or two stones; who takes the last one wins."""

    def start(self) -> int:
        return 4

    def moves(self, position: int) -> list[tuple[str, int]]:
        return [(str(n), position - n) for n in (1, 2) if n <= position]

    def text(self, position: int) -> str:
        return str(position)

    def parse(self, text: str) -> int:
        return int(text)

    def svg(self, position: int) -> str:
        return f'<svg viewBox="0 0 9 9"><title>Heap: {position}</title></svg>'

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        return (str(position - target),)


class Slow(Heap):
    """A heap whose pictures wait until somebody has answered another request."""

    def __init__(self) -> None:
        self.begun, self.answered = threading.Event(), threading.Event()

    def svg(self, position: int) -> str:
        self.begun.set()
        assert self.answered.wait(PATIENCE), "no other request is answered meanwhile"
        return super().svg(position)


def record(kind: type[Any], monkeypatch: pytest.MonkeyPatch, calls: list[tuple[str, bool]]) -> None:
    """Make the functions of rules record their name, and whether their thread runs an event loop."""

    def recorded(name: str, function: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            calls.append((f"{kind.__name__}.{name}", asyncio._get_running_loop() is not None))
            return function(*arguments, **named)

        return call

    for name in ("__init__", "start", "moves", "text", "parse", "svg", "move_points"):
        if name in vars(kind):
            monkeypatch.setattr(kind, name, recorded(name, vars(kind)[name]))


@pytest.fixture
def solving() -> Iterator[Solving]:
    found = Solving(10**4, "1GB")
    yield found
    found.close()


def test_no_address_calls_rules_in_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solving: Solving
) -> None:
    calls: list[tuple[str, bool]] = []
    rs.solve(Hexapawn()).save(tmp_path / "saved")
    heap = Entry("heap", "heap", rs.solve(Heap()))
    monkeypatch.setitem(GAMES, "watched", replace(GAMES["hexapawn"], name="watched"))
    for kind in (Heap, Hexapawn, PoliceAndThief):
        record(kind, monkeypatch, calls)
    for path, body in [(path, None) for path, _ in PAGES] + list(BODIES.items()):
        # Rules of a saved solution are read when they are first asked for.
        shown = Library([heap, Entry("saved", "saved", rs.open(tmp_path / "saved"))], MAKERS)
        with answering(application(shown, solving=solving)) as address:
            for name in ("heap", "saved", "board~P.E-..T") if "{name}" in path else ("",):
                asked = path.replace("{name}", name) + ASKED.get(path.rpartition("/")[2], "")
                request(address + asked, body)
                assert [call for call, in_loop in calls if in_loop] == [], asked
    assert {path for path, _ in QUERIES} - BODIES.keys() == {"/stop/{name}"}
    called = {call for call, _ in calls}
    assert {"Heap.svg", "Heap.moves", "Hexapawn.__init__", "PoliceAndThief.__init__"} <= called


def test_other_requests_are_answered_while_a_page_waits_for_its_rules() -> None:
    slow = Slow()
    shown = Library([Entry("slow", "slow", rs.solve(slow))], MAKERS)
    with answering(application(shown)) as address, ThreadPoolExecutor(1) as others:
        page = others.submit(request, f"{address}/g/slow/")
        assert slow.begun.wait(PATIENCE)
        assert request(f"{address}/api/games")[0] == 200
        slow.answered.set()
        assert page.result(PATIENCE)[0] == 200
