"""Bad calls of solve."""

import retrosolve as rs
from tests.bad_input import Input, command

INPUTS: dict[str, Input] = {
    "solve a number": lambda folder: rs.solve(42),  # type: ignore[call-overload]
    "solve an edge of one vertex": command("solve", "g.txt", **{"g.txt": "1 2\n2\n"}),
}
