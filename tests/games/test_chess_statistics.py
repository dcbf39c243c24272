"""Chess endings against what the generator of Syzygy tables counted: all positions, by distance.

A table of ours has a position once, whichever of two like pieces comes first; ``benchmarks.chess_counts``
says how the counts of others follow. Those of endings with pawns are without captures en passant.
"""

from __future__ import annotations

import pytest

import retrosolve as rs
from benchmarks.chess_counts import (
    by_side,
    counted,
    published,
    statistics,
    wins_draws_losses,
    with_draws_together,
)
from retrosolve.games.chess import ChessEnding
from retrosolve.games.chess.material import endings
from tests.support.marks import COMPILED, SLOW, THOROUGH
from tests.support.pages import ROOT

pytestmark = [THOROUGH, COMPILED]


def test_all_endings_of_three_to_five_men_are_published() -> None:
    assert statistics().keys() == {ending.name for men in (3, 4, 5) for ending in endings(men)}


@pytest.mark.parametrize("game", ["3men", "KRRK", pytest.param("4men", marks=SLOW)])
def test_as_many_positions_as_published_are_at_each_distance(game: str) -> None:
    rules = ChessEnding(game)
    with rs.solve(rules, objective="conversion:limit=100") as solution:
        parts = counted(solution, rules)
        for name in {part.ending for part in parts} - {"KK"}:
            assert with_draws_together(by_side(solution, rules, parts, name)) == published(name)


@pytest.mark.long
def test_all_endings_of_four_men_have_the_published_counts() -> None:
    with rs.open(ROOT / "tests" / "data" / "chess-4men") as solution:
        rules = solution.space.rules
        parts = counted(solution, rules)
        for name in {part.ending for part in parts} - {"KK"}:
            found = by_side(solution, rules, parts, name)
            assert wins_draws_losses(found) == wins_draws_losses(published(name))
