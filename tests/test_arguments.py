"""Arguments of other kinds: accepted where they can mean one thing, else one sentence."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import retrosolve as rs
from retrosolve.formats import read_graph, write
from retrosolve.objectives import Conversion
from retrosolve.pursuit.police import PoliceAndThief

GRAPH = rs.Graph.from_edges(["a", "b"], ["b", "c"])
ANY: Any = GRAPH  # for arguments that the types refuse
SOLUTION: Any = rs.solve(GRAPH)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rs.verify(ANY), r"Graph\(.*\) is no solution: expected one of solve\(\) or open\(\)"),
        (lambda: rs.verify(SOLUTION, progress=ANY), r"progress=Graph\(.*\): expected a function"),
        (lambda: rs.perft(ANY, 3), r"Graph\(.*\) has no rules: expected a Game or a CompiledGame"),
        (lambda: rs.check_game(ANY), r"Graph\(.*\) has no rules: expected a Game or a CompiledGame"),
        (lambda: rs.Graph([0, 1], [1, 2]), r"expected Graph\.from_edges\(source, target\)"),
        (lambda: rs.Value("won"), r"'won' is not a value: expected win, loss, tie or draw"),
        (lambda: rs.Value(9), r"9 is not a value: expected win, loss, tie, draw or a code, 0 to 3"),
        (lambda: rs.Graph.from_networkx([0]), r"list is no network: expected a Graph or DiGraph"),
        (lambda: rs.Graph.from_scipy([[0, 1]]), r"list is no sparse matrix: expected scipy\.sparse"),
        (lambda: rs.solve(GRAPH, progress=True), r"progress=True: expected a function that takes"),  # type: ignore[arg-type]
        (lambda: rs.EdgeParts("edges", progress=ANY), r"progress=Graph\(.*\): expected a function"),
        (lambda: rs.solve(GRAPH, stuck="draw"), r"stuck='draw' is not known"),
        (lambda: rs.solve(GRAPH, stuck=rs.Value.DRAW), r"stuck=<Value\.DRAW: 0> is not known"),
        (lambda: rs.solve(GRAPH, stuck=5), r"stuck=5 is not known"),  # type: ignore[arg-type]
        (lambda: rs.solve(GRAPH, memory=2.5), r"memory=2\.5: expected a whole number of bytes"),
        (lambda: rs.solve(GRAPH, memory=float("inf")), r"memory=inf: expected a whole number"),
        *(
            (partial(call, **{name: number}), rf"{name}={number!r}: expected a whole number above 0")
            for number in (0, -1, 1.5, True, "x")
            for call, name in (
                (partial(rs.plan, GRAPH), "threads"),
                (partial(rs.plan, GRAPH), "nodes"),
                (partial(rs.plan, GRAPH), "partitions"),
                (partial(rs.verify, SOLUTION), "threads"),
                (partial(rs.verify, SOLUTION), "partitions"),
                (partial(rs.pursuit.cop_number, [(0, 1)]), "max_cops"),
            )
        ),
        (lambda: rs.solve("chess:KRK"), r"expected game\('chess:KRK'\) for a built-in game"),
        (lambda: rs.game("checkers"), r"there is no game 'checkers': expected one of stones"),
        (lambda: rs.game("stones:m=3"), r"stones:m=3: .*expected"),
        (lambda: rs.game(ANY), r"Graph\(.*\) is no text: expected the name of a game"),
        (lambda: rs.solve(SOLUTION), r"expected a Graph or a Game, and this is solved"),
        (lambda: rs.plan(SOLUTION), r"its graph is solution\.space"),
        (lambda: rs.solve(GRAPH, out=""), r"'' is not a path"),
        (lambda: rs.open(""), r"'' is not a path"),
        (lambda: SOLUTION.save(""), r"'' is not a path"),
        (lambda: SOLUTION.line("a", "x"), r"plies='x': expected a whole number, or None"),
        (lambda: read_graph(""), r"the path is empty: expected the name of a file"),
        (lambda: write(SOLUTION, ""), r"the path is empty: expected the name of a file"),
        (lambda: rs.EdgeParts(""), r"the path is empty: expected a folder, a pattern or a file"),
        (
            lambda: rs.Graph.from_edges([0], [1], terminal={0: "lose"}),
            r"terminal\[0\] is 'lose': expected WIN, LOSS or TIE",
        ),
    ],
)
def test_argument_of_another_kind_raises(call: Callable[[], object], message: str) -> None:
    with pytest.raises(rs.RetrosolveError) as raised:
        call()
    assert re.search(message, str(raised.value))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "players", [("a", "b", "c"), ("a",), "ab", ("a", "a"), ("a", 1), {"a", "b"}, np.array(["a", "b"])]
)
def test_players_that_are_not_two_names_are_refused(players: Any) -> None:
    with pytest.raises(rs.GraphError, match=r"^players=.*: expected two names that differ$"):
        GRAPH.with_start("a", players)

    class Plain(rs.Game[int]):
        def start(self) -> int:
            return 1

        def moves(self, position: int) -> list[tuple[str, int]]:
            return [("on", 0)] if position else []

    game = Plain()
    game.players = players
    with pytest.raises(
        rs.RulesError, match=r"^players of Plain is .*: expected two names that differ$"
    ):
        rs.solve(game)
    compiled = rs.game("stones:n=4")
    compiled.players = players
    with pytest.raises(
        rs.RulesError, match=r"^players of Stones is .*: expected two names that differ$"
    ):
        rs.plan(compiled)


def test_options_are_given_by_name() -> None:
    game: Any = rs.game("stones:n=4")
    calls: list[Callable[[], object]] = [
        lambda: rs.solve(game, "win"),
        lambda: rs.plan(game, "reference"),
        lambda: rs.verify(SOLUTION, print),
        lambda: rs.check_game(game, 10),
        lambda: rs.perft(game, 2, 3),
        lambda: rs.open("saved", game),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="positional argument"):
            call()


def test_arguments_that_mean_one_thing_are_accepted() -> None:
    assert [rs.Value(word) for word in ("win", "LOSS")] == [rs.Value.WIN, rs.Value.LOSS]
    for stuck in ("WIN", "win", rs.Value.WIN):
        assert rs.solve(GRAPH, stuck=stuck).stuck is rs.Value.WIN
    assert rs.plan(GRAPH, memory=2e9).solver == rs.plan(GRAPH, memory="2GB").solver
    matrix = scipy.sparse.csr_array([[0, 1], [0, 0]])
    assert rs.Graph.from_scipy(matrix).num_edges == 1
    assert rs.perft(rs.game("stones:n=4"), 2) == 4
    indented = """
        P.*
        ..T
    """
    assert str(PoliceAndThief.from_text(indented).board) == str(
        PoliceAndThief.from_text("P.*\n..T").board
    )
    with pytest.raises(rs.FormatError, match="line 2: row 2 has 2 cells: expected 3"):
        PoliceAndThief.from_text("P.*\n .T")


def test_numbers_of_numpy_are_accepted() -> None:
    one, two = np.int64(1), np.uint8(2)
    stones = rs.game("stones:n=4")
    solution = rs.solve(stones, threads=one, limit=np.int32(9), memory=np.int64(10**9))
    assert len(solution) == 5
    assert rs.plan(GRAPH, threads=two, nodes=two).memory_bytes == rs.plan(GRAPH, threads=2).memory_bytes
    ending = rs.solve(rs.game("chess:KRK,board=4"))
    assert rs.verify(ending, sample=two).sample == 2
    assert rs.verify(ending, part=(one, two)).part == (1, 2)
    assert Conversion(limit=np.int64(100)) == Conversion(limit=100)
    explained = str(rs.explain(solution, 4, depth=two, width=one))
    assert explained == str(rs.explain(solution, 4, depth=2, width=1))
    assert rs.perft(stones, two) == 4
    assert rs.check_game(stones, samples=two, seed=np.int64(0), limit=two)
