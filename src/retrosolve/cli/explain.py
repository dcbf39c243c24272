"""``retrosolve explain``: the algorithm on a small input, or one position as a proof tree."""

from __future__ import annotations

from itertools import islice

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import OBJECTIVE_OPTION, STUCK_OPTIONS, Request, language_option, takes_input
from retrosolve.cli.output import print_line, print_sentence, progress_bar
from retrosolve.explanation.explaining import DEPTH, WIDTH
from retrosolve.explanation.steps import EXPLAINED, MAX_VERTICES


@click.command(
    epilog=epilog(
        "retrosolve explain examples/token.csv",
        "retrosolve explain tictactoe --depth 2",
        "retrosolve explain graph.csv --start b",
    )
)
@takes_input(*STUCK_OPTIONS, OBJECTIVE_OPTION)
@click.option("--depth", type=click.IntRange(1), help=f"Plies to explain (default: {DEPTH}).")
@click.option(
    "--width", type=click.IntRange(1), help=f"Moves to show of each position (default: {WIDTH})."
)
@language_option
def explain(
    request: Request,
    depth: int | None,
    width: int | None,
    language: str,
) -> None:
    """Explain why a position of INPUT has its value, as a tree of moves.

    The position is the start, or the one that --start names. Without --start, --depth and --width, a
    game of at most 200 positions is explained as a whole, unless --objective asks for more than values
    and remoteness: how every position is decided, step by step.
    """
    loaded = request.load()
    with progress_bar() as report:
        solution = request.solve(loaded, report)
    whole = request.start is None and depth is None and width is None
    whole = whole and solution.objective.name in EXPLAINED
    if whole and sum(1 for _ in islice(solution, MAX_VERTICES + 1)) <= MAX_VERTICES:
        for section in rs.explain(loaded.subject, stuck=solution.stuck.label, language=language):
            print_line(section.heading, bold=True)
            for sentence in section.sentences:
                print_sentence(f"  {sentence}")
        return
    if solution.start is None:
        raise rs.GraphError("INPUT has no start and many positions: expected --start POSITION")
    proof = rs.explain(
        solution, solution.start, depth=depth or DEPTH, width=width or WIDTH, language=language
    )
    for row in proof.rows():
        print_sentence(row)
