"""INPUT: its options, the way from the text on the command line to a solution, and where that goes.

The destination of ``-o`` and of ``convert`` is checked before the work, and is never the input.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import re
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import numpy as np

import retrosolve as rs
from retrosolve import external
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.formats import BOARD, FORMATS, format_of
from retrosolve.formats.table import TABLE, with_infix
from retrosolve.games.parameters import parameters_of, read_parameters
from retrosolve.games.table import GAMES, name_in
from retrosolve.languages import DEFAULT, LANGUAGES
from retrosolve.languages.phrases import proven_record
from retrosolve.runtime.context import ProgressCallback, no_progress
from retrosolve.runtime.files import MEMORY_PER_BYTE, short_repr
from retrosolve.runtime.memory import available, parse_bytes
from retrosolve.runtime.sources import CLASS_SEPARATOR, error_place, load_module, subclasses_in
from retrosolve.solvers import NAMES
from retrosolve.spaces.base import Capability, Subject, space_without_search
from retrosolve.spaces.csr.attribute_names import ColumnNames
from retrosolve.values import STUCK_VALUES

WILDCARDS = "*?["
STREAMED = (".csv", ".parquet")  # files of edges that stay on disk if they do not fit in memory
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}

Command = Callable[..., Any]


@dataclass
class LoadedInput:
    """The content of INPUT: something to solve, or a solution; its positions are made on first use."""

    loaded: Subject | None = None
    start: Hashable | None = None
    solution: rs.Solution | None = None
    stuck: str | None = None

    @property
    def subject(self) -> Subject:
        """The game or the graph. Raises UntrustedRulesError for a solution that needs its rules."""
        if self.loaded is not None:
            return self.loaded
        assert self.solution is not None
        return self.solution.space


class StandardInput(BytesIO):
    """The bytes of standard input, with a name for errors."""

    name = "standard input"


@dataclass(frozen=True)
class Request:
    """INPUT as typed, and the options: how to read it, how to solve it, where to save it."""

    source: str = ""
    format_name: str | None = None
    names: bool | None = None
    vertex_table: str | None = None
    start: str | None = None
    header: bool | None = None
    source_column: str | None = None
    target_column: str | None = None
    vertex_column: str | None = None
    owner_column: str | None = None
    terminal_column: str | None = None
    scratch: str | None = None
    trust_rules: bool = False

    stuck: str | None = None
    misere: bool = False

    solver: str = "auto"
    threads: int | None = None
    workers: int | None = None
    memory: int | None = None
    limit: int | None = None
    objective: str | None = None
    address: str | None = None
    partitions: int | None = None

    out: str | None = None
    resume: bool = False
    checkpoint_every: float = 60.0
    snapshots: str | None = None

    @property
    def title(self) -> str:
        """The title of INPUT on pages: the name of a file, or the text of a game."""
        path = Path(self.source)
        return path.name if path.exists() else self.source

    def __post_init__(self) -> None:
        """Raise click.BadParameter for an option that makes no sense alone."""
        if self.resume and self.out is None:
            raise click.BadParameter("--resume goes with --out: expected the folder of the solve")
        try:
            self.columns.checked()
        except rs.GraphError as error:
            raise click.BadParameter(str(error)) from None

    @property
    def columns(self) -> ColumnNames:
        """The columns of edges and vertices that options name."""
        return ColumnNames(
            self.source_column,
            self.target_column,
            self.vertex_column,
            self.owner_column,
            self.terminal_column,
        )

    def load(self, check: bool = False, report: ProgressCallback = no_progress) -> LoadedInput:
        """Read INPUT, whatever it is.

        Parameters
        ----------
        check : bool
            Whether to compare all of a saved solution with its checksums.
        report : callable, optional
            Called while names in files of edges are numbered.

        Raises
        ------
        RetrosolveError
            Of the kind that fits: FormatError for a file, RulesError for a game, StoreError for a
            saved solution, MemoryBudgetError for edges between names that cannot be numbered and solved
            within the budget.
        """
        if self.source == "-":
            return self._load_content(StandardInput(sys.stdin.buffer.read()))
        path = Path(self.source)
        if self._stays_on_disk(path):
            beside = with_infix(path, TABLE)
            named = f"--vertices {self.vertex_table}" if self.vertex_table else str(beside)
            if self.vertex_table is not None or (path.is_file() and beside.exists()):
                raise rs.FormatError(
                    f"{named} with edges that stay on disk: expected vertices.parquet in their folder"
                )
            saves = self.out is not None
            edges = external.open_edges(
                self.source, self.scratch, self.memory, report, self.columns, saves
            )
            return LoadedInput(edges)
        if path.is_dir():
            if check:  # before all of it is read
                rs.open(path, trust_rules=self.trust_rules).opened.check_rules()
            solution = rs.open(path, check=check, trust_rules=self.trust_rules)
            return LoadedInput(solution=solution, stuck=solution.stuck.label)
        if CLASS_SEPARATOR in self.source:
            return LoadedInput(load_rules(self.source))
        if path.suffix == ".py" and path.is_file():
            known = subclasses_in(path, {"Game", "CompiledGame"})  # parsed, not executed
            examples = " or ".join(f"{path}:{name}" for name in known) or f"{path}:ClassName"
            raise rs.RulesError(f"{path} is a file of Python rules: expected {examples}")
        if self.format_name is not None or format_of(self.source) is not None or path.exists():
            return self._load_content(path)
        if name_in(self.source):
            return LoadedInput(rs.game(self.source))
        raise rs.FormatError(
            f"{self.source!r} is neither a file nor a game: expected a board, a graph file, "
            f"rules.py:ClassName, or one of {', '.join(GAMES)}"
        )

    def _stays_on_disk(self, path: Path) -> bool:
        """Return whether INPUT is edges that are read in blocks."""
        if path.is_dir():
            from retrosolve.store import MANIFEST

            return not (path / MANIFEST).exists() and external.has_parts(path)
        if not path.exists():
            named = CLASS_SEPARATOR in self.source or name_in(self.source)
            return not named and any(letter in self.source for letter in WILDCARDS)
        suffix = path.suffix.lower()
        if suffix == ".npy":
            return True
        options = (self.names, self.vertex_table, self.header)
        if self.format_name not in (None, suffix[1:]):
            return False
        if suffix not in STREAMED or any(option is not None for option in options):
            return False
        room = available() if self.memory is None else min(self.memory, available())
        return path.stat().st_size * MEMORY_PER_BYTE > room

    def _load_content(self, file: Path | BytesIO) -> LoadedInput:
        """Return the board, the graph or the solution in a file."""
        from retrosolve.formats.board import parse_board
        from retrosolve.formats.files import EdgeOptions, find_content, graph_in

        content = find_content(file, self.format_name)
        if content.format == BOARD:
            board = parse_board(content.source.data, content.source.name)
            return LoadedInput(rs.pursuit.PoliceAndThief(board))
        options = EdgeOptions(self.names, self.vertex_table, self.header, self.columns)
        graph_file = graph_in(content, options)
        for note in graph_file.notes:
            print_line(f"note: {note}", err=True)
        return LoadedInput(graph_file.graph, graph_file.start, graph_file.solution(), graph_file.stuck)

    def stuck_with(self, stored: str | None) -> str:
        """Return the ``stuck`` argument of a solve: as asked, else as stored, else ``"loss"``.

        Raises click.BadParameter for options that contradict each other.
        """
        if self.misere and self.stuck not in (None, "win"):
            raise click.BadParameter(f"--misere and --stuck {self.stuck} contradict each other")
        if self.misere:
            return "win"
        return self.stuck or stored or "loss"

    def solution(self) -> rs.Solution:
        """Read INPUT and solve it, with a progress bar; see :meth:`solve`."""
        with progress_bar() as report:
            return self.solve(self.load(report=report), report)

    def solve(self, loaded: LoadedInput, report: ProgressCallback = no_progress) -> rs.Solution:
        """Solve an input, or return the solution that it already is.

        Returns
        -------
        Solution
            With the start that the command line or the file names.

        Raises
        ------
        RetrosolveError
            PositionError for the start, GraphError for a solution that was made otherwise than the
            options say, or any error of the solve.
        """
        if loaded.solution is not None:
            solution = loaded.solution
            stored = solution.stuck.label
            asked = self.stuck_with(stored)
            if asked != stored:
                raise rs.GraphError(f"the solution was made with stuck={stored!r}, not {asked!r}")
            self._check_objective(solution.objective)
            if self.out is not None:
                raise rs.GraphError(
                    "INPUT is solved already: expected -o to save it elsewhere, not --out"
                )
        else:
            self._note_beginning()
            stuck: str | None = self.stuck_with(loaded.stuck)
            if self.stuck is None and not self.misere and "stuck" in self._parameters():
                stuck = None  # the objective has its own
            solution = rs.solve(
                loaded.subject,
                stuck=stuck,
                solver=self.solver,
                threads=self.threads,
                workers=self.workers,
                memory=self.memory,
                limit=self.limit,
                objective=self.objective,
                progress=report,
                out=self.out,
                resume=self.resume,
                checkpoint_every=self.checkpoint_every,
                address=self.address,
                partitions=self.partitions,
                snapshots=self.snapshots,
            )
        start = loaded.start if self.start is None else solution.space.parse(self.start)
        return solution if start is None else solution.with_start(start)

    def _parameters(self) -> set[str]:
        """Return the names of the parameters of ``--objective``."""
        return {part.partition("=")[0] for part in re.split("[:,]", self.objective or "")[1:]}

    def _check_objective(self, stored: rs.objectives.Objective) -> None:
        """Raise GraphError if ``--objective`` asks for something else than a solution answers."""
        if self.objective is None:
            return
        given = self._parameters()
        asked = rs.objectives.objective_of(self.objective, None if "stuck" in given else stored.stuck)
        if asked.name == stored.name == "chance" and "tolerance" not in given:
            return  # bounds of any width answer it
        if asked != stored:
            raise rs.GraphError(f"the solution was made with {stored!r}, not {asked!r}")

    def _note_beginning(self) -> None:
        """Print a note if there is nothing to resume."""
        if self.resume and self.out is not None:
            from retrosolve.store import is_unfinished

            if not is_unfinished(self.out):
                print_line(f"note: no unfinished solve of {self.out}: nothing to resume", err=True)

    def verification(
        self,
        solution: rs.Solution,
        report: ProgressCallback,
        full: bool,
        sample: int | None = None,
        part: tuple[int, int] | None = None,
    ) -> rs.VerificationReport | rs.VerificationError:
        """Verify a solution, or some of it, and return what is proven, or the error."""
        try:
            return rs.verify(
                solution,
                progress=report,
                threads=self.threads,
                memory=self.memory,
                address=self.address,
                partitions=self.partitions,
                sample=sample,
                part=part,
                full=full,
            )
        except rs.VerificationError as error:
            return error


def check_different(names: Sequence[str]) -> None:
    """Raise click.UsageError for two inputs of one name."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"two inputs have the name {twice!r}: expected different names")


