"""What pages, the API, films and exported files say of a position is what the table says, whatever is solved.

No page says what it does not know (``None``, ``NaN``). Games of points are played to their ends: pages, files
and the terminal name who has won, and by how much, as plain rules count.
"""

import random
import re
from collections.abc import Hashable, Iterator
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

import retrosolve as rs
from retrosolve.cli.terminal_game import TerminalGame
from retrosolve.games import GAMES
from retrosolve.languages import translation
from retrosolve.objectives import Chance, Conversion, Score
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.solution.playing import GamePlay
from retrosolve.solution.preference import ranked_moves
from retrosolve.values import INVALID, Value
from retrosolve.web.assets import PREFIX
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from tests.conformance.subjects import SHORT, cases
from tests.web.drawn import hosted, read, request, serving, watched

SIZES = (
    "wythoff:n=6 nogo:rows=2,columns=3 lgame:symmetry=yes foxhounds-plain:n=4 cops:cops=1 foxhounds:n=4 pig:goal=6 "
    "connect4:rows=3,columns=3,connect=3 awari:seeds=6,pits=3 ur:pieces=1 bearoff:points=3,checkers=2 "
    "rolls:points=4,checkers=2 einstein:board=3,stones=2 kalah:pits=2,seeds=2 dots:rows=1,columns=2 queenpawns:n=4 "
    "quoridor:n=3,walls=1 morris6:men=3 morris9:men=3 baghchal:size=3,goats=5,captures=2 musketeers:size=3"
    " chess:KRK,board=4"
)  # fmt: skip
SMALL = {text.partition(":")[0]: text for text in SIZES.split()}
"""A size of each game that is solved in moments; others are small as they are."""
LEFT_OUT = {"dobutsu", "teeko", "octal", "grundy"}  # the first two are large, and heaps have no pages
CATALOGUE = {f"game {name}": SMALL.get(name, name) for name in GAMES if name not in LEFT_OUT}
PARTS = "?you=1 ?hints=no graph graph?hints=no structure explanation film find?value={value}"
UNKNOWN = re.compile(r'(?:>|\b(?:title|label|alt|content)=")[^<"]*\b(?:None|undefined|NaN|nan|null)\b')
SCRIPTS = re.compile("<(script|style)[ >].*?</(script|style)>", re.DOTALL)
VERDICT = re.compile(r'<h2 id="verdict" class="v-(\w+)">(.*?)</h2>')
TAKEN = re.compile(r'<p class="points">(.*?)</p>')
NUMBER = re.compile(r"[+\u2212-]?\d+(?:\.\d+)?")
MOVE = re.compile(
    r'<a class="move( is-best)?" href="[^"]*?line=(\d+)" data-points="[^"]*" data-value="([^"]*)"'
)
MOST = 3_000  # positions of a game that is exported here
FIND = """async ([texts]) => {
  const found = [];
  for (const text of texts) found.push(await globalThis.retrosolve.find(text));
  return found;
}"""
SHOWN = "document.body.outerHTML.replace(/<(script|template).*?<\\/\\1>/gs, '')"
LAST_FRAME = """async ([model, url]) => {
  const { Film } = await import(model);
  const film = new Film(await (await fetch(url)).json());
  film.seek(film.events.length);
  return film.outcomes.map((outcome) => outcome && [outcome.value, outcome.remoteness]);
}"""


# -- what is right: from the table, and not from the words of pages ------------------------------------


def right(
    solution: rs.Solution, position: Hashable, reader: int | None, in_files: bool
) -> tuple[Any, ...]:
    """The kind of the verdict, the winner who is named, and its numbers."""
    value, plies = solution[position]
    mover = solution.space.side_to_move(position) or 0
    value = value if mover == (reader or 0) else value.opposite()
    kind, odds, winner = value.kind, isinstance(solution.objective, Chance), None
    is_payoff = getattr(value, "is_payoff", False)
    if reader is None and kind in (Value.WIN, Value.LOSS) and not is_payoff:
        winner = int(kind is Value.LOSS)
        value = value.opposite() if winner else value
    if odds:
        known = kind is not Value.DRAW and value.high - value.low < 1e-3
        numbers, unit = [value.middle] if known else [value.low, value.high], 1 if is_payoff else 100
        return kind, None, pytest.approx([number * unit for number in numbers], abs=0.06)
    counted = plies and kind is not Value.DRAW
    counted = counted and (in_files or not isinstance(solution.objective, Score | Conversion))
    points = [value.points] if getattr(value, "points", 0) else []
    return kind, winner, points + [plies] * bool(counted)


