"""Policeman and thief on a board with walls and exits.

The policeman moves first, then they alternate. He steps to any of the 8 neighbours of his cell, the
thief to any of 4; either may stay. Nobody enters a blocked cell or leaves the board. If both are on
one cell, the policeman has won, even on an exit. If the thief is on an exit and the policeman is
elsewhere, the thief has won. The end is tested at the start of a turn, so a thief who shares his exit
with the policeman is caught on his own turn. Options of PoliceAndThief change these rules.

Source: the example of M. Ivanov (e-maxx) in "Games on arbitrary graphs",
<https://e-maxx.ru/algo/games_on_graphs>, in English
<https://cp-algorithms.com/game_theory/games_on_graphs.html>. Known answers: ``examples/boards``,
counted by an independent program.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import PositionError, RulesError
from retrosolve.formats.board import Board, Cell, parse_board, read_board
from retrosolve.pursuit import drawing
from retrosolve.rules.two_tokens import TwoTokenGame
from retrosolve.runtime.memory import check_budget
from retrosolve.runtime.text import mark
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.product import ProductSpace, ShiftLayout, TerminalMap
from retrosolve.values import Outcome, Value

PLAYERS = (mark("policeman"), mark("thief"))
Step = tuple[int, int]
STRAIGHT: tuple[Step, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))
DIAGONAL: tuple[Step, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))
LEAPS: tuple[Step, ...] = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
STEPS = {"king": STRAIGHT + DIAGONAL, "rook": STRAIGHT, "bishop": DIAGONAL, "knight": LEAPS}
"""Steps of a token: to all 8 neighbours, along lines, along diagonals, or by knight's leaps."""

TEXT = re.compile(
    r"(?:policeman )?(\d{1,9}),(\d{1,9}),? (?:thief )?(\d{1,9}),(\d{1,9})"
    r"(?:,? (policeman|thief)(?: to move)?)?",
    re.ASCII,
)
SAMPLE = "5 6\nP.*..E\n..*...\n....*.\n.*....\nT.....\n"


class Position(NamedTuple):
    """The cells of both, (row, column) counted from 1, and who moves."""

    policeman: Cell
    thief: Cell
    turn: str


