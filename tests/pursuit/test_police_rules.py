"""Policeman and thief with every parameter, and the proof of values alone."""

import random
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.pursuit.police import PLAYERS, STEPS, PoliceAndThief, on_board
from retrosolve.spaces.product import ProductSpace, ShiftLayout
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.testing import random_board
from tests.conftest import Tune
from tests.support.marks import samples
from tests.support.police import PlainPolice, same


def random_rules(rng: random.Random) -> dict[str, Any]:
    return {
        "policeman": rng.choice(list(STEPS)),
        "thief": rng.choice(list(STEPS)),
        "stay": rng.choice(("both", "nobody", *PLAYERS)),
        "first": rng.choice(PLAYERS),
        "exits": rng.choice(("both", *PLAYERS)),
        "wrap": rng.random() < 0.3,
        "swap": rng.random() < 0.3,
    }


@pytest.mark.long("1", "2", "3")
@pytest.mark.parametrize("part", range(4))
def test_random_boards_with_random_rules(part: int, tune: Tune) -> None:
    tune(compile_from=0 if part else 10**9)
    rng = random.Random(100 + part)
    for number in range(samples(150, 500) if part else 60):
        police = PoliceAndThief.from_text(random_board(rng, 7 if part else 4), **random_rules(rng))
        stuck = rng.choice(("loss", "loss", "win"))
        made = rs.solve(police, stuck=stuck)
        stored = rs.solve(police.product().materialize(), stuck=stuck, solver="retrograde")
        assert same(made, stored)
        alone = rs.solve(police, stuck=stuck, objective="win-loss-draw")
        assert np.array_equal(alone.table.values(), made.table.values())
        assert alone.counts_by_player() == made.counts_by_player()
        if number % 10 == 0:
            rs.verify(made)
            rs.verify(alone)


def test_the_plain_rules_with_random_rules() -> None:
    rng = random.Random(7)
    for _ in range(samples(100, 300)):
        police = PoliceAndThief.from_text(random_board(rng, 3), **random_rules(rng))
        made, explored = rs.solve(police), rs.solve(PlainPolice(police))
        for v in range(len(explored)):
            position = explored.space.position(v)
            assert explored[position] == made[position]
            assert explored.moves(position) == made.moves(position)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_boards_against_the_specification(part: int) -> None:
    rng = random.Random(1000 + part)
    for _ in range(1000):
        rules = {} if rng.random() < 0.5 else random_rules(rng)
        police = PoliceAndThief.from_text(random_board(rng, 7), **rules)
        made = rs.solve(police)
        assert same(made, rs.solve(police, solver="retrograde"))
        assert same(made, rs.solve(police, solver="reference"))
        assert np.array_equal(
            rs.solve(police, objective="win-loss-draw").table.values(), made.table.values()
        )


def test_threads_do_not_change_the_answer(tune: Tune) -> None:
    tune(min_work_per_thread=1)
    rng = random.Random(3)
    for _ in range(20):
        police = PoliceAndThief.from_text(random_board(rng, 7))
        one = rs.solve(police, threads=1)
        for threads in (2, 3, 8):
            assert same(one, rs.solve(police, threads=threads))
            alone = rs.solve(police, threads=threads, objective="win-loss-draw")
            assert np.array_equal(alone.table.values(), one.table.values())


def outcome(text: str, **rules: Any) -> str:
    police = PoliceAndThief.from_text(text, **rules)
    return str(rs.solve(police)[police.initial])


def test_each_rule_by_hand() -> None:
    assert outcome("P.T") == "WIN in 3"
    assert outcome("P.T", first="thief") == "LOSS in 4"
    assert outcome("P.T", policeman="bishop") == "DRAW"
    assert outcome("P.T", stay="policeman") == "WIN in 2"  # the thief has to step onto him
    assert outcome("P.T", stay="thief") == "WIN in 3"
    assert outcome("P.T", stay="nobody") == "WIN in 2"
    assert outcome("P.TE") == "LOSS in 2"
    assert outcome("P.TE", exits="policeman") == "WIN in 5"
    assert outcome("EP.T", exits="policeman") == "WIN in 1"
    assert outcome("EP.T", exits="both") == "WIN in 1"
    assert outcome("P..T", wrap=True) == "WIN in 1"
    assert outcome("P....T", policeman="king", wrap=False) == "WIN in 9"
    assert outcome("P..\n...\n.T.", policeman="knight") == "WIN in 1"


