"""GamesmanPy (commit d1d5b90, 25 June 2026): a move to the same position is dropped.

``Solver.discover`` skips a successor that equals the position itself, so a position with a move to
itself and one losing move counts as lost. GamesmanPy is not in the package index: run this with the
environment variable GAMESMANPY set to the folder of a checkout.
"""

import os
import sys
import types
from pathlib import Path
from typing import Any

import retrosolve as rs

MOVES = {"a": "ab", "b": "c", "c": ""}


def main() -> None:
    folder = Path(os.environ["GAMESMANPY"])
    for package in ("models", "solver"):
        sys.path.insert(0, str(folder / package / "src"))
    database: Any = types.ModuleType("database")  # the solver imports it; nothing is stored here
    database.DuckDB = database.SqliteDB = object
    sys.modules["database"] = database
    from models import Game, Value
    from solver.solver import Solver

    class Token(Game):
        id, variants, n_players = "token", ("only",), 2

        def __init__(self, variant_id: str) -> None: ...

        def start(self) -> str:
            return "a"

        def generate_moves(self, position: str) -> list[str]:
            return list(MOVES[position])

        def do_move(self, position: str, move: str) -> str:
            return move

        def primitive(self, position: str) -> Any:
            return None if MOVES[position] else Value.Loss

        def hash_ext(self, position: str) -> int:
            return ord(position)

        def to_string(self, position: str, mode: Any = None) -> str:
            return position

        def from_string(self, strposition: str) -> str:
            return strposition

        def move_to_string(self, move: str, mode: Any = None) -> str:
            return move

    solver: Any = Solver(Token)
    solver.game = Token("only")
    solver.discover()
    solver.propagate()
    solver.resolve_draws()
    plies, value = solver.solution[ord("a")]
    print(f"a is claimed {value.name} in {plies}")
    solution = rs.solve(rs.Graph.from_dict({v: list(row) for v, row in MOVES.items()}))
    rs.verify(solution)
    print(f"a is proven {solution['a']}: the player to move stays at a for ever")


if __name__ == "__main__":
    main()
