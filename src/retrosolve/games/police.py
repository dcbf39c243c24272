"""Policeman and thief on a board with walls and exits.

The policeman moves first, then they alternate. He steps to any of the 8 neighbours of his cell, the
thief to any of 4; either may stand still. Nobody enters a blocked cell or leaves the board. Both on
one cell at any moment: the policeman has won, on an exit too. The thief on an exit, the policeman
elsewhere: the thief has won. The end is read at the start of a turn, so on his own turn the thief
who shares his exit with the policeman is caught.

Source: the example of retrograde analysis on a cyclic graph in e-maxx's "Games on arbitrary
graphs". Known answers: ``examples/boards``, counted by an independent program.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from retrosolve.errors import PositionError
from retrosolve.formats.board import Board, Cell, parse_board, read_board
from retrosolve.graph import Graph
from retrosolve.memory import require
from retrosolve.product import ProductGraph
from retrosolve.rules.pursuit import PursuitGame
from retrosolve.validation import IntArray
from retrosolve.values import Outcome, Value

PLAYERS = ("policeman", "thief")
COMPASS: dict[tuple[int, int], str] = {
    (0, 0): "stay",
    (-1, 0): "up",
    (1, 0): "down",
    (0, -1): "left",
    (0, 1): "right",
    (-1, -1): "up left",
    (-1, 1): "up right",
    (1, -1): "down left",
    (1, 1): "down right",
}
POLICEMAN_STEPS = tuple(COMPASS)
THIEF_STEPS = POLICEMAN_STEPS[:5]


class Position(NamedTuple):
    """Where both stand, (row, column) counted from 1, and whose turn it is."""

    policeman: Cell
    thief: Cell
    turn: str


class Police(PursuitGame):
    """The game on one board.

    All pairs of free cells with either to move are solved, also where the board shows no policeman
    or no thief; ``opening`` is then None.

    >>> import retrosolve as rs
    >>> police = Police.from_text("P..\\n.*.\\n..T")
    >>> str(rs.solve(police)[police.opening])
    'WIN in 7'
    """

    players = PLAYERS
    opening: Position | None

    def __init__(self, board: Board) -> None:
        self.board = board
        self.opening = (
            Position(board.policeman, board.thief, PLAYERS[0])
            if board.policeman and board.thief
            else None
        )
        self._number = {cell: i for i, cell in enumerate(board.free)}

    @classmethod
    def from_text(cls, text: str) -> Police:
        """Read the board from text. Raises FormatError, naming row and column."""
        return cls(parse_board(text))

    @classmethod
    def from_file(cls, path: str | Path) -> Police:
        """Read the board from a file. Raises FormatError, naming the file and the place."""
        return cls(read_board(path))

    # -- the plain rules ----------------------------------------------------------------------

    def start(self) -> Position:
        """Give the position on the board, policeman to move."""
        if self.opening is None:
            raise PositionError("the board shows no policeman or no thief: expected P and T")
        return self.opening

    def starts(self) -> list[Position]:
        """Give the position on the board, or all positions if the board shows none."""
        if self.opening:
            return [self.opening]
        cells = self.board.free
        return [Position(p, t, turn) for turn in PLAYERS for p in cells for t in cells]

    def terminal(self, position: Position) -> Value | None:
        """Tell whether the thief is caught or has got away: a capture counts before an exit."""
        policemans_turn = position.turn == PLAYERS[0]
        if position.policeman == position.thief:
            return Value.WIN if policemans_turn else Value.LOSS
        if position.thief in self.board.exits:
            return Value.LOSS if policemans_turn else Value.WIN
        return None

    def player(self, position: Position) -> int:
        """Give 0 for the policeman, 1 for the thief."""
        return PLAYERS.index(position.turn)

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Give the steps of whoever moves: up, down left, ..., stay."""
        policeman, thief, turn = position
        if turn == PLAYERS[0]:
            return [
                (name, Position(cell, thief, PLAYERS[1]))
                for name, cell in self._steps(policeman, POLICEMAN_STEPS)
            ]
        return [
            (name, Position(policeman, cell, PLAYERS[0]))
            for name, cell in self._steps(thief, THIEF_STEPS)
        ]

    def text(self, position: Position) -> str:
        """Write a position in words."""
        (p_row, p_column), (t_row, t_column), turn = position
        return f"policeman {p_row},{p_column}, thief {t_row},{t_column}, {turn} to move"

    def _steps(self, cell: Cell, steps: tuple[tuple[int, int], ...]) -> list[tuple[str, Cell]]:
        row, column = cell
        there = [((row + down, column + right), COMPASS[down, right]) for down, right in steps]
        return [(name, target) for target, name in there if target in self._number]

    # -- the same game without stored edges ---------------------------------------------------

    def product(self) -> ProductGraph:
        """Give all positions as the product of the two players' steps."""
        cells = len(self.board.free)
        require(2 * cells * cells, f"a board of {cells} free cells")
        terminal = np.zeros((2, cells, cells), np.uint8)
        for cell in self.board.exits:
            terminal[0, :, self._number[cell]] = Value.LOSS
            terminal[1, :, self._number[cell]] = Value.WIN
        same = np.arange(cells)
        terminal[0, same, same] = Value.WIN
        terminal[1, same, same] = Value.LOSS
        return ProductGraph(
            self._token(POLICEMAN_STEPS), self._token(THIEF_STEPS), terminal.reshape(-1)
        )

    def vertex(self, position: Position) -> int:
        """Give the vertex of a position."""
        try:
            policeman, thief, turn = position
            p, t = self._number[policeman], self._number[thief]
            cells = len(self._number)
            return (PLAYERS.index(turn) * cells + p) * cells + t
        except (KeyError, TypeError, ValueError):
            raise PositionError(
                f"{position!r} is no position of this board: expected (policeman's cell, thief's "
                "cell, 'policeman' or 'thief'), both cells free"
            ) from None

    def position(self, vertex: int) -> Position:
        """Give the position of a vertex."""
        cells = len(self._number)
        pair, t = divmod(vertex, cells)
        turn, p = divmod(pair, cells)
        return Position(self.board.free[p], self.board.free[t], PLAYERS[turn])

    def _token(self, steps: tuple[tuple[int, int], ...]) -> Graph:
        edges = [
            (i, self._number[target])
            for i, cell in enumerate(self.board.free)
            for _, target in self._steps(cell, steps)
        ]
        pairs: IntArray = np.array(edges, np.int32).reshape(-1, 2)
        return Graph.from_edges(pairs[:, 0], pairs[:, 1], len(self.board.free))


def verdict(outcome: Outcome, turn: str = PLAYERS[0]) -> str:
    """Say who wins, in the game's words, from the outcome of a position.

    >>> verdict(Outcome(Value.LOSS, 4))
    'The thief escapes'
    """
    value = outcome.value if turn == PLAYERS[0] else outcome.value.swapped()
    words = {Value.WIN: "Police catches the thief", Value.LOSS: "The thief escapes"}
    return words.get(value, "Draw")
