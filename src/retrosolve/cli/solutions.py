"""``retrosolve probe``, ``stats`` and ``compare``: what solutions hold, by position and in numbers."""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from gettext import NullTranslations
from typing import Any

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import (
    SOLVER_OPTIONS,
    STUCK_OPTIONS,
    Request,
    json_option,
    language_option,
    takes_input,
    trust_option,
)
from retrosolve.cli.output import print_line, print_sentence, print_table, progress_bar
from retrosolve.cli.report import (
    json_position,
    outcome_in_words,
    print_counts,
    print_moves,
    print_outcome,
    probe_record,
    summary_records,
)
from retrosolve.errors import one_line
from retrosolve.languages import decimal, digits, translation
from retrosolve.languages.phrases import label_text, proven_record, proven_text
from retrosolve.runtime.context import ProgressCallback
from retrosolve.solution import OpenedSolution
from retrosolve.solution.records import by_remoteness, counted, longest_by_label
from retrosolve.solution.view import outcome_in, position_in
from retrosolve.solution.zugzwang import Zugzwang
from retrosolve.tables.summary import tier_distributions

STANDARD_INPUT = "-"
DEFAULT_PLIES = 30
EXAMPLES = 10  # of mutual zugzwangs
DIFFERENCES = {
    "missing": "positions of one of them only",
    "values": "other values",
    "remoteness": "same value, other remoteness",
}


# -- probe -------------------------------------------------------------------------------------------


