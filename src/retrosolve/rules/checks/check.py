"""check_game: tests of the contract of rules on a sample of positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from retrosolve.errors import GraphError, RulesError
from retrosolve.rules.checks.compiled import check_compiled, sampled_indices
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.checks.plain import PlainCheck
from retrosolve.rules.checks.symmetry import check_symmetry
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.exploring import call_rule
from retrosolve.rules.game import Game


@dataclass(frozen=True)
class CheckReport:
    """The result of :func:`check_game`.

    Parameters
    ----------
    positions : int
        The number of positions checked.
    complete : bool
        Whether these are all positions of the game.
    rules : tuple of str
        The rules checked.
    symmetry_checked : bool
        Whether the game was solved with and without ``canonical`` and all outcomes compared.

    Examples
    --------
    >>> print(CheckReport(3, True, ("moves", "terminal")))
    all 3 positions: moves, terminal
    """

    positions: int
    complete: bool
    rules: tuple[str, ...]
    symmetry_checked: bool = False

    def __str__(self) -> str:
        how_many = f"all {self.positions}" if self.complete else f"{self.positions} of the"
        return f"{how_many} positions: {', '.join(self.rules)}"


def check_game(
    game: Game | CompiledGame, samples: int = 2000, seed: int = 0, limit: int = 10_000
) -> CheckReport:
    """Test the contract of :class:`Game` or :class:`CompiledGame` on a sample of positions.

    Parameters
    ----------
    game : Game or CompiledGame
        Compiled rules are called as plain Python; nothing is compiled.
    samples : int
        The approximate number of positions to check.
    seed : int
        Seed of the random choices. The same seed checks the same positions.
    limit : int
        The largest number of positions for which the symmetry is tested by solving the game twice.

    Returns
    -------
    CheckReport
        What was checked.

    Raises
    ------
    RulesError
        For the first violation, with the rule and the position that show it.
    GraphError
        For invalid arguments.

    Notes
    -----
    Two thirds of the positions are the first ones in a breadth-first search from the start, the others
    are reached by random play. For a game with a dense index a third are random indices.

    For all rules it checks that

    - moves are pairs of a name and a hashable position, and all rules return valid results;
    - rules return the same result when called again, and do not change positions;
    - equal positions have equal hashes;
    - ``canonical`` is idempotent and preserves the terminal value, the player and the canonical
      targets of moves. If at most ``limit`` positions are not terminal, the game is also solved with
      and without it, and every value and remoteness is compared.

    For compiled rules it also checks that

    - ``successors`` and ``predecessors`` write within bounds, read no entry that they have not written,
      and agree with each other;
    - ``rank`` and ``unrank`` are inverse;
    - no move leads to an INVALID position, beyond the index or to a later tier;
    - ``data`` does not change.

    Calls each rule a few times per sample, about ten times with ``predecessors``, and twice more with
    ``canonical``, for up to ``limit`` positions.

    Examples
    --------
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
    positions = list(check.first)
    if isinstance(rules, InstrumentedGame):
        checked += check_compiled(rules, positions, complete, seed)
    symmetric = rules.implements("canonical") and bool(starts) and check_symmetry(game.plain(), limit)
    return CheckReport(len(positions), complete, tuple(checked), symmetric)


def _starts(game: Game) -> list[Any]:
    """Return the starts of plain rules as a list. Raises RulesError."""
    starts = call_rule(game, "starts")
    try:
        return list(starts)
    except TypeError:
        raise RulesError(f"starts() gave {starts!r}: expected positions to start from") from None
