"""check_game: tests of the contract of rules on a sample of positions."""

from __future__ import annotations

from dataclasses import dataclass

from retrosolve.errors import GraphError
from retrosolve.rules.calls import start_positions
from retrosolve.rules.checks.compiled import check_compiled, sampled_indices
from retrosolve.rules.checks.compiling import check_compiles
from retrosolve.rules.checks.findings import Findings
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.rules.checks.parsing import check_parse
from retrosolve.rules.checks.pictures import check_pictures
from retrosolve.rules.checks.plain import PlainCheck
from retrosolve.rules.checks.symmetry import check_symmetry
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.rules.indexing import checked_declarations, functions_of
from retrosolve.rules.interpreted import InterpretedGame


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
    findings : tuple of str
        The first violation of each kind, with the rule and the position that show it; empty if the
        rules keep their contract.

    Examples
    --------
    >>> print(CheckReport(3, True, ("moves", "terminal")))
    all 3 positions: moves, terminal
    """

    positions: int
    complete: bool
    rules: tuple[str, ...]
    symmetry_checked: bool = False
    findings: tuple[str, ...] = ()

    def __str__(self) -> str:
        how_many = f"all {self.positions}" if self.complete else f"{self.positions} of the"
        return "\n".join([f"{how_many} positions: {', '.join(self.rules)}", *self.findings])


def check_game(
    game: Game | CompiledGame,
    *,
    samples: int = 2000,
    seed: int = 0,
    limit: int = 10_000,
    collect: bool = False,
    compiles: bool = False,
) -> CheckReport:
    """Test the contract of :class:`Game` or :class:`CompiledGame` on a sample of positions.

    Parameters
    ----------
    game : Game or CompiledGame
        Compiled rules are called as plain Python.
    samples : int
        The approximate number of positions to check.
    seed : int
        Seed of the random choices. The same seed checks the same positions.
    limit : int
        The largest number of positions for which the symmetry is tested by solving the game twice.
    collect : bool
        Whether to go on after a violation and collect the first one of each kind in
        ``CheckReport.findings``, instead of raising it.
    compiles : bool
        Whether to compile the functions of compiled rules too, as a solve would. It takes seconds.

    Returns
    -------
    CheckReport
        What was checked.

    Raises
    ------
    RulesError
        For the first violation, with the rule and the position that show it. With ``collect`` only if
        the rules cannot be called at all, because they give no start, for example.
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
      targets of moves. A game of at most ``limit`` positions is also solved with and without it, and
      every value and remoteness is compared;
    - ``svg`` returns well-formed XML for up to 50 of the positions, and the points of each move are in
      the picture and are those of no move to another position;
    - ``parse`` reads the text of up to 200 of the positions as that position.

    For compiled rules it also checks that

    - ``successors`` and ``predecessors`` write within bounds, read no entry that they have not written,
      and agree with each other;
    - ``rank`` and ``unrank`` are inverse, for positions that ``predecessors`` writes too;
    - ``parse`` accepts no text with a few characters changed that is no position of a dense index;
    - no move leads to an INVALID position, beyond the index or to a later tier;
    - ``data`` does not change.

    Calls each rule a few times per sample, about ten times with ``predecessors``, and twice more with
    ``canonical``, for up to ``limit`` positions.

    Examples
    --------
    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> print(check_game(TicTacToe(), samples=100))
    100 of the positions: moves, terminal, player, svg, move_points

    Two violations at once:

    >>> import retrosolve as rs
    >>> class Countdown(rs.Game):
    ...     def start(self):
    ...         return 3
    ...     def moves(self, n):
    ...         return [("one", n - 1), "two"] if n else []
    ...     def player(self, n):
    ...         return n
    >>> for finding in check_game(Countdown(), collect=True).findings:
    ...     print(finding.partition(", ")[0].partition(" (")[0])
    player(3) gave 3: expected 0 or 1
    moves(3) gave 'two' and
    """
    for name, number, least in (("samples", samples, 1), ("seed", seed, 0), ("limit", limit, 0)):
        if type(number) is not int or number < least:
            raise GraphError(f"{name}={number!r}: expected a whole number, {least} or more")
    rules: Game = game if isinstance(game, Game) else InstrumentedGame(checked_declarations(game))
    starts = rules.starts() if isinstance(rules, InstrumentedGame) else start_positions(rules)
    drawn: list[int] = []
    every_index = True
    if isinstance(rules, InstrumentedGame):
        drawn, every_index = sampled_indices(rules, max(1, samples // 3), seed)
    findings = Findings(collect)
    check = PlainCheck(rules, findings)
    complete = check.sample([*starts, *drawn], samples, seed) and every_index
    check.check()
    optional = ("terminal", "player", "canonical")
    checked = ["moves", *(name for name in optional if rules.implements(name))]
    positions = list(check.first)
    if isinstance(rules, InstrumentedGame):
        with findings.catch("compiled rules"):
            checked += check_compiled(rules, positions, complete, seed)
        if compiles:
            with findings.catch("compiling"):
                check_compiles(rules.name, functions_of(rules.game), rules.game.compiled_data)
    if rules.implements("svg"):
        checked += [name for name in ("svg", "move_points") if rules.implements(name)]
        with findings.catch("svg"):
            check_pictures(rules, positions)
    if rules.implements("parse"):
        checked.append("parse")
        with findings.catch("parse"):
            check_parse(rules, positions, seed)
    symmetric = False
    if rules.implements("canonical") and starts and not findings.messages:
        with findings.catch("symmetry"):
            symmetric = check_symmetry(game if isinstance(game, Game) else InterpretedGame(game), limit)
    return CheckReport(len(positions), complete, tuple(checked), symmetric, findings.messages)
