"""Of every kind of solution, any single value or remoteness that is changed is refused by the proof."""

import random
from collections.abc import Iterator
from itertools import count

import pytest

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.tables import PackedTable
from retrosolve.testing import STUCK, random_compiled_game
from tests.conftest import Tune
from tests.support.marks import SLOW


def board(rng: random.Random) -> PoliceAndThief:
    cells = [[rng.choice("...*E") for _ in range(3)] for _ in range(2)]
    return PoliceAndThief.from_text("\n".join(map("".join, cells)))


KINDS = (
    "successors", "predecessors", "player", "tiers", "reachable", "canonical", "explored", "two tokens",
)  # fmt: skip


def solutions(kind: str, rng: random.Random) -> Iterator[rs.Solution]:
    for i in count():
        game = board(rng) if kind == "two tokens" else random_compiled_game(rng, kind)
        yield rs.solve(game, stuck=STUCK[i % 3])


def refuse_every_change(solution: rs.Solution) -> int:
    """Change each word to every other that it might be; return how many were refused."""
    rs.verify(solution)
    words, refused = solution.table.packed(), 0
    others = {*range(26), *words.tolist(), 8 * len(words) + 1}
    for v in range(len(words)):
        for word in others - {int(words[v])}:
            changed = words.copy()
            changed[v] = word
            wrong = rs.Solution(solution.space, PackedTable(changed), solution.stuck)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
            assert not wrong.verified
            refused += 1
    return refused


@pytest.mark.parametrize("kind", KINDS)
def test_every_single_change_is_refused(kind: str) -> None:
    refused = games = 0
    found = solutions(kind, random.Random(1))
    while refused < 1500 or games < 4:
        refused += refuse_every_change(next(found))
        games += 1


@SLOW
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiled", [False, True])
def test_every_single_change_of_many_is_refused(kind: str, compiled: bool, tune: Tune) -> None:
    tune(compile_from=0 if compiled else 10**9, compile_again_from=0 if compiled else 10**9)
    refused, solved = 0, solutions(kind, random.Random(2))
    while refused < 20_000:
        refused += refuse_every_change(next(solved))
