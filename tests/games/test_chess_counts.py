"""Chess endings: the counts of whole tables against published ones."""

import os
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from benchmarks.chess_counts import (
    by_side,
    counted,
    statistics,
    wins_draws_losses,
    with_draws_together,
)
from benchmarks.chess_counts import published as published_counts
from retrosolve.games.chess import ChessEnding
from retrosolve.games.chess.index import turned
from retrosolve.games.chess.layout import BLACK, TURNED
from retrosolve.games.chess.material import endings
from tests.support.marks import COMPILED
from tests.support.pages import ROOT
from tests.support.published import figures

WHOLE = ["KRK", "KQK", "KBNK"]
COUNTED = ["KPK"]
if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
    WHOLE = ["KRK"]  # a minute as plain Python; KBNK takes most of an hour
    COUNTED = []


def solved_by_side(game: ChessEnding) -> tuple[rs.Solution, dict[str, dict[str, Any]]]:
    solution = rs.solve(game)
    sides: dict[str, list[np.ndarray]] = {"WTM": [], "BTM": []}
    for name, first, end in zip(game.tier_names, game.tiers, [*game.tiers[1:], game.size], strict=True):
        if name == game.tier_names[-1]:
            alike = not game.unrank(end - 1, game.data) & BLACK
            middle = end if alike else (first + end) // 2
            sides["WTM"].append(np.arange(first, middle))
            sides["BTM"].append(np.arange(first if alike else middle, end))
    table: dict[str, dict[str, Any]] = {}
    for side, parts in sides.items():
        indices = np.concatenate(parts)
        value, remoteness = solution.table.values(indices), solution.table.remoteness(indices)
        table[side] = {"draws": int(np.isin(value, (rs.Value.DRAW, rs.Value.TIE)).sum())}
        for name, kind in (("hist_win", rs.Value.WIN), ("hist_loss", rs.Value.LOSS)):
            plies, count = np.unique(remoteness[value == kind], return_counts=True)
            table[side][name] = dict(zip(map(str, plies.tolist()), count.tolist(), strict=True))
    return solution, table


def published(ending: str) -> dict[str, dict[str, Any]]:
    if ending == "KRK":
        white, black = figures("chess-krk-wt"), figures("chess-krk-bt")
        return {
            "WTM": {"hist_win": white["win_in_plies"], "hist_loss": {}, "draws": white["draw"]},
            "BTM": {"hist_win": {}, "hist_loss": black["lost_in_plies"], "draws": black["draw"]},
        }
    given = figures(f"chess-{ending.lower()}")
    return {
        side: {k: given[side][k] for k in ("hist_win", "hist_loss", "draws")} for side in ("WTM", "BTM")
    }


@pytest.mark.long("KBNK")
@pytest.mark.parametrize("ending", WHOLE)
def test_endings_are_the_published_tables(ending: str) -> None:
    game = ChessEnding(ending)
    solution, table = solved_by_side(game)
    rs.verify(solution)
    assert table == published(ending)
    start = game.start()
    longest = max(map(int, table["WTM"]["hist_win"]))
    assert {solution[turned(start, TURNED + way, game.data)] for way in range(8)} == {
        (rs.Value.WIN, longest)
    }


# Wins, draws and losses of the side to move, White and Black: the statistics of the Syzygy tables. The
# longest win of White to move, in plies: lists of longest mates.
COUNTS = {
    "KPK": ((62480, 19184, 0), (0, 35210, 48802), 55),
    "KQKR": ((1108111, 8963, 2142), (386313, 78518, 883075), 69),
    "KQKB": ((1115754, 3462, 0), (0, 342019, 1137179), 33),
    "KQKN": ((1111906, 7310, 0), (0, 305896, 1261326), 41),
    "KQKQ": ((467214, 646911, 5091), (467214, 646911, 5091), 25),
    "KRKR": ((392459, 946389, 9058), (392459, 946389, 9058), 37),
    "KRKB": ((473447, 874459, 0), (0, 1431462, 47736), 57),
    "KRKN": ((651492, 696413, 1), (4, 1396546, 170672), 79),
    "KQKP": ((3349631, 21317, 20), (385976, 601733, 3993795), 55),
    "KRKP": ((3703102, 340191, 6727), (816810, 871949, 3292745), 51),
}


@pytest.mark.parametrize(
    "ending", [*COUNTED, *(pytest.param(e, marks=pytest.mark.long) for e in COUNTS if e != "KPK")]
)
def test_endings_have_the_published_counts(ending: str) -> None:
    game = ChessEnding(ending)
    solution, table = solved_by_side(game)
    rs.verify(solution)
    white, black, longest = COUNTS[ending]
    for side, counts in (("WTM", white), ("BTM", black)):
        found = table[side]
        assert sum(found["hist_win"].values()) == counts[0]
        assert found["draws"] == counts[1]
        assert sum(found["hist_loss"].values()) == counts[2]
    assert max(map(int, table["WTM"]["hist_win"])) == longest
    assert solution[game.start()] == (rs.Value.WIN, longest)
    if ending == "KPK":
        assert (table["WTM"]["hist_win"]["55"], table["BTM"]["hist_loss"]["56"]) == (3, 2)


WHOLE_BOARD = {
    "KRK": figures("chess-krk-full"),
    "KQK": figures("chess-kqk")["full_board_no_symmetry"],
    "KBNK": figures("chess-kbnk")["full_board"],
}


@pytest.mark.parametrize("ending", [*WHOLE[:2], pytest.param("KBNK", marks=pytest.mark.long)])
def test_whole_boards_are_the_published_counts(ending: str) -> None:
    _, table = solved_by_side(ChessEnding(ending, symmetry=False))
    given = WHOLE_BOARD[ending]
    assert sum(table["WTM"]["hist_win"].values()) == given["WTM_wins"]
    assert sum(table["BTM"]["hist_loss"].values()) == given["BTM_losses"]
    assert (table["WTM"]["draws"], table["BTM"]["draws"]) == (
        given.get("WTM_draws", 0),
        given["BTM_draws"],
    )


# -- by distance, against what the generator of Syzygy tables counted: all positions
#
# A table of ours has a position once, whichever of two like pieces comes first; ``benchmarks.chess_counts``
# says how the counts of others follow. Those of endings with pawns are without captures en passant.


def test_all_endings_of_three_to_five_men_are_published() -> None:
    assert statistics().keys() == {ending.name for men in (3, 4, 5) for ending in endings(men)}


@COMPILED
@pytest.mark.parametrize("game", ["3men", "KRRK", pytest.param("4men", marks=pytest.mark.long)])
def test_as_many_positions_as_published_are_at_each_distance(game: str) -> None:
    rules = ChessEnding(game)
    with rs.solve(rules, objective="conversion:limit=100") as solution:
        parts = counted(solution, rules)
        for name in {part.ending for part in parts} - {"KK"}:
            assert with_draws_together(by_side(solution, rules, parts, name)) == published_counts(name)


@pytest.mark.long
def test_all_endings_of_four_men_have_the_published_counts() -> None:
    with rs.open(ROOT / "tests" / "data" / "chess-4men") as solution:
        rules = solution.space.rules
        parts = counted(solution, rules)
        for name in {part.ending for part in parts} - {"KK"}:
            found = by_side(solution, rules, parts, name)
            assert wins_draws_losses(found) == wins_draws_losses(published_counts(name))
