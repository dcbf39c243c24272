"""The answer to a solve on a person's screen."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from retrosolve.pursuit.police import PoliceAndThief, verdict
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.runtime.files import one_line
from retrosolve.solution import Solution
from retrosolve.values import Outcome, Value

CELL_STYLES = {"P": "bold blue", "C": "bold blue", "T": "bold red", "E": "bold green", "*": "dim"}
TEXT_AT_MOST = 60


def show(
    console: Console,
    game: Game | CompiledGame | None,
    solution: Solution,
    seconds: Mapping[str, float],
    verified: bool | None,
    plies: int,
) -> None:
    """Print the start's outcome and play, the counts, and where the time went.

    ``console`` takes text as it is, not as markup.
    """
    if isinstance(game, PoliceAndThief):
        _show_board(console, game, solution)
    elif solution.start is not None:
        outcome = solution[solution.start]
        name = _short(solution.space.text(solution.start))
        console.print(f"Start {name}: {outcome_in_words(outcome)}")
    if solution.start is not None:
        _show_play(console, solution, solution.start, plies)
    _show_counts(console, solution)
    console.print(f"{solution.num_edges} moves, solver {one_line(solution.solver)}, {_proof(verified)}")
    parts = [f"{stage} {time:.3f} s" for stage, time in seconds.items()]
    console.print(f"Time: {', '.join(parts)}, in all {sum(seconds.values()):.3f} s")


def outcome_in_words(outcome: Outcome) -> str:
    """Say what an outcome means.

    >>> outcome_in_words(Outcome(Value.DRAW, None))
    'DRAW, the player to move can play for ever and not win'
    """
    value, plies = outcome
    if value is Value.DRAW:
        return "DRAW, the player to move can play for ever and not win"
    means = {
        Value.WIN: "the player to move wins",
        Value.LOSS: "the player to move loses",
        Value.TIE: "the game ends with no winner",
    }
    after = "" if plies is None else f" in {plies} {_plies(plies)}"
    return f"{value.name}{after}, {means[value]}"


def _show_board(console: Console, game: PoliceAndThief, solution: Solution) -> None:
    for line in str(game.board).splitlines():
        console.print(Text.assemble(*((cell, CELL_STYLES.get(cell, "")) for cell in line)))
    if game.initial is None:
        console.print("No policeman or no thief on the board: all positions are solved.")
        return
    outcome = solution[game.initial]
    console.print(Text(verdict(outcome, game.initial.turn), "bold"))
    turn = game.initial.turn
    judged = f"{outcome.value.name} for the {turn}, who moves first"
    if outcome.remoteness is not None:
        judged += f"; remoteness {outcome.remoteness} {_plies(outcome.remoteness)}"
    console.print(judged)


def _show_play(console: Console, solution: Solution, start: Hashable, plies: int) -> None:
    line = solution.line(start, plies + 1)
    if not line or plies == 0:
        return
    console.print("Perfect play:" if len(line) <= plies else f"Perfect play, first {plies} plies:")
    position = start
    for number, move in enumerate(line[:plies], 1):
        movers = solution.space.player(np.array([solution.space.index(position)]))
        who = "" if movers is None else one_line(solution.space.players[int(movers[0])]) + " "
        name, target = one_line(move.name), _short(solution.space.text(move.position))
        shown = f"{who}{name}" + ("" if target == name else f"  ->  {target}")
        console.print(f"  {number:>3}. {shown}  ({move.outcome})")
        position = move.position


def _show_counts(console: Console, solution: Solution) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("positions")
    for value in (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW):
        table.add_column(value.label, justify="right")
    table.add_row("all", *map(str, solution.counts().values()))
    for player, counts in (solution.counts_by_player() or {}).items():
        table.add_row(f"{one_line(player)} to move", *map(str, counts.values()))
    longest = solution.longest()
    table.add_row("longest, plies", *(_dash(longest.get(value)) for value in solution.counts()))
    console.print(table)


def _proof(verified: bool | None) -> str:
    return "proven by the independent check" if verified else "not checked"


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= TEXT_AT_MOST else text[: TEXT_AT_MOST - 3] + "..."


def _plies(number: int | None) -> str:
    return "ply" if number == 1 else "plies"


def _dash(number: int | None) -> str:
    return "-" if number is None else str(number)
