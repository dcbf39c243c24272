"""Win-loss-draw: who wins under perfect play, or that nobody can force a win, without the plies."""

from __future__ import annotations

from retrosolve.objectives.outcome import Outcome


class WinLossDraw(Outcome):
    """The value of each position alone, without the remoteness.

    Two bits per position suffice for a table. For games of two tokens it is solved in a fraction of the
    time and memory; for others it is solved with the remoteness, which is then left out.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move.

    Raises
    ------
    GraphError
        For another value of ``stuck``.

    Notes
    -----
    The proof derives the values again from the ends of the game: for two tokens by rows of bits, for
    others ply by ply, up to O(n + m) time for each ply.

    Examples
    --------
    >>> import retrosolve as rs
    >>> loop = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
    >>> rs.solve(loop, objective=rs.objectives.WinLossDraw())[1]
    Outcome(value=<Value.WIN: 1>, remoteness=None)
    """

    name = "win-loss-draw"
    has_levels = False
    solved_as = Outcome.name
