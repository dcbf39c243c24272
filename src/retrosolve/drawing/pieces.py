"""Chess pieces as simple shapes."""

from __future__ import annotations

from retrosolve.drawing.picture import Picture

# Each piece stands on a base in a box of 36 x 36 around its middle, and enlarged to 85 % of a square.
SCALE = 1.22
BASE = "M-14 16H14V11H-14Z"
SHAPES = {
    "P": f"{BASE}M-9 11C-3 5-4 1-4-1A7 7 0 1 1 4-1C4 1 3 5 9 11Z",
    "R": f"{BASE}M-10 11L-8-5H-12V-16H-7V-12H-3V-16H3V-12H7V-16H12V-5H8L10 11Z",
    "N": f"{BASE}M-10 11C-10 2-3 0-3-5L-10-1L-14-5L-7-14L-5-18L-1-15C8-14 12-4 11 11Z",
    "B": f"{BASE}M-9 11C-5 8-10 2-10-3C-10-8-4-12-1-14A3 3 0 1 1 1-14C4-12 10-8 10-3C10 2 5 8 9 11Z",
    "Q": f"{BASE}M-10 11L-16-10L-7-1L-5-15L0-2L5-15L7-1L16-10L10 11Z",
    "K": f"{BASE}M-11 11L-14-1C-14-8-5-8-2-4V-10H-6V-14H-2V-18H2V-14H6V-10H2V-4C5-8 14-8 14-1L11 11Z",
}
INNER = {"B": "M0-8V2M-4-4H4", "K": "M-9 5H9", "Q": "M-9 6H9", "R": "M-8-5H8", "N": "M-4-12v1"}
WORDS = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
SIDES = ("white", "black")


def draw_piece(picture: Picture, letter: str, x: float, y: float) -> None:
    """Draw a chess piece around a point, a white one for a capital letter."""
    kind, side = letter.upper(), int(letter.islower())
    base = y + 1  # shapes reach further up than down
    look = f"piece {('second', 'first')[side]} {SIDES[side]}"
    picture.path(SHAPES[kind], look, x, base, scale=SCALE)
    if kind in INNER:
        picture.path(INNER[kind], ("line-white", "line-black")[side], x, base, scale=SCALE)


def piece_name(letter: str) -> str:
    """Return the colour and the piece of a letter.

    >>> piece_name("q")
    'black queen'
    """
    return f"{SIDES[letter.islower()]} {WORDS[letter.upper()]}"
