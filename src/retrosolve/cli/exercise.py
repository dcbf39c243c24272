"""``retrosolve check-solution``: a solver that was written as an exercise, against random graphs."""

from __future__ import annotations

from pathlib import Path

import click

import retrosolve as rs
from retrosolve.cli.inputs import run_file
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.drawing.graphs import MAX_SHOWN
from retrosolve.errors import RulesError
from retrosolve.formats.files import check_place
from retrosolve.runtime.files import write_files
from retrosolve.runtime.sources import CLASS_SEPARATOR
from retrosolve.solution.view import solved_graph


@click.command(
    epilog="\b\nExamples:\n  retrosolve check-solution my_solver.py\n"
    "  retrosolve check-solution my_solver.py:solve_backward --draw wrong.svg"
)
@click.argument("solver", metavar="FILE[:FUNCTION]")
@click.option(
    "--graphs", type=click.IntRange(0), default=1000, show_default=True, help="Random graphs."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed, the same graphs.")
@click.option("--draw", metavar="SVG", help="Draw the graph that is solved wrong, with its values.")
def check_solution(solver: str, graphs: int, seed: int, draw: str | None) -> int:
    """Check a function that solves graphs, and show the smallest graph that it gets wrong.

    FUNCTION, "solve" by default, takes a dict from each vertex to the list of its successors; a player
    who cannot move has lost. It returns a dict from vertices to "win", "loss" or "draw" for the player
    to move, or to pairs of these and the number of plies; missing vertices are draws. Exits with
    status 1 if an answer is wrong.
    """
    from retrosolve.testing.exercise import check_solver

    name, separator, function = solver.partition(CLASS_SEPARATOR)
    path, function = (Path(f"{name}.py"), function) if separator else (Path(solver), "solve")
    if draw is not None:
        check_place(Path(draw), [path], [".svg"])
    solve = getattr(run_file(path, "a solver in Python"), function, None)
    if not callable(solve):
        raise RulesError(f"{path} has no function {function!r}: expected one that solves a graph")
    with progress_bar() as report:
        checked = check_solver(solve, graphs, seed, report)
    for line in str(checked).splitlines():
        print_line(line)
    wrong = checked.counterexample
    if wrong is None:
        return 0
    if draw is not None and len(wrong.successors) <= MAX_SHOWN:
        solution = rs.solve(wrong.graph())
        drawing = solved_graph(solution.space, solution.table)
        write_files([(Path(draw), lambda file: file.write(drawing.encode()))])
        print_line(f"wrote {draw}")
    return 1
