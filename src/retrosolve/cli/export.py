"""``retrosolve export``: a solved game as files for any web host."""

from __future__ import annotations

from pathlib import Path

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, takes_input
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.languages import DEFAULT, LANGUAGES
from retrosolve.runtime.files import import_library
from retrosolve.runtime.memory import format_bytes


@click.command(
    epilog=epilog(
        "retrosolve export connect4:rows=4,columns=4 --static site/",
        "retrosolve export saved --static site/ --language tr",
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option(
    "--static", "folder", required=True, type=click.Path(path_type=Path),
    help="Folder for the files, which must be empty or not exist.",
)  # fmt: skip
@click.option(
    "--language", default=DEFAULT, show_default=True, type=click.Choice(list(LANGUAGES)),
    help="Language of the page.",
)  # fmt: skip
@click.option(
    "--pictures/--no-pictures",
    default=None,
    help="Whether to write a picture of each position (default: of at most 20,000 positions).",
)
def export(
    request: Request,
    folder: Path,
    language: str,
    pictures: bool | None,
) -> None:
    """Write INPUT, solved, as a page and files that any web host can serve, without a program.

    The page shows every position with its moves, best first, and reads what it needs of the files.
    Games of up to 10 million positions can be exported.
    """
    import_library("jinja2", "exporting pages", "web")
    from retrosolve.web.export import export_static

    with progress_bar() as report:
        solution = request.solve(request.load(report=report), report)
        export_static(solution, request.title, folder, language, pictures, report)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print_line(f"{len(solution)} positions, {format_bytes(size)} in {folder}")