def told(kind: str, words: str, solution: rs.Solution) -> tuple[Any, ...]:
    """What the words of a verdict say, as ``right`` has it."""
    winner = None
    for side, name in enumerate(solution.space.players):
        called = rf"\b(?:{('first', 'second')[side]} player|player {side}|{re.escape('-' if name.isdigit() else name)})\b"
        words, count = re.subn(called, "", words, flags=re.IGNORECASE)
        winner = side if count else winner
    numbers = [float(text.replace("\u2212", "-")) for text in NUMBER.findall(words)]
    winner = None if isinstance(solution.objective, Chance) else winner
    return Value[kind.upper()], winner, numbers


def solved(name: str, folder: Path, count: int = 2) -> Iterator[Entry]:
    """Some solutions of a subject of the laws, or of a game of the catalogue."""
    if name in CATALOGUE:
        yield Entry("game", name, rs.solve(rs.game(CATALOGUE[name])))
        return
    for case in cases(name, folder, count):
        solution = case.solve()
        if len(solution):
            yield Entry("game", name, solution)


def some(solution: rs.Solution, count: int) -> list[Any]:
    positions = [*islice(solution, 2_000)]
    return random.Random(3).sample(positions, min(count, len(positions)))


# -- the laws -------------------------------------------------------------------------------------------

SUBJECTS = [name for name in SHORT if name != "heaps"] + sorted(CATALOGUE)


@pytest.mark.long("game *")
@pytest.mark.parametrize("name", SUBJECTS)
def test_pages_and_the_api_say_what_the_table_says(name: str, tmp_path: Path) -> None:
    for entry in solved(name, tmp_path):
        solution, game = entry.solution, "/g/game/"
        with serving(Library([entry])) as address:
            for position in some(solution, 4):
                at = f"at=%23{solution.space.index(position)}"
                ranked = ranked_moves(solution, position)
                for reader, asked in ((None, ""), (0, "&you=0"), (1, "&you=1&hints=no")):
                    page = read(f"{address}{game}?language=en&{at}{asked}")
                    if "hints=no" in asked and ranked:
                        continue
                    (verdict,) = VERDICT.findall(page)
                    words = unescape(re.sub("<span.*?</span>", "", verdict[1]))
                    found = told(verdict[0], words, solution)
                    assert found == right(solution, position, reader, in_files=False), (words, reader)
                    moves = {int(number): kind for best, number, kind in MOVE.findall(page)}
                    assert moves == {n: move.value.kind.label for n, move in enumerate(ranked, 1)}
                check_api(f"{address}/api/games/game/position?{at}", entry.answers, position)
            label = solution[next(iter(solution))].value.label
            for part in ["", *PARTS.split()]:
                url = f"{address}{game}{part.format(value=label)}"
                status, page = request(url)
                is_there = {"film": entry.has_film, "explanation": entry.has_reasons}.get(part, True)
                assert status == (200 if is_there else 422), url
                assert not UNKNOWN.findall(SCRIPTS.sub("", page)), url
            assert ("/g/game/film" in read(f"{address}{game}")) == entry.has_film
            assert not UNKNOWN.findall(SCRIPTS.sub("", read(f"{address}/games")))


def check_api(url: str, solution: rs.Solution, position: Hashable) -> None:
    status, found = request(url)
    assert status == 200
    assert found["position"] == solution.space.text(position)
    value, plies = solution[position]
    assert (found["value"], found["remoteness"]) == (value.label, plies)
    moves = solution.moves(position)
    assert [(one["name"], one["value"], one["remoteness"]) for one in found["moves"]] == [
        (move.name, move.outcome.value.label, move.outcome.remoteness) for move in moves
    ]
    best = [(move.name, solution.space.text(move.position)) for move in solution.best_moves(position)]
    marked = [(one["name"], one["position"]) for one in found["moves"] if one["best"]]
    assert sorted(marked) == sorted(best) or not solution.objective.has_steps


