"""The destination of ``-o`` and of ``convert``: checked before the work, never the input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import retrosolve as rs
from retrosolve.cli.inputs import LoadedInput, Request
from retrosolve.cli.output import print_line
from retrosolve.formats import FORMATS, format_of
from retrosolve.formats.table import TABLE, with_infix
from retrosolve.runtime.context import ProgressCallback
from retrosolve.runtime.files import short_repr
from retrosolve.spaces.base import Capability, space_without_search

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
    """Record in a folder that was solved into where play starts and whether that is proven."""
    from retrosolve.store import update_manifest

    start = None if solution.start is None else solution.space.index(solution.start)
    update_manifest(out, start=start, verified=solution.verified)


def write_solution(solution: rs.Solution, path: str, report: ProgressCallback) -> None:
    """Write a graph file if the file extension is known, else save a folder."""
    if format_of(path) is None:
        solution.save(path)
    else:
        rs.write(solution, path, progress=report)
