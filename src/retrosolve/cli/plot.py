"""``retrosolve plot``: a picture of a solution as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from retrosolve.cli.destination import input_files
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, takes_input
from retrosolve.cli.output import print_line
from retrosolve.errors import FormatError
from retrosolve.formats.writing import check_place
from retrosolve.runtime.files import import_library
from retrosolve.runtime.lazy import load

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
def plot(request: Request, output: str, kind: str) -> None:
    """Draw a picture of INPUT and write it to OUTPUT, an .svg, .png, .pdf or .eps file.

    A saved solution is opened; anything else is solved first.
    """
    suffix = _checked(output, request)
    matplotlib = import_library("matplotlib", "retrosolve plot", "plots")
    solution = request.solution()
    figure = load("matplotlib.figure:Figure")(figsize=SIZE, layout="constrained")
    with matplotlib.rc_context(REPRODUCIBLE):
        load(f"retrosolve.plots:{kind}")(solution, ax=figure.subplots())
        try:
            figure.savefig(output, format=suffix, metadata=METADATA[suffix])
        except OSError as error:
            raise FormatError(f"cannot write {output}: {error.strerror}") from None
    print_line(f"wrote {output}")


def _checked(output: str, request: Request) -> str:
    """Return the format of the output. Raises FormatError unless it can be written."""
    path = Path(output)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in METADATA:
        known = ", ".join(f".{name}" for name in METADATA)
        raise FormatError(f"{output!r} has no known ending: expected one of {known}")
    check_place(path, input_files(request))
    return suffix
