"""Arguments of another kind or out of range, for the calls of the package."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.formats import read_graph, write
from retrosolve.pursuit.police import PoliceAndThief
from tests.bad_input import Input, command
from tests.bad_input.compiled_rules import Line, changed
from tests.bad_input.plain_rules import Ring

GRAPH = rs.Graph.from_edges(["a", "b"], ["b", "c"])
ANY: Any = GRAPH  # for arguments that the types refuse
SOLUTION: Any = rs.solve(GRAPH)
WHOLE: dict[str, Callable[..., Any]] = {
    "plan: threads": partial(rs.plan, GRAPH),
    "plan: nodes": partial(rs.plan, GRAPH),
    "plan: partitions": partial(rs.plan, GRAPH),
    "verify: threads": partial(rs.verify, SOLUTION),
    "verify: partitions": partial(rs.verify, SOLUTION),
    "cop_number: max_cops": partial(rs.pursuit.cop_number, [(0, 1)]),
    "solve: limit": partial(rs.solve, GRAPH),
    "check_game: samples": partial(rs.check_game, Ring()),
    "check_game: seed": partial(rs.check_game, Ring()),
    "check_game: limit": partial(rs.check_game, Ring()),
}
PLAYERS = ("a", "b", "c"), ("a",), "ab", ("a", "a"), ("a", 1), {"a"}, np.array(["a", "b"])
CALLS: dict[str, Callable[[], Any]] = {
    "verify a graph": lambda: rs.verify(ANY),
    "verify with a graph for progress": lambda: rs.verify(SOLUTION, progress=ANY),
    "perft of a graph": lambda: rs.perft(ANY, 3),
    "check a graph": lambda: rs.check_game(ANY),
    "lists for a graph": lambda: rs.Graph([0, 1], [1, 2]),
    "a value by a wrong word": lambda: rs.Value("won"),
    "a value by a wrong code": lambda: rs.Value(9),
    "a list as a network": lambda: rs.Graph.from_networkx([0]),
    "a list as a matrix": lambda: rs.Graph.from_scipy([[0, 1]]),
    "progress=True": lambda: rs.solve(GRAPH, progress=True),  # type: ignore[arg-type]
    "edges with a graph for progress": lambda: rs.EdgeParts("edges", progress=ANY),
    "stuck as a draw": lambda: rs.solve(GRAPH, stuck="draw"),
    "stuck=Value.DRAW": lambda: rs.solve(GRAPH, stuck=rs.Value.DRAW),
    "stuck as a number": lambda: rs.solve(GRAPH, stuck=5),  # type: ignore[arg-type]
    "half a byte of memory": lambda: rs.solve(GRAPH, memory=2.5),
    "memory without an end": lambda: rs.solve(GRAPH, memory=float("inf")),
    "a game as text": lambda: rs.solve("chess:KRK"),  # type: ignore[call-overload]
    "an unknown game": lambda: rs.game("checkers"),
    "a game by a graph": lambda: rs.game(ANY),
    "solve a solution": lambda: rs.solve(SOLUTION),
    "plan a solution": lambda: rs.plan(SOLUTION),
    "solve into no path": lambda: rs.solve(GRAPH, out=""),
    "open no path": lambda: rs.open(""),
    "save to no path": lambda: SOLUTION.save(""),
    "a line of x plies": lambda: SOLUTION.line("a", "x"),
    "read no path": lambda: read_graph(""),
    "write no path": lambda: write(SOLUTION, ""),
    "edges of no path": lambda: rs.EdgeParts(""),
    "an end by a wrong word": lambda: rs.Graph.from_edges([0], [1], terminal={0: "lose"}),
    "a row too short": lambda: PoliceAndThief.from_text("P.*\n .T"),
}


def players(given: Any) -> Input:
    """Two names for a graph, for plain and for compiled rules."""

    def meet(_: object) -> str:
        said = []
        for call in (
            lambda: GRAPH.with_start("a", given),
            lambda: rs.solve(Ring(players=given)),
            lambda: rs.plan(changed(Line, players=given)),
        ):
            try:
                call()
            except rs.RetrosolveError as error:
                said.append(str(error))
        return " | ".join(said)

    return meet


INPUTS: dict[str, Input] = {
    **{name: lambda _, call=call: call() for name, call in CALLS.items()},
    **{
        f"{name}={number}": lambda _, call=call, name=name, n=number: call(**{name.split(": ")[1]: n})
        for (name, call), number in zip(WHOLE.items(), cycle((-1, 1.5, True, "x")), strict=False)
    },
    "check no solver": command("check-solution", "none.py"),
    "check a function that is absent": command("check-solution", "mine.py:absent", **{"mine.py": ""}),
    **{f"players {given!r}": players(given) for given in PLAYERS},
    **{
        f"a timeout of {timeout}": lambda _, t=timeout: rs.solve(GRAPH, timeout=t)
        for timeout in (0, -1, True, "5", float("nan"))
    },
}  # fmt: skip
