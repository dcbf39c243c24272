"""Parts that rules are made of which do not fit together: boards, moves, indices, games of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve import ranking
from retrosolve.adapters import openspiel
from retrosolve.rules.board import MovePattern
from tests.bad_input import Input
from tests.rules.test_openspiel import DiceHeap, Heap

SIX = rs.Board.grid(2, 3)
NINE = rs.Board.grid(3, 3)
JUMPS: Any = {
    "board": NINE,
    "moves": NINE.steps("orthogonal") + NINE.jumps("orthogonal"),
    "start": "OOO/.../XXX",
}
LINES: Any = {"board": NINE, "moves": NINE.steps("orthogonal"), "men": 3, "lines": [0b111 << 6]}
FORWARD: Any = {
    "board": NINE,
    "moves": NINE.steps("forward"),
    "start": "OOO/.../XXX",
    "turn": [s % 3 + 6 - s // 3 * 3 for s in range(9)],
}

MOVES: dict[str, Any] = {
    "to an occupied point": MovePattern(0, 1),
    "to a point that is held": MovePattern(0, 1, other=2),
    "that takes what is not there": MovePattern(0, 1, free=2, taken=4),
    "to no point": MovePattern(0, 6, free=64),
    "from no point": MovePattern(-1, 0, free=1),
    "with a man beyond the board": MovePattern(0, 1, free=2, own=64),
    "with a set below 0": MovePattern(0, 1, free=-2),
    "with a point in two sets": MovePattern(0, 1, other=6, free=2),
    "over a man of both": MovePattern(0, 1, own=4, other=4, free=2),
    "from a free point": MovePattern(0, 0, free=1),
    "from a point that the other holds": MovePattern(0, 1, other=1, free=2),
    "between names": MovePattern("a1", "a2"),  # type: ignore[arg-type]
    "over a list": MovePattern(0, 1, free=[1]),  # type: ignore[arg-type]
    "that is a pair": (0, 1),
}
GIVEN: dict[str, dict[str, Any]] = {
    "lines by names": {"lines": ["a1", "b1"]},
    "a line beyond the board": {"lines": [64]},
    "an empty line": {"lines": [0]},
    "lines as a number": {"lines": 7},
    "one goal": {"goals": (1,)},
    "goals of players that are alike": {"goals": (1, 2)},
    "fewest of players that are alike": {"fewest": (1, 3)},
    "fewest of three": {"fewest": (1, 2, 3)},
    "fewest as text": {"fewest": "3"},
    "flying below 0": {"flying": -1},
    "half men": {"start": "", "men": 2.5},
    "start as a number": {"start": 5},
    "start of other rows": {"start": "XO/X"},
    "start that X has won": {"start": "XXX/O.O", "lines": [56]},
    "sides of two": {"sides": "both"},
    "turn that is no exchange": {"turn": [1, 2, 0, 4, 5, 3]},
    "turn of text": {"turn": list("abcdef")},
    "turn of players that are unlike": {"turn": [3, 4, 5, 0, 1, 2], "sides": "unlike"},
    "turn that changes lines": {"turn": [3, 4, 5, 0, 1, 2], "lines": [7]},
    "symmetries of another board": {"symmetry": [[0, 1, 2]]},
    "symmetry that is no permutation": {"symmetry": [[0, 1, 2, 3, 4, 4]]},
    "too many men": {"board": rs.Board.grid(5, 6), "moves": rs.Board.grid(5, 6).jumps(), "start": "", "men": 2},
    "symmetry of a board without": {"board": rs.Board.lined("abcdef", [3, 3], [(0, 1)]), "symmetry": True},
    "board as text": {"board": "a board"},
    "symmetry that changes moves": FORWARD | {"symmetry": NINE.symmetries},
}  # fmt: skip
TEXTS = ("OOO/.../XXX", "OOO/.../XX X", "OOO/.../XXY X", "OOO/X../XXX X", "OOO/.../XXX 3 X")
BOARDS: dict[str, dict[str, Any]] = {
    "two points of a name": {"names": "aa"},
    "a name with a blank": {"names": ["a", "b c"]},
    "a name that is a number": {"names": ["a", 2]},
    "a row too short": {"rows": [1]},
    "rows as text": {"rows": ["2"]},
    "a line beyond its points": {"lines": [(0, 2)]},
    "a line by names": {"lines": [("a", "b")]},
    "a point without a place": {"places": {"a": (1, 1)}},
}
KINDS: tuple[dict[str, str], ...] = (
    {"chance_mode": "SAMPLED_STOCHASTIC"}, {"dynamics": "SIMULTANEOUS"}, {"players": "3"},
    {"information": "IMPERFECT_INFORMATION"}, {"utility": "GENERAL_SUM"},
)  # fmt: skip
CALLS: dict[str, Callable[[], Any]] = {
    "steps to no direction": lambda: SIX.steps("north"),
    "steps to a list": lambda: SIX.steps(["up"]),  # type: ignore[arg-type]
    "rows of text": lambda: SIX.rows_of("3"),  # type: ignore[arg-type]
    "grid of text": lambda: rs.Board.grid("2", 3),  # type: ignore[arg-type]
    "grid of 36 points": lambda: rs.Board.grid(6, 6),
    "jumps over free points": lambda: SIX.jumps(over="free"),
    "position of the winner": lambda: rs.BoardGame(**LINES).parse("XXX/.OO/O.. X"),
    "index of more men than points": lambda: ranking.TwoSets(9, [[(0, 5, 5)]]),
    "index of a block twice": lambda: ranking.TwoSets(9, [[(0, 1, 2)], [(0, 1, 2)]]),
    "index of 32 points": lambda: ranking.TwoSets(32, [[(0, 1, 1)]]),
    "binomials past 64 bits": lambda: ranking.binomials(67, 33),
    "multisets past 64 bits": lambda: ranking.multiset_counts(35, 33),
    "group of nothing": lambda: ranking.generate_group([]),
    "group of no permutation": lambda: ranking.generate_group([[0, 1, 2], [1, 1, 0]]),
    "group of 9! elements": lambda: ranking.generate_group([[1, 0, *range(2, 9)], [*range(1, 9), 0]]),
    "images of 25 points": lambda: ranking.subset_images(np.arange(25)[None]),
    "OpenSpiel: a number": lambda: openspiel(3),  # type: ignore[arg-type]
    "OpenSpiel: an unknown key": lambda: openspiel(Heap(), "colour"),
    "OpenSpiel: an illegal action": lambda: openspiel(Heap(7), start=[2, 3]),
    "OpenSpiel: a start as text": lambda: openspiel(Heap(7), start="k7/8"),
    "OpenSpiel: a text for all": lambda: rs.solve(openspiel(Heap(7, "stones"))),
    "OpenSpiel: a text without plies": lambda: rs.solve(openspiel(Heap(7, "moves"))),
    "OpenSpiel: a text without returns": lambda: rs.solve(openspiel(Heap(7, "returns"))),
    "OpenSpiel: shares that are no fractions": lambda: rs.solve(openspiel(DiceHeap(3, (2**-0.5, 0.25, 0.75 - 2**-0.5)))),
    "OpenSpiel: shares below 1": lambda: rs.solve(openspiel(DiceHeap(3, (0.5, 0.25, 0.125)))),
}  # fmt: skip


def game(**given: Any) -> rs.BoardGame:
    return rs.BoardGame(**({"board": SIX, "moves": SIX.steps(), "start": "O.O/X.X"} | given))


def move(pattern: Any) -> Input:
    """A move that no man can make, of both players or of the second."""

    def meet(_: object) -> str:
        said = []
        for moves, sides in (([*SIX.steps(), pattern], "alike"), ((SIX.steps(), [pattern]), "unlike")):
            try:
                game(moves=moves, sides=sides)
            except rs.RulesError as error:
                said.append(str(error))
        return " | ".join(dict.fromkeys(said))

    return meet


INPUTS: dict[str, Input] = {
    **{f"move {name}": move(pattern) for name, pattern in MOVES.items()},
    **{f"board game: {name}": lambda _, given=given: game(**given) for name, given in GIVEN.items()},
    **{f"position {text}": lambda _, text=text: game(**JUMPS).parse(text) for text in TEXTS},
    **{
        f"board: {name}": lambda _, given=given: rs.Board.lined(**{"names": "ab", "rows": [2], "lines": [(0, 1)]} | given)
        for name, given in BOARDS.items()
    },
    **{f"OpenSpiel: {kind}": lambda _, kind=kind: openspiel(Heap(**kind)) for kind in KINDS},
    **{name: lambda _, call=call: call() for name, call in CALLS.items()},
}  # fmt: skip
