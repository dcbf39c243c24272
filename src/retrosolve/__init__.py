"""retrosolve: exact answers for two-player games played on a directed graph.

For every position: who wins under perfect play, or that nobody can force a win, in how many plies,
and which moves keep it.
"""

from retrosolve import pursuit
from retrosolve.errors import (
    FormatError,
    GraphError,
    MemoryBudgetError,
    PositionError,
    RetrosolveError,
    RulesError,
    StoreError,
    VerificationError,
)
from retrosolve.explanation import explain
from retrosolve.formats import read_graph, read_solution, write
from retrosolve.planning import Plan, plan
from retrosolve.rules.checks.check import CheckReport, check_game
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.rules.perft import count_finished_games, perft
from retrosolve.runtime.progress import Progress
from retrosolve.solution import Solution
from retrosolve.solution import open_solution as open
from retrosolve.solving import solve
from retrosolve.spaces.graph import Graph
from retrosolve.values import Move, Outcome, Value
from retrosolve.verification.verify import verify

__all__ = [
    "CheckReport",
    "CompiledGame",
    "FormatError",
    "Game",
    "Graph",
    "GraphError",
    "MemoryBudgetError",
    "Move",
    "Outcome",
    "Plan",
    "PositionError",
    "Progress",
    "RetrosolveError",
    "RulesError",
    "Solution",
    "StoreError",
    "Value",
    "VerificationError",
    "check_game",
    "count_finished_games",
    "explain",
    "open",
    "perft",
    "plan",
    "pursuit",
    "read_graph",
    "read_solution",
    "solve",
    "verify",
    "write",
]
