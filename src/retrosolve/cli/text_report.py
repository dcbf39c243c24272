"""The result of ``retrosolve solve`` for a person."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import Any, Protocol, runtime_checkable

import click

from retrosolve.cli.output import print_line, print_table
from retrosolve.cli.position_table import MAX_ROWS, TableOptions, is_small, print_positions
from retrosolve.solution import Solution
from retrosolve.solution.line import shorten
from retrosolve.values import Outcome, Value

CELL_STYLES: dict[str, dict[str, Any]] = {
    "P": {"fg": "blue", "bold": True},
    "C": {"fg": "blue", "bold": True},
    "T": {"fg": "red", "bold": True},
    "E": {"fg": "green", "bold": True},
    "*": {"dim": True},
}


@runtime_checkable
class BoardGame(Protocol):
    """A game with a board to print and a verdict in its own words."""

    board: object

    def board_text(self, position: Any) -> str:
        """Return the board at a position."""

    def player(self, position: Any) -> int:
        """Return who moves, 0 or 1."""

    def verdict(self, outcome: Outcome, position: Any) -> str:
        """Return who wins, in the words of the game."""


def print_report(
    solution: Solution,
    seconds: Mapping[str, float],
    verified: bool | None,
    plies: int,
    table: TableOptions,
) -> None:
    """Print the outcome of the start, optimal play, positions, the counts and the time of each stage.

    Parameters
    ----------
    solution : Solution
        The solution.
    seconds : mapping of str to float
        Time of each stage.
    verified : bool or None
        Whether the solution is verified.
    plies : int
        Maximum number of plies of play to print.
    table : TableOptions
        Which positions to print.
    """
    game = getattr(solution.space, "rules", None)
    if isinstance(game, BoardGame):
        _print_board(game, solution)
    elif solution.start is not None:
        print_outcome(solution, solution.start, "Start ")
    if solution.start is not None:
        _print_play(solution, solution.start, plies)
    print_positions(solution, table)
    print_counts(solution)
    if solution.start is None and not table.is_set and not is_small(solution):
        print_line(f"--table prints {MAX_ROWS} positions, --list loss lost ones, --start POSITION one")
    proof = "proven by the independent check" if verified else "not checked"
    print_line(f"{solution.num_edges} moves, solver {solution.solver}, {proof}")
    stages = ", ".join(f"{stage} {time:.3f} s" for stage, time in seconds.items())
    print_line(f"Time: {stages}, in all {sum(seconds.values()):.3f} s")


def print_outcome(solution: Solution, position: Hashable, prefix: str = "") -> None:
    """Print a position, and what its outcome means."""
    name = shorten(solution.space.text(position))
    print_line(f"{prefix}{name}: {outcome_in_words(solution[position])}")


def print_moves(solution: Solution, position: Hashable) -> None:
    """Print the moves from a position, best first."""
    rows = []
    for move in solution.moves(position):
        target = shorten(solution.space.text(move.position))
        name = shorten(move.name)
        rows.append((f"  {name}", "" if target == name else f"->  {target}", f"({move.outcome})"))
    if rows:
        print_table(rows)
    else:
        print_line("  no move: the game is over")


def outcome_in_words(outcome: Outcome) -> str:
    """Return what an outcome means.

    Examples
    --------
    >>> outcome_in_words(Outcome(Value.DRAW, None))
    'DRAW, perfect play never ends'
    """
    value, plies = outcome
    if value is Value.DRAW:
        return "DRAW, perfect play never ends"
    meaning = {
        Value.WIN: "the player to move wins",
        Value.LOSS: "the player to move loses",
        Value.TIE: "the game ends with no winner",
    }
    after = "" if plies is None else f" in {plies} {_plies(plies)}"
    return f"{value.name}{after}, {meaning[value]}"


def _print_board(game: BoardGame, solution: Solution) -> None:
    start = solution.start
    board = str(game.board) if start is None else game.board_text(start)
    for line in board.splitlines():
        click.echo("".join(click.style(cell, **CELL_STYLES.get(cell, {})) for cell in line))
    if start is None:
        print_line("The board shows no policeman or no thief: all positions are solved.")
        return
    outcome = solution[start]
    turn = solution.space.players[game.player(start)]
    print_line(game.verdict(outcome, start), bold=True)
    judged = f"{outcome.value.name} for the {turn}, who moves first"
    if outcome.remoteness is not None:
        judged += f"; remoteness {outcome.remoteness} {_plies(outcome.remoteness)}"
    print_line(judged)


def _print_play(solution: Solution, start: Hashable, plies: int) -> None:
    line = solution.line(start, plies + 1)
    if not line or plies == 0:
        return
    print_line("Perfect play:" if len(line) <= plies else f"Perfect play, first {plies} plies:")
    for row in islice(line.rows(), plies):
        print_line(f"  {row}")


def print_counts(solution: Solution) -> None:
    """Print the number of positions of each value, and the largest remoteness."""
    values = (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW)
    longest = solution.longest()
    rows = [("positions", *(value.label for value in values))]
    rows.append(("all", *map(str, solution.counts().values())))
    for player, counts in (solution.counts_by_player() or {}).items():
        rows.append((f"{player} to move", *map(str, counts.values())))
    lengths = [longest.get(value) for value in values]
    rows.append(("longest, plies", *("-" if length is None else str(length) for length in lengths)))
    print_table(rows, right=range(1, 1 + len(values)))


def _plies(number: int | None) -> str:
    return "ply" if number == 1 else "plies"
