"""The proof of win, loss and draw alone: nothing that only supports itself is accepted."""

import random

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.context import Context, no_progress
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.product import ProductSpace, ShiftLayout
from retrosolve.tables import PackedTable
from retrosolve.tables.base import values_only
from retrosolve.tables.coded import coded_table
from retrosolve.testing import STUCK
from retrosolve.values import INVALID, Value
from retrosolve.verification import fixpoint, levels
from tests.conftest import Tune
from tests.support.marks import samples

LOOP = rs.Graph.from_edges([0, 1], [1, 0])
LINE = ShiftLayout(np.arange(2), np.array([-1, 1]))


def claim(space: StateSpace, values: np.ndarray, stuck: Value = Value.LOSS) -> rs.Solution:
    """A solution without remoteness that claims these values."""
    words = np.where(values == INVALID, 7, values).astype(np.uint16)
    return rs.Solution(space, values_only(PackedTable(words)), stuck)


@pytest.mark.long
@pytest.mark.parametrize("layout", [None, LINE])
@pytest.mark.parametrize("compiled", [False, pytest.param(True)])
def test_wins_that_only_support_each_other_are_refused(
    layout: ShiftLayout | None, compiled: bool, tune: Tune
) -> None:
    tune(compile_from=0 if compiled else 10**9, compile_again_from=0 if compiled else 10**9)
    space = ProductSpace(LOOP, LOOP, np.zeros(8, np.uint8), layout)
    rs.verify(claim(space, np.zeros(8, np.uint8)))
    for first, second in ((Value.WIN, Value.LOSS), (Value.LOSS, Value.WIN)):
        wrong = claim(space, np.repeat(np.array([first, second], np.uint8), 4))
        with pytest.raises(rs.VerificationError):
            rs.verify(wrong)


def random_claim(rng: random.Random, number: int) -> tuple[rs.Solution, np.ndarray]:
    """A solution of a random board without remoteness, and a copy of its values."""
    columns = rng.randint(2, 12)
    rows = ["".join(rng.choice("....*E") for _ in range(columns)) for _ in range(rng.randint(1, 4))]
    board = PoliceAndThief.from_text("\n".join(rows), wrap=rng.random() < 0.3)
    solution = rs.solve(board, stuck=STUCK[number % 3], objective="win-loss-draw")
    return solution, solution.table.values().copy()


@pytest.mark.long
def test_kernels_and_integers_name_the_same_wrong_vertex(tune: Tune) -> None:
    tune(compile_from=0, compile_again_from=0, min_work_per_thread=1)
    rng, compared = random.Random(7), 0
    for number in range(samples(30, 400)):
        solution, right = random_claim(rng, number)
        rs.verify(solution)
        for _ in range(10 if len(right) else 0):
            values = right.copy()
            for _ in range(rng.choice([1, 1, 3, 20])):
                values[rng.randrange(len(values))] = rng.choice([0, 1, 2, 3, INVALID])
            table = claim(solution.space, values, solution.stuck).table  # type: ignore[arg-type]
            by_integers = fixpoint.first_mismatch(solution.space, table, solution.stuck, no_progress)
            context = Context(rng.choice([1, 2]), None, no_progress)
            by_kernels = fixpoint.first_wrong_row(solution.space, table, solution.stuck, context)
            assert by_kernels == by_integers
            assert (by_kernels is None) == np.array_equal(values, right)
            compared += 1
    assert compared > 100


def other_claims(solution: rs.Solution, values: np.ndarray) -> rs.Solution:
    """The solution with other values, none of which has a remoteness."""
    table = coded_table(solution.table.codec, values)
    return rs.Solution(solution.space, table, objective=solution.objective)


def refusal(solution: rs.Solution) -> str:
    """What the proof says of a solution, nothing if it is right."""
    try:
        rs.verify(solution)
    except rs.VerificationError as error:
        return str(error)
    return ""


def test_a_chain_is_looked_at_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    n, seen, blocks = 2000, [], levels.blocks
    order = np.random.default_rng(1).permutation(n)
    chain = rs.Graph.from_edges(order[:-1], order[1:])
    monkeypatch.setattr(levels, "RUN_VERTICES", 1)
    monkeypatch.setattr(
        levels, "blocks", lambda space, *span: seen.append(span[1] - span[0]) or blocks(space, *span)
    )
    rs.verify(rs.solve(chain, objective="win-loss-draw"))
    assert len(seen) >= n  # the rounds
    assert sum(seen) < 4 * n


def test_with_and_without_predecessors_the_same_claims_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, refused = random.Random(5), set()
    monkeypatch.setattr(levels, "VERTICES_PER_BLOCK", 4)
    monkeypatch.setattr(levels, "RUN_VERTICES", 1)
    for number in range(samples(40, 3000)):
        n = rng.randint(2, 14)
        edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 2 * n))]
        graph = rs.Graph.from_edges(*np.array(edges).reshape(-1, 2).T, vertices=n)
        solution = rs.solve(graph, objective="win-loss-draw", stuck=STUCK[number % 3])
        values = solution.table.values().copy()
        for _ in range(4):
            monkeypatch.setattr(levels, "GAP", rng.choice([0, 2]))
            claimed = other_claims(solution, values)
            monkeypatch.setattr(levels, "available", lambda: 1 << 40)
            near = refusal(claimed)
            monkeypatch.setattr(levels, "available", lambda: 0)
            assert refusal(claimed) == near
            assert not near or not np.array_equal(values, solution.table.values())
            refused.add(near.partition(", ")[2])
            values[rng.randrange(n)] = rng.choice(solution.table.values())
    assert len(refused) > 2
