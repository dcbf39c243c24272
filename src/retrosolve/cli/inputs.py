"""INPUT: from what was typed to something that can be solved."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Hashable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import click

from retrosolve.cli.options import bundled
from retrosolve.errors import FormatError, RulesError
from retrosolve.formats import FORMATS, format_of, read_document
from retrosolve.formats.board import Board, parse_board, read_board
from retrosolve.games import GAMES, parse_game
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.solution import Solution
from retrosolve.solution import open_solution as open_saved
from retrosolve.spaces.base import Solvable, StateSpace

BOARD = "board"


@dataclass
class LoadedInput:
    """What INPUT turned out to be: something to solve, or something already solved."""

    subject: Solvable
    start: Hashable | None = None
    solution: Solution | None = None
    stuck: str | None = None


@dataclass(frozen=True)
class Input:
    """INPUT as it was typed, and what was said about how to read it."""

    source: str
    format_name: str | None = None
    names: bool = False
    vertices: str | None = None
    start: str | None = None

    def load(self) -> LoadedInput:
        """Find out what INPUT is and read it. Raises RetrosolveError of the fitting kind."""
        loaded = _load(self.source, self.format_name, self.names or None, self.vertices)
        if self.start is not None:
            if not isinstance(loaded.subject, StateSpace):
                raise click.BadParameter(
                    f"--start is for graphs, and {self.source} has a start of its own"
                )
            loaded.start = loaded.subject.parse(self.start)
        return loaded


input_options = bundled(
    "given",
    Input,
    click.argument("source", metavar="INPUT"),
    click.option(
        "--format",
        "format_name",
        type=click.Choice([BOARD, *(f.name for f in FORMATS.values() if f.read)]),
        help="Format of INPUT, where its name does not tell (standard input: board).",
    ),
    click.option("--names", is_flag=True, help="Read numbers in an edge list as names."),
    click.option(
        "--vertices",
        metavar="FILE",
        help="Table of owners and terminal values for an edge list.",
    ),
    click.option("--start", metavar="POSITION", help="Where a graph's game starts."),
)


def _load(
    source: str, format_name: str | None, names: bool | None, vertices: str | None
) -> LoadedInput:
    if source == "-":
        data = sys.stdin.buffer.read()
        if format_name in (None, BOARD):
            return _board(parse_board(data, "standard input"))
        return _file(BytesIO(data), format_name, names, vertices)
    if Path(source).is_dir():
        return _solved(open_saved(source))
    path, colon, name = source.rpartition(":")
    if colon and path.endswith(".py"):
        return _game(author_game(Path(path), name))
    known = format_of(source) is not None
    if format_name == BOARD or (format_name is None and not known and Path(source).exists()):
        return _board(read_board(source))
    if format_name is not None or known:
        return _file(source, format_name, names, vertices)
    if source.partition(":")[0] in GAMES:
        return _game(parse_game(source))
    raise FormatError(
        f"{source!r} is neither a file nor a game: expected a board, a graph file, rules.py:ClassName, "
        f"or one of {', '.join(GAMES)}"
    )


def _board(board: Board) -> LoadedInput:
    return _game(PoliceAndThief(board))


def _game(game: Game | CompiledGame) -> LoadedInput:
    return LoadedInput(game)


def _solved(solution: Solution) -> LoadedInput:
    return LoadedInput(solution.space, solution.start, solution, solution.stuck.label)


def _file(
    path: str | BytesIO, format_name: str | None, names: bool | None, vertices: str | None
) -> LoadedInput:
    document = read_document(path, format=format_name, names=names, vertices=vertices)
    solution = document.solution()
    return LoadedInput(document.graph, document.start, solution, document.stuck)


def author_game(path: Path, name: str) -> Game | CompiledGame:
    """Make the game of class ``name`` in the author's file. Raises RulesError."""
    if not path.is_file():
        raise RulesError(f"there is no file {path}: expected rules in Python, rules.py:ClassName")
    spec = importlib.util.spec_from_file_location(f"retrosolve_rules_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise RulesError(f"{path} cannot be loaded: expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise RulesError(f"{path} raised {type(error).__name__}: {error}") from error
    game_class = getattr(module, name, None)
    if not (isinstance(game_class, type) and issubclass(game_class, Game | CompiledGame)):
        known = [
            key
            for key, kind in vars(module).items()
            if isinstance(kind, type)
            and issubclass(kind, Game | CompiledGame)
            and kind.__module__ == spec.name
        ]
        raise RulesError(
            f"{path} has no game {name!r}: expected a subclass of retrosolve.Game, "
            f"such as {', '.join(known) or 'none that it has'}"
        )
    try:
        return game_class()
    except Exception as error:
        raise RulesError(f"{name}() raised {type(error).__name__}: {error}") from error