@click.command(
    epilog=epilog(
        "retrosolve probe stones:n=10 7 8",
        'retrosolve probe krk "8/8/8/3k4/8/8/1R6/K7 w" --json',
        "retrosolve probe graph.csv - < positions.txt",
        "retrosolve probe saved --index 7 8",
        "retrosolve probe nogo --objective nimber --sum ......... ....X....",
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
@click.option(
    "--sum",
    "as_sum",
    is_flag=True,
    help="Add up the POSITIONs, of a solution for nimbers: who wins if a player moves in one of them, "
    "and by which move.",
)
@click.option(
    "--moves/--no-moves",
    "with_moves",
    default=True,
    help="Whether to print the moves of each POSITION (default: yes). Moves of edges on disk take "
    "reading them once for each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each position.")
@language_option
def probe(
    request: Request,
    positions: tuple[str, ...],
    by_index: bool,
    as_sum: bool,
    with_moves: bool,
    as_json: bool,
    language: str,
) -> int:
    """Print the value and remoteness of each POSITION of INPUT, and its moves, best first.

    A saved solution and a file that holds values are looked up; anything else is solved first. POSITION
    is a vertex or a position as text; without one, the start of the game. A dash reads positions from
    standard input, one a line. A POSITION that INPUT does not have is an error at the end: the others
    are answered.
    """
    if request.source == STANDARD_INPUT and STANDARD_INPUT in positions:
        raise click.UsageError("INPUT and POSITION are both -: expected only one of them")
    if by_index and (as_sum or not positions):
        what = "with --sum" if as_sum else "without a POSITION"
        raise click.UsageError(f"--index {what}: expected an index of the table")
    solution, to = request.solution(), translation(language)
    if as_sum:
        _answer_sum(solution, [solution.space.parse(text) for text, _ in _texts(positions)], as_json)
        return 0
    if not positions:
        if solution.start is None:
            raise click.UsageError("INPUT has no start: expected a POSITION, or - for standard input")
        _answer(solution, solution.start, with_moves, as_json, to)
    status = 0
    for text, place in _texts(positions):
        try:
            if by_index:
                _answer_index(solution, text, as_json, to)
            else:
                _answer(solution, solution.space.parse(text), with_moves, as_json, to)
        except rs.PositionError as error:
            status = 2
            if as_json:
                click.echo(json.dumps({"position": text, "error": one_line(str(error))}))
            print_line(f"retrosolve: {place}{error}", err=True)
    return status


def _answer(
    solution: rs.Solution, position: Hashable, with_moves: bool, as_json: bool, to: NullTranslations
) -> None:
    """Print the outcome and perhaps the moves of a position."""
    if as_json:
        click.echo(json.dumps(probe_record(solution, position, with_moves)))
    else:
        print_outcome(solution, position, to=to)
        if with_moves:
            print_moves(solution, position, to)


def _answer_sum(solution: rs.Solution, positions: Sequence[Hashable], as_json: bool) -> None:
    """Print who wins several positions at once, and by which move."""
    answer = rs.sum(*((solution, position) for position in positions))
    if as_json:
        record = {"value": answer.value.label, "outcome": answer.outcome.label}
        move = None if answer.move is None else answer.move.name
        click.echo(json.dumps(record | {"summand": answer.summand, "move": move}))
    else:
        print_line(str(answer))


def _answer_index(solution: rs.Solution, text: str, as_json: bool, to: NullTranslations) -> None:
    """Print the outcome of an index of the table."""
    n = solution.table.num_vertices
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < n):
        raise rs.PositionError(f"{text!r} is no index: expected a number from 0 to {n - 1}")
    index = int(text)
    outcome = solution.table.position_outcome(index)
    if outcome is None:
        raise rs.PositionError(f"index {index} is no position: expected one that is")
    if as_json:
        click.echo(json.dumps({"index": index, **solution.objective.fields(outcome)}))
    else:
        print_line(f"index {index}: {outcome_in_words(outcome, to=to)}")


def _texts(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the positions named by arguments and standard input, and their places for errors."""
    for argument in arguments:
        if argument != STANDARD_INPUT:
            yield argument, ""
            continue
        for number, line in enumerate(sys.stdin, 1):
            if text := line.strip():
                yield text, f"standard input, line {number}: "


# -- stats -------------------------------------------------------------------------------------------


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
@language_option
def stats(
    request: Request, with_digest: bool, plies: int, zugzwangs: bool, as_json: bool, language: str
) -> None:
    """Print how many positions of INPUT have which value and remoteness, with an example of each.

    A saved solution and a file that holds values are taken as they are; anything else is solved first.
    In a mutual zugzwang each player does worse with the move than without it. A game whose tiers have
    names, as chess:4men has those of its endings, is also counted by tier. Examples and tiers of a
    saved solution need its rules.
    """
    solution = request.solution()
    mutual = None
    missing: rs.StoreError | str | None = _missing_rules(solution)
    with progress_bar() as report:
        if zugzwangs:
            mutual = list(solution.zugzwangs(progress=report))
        examples = None if missing else solution.examples(progress=report)
        tiers = {} if missing else _tier_records(solution, mutual, report)
    if missing is not None:
        if isinstance(missing, rs.UntrustedRulesError):
            missing = f"{missing.reason}: expected --trust-rules"
        print_line(f"note: no examples, {missing}", err=True)
    if as_json:
        record = _stats_record(solution, examples, mutual)
        click.echo(json.dumps(record | ({"tiers": tiers} if tiers else {})))
        return
    to = translation(language)
    _print_stats(solution, examples, plies, to)
    _print_tiers(tiers, solution.objective.groups, to)
    if mutual is not None:
        _print_zugzwangs(solution, mutual, to)
    if with_digest:
        print_sentence(to.gettext("digest {digest}").format(digest=solution.digest()))


def _missing_rules(solution: rs.Solution) -> rs.StoreError | None:
    """Return the error of what needs the positions of a saved solution; None if they are known."""
    if isinstance(solution, OpenedSolution) and not solution.opened.has_rules:
        try:
            solution.opened.check_rules()
        except rs.StoreError as error:
            return error
    return None


Examples = dict[Any, dict[int | None, Any]]


def _stats_record(
    solution: rs.Solution, examples: Examples | None, zugzwangs: list[Zugzwang] | None
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
        **proven_record(solution.proven),
        "digest": solution.digest(),
    }
    if zugzwangs is not None:
        pairs = [[json_position(solution, position) for position in pair] for pair in zugzwangs]
        record["mutual_zugzwangs"] = {"count": len(zugzwangs), "examples": pairs[:EXAMPLES]}
    return record


def _tier_records(
    solution: rs.Solution, zugzwangs: list[Zugzwang] | None, report: ProgressCallback
) -> dict[str, dict[str, Any]]:
    """Return the counts of the tiers of each name; nothing where tiers have no names."""
    space = solution.space
    names = space.tier_names
    if names is None:
        return {}
    records: dict[str, dict[str, Any]] = {}
    for name, part in tier_distributions(solution.table, space.tiers, names, report).items():
        counts = part.counts()
        records[name] = {
            "positions": sum(counts.values()),
            "counts": counted(counts, solution.objective),
            "longest": longest_by_label(part.longest(), solution.objective),
        }
    if zugzwangs is not None:
        met = Counter(
            names[bisect_right(space.tiers, space.index(pair.position)) - 1] for pair in zugzwangs
        )
        for name, record in records.items():
            record["mutual_zugzwangs"] = met[name]
    return records


def _print_tiers(
    tiers: dict[str, dict[str, Any]], groups: Mapping[rs.Value, str], to: NullTranslations
) -> None:
    """Print a row for the tiers of each name."""
    if not tiers:
        return
    first = next(iter(tiers.values()))
    labels = list(first["counts"])
    names = {value: groups.get(value, value.label) for value in rs.Value}
    words = {label: label_text(value, to.gettext) for value, label in names.items()}
    ends = (names[rs.Value.WIN], names[rs.Value.LOSS])
    lengths = [label for label in ends if label in first["longest"]]
    extra = [to.gettext("zugzwangs")] if "mutual_zugzwangs" in first else []
    longest_of = to.gettext("longest {value}")
    heading = [to.gettext("tier"), to.gettext("positions")]
    heading += [words.get(label, label) for label in labels]
    heading += [longest_of.format(value=words[label]) for label in lengths]
    rows = [(*heading, *extra)]
    for name, record in tiers.items():
        longest = record["longest"]
        numbers = [record["positions"], *(record["counts"][label] for label in labels)]
        numbers += [longest[label] if record["counts"][label] else "-" for label in lengths]
        if extra:
            numbers.append(record["mutual_zugzwangs"])
        rows.append((name, *(digits(number, to.gettext) for number in numbers)))
    print_table(rows, right=range(1, len(rows[0])))


def _print_stats(
    solution: rs.Solution, examples: Examples | None, plies: int, to: NullTranslations
) -> None:
    """Print the statistics for a person."""
    print_counts(solution, to, every=True)
    _print_histogram(solution, examples, to)
    wins = {} if examples is None else examples.get(rs.Value.WIN, {})
    if wins and plies > 0 and solution.table.has_remoteness:
        start = list(wins.values())[-1]
        text = position_in(to, solution.space.text(start))
        print_sentence(to.gettext("The longest win, from {position}:").format(position=text))
        for row in solution.line(start, plies).rows(to):
            print_sentence(f"  {row}")
    if solution.num_bytes is not None:
        bits = decimal(8 * solution.num_bytes / max(len(solution), 1), to.gettext)
        size = digits(solution.num_bytes, to.gettext)
        sentence = to.gettext("{bytes} bytes, {bits} bits a position")
        print_sentence(sentence.format(bytes=size, bits=bits))
    print_sentence(proven_text(solution.proven, to))


def _print_histogram(solution: rs.Solution, examples: Examples | None, to: NullTranslations) -> None:
    """Print the number of positions of each value and remoteness, with an example of each."""
    heading = [to.gettext("value"), to.gettext("remoteness"), to.gettext("positions")]
    rows = [(*heading, *((to.gettext("example"),) if examples else ()))]
    for value, part in solution.histogram().items():
        for plies, number in part.items():
            text = solution.space.text(examples[value][plies]) if examples else ""
            length = "-" if plies is None else digits(plies, to.gettext)
            counted = digits(number, to.gettext)
            row = (label_text(value, to.gettext), length, counted, position_in(to, text))
            rows.append(row[: len(rows[0])])
    print_table(rows, right=(1, 2))


def _print_zugzwangs(solution: rs.Solution, zugzwangs: list[Zugzwang], to: NullTranslations) -> None:
    """Print the number of mutual zugzwangs, and some of them."""
    n = len(zugzwangs)
    sentence = to.ngettext("{n} mutual zugzwang", "{n} mutual zugzwangs", n)
    print_sentence(sentence.format(n=digits(n, to.gettext)))
    for pair in zugzwangs[:EXAMPLES]:
        described = (
            f"{position_in(to, solution.space.text(position))}: {outcome_in(to, solution[position])}"
            for position in pair
        )
        print_sentence(f"  {to.gettext(', ').join(described)}")


# -- compare -----------------------------------------------------------------------------------------


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
        comparison = rs.compare(one, other, progress=report)
    counts = {kind: getattr(comparison, kind) for kind in DIFFERENCES}
    record = {"equal": comparison.equal, "positions": comparison.num_positions, **counts, "first": None}
    if comparison.first is not None and comparison.outcomes is not None:
        sides = zip((one, other), comparison.first, strict=True)
        where, vertex = next(side for side in sides if side[1] >= 0)
        record["first"] = {
            "position": json_position(where, where.space.position(vertex)),
            "outcomes": [str(outcome or "no position") for outcome in comparison.outcomes],
        }
    if as_json:
        click.echo(json.dumps(record))
    elif comparison.equal:
        print_line(str(comparison))
    else:
        rows = [(text, str(counts[kind])) for kind, text in DIFFERENCES.items()]
        print_table([("positions", str(comparison.num_positions)), *rows], right=[1])
        for line in comparison.details:
            print_line(line)
    if not comparison.equal:
        click.get_current_context().exit(1)
