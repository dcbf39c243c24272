"""``retrosolve compare``: the differences between two solutions of the same game."""

from __future__ import annotations

import json
from typing import Any

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import Request, json_option, trust_option
from retrosolve.cli.output import print_line, print_table, progress_bar
from retrosolve.cli.report import json_position
from retrosolve.solution import Solution
from retrosolve.solution.comparison import Comparison
from retrosolve.solution.comparison import compare as compare_solutions
from retrosolve.solution.view import shorten
from retrosolve.values import INVALID

KINDS = {
    "missing": "positions of one of them only",
    "values": "other values",
    "remoteness": "same value, other remoteness",
}


@click.command(
    epilog=epilog("retrosolve compare saved copy", "retrosolve compare saved chess:KRK --json")
)
@click.argument("first", metavar="INPUT")
@click.argument("second", metavar="INPUT2")
@trust_option
@json_option
def compare(first: str, second: str, trust_rules: bool, as_json: bool) -> None:
    """Compare the solutions of the same game that INPUT and INPUT2 are, in whatever form.

    A saved solution and a file that holds values are taken as they are; anything else is solved first.
    The exit status is 1 if they differ.
    """
    with progress_bar() as report:
        requests = [Request(source, trust_rules=trust_rules) for source in (first, second)]
        one = requests[0].solve(requests[0].load(), report)
        loaded = requests[1].load()
        loaded.stuck = loaded.stuck or one.stuck.label
        other = requests[1].solve(loaded, report)
    comparison = compare_solutions(one, other)
    if as_json:
        click.echo(json.dumps(_record(comparison, one, other)))
    else:
        _print(comparison, one, other)
    if not comparison.equal:
        click.get_current_context().exit(1)


def _sides(comparison: Comparison, one: Solution, other: Solution) -> list[tuple[Solution, int]]:
    """Return the two solutions with the index of the first difference, -1 for none."""
    return [] if comparison.first is None else list(zip((one, other), comparison.first, strict=True))


def _outcome(solution: Solution, vertex: int) -> str:
    """Return the outcome of an index in words."""
    value, plies = solution.table.outcome(vertex) if vertex >= 0 else (INVALID, -1)
    if value == INVALID:
        return "no position"
    return str(solution.table.codec.outcome(value, plies))


def _record(comparison: Comparison, one: Solution, other: Solution) -> dict[str, Any]:
    """Return a comparison, ready for JSON."""
    counts = {kind: getattr(comparison, kind) for kind in KINDS}
    record = {"equal": comparison.equal, "positions": comparison.num_positions, **counts, "first": None}
    for solution, vertex in _sides(comparison, one, other):
        if vertex >= 0 and record["first"] is None:
            position = json_position(solution, solution.space.position(vertex))
            outcomes = [_outcome(*side) for side in _sides(comparison, one, other)]
            record["first"] = {"position": position, "outcomes": outcomes}
    return record


def _print(comparison: Comparison, one: Solution, other: Solution) -> None:
    """Print a comparison for a person."""
    if comparison.equal:
        print_line(f"equal: {comparison.num_positions} positions")
        return
    rows = [(KINDS[kind], str(getattr(comparison, kind))) for kind in KINDS]
    print_table([("positions", str(comparison.num_positions)), *rows], right=[1])
    sides = _sides(comparison, one, other)
    names = [shorten(side.space.text(side.space.position(v))) for side, v in sides if v >= 0]
    first, second = (_outcome(*side) for side in sides)
    print_line(f"The first difference is {names[0]}: {first} in the first, {second} in the second")
