"""What men there are in chess endings, which endings lead to which, and the tiers of their index."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from retrosolve.games.chess import layout, tables
from retrosolve.games.chess.tables import Table

ORDER = "QRBNP"
PROMOTED = ORDER[: layout.PROMOTIONS]


class Material(NamedTuple):
    """The pieces of both sides, each in the order of QRBNP."""

    white: str
    black: str

    @property
    def pieces(self) -> str:
        """All pieces, White's first."""
        return self.white + self.black

    @property
    def name(self) -> str:
        """The name of the ending: ``KQKR``; one piece or more of White's alone as in ``KBNK``."""
        return f"K{self.white}K{self.black}"

    @property
    def exchanged(self) -> Material:
        """The same with the colours exchanged."""
        return Material(self.black, self.white)

    @property
    def base(self) -> Material:
        """The one whose table both share: White has more pieces, or the better ones."""
        return min(self, self.exchanged, key=lambda side: (-len(side.white), _key(side.white)))

    def without(self, piece: int) -> Material:
        """Return the ending after the capture of a piece."""
        return _split(
            self.pieces[:piece] + self.pieces[piece + 1 :], len(self.white) - (piece < len(self.white))
        )

    def promoted(self, piece: int, letter: str) -> Material:
        """Return the ending after the promotion of a pawn."""
        changed = self.pieces[:piece] + letter + self.pieces[piece + 1 :]
        return _split(changed, len(self.white))

    def next(self) -> Iterator[Material]:
        """Yield what a capture, a promotion, and a promotion by a capture lead to."""
        captured = [self.without(piece) for piece in range(len(self.pieces))]
        yield from captured
        for before in (self, *captured):
            for piece, letter in enumerate(before.pieces):
                if letter == "P":
                    yield from (before.promoted(piece, other) for other in PROMOTED)


class Tier(NamedTuple):
    """Positions of one material, with pawns on some ranks or the right to capture en passant."""

    material: Material
    low: int = 0
    high: int = 0
    passant: bool = False


def _key(pieces: str) -> list[int]:
    return [ORDER.index(letter) for letter in pieces]


def _split(pieces: str, white: int) -> Material:
    sides = pieces[:white], pieces[white:]
    first, second = ("".join(sorted(side, key=ORDER.index)) for side in sides)
    return Material(first, second)


def parse(ending: str) -> Material:
    """Return the material of an ending: ``KQKR``, ``KBNK``."""
    white, _, black = ending[1:].partition("K")
    return _split(white + black, len(white))


def endings(men: int) -> list[Material]:
    """Return the endings of so many men, each once: 5 of three, 30 of four."""
    materials = {}
    for pieces in itertools.product(ORDER, repeat=men - 2):
        for white in range(men - 1):
            base = _split("".join(pieces), white).base
            materials[base.name] = base
    return list(materials.values())


def closure(roots: Iterable[Material]) -> list[Material]:
    """Return the endings that play from some endings leads to, in an order to solve them in."""
    materials: set[Material] = set()
    waiting = [root.base for root in roots]
    while waiting:
        if (material := waiting.pop()) not in materials:
            materials.add(material)
            waiting += [after.base for after in material.next()]
    return sorted(
        materials, key=lambda m: (len(m.pieces), m.pieces.count("P"), _key(m.white), _key(m.black))
    )


def numbered(roots: Iterable[Material]) -> list[Material]:
    """Return the materials of positions by their number: the endings that occur, of either side."""
    return list(dict.fromkeys(side for m in closure(roots) for side in (m, m.exchanged)))


def tiers_of(material: Material, board: int) -> Iterator[Tier]:
    """Yield the tiers of an ending, in an order to solve them in."""
    pawns = [piece for piece, letter in enumerate(material.pieces) if letter == "P"]
    if not pawns:
        yield Tier(material)
        return
    ranks = range(1, board - 1)
    if len(pawns) == 1:
        upwards = pawns[0] < len(material.white)
        yield from (Tier(material, rank, rank) for rank in (reversed(ranks) if upwards else ranks))
    elif material.white == "PP":
        pairs = itertools.combinations_with_replacement(ranks, 2)
        yield from (Tier(material, *pair) for pair in sorted(pairs, key=lambda pair: -sum(pair)))
    else:
        yield from _facing(material, board)


def _facing(material: Material, board: int) -> Iterator[Tier]:
    """Yield the tiers of a pawn against a pawn: a pair of ranks and the same with colours exchanged."""
    ranks, last = range(1, board - 1), board - 1
    met: set[tuple[int, int]] = set()
    for low, high in sorted(itertools.product(ranks, ranks), key=lambda pair: pair[1] - pair[0]):
        if (low, high) not in met:
            met |= {(low, high), (last - high, last - low)}
            yield Tier(material, low, high)
            if low == high and board - 4 in (low, last - low):
                yield Tier(material, low, high, True)


