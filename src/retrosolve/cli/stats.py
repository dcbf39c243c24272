"""``retrosolve stats``: what a solution contains, in numbers and examples."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from typing import Any

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, json_option, takes_input
from retrosolve.cli.output import print_line, print_table
from retrosolve.cli.report import json_position, print_counts, summary_records
from retrosolve.errors import StoreError
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.solution.records import by_label, by_remoteness
from retrosolve.solution.view import shorten
from retrosolve.solution.zugzwang import Zugzwang
from retrosolve.tables.summary import tier_distributions
from retrosolve.values import Value

DEFAULT_PLIES = 30
EXAMPLES = 10  # of mutual zugzwangs


@click.command(
    epilog=epilog("retrosolve stats saved", "retrosolve stats saved --digest --json", solvers=True)
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option("--digest", "with_digest", is_flag=True, help="Print a SHA-256 of the decoded table.")
@click.option(
    "--plies", default=DEFAULT_PLIES, show_default=True, help="The most plies of the longest win."
)
@click.option(
    "--zugzwangs",
    is_flag=True,
    help="Count the mutual zugzwangs, in games whose rules define null_move(position).",
)
@json_option
def stats(
    request: Request,
    with_digest: bool,
    plies: int,
    zugzwangs: bool,
    as_json: bool,
) -> None:
    """Print how many positions of INPUT have which value and remoteness, with an example of each.

    A saved solution and a file that holds values are taken as they are; anything else is solved first.
    In a mutual zugzwang each player does worse with the move than without it. A game whose tiers have
    names, as chess:4men has those of its endings, is also counted by tier. Examples and tiers of a
    saved solution need its rules.
    """
    solution = request.solution()
    mutual = list(solution.zugzwangs()) if zugzwangs else None
    missing = _missing_rules(solution)
    examples = None if missing else solution.examples()
    tiers = {} if missing else _tier_records(solution, mutual)
    if missing is not None:
        print_line(f"note: no examples, {missing}", err=True)
    if as_json:
        record = _record(solution, examples, mutual)
        click.echo(json.dumps(record | ({"tiers": tiers} if tiers else {})))
        return
    _print(solution, examples, plies)
    _print_tiers(tiers)
    if mutual is not None:
        _print_zugzwangs(solution, mutual)
    if with_digest:
        print_line(f"digest {solution.digest()}")


def _missing_rules(solution: Solution) -> StoreError | None:
    """Return the error of what needs the positions of a saved solution; None if they are known."""
    if isinstance(solution, OpenedSolution) and not solution.opened.has_rules:
        try:
            solution.opened.check_rules()
        except StoreError as error:
            return error
    return None


Examples = dict[Any, dict[int | None, Any]]


def _record(
    solution: Solution, examples: Examples | None, zugzwangs: list[Zugzwang] | None
) -> dict[str, Any]:
    """Return the statistics, ready for JSON."""
    num_bytes = solution.num_bytes
    record = {
        "positions": len(solution),
        **summary_records(solution),
        "histogram": by_remoteness(solution.histogram()),
        "examples": examples
        and by_remoteness(
            {
                value: {plies: json_position(solution, position) for plies, position in part.items()}
                for value, part in examples.items()
            }
        ),
        "bytes": num_bytes,
        "bits_per_position": num_bytes and round(8 * num_bytes / max(len(solution), 1), 4),
        "verified": solution.verified,
        "digest": solution.digest(),
    }
    if zugzwangs is not None:
        pairs = [[json_position(solution, position) for position in pair] for pair in zugzwangs]
        record["mutual_zugzwangs"] = {"count": len(zugzwangs), "examples": pairs[:EXAMPLES]}
    return record


def _tier_records(solution: Solution, zugzwangs: list[Zugzwang] | None) -> dict[str, dict[str, Any]]:
    """Return the counts of the tiers of each name; nothing where tiers have no names."""
    space = solution.space
    names = space.tier_names
    if names is None:
        return {}
    records: dict[str, dict[str, Any]] = {}
    for name, part in tier_distributions(solution.table, space.tiers, names).items():
        counts, longest = part.counts(), part.longest()
        records[name] = {
            "positions": sum(counts.values()),
            "counts": by_label(counts),
            "longest": {value.label: plies or 0 for value, plies in longest.items()},
        }
    if zugzwangs is not None:
        met = Counter(
            names[bisect_right(space.tiers, space.index(pair.position)) - 1] for pair in zugzwangs
        )
        for name, record in records.items():
            record["mutual_zugzwangs"] = met[name]
    return records


def _print_tiers(tiers: dict[str, dict[str, Any]]) -> None:
    """Print a row for the tiers of each name."""
    if not tiers:
        return
    first = next(iter(tiers.values()))
    labels = list(first["counts"])
    lengths = [label for label in (Value.WIN.label, Value.LOSS.label) if label in first["longest"]]
    extra = ["zugzwangs"] if "mutual_zugzwangs" in first else []
    rows = [("tier", "positions", *labels, *(f"longest {label}" for label in lengths), *extra)]
    for name, record in tiers.items():
        longest = record["longest"]
        numbers = [record["positions"], *(record["counts"][label] for label in labels)]
        numbers += [longest[label] for label in lengths]
        if extra:
            numbers.append(record["mutual_zugzwangs"])
        rows.append((name, *map(str, numbers)))
    print_table(rows, right=range(1, len(rows[0])))


def _print(solution: Solution, examples: Examples | None, plies: int) -> None:
    """Print the statistics for a person."""
    print_counts(solution)
    _print_histogram(solution, examples)
    wins = {} if examples is None else examples.get(Value.WIN, {})
    if wins and plies > 0 and solution.table.has_remoteness:
        line = solution.line(list(wins.values())[-1], plies)
        print_line("The longest win:")
        for row in line.rows():
            print_line(f"  {row}")
    if solution.num_bytes is not None:
        bits = 8 * solution.num_bytes / max(len(solution), 1)
        print_line(f"{solution.num_bytes} bytes, {bits:.3f} bits a position")
    print_line("verified" if solution.verified else "not verified")


def _print_histogram(solution: Solution, examples: Examples | None) -> None:
    """Print the number of positions of each value and remoteness, with an example of each."""
    rows: list[tuple[str, ...]] = [("value", "remoteness", "positions")]
    rows[0] += ("example",) if examples else ()
    for value, part in solution.histogram().items():
        for plies, number in part.items():
            row = value.label, "-" if plies is None else str(plies), str(number)
            example = (shorten(solution.space.text(examples[value][plies])),) if examples else ()
            rows.append(row + example)
    print_table(rows, right=(1, 2))


def _print_zugzwangs(solution: Solution, zugzwangs: list[Zugzwang]) -> None:
    """Print the number of mutual zugzwangs, and some of them."""
    print_line(f"{len(zugzwangs)} mutual zugzwangs")
    for pair in zugzwangs[:EXAMPLES]:
        described = (
            f"{shorten(solution.space.text(position))}: {solution[position]}" for position in pair
        )
        print_line(f"  {', '.join(described)}")
