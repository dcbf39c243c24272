"""The registry of solved games: its tables have what the results of the benchmarks have, and nothing else."""

import csv
import json
from collections import Counter
from typing import Any

import pytest

import retrosolve as rs
from benchmarks.chess_counts import published, wins_draws_losses
from retrosolve.games import GAMES, parse_game
from tests.docs.test_results import tables
from tests.support.marks import SLOW
from tests.support.pages import DOCS, ROOT
from tests.support.published import figures

pytestmark = pytest.mark.thorough

PAGE = (DOCS / "gallery" / "registry.md").read_text("utf-8")
QUICK, LARGEST = 100_000, 5_000_000


def results(name: str) -> list[dict[str, Any]]:
    """The cases of a benchmark that are built-in games."""
    cases = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())["cases"]
    return [case for case in cases if case["game"].partition(":")[0] in GAMES]


SOLVED = {case["game"]: case for case in results("registry")}
MEASURED = {case["game"]: case for name in ("games", "big_games", "records") for case in results(name)}
FIGURES, DIGESTS, ENDINGS, CONVERSIONS = (
    {row[0].strip("`"): dict(zip(heading, row, strict=True)) for row in rows}
    for heading, rows in tables(PAGE)
)
LABELS = {
    "wins": "win", "cursed wins": "cursed-win", "blessed losses": "blessed-loss", "losses": "loss",
}  # fmt: skip


def test_endings_have_the_figures_of_the_results_and_those_published() -> None:
    cases = {case["game"].removeprefix("chess:"): case for case in results("endings")}
    mates = figures("chess-5-men")["longest_mate_plies"]
    assert ENDINGS.keys() == cases.keys()
    for name, row in ENDINGS.items():
        case = cases[name]
        assert row["positions"] == (f"{case['positions']:,}" if "positions" in case else "-")
        shown = [row[f"{side} to move: won / drawn / lost"] for side in ("White", "Black")]
        counts = " | ".join(side.replace(",", "").replace(" ", "") for side in shown)
        assert counts == case["wins/draws/losses"] == wins_draws_losses(published(name))
        plies = case["longest_of_ending"]
        assert row["longest win, plies"] == str(plies)
        assert plies == mates.get(name, plies)
        assert row["digest"].strip("`") == case.get("digest", "-")


