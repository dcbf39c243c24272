"""The end of a game of points names who has won and by how much: on pages, in a terminal, exported."""

import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

import retrosolve as rs
from retrosolve.cli.terminal_game import TerminalGame
from retrosolve.games import GAMES, parse_game
from retrosolve.games.table import name_in
from retrosolve.languages import translation
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.solution.playing import GamePlay
from retrosolve.solution.preference import ranked_moves
from retrosolve.values import Value
from retrosolve.web.export import export_static
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving, watched
from tests.web.test_export import hosted

PLIES = 60  # of a game; one that goes on is no game of the tests
QUICK = ("awari:pits=2,seeds=8", "kalah:pits=2,seeds=2", "dots")
LONG = (
    "awari:pits=3,seeds=9", "awari:pits=4,seeds=9,grandslam=take",
    "awari:pits=3,seeds=9,grandslam=forbidden", "kalah:pits=2,seeds=3,capture=no",
    "dots:rows=1,columns=4", "dots:rows=3,columns=1", "connect4:rows=3,columns=4",
)  # fmt: skip
TIED = "= The game has ended without a winner"
VERDICT = re.compile(r'<h2 id="verdict"[^>]*>(.*?)</h2>')
POINTS = re.compile(r'<p class="points">(.*?)</p>')
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

    ``taken`` are the points of the moves of each player, ``total`` is what the first one wins, and
    ``side`` would be to move.
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
        if len(made) == PLIES:
            return None
        choices = [n for n, move in enumerate(moves) if not perfect or move.key == moves[0].key]
        number = chance.choice(choices)
        target: Any = moves[number].move.position
        if plain.implements("reward"):
            taken[side] += plain.reward(position, target)
        made.append((number + 1, moves[number].move.name))
        position = target
        side = plain.player(target) if plain.implements("player") else 1 - side
    if plain.implements("payoff"):
        end = plain.payoff(position)
    else:
        over = plain.terminal(position)
        end = {Value.WIN: 1, Value.LOSS: -1, Value.TIE: 0, None: -1}[over]
    total = taken[0] - taken[1] + (-end if side else end)
    numbers, names = zip(*made, strict=True)
    return Played(numbers, names, (taken[0], taken[1]), total, side)


def games_of(solution: rs.Solution, count: int = 10) -> Iterator[Played]:
    """So many perfect games and as many random ones."""
    for perfect in (True, False):
        chance = random.Random(7)
        found = (played(solution, chance, perfect) for _ in range(20 * count))
        ended = list(islice((game for game in found if game is not None), count))
        assert len(ended) == count
        yield from ended


@pytest.fixture(
    scope="module", params=[*QUICK, *(pytest.param(text, marks=pytest.mark.long) for text in LONG)]
)
def solution(request: pytest.FixtureRequest) -> rs.Solution:
    return rs.solve(parse_game(request.param), objective="score")


def said(total: int, words: tuple[str, str, str]) -> str:
    """The sentence for a player who has won, lost or neither, with the points."""
    sentence = words[0] if total > 0 else words[1] if total else words[2]
    return f"{sentence} ({total:+})" if total else sentence


def test_every_game_of_the_catalogue_that_counts_points_is_played_here() -> None:
    counted = {name for name, spec in GAMES.items() if getattr(spec.make, "objective", "") == "score"}
    assert counted <= {name_in(text) for text in QUICK}


def test_the_page_says_who_has_won(solution: rs.Solution) -> None:
    games = list(games_of(solution))
    with serving(Library([Entry("game", "game", solution)])) as address:
        for game in games:
            line = "-".join(map(str, game.numbers))
            for you, sign in ((0, 1), (1, -1)):
                _, page = request(f"{address}/g/game/?you={you}&line={line}")
                (verdict,), (points, *more) = VERDICT.findall(page), POINTS.findall(page)
                words = ("▲ You have won", "▼ You have lost", TIED)
                assert re.sub("<.*?>", "", verdict) == said(sign * game.total, words)
                mine, theirs = game.taken[you], game.taken[1 - you]
                rest = sign * game.total - mine + theirs
                counted = f"Points taken: You {mine}, Opponent {theirs}"
                assert points == counted + (f" · the rest: {rest:+}" if rest else "")
                assert more == []


def test_the_terminal_says_who_has_won(
    solution: rs.Solution, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in games_of(solution):
        typed = iter(game.names)
        monkeypatch.setattr("builtins.input", lambda *_, typed=typed: next(typed))
        start: Any = solution.start
        to = translation("en")
        shown = TerminalGame(GamePlay(solution, start), (0, 1), 0.0, random.Random(1), to, True)
        shown.run()
        printed = capsys.readouterr().out
        name = shown.names[game.side]
        words = f"▲ Game over, won by {name}", f"▼ Game over, lost by {name}", TIED
        total = -game.total if game.side else game.total
        assert said(total, words) in printed.splitlines()
        mine, theirs = game.taken[game.side], game.taken[1 - game.side]
        assert f"Points taken: {name} {mine}, {shown.names[1 - game.side]} {theirs}" in printed


@pytest.mark.parametrize("count", [2, pytest.param(10, marks=pytest.mark.long)])
def test_the_exported_page_says_who_has_won(
    solution: rs.Solution, count: int, browser: Browser, tmp_path: Path
) -> None:
    export_static(solution, "game", tmp_path / "site")
    with hosted(tmp_path / "site") as address, watched(browser) as page:
        page.goto(address)
        page.select_option("select[name=you]", "0")
        for game in games_of(solution, count):
            expect(page.locator("a.move")).not_to_have_count(0)
            page.evaluate(PLAY, game.numbers)
            words = ("▲ you win", "▼ you lose", "= tie")
            assert page.inner_text("#verdict") == said(game.total, words)
            mine, theirs = game.taken
            rest = game.total - mine + theirs
            counted = f"Points taken: You {mine}, Opponent {theirs}"
            assert page.inner_text("#points") == counted + (f" · the rest: {rest:+}" if rest else "")
            page.click("#beginning")
            expect(page.locator("#undo")).to_be_disabled()
