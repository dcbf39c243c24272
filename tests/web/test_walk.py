"""A walk over every tab of every game and every objective: no page says what it does not know.

The last frame of each film is the table, vertex by vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import retrosolve as rs
from retrosolve.errors import RetrosolveError
from retrosolve.games import GAMES
from retrosolve.objectives import OBJECTIVES
from retrosolve.web.assets import PREFIX
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from tests.web.drawn import EDGES, serving, watched

SMALL = {
    "wythoff": "wythoff:n=6",
    "nogo": "nogo:rows=2,columns=3",
    "lgame": "lgame:symmetry=yes",
    "foxhounds-plain": "foxhounds-plain:n=4",
    "cops": "cops:cops=1",
    "chess": "chess:KRK,board=4",
    "foxhounds": "foxhounds:n=4",
    "connect4": "connect4:rows=3,columns=3,connect=3",
    "awari": "awari:seeds=6,pits=3",
    "ur": "ur:pieces=1",
    "pig": "pig:goal=6",
    "bearoff": "bearoff:points=3,checkers=2",
    "rolls": "rolls:points=4,checkers=2",
    "einstein": "einstein:board=3,stones=2",
    "kalah": "kalah:pits=2,seeds=2",
    "dots": "dots:rows=1,columns=2",
    "queenpawns": "queenpawns:n=4",
    "quoridor": "quoridor:n=3,walls=1",
    "morris6": "morris6:men=3",
    "morris9": "morris9:men=3",
    "baghchal": "baghchal:size=3,goats=5,captures=2",
    "musketeers": "musketeers:size=3",
}
"""A size of each game that is solved in moments; others are small as they are."""
LARGE = {"dobutsu", "teeko"}  # no size of these is
HEAPS = {"octal", "grundy"}  # which have no pages
EXPORTED = ("dots", "stones", "kalah", "police", "chess", "nogo")
WALKED = {name: SMALL.get(name, name) for name in GAMES if name not in LARGE | HEAPS}
QUICK = ("dots", "rolls")  # beside the graph of chance: what make test walks over
MOST = 20_000  # positions
LONGEST = 40  # plies of a line to the end of a game

SAID = """() => {
    const named = ["title", "aria-label", "alt", "placeholder", "data-label", "value"];
    const texts = [document.title, document.body.innerText];
    for (const one of document.querySelectorAll("svg text, svg title, option")) texts.push(one.textContent);
    for (const name of named) {
        for (const one of document.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
    }
    return texts.filter((text) => /\\b(undefined|NaN|None|null)\\b/.test(text));
}"""
LAST_FRAME = """async ([model, url]) => {
    const { Film } = await import(model);
    const film = new Film(await (await fetch(url)).json());
    film.seek(film.events.length);
    return film.outcomes.map((outcome) => outcome && [outcome.value, outcome.remoteness]);
}"""

PLAYED = """async (most) => {
    const text = document.getElementById("position-text");
    for (let plies = 0; ; plies += 1) {
        const link = document.querySelector("a.move");
        if (!link || plies === most) return plies;
        const shown = new Promise((done) => new MutationObserver(done).observe(text, { childList: true }));
        link.click();
        await shown;
    }
}"""


def subjects() -> dict[str, Any]:
    """What is solved for the walk, by name."""
    points = rs.Graph.from_edges(
        [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")], payoff={"d": -1}, reward=[3, 0, 0, 0]
    )
    dice = rs.Graph.from_edges(
        [("a", "coin"), ("a", "b"), ("b", "coin"), ("coin", "won"), ("coin", "lost")],
        owner={"a": 0, "b": 1, "coin": rs.CHANCE, "won": 0, "lost": 0},
        terminal={"won": "win", "lost": "loss"}, weight=[0, 0, 0, 3, 1],
    )  # fmt: skip
    return {
        "graph of chance": dice.with_start("a"),
        **{name: rs.game(WALKED[name]) for name in QUICK},
        "graph": rs.Graph.from_edges(EDGES).with_start("a"),
        "graph of points": points.with_start("a"),
        **{name: rs.game(text) for name, text in WALKED.items() if name not in QUICK},
    }


SUBJECTS = subjects()


def entries(name: str) -> Iterator[Entry]:
    """The game solved for its own objective, and one that is small for each that can be asked of it."""
    own = rs.solve(SUBJECTS[name])
    yield Entry("own", name, own)
    others = {*OBJECTIVES, "conversion:limit=3", "score:levels=no"} - {own.objective.name}
    for objective in sorted(others):
        try:
            solution = rs.solve(SUBJECTS[name], objective=objective, limit=MOST)
        except RetrosolveError:
            continue
        yield Entry(objective.replace(":", "-"), name, solution)


def places(entry: Entry) -> list[str]:
    """The pages of a game: its tabs, and positions at its start, after it and at the end."""
    solution = entry.solution
    line = solution.line(solution.start, LONGEST) if solution.start is not None else []
    best = "-".join("1" * len(line))
    value = solution.table.codec.reported[0].label
    pages = ["", "?you=1", "?hints=no", "?line=1", f"?line={best}", "graph", "graph?hints=no"]
    pages += ["structure", f"find?value={value}"]
    pages += ["explanation"] * entry.has_reasons + ["film"] * entry.has_film
    return pages if line else [page for page in pages if "line" not in page]


def last_frame(page: Page, entry: Entry, address: str) -> list[Any]:
    """What the film says of each vertex at its end, and what the page says there."""
    page.wait_for_selector("#film[data-ready]")
    page.keyboard.press("End")
    said: list[Any] = page.evaluate(
        LAST_FRAME, [f"{PREFIX}film-model.js", f"{address}/api/games/{entry.name}/film"]
    )
    counts = {label: page.inner_text(f"#film-tally-{label}").replace(",", "") for label in LABELS}
    assert {label: int(counts[label] or 0) for label in LABELS} == {
        label: sum(one is not None and one[0] == label for one in said) for label in LABELS
    }
    return said


LABELS = [value.label for value in rs.Value]


def table_of(solution: rs.Solution) -> list[Any]:
    """The table as a film says it."""
    table = solution.table
    return [
        None
        if value == rs.values.INVALID
        else [table.codec.results[value].label, *table.decoded(v)[1:]]
        for v, value in enumerate(table.values().tolist())
    ]


def walk(page: Page, address: str, entry: Entry) -> list[str]:
    """Look at every page of a game; return their addresses."""
    walked = []
    for place in places(entry):
        url = f"{address}/g/{entry.name}/{place}"
        page.goto(url, wait_until="domcontentloaded")
        if page.locator(".graph[data-source]").count():
            page.wait_for_selector(".graph[data-source] svg .node")
        if place == "film":
            said, right = last_frame(page, entry, address), table_of(entry.solution)
            if not entry.solution.table.has_remoteness:  # the film counts plies, the table does not
                said = [one and [one[0], None] for one in said]
            assert said == right, url
        assert page.evaluate(SAID) == [], url
        walked.append(url)
    if not entry.has_film:
        answer = page.request.get(f"{address}/g/{entry.name}/film")
        assert answer.status == 422
        assert not page.locator("nav a", has_text="Film").count()
    return walked


@pytest.mark.long(but=1 + len(QUICK))
@pytest.mark.parametrize("name", SUBJECTS)
def test_no_page_says_what_it_does_not_know(browser: Browser, name: str) -> None:
    solved = list(entries(name))
    with serving(Library(solved)) as address, watched(browser) as page:
        for entry in solved:
            assert walk(page, address, entry)
        page.goto(f"{address}/")
        assert page.evaluate(SAID) == []


@pytest.mark.long(but=1)
@pytest.mark.parametrize("name", EXPORTED)
def test_no_exported_page_says_what_it_does_not_know(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    export_static(rs.solve(SUBJECTS[name]), name, tmp_path / "site")
    with watched(browser) as page:
        for file in sorted((tmp_path / "site").glob("*.html")):
            page.goto(file.as_uri(), wait_until="domcontentloaded")
            assert page.evaluate(SAID) == [], file.name
        page.goto((tmp_path / "site" / "index.html").as_uri())
        page.wait_for_selector("a.move")
        assert page.evaluate(PLAYED, LONGEST) > 0
        assert page.evaluate(SAID) == []
