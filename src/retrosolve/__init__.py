"""Strongly solve two-player games on directed graphs.

For every position: the winner under perfect play or a draw, the distance to the end in plies, and
the optimal moves. Names are imported on first use; ``import retrosolve`` alone loads no numpy.
"""

from typing import TYPE_CHECKING

from retrosolve.errors import (
    ClusterError,
    FormatError,
    GraphError,
    LimitError,
    MemoryBudgetError,
    PositionError,
    RetrosolveError,
    RulesError,
    StoreError,
    UntrustedRulesError,
    VerificationError,
)
from retrosolve.runtime.lazy import lazy_attributes
from retrosolve.values import Move, Mover, Outcome, Value

CHANCE = Mover.CHANCE

if TYPE_CHECKING:
    from retrosolve import adapters, objectives, pursuit, testing
    from retrosolve.explanation import explain
    from retrosolve.external.space import EdgeParts
    from retrosolve.formats import read_graph, read_solution, write
    from retrosolve.games import parse_game as game
    from retrosolve.rules import ranking
    from retrosolve.rules.board import Board, BoardGame, MovePattern
    from retrosolve.rules.checks.check import CheckReport, check_game
    from retrosolve.rules.contract import CompiledGame, Game, Puzzle
    from retrosolve.rules.perft import perft
    from retrosolve.runtime.context import Progress
    from retrosolve.runtime.release import __version__
    from retrosolve.solution import (
        BestMoves,
        Comparison,
        LineOfPlay,
        Outcomes,
        Regret,
        Solution,
        Sum,
        compare,
        open_solution,
        plots,
    )
    from retrosolve.solution import sum as sum_of_games
    from retrosolve.solvers.attractors import attractor, buchi, co_buchi
    from retrosolve.solving import Plan, plan, solve
    from retrosolve.spaces.graph import Graph
    from retrosolve.store import pack
    from retrosolve.verification.verify import VerificationReport, verify
    from retrosolve.web.film_file import write_film

    open = open_solution
    sum = sum_of_games
else:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "__version__": "retrosolve.runtime.release:__version__",
            "BestMoves": "retrosolve.solution:BestMoves",
            "Board": "retrosolve.rules.board:Board",
            "BoardGame": "retrosolve.rules.board:BoardGame",
            "CheckReport": "retrosolve.rules.checks.check:CheckReport",
            "Comparison": "retrosolve.solution:Comparison",
            "CompiledGame": "retrosolve.rules.contract:CompiledGame",
            "EdgeParts": "retrosolve.external.space:EdgeParts",
            "Game": "retrosolve.rules.contract:Game",
            "Graph": "retrosolve.spaces.graph:Graph",
            "LineOfPlay": "retrosolve.solution:LineOfPlay",
            "MovePattern": "retrosolve.rules.board:MovePattern",
            "Outcomes": "retrosolve.solution:Outcomes",
            "Plan": "retrosolve.solving:Plan",
            "Progress": "retrosolve.runtime.context:Progress",
            "Puzzle": "retrosolve.rules.contract:Puzzle",
            "Regret": "retrosolve.solution:Regret",
            "Solution": "retrosolve.solution:Solution",
            "Sum": "retrosolve.solution:Sum",
            "VerificationReport": "retrosolve.verification.verify:VerificationReport",
            "adapters": "retrosolve.adapters",
            "attractor": "retrosolve.solvers.attractors:attractor",
            "buchi": "retrosolve.solvers.attractors:buchi",
            "check_game": "retrosolve.rules.checks.check:check_game",
            "co_buchi": "retrosolve.solvers.attractors:co_buchi",
            "compare": "retrosolve.solution:compare",
            "explain": "retrosolve.explanation:explain",
            "game": "retrosolve.games:parse_game",
            "open": "retrosolve.solution:open_solution",
            "pack": "retrosolve.store:pack",
            "perft": "retrosolve.rules.perft:perft",
            "plan": "retrosolve.solving:plan",
            "objectives": "retrosolve.objectives",
            "plots": "retrosolve.solution.plots",
            "pursuit": "retrosolve.pursuit",
            "ranking": "retrosolve.rules.ranking",
            "read_graph": "retrosolve.formats:read_graph",
            "read_solution": "retrosolve.formats:read_solution",
            "sum": "retrosolve.solution:sum",
            "solve": "retrosolve.solving:solve",
            "testing": "retrosolve.testing",
            "verify": "retrosolve.verification.verify:verify",
            "write": "retrosolve.formats:write",
            "write_film": "retrosolve.web.film_file:write_film",
        },
    )

# rs.open and rs.sum are public, but not here: "from retrosolve import *" would replace those of Python.
# Neither is rs.CHANCE, a constant that the reference describes with the owners of a graph.
__all__ = [
    "BestMoves",
    "Board",
    "BoardGame",
    "CheckReport",
    "ClusterError",
    "Comparison",
    "CompiledGame",
    "EdgeParts",
    "FormatError",
    "Game",
    "Graph",
    "GraphError",
    "LimitError",
    "LineOfPlay",
    "MemoryBudgetError",
    "Move",
    "MovePattern",
    "Outcome",
    "Outcomes",
    "Plan",
    "PositionError",
    "Progress",
    "Puzzle",
    "Regret",
    "RetrosolveError",
    "RulesError",
    "Solution",
    "StoreError",
    "Sum",
    "UntrustedRulesError",
    "Value",
    "VerificationError",
    "VerificationReport",
    "__version__",
    "adapters",
    "attractor",
    "buchi",
    "check_game",
    "co_buchi",
    "compare",
    "explain",
    "game",
    "objectives",
    "pack",
    "perft",
    "plan",
    "plots",
    "pursuit",
    "ranking",
    "read_graph",
    "read_solution",
    "solve",
    "testing",
    "verify",
    "write",
    "write_film",
]
