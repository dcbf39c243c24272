"""What a proof is asked that it cannot do, and what it says of what does not count."""

import retrosolve as rs
from tests.bad_input import Input, command

INPUTS: dict[str, Input] = {
    "a full proof of a sample": lambda folder: rs.verify(
        rs.solve(rs.game("chess:KRK,board=4")), full=True, sample=100
    ),
    "solve --full without a proof": command("solve", "police", "--full", "--no-verify"),
}
