"""The part of each help text about INPUT, solvers and examples."""

from __future__ import annotations

from itertools import groupby

INPUT = (
    "INPUT is a board file; a graph file (.csv .tsv .npz .pg .graphml .dot .parquet .json, optionally "
    ".gz), or edges in a text file of any name, one per line; "
    "a folder or a pattern of files of edges that stay on disk (.npy .parquet .csv); "
    'a built-in game such as stones:n=10,take=1+2 (listed by "retrosolve games"); your own '
    "rules, rules.py:ClassName or rules.py:ClassName,n=50; or a saved solution. A dash reads "
    "standard input."
)


def epilog(*examples: str, solvers: bool = False) -> str:
    """Return the end of a help text: what INPUT is, the solvers, and examples.

    Parameters
    ----------
    *examples : str
        Command lines.
    solvers : bool
        Whether the command takes ``--solver``.
    """
    paragraphs = [INPUT]
    if solvers:
        paragraphs.append(_verbatim("Solvers:", *_solver_rows()))
    return "\n\n".join([*paragraphs, _verbatim("Examples:", *examples)])


def _verbatim(heading: str, *rows: str) -> str:
    """Return a paragraph that click does not wrap."""
    return "\n".join(["\b", heading, *(f"  {row}" for row in rows)])


def _solver_rows() -> list[str]:
    """Return the name of each algorithm with the summaries of its variants."""
    from retrosolve.solvers import SOLVERS

    rows = [("auto", "one of the following that suits INPUT and the memory")]
    for name, variants in groupby(SOLVERS, key=lambda solver: solver.name):
        for number, solver in enumerate(variants):
            rows.append(("" if number else name, solver.summary))
    return [f"{name:<10}  {summary}" for name, summary in rows]