class PoliceAndThief(TwoTokenGame):
    """The game on one board.

    All pairs of free cells with either player to move are positions, even if the board shows no
    policeman or no thief; ``initial`` is then None.

    Parameters
    ----------
    board : Board
        The board.
    policeman, thief : {"king", "rook", "bishop", "knight"}
        How each moves, one step at a time.
    stay : {"both", "policeman", "thief", "nobody"}
        Who may stay on his cell.
    first : {"policeman", "thief"}
        Who moves first.
    exits : {"thief", "policeman", "both"}
        Who wins on an exit; if both are on exits, the thief does.
    wrap : bool
        Whether a step over an edge leads to the opposite edge.
    swap : bool
        Whether the two may swap cells: a meeting counts only after both have moved, at the turn of
        the player who moves first.

    Raises
    ------
    RulesError
        For any other argument.

    Notes
    -----
    Cost: 2 n^2 positions on n free cells, about 3 bytes each while solving, and two bits without
    remoteness; no move is stored.

    Examples
    --------
    >>> import retrosolve as rs
    >>> police = PoliceAndThief.from_text("P..\\n.*.\\n..T")
    >>> str(rs.solve(police)[police.initial])
    'WIN in 7'
    >>> caged = PoliceAndThief.from_text("P..\\n.*.\\n..T", policeman="rook", stay="thief")
    >>> str(rs.solve(caged)[caged.initial])
    'DRAW'
    """

    players = PLAYERS
    rebuilt_by = "from_text"
    initial: Position | None

    def __init__(
        self,
        board: Board,
        *,
        policeman: str = "king",
        thief: str = "rook",
        stay: str = "both",
        first: str = PLAYERS[0],
        exits: str = PLAYERS[1],
        wrap: bool = False,
        swap: bool = False,
    ) -> None:
        either = ("both", *PLAYERS)
        _check_choice("policeman", policeman, STEPS)
        _check_choice("thief", thief, STEPS)
        _check_choice("stay", stay, (*either, "nobody"))
        _check_choice("first", first, PLAYERS)
        _check_choice("exits", exits, either)
        self.board = board
        self.wrap, self.swap, self.first, self.exits = bool(wrap), bool(swap), first, exits
        moves = ((policeman, stay in ("both", PLAYERS[0])), (thief, stay in ("both", PLAYERS[1])))
        self.steps = tuple(((0, 0),) * still + STEPS[name] for name, still in moves)
        self.initial = (
            Position(board.policeman, board.thief, first) if board.policeman and board.thief else None
        )

    @cached_property
    def _cells(self) -> NDArray[np.int64]:
        """Row and column of each free cell, counted from 0."""
        return np.argwhere(self.board.free)

    @cached_property
    def _number(self) -> NDArray[np.int64]:
        """The number of each free cell, -1 elsewhere."""
        number = np.full((self.board.rows, self.board.columns), -1, np.int64)
        number[self.board.free] = np.arange(len(self._cells))
        return number

    @classmethod
    def from_text(cls, text: str, **rules: Any) -> PoliceAndThief:
        """Read the board from text. Raises FormatError, naming row and column."""
        return cls(parse_board(text), **rules)

    @classmethod
    def from_file(cls, path: str | Path, **rules: Any) -> PoliceAndThief:
        """Read the board from a file. Raises FormatError, naming the file and the place."""
        return cls(read_board(path), **rules)

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Return the call that makes the game again, the board as text."""
        return "PoliceAndThief.from_text", {"text": str(self.board), **self._made_with[1]}

    # -- the plain rules ----------------------------------------------------------------------

    def start(self) -> Position:
        """Return the position that the board shows. Raises PositionError if it shows none."""
        if self.initial is None:
            raise PositionError("the board shows no policeman or no thief: expected P and T")
        return self.initial

    def starts(self) -> list[Position]:
        """Return the position that the board shows, or all positions if it shows none."""
        if self.initial:
            return [self.initial]
        cells: list[Cell] = [(r + 1, c + 1) for r, c in self._cells.tolist()]
        return [Position(p, t, turn) for turn in PLAYERS for p in cells for t in cells]

    def terminal(self, position: Position) -> Value | None:
        """Return WIN or LOSS after a capture or on an exit, else None; a capture counts first."""
        policeman, thief, turn = position
        if policeman == thief:
            caught = not self.swap or turn == self.first
            winner = 0 if caught else None
        elif self._on_exit(thief, 1):
            winner = 1
        else:
            winner = 0 if self._on_exit(policeman, 0) else None
        if winner is None:
            return None
        return Value.WIN if winner == PLAYERS.index(turn) else Value.LOSS

    def _on_exit(self, cell: Cell, player: int) -> bool:
        return self.exits in ("both", PLAYERS[player]) and bool(
            self.board.exits[cell[0] - 1, cell[1] - 1]
        )

    def player(self, position: Position) -> int:
        """Return 0 for the policeman, 1 for the thief."""
        return PLAYERS.index(position.turn)

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Return the moves, named by direction: stay, up, down left, ..."""
        policeman, thief, turn = position
        if turn == PLAYERS[0]:
            return [
                (name, Position(cell, thief, PLAYERS[1])) for name, cell in self._moves(policeman, 0)
            ]
        return [(name, Position(policeman, cell, PLAYERS[0])) for name, cell in self._moves(thief, 1)]

    def text(self, position: Position) -> str:
        """Return a position in words."""
        (p_row, p_column), (t_row, t_column), turn = position
        return f"policeman {p_row},{p_column}, thief {t_row},{t_column}, {turn} to move"

    def board_text(self, position: Position) -> str:
        """Return the board with both players where they are; on one cell, the thief."""
        return str(replace(self.board, policeman=position.policeman, thief=position.thief))

    def svg(self, position: Position) -> str | None:
        """Return a drawing of the board with both players; None for more than 2,500 cells."""
        if self.board.free.size > drawing.MAX_CELLS:
            return None
        title = f"Policeman and thief: {self.text(position)}"
        return drawing.board_with(title, self.board, position.policeman, position.thief)

    def move_points(self, position: Position, target: Position) -> tuple[str, str]:
        """Return the cells that the player leaves and enters, twice the same if he stays."""
        pairs = (position.policeman, target.policeman), (position.thief, target.thief)
        vacated, entered = pairs[self.player(position)]
        return drawing.cell_label(vacated), drawing.cell_label(entered)

    def parse(self, text: str) -> Position:
        """Return the position of a text, in which only the cells are required: ``7,8 3,2 thief``."""
        match = TEXT.fullmatch(text.strip())
        if match is None:
            raise PositionError(
                f"{text!r} is no position: expected 'policeman 1,1, thief 2,3, policeman to move'"
            )
        cells = [int(match[group]) for group in range(1, 5)]
        position = Position((cells[0], cells[1]), (cells[2], cells[3]), match[5] or self.first)
        self.index(position)
        return position

    def verdict(self, outcome: Outcome, position: Position) -> str:
        """Return who wins from a position, in the game's words."""
        return verdict(outcome, position.turn)

    def _moves(self, cell: Cell, player: int) -> list[tuple[str, Cell]]:
        rows, columns = self.board.rows, self.board.columns
        moves = []
        for down, right in self.steps[player]:
            row, column = cell[0] - 1 + down, cell[1] - 1 + right
            if self.wrap:
                row, column = row % rows, column % columns
            if 0 <= row < rows and 0 <= column < columns and self._number[row, column] >= 0:
                moves.append((direction(down, right), (row + 1, column + 1)))
        return moves

    # -- the same game without stored edges ---------------------------------------------------

    def product(self) -> ProductSpace:
        """Return the space of all positions, the product of both players' steps."""
        k = int(np.count_nonzero(self.board.free))
        check_budget(k * k, f"a board of {k} free cells, win/loss/draw only,")
        first, second = np.zeros((2, k), np.uint8), np.zeros((2, k), np.uint8)
        on_exit = self.board.exits[self.board.free]
        if self.exits in ("both", PLAYERS[0]):
            first[:, on_exit] = [[Value.WIN], [Value.LOSS]]
        if self.exits in ("both", PLAYERS[1]):
            second[:, on_exit] = [[Value.LOSS], [Value.WIN]]
        caught = np.repeat(np.array([[Value.WIN], [Value.LOSS]], np.uint8), k, axis=1)
        if self.swap:
            caught[1 - PLAYERS.index(self.first)] = 0
        here = np.arange(k)
        terminals = TerminalMap(first, second, (here, here), caught)
        return ProductSpace(self._token_graph(0), self._token_graph(1), terminals, self._layout())

    def index(self, position: Position) -> int:
        """Return the index of a position. Raises PositionError."""
        try:
            (p_row, p_column), (t_row, t_column), turn = position
            k = len(self._cells)
            places = [(p_row, p_column), (t_row, t_column)]
            rows, columns = self.board.rows, self.board.columns
            if all(1 <= row <= rows and 1 <= column <= columns for row, column in places):
                p, t = (int(self._number[row - 1, column - 1]) for row, column in places)
                if p >= 0 and t >= 0:
                    return (PLAYERS.index(turn) * k + p) * k + t
        except (IndexError, TypeError, ValueError):
            pass
        raise PositionError(
            f"{position!r} is no position of this board: expected (policeman's cell, thief's "
            "cell, 'policeman' or 'thief'), both cells free"
        ) from None

    def position(self, index: int) -> Position:
        """Return the position of an index."""
        k = len(self._cells)
        pair, t = divmod(index, k)
        turn, p = divmod(pair, k)
        (p_row, p_column), (t_row, t_column) = self._cells[[p, t]].tolist()
        return Position((p_row + 1, p_column + 1), (t_row + 1, t_column + 1), PLAYERS[turn])

    def _token_graph(self, player: int) -> Graph:
        """Return the graph of a player's steps."""
        shape: NDArray[np.int64] = np.array([self.board.rows, self.board.columns])
        sources, targets = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for step in self.steps[player]:
            to = self._cells + step
            if self.wrap:
                to %= shape
            inside = np.flatnonzero(((to >= 0) & (to < shape)).all(axis=1))
            target = self._number[to[inside, 0], to[inside, 1]]
            sources.append(inside[target >= 0])
            targets.append(target[target >= 0])
        source, target = np.concatenate(sources), np.concatenate(targets)
        return Graph.from_edges(source.astype(np.int32), target.astype(np.int32), len(self._cells))

    def _layout(self) -> ShiftLayout | None:
        """Return the thief's cells in one line, row after row, with gaps for steps over the edge."""
        if self.wrap:
            return None
        steps: NDArray[np.int64] = np.array(self.steps[1]).reshape(-1, 2)
        stride = self.board.columns + int(np.abs(steps[:, 1]).max(initial=0))
        weights = np.array([stride, 1])
        return ShiftLayout(self._cells @ weights, steps @ weights)


