"""Remoteness that outgrows a word, in every engine, and more moves than a small counter holds."""

import random
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import words as words_module
from retrosolve.rules.two_tokens import TwoTokenGame
from retrosolve.spaces.product import ProductSpace
from retrosolve.testing import CompiledGraphGame
from tests.conftest import Tune
from tests.support.engines import solve_with
from tests.support.marks import COMPILED

NARROW = ((np.uint8, 31), (np.uint16, 8191), (np.uint32, 2**29 - 1))
WIDE_NEXT = ((np.uint8, 31), (np.uint64, 2**61 - 1))  # as 32 bits are followed by 64


@pytest.fixture
def compiling(tune: Tune) -> None:
    tune(compile_from=0)


def chain(n: int, rng: random.Random, owned: bool, inside: bool) -> tuple[rs.Graph, tuple[int, ...]]:
    """A long chain with side branches, two vertices a tier; ``inside`` joins those of a tier."""
    edges = [(v, v - 2) for v in range(2, n)]
    edges += [(v, rng.randrange(v - v % 2)) for v in range(n - 8, n) if rng.random() < 0.3]
    if inside:
        edges += [(v, v - 1) for v in range(3, n, 2)]
    owner = [rng.randrange(2) for _ in range(n)] if owned else None
    source, target = zip(*edges, strict=True)
    return rs.Graph.from_edges(source, target, n, owner), tuple(range(0, n, 2))


@pytest.mark.long("win-8-16")
@pytest.mark.parametrize(
    ("stuck", "words"),
    [("loss", NARROW), ("win", NARROW), ("tie", WIDE_NEXT)],
    ids=["loss-8-16", "win-8-16", "tie-8-64"],
)
def test_words_that_hold_little(
    stuck: str, words: Any, monkeypatch: pytest.MonkeyPatch, interpreted: None
) -> None:
    monkeypatch.setattr(words_module, "WORDS", words)
    rng = random.Random(3)
    # A chain of n // 2 plies: 31, one less and one more, and far beyond.
    for n, owned, inside in product((60, 62, 64, 140), (False, True), (False, True)):
        graph, tiers = chain(n, rng, owned, inside)
        expected = rs.solve(graph, stuck=stuck, solver="reference")
        for first in (tiers, None):
            game = CompiledGraphGame(graph, "predecessors", tiers=first)
            for solver in ("auto", "sweep", "stored retrograde"):
                solution = solve_with(solver, game, stuck)
                assert solution.table.values()[1::3].tolist() == expected.table.values().tolist()
                assert solution.remoteness()[1::3].tolist() == expected.remoteness().tolist()
            rs.verify(solution)
        assert owned or inside or expected.remoteness().max() >= n // 2 - 5


def line(size: int, end: int, tiers: bool = False) -> CompiledGraphGame:
    """Each vertex moves to the one below it, and the last is over."""
    graph = rs.Graph.from_edges(range(1, size), range(size - 1), size, None, {0: end})
    return CompiledGraphGame(graph, "predecessors", tiers=tuple(range(size)) if tiers else None)


def of_a_line(end: int, plies: int) -> str:
    """What a position so many plies from the end is."""
    value = rs.Value(end)
    return f"{(value if plies % 2 == 0 else value.opposite()).name} in {plies}"


# Of wins and losses, which alternate on a line, one end shows both. A tie is passed on by other code,
# which ``test_words_that_hold_little`` runs.
@pytest.mark.long
@COMPILED
@pytest.mark.usefixtures("compiling")
@pytest.mark.parametrize(
    ("game", "solver"),
    [
        (partial(line, 8300, tiers=True), "sweep"),
        (partial(line, 8300), "stored sweep"),
        (partial(line, 66_000), "retrograde"),
        (partial(line, 66_000), "stored retrograde"),
    ],
)
def test_past_two_bytes(game: Any, solver: str) -> None:
    solution = solve_with(solver, game(2))
    last = solution.space.num_vertices // 3 - 1
    for plies in (*range(8180, 8201), *range(65_530, 65_541), last):
        if plies <= last:
            assert str(solution[3 * plies + 1]) == of_a_line(2, plies)
    rs.verify(solution)