def test_two_who_swap_places_miss_each_other() -> None:
    # In a corridor a policeman who must step passes the thief, who must step too.
    assert outcome("PT", stay="nobody") == "WIN in 1"
    assert outcome("PT", stay="nobody", swap=True) == "DRAW"
    police = PoliceAndThief.from_text("PT", swap=True)
    met = ((1, 1), (1, 1), "policeman")
    passing = ((1, 1), (1, 1), "thief")
    solution = rs.solve(police)
    assert solution[met] == (Value.WIN, 0)
    assert solution[passing].remoteness != 0
    assert [move.name for move in solution.moves(passing)] == ["right", "stay"]
    on_exit = rs.solve(PoliceAndThief.from_text("PE", swap=True))
    assert on_exit[((1, 2), (1, 2), "thief")].remoteness != 0  # shared, so not yet his


def test_a_board_of_the_table_of_games(tmp_path: Any) -> None:
    (tmp_path / "b.txt").write_text("P..T\n")
    assert str(rs.solve(on_board(str(tmp_path / "b.txt"), wrap=True)).counts()[Value.WIN])
    assert on_board().initial is not None


def test_values_alone_know_no_plies() -> None:
    police = PoliceAndThief.from_text("P..\n.*.\n..T")
    solution = rs.solve(police, objective="win-loss-draw")
    assert solution.solver == "bitset"
    assert isinstance(solution.table, BitplaneTable)
    assert solution[police.initial] == (Value.WIN, None)
    assert solution.longest() == dict.fromkeys((Value.WIN, Value.LOSS, Value.TIE))
    assert {None} == {plies for part in solution.histogram().values() for plies in part}
    assert solution.best_moves(police.initial)
    with pytest.raises(rs.GraphError):
        _ = solution.remoteness()
    other = rs.solve(police, solver="retrograde", objective="win-loss-draw")
    assert other == solution
    rs.verify(other)


@pytest.mark.parametrize("wrap", [False, True])
def test_every_single_changed_value_is_refused(wrap: bool) -> None:
    police = PoliceAndThief.from_text("P.E\n.*.\n..T", wrap=wrap)
    solution = rs.solve(police, objective="win-loss-draw")
    rs.verify(solution)
    answers = solution.table
    assert isinstance(answers, BitplaneTable)
    for vertex in range(len(solution)):
        turn, pair = divmod(vertex, 64)
        p, t = divmod(pair, 8)
        place = int(answers.place[t])
        for plane in ((0, 2), (3, 1))[turn]:
            planes = answers.planes.copy()
            planes[p, plane, place // 64] ^= np.uint64(1 << place % 64)
            wrong = rs.Solution(solution.space, BitplaneTable(planes, answers.place), solution.stuck)
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)


def test_wins_that_hold_each_other_up_are_refused() -> None:
    ring = rs.Graph.from_edges([0, 1], [1, 0], 2)
    game = ProductSpace(ring, ring, np.zeros(8, np.uint8))
    planes = np.zeros((2, 4, 1), np.uint64)
    planes[:, 0], planes[:, 1] = 3, 3  # the first player claims to win everywhere
    claimed = rs.Solution(game, BitplaneTable(planes, np.arange(2)))
    assert claimed.counts()[Value.WIN] == claimed.counts()[Value.LOSS] == 4
    with pytest.raises(rs.VerificationError):
        rs.verify(claimed)


def test_a_layout_must_be_that_of_the_graph() -> None:
    path = rs.Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 1])
    ends = np.zeros(2 * 9, np.uint8)
    ProductSpace(path, path, ends, ShiftLayout(np.arange(3), np.array([-1, 1])))
    for place, offsets in (
        ([0, 1, 3], [-1, 1]), ([0, 1, 1], [-1, 1]), ([0, 1], [-1, 1]), ([-1, 0, 1], [-1, 1]),
        ([0, 1, 2], [1]), ([0, 1, 2], [-1, 1, 2]), ([0, 1, 2], []),
    ):  # fmt: skip
        with pytest.raises(rs.GraphError):
            ProductSpace(path, path, ends, ShiftLayout(np.array(place), np.array(offsets, np.int64)))


def test_any_stretch_of_a_table_of_bits_is_counted() -> None:
    rng = random.Random(8)
    solution = rs.solve(PoliceAndThief.from_text(random_board(rng, 7)), objective="win-loss-draw")
    n = solution.space.num_vertices
    for _ in range(200):
        start, stop = sorted(rng.choices(range(n + 1), k=2))
        values = solution.table.values(slice(start, stop))
        expected = np.bincount(values, minlength=256)
        assert solution.table.counts(start, stop).tolist() == expected.tolist()
    assert solution.table.counts(0, n).sum() == n
