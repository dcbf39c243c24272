"""Solve games of GamesmanPy with its solver and with retrosolve by the same rules; print lines of JSON.

    GAMESMANPY=folder python benchmarks/gamesmanpy.py clobber:5x3 ttt-inf:regular

GAMESMANPY is the folder of a checkout of https://github.com/GamesCrafters/GamesmanPy, which is on no
package index; it needs Python 3.12. Its solver runs in memory, without its database. The programs run
in turn in one process, the fastest of some repeats each; all values and remotenesses are compared.
``processor_seconds`` are those of this process.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import retrosolve as rs

NO_REMOTENESS = 255  # GamesmanPy's of a draw
CLASSES = {"clobber": "Clobber", "ttt-inf": "TTT_inf"}


class Moves(rs.Game[int]):
    """Rules of GamesmanPy in which a player loses who has no move, as in both games.

    ``generate_moves`` of endless tic-tac-toe calls ``primitive`` and has no moves where that is a loss.
    """

    def __init__(self, game: Any) -> None:
        self.game = game

    def start(self) -> int:
        return int(self.game.start())

    def moves(self, position: int) -> list[int]:
        do_move = self.game.do_move
        return [do_move(position, move) for move in self.game.generate_moves(position)]


def theirs(solver: Any, game: Any) -> dict[int, tuple[int, Any]]:
    """The remoteness and the value of each position, by the solver of GamesmanPy."""
    solver.solution, solver.unsolved_children = {}, {}
    solver.parent_map.clear()
    solver.game = game
    solver.discover()
    solver.propagate()
    solver.resolve_draws()
    solution: dict[int, tuple[int, Any]] = solver.solution
    return solution


def timed(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """The seconds and the processor seconds that a call takes, and its result."""
    gc.collect()
    began, worked = time.perf_counter(), time.process_time()
    result = run()
    return time.perf_counter() - began, time.process_time() - worked, result


def compare(game: Any, repeats: int) -> dict[str, Any]:
    """Solve a game by all programs in turn; return the least seconds of each."""
    from solver.solver import Solver

    rules = Moves(game)
    programs: dict[str, Callable[[], Any]] = {
        "gamesmanpy": lambda: theirs(Solver(type(game)), game),
        "workers=1": lambda: rs.solve(rules, workers=1),
        "workers=2": lambda: rs.solve(rules, workers=2),
    }
    seconds: dict[str, float] = {}
    processor: dict[str, float] = {}
    for _ in range(repeats):
        results = {}
        for name, run in programs.items():
            took, worked, results[name] = timed(run)
            seconds[name] = min(took, seconds.get(name, took))
            processor[name] = min(worked, processor.get(name, worked))
    expected = {
        position: (value.name, None if plies == NO_REMOTENESS else plies)
        for position, (plies, value) in results["gamesmanpy"].items()
    }
    for name in ("workers=1", "workers=2"):
        answers = {p: (o.value.name.title(), o.remoteness) for p, o in results[name].items()}
        assert answers == expected, f"{name} and GamesmanPy differ"
    return {"positions": len(expected), "seconds": seconds, "processor_seconds": processor}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME:VARIANT")
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    for folder in ("models", "games", "solver"):
        sys.path.insert(0, str(Path(os.environ["GAMESMANPY"]) / folder / "src"))
    database: Any = types.ModuleType("database")
    database.DuckDB = database.SqliteDB = object
    package: Any = types.ModuleType("games")  # without the games that need other libraries
    package.__path__ = [str(Path(os.environ["GAMESMANPY"]) / "games" / "src" / "games")]
    sys.modules |= {"database": database, "games": package}
    for text in given.games:
        name, _, variant = text.partition(":")
        module = importlib.import_module(f"games.{name.replace('-', '_')}")
        record = compare(getattr(module, CLASSES[name])(variant), given.repeats)
        print(json.dumps({"game": text} | record), flush=True)


if __name__ == "__main__":
    main()
