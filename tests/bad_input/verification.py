"""What a proof is asked that it cannot do, and what it says of what does not count."""

from pathlib import Path

import retrosolve as rs
from retrosolve.solution import preference
from tests.bad_input import Input, command, notes

FEN = "3k/4/2K1/R3 w - - 90 120"


def look_up_a_fen(folder: Path) -> None:
    preference._note_clock.cache_clear()  # it is said once
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    for _ in range(2):
        solution[FEN]


INPUTS: dict[str, Input] = {
    "a full proof of a sample": lambda folder: rs.verify(
        rs.solve(rs.game("chess:KRK,board=4")), full=True, sample=100
    ),
    "solve --full without a proof": command("solve", "police", "--full", "--no-verify"),
    "look up a FEN with a clock": notes(look_up_a_fen),
}