@pytest.mark.long(
    "game *", "compiled*", "lines*", "*no levels*", "*, values", "*, plain", "*, compiled"
)
@pytest.mark.parametrize("name", SUBJECTS)
def test_films_and_exported_files_say_what_the_table_says(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    with watched(browser) as page:
        for number, entry in enumerate(solved(name, tmp_path, 1)):
            solution, site = entry.solution, tmp_path / f"site{number}"
            with serving(Library([entry])) as address:
                if entry.has_film:
                    check_film(page, address, solution)
                else:
                    assert request(f"{address}/g/game/film")[0] == 422
            if isinstance(solution.objective, Chance):
                with pytest.raises(rs.StoreError):
                    export_static(solution, name, site)
                assert not site.exists()
            elif len(solution) < MOST:
                export_static(solution, name, site)
                assert (site / "film.html").exists() == entry.has_film
                with hosted(site) as address:
                    check_files(page, address, solution)
                for file in site.glob("*.html"):
                    assert not UNKNOWN.findall(SCRIPTS.sub("", file.read_text("utf-8"))), file.name


def check_film(page: Page, address: str, solution: rs.Solution) -> None:
    """Compare the last frame of a film with the table, vertex by vertex, and its counts."""
    page.goto(f"{address}/g/game/film")
    page.wait_for_selector("#film[data-ready]")
    page.keyboard.press("End")
    said = page.evaluate(LAST_FRAME, [f"{PREFIX}film-model.js", f"{address}/api/games/game/film"])
    table, kinds = solution.table, [value.label for value in Value]
    decoded = [
        None if value == INVALID else (table.codec.results[value].label, *table.decoded(v)[1:])
        for v, value in enumerate(table.values().tolist())
    ]
    if not table.has_remoteness:  # the film counts plies, the table does not
        said = [one and [one[0], None] for one in said]
    assert [one and tuple(one) for one in said] == decoded
    space = solution.space  # the film counts no vertex whose name is empty
    named = [one and space.text(space.position(v)) and one for v, one in enumerate(decoded)]
    counts = [int(page.inner_text(f"#film-tally-{kind}").replace(",", "") or 0) for kind in kinds]
    assert counts == [sum(bool(one) and one[0] == kind for one in named) for kind in kinds]


def listed(codec: Any, value: Any) -> int | str:
    """A value as exported files have it: points that no position is worth as text."""
    return codec.value(value) if value in codec.results else str(value.points)


def check_files(page: Page, address: str, solution: rs.Solution) -> None:
    """Compare positions of an exported game, found by their text, with the table, and their pages."""
    space, codec, positions = solution.space, solution.table.codec, some(solution, 20)
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#verdict")).not_to_have_text("")
    texts = [*map(space.text, positions)]
    for position, text, row in zip(positions, texts, page.evaluate(FIND, [texts]), strict=True):
        value, plies = solution[position]
        assert [row[key] for key in ("text", "value", "remoteness")] == [
            text,
            codec.value(value),
            plies,
        ]
        ranked = ranked_moves(solution, position)
        moves = [
            (m.move.name, m.vertex, listed(codec, m.value), m.key == ranked[0].key) for m in ranked
        ]
        said = [(name, max(at, ~at), value, rank == 1) for name, at, value, _, rank, *_ in row["moves"]]
        assert said == moves
    for position, reader in zip(positions, (None, 0, 1, None, 0, 1), strict=False):
        page.goto("about:blank")
        page.goto(f"{address}#{space.index(position)}")
        expect(page.locator("#verdict")).not_to_have_text("")
        page.select_option("select[name=you]", "" if reader is None else str(reader))
        kind = (page.get_attribute("#verdict", "class") or "").removeprefix("v-")
        words = page.inner_text("#verdict")
        assert told(kind, words, solution) == right(solution, position, reader, in_files=True), words
        assert not UNKNOWN.findall(page.evaluate(SHOWN))


# -- the ends of games of points ------------------------------------------------------------------------

# Click on moves by their number, best first, each when the position before it is shown.
PLAY = """async (numbers) => {
  const shown = () => new Promise((react) => {
    new MutationObserver((_, observer) => { observer.disconnect(); react(); })
      .observe(document.getElementById("moves"), { childList: true });
  });
  for (const number of numbers) {
    const next = shown();
    document.querySelectorAll("a.move")[number - 1].click();
    await next;
  }
}"""


class Played(NamedTuple):
    """A game that is over: its moves by number, best first, and by name, and what plain rules count.

    ``taken`` are the points of the moves of each player, ``total`` is what the first one wins, and ``side``
    would be to move.
    """

    numbers: tuple[int, ...]
    names: tuple[str, ...]
    taken: tuple[int, int]
    total: int
    side: int


def played(solution: rs.Solution, chance: random.Random, perfect: bool) -> Played | None:
    """Play to the end, and count as the rules do in plain Python; None if it goes on."""
    game: Any = solution.space.rules
    plain = game if isinstance(game, rs.Game) else InterpretedGame(game)
    position, side, taken, made = solution.start, 0, [0, 0], list[tuple[int, str]]()
    while moves := ranked_moves(solution, position):
        if len(made) == 60:
            return None
        number = chance.choice(
            [n for n, move in enumerate(moves) if not perfect or move.key == moves[0].key]
        )
        target: Any = moves[number].move.position
        if plain.implements("reward"):
            taken[side] += plain.reward(position, target)
        made.append((number + 1, moves[number].move.name))
        position = target
        side = plain.player(target) if plain.implements("player") else 1 - side
    end = (
        plain.payoff(position)
        if plain.implements("payoff")
        else {1: -1, 2: 1}.get(plain.terminal(position), 0)
    )
    total = taken[0] - taken[1] + (-end if side else end)
    numbers, names = zip(*made, strict=True)
    return Played(numbers, names, (taken[0], taken[1]), total, side)


def check_end(words: str, counted: str, total: int, mine: int, theirs: int) -> None:
    """Check a verdict with the sign of who has won and the points, and the sentence of points taken."""
    assert words[0] == "▲▼="[0 if total > 0 else 1 if total else 2]
    assert NUMBER.findall(words) == ([f"{total:+}"] if total else [])
    rest = total - mine + theirs
    assert NUMBER.findall(counted) == [str(mine), str(theirs), *([f"{rest:+}"] if rest else [])]


@pytest.mark.long(but=3)
@pytest.mark.parametrize(
    "text",
    ["kalah:pits=2,seeds=2", "dots", "awari:pits=2,seeds=8", "awari:pits=4,seeds=9,grandslam=take",
     "awari:pits=3,seeds=9,grandslam=forbidden", "kalah:pits=2,seeds=3,capture=no", "connect4:rows=3,columns=4"],
)  # fmt: skip
def test_the_end_of_a_game_counts_the_points_that_were_taken(
    text: str,
    browser: Browser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solution, site = rs.solve(rs.game(text), objective="score"), tmp_path / "site"
    found = (played(solution, random.Random(seed), seed < 2) for seed in range(200))
    games = [*islice((game for game in found if game is not None), 5)]
    export_static(solution, "game", site)
    with serving(Library([Entry("game", "game", solution)])) as address, hosted(site) as files:
        for game in games:
            line = "-".join(map(str, game.numbers))
            for you, sign in ((0, 1), (1, -1)):
                page = read(f"{address}/g/game/?you={you}&line={line}")
                ((_, words),), (counted,) = VERDICT.findall(page), TAKEN.findall(page)
                check_end(
                    re.sub("<.*?>", "", words),
                    counted,
                    sign * game.total,
                    game.taken[you],
                    game.taken[1 - you],
                )
            typed = iter(game.names)
            monkeypatch.setattr("builtins.input", lambda *_, typed=typed: next(typed))
            play = GamePlay(solution, solution.start)
            shown = TerminalGame(play, (0, 1), 0.0, random.Random(1), translation("en"), True)
            shown.run()
            printed = capsys.readouterr().out.splitlines()
            me = game.side
            words = [row for row in printed if re.match("[▲▼] Game over|= The game", row)][-1]
            counted = [row for row in printed if row.startswith("Points taken: ")][-1]
            total = -game.total if me else game.total
            check_end(words, counted, total, game.taken[me], game.taken[1 - me])
        with watched(browser) as page:
            page.goto(files)
            page.select_option("select[name=you]", "0")
            for game in games[:3]:
                expect(page.locator("a.move")).not_to_have_count(0)
                page.evaluate(PLAY, game.numbers)
                check_end(
                    page.inner_text("#verdict"), page.inner_text("#points"), game.total, *game.taken
                )
                page.click("#beginning")
                expect(page.locator("#undo")).to_be_disabled()
