"""Solve Clobber with a checkout of GamesmanPy and its own rules; print one line of JSON.

Needs the Python and the libraries that GamesmanPy requires. Called by ``exploring.py`` if the
environment names both: GAMESMANPY, the folder of the checkout, and GAMESMANPY_PYTHON, the Python to run
it with.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def main(folder: Path, variant: str) -> None:
    for package in ("database", "models", "games", "solver"):
        sys.path.insert(0, str(folder / package / "src"))
    from games.clobber import Clobber
    from solver.solver import Solver

    solver: Any = Solver(Clobber)
    solver.game = Clobber(variant)
    began = time.perf_counter()
    solver.discover()
    found = time.perf_counter()
    solver.propagate()
    solver.resolve_draws()
    solved = time.perf_counter()
    record = {
        "positions": len(solver.solution),
        "finding": found - began,
        "solving": solved - found,
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
