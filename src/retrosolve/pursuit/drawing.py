"""The pictures of the pursuit games: a board with walls and exits, and a graph with tokens."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from retrosolve.drawing.boards import squares
from retrosolve.drawing.layout import Places, spread
from retrosolve.drawing.picture import CELL, Picture
from retrosolve.formats.board import Board, Cell
from retrosolve.spaces.base import StateSpace

POLICEMAN = "M-13 15C-13 3-8 1 0 1S13 3 13 15ZM-7-6A7 7 0 1 0 7-6ZM-12-7L-9-14H9L12-7Z"
THIEF = "M-13 15C-13 3-8 1 0 1S13 3 13 15ZM-7-6A7 7 0 1 0 7-6ZM-8-7C-8-17 8-17 8-7Z"
EXIT = "M-8-12H8V12H-8ZM3-1v3"
PLACE = 15.0
MAX_CELLS = 2500
OFFSETS = ((0.0, 0.0), (9.0, -9.0), (-9.0, -9.0), (9.0, 9.0), (-9.0, 9.0))


def board_with(title: str, board: Board, policeman: Cell, thief: Cell) -> str:
    """Return the picture of a board with both players; cells count from 1."""
    kinds = {(False, False): "wall", (False, True): "wall", (True, True): "exit", (True, False): "cell"}
    drawn = squares(
        title,
        board.columns,
        board.rows,
        kind=lambda column, row: kinds[bool(board.free[row, column]), bool(board.exits[row, column])],
    )
    for row, column in np.argwhere(board.exits).tolist():
        drawn.picture.path(EXIT, "stroke", *drawn.middle(column, row))
    together = policeman == thief
    for kind, shape, (row, column) in (("thief", THIEF, thief), ("policeman", POLICEMAN, policeman)):
        x, y = drawn.middle(column - 1, row - 1)
        aside = 0 if not together else (-10 if kind == "thief" else 10)
        drawn.picture.path(shape, f"piece {kind}", x + aside, y)
    for row, column in np.argwhere(board.free).tolist():
        drawn.point(cell_label((row + 1, column + 1)), column, row)
    return str(drawn.picture)


def cell_label(cell: Cell) -> str:
    """Return the label of a cell: row and column, counted from 1.

    >>> cell_label((2, 3))
    '2,3'
    """
    return f"{cell[0]},{cell[1]}"


def places_of(graph: StateSpace) -> Places:
    """Return where to draw the vertices of a graph."""
    edges = graph.successors(0, graph.num_vertices)
    source = np.repeat(np.arange(graph.num_vertices), np.diff(edges.indptr))
    return spread(source, edges.indices, graph.num_vertices)


def graph_with(
    title: str, graph: StateSpace, places: Places, cops: Sequence[Hashable], robber: Hashable | None
) -> str:
    """Return the picture of a graph with the cops and the robber; points are vertex numbers."""
    n = graph.num_vertices
    side = CELL * (2 + 1.6 * n**0.5)
    at = [(CELL / 2 + x * (side - CELL), CELL / 2 + y * (side - CELL)) for x, y in places.tolist()]
    picture = Picture(side, side, title)
    edges = {
        (v, w) if v < w else (w, v) for v in range(n) for w in graph.neighbors(v).tolist() if v != w
    }
    for v, w in sorted(edges):
        picture.line(*at[v], *at[w])
    names = [str(graph.position(v)) for v in range(n)]
    for (x, y), name in zip(at, names, strict=True):
        picture.disc(x, y, PLACE, "piece second")
        picture.text(x, y, name if len(name) < 4 else f"{name[:3]}.", "ink", size=12)
    tokens: dict[int, list[str]] = {}
    for cop in cops:
        tokens.setdefault(graph.index(cop), []).append("policeman")
    if robber is not None:
        tokens.setdefault(graph.index(robber), []).append("thief")
    _draw_tokens(picture, at, tokens)
    for v, ((x, y), name) in enumerate(zip(at, names, strict=True)):
        picture.point(str(v), x - PLACE, y - PLACE, 2 * PLACE, 2 * PLACE, name)
    return str(picture)


def _draw_tokens(
    picture: Picture, at: list[tuple[float, float]], tokens: Mapping[int, list[str]]
) -> None:
    """Draw the tokens on each vertex, a little apart."""
    for vertex, kinds in tokens.items():
        x, y = at[vertex]
        for place, kind in enumerate(kinds):
            right, down = OFFSETS[place % len(OFFSETS)]
            shape = POLICEMAN if kind == "policeman" else THIEF
            picture.path(shape, f"piece {kind}", x + right, y + down)
