"""Random boards of policeman and thief."""

from __future__ import annotations

import random

from retrosolve.testing.graphs import as_random


def random_board(seed: int | random.Random, max_side: int = 5) -> str:
    """Return a random board as text: walls, up to three exits, with or without either token.

    Parameters
    ----------
    seed
        A whole number, or a generator to draw from.
    max_side
        The most rows and the most columns.

    Returns
    -------
    str
        One line per row, after a line with the number of rows and columns in half of the boards. At
        least one cell is free.

    Notes
    -----
    Raises nothing. Cost: time proportional to the number of cells.

    Examples
    --------
    >>> print(random_board(8))
    2 3
    *.*
    PT.
    """
    rng = as_random(seed)
    rows, columns = rng.randint(1, max_side), rng.randint(1, max_side)
    walls = rng.choice((0.0, 0.2, 0.5))
    cells = ["*" if rng.random() < walls else "." for _ in range(rows * columns)]
    for _ in range(rng.randint(0, 3)):
        cells[rng.randrange(len(cells))] = "E"
    for token in "PT":
        if rng.random() < 0.9:
            cells[rng.randrange(len(cells))] = token
    if "P" not in cells and "T" not in cells and "E" not in cells:
        cells[0] = "."
    return board_text("".join(cells), columns, sized=rng.random() < 0.5)


def board_text(cells: str, columns: int, sized: bool) -> str:
    """Return cells in rows, ``sized`` with a first line that gives the numbers of rows and columns.

    >>> board_text("P..T", 2, sized=True)
    '2 2\\nP.\\n.T'
    """
    rows = [cells[first : first + columns] for first in range(0, len(cells), columns)]
    return "\n".join([f"{len(rows)} {columns}", *rows] if sized else rows)
