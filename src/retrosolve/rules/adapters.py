"""The link from the contracts of rules to the machinery that explores or compiles them.

``solve``, ``plan`` and ``open`` find the adapter of a game by its class. Importing any module of
``retrosolve.rules`` registers the adapters; the machinery itself is imported when a game is solved.
"""

from __future__ import annotations

from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.spaces.solvable import Solvable, adapted


@adapted.register
def solvable_game(game: Game) -> Solvable:
    """Return the adapter of a game in plain Python."""
    from retrosolve.rules.exploring import SolvableGame

    return SolvableGame(game)


@adapted.register
def solvable_compiled_game(game: CompiledGame) -> Solvable:
    """Return the adapter of a compiled game."""
    from retrosolve.rules.indexing import SolvableCompiledGame

    return SolvableCompiledGame(game)
