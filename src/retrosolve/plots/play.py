"""The value history of a line of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.errors import GraphError
from retrosolve.plots.axes import axes, whole_numbers
from retrosolve.solution import Solution
from retrosolve.solution.view import LineOfPlay
from retrosolve.values import Move, Outcome, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REACH = 0.75  # how far towards the middle the longest win or loss is drawn
SIZE = 9


def history(
    solution: Solution, line: LineOfPlay | Sequence[Move] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw where a line of play stood after each ply, for the player who moves first in it.

    A won position is drawn at the top and a lost one at the bottom, the nearer to the edge the nearer
    the end is; ties and draws in the middle.

    Parameters
    ----------
    solution : Solution
    line : LineOfPlay or sequence of Move, optional
        The moves: a LineOfPlay, or a list of them from the start; by default perfect play from the
        start.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Axes
        A marker for each position.

    Raises
    ------
    GraphError
        If neither the line nor the solution has a start.

    Notes
    -----
    Cost: that of looking up the moves of the line.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> from matplotlib.figure import Figure
    >>> ax = rs.plots.history(rs.solve(Stones(5)), ax=Figure().subplots())
    >>> [round(float(y), 2) for y in ax.lines[0].get_ydata()]
    [0.25, 0.5, 0.75, 1.0]
    """
    start = line.start if isinstance(line, LineOfPlay) else solution.start
    if start is None:
        raise GraphError("history needs a line of play: expected a solution with a start, or line=")
    moves = solution.line(start) if line is None else list(line)
    outcomes = _seen_by_first(solution, start, moves)
    farthest = max((plies for _, plies in outcomes if plies is not None), default=1) or 1
    heights = [_height(outcome, farthest) for outcome in outcomes]
    ax = axes(ax)
    ax.plot(range(len(heights)), heights, color="0.6", zorder=1)
    for value in dict.fromkeys(outcome.value for outcome in outcomes):
        at = [ply for ply, outcome in enumerate(outcomes) if outcome.value is value]
        look = APPEARANCE[value]
        ax.plot(
            at,
            [heights[ply] for ply in at],
            linestyle="",
            marker={Value.WIN: "^", Value.LOSS: "v", Value.TIE: "s", Value.DRAW: "o"}[value],
            markersize=SIZE,
            color=look.color,
            label=f"{look.symbol} {look.word}",
        )
    ax.axhline(0, color="0.8", linewidth=1, zorder=0)
    ax.set(
        title="Value of a line of play", xlabel="ply", ylabel="for the first player", ylim=(-1.15, 1.15)
    )
    ax.set_yticks([-1, 0, 1], ["lost", "even", "won"])
    whole_numbers(ax.xaxis)
    ax.legend()
    return ax


def _seen_by_first(solution: Solution, start: object, moves: Sequence[Move]) -> list[Outcome]:
    """Return the outcomes of the start and after each move, for the player who moves first."""
    positions = [start, *(move.position for move in moves)]
    outcomes = [solution[position] for position in positions]
    indices = np.array([solution.space.index(position) for position in positions])
    movers = solution.space.player(indices)
    sides = np.arange(len(positions)) % 2 if movers is None else movers != movers[0]
    return [
        Outcome(value.opposite() if side else value, plies)
        for side, (value, plies) in zip(sides.tolist(), outcomes, strict=True)
    ]


def _height(outcome: Outcome, farthest: int) -> float:
    """Return where to draw an outcome, from -1 for a lost game to 1 for one that is won."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return 0.0
    height = 1 - REACH * (outcome.remoteness or 0) / farthest
    return height if outcome.value is Value.WIN else -height
