"""regret(): what a policy loses, against the definition played out, and on every kind of game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives import Chance
from retrosolve.values import DRAW, LOSS, TIE, WIN, Value
from tests.conformance.subjects import SUBJECTS, cases
from tests.support.chance import random_dice
from tests.support.marks import samples

POINTS = {WIN: 1, LOSS: -1, TIE: 0, DRAW: 0}
OPPOSITE = {WIN: LOSS, LOSS: WIN, TIE: TIE, DRAW: DRAW}


def played_out(solution: rs.Solution, policy: Callable[[Any], Any]) -> dict[tuple[int, bool], int]:
    """Return the code for the player to move of each vertex, by whether the policy is to move there.

    Applies the definition until nothing changes: a state is decided by its best move once that cannot
    get better, wins and losses first, then ties.
    """
    space = solution.space
    vertices = [space.index(position) for position in solution]
    movers = space.player(np.array(vertices, np.int64))
    mover = dict(zip(vertices, [None] * len(vertices) if movers is None else movers, strict=True))
    value: dict[tuple[int, bool], int] = {}
    moves: dict[tuple[int, bool], list[tuple[tuple[int, bool], bool]]] = {}
    for position in solution:
        v = space.index(position)
        for mine in (True, False):
            targets = [space.index(move.position) for move in solution.moves(position)]
            if not targets:
                value[v, mine] = int(solution[position].value)
                continue
            if mine:
                targets = [space.index(policy(position))]
            same = [movers is not None and mover[w] == mover[v] for w in targets]
            moves[v, mine] = [
                ((w, mine == again), again) for w, again in zip(targets, same, strict=True)
            ]
    for ties in (False, True):
        changed = True
        while changed:
            changed = False
            for state, after in moves.items():
                if state in value:
                    continue
                seen = [
                    None if t not in value else value[t] if same else OPPOSITE[value[t]]
                    for t, same in after
                ]
                if WIN in seen:
                    code = WIN
                elif all(worth == LOSS for worth in seen):
                    code = LOSS
                elif ties and TIE in seen:
                    code = TIE
                else:
                    continue
                value[state] = code
                changed = True
    return {state: value.get(state, DRAW) for state in {**moves, **value}}


def random_policy(solution: rs.Solution, seed: int) -> dict[Any, Any]:
    """Return a move for each position at which the game goes on."""
    rng = random.Random(seed)
    return {p: rng.choice(moves).position for p in solution if (moves := solution.moves(p))}


def check(solution: rs.Solution, seed: int) -> None:
    """Compare the regret of a policy from all positions, and from some, with the definition."""
    policy = random_policy(solution, seed)
    regret = solution.regret(policy)
    codes = played_out(solution, policy.__getitem__)
    index = solution.space.index
    for place, position in enumerate(regret.positions):
        v = index(position)
        first, second = int(regret.first[place].value), int(regret.second[place].value)
        assert (first, second) == (codes[v, True], codes[v, False])
        worth = POINTS[solution[position].value]
        assert regret.loss[place].tolist() == [worth - POINTS[first], POINTS[second] - worth]
        best = {index(move.position) for move in solution.best_moves(position)}
        assert regret.is_optimal[place] == (not best or index(policy[position]) in best)
        assert regret.has_moves[place] == bool(best)
    assert (regret.loss >= 0).all()
    assert (regret.move_loss >= 0).all()
    assert list(regret.perfect) == [solution[position] for position in regret.positions]
    some = list(solution)[::3]
    part = solution.regret(policy, some)
    places = [list(solution).index(position) for position in some]
    assert part.loss.tolist() == regret.loss[places].tolist()
    assert part.move_loss.tolist() == regret.move_loss[places].tolist()
    regret = solution.regret(lambda position: solution.best_moves(position)[0])
    assert not regret.loss.any()
    assert not regret.move_loss.any()
    assert (regret.exploitability, regret.optimal_share, regret.keeping_share) == (0, 1, 1)
    assert regret.first.remoteness.tolist() == regret.perfect.remoteness.tolist()


PLAYED = ("graph", "plain rules", *(name for name in SUBJECTS if name.startswith("compiled: ")))


@pytest.mark.parametrize("name", PLAYED)
def test_policies_agree_with_the_definition(name: str, tmp_path: Path, interpreted: None) -> None:
    for seed, case in enumerate(cases(name, tmp_path, samples(24 if name == "graph" else 8, 200))):
        check(case.solve(), seed)


def test_moves_that_keep_a_win_but_go_round_lose_it() -> None:
    """From a the player may win at once, or go to b, from where his opponent must come back."""
    graph = rs.Graph.from_edges(["a", "a", "b"], ["b", "end", "a"], owner={"a": 0, "b": 1, "end": 1})
    solution = rs.solve(graph)
    assert [str(move.outcome) for move in solution.moves("a")] == ["LOSS in 0", "LOSS in 2"]
    regret = solution.regret({"a": "b", "b": "a"}, ["a"])
    assert (regret.keeping_share, regret.optimal_share) == (1, 0)
    assert str(regret.first[0]).startswith("DRAW")
    assert regret.loss.tolist() == [[1, 0]]


@pytest.mark.parametrize("seed", range(samples(6, 100)))
def test_points_count_with_rewards(seed: int) -> None:
    """Going to the smallest number is as good as what follows; scores are sums of both."""
    rng = random.Random(seed)
    n = 12
    edges = [(v, w) for v in range(n) for w in rng.sample(range(v), min(v, 3))]
    reward = [rng.randrange(-3, 4) for _ in edges]
    owner = [rng.randrange(2) for _ in range(n)] if seed % 2 else None
    payoff = [rng.randrange(-5, 6)] + [0] * (n - 1)
    graph = rs.Graph.from_edges(edges, vertices=n, owner=owner, payoff=payoff, reward=reward)
    solution = rs.solve(graph, objective="score")
    points = dict(zip(edges, reward, strict=True))

    def worth(v: int, mine: bool) -> int:
        after = []
        for w in [0] if v and mine and (v, 0) in points else [w for x, w in edges if x == v]:
            same = owner is not None and owner[v] == owner[w]
            after.append(points[v, w] + (worth(w, mine) if same else -worth(w, not mine)))
        if mine and after:
            return after[0]
        return max(after, default=payoff[v])

    first_move = {v: next((w for w in [0] if (v, w) in points), None) for v in range(n)}
    policy = {v: w if w is not None else next(b for a, b in edges if a == v)
              for v, w in first_move.items() if v}  # fmt: skip
    regret = solution.regret(policy)
    for v in range(n):
        perfect = solution[v].value.points
        assert regret.loss[v].tolist() == [perfect - worth(v, True), worth(v, False) - perfect]
    assert (regret.loss >= 0).all()


class Purses(rs.Game):
    """Two moves to one position, by symmetry, of which one wins points."""

    objective = "score"

    def start(self) -> int:
        return 0

    def moves(self, position: int) -> list[tuple[str, int]]:
        return [] if position else [("poor", 1), ("rich", -1)]

    def canonical(self, position: int) -> int:
        return abs(position)

    def reward(self, position: int, target: int) -> int:
        return 3 if target < 0 else 0

    def payoff(self, position: int) -> int:
        return 0


@pytest.mark.parametrize(
    ("choice", "lost"),
    [("poor", 3), ("rich", 0), (1, 0), (-1, 0), (rs.Move("poor", 1, rs.Outcome(Value.TIE, 0)), 3)],
)
def test_of_moves_to_one_position_the_named_one_counts(choice: Any, lost: int) -> None:
    regret = rs.solve(Purses()).regret(lambda _: choice, [0])
    assert (regret.move_loss.tolist(), regret.is_optimal.tolist()) == ([lost], [lost == 0])
    assert regret.loss.tolist() == [[lost, 0]]


def test_an_edge_stands_for_the_best_one_to_its_target() -> None:
    graph = rs.Graph.from_edges([0, 0, 0], [1, 1, 1], payoff=[0, 0], reward=[0, 3, -2])
    assert rs.solve(graph, objective="score").regret({0: 1}).loss.tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    "policy",
    [
        lambda n: "take 2" if n > 1 else "take 1",
        lambda n: max(n - 2, 0),
        lambda n: np.int64(max(n - 2, 0)),
        {n: max(n - 2, 0) for n in range(1, 11)},
        lambda n: rs.Move("any", max(n - 2, 0), rs.Outcome(Value.DRAW, None)),
    ],
    ids=["name", "target", "number of NumPy", "mapping", "move"],
)
def test_a_move_may_be_given_in_any_form(policy: Any) -> None:
    solution = rs.solve(rs.game("stones:n=10,take=1+2"))
    regret = solution.regret(policy, [5, 4])
    assert regret.loss.tolist() == [[0, 0], [2, 0]]
    assert regret.move_loss.tolist() == [0, 2]


def test_the_policy_is_asked_once_where_play_can_come() -> None:
    solution = rs.solve(rs.game("stones:n=10,take=1+2"))
    asked, reports = [], []

    def policy(n: int) -> str:
        asked.append(n)
        return "take 1"

    solution.regret(policy, [2], progress=reports.append)
    assert sorted(asked) == [1, 2]
    assert reports[-1] == rs.Progress("asking the policy", 2, None)
    asked.clear()
    solution.regret(policy)
    assert sorted(asked) == list(range(1, 11))


def test_a_key_error_of_a_policy_is_its_own() -> None:
    solution = rs.solve(rs.game("stones:n=10,take=1+2"))
    with pytest.raises(KeyError):  # not a missing move
        solution.regret(lambda n: {}["mine"])


def test_values_alone_say_what_is_lost() -> None:
    solution = rs.solve(rs.game("tictactoe"), objective="win-loss-draw")
    regret = solution.regret(lambda p: solution.moves(p)[-1], [solution.start])
    assert regret.loss.tolist() == [[1, 1]]


def test_losses_with_dice_are_those_of_exact_arithmetic() -> None:
    """A game against a policy is the game in which its player has no other moves."""
    rng, compared = random.Random(8), 0
    while compared < samples(60, 3000):
        dice = random_dice(rng)
        low, high = dice.exact()
        choice = [rng.choice(row) if row else None for row in dice.moves]
        alone = []
        for who in (0, 1):
            moves = [
                [taken] if taken and owner == who else row
                for taken, row, owner in zip(choice, dice.moves, dice.owner, strict=True)
            ]
            alone.append(dice._replace(moves=moves).exact())
        if any(bounds[0] != bounds[1] for bounds in ((low, high), *alone)):
            continue  # play need not end
        solution = rs.solve(dice.graph(), objective=Chance(tolerance=1e-12))
        regret = solution.regret({v: taken[0] for v, taken in enumerate(choice) if taken})
        for v, owner in enumerate(dice.owner):
            mine, other = alone[owner & 1][0][v], alone[1 - (owner & 1)][0][v]
            assert regret.loss[v].tolist() == pytest.approx(
                [float(low[v] - mine), float(other - low[v])], abs=1e-8
            )
            taken = choice[v]
            if owner == rs.CHANCE or taken is None:
                assert (regret.move_loss[v], regret.has_moves[v]) == (0, False)
                continue
            seen = low[taken[0]] * (1 if (owner ^ dice.owner[taken[0]]) & 1 == 0 else -1)
            assert regret.move_loss[v] == pytest.approx(float(low[v] - seen), abs=1e-8)
            assert regret.is_optimal[v] == (low[v] - seen < 1e-9)
            compared += 1
