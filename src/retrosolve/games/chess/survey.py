"""A position of a chess ending and the indices around it, made without the positions where it can be.

Two moves lead to one index if a symmetry exchanges their targets. Such a symmetry leaves the men of the
side that waits where they are, or exchanges like ones, which is so rare that few targets are compared.
"""

from __future__ import annotations

from typing import Any

from retrosolve.games.chess.index import (
    canonical,
    ordered,
    placed,
    rank,
    tier_row,
    turns_of,
    unrank,
    with_kings,
)
from retrosolve.games.chess.layout import (
    ALL_KINGS,
    AXIS,
    BIT,
    BLACK,
    BLACK_KING,
    COUNT,
    FIELD,
    FIELD_BITS,
    FIRST,
    FLIP,
    LIKE,
    MATERIAL,
    NEVER,
    NO_AXIS,
    PAIRS_OF,
    PAWNS,
    SEVERAL_AXES,
    SIDE,
    TURNED,
    TYPE,
    WHITE,
    WHITE_PAWN,
    king_of,
    material_row,
    square_of,
)
from retrosolve.games.chess.moves import legality, predecessors, stuck, successors
from retrosolve.rules.contract import INVALID, NOT_TERMINAL
from retrosolve.rules.ranking import distinct


def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
    """Return the result, the moves and the successors within the tier; write the other indices.

    Captures, promotions and moves of pawns leave the tier.
    """
    position = unrank(index, data)
    result = legality(position, data)
    if canonical(position, data) != position:
        result = INVALID
    if result != NOT_TERMINAL:
        return result, 0, 0, 0
    moves, kept = successors(position, out, data), kept_bits(position, data)
    if moves == 0:
        return stuck(position, data), 0, 0, 0
    beyond = 0
    for k in range(moves):
        target = out[k]
        if (target ^ position) & kept:
            out[k] = out[beyond]
            out[beyond] = rank(canonical(target, data), data)
            beyond += 1
    within = moves - beyond
    if may_be_symmetric(position, 1 - (position >> SIDE & 1), data):
        for k in range(beyond, moves):
            out[k] = canonical(out[k], data)
        within = distinct(out, beyond, moves) - beyond
    return NOT_TERMINAL, moves, within, beyond


def kept_bits(position: int, data: Any) -> int:
    """Return the bits that moves within the tier of a position keep: material and squares of pawns."""
    row, bits = material_row(position), -1 << MATERIAL
    if data[row, PAWNS]:
        for piece in range(data[row, COUNT]):
            if data[row, TYPE + piece] >= WHITE_PAWN:
                bits |= FIELD << (FIRST - FIELD_BITS * piece)
    return bits


def may_be_symmetric(position: int, side: int, data: Any) -> bool:
    """Return whether a symmetry but the first may keep the men of a side."""
    axis, row = data[AXIS, king_of(position, side)], material_row(position)
    if axis in (NO_AXIS, SEVERAL_AXES):
        return bool(axis)
    first, last = (data[row, WHITE], data[row, COUNT]) if side else (0, data[row, WHITE])
    men, images = 0, 0
    for piece in range(first, last):
        square = square_of(position, piece)
        men |= data[BIT, square]
        images |= data[BIT, data[TURNED + axis, square]]
    return men == images


def predecessor_indices(index: int, out: Any, data: Any) -> int:
    """Write the indices of the different positions of the tier with a move to an index."""
    position = unrank(index, data)
    count, turned = predecessors(position, out, data), position ^ BLACK
    row, black = material_row(position), king_of(position, 1)
    # Where no colours are exchanged and the kings stay, all but the place of the pieces is the same.
    is_plain = data[row, FLIP] == NEVER and data[row, PAWNS] < 2 and turns_of(turned, row, data) == 0
    if is_plain:
        place, tier, like = placed(turned, row, data), tier_row(turned, row, data), data[row, LIKE]
        stride = data[data[row, ALL_KINGS] + PAIRS_OF, black]
        first = with_kings(turned, 0, row, tier, data)
        for k in range(count):
            origin = out[k]
            if origin >> BLACK_KING == turned >> BLACK_KING:
                out[k] = first + stride * placed(ordered(origin, like), row, data)
            elif turns_of(origin, row, data) == 0:
                out[k] = with_kings(origin, place, row, tier, data)
            else:
                out[k] = rank(canonical(origin, data), data)
    else:
        for k in range(count):
            out[k] = rank(canonical(out[k], data), data)
    if may_be_symmetric(position, position >> SIDE & 1, data):
        count = distinct(out, 0, count)
    return count