def make_board(
    roots: list[Material], board: int, symmetry: bool
) -> tuple[Table, list[Tier], list[int]]:
    """Return the ``data`` of the rules, the tiers, and the first index of each with the size."""
    solved = closure(roots)
    materials = numbered(roots)
    tiers = [tier for material in solved for tier in tiers_of(material, board)]
    pawn_rows = layout.MATERIALS + len(materials)
    tier_rows = pawn_rows + len(materials)
    table = np.zeros((tier_rows + len(tiers) + 1, 64), np.int64)
    table[: layout.MATERIALS] = tables.squares(board, symmetry)
    for number, material in enumerate(materials):
        describe(table[layout.MATERIALS + number], material, materials, symmetry)
    table[pawn_rows:tier_rows] = table[layout.MATERIALS : pawn_rows, [layout.PASSANT_TIER]] = -1
    first = [0]
    for number, tier in enumerate(tiers):
        of = materials.index(tier.material)
        row = table[tier_rows + number]
        place(row, table, tier, of, board, symmetry)
        row[layout.BASE] = first[-1]
        sides = 1 if table[layout.MATERIALS + of, layout.FLIP] == layout.BLACK_MOVES else 2
        first.append(first[-1] + sides * int(row[layout.NUM_PAIRS] * row[layout.CONFIGURATIONS]))
        if tier.passant:
            table[layout.MATERIALS + of, layout.PASSANT_TIER] = number
        else:
            table[layout.MATERIALS + of, layout.TIER] = number
            for low, high in ranks_of(tier, board):
                table[pawn_rows + of, 8 * low + high] = number
    table[-1, layout.BASE] = first[-1]
    shift = max(0, (first[-1] - 1).bit_length() - layout.NUM_BUCKETS.bit_length() + 1)
    starts = np.searchsorted(first, np.arange(layout.NUM_BUCKETS) << shift, side="right") - 1
    table[layout.BUCKET : layout.MATERIALS] = starts.reshape(-1, 64)
    table[layout.NUMBERS, :4] = board, shift, pawn_rows, tier_rows
    return table, tiers, first


def ranks_of(tier: Tier, board: int) -> set[tuple[int, int]]:
    """Return the ranks of the pawns in a tier, of one pawn with 0."""
    low, high, last = tier.low, tier.high, board - 1
    if tier.material.pieces.count("P") < 2:
        return {(low, 0)}
    return {(low, high)} if tier.material.white == "PP" else {(low, high), (last - high, last - low)}


def place(row: Table, table: Table, tier: Tier, of: int, board: int, symmetry: bool) -> None:
    """Fill in the row of a tier, but not its first index."""
    area, files = board * board, (board + 1) // 2 if symmetry else board
    pieces = tier.material.pieces
    kings = int(table[layout.MATERIALS + of, layout.ALL_KINGS])
    like = int(table[layout.MATERIALS + of, layout.LIKE])
    pawns = pieces.count("P")
    if not pawns:
        size = area ** len(pieces)
        if like:
            size = area ** (len(pieces) - 2) * (area * (area - 1) // 2)
    elif pawns == 1:
        size = files * (area * (area - 1) // 2 if like else area ** (len(pieces) - 1))
    else:
        size = 2 * files if tier.passant else files * board * len(ranks_of(tier, board))
    row[layout.OF_MATERIAL], row[layout.CONFIGURATIONS] = of, size
    row[layout.NUM_PAIRS] = tables.num_pairs(table, kings)
    row[layout.LOW], row[layout.HIGH], row[layout.IS_PASSANT] = tier.low, tier.high, tier.passant


def describe(row: Table, material: Material, materials: list[Material], symmetry: bool) -> None:
    """Fill in the row of a material, but not its tiers."""
    pieces, white = material.pieces, len(material.white)
    row[layout.COUNT], row[layout.WHITE] = len(pieces), white
    for piece, letter in enumerate(pieces):
        kind = ORDER.index(letter)
        row[layout.TYPE + piece] = kind + (letter == "P" and piece >= white)
        row[layout.CAPTURED + piece] = materials.index(material.without(piece))
        if letter == "P":
            for number, other in enumerate(PROMOTED):
                column = layout.PROMOTIONS * piece + number
                after = material.promoted(piece, other)
                own = after.black if piece >= white else after.white
                row[layout.PROMOTED + column] = materials.index(after)
                row[layout.INSERTED + column] = own.index(other) + (white if piece >= white else 0)
    if material.base != material:
        row[layout.FLIP] = layout.ALWAYS
    elif material.white == material.black and symmetry:
        row[layout.FLIP] = layout.BLACK_MOVES
    row[layout.EXCHANGED] = materials.index(material.exchanged)
    for piece in range(len(pieces) - 1):
        if pieces[piece] == pieces[piece + 1] and piece + 1 != white:
            row[layout.LIKE] += 1 << piece
    row[layout.PAWNS], row[layout.LEADER] = pieces.count("P"), max(pieces.find("P"), 0)
    bishops = 2 if set(pieces) == {"B"} else 0
    row[layout.DEAD] = 1 if pieces in ("", "B", "N") else bishops
    row[layout.ALL_KINGS] = layout.KINGS + (layout.KING_ROWS if "P" in pieces else 0)
