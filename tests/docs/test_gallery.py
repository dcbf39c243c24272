"""The gallery and the first page say what the table of games and the results of benchmarks say."""

import json
import re
from functools import cache

import pytest

from docs.site.facts import facts, results
from docs.site.gallery import BENCHMARKS, PLAYED, PUBLISHED, figure, in_words, index_page, page
from retrosolve.games import GAMES, GameSpec, parse_game
from retrosolve.runtime.context import Context
from retrosolve.spaces.base import solvable
from retrosolve.web.export import MAX_PICTURES
from tests.support.pages import DOCS
from tests.support.published import built_in, items

pytestmark = pytest.mark.thorough

# Published positions, by the game that has them.
SAME = {
    ("tictactoe", "positions"): "tictactoe",
    ("mutorere", "positions"): "mutorere",
    ("lgame", "positions"): "lgame",
    ("foxhounds-plain", "n=6, positions"): "foxhounds-plain:n=6",
    ("foxhounds", "n=8, positions"): "foxhounds:n=8",
    ("foxhounds", "n=10, positions"): "foxhounds:n=10",
    ("connect4", "4x6 (width x height), positions"): "connect4:rows=6,columns=4",
    ("connect4", "5x5 (width x height), positions"): "connect4:rows=5,columns=5",
    ("connect4", "6x4 (width x height), positions"): "connect4:rows=4,columns=6",
}


@cache
def index() -> str:
    """The page with a card of each game."""
    return index_page()


def cells(text: str, heading: str) -> list[list[str]]:
    """The rows of the table below a heading."""
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0].partition("---|\n")[2]
    rows = re.findall(r"^\| (.*) \|$", part, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows]


@pytest.mark.parametrize("spec", GAMES.values(), ids=list(GAMES))
def test_cards_and_pages_have_the_outcome_and_the_positions_of_the_table(spec: GameSpec) -> None:
    card = index().partition(f'games/{spec.name}.html"')[2].partition('class="card')[0]
    for text in (card, page(spec)):
        assert in_words(spec) in text
        assert f"{spec.positions:,}" in text
    assert ("/index.html" in card) == (spec.name in PLAYED)


def test_words_for_an_outcome_name_the_winner() -> None:
    said = {name: in_words(spec) for name, spec in GAMES.items()}
    assert said["stones"] == "the first player wins in 7 plies"
    assert said["foxhounds"] == "the second player wins in 44 plies"
    assert said["grundy"] == "nimber 17: the first player wins"
    assert said["awari"] == "the first player wins by 8"
    assert said["pig"] == "the first player wins 61.56 % of the games"
    assert said["teeko"] == "draw: nobody can force an end"


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_figures_are_those_that_the_tests_compare_with(name: str) -> None:
    expected = []
    for published in PUBLISHED[name]:
        value = items()[published.item]["figures"]
        for key in published.path:
            value = value[key]
        assert figure(published).replace(",", "").replace(" / ", "/") == str(value).replace(",", "")
        expected.append([published.what, figure(published)])
        if (name, published.what) in SAME:
            assert built_in(SAME[name, published.what])[0] == value
    assert cells(page(GAMES[name]), "Published figures") == expected


def test_measured_games_are_those_of_the_benchmarks() -> None:
    for benchmark in BENCHMARKS:
        for case in results(benchmark)["cases"]:
            name = case["game"].partition(":")[0]
            if name in GAMES:
                rows = cells(page(GAMES[name]), "Measured")
                (row,) = [row for row in rows if row[0] == f"`{case['game']}`"]
                assert row[1] == f"{case['positions']:,}"
                seconds = float(row[3].replace(",", ""))
                assert seconds == pytest.approx(case.get("solve", case.get("seconds")), rel=0.01)


def test_games_to_play_are_small_enough_for_pictures_and_go_on_at_their_start() -> None:
    for name, text in PLAYED.items():
        assert text.partition(":")[0] == name
        game = parse_game(text)
        size = getattr(game, "size", None) or GAMES[name].positions
        assert size <= MAX_PICTURES
        space = solvable(game).reachable_subspace(Context())
        assert space.moves(space.start), f"{text} is over before it begins"


def test_facts_of_the_first_page_are_those_of_the_tables() -> None:
    (games, _), (positions, what), (bits, _) = facts()
    assert int(games) == len(GAMES)
    assert positions == f"{GAMES['baghchal'].positions:,}"
    assert "bagh-chal, solved on 2 cores" in what
    assert f"{bits} a position" in (DOCS / "performance.md").read_text("utf-8").replace("\n", " ")
    records = json.loads((DOCS.parent / "benchmarks" / "results" / "records.json").read_text())
    assert f"{max(case['positions'] for case in records['cases']):,}" == positions
