"""The figures of the benchmarks are those of the games and the solvers that are there now."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from benchmarks.running import machines_line
from retrosolve.games import GAMES, parse_game
from retrosolve.solvers import SOLVERS
from tests.support.marks import SLOW, THOROUGH
from tests.support.pages import DOCS, ROOT
from tests.support.published import built_in, figures

pytestmark = pytest.mark.thorough

RESULTS = ("games", "big_games", "exploring", "records")
OWN = figures("built-in-games")["own"]
RULES_OF_BENCHMARKS = ("nine-moves", "clobber")  # not built in; benchmarks/one_exploring.py has them
QUICK, LARGEST = 400_000, 10**8
FOLDER = ROOT / "benchmarks" / "results"
PAGE = "\n".join((DOCS / name).read_text("utf-8") for name in ("performance.md", "inside/tried.md"))


def results(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def is_built_in(text: str) -> bool:
    return text.partition(":")[0] in GAMES


@cache
def facts(text: str) -> dict[str, int | str | None]:
    """What a benchmark may say about a built-in game; None where nothing is listed."""
    positions, start = built_in(text)
    return {"positions": positions, "indices": getattr(parse_game(text), "size", None), "start": start}


@pytest.mark.long("records", "big_games")
@THOROUGH
@pytest.mark.parametrize("name", RESULTS)
def test_results_of_benchmarks_have_the_positions_of_the_games(name: str) -> None:
    cases = results(name)["cases"]
    texts = [case["game"] for case in cases]
    assert {text for text in texts if not is_built_in(text)} <= {
        text for text in texts if text.startswith(RULES_OF_BENCHMARKS)
    }
    different = []
    for case in filter(lambda case: is_built_in(case["game"]), cases):
        different += [
            f"{case['game']}: {key} {case[key]}, expected {value}"
            for key, value in facts(case["game"]).items()
            if key in case and value is not None and case[key] != value
        ]
    assert different == []


@pytest.mark.parametrize("name", ["games", "big_games"])
def test_results_of_benchmarks_name_solvers_that_exist(name: str) -> None:
    solvers = {case["solver"] for case in results(name)["cases"]}
    assert solvers <= {solver.name for solver in SOLVERS}


def tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    """The heading and the rows of each table of a page, as cells."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        heading, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
        ]
        yield heading, rows


@pytest.mark.long
def test_tables_of_the_page_have_the_positions_of_the_games() -> None:
    different, checked = [], set()
    for heading, rows in tables(PAGE):
        if heading[0] not in ("game", "ending") or "positions" not in heading:
            continue
        for row in rows:
            cells = dict(zip(heading, row, strict=True))
            text = row[0].partition(", ")[0]
            text = f"chess:{text}" if heading[0] == "ending" else text
            if not is_built_in(text) or cells["positions"] == "-":
                continue
            checked.add(text)
            different += [
                f"{text}: {key} {cells[key]}, expected {value:,}"
                for key, value in facts(text).items()
                if key in cells and isinstance(value, int) and cells[key] != f"{value:,}"
            ]
    assert different == []
    measured = {case["game"] for name in RESULTS for case in results(name)["cases"]}
    assert checked >= set(filter(is_built_in, measured))


@pytest.mark.long("chess:K[BN]K")
@THOROUGH
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[] if positions <= QUICK and "chess" in text else SLOW)
        for text, (positions, _) in OWN.items()
        if positions <= LARGEST
    ],
)
def test_listed_positions_are_those_of_a_solve(text: str) -> None:
    positions, start = OWN[text]
    solution = rs.solve(parse_game(text))
    assert len(solution) == positions
    assert start in (None, str(solution[solution.start]))


def test_listed_positions_are_those_published() -> None:
    connect4, boards = figures("connect4-counts")["w x h"], figures("fox-and-hounds")
    queens, hexapawn = figures("queen-and-pawns"), figures("hexapawn")
    quoridor = figures("quoridor")["6x6,w=2"]
    for columns, rows in ((4, 6), (5, 5), (6, 4)):
        text = f"connect4:rows={rows},columns={columns}"
        assert OWN[text][0] == connect4[f"{columns}x{rows}"]
    assert OWN["foxhounds-plain:n=8"][0] == boards["8"]["positions"]
    assert OWN["foxhounds:n=10"][0] == boards["10"]["positions"]
    for n in "678":  # and one for all positions in which the game is over
        assert OWN[f"queenpawns:n={n}"][0] == queens[n]["positions"] + 1
    assert (
        OWN["hexapawn:columns=5,rows=4"][0]
        == hexapawn["own_(cols,rows):(positions,value,plies)"]["5,4"][0]
    )
    assert OWN["quoridor:n=6,walls=2"][0] == sum(map(int, quoridor.split("/")))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_tables_of_the_page_name_the_machine_of_their_results(path: Path) -> None:
    begin, end = (f"<!-- {word} of {path.stem} -->\n" for word in ("begin", "end"))
    own = dict.fromkeys(("registry", "endings", "conversions"), "gallery/registry.md")
    own["openspiel"] = "howto/openspiel.md"
    page = (DOCS / own[path.stem]).read_text("utf-8") if path.stem in own else PAGE
    table = page.partition(begin)[2].partition(end)[0]
    assert table.strip().splitlines()[-1] == machines_line(results(path.stem))


def test_page_of_openspiel_has_each_game_as_measured_and_explains_each_difference() -> None:
    page = (DOCS / "howto" / "openspiel.md").read_text("utf-8")
    cases = results("openspiel")["cases"]
    _, _, measured = page.partition("<!-- begin of openspiel -->")
    heading, rows = next(tables(measured))
    shown = {row[0].strip("`"): dict(zip(heading, row, strict=True)) for row in rows}
    assert list(shown) == [case["game"] for case in cases]
    assert len(cases) == 31
    for case in cases:
        row = shown[case["game"]]
        if "error" in case:  # explained in words
            assert case["game"] in page.partition("games are not solved. ")[2].partition(".")[0].lower()
            continue
        assert (row["positions"], row["value of the start"]) == (
            f"{case['positions']:,}",
            case["value"],
        )
        same = case.get("compared", 0) - case.get("different", 0)
        if "compared" in case:
            assert f"table: {same:,} of {case['compared']:,}" in row["agreement with OpenSpiel"]
        if case.get("different"):
            prose = page.partition("The only disagreements are in")[2].replace("\n", " ")
            assert f"{case['different']:,} of {case['compared']:,}" in prose
        if case["searched"] is not None:
            assert "search: same" in row["agreement with OpenSpiel"]


def test_stages_of_the_largest_games_add_up_to_the_whole() -> None:
    (place,) = [part for part in PAGE.split("<!-- begin of ") if part.startswith("big_games")]
    heading, rows = next(tables(place))
    (column,) = [number for number, cell in enumerate(heading) if cell.endswith(" / other, %")]
    for row in rows:
        shares = [int(share) for share in row[column].split(" / ")]
        assert len(shares) == heading[column].count("/") + 1
        assert abs(sum(shares) - 100) <= len(shares) / 2, row[0]  # each is rounded
