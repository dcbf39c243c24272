"""Positions in numbers, as rules make them, in solutions, frames and data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.testing import random_graph


class Heap(rs.Game[int]):
    """Take one or two."""

    made: Any = staticmethod(lambda n: (n, n % 3))

    def start(self) -> int:
        return 7

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [(f"take {k}", n - k) for k in (1, 2) if k <= n]

    def features(self, position: int) -> Any:
        return self.made(position)


def test_a_row_for_each_position() -> None:
    solution = rs.solve(Heap())
    expected = [[n, n % 3] for n in solution]
    assert solution.features().tolist() == expected
    assert solution.features([5, 2]).tolist() == [[5, 2], [2, 2]]
    assert solution.features([]).shape == (0, 0)
    frame = solution.to_pandas(moves=True)
    assert frame["features"].tolist() == expected
    assert solution.to_polars(moves=True)["features"].to_list() == expected
    assert "features" not in solution.to_pandas()
    with pytest.raises(rs.PositionError, match="99 was not reached from the start"):
        solution.features([99])


@pytest.mark.parametrize("game", ["connect4:rows=3,columns=3,connect=3", "tictactoe"])
def test_a_data_set_has_features(game: str, tmp_path: Path) -> None:
    file = tmp_path / "moves.parquet"
    assert run(["dataset", game, str(file), "--sample", "50"]) == 0
    frame = pd.read_parquet(file)
    solution = rs.solve(rs.game(game))
    features = np.stack(frame["features"])
    assert features.shape == (50, 18)
    assert (features == solution.features(frame["position"])).all()
    stones = frame["position"].map(lambda text: 9 - text.count(".")).to_numpy()
    assert (features.sum(axis=1) == stones).all()
    assert np.isin(features[:, :9].sum(axis=1) - features[:, 9:].sum(axis=1), (0, -1)).all()


def test_games_without_features_have_no_column() -> None:
    solution = rs.solve(random_graph(8))
    assert "features" not in solution.to_pandas(moves=True)
    with pytest.raises(rs.GraphError, match=r"expected rules with a method features\(position\)"):
        solution.features()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda n: [0] * n, r"features\(\) gave \[0, .*\] for '[0-9]': expected 7 numbers, as for the"),
        (lambda n: ["x"], r"features\(\) gave \['x'\] for '7': expected numbers, in a list"),
        (lambda n: n, r"features\(\) gave 7 for '7': expected numbers, in a list"),
    ],
)
def test_wrong_features_are_refused(made: Any, message: str) -> None:
    game = Heap()
    game.made = made
    with pytest.raises(rs.RulesError, match=message):
        rs.solve(game).features()
    with pytest.raises(rs.RulesError, match=message):
        rs.check_game(game)


def test_check_game_names_features() -> None:
    assert "features" in rs.check_game(Heap()).rules
