"""File formats: one module per format, and a table of all of them.

The file extension selects the format (case-insensitive), and where it is unknown, the content. A
further ``.gz`` means gzip compression. Every error in a file is a FormatError of one line that names
the file and the place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrosolve.formats.table import BOARD, FORMATS, Format, format_of
from retrosolve.runtime import lazy

if TYPE_CHECKING:
    from retrosolve.formats.files import (
        read_graph,
        read_graph_file,
        read_solution,
        write,
    )
    from retrosolve.formats.graphfile import GraphFile
    from retrosolve.formats.pgsolver import read_pgsolver_solution
else:
    __getattr__, __dir__ = lazy.lazy_attributes(
        __name__,
        {
            "GraphFile": "retrosolve.formats.graphfile:GraphFile",
            "read_graph": "retrosolve.formats.files:read_graph",
            "read_graph_file": "retrosolve.formats.files:read_graph_file",
            "read_pgsolver_solution": "retrosolve.formats.pgsolver:read_pgsolver_solution",
            "read_solution": "retrosolve.formats.files:read_solution",
            "write": "retrosolve.formats.files:write",
        },
    )

__all__ = [
    "BOARD",
    "FORMATS",
    "Format",
    "GraphFile",
    "format_of",
    "read_graph",
    "read_graph_file",
    "read_pgsolver_solution",
    "read_solution",
    "write",
]
