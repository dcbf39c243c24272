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

    def next(self, side: int) -> Iterator[Material]:
        """Yield what a capture, a promotion, and a promotion by a capture by one side lead to."""
        men = range(len(self.white)), range(len(self.white), len(self.pieces))
        captured = [self.without(piece) for piece in men[1 - side]]
        yield from captured
        for before in (self, *captured):
            for piece, letter in enumerate(before.pieces):
                if letter == "P" and (piece >= len(before.white)) == side:
                    yield from (before.promoted(piece, other) for other in PROMOTED)


class Tier(NamedTuple):
    """Positions of one material, with pawns on some ranks or the right to capture en passant."""

    material: Material
    ranks: tuple[int, ...] = ()
    passant: bool = False

    def next(self, board: int) -> Iterator[Tier]:
        """Yield what captures and the moves of pawns lead to, as the endings that have tables."""
        ranks = iter(self.ranks)
        sides = [
            [(letter, next(ranks) if letter == "P" else 0) for letter in pieces]
            for pieces in self.material
        ]
        for side, (step, last, second) in enumerate(((1, board - 1, 1), (-1, 0, board - 2))):
            own, other = sides[side], sides[1 - side]
            left = [other[:piece] + other[piece + 1 :] for piece in range(len(other))]
            changes = [(own, rest) for rest in left]
            for piece, (letter, rank) in enumerate(own):
                if letter == "P":
                    to, passed = rank + step, last - 3 * step
                    # A pawn is captured where it stands, or beside a pawn that it has passed.
                    met = [
                        rest
                        for (kind, there), rest in zip(other, left, strict=True)
                        if kind != "P" or there == to or there == rank == passed
                    ]
                    becomes = PROMOTED if to == last else "P"
                    moved = [[*own[:piece], (new, to), *own[piece + 1 :]] for new in becomes]
                    changes += itertools.product(moved, [other, *met])
                    if rank == second:
                        changes.append(([*own[:piece], ("P", to + step), *own[piece + 1 :]], other))
            yield from (_tier(change[side], change[1 - side], board) for change in changes)


def _key(pieces: str) -> list[int]:
    return [ORDER.index(letter) for letter in pieces]


def _split(pieces: str, white: int) -> Material:
    sides = pieces[:white], pieces[white:]
    first, second = ("".join(sorted(side, key=ORDER.index)) for side in sides)
    return Material(first, second)


def _tier(white: list[tuple[str, int]], black: list[tuple[str, int]], board: int) -> Tier:
    """Return the tier of the pieces of both sides, each with its rank, which counts of pawns alone."""
    sides = [sorted(side, key=lambda man: (ORDER.index(man[0]), man[1])) for side in (white, black)]
    material = Material(*("".join(letter for letter, _ in side) for side in sides))
    ranks = tuple(rank for side in sides for letter, rank in side if letter == "P")
    if material != material.base:
        first = len(ranks) - material.black.count("P")
        # Seen from the other side, the ranks of a side's pawns come in the opposite order.
        exchanged = (*reversed(ranks[first:]), *reversed(ranks[:first]))
        return Tier(material.base, tuple(board - 1 - rank for rank in exchanged))
    return Tier(material, ranks)


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
            waiting += [after.base for side in (0, 1) for after in material.next(side)]
    return sorted(
        materials, key=lambda m: (len(m.pieces), m.pieces.count("P"), _key(m.white), _key(m.black))
    )


def numbered(roots: Iterable[Material]) -> list[Material]:
    """Return the materials of positions by their number: the endings that occur, of either side."""
    return list(dict.fromkeys(side for m in closure(roots) for side in (m, m.exchanged)))


