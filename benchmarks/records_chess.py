"""Solve chess endings into a folder and compare them with what is published; print one line of JSON.

A small ending is solved before, so that kernels are compiled.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.chess import ChessEnding
from retrosolve.games.chess_drawn import whole_counts
from retrosolve.tables.summary import tier_distributions

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"


def main(name: str, folder: str) -> None:
    rs.verify(rs.solve(parse_game("chess:KRK")))
    game = parse_game(name)
    assert isinstance(game, ChessEnding)
    start, used = time.perf_counter(), time.process_time()
    done = Path(folder).exists()
    solution = rs.open(folder) if done else rs.solve(game, out=folder, resume=_begun(folder))
