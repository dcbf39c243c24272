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
from retrosolve.explain import explain
from retrosolve.formats import read_graph, read_solution, write_graph
from retrosolve.graph import Graph
from retrosolve.plan import Plan, plan
from retrosolve.progress import Progress
from retrosolve.rules.check import Checked, check_game
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.rules.perft import finished_games, perft
from retrosolve.solution import Solution
from retrosolve.solve import solve
from retrosolve.store import open
from retrosolve.values import Move, Outcome, Value
from retrosolve.verify import verify

__all__ = [
    "Checked",
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
    "explain",
    "finished_games",
    "open",
    "perft",
    "plan",
    "pursuit",
    "read_graph",
    "read_solution",
    "solve",
    "verify",
    "write_graph",
]
