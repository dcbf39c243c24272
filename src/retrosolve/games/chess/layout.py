"""How chess positions are packed, and the table of their compiled rules.

A position packs its material (a number, from bit 35), the right to capture en passant (4 bits: 0 for
none, or 2 and the file of the pawn that has advanced), black to move (1 bit), the white king, the black
king and up to three pieces (6 bits each, the first highest).
White's pieces come before Black's, each side's in the order of QRBNP. All that depends on the material
and the board is in one array, which is ``data``: numba counts references whenever it takes an array out
of a tuple, which takes longer than looking into it.
"""

from __future__ import annotations

FIELD_BITS, FIELD = 6, 63
FIRST = 12  # the first piece; the next ones are FIELD_BITS lower
BLACK_KING, WHITE_KING = 18, 24
SIDE, PASSANT, MATERIAL = 30, 31, 35
BLACK, EN_PASSANT = 1 << SIDE, (1 << MATERIAL) - (1 << PASSANT)
FIRST_FILE = 2  # in the bits of the right to capture; 1 is left of the first file, where no pawn is
PIECES = (1 << BLACK_KING) - 1
MAX_MOVES = 96  # of either side
PROMOTIONS = 4
WHITE_PAWN, BLACK_PAWN = 4, 5  # types of pieces; 0 to 3 are queen, rook, bishop and knight
TYPES = 6

# Rows of the table, by square unless stated otherwise.
COLOUR = 0
BIT = 1  # its bit
NEIGHBOURS = 2  # bits of the adjacent squares
REACH = 3  # their number
FLIPPED = 4  # the square with the ranks reversed
BALANCE = 5  # by the sum of the files of the outer pawns on the leader's rank: as in TURNS
FILE_OF, RANK_OF = 6, 7
AXIS = 8  # the symmetry that leaves it where it is besides the first one; NO_AXIS, SEVERAL_AXES
WAYS = 9  # directions, by type; none for a pawn
SLIDES = 10  # whether it slides, by type
PUSH = 11  # + colour: the square in front of a pawn, -1 past the edge
DOUBLE = 13  # + colour: whether a pawn may advance two squares
TURNED = 15  # + symmetry: the image of a square
WAY = TURNED + 8  # + 8 * type + direction: the next square, -1 past the edge
STEP = WAY + 8 * TYPES  # + square: the adjacent squares, by number
TURNS = STEP + 64  # + white king, by black king: a symmetry to the smallest image + 8 * another
PATH = TURNS + 64  # + 64 * type + its square: bits that must be empty for an attack; -1 for none
KINGS = PATH + 64 * TYPES  # what follows, twice: for canonical pairs of kings and for all pairs
PAIRS_BEFORE = 0  # + KINGS, by black king: the number of pairs with a lower one
PAIRS_OF = 1  # + KINGS, by black king: its number of pairs
BLACK_OF = 2  # + KINGS + number of a pair / 64, by the rest: the black king
PLACE = BLACK_OF + 64  # + KINGS + black king, by white king: the number of the pair
WHITE_OF = PLACE + 64  # + KINGS + black king, by number: the white king
KING_ROWS = WHITE_OF + 64
NOWHERE = KINGS + 2 * KING_ROWS  # as a row of PATH, of a piece that is not there
NUMBERS = NOWHERE + 1  # as below
BUCKET = NUMBERS + 1  # + bucket of indices / 64, by the rest: the first tier in it
NUM_BUCKETS = 1024
MATERIALS = (
    BUCKET + NUM_BUCKETS // 64
)  # + material, by what follows; the tiers of pawns and tiers come after

NO_AXIS, SEVERAL_AXES = 0, 8

# Columns of the row of a material.
COUNT, WHITE = 0, 1  # pieces, and White's
TYPE = 2  # + piece
FLIP, EXCHANGED = 5, 6  # when the colours are exchanged, and the material then
LIKE = 7  # 1 if the first two pieces are alike, 2 the last two, 3 all three
PAWNS, LEADER = 8, 9  # the number of pawns, and the first of them
DEAD = 10  # 0 mate can happen, 1 it cannot, 2 not if all pieces stand on one colour
ALL_KINGS = 11  # the rows of its pairs of kings
CAPTURED = 12  # + piece: the material without it
PROMOTED = 15  # + 4 * piece + type: the material after a promotion
INSERTED = 27  # + 4 * piece + type: where the new piece goes
TIER = 39  # without a pawn
RANKS = 40  # rows + rank of the third pawn, by 8 * rank of the first + rank of the second: the tier
FACING = 41  # whether both sides have pawns
LIKE_LEADER = 42  # the piece after the pawns like the first one
NEVER, ALWAYS, BLACK_MOVES = 0, 1, 2  # when the colours are exchanged

# Columns of the row of a tier.
BASE, OF_MATERIAL, CONFIGURATIONS, NUM_PAIRS, IS_PASSANT = range(5)
RANK = 5  # + pawn

# Columns of the row NUMBERS.
BOARD = 0  # rows and columns
SHIFT = 1  # an index shifted by it is its bucket
TIERS = 2  # rows + tier


def king_of(position: int, side: int) -> int:
    """Return the square of a king."""
    return (position >> (BLACK_KING if side else WHITE_KING)) & FIELD


def square_of(position: int, piece: int) -> int:
    """Return the square of a piece."""
    return (position >> (FIRST - FIELD_BITS * piece)) & FIELD


def material_row(position: int) -> int:
    """Return the row of the position's material."""
    return MATERIALS + (position >> MATERIAL)


def passant_file(position: int) -> int:
    """Return the file of the pawn that may be captured en passant."""
    return ((position & EN_PASSANT) >> PASSANT) - FIRST_FILE
