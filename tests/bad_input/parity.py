"""Parity games of odd and even priorities, which a reachability game does not answer."""

from tests.bad_input import Input, command

GAME = "parity 3;\n0 3 0 1,2;\n1 2 1 0;\n2 5 0 2,0;\n3 4 1 0;\n"

INPUTS: dict[str, Input] = {
    "convert mixed priorities to .sol": command(
        "convert", "g.pg", "g.sol", "--endless", "0", **{"g.pg": GAME}
    ),
    "convert mixed priorities to .pg": command("convert", "g.pg", "copy.pg", **{"g.pg": GAME}),
    "solve mixed priorities -o": command("solve", "g.pg", "-o", "copy.sol", **{"g.pg": GAME}),
}
