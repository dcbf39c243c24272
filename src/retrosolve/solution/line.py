"""LineOfPlay: a line of play that prints as numbered moves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from html import escape

import numpy as np

from retrosolve.runtime.files import one_line
from retrosolve.solution.view import sign
from retrosolve.spaces.base import StateSpace
from retrosolve.values import Move

MAX_TEXT = 60
MAX_NAMES = 12


class LineOfPlay(list[Move]):
    """A line of play: a list of moves that prints as numbered moves.

    Parameters
    ----------
    space : StateSpace
        The positions and their texts.
    start : hashable
        The position before the first move.
    moves : iterable of Move

    Examples
    --------
    >>> import retrosolve as rs
    >>> line = rs.solve(rs.Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])).line("a")
    >>> line
    LineOfPlay(b, c, d)
    >>> print(line)
      1. b  (LOSS in 2)
      2. c  (WIN in 1)
      3. d  (LOSS in 0)
    """

    def __init__(self, space: StateSpace, start: Hashable, moves: Iterable[Move] = ()) -> None:
        super().__init__(moves)
        self.space = space
        self.start = start

    def rows(self) -> Iterator[str]:
        """Yield one line of text for each move: number, player, name, target and outcome."""
        for shown, move in zip(self._shown(), self, strict=True):
            yield f"{shown}  ({move.outcome})"

    def _shown(self) -> Iterator[str]:
        """Yield number, player, name and target of each move."""
        position = self.start
        for number, move in enumerate(self, 1):
            movers = self.space.player(np.array([self.space.index(position)]))
            who = "" if movers is None else one_line(self.space.players[int(movers[0])]) + " "
            name, target = one_line(move.name), shorten(self.space.text(move.position))
            yield f"{number:>3}. {who}{name}" + ("" if target == name else f"  ->  {target}")
            position = move.position

    def _repr_html_(self) -> str:
        """Return the moves as a table for a notebook; each outcome is for the player who moves next."""
        rows = "".join(
            f"<tr><td>{escape(shown)}</td><td>{sign(move.outcome.value)} {move.outcome}</td></tr>"
            for shown, move in zip(self._shown(), self, strict=True)
        )
        return f"<table><tr><th>move</th><th>leads to</th></tr>{rows}</table>"

    def __str__(self) -> str:
        return "\n".join(self.rows()) or "no move"

    def __repr__(self) -> str:
        names = [one_line(move.name) for move in self[:MAX_NAMES]]
        if len(self) > MAX_NAMES:
            names.append(f"... {len(self)} moves")
        return f"LineOfPlay({', '.join(names)})"


def shorten(text: str) -> str:
    """Return a text on one line of at most 60 characters.

    >>> shorten("a\\nb")
    'a\\\\nb'
    """
    text = one_line(text)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."
