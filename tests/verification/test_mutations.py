"""Of every kind of solution, any single value or remoteness that is changed is refused by the proof."""

import random
from collections.abc import Iterator
from itertools import count

import pytest

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.testing import STUCK, random_compiled_game
from tests.conftest import Tune
from tests.support.claims import refuse_every_change
from tests.support.marks import SLOW

pytestmark = pytest.mark.thorough


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


@pytest.mark.long(but=1)
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