def test_counts_of_endings_for_others_are_those_of_the_results() -> None:
    with (ROOT / "benchmarks" / "results" / "endings.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["to_move"] for row in rows] == ["white", "black"] * (len(rows) // 2)
    counted = [case for case in results("endings") if "wins/draws/losses" in case]
    assert len(rows) == 2 * len(counted)
    for white, black, case in zip(rows[::2], rows[1::2], counted, strict=True):
        sides = ["/".join(row[value] for value in ("won", "drawn", "lost")) for row in (white, black)]
        assert " | ".join(sides) == case["wins/draws/losses"]
        assert {row["ending"] for row in (white, black)} == {case["game"].removeprefix("chess:")}
        assert {row["longest_win"] for row in (white, black)} == {str(case["longest_of_ending"])}


def test_conversions_have_the_figures_of_the_results_and_those_published() -> None:
    cases = {case["game"].removeprefix("chess:"): case for case in results("conversions")}
    assert CONVERSIONS.keys() == cases.keys()
    for name, row in CONVERSIONS.items():
        case = cases[name]
        assert row["longest, plies"] == str(case["longest_of_ending"])
        for heading, label in LABELS.items():
            assert row[heading] == f"{case['counts'][label]:,}"
        assert row["digest"].strip("`") == case.get("digest", "-")
        known = published(name)
        assert case["wins/draws/losses"] == wins_draws_losses(known)
        distances = [plies for side in known.values() for _, plies in side if plies is not None]
        assert case["longest_of_ending"] == max(distances)


def test_counts_by_ranks_of_pawns_add_up_to_those_of_each_ending_to_conversion() -> None:
    with (ROOT / "benchmarks" / "results" / "chess-5men-conversions.csv").open() as file:
        rows = list(csv.DictReader(file))
    cases = results("conversions")
    for case in cases:
        own, found, longest = set(parse_game(case["game"]).tier_names), Counter[str](), 0
        for row in rows:
            if row["ending"] in own:
                found.update({label: int(row[label]) for label in case["counts"]})
            if row["ending"] == case["game"].removeprefix("chess:"):
                longest = max(longest, int(row["longest"]))
        assert found == case["counts"]
        assert longest == case["longest_of_ending"]
    assert len(cases) == 110


def test_every_measured_game_has_a_row_and_each_solved_one_a_digest() -> None:
    assert FIGURES.keys() == MEASURED.keys()
    assert DIGESTS.keys() == SOLVED.keys() <= MEASURED.keys()


@pytest.mark.parametrize("text", MEASURED)
def test_rows_have_the_figures_of_the_results(text: str) -> None:
    case, solved, row = MEASURED[text], SOLVED.get(text, {}), FIGURES[text]
    both = case | solved
    counts = both["counts"] if isinstance(both.get("counts"), dict) else {}
    for heading, value in zip(
        ("won", "lost", "tied", "drawn"), ("win", "loss", "tie", "draw"), strict=True
    ):
        assert row[heading] == (f"{counts[value]:,}" if value in counts else "-")
    measured = case.get("solved", case["positions"])
    assert row["positions"] == f"{measured:,}" == f"{solved.get('positions', measured):,}"
    assert row["start"] == (both.get("start") or "-")
    assert row["longest win, plies"] == str(both.get("longest", "-"))
    seconds = case.get("solve", case.get("seconds"))
    assert float(row["s"].replace(",", "")) == pytest.approx(seconds, rel=0.01)
    assert float(row["peak MB"].replace(",", "")) == pytest.approx(case["peak_bytes"] / 1e6, abs=0.51)
    disk = both.get("disk_bytes")
    assert row["MB on disk"] == ("-" if disk is None else f"{disk / 1e6:,.1f}")


@pytest.mark.parametrize("text", SOLVED)
def test_solved_games_are_what_the_benchmarks_measured(text: str) -> None:
    case, solved = MEASURED[text], SOLVED[text]
    for key in ("positions", "longest", "start", "digest", "counts"):
        if case.get(key) is not None and key in solved and not isinstance(case[key], list):
            known, expected = solved[key], case[key]
            if key == "positions":
                expected = case.get("solved", expected)
            elif key == "counts":
                known = {name: known[name] for name in expected}
            assert expected == known, key
    counts = solved["counts"]
    assert sum(counts.values()) == solved["positions"]
    if isinstance(case.get("counts"), list):
        # As published, both of two mirror images count; in Quoridor on an odd board some are their own.
        first, second, nobody = case["counts"]
        both = 2 * (counts["win"] + counts["loss"])
        assert nobody == 2 * (counts["tie"] + counts["draw"])
        assert both - (first + second) == 2 * solved["positions"] - case["positions"] >= 0
    digest, example = DIGESTS[text]["digest"], DIGESTS[text]["one of the longest wins or losses"]
    assert digest == f"`{solved['digest']}`"
    assert example == f"`{solved['example']}`"


@pytest.mark.long("lgame")
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=[] if case["positions"] <= QUICK else SLOW)
        for text, case in SOLVED.items()
        if case["positions"] <= LARGEST
    ],
)
def test_digest_and_counts_are_those_of_a_solve(text: str) -> None:
    case = SOLVED[text]
    solution = rs.solve(parse_game(text), stuck=case["stuck"])
    assert solution.digest() == case["digest"]
    assert {value.label: count for value, count in solution.counts().items()} == case["counts"]
    assert solution[case["example"]].remoteness == case["longest"]
