"""Positions in numbers, as rules make them, in solutions, frames and data sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.testing import random_graph


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
    assert "features" not in rs.solve(random_graph(8)).to_pandas(moves=True)


def test_features_of_some_positions_and_of_none() -> None:
    game = rs.game("tictactoe")
    solution = rs.solve(game)
    shown = solution.features(["XX.OO....", "........."])
    assert shown.shape == (2, 18)
    assert (
        shown == solution.features()[[[*solution].index(at) for at in ("XX.OO....", ".........")]]
    ).all()
    assert solution.features([]).shape == (0, 0)
    with pytest.raises(rs.PositionError):
        solution.features(["XXXXXXXXX"])
    assert "features" in rs.check_game(game).rules
