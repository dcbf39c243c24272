"""The link from the contracts of rules to the machinery that explores or compiles them.

``solve``, ``plan`` and ``open`` find the adapter of a game by its class. Importing any module of
``retrosolve.rules`` registers the adapters; the machinery itself is imported when a game is solved.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.runtime.files import short_repr
from retrosolve.spaces.base import Solvable, adapted
from retrosolve.spaces.csr.attribute_names import are_players


@adapted.register
def solvable_game(game: Game) -> Solvable:
    """Return the adapter of a game in plain Python."""
    from retrosolve.rules.exploring import SolvableGame

    _check_players(game)
    return SolvableGame(game)


@adapted.register
def solvable_compiled_game(game: CompiledGame) -> Solvable:
    """Return the adapter of a compiled game."""
    from retrosolve.rules.indexing import SolvableCompiledGame

    _check_players(game)
    return SolvableCompiledGame(game)


def _check_players(game: Game | CompiledGame) -> None:
    """Raise RulesError unless a game names two players."""
    if not are_players(game.players):
        raise RulesError(
            f"players of {type(game).__name__} is {short_repr(game.players)}: expected two names that "
            "differ"
        )