def on_board(
    board: str = "",
    policeman: str = "king",
    thief: str = "rook",
    stay: str = "both",
    first: str = PLAYERS[0],
    exits: str = PLAYERS[1],
    wrap: bool = False,
    swap: bool = False,
) -> PoliceAndThief:
    """Make the game on the board of a file, or on a small sample if there is no file name."""
    return PoliceAndThief(
        read_board(board) if board else parse_board(SAMPLE, "sample"),
        policeman=policeman, thief=thief, stay=stay, first=first, exits=exits, wrap=wrap, swap=swap,
    )  # fmt: skip


def direction(down: int, right: int) -> str:
    """Return the name of a step.

    Examples
    --------
    >>> direction(0, 0), direction(-1, 1), direction(1, -2)
    ('stay', 'up right', 'down left left')
    """
    words = ["down" if down > 0 else "up"] * abs(down) + ["right" if right > 0 else "left"] * abs(right)
    return " ".join(words) or "stay"


def verdict(outcome: Outcome, turn: str = PLAYERS[0]) -> str:
    """Return who wins, in the game's words.

    Parameters
    ----------
    outcome : Outcome
        Outcome of a position.
    turn : str
        Who moves there.

    Examples
    --------
    >>> verdict(Outcome(Value.LOSS, 4))
    'The thief escapes'
    """
    value = outcome.value if turn == PLAYERS[0] else outcome.value.opposite()
    words = {Value.WIN: mark("Police catches the thief"), Value.LOSS: mark("The thief escapes")}
    return words.get(value, mark("Draw"))


def _check_choice(name: str, choice: object, choices: Collection[str]) -> None:
    if choice not in choices:
        raise RulesError(f"{name}={choice!r}: expected {', '.join(choices)}")
