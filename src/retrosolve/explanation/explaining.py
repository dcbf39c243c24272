"""explain(): from a solution or a game to an explanation."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, overload

from retrosolve.errors import GraphError
from retrosolve.explanation.proof import Proof, prove
from retrosolve.explanation.steps import AlgorithmSteps, algorithm_steps
from retrosolve.languages import DEFAULT, translation
from retrosolve.solution import Solution
from retrosolve.solving import solve

DEPTH, WIDTH = 3, 8


@overload
def explain(
    subject: Any, position: None = None, *, stuck: str = ..., language: str = ...
) -> AlgorithmSteps: ...
@overload
def explain(
    subject: Any,
    position: Hashable,
    *,
    depth: int = ...,
    width: int = ...,
    stuck: str = ...,
    language: str = ...,
) -> Proof: ...
def explain(
    subject: Any,
    position: Hashable = None,
    *,
    depth: int = DEPTH,
    width: int = WIDTH,
    stuck: str = "loss",
    language: str = DEFAULT,
) -> AlgorithmSteps | Proof:
    """Explain why a position has its value, or how every position of a small game is decided.

    Parameters
    ----------
    subject : Solution, Graph, Game or CompiledGame
        A game is solved first if a position of it is to be explained.
    position : hashable, optional
        The position to explain. By default the algorithm is explained, on all positions of a game of
        at most 200; of a game with a start, only reachable positions count.
    depth : int
        How many plies to explain.
    width : int
        How many moves of a position to show, the best first.
    stuck : {"loss", "win", "tie"}
        The value of a position without moves for the player to move. A solution has its own.
    language : {"en", "fa", "ru", "tr", "vi"}
        The language of the sentences.

    Returns
    -------
    Proof or AlgorithmSteps
        For a position, a tree: a WIN has its best move below it, a LOSS, a TIE and a DRAW all their
        moves, as have points and nimbers, and a throw the best move after each result. A position that
        play reaches in several ways is explained once. Otherwise a list of sections: the initial
        positions, one for each level, and the draws. Both print as text; a proof also shows itself in
        a notebook, with pictures where the rules draw them.

    Raises
    ------
    GraphError
        For more than 200 positions, or another objective than outcome or win-loss-draw, if no position
        is given; for a position and a solution without remoteness, except for one of heaps; or for
        arguments that are not valid.
    PositionError
        If the solution does not contain the position.

    Notes
    -----
    A proof takes time and memory for the positions that it shows, at most 1000, however large the game.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "a", "b", "c"], ["b", "c", "d", "e"])
    >>> print(explain(graph, "a"))
    a is LOSS in 2, because every move loses:
      `b` leads to WIN in 1, because the only move wins:
        `d` leads to LOSS in 0, because there is no move.
      `c` leads to WIN in 1, because the only move wins:
        `e` leads to LOSS in 0, because there is no move.
    Each value is for the player to move there.
    >>> for section in explain(rs.Graph.from_edges(["a", "b"], ["b", "c"])):
    ...     print(section.heading, *section.sentences, sep="\\n  ")
    At the start
      c has no move: LOSS in 0.
    Level 1: looking back from what is decided in 0
      b can move to c, which is LOSS for the player to move there: WIN in 1.
    Level 2: looking back from what is decided in 1
      a has only moves to positions that are WIN for the other player (b): LOSS in 2.
    """
    for name, number in (("depth", depth), ("width", width)):
        if type(number) is not int or number < 1:
            raise GraphError(f"{name}={number!r}: expected a whole number above 0")
    to = translation(language)
    solution = subject if isinstance(subject, Solution) else None
    if position is None:
        if solution is None:
            return algorithm_steps(subject, stuck, to)
        return algorithm_steps(solution.space, solution.stuck.label, to, solution.objective.name)
    if solution is None:
        solution = solve(subject, stuck=stuck)
    return prove(solution, position, depth, width, language)