# -- a game from an author's file -------------------------------------------------------------------


def load_rules(text: str) -> rs.Game | rs.CompiledGame:
    """Make a game from an author's file.

    Parameters
    ----------
    text : str
        The path of a Python file, a colon and the name of a class in it; after that, each after a
        comma, parameters of its constructor, ``n=50``. The file is executed.

    Returns
    -------
    Game or CompiledGame
        The game.

    Raises
    ------
    RulesError
        If there is no such file, class or parameter, or executing one of them fails; with the line of
        the file that raised the exception.
    """
    before, _, rest = text.partition(CLASS_SEPARATOR)
    name, _, parameters = rest.partition(",")
    game_class = _load_class(Path(before + ".py"), name)
    readers = {}
    if "__init__" in {name for kind in game_class.__mro__[:-1] for name in vars(kind)}:
        signature = inspect.signature(game_class.__init__)
        readers = parameters_of(list(signature.parameters.values())[1:])
    arguments = read_parameters(text, name, parameters, readers)
    try:
        return game_class(**arguments)
    except rs.RetrosolveError:
        raise
    except Exception as error:
        given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        raise rs.RulesError(f"{name}({given}) raised {_what(error)}") from error


def run_file(path: Path, expected: str) -> ModuleType:
    """Run a file that the command line names, as a module of its own. Raises RulesError."""
    if not path.is_file():
        raise rs.RulesError(f"there is no file {path}: expected {expected}")
    try:
        return load_module(path)
    except Exception as error:
        raise rs.RulesError(f"{path} raised {_what(error)}") from error


