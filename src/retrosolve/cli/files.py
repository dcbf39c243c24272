"""Commands that write files: an input or its solution as a file, as pages, as a film, or packed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import (
    INPUT_OPTIONS,
    SOLVER_OPTIONS,
    STUCK_OPTIONS,
    WITH_OWNERS,
    Request,
    check_different,
    check_output,
    check_winners,
    choose_language,
    input_files,
    json_option,
    language_option,
    no_known_ending,
    note_draws,
    option_group,
    takes_input,
    trust_option,
)
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.formats import FORMATS, format_of
from retrosolve.formats.files import check_place, write_moves, write_rows
from retrosolve.languages import DEFAULT
from retrosolve.runtime.files import import_library, write_files
from retrosolve.runtime.lazy import load
from retrosolve.runtime.memory import format_bytes
from retrosolve.spaces.base import Capability, StateSpace, space_of
from retrosolve.store import PACKED_LEVEL
from retrosolve.store.directory import LEVELS

KINDS = ("histogram", "levels", "tiers", "history", "graph")
SIZE = (8, 5)
# The same picture is the same file: no date, and no random names inside it.
REPRODUCIBLE = {"svg.hashsalt": "retrosolve"}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {},
    "pdf": {"CreationDate": None},
    "eps": {},
}


@click.command(
    epilog=epilog(
        "retrosolve convert graph.csv graph.graphml",
        "retrosolve convert tictactoe solved.csv --solve",
        "retrosolve convert saved solved.parquet",
    )
)
@takes_input(*STUCK_OPTIONS)
@click.argument("output")
@click.option(
    "--rows/--graph",
    default=None,
    help="Write one row for each position, without moves, or every move "
    "(default: rows of a saved solution of a game, to .csv, .tsv and .parquet).",
)
@click.option("--solve", "attach", is_flag=True, help="Attach value, remoteness and best move.")
@click.option(
    "--to",
    "output_format",
    type=click.Choice([f.name for f in FORMATS.values() if f.writer]),
    help="Format of OUTPUT (default: by its file extension).",
)
@click.option(
    "--endless",
    type=click.IntRange(0, 1),
    help="Winner of endless play: for a .sol file, which names a winner everywhere, and for a .pg.",
)
def convert(
    request: Request,
    output: str,
    rows: bool | None,
    attach: bool,
    output_format: str | None,
    endless: int | None,
) -> None:
    """Write INPUT, a graph or a game, to OUTPUT in another format.

    Values that INPUT holds are kept; --solve computes them. A .sol file is always solved. Values are
    beside the edges of g.csv in g.vertices.csv; --rows writes values alone. Rows are written a part at
    a time, so that a saved solution may be larger than the memory.
    """
    target_format = output_format or format_of(output)
    if target_format is None:
        raise rs.FormatError(no_known_ending(output))
    if endless is not None and target_format not in WITH_OWNERS:
        raise click.UsageError("--endless is for .pg and .sol files")
    check_output(output, request, target_format)
    with progress_bar() as report:
        loaded = request.load(report=report)
    check_winners(target_format, loaded, request.stuck_with(loaded.stuck))
    note_draws(target_format, loaded, endless)
    subject: StateSpace | rs.Solution
    if attach or target_format == "sol" or loaded.solution is not None:
        with progress_bar() as report:
            subject = request.solve(loaded, report)
    else:
        if request.misere or request.stuck is not None:
            raise click.UsageError("--stuck and --misere say how to solve: expected --solve too")
        subject = space_of(loaded.subject)
    if isinstance(subject, rs.Solution) and _writes_rows(rows, request, subject, target_format):
        with progress_bar() as report:
            write_rows(subject, output, target_format, report)
        print_line(f"{output}: {len(subject)} positions, with values", err=True)
        return
    if rows:
        raise click.UsageError("--rows writes values: expected --solve too")
    options = {} if endless is None else {"endless": endless}
    with progress_bar() as report:
        rs.write(subject, output, format=output_format, progress=report, **options)
    with_values = ", with values" if isinstance(subject, rs.Solution) else ""
    positions = len(subject) if isinstance(subject, rs.Solution) else subject.num_vertices
    print_line(f"{output}: {positions} positions, {subject.num_edges} moves{with_values}", err=True)


@click.command(
    epilog=epilog(
        "retrosolve dataset tictactoe positions.parquet",
        "retrosolve dataset saved sample.parquet --sample 100000",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.argument("output")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    help="Number of positions, about as many of each value and remoteness (default: all).",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
def dataset(request: Request, output: str, sample: int | None, seed: int) -> None:
    """Write positions of INPUT, solved, to OUTPUT in Parquet, to learn from.

    A row for each position: its text, the player, value and remoteness; the names of all optimal moves,
    and of all moves with the value of each for the player who makes it. Rules with a method features
    also give the numbers that it makes of the position.
    """
    if format_of(output) != "parquet":
        raise rs.FormatError(f"{output!r} is no Parquet file: expected a name that ends in .parquet")
    check_output(output, request, "parquet")
    with progress_bar() as report:
        solution = request.solve(request.load(report=report), report)
        count = write_moves(solution, output, sample, seed, report)
    print_line(f"{output}: {count} positions, with moves", err=True)


def _writes_rows(
    rows: bool | None, request: Request, solution: rs.Solution, target_format: str
) -> bool:
    """Return whether to write rows rather than a graph."""
    if rows is not None:
        return rows
    no_edges = Capability.CSR not in solution.space.capabilities
    return Path(request.source).is_dir() and no_edges and target_format in ("csv", "tsv", "parquet")


@click.command(
    epilog=epilog(
        "retrosolve plot chess:KRK histogram.svg",
        "retrosolve plot saved tiers.png --kind tiers",
        "retrosolve plot graph.csv graph.svg --kind graph",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.argument("output", metavar="OUTPUT")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="histogram: positions by remoteness; levels: how many each level decides; tiers: positions by "
    "tier; history: the value of perfect play from the start; graph: a small game, coloured by value.",
)
@language_option
def plot(request: Request, output: str, kind: str, language: str) -> None:
    """Draw a picture of INPUT and write it to OUTPUT, an .svg, .png, .pdf or .eps file.

    A saved solution is opened; anything else is solved first.
    """
    check_place(Path(output), input_files(request), [f".{name}" for name in METADATA])
    suffix = Path(output).suffix.lower().removeprefix(".")
    matplotlib = import_library("matplotlib", "retrosolve plot", "plots")
    solution = request.solution()
    figure = load("matplotlib.figure:Figure")(figsize=SIZE, layout="constrained")
    with matplotlib.rc_context(REPRODUCIBLE):
        load(f"retrosolve.solution.plots:{kind}")(solution, ax=figure.subplots(), language=language)
        options = {"format": suffix, "metadata": METADATA[suffix]}
        write_files([(Path(output), lambda file: figure.savefig(file, **options))])
    print_line(f"wrote {output}")


@click.command(
    epilog=epilog(
        "retrosolve export connect4:rows=4,columns=4 --static site/",
        "retrosolve export saved --static site/ --language tr",
        "retrosolve export tictactoe hexapawn chess:KRK --static site/",
        solvers=True,
    )
)
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@option_group("request", Request, *INPUT_OPTIONS[1:], *STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option(
    "--static", "folder", required=True, type=click.Path(path_type=Path),
    help="Folder for the files, which must be empty or not exist.",
)  # fmt: skip
@choose_language(default=DEFAULT, show_default=True, help="Language of the page.")
@click.option(
    "--pictures/--no-pictures",
    default=None,
    help="Whether to write a picture of each position (default: of at most 200,000 positions).",
)
def export(
    sources: tuple[str, ...], request: Request, folder: Path, language: str, pictures: bool | None
) -> None:
    """Write INPUT, solved, as a page and files that any web host can serve, without a program.

    The page shows every position with its moves, best first, and reads what it needs of the files.
    Games of up to 20 million positions can be exported. The page of a small one opens from a disk, too.
    Several games have a folder each, and a page that leads to all of them.
    """
    for library in ("jinja2", "starlette"):
        import_library(library, "exporting pages", "web")
    from retrosolve.web.export import check_site, export_site, export_static
    from retrosolve.web.library import name_of

    requests = [dataclasses.replace(request, source=source) for source in sources]
    names = [name_of(one.title) for one in requests]
    check_different(names)
    check_site(folder)
    solved = []
    with progress_bar() as report:
        for name, one in zip(names, requests, strict=True):
            solved.append((name, one.title, one.solve(one.load(report=report), report)))
        if len(solved) == 1:
            _, title, solution = solved[0]
            export_static(solution, title, folder, language, pictures, report, workers=request.workers)
        else:
            export_site(solved, folder, language, pictures, report, request.workers)
    positions = sum(len(solution) for *_, solution in solved)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print_line(f"{positions} positions, {format_bytes(size)} in {folder}")


@click.command(
    epilog=epilog(
        "retrosolve film stones:n=10 film.html",
        "retrosolve film examples/boards/caught.txt caught.html --language fa",
        "retrosolve film graph.csv film.html --start b",
    )
)
@takes_input(*STUCK_OPTIONS)
@click.argument("output", metavar="OUTPUT")
@language_option
def film(request: Request, output: str, language: str) -> None:
    """Write how every position of INPUT is decided, step by step, as a page in one .html file.

    Any browser opens the file, from a disk as well: it loads nothing. INPUT has at most 131,072
    positions and moves, which is a board of 10 by 10 cells, and its question is who wins: points and
    chances have no film.
    """
    from retrosolve.web.film_file import ENDINGS, write_film

    path = Path(output)
    check_place(path, input_files(request), ENDINGS)
    solution = request.solution()
    write_film(solution, path, request.title, language)
    print_line(f"wrote {output}, {format_bytes(path.stat().st_size)}")


@click.command(epilog=epilog("retrosolve pack saved", "retrosolve pack saved small --no-remoteness"))
@click.argument("source", metavar="DIR")
@click.argument("out", required=False)
@click.option(
    "--level",
    default=PACKED_LEVEL,
    show_default=True,
    type=click.IntRange(LEVELS.start, LEVELS.stop - 1),
    help="Level of the compression; saving uses 3.",
)
@click.option(
    "--remoteness/--no-remoteness",
    default=True,
    help="Keep the remoteness (default: yes). Without it, win/loss/draw takes a tenth or less.",
)
@click.option(
    "--round-bounds",
    is_flag=True,
    help="Round the bounds of a game of chance outward to four bytes a position, in OUT.",
)
@trust_option
@json_option
def pack(
    source: str,
    out: str | None,
    level: int,
    remoteness: bool,
    round_bounds: bool,
    trust_rules: bool,
    as_json: bool,
) -> None:
    """Compress the saved solution DIR harder, in place or as OUT.

    Every checksum is compared first, and the directory is replaced in one step. The digest and the
    proof remain valid. Reading is as fast as before.
    """
    before = sum(file.stat().st_size for file in Path(source).rglob("*") if file.is_file())
    rs.pack(source, out, level, remoteness, trust_rules, round_bounds)
    record = _record(before, out or source)
    if as_json:
        click.echo(json.dumps(record))
        return
    print_line(f"{before} bytes before, {record['bytes']} after")
    print_line(
        f"{record['bits_per_position']:.3f} bits a position, {record['bits_per_index']:.3f} an index"
    )


def _record(before: int, path: str) -> dict[str, Any]:
    """Return the size of a solution before and after, ready for JSON."""
    with rs.open(path) as solution:
        size, positions = solution.num_bytes, len(solution)
        indices = solution.table.num_vertices
        return {
            "bytes_before": before,
            "bytes": size,
            "positions": positions,
            "indices": indices,
            "bits_per_position": round(8 * size / max(positions, 1), 4),
            "bits_per_index": round(8 * size / max(indices, 1), 4),
            "digest": solution.digest(),
        }
