"""``retrosolve film``: how the algorithm decides a small input, as a page in one file."""

from __future__ import annotations

from pathlib import Path

import click

from retrosolve.cli.destination import input_files
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import STUCK_OPTIONS, Request, language_option, takes_input
from retrosolve.cli.output import print_line
from retrosolve.formats.files import check_place
from retrosolve.runtime.memory import format_bytes


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
    positions and moves, which is a board of 10 by 10 cells.
    """
    from retrosolve.web.standalone import ENDINGS, write_film

    path = Path(output)
    check_place(path, input_files(request), ENDINGS)
    solution = request.solution()
    write_film(solution, path, request.title, language)
    print_line(f"wrote {output}, {format_bytes(path.stat().st_size)}")
