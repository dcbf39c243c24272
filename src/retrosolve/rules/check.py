"""Checking an author's rules before a long run: what a contract asks for, tried on samples."""

from __future__ import annotations

from dataclasses import dataclass

from retrosolve.errors import GraphError
from retrosolve.rules.check_compiled import check_compiled, sampled_indices
from retrosolve.rules.check_plain import check_plain, sampled
from retrosolve.rules.compiled import CompiledGame, PlainView
from retrosolve.rules.game import Game


@dataclass(frozen=True)
class Checked:
    """What was checked: how many positions, whether these are all there are, and what of them.

    >>> print(Checked(3, True, ("moves", "terminal")))
    all 3 positions: moves, terminal
    """

    positions: int
    complete: bool
    rules: tuple[str, ...]

    def __str__(self) -> str:
        how_many = f"all {self.positions}" if self.complete else f"{self.positions} of the"
        return f"{how_many} positions: {', '.join(self.rules)}"


def check_game(game: Game | CompiledGame, samples: int = 2000, seed: int = 0) -> Checked:
    """Check that rules keep to their contract, on up to ``samples`` positions.

    Half of them are the first to be found from the start, half are met in random play; ``seed`` makes
    them the same each time. Checked are, of plain rules: moves are pairs of a name and a hashable
    position, the same when asked again, and asking changes nothing; ``terminal`` and ``player`` give
    what they may, always the same; ``canonical`` gives a position that stays, ends alike and has moves
    to the same canonical positions: where that is so of all positions, it keeps every answer. Of
    compiled rules also:
    ``successors`` and ``predecessors`` keep to their room and agree both ways; ``rank`` and
    ``unrank`` are inverse; no move leads to what is no position, or to a later tier; ``data`` stays as
    it is. Their functions are called uncompiled.

    Gives what was checked. Raises RulesError for the first breach, with the position that showed it.
    Cost: a few calls of each rule a sample.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> print(check_game(TicTacToe(), samples=100))
    100 of the positions: moves, terminal, player
    """
    for name, number in (("samples", samples), ("seed", seed)):
        if type(number) is not int or number < (name == "samples"):
            raise GraphError(f"{name}={number!r}: expected a whole number, {name} above 0")
    rules: Game = PlainView(game) if isinstance(game, CompiledGame) else game
    starts = None
    if isinstance(game, CompiledGame):
        starts = sampled_indices(game, samples, seed)
    positions, complete = sampled(rules, samples, seed, starts)
    optional = ("terminal", "player", "canonical")
    checked = ["moves", *(name for name in optional if rules.defines(name))]
    check_plain(rules, positions)
    if isinstance(game, CompiledGame):
        checked += check_compiled(game, positions)
    return Checked(len(positions), complete, tuple(checked))