@pytest.mark.parametrize("end", [1, 2, 3])
@pytest.mark.parametrize("solver", ["retrograde", "sweep"])
def test_tiers_skip_levels_at_which_nothing_is_decided(end: int, solver: str) -> None:
    size, reports = 150, []
    graph = rs.Graph.from_edges(range(1, size), range(size - 1), size, None, {0: end})
    game = CompiledGraphGame(graph, "predecessors", tiers=tuple(range(0, size, 3)))
    solution = rs.solve(game, solver=solver, progress=reports.append)
    assert [str(solution[3 * v + 1]) for v in range(size)] == [of_a_line(end, v) for v in range(size)]
    assert len(reports) < 5 * size  # not one for each level before those of a tier


class Walk(TwoTokenGame):
    """One token walks down a line, the other stays; the end is that of the one that walks."""

    def __init__(self, length: int, end: int, second: bool = False) -> None:
        self.length, self.end, self.second = length, end, second

    def product(self) -> ProductSpace:
        down = rs.Graph.from_edges(range(1, self.length), range(self.length - 1), self.length)
        ends = np.zeros(2 * self.length, np.uint8)
        ends[self.index(0)] = self.end
        tokens = down, rs.Graph.from_edges([0], [0])
        return ProductSpace(*(reversed(tokens) if self.second else tokens), ends)

    def index(self, position: Any) -> int:
        return int(position) + self.length * self.second

    def position(self, index: int) -> int:
        return index - self.length * self.second

    def moves(self, position: int) -> Any:
        return []


def test_two_tokens_in_words_that_hold_little(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, second in product((NARROW, WIDE_NEXT), (False, True)):
        monkeypatch.setattr(words_module, "WORDS", words)
        for end in (1, 2, 3):
            solution = rs.solve(Walk(40, end, second))
            assert [str(solution[k]) for k in range(40)] == [of_a_line(end, 2 * k) for k in range(40)]
            rs.verify(solution)


@pytest.mark.long
@COMPILED
@pytest.mark.usefixtures("compiling")
def test_more_successors_than_two_bytes_count() -> None:
    """One position with 70,000 moves, all but one of which lose at once: a DRAW by the last."""
    n = 70_000
    solution = rs.solve(wide(n, True))
    assert solution.solver == "retrograde"
    assert (str(solution[1]), str(solution[3 * n + 1])) == ("DRAW", "DRAW")
    rs.verify(solution)
    solution = rs.solve(wide(n, False))
    assert (str(solution[1]), str(solution[3 * n + 1])) == ("LOSS in 1", "WIN in 0")
    rs.verify(solution)


def test_duplicates_among_many_moves_are_removed_by_sorting(interpreted: None) -> None:
    """Positions with more moves than are compared one with another, many of them the same."""
    rng = random.Random(1)
    for n in (3, 40):
        source = [rng.randrange(n) for _ in range(125 * min(n, 5))] + [0] * 500
        target = [rng.randrange(n) for _ in source]
        terminal = [rng.choice((0, 0, 0, 1, 2)) for _ in range(n)]
        graph = rs.Graph.from_edges(source, target, n, None, terminal)
        expected = rs.solve(graph, solver="reference")
        solution = rs.solve(CompiledGraphGame(graph, "predecessors"))
        assert solution.table.values()[1::3].tolist() == expected.table.values().tolist()
        assert solution.remoteness()[1::3].tolist() == expected.remoteness().tolist()
        rs.verify(solution)


def wide(n: int, loop: bool) -> CompiledGraphGame:
    """0 leads to 1 up to ``n``; all are won for who moves there, but ``n``, which may lead back to 0."""
    terminal = np.full(n + 1, rs.Value.WIN, np.uint8)
    terminal[0] = 0
    source, target = [0] * n, [*range(1, n + 1)]
    if loop:
        terminal[n] = 0
        source, target = [*source, n], [*target, 0]
    return CompiledGraphGame(rs.Graph.from_edges(source, target, n + 1, None, terminal), "predecessors")
