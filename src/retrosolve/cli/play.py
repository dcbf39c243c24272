"""``retrosolve play``: a game against a perfect or a fallible opponent, in the terminal."""

from __future__ import annotations

import random

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, language_option, takes_input
from retrosolve.cli.terminal_game import TerminalGame
from retrosolve.errors import GraphError
from retrosolve.languages import translation
from retrosolve.solution.playing import GamePlay

SIDES = {"first": (0,), "second": (1,), "both": (0, 1)}


@click.command(
    epilog=epilog(
        "retrosolve play stones:n=10",
        "retrosolve play chess:KRK --mistakes 0.2 --seed 7",
        "retrosolve play saved --side both --no-values",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option(
    "--side",
    type=click.Choice(list(SIDES)),
    default="first",
    show_default=True,
    help="The side that you play: the player who moves first or second, or whom the rules name so.",
)
@click.option(
    "--mistakes",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="How often the opponent makes a move that is not a best one.",
)
@click.option("--seed", type=int, help="Seed of the opponent's choices.")
@click.option(
    "--values/--no-values",
    default=True,
    help="Whether positions and moves are shown with their values (default: yes).",
)
@language_option
def play(
    request: Request,
    side: str,
    mistakes: float,
    seed: int | None,
    values: bool,
    language: str,
) -> None:
    """Play INPUT from its start, or from --start, against a perfect opponent.

    A saved solution is opened; anything else is solved first. Type the number or the name of a move, h
    for a hint, v for the values of all moves, u to take back, s to change sides, q to end the game. The
    game ends with a transcript.
    """
    solution = request.solution()
    if solution.start is None:
        raise GraphError("INPUT has no start: expected --start POSITION")
    game = GamePlay(solution, solution.start)
    chance = random.Random(seed)
    TerminalGame(game, SIDES[side], mistakes, chance, translation(language), values).run()
