"""The results of commands, for a person and as JSON: outcomes, counts, and positions in a table."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from gettext import NullTranslations
from itertools import chain, islice
from typing import Any, Protocol, runtime_checkable

import click
import numpy as np

import retrosolve as rs
from retrosolve.arrays import IntArray
from retrosolve.cli.inputs import option_group
from retrosolve.cli.output import print_line, print_sentence, print_table
from retrosolve.languages import decimal, digits, player_name
from retrosolve.languages.phrases import (
    PLAIN,
    detail_text,
    in_moves,
    label_text,
    outcome_text,
    phrase,
    proven_text,
)
from retrosolve.objectives.base import first_results
from retrosolve.runtime import memory
from retrosolve.runtime.text import mark
from retrosolve.solution.records import clock_record, count_records, longest_by_label, player_to_move
from retrosolve.solution.view import clock_text, position_in, shorten, win_in_moves
from retrosolve.spaces.base import Capability

MAX_ROWS = 40
ROWS_PER_BATCH = 1000
MAX_COLUMNS = 8  # of values; more are printed a row each
EVERY_ROW = "all"


def parse_rows(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read the number of rows of a table. Raises click.BadParameter."""
    if value is None or value == EVERY_ROW:
        return None if value is None else -1
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise click.BadParameter(
            f"{value!r}: expected a number of rows or {EVERY_ROW!r}; INPUT goes before the option, or "
            f"after --table={MAX_ROWS}",
            ctx,
            param,
        )
    return int(value)


