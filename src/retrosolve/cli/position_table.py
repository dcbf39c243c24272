"""The positions of a solution as a table, a row each: for a person, and as JSON."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import click
import numpy as np

from retrosolve.cli.options import option_group
from retrosolve.cli.output import print_line, print_table
from retrosolve.solution import Solution
from retrosolve.solution.line import shorten
from retrosolve.spaces.base import Capability
from retrosolve.values import Value

MAX_ROWS = 40
ROWS_PER_BATCH = 1000
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

    def max_rows(self, solution: Solution) -> int:
        """Return how many rows to print at most: by default all of a small solution, else none."""
        if self.rows is None:
            return MAX_ROWS if self.values or is_small(solution) else 0
        return len(solution) if self.rows < 0 else self.rows

    def num_positions(self, solution: Solution) -> int:
        """Return how many positions have one of the values."""
        if not self.values:
            return len(solution)
        counts = solution.counts()
        return sum(counts[Value.parse(value)] for value in dict.fromkeys(self.values))

    def positions(self, solution: Solution) -> Iterator[Hashable]:
        """Return the positions to print, in the order of their indices for each value."""
        if not self.values:
            found = iter(solution)
        else:
            found = chain.from_iterable(map(solution.where, dict.fromkeys(self.values)))
        return islice(found, self.max_rows(solution))


def is_small(solution: Solution) -> bool:
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
        type=click.Choice([value.label for value in (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW)]),
        help=f"Print only positions with this value, up to {MAX_ROWS} or as many as --table says.",
    ),
)


def print_positions(solution: Solution, options: TableOptions) -> None:
    """Print a row for each position: who moves, value, remoteness and the best move.

    Parameters
    ----------
    solution : Solution
    options : TableOptions
        Says which positions. They are computed and printed a thousand at a time.
    """
    shown = options.max_rows(solution)
    if not shown:
        return
    owned = Capability.OWNED in solution.space.capabilities
    heading = ("position", *(("to move",) if owned else ()), "value", "remoteness", "best move")
    rows = (_row(solution, position, owned) for position in options.positions(solution))
    widths: list[int] = []
    batch = [heading, *islice(rows, ROWS_PER_BATCH)]
    while batch:
        widths = print_table(batch, [len(heading) - 2], widths)
        batch = list(islice(rows, ROWS_PER_BATCH))
    more = options.num_positions(solution) - shown
    if more > 0:
        print_line(f"... and {more} more; --table all prints all of them")


def position_records(solution: Solution, options: TableOptions) -> list[dict[str, Any]]:
    """Return the rows of the table as JSON objects."""
    return [_record(solution, position) for position in options.positions(solution)]


def player_to_move(solution: Solution, position: Hashable) -> str | None:
    """Return the name of the player who moves at a position; None where players alternate."""
    mover = solution.space.player(np.array([solution.space.index(position)]))
    return None if mover is None else solution.space.players[int(mover[0])]


def json_position(solution: Solution, position: Hashable) -> int | str:
    """Return a position as it appears in JSON: an int as it is, anything else as text."""
    return position if type(position) is int else solution.space.text(position)


def _record(solution: Solution, position: Hashable) -> dict[str, Any]:
    value, remoteness = solution[position]
    best = solution.best_moves(position)
    return {
        "position": json_position(solution, position),
        "value": value.label,
        "remoteness": remoteness,
        "player": player_to_move(solution, position),
        "best": best[0].name if best else None,
    }


def _row(solution: Solution, position: Hashable, owned: bool) -> tuple[str, ...]:
    record = _record(solution, position)
    plies = "-" if record["remoteness"] is None else str(record["remoteness"])
    name = shorten(solution.space.text(position))
    best = "-" if record["best"] is None else shorten(record["best"])
    return (name, *((record["player"],) if owned else ()), record["value"].upper(), plies, best)
