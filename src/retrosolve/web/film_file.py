"""The film of a small game as a file: ``rs.write_film``, importable without the extra ``web``."""

from __future__ import annotations

from pathlib import Path

from retrosolve.formats.files import check_place
from retrosolve.languages import DEFAULT
from retrosolve.runtime.files import import_library, write_files
from retrosolve.solution import Solution
from retrosolve.solution.solution import check_solution

ENDINGS = (".html", ".htm")


def write_film(solution: Solution, path: str | Path, title: str = "", language: str = DEFAULT) -> None:
    """Write the film of a small game: how the algorithm decides every position, step by step.

    The file is a page that any browser opens, from a disk as well: nothing is loaded from elsewhere.

    Parameters
    ----------
    solution : Solution
        Of at most 131,072 positions and moves, which says who wins: not of points or chances.
    path : str or Path
        The file, ending in .html or .htm; an earlier one is replaced by a whole one.
    title : str
        The name of the game.
    language : {"en", "fa", "ru", "tr", "vi"}

    Raises
    ------
    GraphError
        For what is no solution, a game that is too large, an objective that other algorithms answer, or
        a language without a catalogue.
    FormatError
        For another ending, or if the file cannot be written.

    Notes
    -----
    Needs ``pip install 'retrosolve[web]'``. A file takes 90 kB, and some 25 bytes per move.

    Examples
    --------
    >>> import retrosolve as rs, tempfile
    >>> path = tempfile.mkdtemp() + "/film.html"
    >>> rs.write_film(rs.solve(rs.game("stones:n=10")), path, "Stones")
    """
    check_solution(solution)
    check_place(Path(path), suffixes=ENDINGS)
    for library in ("jinja2", "starlette"):
        import_library(library, "writing films", "web")
    from retrosolve.web.standalone import film_file

    write_files([(Path(path), lambda file: file.write(film_file(solution, title, language).encode()))])
