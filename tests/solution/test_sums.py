"""Sums of solved games against the solved product, and play by their moves to the end."""

from __future__ import annotations

import json
import random

import pytest

import retrosolve as rs
from retrosolve.cli import run
from tests.support.marks import samples
from tests.support.nimbers import heap, product, random_impartial

Parts = tuple[tuple[rs.Solution, int], ...]


def nimbers(graph: rs.Graph) -> rs.Solution:
    return rs.solve(graph, objective="nimber")


def test_winner_and_move_agree_with_the_solved_product() -> None:
    rng = random.Random(31)
    for _ in range(samples(40, 2500)):
        one, other = random_impartial(rng, most=6), random_impartial(rng, most=6)
        solved = nimbers(one), nimbers(other)
        outcomes = rs.solve(product(one, other))
        size = other.num_vertices
        for v in range(one.num_vertices):
            for w in range(size):
                answer = rs.sum((solved[0], v), (solved[1], w))
                outcome = outcomes[v * size + w].value
                assert answer.outcome is outcome
                assert (answer.move is None) == (outcome is rs.Value.LOSS)
                if answer.move is not None:
                    target = answer.move.position
                    after = target * size + w if answer.summand == 0 else v * size + target
                    assert outcomes[after].value is outcome.opposite()


def longest_defence(parts: Parts, path: frozenset[tuple[int, ...]]) -> int:
    """The number of moves to the end if one player follows the winning moves and the other does not."""
    answer = rs.sum(*parts)
    assert answer.outcome is rs.Value.WIN
    assert answer.move is not None
    state = tuple(position for _, position in parts)
    assert state not in path, "the winning moves lead back"

    def moved(at: Parts, place: int, position: int) -> Parts:
        return (*at[:place], (at[place][0], position), *at[place + 1 :])

    after = moved(parts, answer.summand, answer.move.position)
    longest = 1
    for place, (solution, position) in enumerate(after):
        for target in sorted(set(solution.space.neighbors(position).tolist())):
            longest = max(longest, 2 + longest_defence(moved(after, place, target), path | {state}))
    return longest


def test_winning_moves_end_every_sum_whatever_the_opponent_does() -> None:
    rng, won = random.Random(32), 0
    for _ in range(samples(60, 3000)):
        games = [nimbers(random_impartial(rng, most=5)) for _ in range(2)]
        if all(len(game) for game in games):
            parts = tuple((game, rng.randrange(len(game))) for game in games)
            if rs.sum(*parts).outcome is rs.Value.WIN:
                longest_defence(parts, frozenset())
                won += 1
    assert won > 10


def test_winning_move_out_of_a_loop_makes_progress() -> None:
    """Both 0 and 2 are lost, and 1 leads to both: back to 2 for ever, or to the end."""
    loop = nimbers(rs.Graph.from_edges([2, 1, 1], [1, 2, 0]))
    answer = rs.sum((loop, 1))
    assert answer.move is not None
    assert answer.move.position == 0
    assert str(answer) == "WIN: *1, by 0 (*0 in 0) in summand 0"


def test_three_heaps_are_nim() -> None:
    nim = nimbers(heap(7))
    answer = rs.sum((nim, 3), (nim, 4), (nim, 5))
    assert (answer.value.number, answer.outcome, answer.summand) == (2, rs.Value.WIN, 0)
    assert answer.move is not None
    assert answer.move.position == 1
    assert rs.sum((nim, 1), (nim, 4), (nim, 5)).move is None
    assert rs.sum() == (rs.objectives.NimValue(0), rs.Value.LOSS, None, None)


def test_summand_without_a_position_stands_for_its_start() -> None:
    stones = rs.solve(rs.game("stones:n=7"), objective="nimber")
    assert rs.sum(stones, stones).outcome is rs.Value.LOSS
    assert rs.sum(stones, (stones, 6)).summand == 0


def test_command_adds_up_positions(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["probe", "stones:n=7", "--objective", "nimber", "--sum"]
    assert run([*asked, "7", "5"]) == 0
    assert capsys.readouterr().out == "WIN: *3, by take 1 -> 4 (*1) in summand 1\n"
    assert run([*asked, "7", "4", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record == {"value": "0", "outcome": "loss", "summand": None, "move": None}


def test_positions_of_summands_may_be_text() -> None:
    kayles = rs.solve(rs.game("octal:code=0.77,n=12"), objective="nimber")
    assert rs.sum((kayles, "2+3"), (kayles, "5")) == rs.sum((kayles, (2, 3)), (kayles, 5))
