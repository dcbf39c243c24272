"""INPUT: from the text on the command line to something that can be solved."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from retrosolve.cli.options import option_group
from retrosolve.cli.rules_file import SEPARATOR, load_rules
from retrosolve.errors import FormatError
from retrosolve.formats import FORMATS, format_of, read_graph_file
from retrosolve.games import GAMES, parse_game
from retrosolve.solution import Solution, open_solution
from retrosolve.spaces.base import Solvable

if TYPE_CHECKING:
    from retrosolve.formats.board import Board

BOARD = "board"


@dataclass
class LoadedInput:
    """What INPUT is: something to solve, or a solution."""

    subject: Solvable
    start: Hashable | None = None
    solution: Solution | None = None
    stuck: str | None = None
    start_text: str | None = None


@dataclass(frozen=True)
class InputOptions:
    """INPUT as typed, and the options that say how to read it."""

    source: str
    format_name: str | None = None
    names: bool = False
    vertex_table: str | None = None
    start: str | None = None

    def load(self) -> LoadedInput:
        """Read INPUT, whatever it is.

        Raises
        ------
        RetrosolveError
            Of the kind that fits: FormatError for a file, RulesError for a game, StoreError for a
            saved solution, PositionError for the start.
        """
        loaded = _load(self.source, self.format_name, self.names or None, self.vertex_table)
        if self.start is not None:
            loaded.start_text = self.start
        return loaded


input_options = option_group(
    "request",
    InputOptions,
    click.argument("source", metavar="INPUT"),
    click.option(
        "--format",
        "format_name",
        type=click.Choice([BOARD, *(f.name for f in FORMATS.values() if f.reader)]),
        help="Format of INPUT (default: by its file extension; standard input: board).",
    ),
    click.option("--names", is_flag=True, help="Read the numbers in an edge list as names."),
    click.option(
        "--vertices",
        "vertex_table",
        metavar="FILE",
        help="Vertex table of an edge list, with owners and terminal values.",
    ),
    click.option("--start", metavar="POSITION", help="Initial position, instead of that of INPUT."),
)


def _load(
    source: str, format_name: str | None, names: bool | None, vertices: str | None
) -> LoadedInput:
    if source == "-":
        data = sys.stdin.buffer.read()
        if format_name in (None, BOARD):
            from retrosolve.formats.board import parse_board

            return _load_board(parse_board(data, "standard input"))
        return _load_file(BytesIO(data), format_name, names, vertices)
    if Path(source).is_dir():
        return _load_saved(source)
    if SEPARATOR in source:
        return LoadedInput(load_rules(source))
    known = format_of(source) is not None
    if format_name == BOARD or (format_name is None and not known and Path(source).exists()):
        from retrosolve.formats.board import read_board

        return _load_board(read_board(source))
    if format_name is not None or known:
        return _load_file(source, format_name, names, vertices)
    if source.partition(":")[0] in GAMES:
        return LoadedInput(parse_game(source))
    raise FormatError(
        f"{source!r} is neither a file nor a game: expected a board, a graph file, rules.py:ClassName, "
        f"or one of {', '.join(GAMES)}"
    )


def _load_board(board: Board) -> LoadedInput:
    from retrosolve.pursuit.police import PoliceAndThief

    return LoadedInput(PoliceAndThief(board))


def _load_saved(path: str) -> LoadedInput:
    solution = open_solution(path)
    return LoadedInput(solution.space, solution.start, solution, solution.stuck.label)


def _load_file(
    path: str | BytesIO, format_name: str | None, names: bool | None, vertices: str | None
) -> LoadedInput:
    document = read_graph_file(path, format=format_name, names=names, vertices=vertices)
    solution = document.solution()
    return LoadedInput(document.graph, document.start, solution, document.stuck)