@dataclass(frozen=True)
class TableOptions:
    """Which positions to print: the most rows (-1 for all), and the values."""

    rows: int | None = None
    values: tuple[str, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether the command line asks for a table, or for none."""
        return self.rows is not None or bool(self.values)

    def max_rows(self, solution: rs.Solution) -> int:
        """Return the largest number of rows to print: by default all of a small solution, else none."""
        if self.rows is None:
            return MAX_ROWS if self.values or is_small(solution) else 0
        return len(solution) if self.rows < 0 else self.rows

    def num_positions(self, solution: rs.Solution) -> int:
        """Return the number of positions that have one of the values."""
        if not self.values:
            return len(solution)
        counts = solution.counts()
        codec = solution.table.codec
        return sum(counts[codec.result(value)] for value in dict.fromkeys(self.values))

    def positions(self, solution: rs.Solution) -> Iterator[Hashable]:
        """Return the positions to print, in the order of their indices for each value."""
        if not self.values:
            chosen = iter(solution)
        else:
            chosen = chain.from_iterable(map(solution.where, dict.fromkeys(self.values)))
        return islice(chosen, self.max_rows(solution))


def is_small(solution: rs.Solution) -> bool:
    """Return whether all positions are printed by default; does not count those of a large table."""
    return sum(1 for _ in islice(solution, MAX_ROWS + 1)) <= MAX_ROWS


table_options = option_group(
    "table",
    TableOptions,
    click.option(
        "--table",
        "rows",
        metavar="[N]",
        is_flag=False,
        flag_value=str(MAX_ROWS),
        callback=parse_rows,
        help=f"Print a table of the first N positions ({MAX_ROWS} without a number, or 'all'). "
        f"Default: all positions if there are at most {MAX_ROWS}.",
    ),
    click.option(
        "--list",
        "values",
        multiple=True,
        metavar="VALUE",
        help=f"Print only positions with this value, such as win, loss, tie or draw, up to "
        f"{MAX_ROWS} or as many as --table says.",
    ),
)


def print_positions(solution: rs.Solution, options: TableOptions, to: NullTranslations = PLAIN) -> None:
    """Print a row for each position: who moves, value, remoteness and the best move.

    Parameters
    ----------
    solution : Solution
    options : TableOptions
        Says which positions. They are computed and printed a thousand at a time.
    to : NullTranslations
        The language.
    """
    shown = options.max_rows(solution)
    if not shown:
        return
    owned = Capability.OWNED in solution.space.capabilities
    heading = (
        to.gettext("position"), *((to.gettext("to move"),) if owned else ()), to.gettext("value"),
        to.gettext("remoteness"), to.gettext("best move"),
    )  # fmt: skip
    rows = (_row(solution, position, owned, to) for position in options.positions(solution))
    widths: list[int] = []
    batch = [heading, *islice(rows, ROWS_PER_BATCH)]
    while batch:
        widths = print_table(batch, [len(heading) - 2], widths)
        batch = list(islice(rows, ROWS_PER_BATCH))
    if (more := options.num_positions(solution) - shown) > 0:
        sentence = to.gettext("... and {n} more; --table all prints all of them")
        print_sentence(sentence.format(n=digits(more, to.gettext)))


def json_position(solution: rs.Solution, position: Hashable) -> int | str:
    """Return a position as it appears in JSON: text, or a number that the game shows as it is."""
    text = solution.space.text(position)
    return position if type(position) is int and text == str(position) else text


def position_record(solution: rs.Solution, position: Hashable) -> dict[str, Any]:
    """Return a row of the table as a JSON object."""
    best = solution.line(position, 1)
    return {
        **outcome_record(solution, position, solution[position]),
        "player": player_to_move(solution, position),
        "best": best[0].name if best else None,
    }


def outcome_record(solution: rs.Solution, position: Hashable, outcome: rs.Outcome) -> dict[str, Any]:
    """Return a position with its outcome."""
    fields = solution.objective.fields(outcome)
    return {
        "position": json_position(solution, position), **fields, **clock_record(solution, position),
    }  # fmt: skip


def _row(
    solution: rs.Solution, position: Hashable, owned: bool, to: NullTranslations
) -> tuple[str, ...]:
    record = position_record(solution, position)
    plies = "-" if record["remoteness"] is None else digits(record["remoteness"], to.gettext)
    name = position_in(to, solution.space.text(position))
    best = "-" if record["best"] is None else shorten(phrase(record["best"], to))
    value = solution[position].value
    if isinstance(value, rs.objectives.Odds):
        shown = value.name
    else:
        shown = record["value"].upper() if to is PLAIN else _value(value, to)
    return (name, *((player_name(record["player"], to),) if owned else ()), shown, plies, best)


def _value(value: Any, to: NullTranslations) -> str:
    """Return the word of a result, with its points where it has points."""
    if to is PLAIN:
        return str(value.name).replace("_", " ")
    return outcome_text(rs.Outcome(value, None), to.gettext)


def solve_record(
    source: str, solution: rs.Solution, seconds: float, proof: dict[str, Any]
) -> dict[str, Any]:
    """Return the object that ``solve --json`` prints.

    Parameters
    ----------
    source : str
        INPUT as typed.
    solution : Solution
        The solution.
    seconds : float
        Time of all stages.
    proof : dict
        Result of the verification, ``verified`` and ``rules_called_again``.

    Returns
    -------
    dict
        See :func:`summary_records`.
    """
    start = solution.start
    return {
        "input": source,
        "solver": solution.solver,
        "positions": len(solution),
        "edges": solution.num_edges,
        "start": start if start is None else outcome_record(solution, start, solution[start]),
        **summary_records(solution),
        "seconds": round(seconds, 6),
        "peak_memory_bytes": memory.peak(),
        **proof,
    }


def summary_records(solution: rs.Solution) -> dict[str, Any]:
    """Return the counts by value and by player, and the largest remoteness of each value.

    Returns
    -------
    dict
        ``counts_by_player`` is None where players alternate. ``longest`` is 0 for a value that no
        position has, and None for a solution without remoteness.
    """
    longest = longest_by_label(solution.longest(), solution.objective)
    return {
        **count_records(solution),
        "longest": longest if solution.table.has_remoteness else None,
    }


def probe_record(solution: rs.Solution, position: Hashable, with_moves: bool = True) -> dict[str, Any]:
    """Return the object that ``probe --json`` prints for a position.

    Parameters
    ----------
    solution : Solution
    position : hashable
    with_moves : bool
        Whether it has the key "moves".

    Returns
    -------
    dict
        ``player`` is None where players alternate. ``moves`` are ordered best first; the value of a
        move is that of the position it leads to, for the player who moves there.
    """
    record = outcome_record(solution, position, solution[position])
    record["player"] = player_to_move(solution, position)
    if with_moves:
        record["moves"] = [
            {"name": move.name, **outcome_record(solution, move.position, move.outcome)}
            for move in solution.moves(position)
        ]
    return record


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

    def verdict(self, outcome: rs.Outcome, position: Any) -> str:
        """Return who wins, in the words of the game."""


@runtime_checkable
class HeapRules(Protocol):
    """A game of heaps, whose nimbers may be periodic."""

    def period(self, nimbers: IntArray) -> tuple[int, int, bool] | None:
        """Return the length of the period, where it begins, and whether it is proven."""


def print_report(
    solution: rs.Solution,
    seconds: Mapping[str, float],
    plies: int,
    table: TableOptions,
    to: NullTranslations = PLAIN,
) -> None:
    """Print the outcome of the start, optimal play, positions, the counts and the time of each stage.

    Parameters
    ----------
    solution : Solution
        The solution.
    seconds : mapping of str to float
        Time of each stage.
    plies : int
        Maximum number of plies of play to print.
    table : TableOptions
        Which positions to print.
    to : NullTranslations
        The language.
    """
    game: Any = solution.space.rules
    if isinstance(game, BoardGame):
        _print_board(game, solution, to)
    elif solution.start is not None:
        print_outcome(solution, solution.start, to.gettext("Start {position}"), to)
    if solution.start is not None:
        _print_play(solution, solution.start, plies, to)
    print_positions(solution, table, to)
    print_counts(solution, to)
    if isinstance(game, HeapRules):
        _print_period(game, solution, to)
    if solution.start is None and not table.is_set and not is_small(solution):
        sentence = to.gettext(
            "--table prints {n} positions, --list loss lost ones, --start POSITION one"
        )
        print_sentence(sentence.format(n=digits(MAX_ROWS, to.gettext)))
    proof = proven_text(solution.proven, to)
    solved = to.gettext("{n} moves, solver {solver}, {proof}")
    moves = digits(solution.num_edges, to.gettext)
    print_sentence(solved.format(n=moves, solver=solution.solver, proof=proof))
    times = {to.gettext(stage): decimal(time, to.gettext) for stage, time in seconds.items()}
    stages = to.gettext(", ").join(
        to.gettext("{stage} {seconds} s").format(stage=stage, seconds=time)
        for stage, time in times.items()
    )
    whole = decimal(sum(seconds.values()), to.gettext)
    print_sentence(
        to.gettext("Time: {stages}, in all {seconds} s").format(stages=stages, seconds=whole)
    )


STAGES = mark("reading"), mark("solving"), mark("verifying"), mark("writing")


def print_outcome(
    solution: rs.Solution,
    position: Hashable,
    named: str = "{position}",
    to: NullTranslations = PLAIN,
) -> None:
    """Print a position, and what its outcome means."""
    name = named.format(position=position_in(to, solution.space.text(position)))
    counted = win_in_moves(solution)
    said = outcome_in_words(solution[position], counted, to)
    clock = clock_text(solution, position, to)
    print_sentence(f"{name}: {said}{f' ({clock})' if clock else ''}")


def print_moves(solution: rs.Solution, position: Hashable, to: NullTranslations = PLAIN) -> None:
    """Print the moves from a position, best first."""
    rows = []
    for move in solution.moves(position):
        target = shorten(position_in(to, solution.space.text(move.position)))
        name = shorten(phrase(move.name, to))
        said = move.outcome if to is PLAIN else outcome_text(move.outcome, to.gettext)
        rows.append((f"  {name}", "" if target == name else f"->  {target}", f"({said})"))
    if rows:
        print_table(rows)
    else:
        print_line("  " + to.gettext("no move: the game is over"))


MEANINGS = {
    rs.Value.WIN: mark("the player to move wins"),
    rs.Value.LOSS: mark("the player to move loses"),
    rs.Value.TIE: mark("the game ends with no winner"),
    rs.Value.DRAW: mark("perfect play never ends"),
}
LIMITED = mark("a draw by the limit of plies")
EXPECTED, TO_WIN = mark("{value} is to be expected"), mark("{value} to win")
WITHIN = mark("known within {width}")


def outcome_in_words(outcome: rs.Outcome, counted: str = "", to: NullTranslations = PLAIN) -> str:
    """Return an outcome in words.

    Parameters
    ----------
    outcome : Outcome
    counted : str
        How players of the game count a win in moves of the winner.
    to : NullTranslations
        The language.

    Examples
    --------
    >>> outcome_in_words(rs.Outcome(rs.Value.DRAW, None))
    'DRAW, perfect play never ends'
    >>> outcome_in_words(rs.Outcome(rs.Value.LOSS, 18), "mate in {moves}")
    'LOSS in 18 plies (mate in 9), the player to move loses'
    """
    value, plies = outcome
    if isinstance(value, rs.objectives.Odds):
        sentence = to.gettext(EXPECTED if value.is_payoff else TO_WIN)
        said = sentence.format(value=detail_text(value, to.gettext))
        width = to.gettext("exactly") if value.low == value.high else to.gettext(WITHIN)
        return f"{said}{to.gettext(', ')}{width.format(width=f'{value.width:.1g}')}"
    said = _value(value, to)
    if plies is not None:
        in_plies = to.ngettext("{value} in {plies} ply", "{value} in {plies} plies", plies)
        said = in_plies.format(value=said, plies=digits(plies, to.gettext))
    moves = in_moves(counted, outcome, to)
    said += f" ({moves})" if moves else ""
    meaning = MEANINGS[value.kind]
    if value.kind == rs.Value.DRAW and value.ends:
        meaning = LIMITED
    return said + to.gettext(", ") + to.gettext(meaning)


def _print_board(game: BoardGame, solution: rs.Solution, to: NullTranslations) -> None:
    start = solution.start
    board = str(game.board) if start is None else game.board_text(start)
    for line in board.splitlines():
        click.echo("".join(click.style(cell, **CELL_STYLES.get(cell, {})) for cell in line))
    if start is None:
        print_sentence(
            to.gettext("The board shows no policeman or no thief: all positions are solved.")
        )
        return
    outcome = solution[start]
    turn = player_name(solution.space.players[game.player(start)], to)
    print_sentence(to.gettext(game.verdict(outcome, start)), bold=True)
    judged = to.gettext("{value} for the {player}, who moves first")
    judged = judged.format(value=_value(outcome.value, to), player=turn)
    if outcome.remoteness is not None:
        n = outcome.remoteness
        after = to.ngettext("; remoteness {plies} ply", "; remoteness {plies} plies", n)
        judged += after.format(plies=digits(n, to.gettext))
    print_sentence(judged)


def _print_period(game: HeapRules, solution: rs.Solution, to: NullTranslations) -> None:
    results = solution.table.codec.results
    numbers = np.array([-1 if result is None else result.number for result in results])
    period = game.period(numbers[solution.table.values()])
    if period is not None:
        length, first, proven = period
        how = to.gettext("for ever") if proven else to.gettext("as far as heaps are solved")
        sentence = to.gettext("nimbers repeat with period {length} from heap {first} on, {how}")
        heap = digits(first, to.gettext)
        print_sentence(sentence.format(length=digits(length, to.gettext), first=heap, how=how))


def _print_play(solution: rs.Solution, start: Hashable, plies: int, to: NullTranslations) -> None:
    if Capability.CHANCE in solution.space.capabilities:
        return  # nobody chooses what is thrown
    line = solution.line(start, plies + 1)
    if not line or plies == 0:
        return
    if len(line) <= plies:
        print_sentence(to.gettext("Perfect play:"))
    else:
        heading = to.gettext("Perfect play, first {plies} plies:")
        print_sentence(heading.format(plies=digits(plies, to.gettext)))
    for row in islice(line.rows(to), plies):
        print_sentence(f"  {row}")


def print_counts(solution: rs.Solution, to: NullTranslations = PLAIN, every: bool = False) -> None:
    """Print the number of positions of each value, and the largest remoteness.

    Of many values the first are printed and the range of the others, unless ``every`` one is.
    """
    longest = solution.longest()
    counted = solution.counts()
    shown, more = (list(counted), []) if every else first_results(counted)
    counted = {value: counted[value] for value in shown}
    rows = [(to.gettext("positions"), *(label_text(value, to.gettext) for value in counted))]
    rows.append((to.gettext("all"), *(digits(number, to.gettext) for number in counted.values())))
    for player, counts in (solution.counts_by_player() or {}).items():
        if not any(counts.values()):
            continue  # nobody, in a puzzle
        mover = to.gettext("{player} to move").format(player=player_name(player, to))
        rows.append((mover, *(digits(counts[value], to.gettext) for value in shown)))
    lengths = [longest.get(value) for value in counted]
    plies = ("-" if length is None else digits(length, to.gettext) for length in lengths)
    rows.append((to.gettext("longest, plies"), *plies))
    if len(counted) > MAX_COLUMNS:
        rows = list(zip(*rows, strict=True))
    print_table(rows, right=range(1, len(rows[0])))
    if more:
        first, last = (label_text(value, to.gettext) for value in (more[0], more[-1]))
        sentence = to.gettext("... and {n} more values from {first} to {last}")
        print_sentence(sentence.format(n=digits(len(more), to.gettext), first=first, last=last))
