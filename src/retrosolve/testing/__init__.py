"""Random graphs, games and boards for tests, and a comparison of solutions.

For authors of games and of programs built on retrosolve. Everything random takes a seed, a whole number
or a ``random.Random``, and gives the same object for the same number. The same things as hypothesis
strategies are in ``retrosolve.testing.strategies``, which is the only part that needs hypothesis.

>>> import retrosolve as rs
>>> from retrosolve import testing
>>> game = testing.random_compiled_game(7, "predecessors")
>>> testing.assert_same_answers(rs.solve(game), rs.solve(game, solver="reference"))
"""

from retrosolve.testing.exercise import check_solver
from retrosolve.testing.games import (
    STUCK,
    CompiledGraphGame,
    GraphGame,
    MirroredGame,
    assert_same_answers,
    random_board,
    random_compiled_game,
    random_component_graph,
    random_game,
    random_graph,
    random_tiered_graph,
    reachable_vertices,
    without_owner,
)

__all__ = [
    "STUCK",
    "CompiledGraphGame",
    "GraphGame",
    "MirroredGame",
    "assert_same_answers",
    "check_solver",
    "random_board",
    "random_compiled_game",
    "random_component_graph",
    "random_game",
    "random_graph",
    "random_tiered_graph",
    "reachable_vertices",
    "without_owner",
]
