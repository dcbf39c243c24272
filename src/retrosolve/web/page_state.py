"""A position with its moves and the line of play that led to it, and lines that readers type in."""

from __future__ import annotations

import re
from collections.abc import Hashable
from gettext import NullTranslations
from operator import attrgetter
from typing import NamedTuple

from retrosolve.errors import PositionError
from retrosolve.languages import digits, typed
from retrosolve.languages.phrases import phrase
from retrosolve.solution import Solution
from retrosolve.solution.playing import GamePlay, Ply
from retrosolve.solution.preference import RankedMove, ranked_moves
from retrosolve.values import Outcome, Result, Value
from retrosolve.web.address import Address, position_at


class Scene(NamedTuple):
    """A position as it came about.

    Parameters
    ----------
    address : Address
        Its line counts places as its links do: as the rules list the moves where hints are hidden.
    position : hashable
    outcome : Outcome
        For the player to move. Points that were won by the line count, as for ``moves``.
    side : int
        Who moves: the player whom the rules name, or 0 for who moved first where players alternate.
    named : bool
        Whether the rules name the player.
    moves : list of RankedMove
        Best first.
    played : list of Ply
        The moves that led here.
    taken : list of int
        The points that those of each player have won.
    last : tuple of str, optional
        The points of the last move, in the picture before it; None where that has turned since.
    throw : int, optional
        The number of the throw of dice, from 0, if they are thrown.
    """

    address: Address
    position: Hashable
    outcome: Outcome
    side: int
    named: bool
    moves: list[RankedMove]
    played: list[Ply]
    taken: list[int]
    last: tuple[str, ...] | None = None
    throw: int | None = None

    @property
    def awaits_throw(self) -> bool:
        """Whether dice are to be thrown before a move."""
        return self.throw is None and bool(self.moves) and self.moves[0].throw is not None

    @property
    def viewer(self) -> int:
        """The side from whose point of view the page speaks: the reader's, or who moves first."""
        return self.address.you or 0

    def winner(self, value: Result) -> int | None:
        """Return the side that a verdict names, the winner; None if nobody wins, or the reader is told.

        Parameters
        ----------
        value : Value, or another result
            As the reader sees it.
        """
        if self.address.you is not None or value.kind not in (Value.WIN, Value.LOSS):
            return None
        if getattr(value, "is_payoff", False):
            return self.viewer  # whose payoff is said, be it below 0
        return self.viewer if value.kind is Value.WIN else 1 - self.viewer

    def value_for(self, value: Result, side: int) -> Result:
        """Return a value that holds for ``side`` as the reader sees it."""
        return value if side == self.viewer else value.opposite()


def in_line_order(moves: list[RankedMove], ranked: bool) -> list[RankedMove]:
    """Return moves in the order that a line counts: best first, as they are, or that of the rules."""
    return moves if ranked else sorted(moves, key=attrgetter("place"))


def scene(solution: Solution, address: Address) -> Scene:
    """Return the position of an address with its moves and what led to it.

    Raises
    ------
    PositionError
        If there is no such position, or the line has a move that does not exist.
    """
    space = solution.space
    turns = space.rules is not None and space.rules.turns_board
    game = GamePlay(solution, position_at(solution, address.at)[0])
    line: list[int] = []
    last = None
    for number in address.line:
        moves = game.moves
        if not 1 <= number <= len(moves):
            raise PositionError(
                f"move {len(line) + 1} of the line is number {number}, but there are {len(moves)} "
                "moves: expected one of them"
            )
        chosen = in_line_order(moves, address.ranked)[number - 1]
        same = address.ranked is address.hints
        line.append(number if same else number_of(moves, chosen, address.hints))
        if len(line) == len(address.line) and (chosen.again or not turns):
            last = space.move_points(game.position, chosen.move.position)
        game.make(chosen)
    moves = game.moves
    throw = None if address.throw is None else address.throw - 1
    if throw is not None and all(move.throw != throw for move in moves):
        raise PositionError(f"there are no moves after throw {address.throw}: expected another")
    address = address._replace(line=tuple(line), ranked=address.hints, throw=None)
    return Scene(
        address,
        game.position,
        game.outcome,
        game.side,
        game.named,
        moves,
        game.played,
        game.taken,
        last,
        throw,
    )


def number_of(moves: list[RankedMove], chosen: RankedMove, ranked: bool) -> int:
    """Return the number of a move in a line."""
    return 1 + (moves.index(chosen) if ranked else chosen.place)


NUMBERS = re.compile(r"\b\d+\.(?:\s|$)")
BREAKS = re.compile(r"[,;\n]")
MAX_SHOWN = 12


def moves_in(solution: Solution, shown: Scene, text: str, to: NullTranslations) -> list[int]:
    """Return the moves of a text from a position on, as numbers for the line of its address.

    Parameters
    ----------
    solution : Solution
    shown : Scene
        Where the line begins.
    text : str
        Names of moves, between commas, semicolons or lines; between blanks where no name has one.
        Numbers of moves such as ``1.`` are passed over.
    to : NullTranslations
        The catalogue of the names that the page shows; those of the rules are understood as well.

    Raises
    ------
    PositionError
        For a move that there is not, with those that there are.
    """
    numbers: list[int] = []
    ranked = shown.address.ranked
    moves, position = in_line_order(shown.moves, ranked), shown.position
    rest = NUMBERS.sub(" ", typed(text)).strip()
    while rest:
        aliases = [
            solution.space.positions.move_aliases(position, ranked.move.position) for ranked in moves
        ]
        number, rest = _next(moves, aliases, rest, len(numbers) + 1, to)
        numbers.append(number + 1)
        position = moves[number].move.position
        moves = in_line_order(ranked_moves(solution, position), ranked)
    return numbers


def _next(
    moves: list[RankedMove],
    aliases: list[tuple[str, ...]],
    text: str,
    ply: int,
    to: NullTranslations,
) -> tuple[int, str]:
    """Return the move that a text begins with, the longest one, and the rest of the text.

    Of names that differ in case alone, ``Bxc3`` of a bishop and ``bxc3`` of a pawn, the one as typed.
    """
    best, length, exact = -1, 0, False
    folded = text.casefold()
    several = [{m.move.name, phrase(m.move.name, to), *aliases[k]} for k, m in enumerate(moves)]
    for number, shown in ((k, name) for k, own in enumerate(several) for name in own):
        written = typed(shown).strip()
        name, as_typed = written.casefold(), text.startswith(written)
        after = folded[len(name) : len(name) + 1]
        fits = folded.startswith(name) and (not after or after in ",; \n\t\r")
        if fits and (len(name), as_typed) > (length, exact):
            best, length, exact = number, len(name), as_typed
    if best < 0:
        given = BREAKS.split(text)[0].strip()[:60]
        names = to.gettext(", ").join(phrase(ranked.move.name, to) for ranked in moves[:MAX_SHOWN])
        sentence = to.gettext("move {number} of the line, {text}, is no move there: expected {moves}")
        raise PositionError(
            sentence.format(
                number=digits(ply, to.gettext),
                text=repr(given),
                moves=names or to.gettext("none: the game is over"),
            )
        )
    return best, text[length:].lstrip(" ,;\n\t\r")
