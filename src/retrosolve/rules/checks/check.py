"""Checking an author's rules before a long run: what a contract asks for, tried on samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from retrosolve.errors import GraphError, RulesError
from retrosolve.rules.checks.compiled import check_compiled, sampled_indices
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.checks.plain import PlainCheck
from retrosolve.rules.checks.symmetry import check_symmetry
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.exploring import asked
from retrosolve.rules.game import Game


@dataclass(frozen=True)
class CheckReport:
    """What was checked: how many positions, whether these are all there are, and what of them.

    ``folded`` tells whether all answers were compared with and without ``canonical``.

    >>> print(CheckReport(3, True, ("moves", "terminal")))
    all 3 positions: moves, terminal
    """

    positions: int
    complete: bool
    rules: tuple[str, ...]
    folded: bool = False

    def __str__(self) -> str:
        how_many = f"all {self.positions}" if self.complete else f"{self.positions} of the"
        return f"{how_many} positions: {', '.join(self.rules)}"


def check_game(
    game: Game | CompiledGame, samples: int = 2000, seed: int = 0, limit: int = 10_000
) -> CheckReport:
    """Check that rules keep to their contract, on up to about ``samples`` positions.

    Two thirds of them are found breadth-first from the start, the others met in random play; of a
    game with a dense index a third are indices drawn from all. ``seed`` makes them the same each time.

    Of plain rules: moves are pairs of a name and a hashable position; all rules give what they may,
    the same when asked again, and change no position; equal positions have equal hashes;
    ``canonical`` gives a form that stays, ends alike and has moves to the same canonical forms. Where
    at most ``limit`` positions go on, the game is also solved with and without ``canonical``, and
    every value and remoteness compared.

    Of compiled rules, called uncompiled, also: ``successors`` and ``predecessors`` keep to their room,
    read nothing that they have not written, and agree with each other; ``rank`` and ``unrank`` are
    inverse; no move leads to what is no position, past the index, or to a later tier; ``data`` stays
    as it is.

    Gives what was checked. Raises RulesError for the first breach, with the rule and the position
    that showed it, and GraphError for arguments that make no sense. Cost: a few calls of each rule
    a sample, some ten with ``predecessors``, and with ``canonical`` two calls for each of up to
    ``limit`` positions.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> print(check_game(TicTacToe(), samples=100))
    100 of the positions: moves, terminal, player
    """
    for name, number, least in (("samples", samples, 1), ("seed", seed, 0), ("limit", limit, 0)):
        if type(number) is not int or number < least:
            raise GraphError(f"{name}={number!r}: expected a whole number, {least} or more")
    rules = game.instrumented()
    starts = rules.starts() if isinstance(rules, InstrumentedGame) else _starts(rules)
    drawn: list[int] = []
    every_index = True
    if isinstance(rules, InstrumentedGame):
        drawn, every_index = sampled_indices(rules, max(1, samples // 3), seed)
    check = PlainCheck(rules)
    complete = check.sample([*starts, *drawn], samples, seed) and every_index
    check.check()
    optional = ("terminal", "player", "canonical")
    checked = ["moves", *(name for name in optional if rules.implements(name))]
    met = list(check.first)
    if isinstance(rules, InstrumentedGame):
        checked += check_compiled(rules, met, complete, seed)
    folded = rules.implements("canonical") and bool(starts) and check_symmetry(game.plain(), limit)
    return CheckReport(len(met), complete, tuple(checked), folded)


def _starts(game: Game) -> list[Any]:
    given = asked(game, "starts")
    try:
        return list(given)
    except TypeError:
        raise RulesError(f"starts() gave {given!r}: expected positions to start from") from None