def _load_class(path: Path, name: str) -> type[rs.Game] | type[rs.CompiledGame]:
    """Return a class of games from a file. Raises RulesError."""
    module = run_file(path, "rules in Python, rules.py:ClassName")
    game_class = getattr(module, name, None)
    if isinstance(game_class, type) and issubclass(game_class, rs.Game | rs.CompiledGame):
        return game_class
    known = [
        key
        for key, kind in vars(module).items()
        if isinstance(kind, type)
        and issubclass(kind, rs.Game | rs.CompiledGame)
        and kind.__module__ == module.__name__
    ]
    examples = f", such as {', '.join(known)}" if known else ""
    raise rs.RulesError(
        f"{path} has no game {name!r}: expected a subclass of retrosolve.Game{examples}"
    )


def _what(error: Exception) -> str:
    """Return an exception as text, with the line of the author's code that raised it."""
    place = "" if isinstance(error, SyntaxError) else error_place(error)
    return f"{type(error).__name__}: {error}{place}"


# -- options -----------------------------------------------------------------------------------------


def check_objective(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Read a question, if there is one. Raises click.BadParameter for one that is not known."""
    try:
        if value is not None:
            rs.objectives.objective_of(value)
    except rs.GraphError as error:
        raise click.BadParameter(str(error), ctx, param) from None
    return value


def parse_memory(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number of bytes such as 500MB or 2GB. Raises click.BadParameter."""
    try:
        return parse_bytes(value)
    except rs.GraphError:
        message = f"{value!r} is no amount of memory: expected one such as 2GB"
        raise click.BadParameter(message, ctx, param) from None


def parse_seconds(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """Read a time such as 60s, 5m or 1h. Raises click.BadParameter."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smh]?)", value.strip().lower(), re.ASCII)
    seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not seconds > 0:
        raise click.BadParameter(f"{value!r} is no time: expected one such as 60s or 5m", ctx, param)
    return seconds


trust_option = click.option(
    "--trust-rules",
    is_flag=True,
    help="Run the file of rules that a saved solution names, as it was when it was saved. "
    "Built-in games and graphs need no such file.",
)

choose_language = functools.partial(click.option, "--language", type=click.Choice(list(LANGUAGES)))

language_option = choose_language(
    default=DEFAULT,
    show_default=True,
    envvar="RETROSOLVE_LANGUAGE",
    show_envvar=True,
    help="Language of sentences.",
)

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)

INPUT_OPTIONS = (
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
        help="Vertex table of edges in text or Parquet, with owners and terminal values.",
    ),
    click.option(
        "--source",
        "source_column",
        metavar="COLUMN",
        help="Column of the edges with their sources, as in --source payer --target payee.",
    ),
    click.option(
        "--target", "target_column", metavar="COLUMN", help="Column of the edges with their targets."
    ),
    click.option(
        "--vertex",
        "vertex_column",
        metavar="COLUMN",
        help="Column of the vertex table that names the vertex (default: vertex, name or id).",
    ),
    click.option(
        "--owner",
        "owner_column",
        metavar="COLUMN",
        help="Column of the vertex table with who moves (default: owner or player).",
    ),
    click.option(
        "--terminal",
        "terminal_column",
        metavar="COLUMN",
        help="Column of the vertex table with win, loss or tie where the game ends (default: "
        "terminal).",
    ),
    click.option("--start", metavar="POSITION", help="Initial position, instead of that of INPUT."),
    click.option(
        "--scratch",
        metavar="DIR",
        help="Folder for what edges on disk take beyond memory (default: that of temporary files).",
    ),
    trust_option,
)

STUCK_OPTIONS = (
    click.option(
        "--stuck",
        type=click.Choice(list(STUCK_VALUES)),
        help="What having no move means to the player to move (default: loss).",
    ),
    click.option(
        "--misere", is_flag=True, help="The player who cannot move wins; same as --stuck win."
    ),
)

OBJECTIVE_OPTION = click.option(
    "--objective",
    metavar="NAME[:PARAMETER=VALUE,...]",
    callback=check_objective,
    help="The question (default: that of the game). outcome: value and remoteness; win-loss-draw: the "
    "value alone, which saves time and memory for policeman and thief on large boards; conversion: the "
    "distance to the next capture or pawn move, as in conversion:limit=100; score: the points, or "
    "score:levels=no for points without plies; nimber: nimbers; chance: what to expect of dice, as in "
    "chance:tolerance=1e-6.",
)

SOLVER_OPTIONS = (
    click.option(
        "--solver",
        default="auto",
        show_default=True,
        type=click.Choice(["auto", *NAMES]),
        help="Algorithm, explained below.",
    ),
    click.option("--threads", type=click.IntRange(min=1), help="Maximum number of threads."),
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        help="Processes that explore plain rules, or export (default: all cores where that is slow).",
    ),
    click.option(
        "--limit", type=click.IntRange(min=1), help="Maximum number of positions, such as 1000000."
    ),
    click.option("--memory", callback=parse_memory, help="Maximum memory, such as 2GB."),
    OBJECTIVE_OPTION,
    click.option(
        "--address", help="Ray cluster of --solver ray: auto, local (default) or ray://host:port."
    ),
    click.option(
        "--partitions",
        type=click.IntRange(min=1),
        help="Parts in which --solver ray owns positions (default: one for each processor).",
    ),
)

RUN_OPTIONS = (
    click.option(
        "--out",
        metavar="DIR",
        help="Solve into a folder: finished parts are written at once and leave memory. An interrupted "
        "or killed solve goes on with --resume.",
    ),
    click.option(
        "--resume", is_flag=True, help="Go on with an unfinished --out; without one begin anew."
    ),
    click.option(
        "--checkpoint-every",
        default="60s",
        show_default=True,
        callback=parse_seconds,
        metavar="TIME",
        help="Time between two checkpoints of --out within a part, such as 60s or 5m.",
    ),
    click.option(
        "--snapshots",
        metavar="URL",
        help="Where the partitions of --solver ray write checkpoints, such as s3://bucket/folder "
        "(default: beside --out).",
    ),
)


def option_group(parameter: str, kind: type[Any], *options: Command) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, passed to it as one object.

    Parameters
    ----------
    parameter : str
        Name of the command's parameter that receives the object.
    kind : type
        A dataclass with a field for each option; others keep their defaults.
    *options : decorators
        Options and arguments made by click.
    """

    def decorate(command: Command) -> Command:
        """Return a command that gets the options of ``kind`` as one argument."""

        @functools.wraps(command)
        def wrapper(**arguments: Any) -> Any:
            names = [field.name for field in dataclasses.fields(kind) if field.name in arguments]
            made = kind(**{name: arguments.pop(name) for name in names})
            return command(**{parameter: made}, **arguments)

        for option in reversed(options):
            wrapper = option(wrapper)
        return wrapper

    return decorate


def takes_input(*options: Command) -> Callable[[Command], Command]:
    """Return a decorator that adds INPUT and its options to a command, passed to it as ``request``.

    Parameters
    ----------
    *options : decorators
        Those of STUCK_OPTIONS, SOLVER_OPTIONS and RUN_OPTIONS that the command takes too.
    """
    return option_group("request", Request, *INPUT_OPTIONS, *options)


WITH_OWNERS = ("pg", "sol")


def check_output(output: str, request: Request, output_format: str | None = None) -> None:
    """Raise FormatError or StoreError unless the output can be written without replacing the input.

    Parameters
    ----------
    output : str
        A file with a known extension, or a folder: without an extension, or with a slash at the end.
    request : Request
    output_format : str, optional
        The format of a file with any extension.
    """
    inputs = list(input_files(request))
    if output_format is not None or format_of(output) is not None:
        from retrosolve.formats.files import check_destination

        check_destination(output, output_format, inputs)
        return
    from retrosolve.store import MANIFEST
    from retrosolve.store import check_destination as check_folder

    path = Path(output)
    if path.suffix and not output.endswith(("/", os.sep)) and not (path / MANIFEST).is_file():
        raise rs.FormatError(f"{no_known_ending(output)}, or a folder, {output}/")
    check_folder(path)
    if path.exists() and any(path.samefile(other) for other in inputs):
        raise rs.StoreError(f"cannot save {output}: it is the input, which is never replaced")


def no_known_ending(output: str) -> str:
    """Return the sentence about a file whose extension is that of no format."""
    known = " ".join(suffix for f in FORMATS.values() for suffix in f.suffixes if f.writer)
    return f"{output!r} has no known ending: expected one of {known}"


def check_folder(out: str, request: Request) -> None:
    """Raise FormatError or StoreError unless a folder can be solved into.

    Parameters
    ----------
    out : str
    request : Request
        The input, which is never replaced.
    """
    if format_of(out) is not None:
        raise rs.FormatError(f"{out!r} has the ending of a graph file: expected a folder for --out")
    check_output(out if out.endswith(("/", os.sep)) else f"{out}/", request)


def input_files(request: Request) -> Iterator[Path]:
    """Yield the files and folders that INPUT and its options name, and their vertex tables."""
    pieces = [request.source, *re.split("[:,=]", request.source), request.vertex_table]
    paths = [Path(piece) for piece in pieces if piece and Path(piece).name]
    for path in [place for piece in paths for place in (piece, with_infix(piece, TABLE))]:
        if os.path.exists(path):  # False also for text that cannot be a path
            yield path


def note_draws(output_format: str | None, loaded: LoadedInput, endless: int | None = None) -> None:
    """Print a note, before what may be long work, if draws would end it without a .sol file.

    Of stored edges a solve takes no longer than to read them.
    """
    if output_format != "sol" or endless is not None or loaded.solution is not None:
        return
    space = space_without_search(loaded.subject)
    if space is None or Capability.CSR not in space.capabilities:
        print_line(
            "note: a .sol file needs a winner for each position: if there are draws it is not written, "
            "unless convert has --endless 0 or 1, the player who wins them",
            err=True,
        )


def check_winners(output_format: str | None, loaded: LoadedInput, stuck: str) -> None:
    """Raise FormatError for a graph that a parity game cannot hold: without owners, or with ties.

    Ties that only exploring or solving would show are left to the writer.
    """
    space = space_without_search(loaded.subject) if output_format in WITH_OWNERS else None
    if space is None or not space.num_vertices:
        return
    if space.player(np.zeros(1, np.int64)) is None:
        raise rs.FormatError(f"a .{output_format} file needs an owner for each vertex")
    if Capability.CSR not in space.capabilities:
        return
    ends = space.terminal(0, space.num_vertices)
    ties = ends == rs.Value.TIE
    if stuck == rs.Value.TIE.label:
        ties |= (ends == 0) & (np.diff(space.successors(0, space.num_vertices).indptr) == 0)
    if ties.any():
        vertex = space.position(int(np.argmax(ties)))
        raise rs.FormatError(
            f"vertex {short_repr(vertex)} ends in a tie: a .{output_format} file can hold only wins "
            "and losses"
        )


def record_facts(solution: rs.Solution, out: str) -> None:
    """Record in a folder that was solved into where play starts and what is proven."""
    from retrosolve.store import update_manifest

    start = None if solution.start is None else solution.space.index(solution.start)
    update_manifest(out, start=start, **proven_record(solution.proven))


def write_solution(solution: rs.Solution, path: str, report: ProgressCallback) -> None:
    """Write a graph file if the file extension is known, else save a folder."""
    if format_of(path) is None:
        solution.save(path)
    else:
        rs.write(solution, path, progress=report)
