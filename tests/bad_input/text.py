"""Text that UTF-8 cannot encode, in what rules say."""

import io

import retrosolve as rs
from tests.bad_input import Input

NAMED = rs.Graph.from_edges(["a\ud800"], ["b"])
GRAPH = rs.Graph.from_edges(["a"], ["b"]).with_start("a", ("x\ud800", "y"))

INPUTS: dict[str, Input] = {
    "write players with a surrogate": lambda folder: rs.write(GRAPH, folder / "g.json"),
    "write players with a surrogate to an open file": lambda folder: rs.write(
        GRAPH, io.BytesIO(), "json"
    ),
    "a film of players with a surrogate": lambda folder: rs.write_film(
        rs.solve(GRAPH), folder / "film.html"
    ),
    "a data frame of a surrogate": lambda folder: rs.solve(NAMED).to_pandas(),
    "a table of Arrow of a surrogate": lambda folder: rs.solve(NAMED).to_arrow(),
}
