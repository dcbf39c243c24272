"""The L game of Edward de Bono on a 4x4 board: the player who cannot move his L loses.

Each player has an L of four cells, and there are two neutral single cells. A move lifts the player's
L, rotates or flips it as desired, and places it somewhere else; then one neutral may be moved to any
free cell.

Known: 18,368 positions from the side of the player to move; 8,048 are won, 232 lost, 10,088 drawn, the
start among them. Up to the symmetries of the square 2,296, 29 of them lost, 15 of those at once.
Sources: the article L game in Wikipedia; GamesCrafters.
"""

from __future__ import annotations

from retrosolve.drawing.boards import MARGIN, squares
from retrosolve.drawing.picture import CELL
from retrosolve.rules.contract import Game
from retrosolve.rules.ranking import grid_symmetries, permute_bits

Position = tuple[int, int, int]

CELLS = [1 << cell for cell in range(16)]
SYMMETRIES = grid_symmetries(4, 4).tolist()


def images(cells: int) -> list[int]:
    """Return the eight images of a set of cells, in the same order for every set.

    Examples
    --------
    >>> len(set(images(TALL_L)))
    8
    """
    return [permute_bits(cells, symmetry) for symmetry in SYMMETRIES]


TALL_L = 0b0011_0001_0001
PLACES = sorted(
    image for right in range(3) for down in range(2) for image in images(TALL_L << right + 4 * down)
)
ADJACENT = [(c, c + 1) for c in range(16) if c % 4 < 3] + [(c, c + 4) for c in range(12)]
KEEP = "stay"
PAIRS = [a | b for a in CELLS for b in CELLS if a < b]
IMAGES = {cells: images(cells) for cells in PLACES + PAIRS}
NAMES = {
    cells: " ".join(f"{c // 4 + 1},{c % 4 + 1}" for c in range(16) if cells >> c & 1)
    for cells in PLACES + CELLS
}


class LGame(Game):
    """The L game. A position is three sets of cells: the mover's L, the other L, the neutrals.

    A set of cells is a number, bit 0 for the cell at the top left, bit 3 for the one at the top
    right.

    Parameters
    ----------
    symmetry : bool
        Whether rotations and reflections of a position count as the same position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(LGame(symmetry=True))
    >>> len(solution), str(solution[LGame.position_of("#XX./.OX./.OX./.OO#")])
    (2296, 'DRAW')
    """

    def __init__(self, symmetry: bool = False) -> None:
        self.symmetry = symmetry

    def start(self) -> Position:
        """Return the initial position: interlocked Ls, neutrals in two corners."""
        return self.position_of("#XX./.OX./.OX./.OO#")

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Return the moves: a new place for the L, and one neutral moved or none."""
        mover, other, neutrals = position
        moves = []
        for place in PLACES:
            if place == mover or place & (other | neutrals):
                continue
            name = f"L to {NAMES[place]}"
            moves.append((name, (other, place, neutrals)))
            free = [cell for cell in CELLS if not cell & (place | other | neutrals)]
            for origin in CELLS:
                if origin & neutrals:
                    moved = f"{name}, neutral {NAMES[origin]} to "
                    others = neutrals ^ origin
                    moves += [(moved + NAMES[cell], (other, place, others | cell)) for cell in free]
        return moves

    def canonical(self, position: Position) -> Position:
        """Return the smallest of the eight images if symmetry is used."""
        if not self.symmetry:
            return position
        mover, other, neutrals = position
        return min(zip(IMAGES[mover], IMAGES[other], IMAGES[neutrals], strict=True))

    def text(self, position: Position) -> str:
        """Return the board in four rows: X for the mover's L, O for the opponent's, # for neutrals."""
        board = "".join(
            next((mark for mark, cells in zip("XO#", position, strict=True) if cells & cell), ".")
            for cell in CELLS
        )
        return "/".join(board[row : row + 4] for row in range(0, 16, 4))

    def svg(self, position: Position) -> str:
        """Return a drawing of the board, and a button to leave the neutrals where they are."""
        board = squares(
            f"L game: {self.text(position)}, X to move",
            4,
            4,
            kind=lambda column, row: "cell",
            extra_height=MARGIN + 8,
            mover_relative=True,
        )
        picture = board.picture
        for kind, cells in zip(("bar bar-mover", "bar bar-other"), position[:2], strict=True):
            joints = [
                (*board.middle(a % 4, a // 4), *board.middle(b % 4, b // 4))
                for a, b in ADJACENT
                if cells >> a & cells >> b & 1
            ]
            for layer in ("bar-edge", kind):
                for joint in joints:
                    picture.line(*joint, layer)
        for cell, bit in enumerate(CELLS):
            row, column = divmod(cell, 4)
            if position[2] & bit:
                picture.disc(*board.middle(column, row), 0.36 * CELL, "piece neutral")
            board.point(NAMES[bit], column, row)
        x, top = board.corner(0, 4)
        picture.rect(x, top + 4, 4 * CELL, MARGIN, "button", radius=6)
        picture.text(x + 2 * CELL, top + 4 + MARGIN / 2, "neutrals stay")
        picture.point(KEEP, x, top + 2, 4 * CELL, MARGIN + 4, "neutrals stay")
        return str(picture)

    def move_points(self, position: Position, target: Position) -> tuple[str, ...]:
        """Return the cells of the L row by row, then those that a neutral leaves and enters.

        KEEP in place of these leaves the neutrals where they are.
        """
        cells = [NAMES[cell] for cell in CELLS if target[1] & cell]
        vacated, entered = position[2] & ~target[2], target[2] & ~position[2]
        return (*cells, NAMES[vacated], NAMES[entered]) if vacated else (*cells, KEEP)

    @staticmethod
    def position_of(text: str) -> Position:
        """Return the position of a text as :meth:`text` makes it.

        Examples
        --------
        >>> LGame.position_of("X.../X.../XXO./OOO#")
        (785, 29696, 32768)
        """
        board = text.replace("/", "")
        mover, other, neutrals = (
            sum(cell for cell, mark in zip(CELLS, board, strict=True) if mark == kind) for kind in "XO#"
        )
        return mover, other, neutrals
