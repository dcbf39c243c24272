"""INPUT: from the text on the command line to something that can be solved."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from retrosolve import external
from retrosolve.cli.options import option_group, trust_option
from retrosolve.cli.output import print_line
from retrosolve.errors import FormatError, RulesError
from retrosolve.formats import BOARD, FORMATS, format_of
from retrosolve.games import GAMES, parse_game
from retrosolve.runtime.files import MEMORY_PER_BYTE
from retrosolve.runtime.memory import available
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.runtime.sources import CLASS_SEPARATOR
from retrosolve.solution import Solution, open_solution
from retrosolve.spaces.solvable import Subject

if TYPE_CHECKING:
    from retrosolve.formats.board import Board


WILDCARDS = "*?["
STREAMED = (".csv", ".parquet")  # files of edges that stay on disk if they do not fit in memory


@dataclass
class LoadedInput:
    """What INPUT is: something to solve, or a solution, whose positions are made on first use."""

    loaded: Subject | None = None
    start: Hashable | None = None
    solution: Solution | None = None
    stuck: str | None = None
    start_text: str | None = None

    @property
    def subject(self) -> Subject:
        """What could be solved. Raises UntrustedRulesError for a solution that needs rules for that."""
        if self.loaded is not None:
            return self.loaded
        assert self.solution is not None
        return self.solution.space


class StandardInput(BytesIO):
    """What was read from standard input, with a name for errors."""

    name = "standard input"


@dataclass(frozen=True)
class InputOptions:
    """INPUT as typed, and the options that say how to read it."""

    source: str
    format_name: str | None = None
    names: bool | None = None
    vertex_table: str | None = None
    start: str | None = None
    header: bool | None = None
    scratch: str | None = None
    trust_rules: bool = False

    def load(
        self,
        check: bool = False,
        memory: int | None = None,
        report: ProgressCallback = no_progress,
    ) -> LoadedInput:
        """Read INPUT, whatever it is.

        Parameters
        ----------
        check : bool
            Whether to compare all of a saved solution with its checksums.
        memory : int, optional
            A budget in bytes for all work: edges in a file that is too large for it stay on disk.
        report : callable, optional
            Called while names in files of edges are numbered.

        Raises
        ------
        RetrosolveError
            Of the kind that fits: FormatError for a file, RulesError for a game, StoreError for a
            saved solution, PositionError for the start, MemoryBudgetError for edges between names that
            cannot be numbered and solved within the budget.
        """
        loaded = self._load(check, memory, report)
        if self.start is not None:
            loaded.start_text = self.start
        return loaded

    def _load(self, check: bool, memory: int | None, report: ProgressCallback) -> LoadedInput:
        """Return what INPUT is."""
        if self.source == "-":
            return self._load_content(StandardInput(sys.stdin.buffer.read()))
        path = Path(self.source)
        if self._stays_on_disk(path, memory):
            return LoadedInput(external.open_edges(self.source, self.scratch, memory, report))
        if path.is_dir():
            return _load_saved(self.source, check, self.trust_rules)
        if CLASS_SEPARATOR in self.source:
            from retrosolve.cli.rules_file import load_rules

            return LoadedInput(load_rules(self.source))
        if path.suffix == ".py" and path.is_file():
            from retrosolve.cli.rules_file import missing_class

            raise RulesError(missing_class(path))
        if self.format_name is not None or format_of(self.source) is not None or path.exists():
            return self._load_content(path)
        if self.source.partition(":")[0] in GAMES:
            return LoadedInput(parse_game(self.source))
        raise FormatError(
            f"{self.source!r} is neither a file nor a game: expected a board, a graph file, "
            f"rules.py:ClassName, or one of {', '.join(GAMES)}"
        )

    def _stays_on_disk(self, path: Path, memory: int | None) -> bool:
        """Return whether INPUT is edges that are read in blocks."""
        if path.is_dir():
            from retrosolve.store import MANIFEST

            return not (path / MANIFEST).exists() and external.has_parts(path)
        if not path.exists():
            named = CLASS_SEPARATOR in self.source or self.source.partition(":")[0] in GAMES
            return not named and any(letter in self.source for letter in WILDCARDS)
        suffix = path.suffix.lower()
        if suffix == ".npy":
            return True
        options = (self.names, self.vertex_table, self.header)
        if suffix not in STREAMED or any(option is not None for option in options):
            return False
        room = available() if memory is None else min(memory, available())
        return path.stat().st_size * MEMORY_PER_BYTE > room

    def _load_content(self, file: Path | BytesIO) -> LoadedInput:
        """Return the board, the graph or the solution in a file."""
        from retrosolve.formats import find_content, graph_in
        from retrosolve.formats.board import parse_board

        content = find_content(file, self.format_name)
        if content.format == BOARD:
            return _load_board(parse_board(content.source.data, content.source.name))
        graph_file = graph_in(content, self.names, self.vertex_table, self.header)
        for note in graph_file.notes:
            print_line(f"note: {note}", err=True)
        return LoadedInput(graph_file.graph, graph_file.start, graph_file.solution(), graph_file.stuck)


input_options = option_group(
    "request",
    InputOptions,
    click.argument("source", metavar="INPUT"),
    click.option(
        "--format",
        "format_name",
        type=click.Choice([BOARD, *(f.name for f in FORMATS.values() if f.reader)]),
        help="Format of INPUT (default: by its file extension, else by its content).",
    ),
    click.option(
        "--names/--no-names",
        default=None,
        help="Whether the vertices of an edge list are names (default: unless all are numbers without "
        "leading zeros).",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row of an edge list is a header (default: if it is a known one, "
        "such as source,target).",
    ),
    click.option(
        "--vertices",
        "vertex_table",
        metavar="FILE",
        help="Vertex table of an edge list, with owners and terminal values.",
    ),
    click.option("--start", metavar="POSITION", help="Initial position, instead of that of INPUT."),
    click.option(
        "--scratch",
        metavar="DIR",
        help="Folder for what edges on disk take beyond memory (default: that of temporary files).",
    ),
    trust_option,
)


def _load_board(board: Board) -> LoadedInput:
    from retrosolve.pursuit.police import PoliceAndThief

    return LoadedInput(PoliceAndThief(board))


def _load_saved(path: str, check: bool, trusted: bool) -> LoadedInput:
    if check:  # before all of it is read
        open_solution(path, trust_rules=trusted).opened.check_rules()
    solution = open_solution(path, check=check, trust_rules=trusted)
    return LoadedInput(solution=solution, stuck=solution.stuck.label)
