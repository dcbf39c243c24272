"""``retrosolve probe``: the value, the remoteness and the moves of single positions."""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, takes_input
from retrosolve.cli.output import print_line
from retrosolve.cli.report import outcome_in_words, print_moves, print_outcome, probe_record
from retrosolve.errors import PositionError, one_line
from retrosolve.solution import Solution
from retrosolve.values import INVALID

STANDARD_INPUT = "-"


@click.command(
    epilog=epilog(
        "retrosolve probe stones:n=10 7 8",
        'retrosolve probe krk "8/8/8/3k4/8/8/1R6/K7 w" --json',
        "retrosolve probe graph.csv - < positions.txt",
        "retrosolve probe saved --index 7 8",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@click.option(
    "--index",
    "by_index",
    is_flag=True,
    help="Read each POSITION as an index of the table, and print no moves: that needs no rules.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each position.")
def probe(
    request: Request,
    positions: tuple[str, ...],
    by_index: bool,
    as_json: bool,
) -> int:
    """Print the value and remoteness of each POSITION of INPUT, and its moves, best first.

    A saved solution and a file that holds values are looked up; anything else is solved first. POSITION
    is a vertex or a position as text; without one, the start of the game. A dash reads positions from
    standard input, one a line. A POSITION that INPUT does not have is an error at the end: the others
    are answered.
    """
    if request.source == STANDARD_INPUT and STANDARD_INPUT in positions:
        raise click.UsageError("INPUT and POSITION are both -: expected only one of them")
    solution = request.solution()
    answer = _answer_index if by_index else _answer_text
    if by_index and not positions:
        raise click.UsageError("--index without a POSITION: expected an index of the table")
    if not positions:
        if solution.start is None:
            raise click.UsageError("INPUT has no start: expected a POSITION, or - for standard input")
        _answer(solution, solution.start, as_json)
    status = 0
    for text, place in _texts(positions):
        try:
            answer(solution, text, as_json)
        except PositionError as error:
            status = 2
            if as_json:
                click.echo(json.dumps({"position": text, "error": one_line(str(error))}))
            print_line(f"retrosolve: {place}{error}", err=True)
    return status


def _answer_text(solution: Solution, text: str, as_json: bool) -> None:
    """Print the outcome and the moves of a position that is given as text."""
    _answer(solution, solution.space.parse(text), as_json)


def _answer(solution: Solution, position: Hashable, as_json: bool) -> None:
    """Print the outcome and the moves of a position."""
    if as_json:
        click.echo(json.dumps(probe_record(solution, position)))
    else:
        print_outcome(solution, position)
        print_moves(solution, position)


def _answer_index(solution: Solution, text: str, as_json: bool) -> None:
    """Print the outcome of an index of the table, for which no rules are needed."""
    n = solution.table.num_vertices
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < n):
        raise PositionError(f"{text!r} is no index: expected a number from 0 to {n - 1}")
    index = int(text)
    value, plies = solution.table.outcome(index)
    if value == INVALID:
        raise PositionError(f"index {index} is no position: expected one that is")
    outcome = solution.table.codec.outcome(value, plies)
    if as_json:
        record = {"index": index, "value": outcome.value.label, "remoteness": outcome.remoteness}
        click.echo(json.dumps(record))
    else:
        print_line(f"index {index}: {outcome_in_words(outcome)}")


class _Text(NamedTuple):
    """A position as text, and its place for errors."""

    text: str
    place: str


def _texts(arguments: Sequence[str]) -> Iterator[_Text]:
    """Yield the positions that the command line and standard input name."""
    for argument in arguments:
        if argument != STANDARD_INPUT:
            yield _Text(argument, "")
            continue
        for number, line in enumerate(sys.stdin, 1):
            if text := line.strip():
                yield _Text(text, f"standard input, line {number}: ")
