"""Positions and graphs as a notebook shows them."""

from __future__ import annotations

from collections.abc import Hashable
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.drawing.graphs import MAX_SHOWN, graph_picture
from retrosolve.runtime.files import one_line
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.preference import outcome, ranked_moves
from retrosolve.tables import Table
from retrosolve.values import INVALID, Move, Outcome, Value

if TYPE_CHECKING:
    from retrosolve.solution.solution import Solution


class PositionView:
    """A position with its outcome and its moves; prints as text, and a notebook shows its picture.

    Parameters
    ----------
    solution : Solution
    position : hashable

    Raises
    ------
    PositionError
        If the solution does not contain the position.

    Attributes
    ----------
    outcome : Outcome
    moves : list of (Value, Move)
        Best first, each with its value for the player who makes it.
    """

    def __init__(self, solution: Solution, position: Hashable) -> None:
        position, vertex = solution.space.resolved(position)
        self.position = position
        self.outcome: Outcome = outcome(solution.table, vertex)
        self.text = solution.space.text(position)
        self.svg = solution.space.svg(position)
        ranked = ranked_moves(solution.space, solution.table, position, vertex)
        self.moves: list[tuple[Value, Move]] = [(each.value, each.move) for each in ranked]

    def __str__(self) -> str:
        rows = [f"{one_line(self.text)}: {APPEARANCE[self.outcome.value].symbol} {self.outcome}"]
        for value, move in self.moves:
            rows.append(f"  {APPEARANCE[value].symbol} {one_line(move.name)}  ({move.outcome})")
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"PositionView({one_line(self.text)}: {self.outcome}, {len(self.moves)} moves)"

    def _repr_html_(self) -> str:
        """Return the picture or the text, and a table of the moves, for a notebook."""
        shown = self.svg or f"<pre>{escape(self.text)}</pre>"
        rows = "".join(
            f"<tr><td>{sign(value)}</td><td>{escape(move.name)}</td><td>{move.outcome}</td></tr>"
            for value, move in self.moves
        )
        heading = "<tr><th></th><th>move</th><th>leads to</th></tr>"
        caption = f"<caption>{sign(self.outcome.value)} {self.outcome}</caption>"
        return f"{shown}<table>{caption}{heading}{rows}</table>"


def sign(value: Value) -> str:
    """Return the symbol of a value in its colour, as HTML.

    >>> sign(Value.DRAW)
    '<span style="color: #1c5fb0" title="draw">∞</span>'
    """
    look = APPEARANCE[value]
    return f'<span style="color: {look.color}" title="{look.word}">{look.symbol}</span>'


def solved_graph(space: StateSpace, table: Table) -> str:
    """Return a picture of all positions and moves, coloured by value; empty for more than 60."""
    n = space.num_vertices
    values = table.values(slice(0, n)) if 0 < n <= MAX_SHOWN else np.array([INVALID], np.uint8)
    if (values == INVALID).any():
        return ""
    edges = space.successors(0, n)
    source = np.repeat(np.arange(n), np.diff(edges.indptr))
    labels = [one_line(space.text(space.position(v))) for v in range(n)]
    title = f"{n} positions and {len(source)} moves, coloured by value"
    shown = [Value(code) for code in values.tolist()]
    return str(graph_picture(title, labels, source, edges.indices, shown))
