"""``retrosolve explain``: the algorithm on a small input, or one position as a proof tree."""

from __future__ import annotations

from html import escape
from itertools import islice

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import OBJECTIVE_OPTION, STUCK_OPTIONS, Request, language_option, takes_input
from retrosolve.cli.output import print_line, print_sentence, progress_bar
from retrosolve.explanation.proof import DEPTH, WIDTH, Proof
from retrosolve.explanation.steps import MAX_VERTICES, AlgorithmSteps
from retrosolve.languages import LANGUAGES


@click.command(
    epilog=epilog(
        "retrosolve explain examples/token.csv",
        "retrosolve explain tictactoe --depth 2",
        "retrosolve explain graph.csv --start b",
        "retrosolve explain graph.csv --as html > graph.html",
    )
)
@takes_input(*STUCK_OPTIONS, OBJECTIVE_OPTION)
@click.option("--depth", type=click.IntRange(1), help=f"Plies to explain (default: {DEPTH}).")
@click.option(
    "--width", type=click.IntRange(1), help=f"Moves to show of each position (default: {WIDTH})."
)
@click.option(
    "--as", "form", type=click.Choice(["text", "markdown", "html"]), default="text", show_default=True,
    help="Whether to print text, Markdown or a page of HTML, which may have pictures.",
)  # fmt: skip
@language_option
def explain(
    request: Request,
    depth: int | None,
    width: int | None,
    form: str,
    language: str,
) -> None:
    """Explain why a position of INPUT has its value, as a tree of moves.

    The position is the start, or the one that --start names. Without --start, --depth and --width, a
    game of at most 200 positions is explained as a whole, unless --objective asks for more than values
    and remoteness: how every position is decided, step by step.
    """
    loaded = request.load()
    with progress_bar() as report:
        solution = request.solve(loaded, report)
    whole = request.start is None and depth is None and width is None
    whole = whole and solution.objective.has_steps
    whole = whole and sum(1 for _ in islice(solution, MAX_VERTICES + 1)) <= MAX_VERTICES
    explanation: AlgorithmSteps | Proof
    if whole:
        explanation = rs.explain(loaded.subject, stuck=solution.stuck.label, language=language)
    elif solution.start is None:
        raise rs.GraphError("INPUT has no start and many positions: expected --start POSITION")
    else:
        explanation = rs.explain(
            solution, solution.start, depth=depth or DEPTH, width=width or WIDTH, language=language
        )
    if form != "text":
        click.echo(_document(explanation, form, request.title, language))
    elif isinstance(explanation, AlgorithmSteps):
        for section in explanation:
            print_line(section.heading, bold=True)
            for sentence in section.sentences:
                print_sentence(f"  {sentence}")
    else:
        for row in explanation.rows():
            print_sentence(row)


def _document(explanation: AlgorithmSteps | Proof, form: str, title: str, language: str) -> str:
    """Return an explanation as Markdown, or as a page of HTML."""
    if form == "markdown":
        return explanation.markdown()
    written, head = LANGUAGES[language], f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return (
        f'<!doctype html><html lang="{written.code}" dir="{written.direction}"><head>{head}</head>'
        f"<body>{explanation._repr_html_()}</body></html>"
    )