def tiers_of(material: Material, board: int) -> Iterator[Tier]:
    """Yield the tiers of an ending, in an order to solve them in: the most advanced pawns first.

    Where both sides are alike, ranks and the same with colours exchanged are one tier.
    """
    white, black = material.white.count("P"), material.black.count("P")
    each = itertools.combinations_with_replacement
    ranks, met = range(1, board - 1), set[tuple[int, ...]]()
    pairs = itertools.product(each(ranks, white), each(ranks, black))
    for own, others in sorted(pairs, key=lambda pair: sum(pair[1]) - sum(pair[0])):
        tier = Tier(material, own + others)
        if tier.ranks not in met:
            met |= ranks_of(tier, board)
            yield tier
            if set(own) & set(others) & {3, board - 4}:
                yield tier._replace(passant=True)


def make_board(
    roots: list[Material], board: int, symmetry: bool
) -> tuple[Table, list[Tier], list[int]]:
    """Return the ``data`` of the rules, the tiers, and the first index of each with the size."""
    solved = closure(roots)
    materials = numbered(roots)
    tiers = [tier for material in solved for tier in tiers_of(material, board)]
    heights = [8 if material.pieces.count("P") == 3 else 1 for material in solved]
    *pawn_rows, tier_rows = itertools.accumulate(heights, initial=layout.MATERIALS + len(materials))
    table = np.zeros((tier_rows + len(tiers) + 1, 64), np.int64)
    table[: layout.MATERIALS] = tables.squares(board, symmetry)
    for number, material in enumerate(materials):
        describe(table[layout.MATERIALS + number], material, materials, symmetry)
    for material, start in zip(solved, pawn_rows, strict=True):
        table[layout.MATERIALS + materials.index(material), layout.RANKS] = start
    first = [0]
    for number, tier in enumerate(tiers):
        of = materials.index(tier.material)
        row = table[tier_rows + number]
        place(row, table, tier, of, board, symmetry)
        row[layout.BASE] = first[-1]
        sides = 1 if table[layout.MATERIALS + of, layout.FLIP] == layout.BLACK_MOVES else 2
        first.append(first[-1] + sides * int(row[layout.NUM_PAIRS] * row[layout.CONFIGURATIONS]))
        if not tier.passant:
            table[layout.MATERIALS + of, layout.TIER] = number
            for ranks in ranks_of(tier, board):
                one, two, three = (*ranks, 0, 0, 0)[:3]
                table[table[layout.MATERIALS + of, layout.RANKS] + three, 8 * one + two] = number
    table[-1, layout.BASE] = first[-1]
    shift = max(0, (first[-1] - 1).bit_length() - layout.NUM_BUCKETS.bit_length() + 1)
    starts = np.searchsorted(first, np.arange(layout.NUM_BUCKETS) << shift, side="right") - 1
    table[layout.BUCKET : layout.MATERIALS] = starts.reshape(-1, 64)
    table[layout.NUMBERS, :3] = board, shift, tier_rows
    return table, tiers, first


def ranks_of(tier: Tier, board: int) -> set[tuple[int, ...]]:
    """Return the ranks of the pawns in a tier, if both sides are alike with colours exchanged, too."""
    if tier.material.white != tier.material.black:
        return {tier.ranks}
    return {tier.ranks, tuple(board - 1 - rank for rank in reversed(tier.ranks))}


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
        size = files * board ** (pawns - 1) * area ** (len(pieces) - pawns) * len(ranks_of(tier, board))
        if tier.passant:  # see index.rank
            size = files * 2 * (board**2 if pawns == 3 else area ** (len(pieces) - 2))
    row[layout.OF_MATERIAL], row[layout.CONFIGURATIONS] = of, size
    row[layout.NUM_PAIRS] = tables.num_pairs(table, kings)
    row[layout.IS_PASSANT] = tier.passant
    row[layout.RANK : layout.RANK + pawns] = tier.ranks


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
    leaders = material.white.count("P") or material.black.count("P")
    row[layout.LIKE_LEADER] = row[layout.LEADER] + leaders
    row[layout.FACING] = leaders < row[layout.PAWNS]
    bishops = 2 if set(pieces) == {"B"} else 0
    row[layout.DEAD] = 1 if pieces in ("", "B", "N") else bishops
    row[layout.ALL_KINGS] = layout.KINGS + (layout.KING_ROWS if "P" in pieces else 0)
