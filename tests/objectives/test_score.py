"""Scores against their definition, threshold by threshold, and the rule level by level."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

import retrosolve as rs
from retrosolve import objectives
from retrosolve.cli import run
from retrosolve.formats.files import write_rows
from retrosolve.objectives import Margin
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.tables.coded import coded_table
from retrosolve.testing import random_compiled_game
from retrosolve.testing.games import copy_row, csr_arrays
from tests.conftest import Tune
from tests.support.marks import SLOW, THOROUGH, samples

STUCK = {"loss": -1, "win": 1, "tie": 0}


class Scored(NamedTuple):
    """A graph with scores as lists: a tier for each vertex, moves as (target, reward)."""

    moves: list[list[tuple[int, int]]]
    payoff: list[int] | None
    terminal: list[int] | None
    owner: list[int] | None
    tier: list[int]
    stuck: str

    def graph(self) -> rs.Graph:
        edges = [(v, w, r) for v, row in enumerate(self.moves) for w, r in row]
        return rs.Graph.from_edges(
            [v for v, _, _ in edges], [w for _, w, _ in edges], len(self.moves), self.owner,
            self.terminal, payoff=self.payoff, reward=[r for *_, r in edges],
        )  # fmt: skip

    def end(self, v: int) -> int | None:
        """Return the points at a vertex where the game is over, None elsewhere."""
        code = 0 if self.terminal is None else self.terminal[v]
        if self.moves[v] and not code:
            return None
        if self.payoff is not None:
            return self.payoff[v]
        return {0: STUCK[self.stuck], 1: 1, 2: -1, 3: 0}[code]

    def same(self, v: int, w: int) -> bool:
        return self.owner is not None and self.owner[v] == self.owner[w]


class Rules(rs.Game):
    """The rules of a graph with scores, from all of its vertices."""

    def __init__(self, game: Scored) -> None:
        self.game = game
        if game.owner is None:
            self.player = None  # type: ignore[assignment]

    def starts(self) -> list[int]:
        return list(range(len(self.game.moves)))

    def moves(self, v: int) -> list[int]:
        return [w for w, _ in self.game.moves[v]]

    def terminal(self, v: int) -> rs.Value | None:
        return rs.Value(self.game.terminal[v]) if self.game.terminal and self.game.terminal[v] else None

    def player(self, v: int) -> int:
        assert self.game.owner is not None
        return self.game.owner[v]

    def implements(self, name: str) -> bool:
        lacks = {"player": self.game.owner is None, "payoff": self.game.payoff is None}
        return super().implements(name) and not lacks.get(name, False)

    def payoff(self, v: int) -> int:
        assert self.game.payoff is not None
        return self.game.payoff[v]

    def reward(self, v: int, w: int) -> int:
        return self.game.moves[v][0][1]  # the same for all moves

    @classmethod
    def of(cls, game: Scored) -> Rules:
        """Return the rules of a graph whose rewards are made equal at each vertex."""
        rows = []
        for v, row in enumerate(game.moves):
            inside = any(game.tier[w] == game.tier[v] for w, _ in row)
            rows.append([(w, 0 if inside else row[0][1]) for w, _ in row])
        return cls(game._replace(moves=rows))


class Generated(rs.CompiledGame):
    """A graph with scores as compiled rules; of several moves to a vertex the last one's reward counts.

    Parameters
    ----------
    game : Scored
    predecessors : bool
        Whether the rules generate them.
    """

    def __init__(self, game: Scored, predecessors: bool) -> None:
        last = [dict(row) for row in game.moves]
        self.game = game._replace(
            moves=[[(w, last[v][w]) for w, _ in row] for v, row in enumerate(game.moves)]
        )
        graph, n = self.game.graph(), len(game.moves)
        zeros = np.zeros(n, np.int64)
        self.data = (
            *csr_arrays(graph), *csr_arrays(graph, reverse=True),
            np.array([r for row in self.game.moves for _, r in row], np.int64),
            zeros if game.payoff is None else np.array(game.payoff, np.int64),
            zeros if game.terminal is None else np.array(game.terminal, np.int64),
            zeros if game.owner is None else np.array(game.owner, np.int64),
        )  # fmt: skip
        self.lacks = {"predecessors": not predecessors, "player": game.owner is None}
        self.lacks["payoff"] = game.payoff is None
        self.size = n
        self.tiers = tuple(v for v in range(n) if v == 0 or game.tier[v] != game.tier[v - 1])
        self.max_moves = max(1, *(len(row) for row in game.moves), 1)
        self.max_predecessors = max(1, int(np.diff(self.data[2]).max()))

    def implements(self, name: str) -> bool:
        return super().implements(name) and not self.lacks.get(name, False)

    def starts(self) -> list[int]:
        return list(range(len(self.game.moves)))

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        return copy_row(data[0], data[1], position, out)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        return copy_row(data[2], data[3], position, out)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        return data[6][position]

    @staticmethod
    def player(position: int, data: Any) -> int:
        return data[7][position]

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        return data[5][position]

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        won = 0
        for e in range(data[0][position], data[0][position + 1]):
            if data[1][e] == target:
                won = data[4][e]
        return won


def random_graph(rng: random.Random, largest: int = 8) -> Scored:
    n, most = rng.randint(1, largest), rng.choice([1, 2, 4, 300])
    tier = sorted(rng.randrange(rng.choice([1, 3])) for _ in range(n))
    moves = []
    for v in range(n):
        row = [
            rng.choice([w for w in range(n) if tier[w] <= tier[v]]) for _ in range(rng.randint(0, 4))
        ]
        moves.append(
            [(w, rng.randint(-most, most) * rng.choice([0, 1]) * (tier[w] < tier[v])) for w in row]
        )
    codes = [rng.choice([0, 0, 0, 0, 1, 2, 3]) for _ in range(n)] if rng.random() < 0.5 else None
    over = [not row or bool(codes and codes[v]) for v, row in enumerate(moves)]
    return Scored(
        moves,
        [rng.randint(-most, most) * over[v] for v in range(n)] if rng.random() < 0.7 else None,
        codes,
        [rng.randrange(2) for _ in range(n)] if rng.random() < 0.5 else None,
        tier,
        rng.choice(list(STUCK)),
    )


def forced(game: Scored, v: int, t: int, score: list[int], wins: set[int], loses: set[int]) -> Any:
    """Return whether v wins t by what is known, and whether it loses t."""
    end = game.end(v)
    if end is not None:
        return end >= t, end <= -t
    up, down = False, True
    for w, r in game.moves[v]:
        same = game.same(v, w)
        if game.tier[w] == game.tier[v]:
            up |= w in (wins if same else loses)
            down &= w in (loses if same else wins)
        else:
            seen = r + (score[w] if same else -score[w])
            up |= seen >= t
            down &= seen <= -t
    return up, down


def by_thresholds(game: Scored) -> list[int]:
    """Return the points of each vertex by their definition: the most t that a player can force.

    That is a least fixed point for each t and tier, with the scores of earlier tiers as they are.
    """
    n = len(game.moves)
    score = [0] * n
    for tier in sorted(set(game.tier)):
        inside = [v for v in range(n) if game.tier[v] == tier]
        stakes = {1}
        for v in inside:
            end = game.end(v)
            stakes |= {abs(end or 0)}
            for w, r in game.moves[v]:
                stakes |= {abs(r + score[w]), abs(r - score[w])}
        for t in sorted(stakes - {0}):
            wins: set[int] = set()
            loses: set[int] = set()
            changed = True
            while changed:
                changed = False
                for v in inside:
                    up, down = forced(game, v, t, score, wins, loses)
                    changed |= up > (v in wins) or down > (v in loses)
                    wins |= {v} if up else set()
                    loses |= {v} if down else set()
            for v in wins | loses:
                score[v] = t if v in wins else -t
    return score


def check(game: Scored) -> rs.Solution:
    solution = rs.solve(game.graph(), objective="score", stuck=game.stuck)
    assert [solution[v].value.points for v in range(len(game.moves))] == by_thresholds(game), game
    rs.verify(solution)
    return solution


def refuse_changes(solution: rs.Solution, rng: random.Random, tries: int) -> None:
    """Check that the proof refuses other values and remotenesses of a few vertices."""
    table, n = solution.table, len(solution)
    values, plies = table.values().copy(), table.remoteness().copy()
    for _ in range(tries):
        value, remoteness = values.copy(), plies.copy()
        for v in rng.sample(range(n), rng.randint(1, min(3, n))):
            value[v] = rng.randrange(len(table.codec.results))
            endless = table.codec.results[value[v]].endless
            remoteness[v] = -1 if endless else rng.choice([plies[v], rng.randint(0, n)])
        if (value != values).any() or (remoteness != plies).any():
            wrong = rs.Solution(
                solution.space, coded_table(table.codec, value, remoteness),
                objective=solution.objective,
            )  # fmt: skip
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)


def test_scores_of_random_graphs_are_the_thresholds() -> None:
    rng = random.Random(1)
    for _ in range(1500):
        check(random_graph(rng))


@pytest.mark.thorough
def test_scores_by_compiled_kernels_are_the_thresholds(tune: Tune) -> None:
    tune(compile_from=0, compile_again_from=0)
    rng = random.Random(2)
    for _ in range(1000):
        check(random_graph(rng))


@SLOW
def test_scores_of_many_random_graphs_are_the_thresholds(tune: Tune) -> None:
    tune(compile_from=0, compile_again_from=0)
    rng = random.Random(3)
    for _ in range(100_000):
        check(random_graph(rng))


def batches(rng: random.Random, number: int, size: int) -> Iterator[list[Scored]]:
    """Yield random graphs, up to ``size`` of them together that have the same kinds of data."""
    waiting: dict[tuple[Any, ...], list[Scored]] = {}
    for _ in range(number):
        game = random_graph(rng)
        kind = game.payoff is None, game.terminal is None, game.owner is None, game.stuck
        waiting.setdefault(kind, []).append(game)
        if len(waiting[kind]) == size:
            yield waiting.pop(kind)
    yield from waiting.values()


def beside(games: list[Scored]) -> tuple[Scored, list[int]]:
    """Return games as one, which has their tiers of a number in one tier, and the scores by definition."""
    places = sorted((tier, k, v) for k, game in enumerate(games) for v, tier in enumerate(game.tier))
    at = {(k, v): place for place, (_, k, v) in enumerate(places)}

    def column(name: str) -> list[int] | None:
        columns = [getattr(game, name) for game in games]
        return None if columns[0] is None else [columns[k][v] for _, k, v in places]

    moves = [[(at[k, w], r) for w, r in games[k].moves[v]] for _, k, v in places]
    scores = [by_thresholds(game) for game in games]
    tiers = [tier for tier, _, _ in places]
    one = Scored(moves, *map(column, ("payoff", "terminal", "owner")), tiers, games[0].stuck)
    return one, [scores[k][v] for _, k, v in places]


def check_every_solver(games: list[Scored], predecessors: bool) -> None:
    """Check each solver that takes scores, of stored and of generated moves, and plain rules."""
    game, expected = beside([Generated(game, predecessors).game for game in games])
    generated = Generated(game, predecessors)
    subjects = (game.graph(), "auto"), (game.graph(), "reference"), (generated, "auto")
    for subject, solver in subjects:
        solution = rs.solve(subject, objective="score", stuck=game.stuck, solver=solver)
        points = [solution[v].value.points for v in range(len(game.moves))]
        assert points == expected, (games, solver, generated.lacks)
        rs.verify(solution)
    game, expected = beside([Rules.of(game).game for game in games])
    solution = rs.solve(Rules(game), objective="score", stuck=game.stuck)
    assert [solution[v].value.points for v in range(len(game.moves))] == expected, games


@pytest.mark.thorough
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=SLOW)])
def test_every_solver_of_scores_computes_the_thresholds(compiled: bool, tune: Tune) -> None:
    work = 0 if compiled else 10**9
    tune(compile_from=work, compile_again_from=work)
    rng = random.Random(9)
    number = samples(100, 80_000 if compiled else 20_000)
    for games in batches(rng, number, samples(1, 40)):
        check_every_solver(games, predecessors=rng.random() < 0.5)


@pytest.mark.thorough
def test_proof_refuses_changes_of_any_few_vertices() -> None:
    rng = random.Random(4)
    for _ in range(200):
        refuse_changes(check(random_graph(rng)), rng, 8)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=SLOW)])
def test_proof_by_rules_refuses_changes_of_any_few_vertices(compiled: bool, tune: Tune) -> None:
    work = 0 if compiled else 10**9
    tune(compile_from=work, compile_again_from=work)
    rng = random.Random(14)
    for number in range(samples(60, 1000)):
        if number % 2:
            kind = rng.choice(("successors", "player", "rank", "tiers", "reachable", "canonical"))
            solution = rs.solve(random_compiled_game(rng, kind), objective="score")
        else:
            game, _ = beside([Generated(random_graph(rng), number % 4 == 0).game])
            solution = rs.solve(Generated(game, number % 4 == 0), objective="score", stuck=game.stuck)
        assert rs.verify(solution).method == "generated"
        refuse_changes(solution, rng, 8)


def test_specification_computes_the_same() -> None:
    rng = random.Random(7)
    for _ in range(300):
        game = random_graph(rng)
        graph = game.graph()
        expected = rs.solve(graph, objective="score", stuck=game.stuck, solver="reference")
        solution = rs.solve(graph, objective="score", stuck=game.stuck)
        assert [solution[v] for v in range(len(solution))] == [
            expected[v] for v in range(len(expected))
        ]


def test_loss_takes_the_longest_way_out_of_its_component() -> None:
    # v and w move to each other; w wins at once, and the way out of v takes two plies more.
    edges = ["vw", "wv", "we", "vx", "xy", "yz", "ze"]
    graph = rs.Graph.from_edges(*zip(*edges, strict=True))
    solution = rs.solve(graph, objective="score")
    assert [str(solution[v]) for v in "vw"] == ["LOSS by 1 in 4", "WIN by 1 in 1"]
    rs.verify(solution)


@pytest.mark.thorough
def test_scores_without_payoffs_are_the_outcomes() -> None:
    rng = random.Random(5)
    for _ in range(500):
        game = random_graph(rng)._replace(payoff=None)
        game = game._replace(moves=[[(w, 0) for w, _ in row] for row in game.moves])
        scores = rs.solve(game.graph(), objective="score", stuck=game.stuck)
        outcomes = rs.solve(game.graph(), stuck=game.stuck)
        for v in range(len(game.moves)):
            assert scores[v].value.kind is outcomes[v].value
            assert scores[v].remoteness == outcomes[v].remoteness


@THOROUGH
def test_plain_rules_with_payoffs_and_rewards_are_the_thresholds() -> None:
    rng = random.Random(8)
    for _ in range(200):
        rules = Rules.of(random_graph(rng))
        solution = rs.solve(rules, objective="score", stuck=rules.game.stuck)
        assert [solution[v].value.points for v in rules.starts()] == by_thresholds(rules.game)
        rs.verify(solution)
        for v in rules.starts():
            moves = solution.best_moves(v)
            if moves and not solution[v].value.endless:
                same, points = rules.game.same(v, moves[0].position), moves[0].outcome.value.points
                reward = rules.reward(v, moves[0].position)
                assert solution[v].value.points == reward + (points if same else -points)
        rs.check_game(rules)


def test_verify_calls_payoff_and_reward_again() -> None:
    game = Scored([[], [(0, 2)], [(0, 3), (1, 3)]], [4, 0, 0], None, None, [0, 1, 2], "loss")
    for name, changed in (
        ("payoff", game._replace(payoff=[5, 0, 0])),
        ("reward", game._replace(moves=[[], [(0, 1)], [(0, 3), (1, 3)]])),
    ):
        rules = Rules(game)
        solution = rs.solve(rules, objective="score")
        rules.game = changed
        with pytest.raises(rs.VerificationError, match=name):
            rs.verify(solution)


def test_rules_with_wrong_points_raise() -> None:
    class Loop(rs.Game[int]):
        points: Any = 1

        def start(self) -> int:
            return 0

        def moves(self, n: int) -> list[int]:
            return [[1, 2], [0], []][n]

        def reward(self, n: int, target: int) -> int:
            points: int = self.points if target == 1 else 0
            return points

    with pytest.raises(rs.RulesError, match="move from 0 to 1 has the reward 1, and play can return"):
        rs.solve(Loop(), objective="score")
    game = Loop()
    game.points = 0.5
    with pytest.raises(rs.RulesError, match=r"reward\(0, 1\) gave 0.5: expected a whole number"):
        rs.solve(game, objective="score")
    with pytest.raises(rs.RulesError, match=r"reward\(0, 1\) gave 0.5"):
        rs.check_game(game)


class Count(rs.CompiledGame):
    """Take 1, 2 or 3 counters and win as many points; tiers are the counters, and one may pass once."""

    max_moves = 4

    def __init__(self, n: int = 6, komi: int = 2) -> None:
        self.n, self.data, self.size = n, (komi,), 2 * n + 2
        self.tiers = tuple(range(0, self.size, 2))

    def start(self) -> int:
        return 2 * self.n

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        count = 0
        if position >= 2:
            for k in range(1, 4):
                if 2 * k <= position:
                    out[count] = (position // 2 - k) * 2
                    count += 1
            out[count] = position ^ 1
            count += 1
        return count

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        return data[0] if position % 2 == 0 else 0

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        return position // 2 - target // 2


@pytest.mark.long
def test_compiled_rules_with_payoffs_and_rewards_are_those_in_plain_python(tune: Tune) -> None:
    for compile_from in (10**9, 0):
        tune(compile_from=compile_from, compile_again_from=compile_from)
        game = Count(9)
        solution = rs.solve(game, objective="score")
        plain = rs.solve(InterpretedGame(game), objective="score")
        assert [plain[p] for p in range(2, 20, 2)] == [solution[p] for p in range(2, 20, 2)]
        rs.verify(solution)
        rs.verify(plain)
        rs.check_game(game)
        best = solution.best_moves(18)[0]
        assert int(solution[18].value) == game.reward(18, best.position, ()) - best.outcome.value.points


KINDS = (
    "successors", "predecessors", "player", "tiers", "reachable", "canonical", "explored"
)  # fmt: skip


@pytest.mark.long("True-*")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=THOROUGH)])
def test_generated_moves_give_what_stored_moves_give(kind: str, compiled: bool, tune: Tune) -> None:
    tune(compile_from=0 if compiled else 10**9, compile_again_from=0 if compiled else 10**9)
    rng = random.Random(10)
    for _ in range(3 if compiled else 15):
        game = random_compiled_game(rng, kind)
        solution = rs.solve(game, objective="score")
        stored = rs.solve(game.state_space().materialize(), objective="score")
        assert np.array_equal(solution.table.remoteness(), stored.table.remoteness())
        words = [
            s.objective.words(s.table.codec, s.table.values(), s.table.remoteness())
            for s in (solution, stored)
        ]
        assert np.array_equal(*words)
        rs.verify(solution)


def test_compiled_reward_within_a_tier_raises() -> None:
    class Wrong(Count):
        @staticmethod
        def reward(position: int, target: int, data: Any) -> int:
            return 1

    with pytest.raises(
        rs.RulesError, match=r"reward\(\) is 1 at 3: expected 0 for a move that stays in its"
    ):
        rs.solve(Wrong(), objective="score")

    class Explored(Count):
        def __init__(self) -> None:
            super().__init__()
            self.size = None
            self.tiers = None

    with pytest.raises(rs.RulesError, match=r"gives reward\(\) without size: expected an index"):
        rs.solve(Explored(), objective="score")


QUORIDOR = pytest.param("quoridor:n=3", marks=THOROUGH)
GAMES = ("tictactoe", "police", "foxhounds:n=4", "chess:KRK,board=4", "mutorere", QUORIDOR)


@pytest.mark.thorough
@pytest.mark.long("mutorere", "quoridor:n=3")
@pytest.mark.parametrize("text", GAMES)
def test_scores_of_games_without_points_are_their_outcomes(text: str) -> None:
    scores, outcomes = rs.solve(rs.game(text), objective="score"), rs.solve(rs.game(text))
    rs.verify(scores)
    kinds = scores.table.codec.kinds[scores.table.values()]
    assert np.array_equal(kinds, outcomes.table.values())
    assert np.array_equal(scores.table.remoteness(), outcomes.table.remoteness())


def test_solves_that_take_outcomes_alone_refuse_scores() -> None:
    graph = rs.Graph.from_edges([0], [1])
    with pytest.raises(
        rs.GraphError, match=r"^the ray solver does not answer Score\(stuck='loss'\) for "
    ):
        rs.solve(graph, objective="score", solver="ray")


def test_edges_on_disk_refuse_scores(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\na,b\n")
    parts = rs.EdgeParts(tmp_path / "edges.csv")
    with pytest.raises(
        rs.GraphError, match=r"edges on disk have no Score\(stuck='loss'\): expected the"
    ):
        rs.solve(parts, objective="score")
    assert rs.solve(parts)["a"].value is rs.Value.WIN


def test_memory_budget_of_scores_is_checked_before_the_solve() -> None:
    with pytest.raises(rs.MemoryBudgetError):
        rs.solve(rs.game("awari:seeds=10"), objective="score", memory="1MB")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"payoff": [0, 1, 0]},
            "vertex 1 has the payoff 1 and goes on: expected payoffs where the game",
        ),
        ({"reward": [1, 0, 0]}, "the move from 0 to 1 has the reward 1, and play can return to it"),
        ({"reward": [0, 0]}, "reward has 2 entries: expected 3, one an edge"),
        ({"payoff": {5: 1}}, "payoff names 5"),
        ({"payoff": {2: 0.5}}, r"payoff\[2\] is 0.5: expected a whole number"),
        ({"payoff": [0, 0, 10**7]}, r"payoff\[2\] is 10000000: expected at most 1000000"),
    ],
)
def test_wrong_payoffs_and_rewards_raise(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(rs.GraphError, match=message):
        rs.Graph.from_edges([0, 1, 1], [1, 0, 2], 3, **arguments)


class Wages(rs.CompiledGame):
    """A walk through tiers of one position each, where one player is paid for each step."""

    max_moves, objective = 1, "score"

    def __init__(self, steps: int) -> None:
        self.size, self.tiers = steps + 1, tuple(range(steps + 1))

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        out[0] = position - 1
        return 1 if position else 0

    @staticmethod
    def player(position: int, data: Any) -> int:
        return 0

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        return 1_000_000


@pytest.mark.long
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_points_that_fit_no_word_raise(objective: str) -> None:
    game, graph = Wages(2200), Wages(2200).state_space().materialize()
    with pytest.raises(
        rs.RulesError, match="wins or loses 536999999 points: expected less than 5368709"
    ):
        rs.solve(game, objective=objective)
    with pytest.raises(rs.GraphError, match="the score of 537 has 535870912 points or more"):
        rs.solve(graph, objective=objective)


@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_moves_that_lose_the_most_points_fit_a_word(objective: str) -> None:
    def graph(last: int) -> rs.Graph:
        edges = [*((v, v + 1) for v in range(536)), (537, 0), (537, 538)]
        rewards = [1_000_000] * 535 + [last, -1_000_000, 0]
        owner = [0] * 537 + [1, 1]
        return rs.Graph.from_edges(edges, owner=owner, reward=rewards, payoff={538: 7})

    solution = rs.solve(graph(870_911), objective=objective)
    assert solution[0].value.label == str(2**29 - 1_000_001)
    assert solution.best([537])[0] == [538]
    assert [move.position for move in solution.moves(537)] == [538, 0]
    rs.verify(solution)
    with pytest.raises(rs.GraphError, match="the score of 0 has 535870912 points or more"):
        rs.solve(graph(870_912), objective=objective)


def test_rewards_follow_their_edges_into_rows() -> None:
    graph = rs.Graph.from_edges([2, 0, 2, 1], [1, 1, 0, 3], reward=[5, 6, 7, 8], payoff=[0, 0, 0, -2])
    assert graph.indices.tolist() == [1, 3, 1, 0]
    assert graph.reward is not None
    assert graph.reward.tolist() == [6, 8, 5, 7]
    solution = rs.solve(graph, objective="score")
    assert [int(solution[v].value) for v in range(4)] == [-4, 10, 11, -2]
    assert graph == rs.Graph.from_csr(
        graph.indptr, graph.indices, payoff=graph.payoff, reward=graph.reward
    )
    assert graph != rs.Graph.from_csr(graph.indptr, graph.indices, payoff=graph.payoff)


def test_moves_are_ranked_by_their_rewards() -> None:
    edges = [("a", "b"), ("a", "c"), ("a", "b"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 2, 0, 0])
    solution = rs.solve(graph, objective="score")
    assert [str(solution[p]) for p in "abcd"] == [
        "WIN by 2 in 1", "WIN by 1 in 1", "LOSS by 2 in 2", "LOSS by 1 in 0",
    ]  # fmt: skip
    assert [move.name for move in solution.moves("a")] == ["b", "c"]
    assert [move.name for move in solution.best_moves("a")] == ["b"]
    assert [move.name for move in solution.line("a")] == ["b", "d"]


@THOROUGH
def test_points_are_numbers_in_frames_and_where() -> None:
    graph = rs.Graph.from_edges(
        [("a", "b"), ("b", "a"), ("a", "c"), ("b", "d")], payoff={"c": 3, "d": -5}, reward=[0, 0, 2, 0]
    )
    scores = rs.solve(graph, objective="score")
    expected = [outcome.value.points for outcome in scores.values()]
    frame = scores.to_pandas(moves=True)
    assert frame["points"].tolist() == scores.columns()["points"].tolist() == expected
    assert [list(map(str, row)) for row in frame["move_points"]] == frame["move_values"].map(
        list
    ).tolist()
    assert {p for n in set(expected) for p in scores.where(n)} == set(graph.names)
    assert scores.to_networkx().nodes["b"]["points"] == 5
    with pytest.raises(rs.GraphError, match="'99' is not a value of this solution: expected 5"):
        list(scores.where(99))
    assert "points" not in rs.solve(graph).columns()


@pytest.mark.thorough
def test_scores_are_saved_opened_and_compared(tmp_path: Path, capsys: Any) -> None:
    rng = random.Random(6)
    for number in range(20):
        game = random_graph(rng)
        solution = rs.solve(
            game.graph(), objective="score", stuck=game.stuck, out=tmp_path / f"{number}"
        )
        direct = rs.solve(game.graph(), objective="score", stuck=game.stuck)
        assert solution.space.arrays().keys() == direct.space.arrays().keys()
        with rs.open(tmp_path / f"{number}", check=True) as opened:
            assert opened.objective == objectives.Score(game.stuck)
            assert [opened[v] for v in range(len(opened))] == [direct[v] for v in range(len(direct))]
            assert opened.counts() == direct.counts()
            rs.verify(opened)
            assert rs.compare(opened, direct).equal
    assert run(["probe", str(tmp_path / "3"), "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == opened_label(tmp_path / "3")
    assert run(["stats", str(tmp_path / "3")]) == 0


def opened_label(path: Path) -> str:
    with rs.open(path) as opened:
        label: str = opened[0].value.label
        return label


FORMATS = ("csv", "tsv", "json", "npz", "parquet", "csv.gz")


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", FORMATS)
def test_files_hold_payoffs_and_rewards(suffix: str, tmp_path: Path) -> None:
    rng = random.Random(9)
    for _ in range(40):
        graph = random_graph(rng).graph()
        path = tmp_path / f"graph.{suffix}"
        rs.write(graph, path)
        read = rs.read_graph(path)
        if graph.payoff is None or graph.payoff.any() or suffix in ("json", "npz", "parquet"):
            assert read == graph
        assert np.array_equal(read.rewards(0, len(graph.indptr) - 1), graph.reward)


def test_format_without_rewards_refuses_them(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 2], payoff=[0, 0, 4], reward=[1, 0])
    with pytest.raises(rs.FormatError, match=r"a \.pg file cannot hold rewards"):
        rs.write(graph, tmp_path / "graph.pg")
    plain = rs.Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(rs.FormatError, match=r"a \.pg file cannot hold results of 'score': exp"):
        rs.write(rs.solve(plain, objective="score"), tmp_path / "graph.pg")


@THOROUGH
@pytest.mark.parametrize("suffix", [*FORMATS, "dot", "graphml"])
@pytest.mark.parametrize("objective", ["score", "score:levels=no"])
def test_files_of_graphs_hold_scores(suffix: str, objective: str, tmp_path: Path) -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a"), ("e", "c")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0, -2])
    solution = rs.solve(graph, objective=objective)
    path = tmp_path / f"graph.{suffix}"
    rs.write(solution, path)
    assert rs.read_graph(path) == graph
    if suffix in ("csv", "dot", "graphml"):
        files = [f for f in tmp_path.iterdir() if f.name != "graph.csv"]
        text = files[0].read_text()
        assert all(solution[p].value.label in text for p in "abcde")
    read = rs.read_solution(path)
    assert read.objective == solution.objective
    assert rs.compare(read, solution).equal
    rs.verify(read)


def test_colours_of_drawn_scores_are_those_of_values(tmp_path: Path) -> None:
    edges = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "d"), ("e", "d")]
    graph = rs.Graph.from_edges(edges, payoff={"c": 3, "d": 5}, reward=[0, 0, 0, 0, 2])
    rs.write(rs.solve(graph, objective="score"), tmp_path / "graph.dot")
    drawn = (tmp_path / "graph.dot").read_text()
    assert drawn.count("fillcolor") == 5
    assert 'reward=2, label="+2"' in drawn or 'label="+2", reward=2' in drawn


def test_scores_are_explained_by_moves(capsys: Any) -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0])
    proof = rs.explain(rs.solve(graph, objective="score"), "a")
    assert [(step.move.name, step.proof.outcome.value.points) for step in proof.steps] == [
        ("b", 1), ("c", -2),
    ]  # fmt: skip
    with pytest.raises(
        rs.GraphError, match=r"for the objective score are not explained: expected one of outcome"
    ):
        rs.explain(rs.solve(graph, objective="score"))
    with pytest.raises(
        rs.GraphError, match="needs remoteness: expected a solution that has it, not Sc"
    ):
        rs.explain(rs.solve(graph, objective="score:levels=no"), "a")
    for arguments in (["kalah:pits=2,seeds=1"], ["stones:n=4", "--objective", "score"]):
        assert run(["explain", *arguments]) == 0
        assert "because" in capsys.readouterr().out


def test_wrong_rewards_in_drawings_raise(tmp_path: Path) -> None:
    (tmp_path / "graph.dot").write_text("digraph { a -> b [reward=x]; }")
    with pytest.raises(rs.FormatError, match="reward 'x': expected a whole number"):
        rs.read_graph(tmp_path / "graph.dot")


def test_scores_are_written_as_rows(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 2], payoff=[0, 0, 4], reward=[1, 0])
    write_rows(rs.solve(graph, objective="score"), tmp_path / "rows.csv")
    rows = (tmp_path / "rows.csv").read_text().split()
    assert rows == ["position,value,points,remoteness", "0,5,5,1", "1,-4,-4,1", "2,4,4,0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target,reward\na,b,x\n", "line 2: reward 'x': expected a whole number"),
        ("source,target,reward,Reward\na,b,1,2\n", "columns 'reward' and 'Reward': expected one"),
        ("source,target,reward\na,b,1\nb,a,0\n", "the move from 'a' to 'b' has the reward 1"),
    ],
)
def test_wrong_rewards_in_files_raise(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "graph.csv").write_text(text)
    with pytest.raises(rs.FormatError, match=message):
        rs.read_graph(tmp_path / "graph.csv")


def test_tables_and_networks_hold_payoffs_and_rewards() -> None:
    expected = rs.Graph.from_edges(["a", "a", "b"], ["b", "c", "c"], payoff={"c": -3}, reward=[2, 0, 0])
    edges = {"source": ["a", "a", "b"], "target": ["b", "c", "c"], "reward": [2, 0, 0]}
    vertices = {"name": ["a", "b", "c"], "Payoff": [None, None, -3]}
    assert rs.Graph.from_pandas(edges, vertices=vertices, vertex="name") == expected
    assert rs.Graph.from_pandas(edges | {"won": [2, 0, 0]}, reward="won", payoff={"c": -3}) == expected
    network = nx.DiGraph()
    network.add_edge("a", "b", reward=2)
    network.add_edge("a", "c")
    network.add_edge("b", "c")
    network.add_node("c", payoff=-3)
    assert rs.Graph.from_networkx(network) == expected


def test_proof_of_a_score_names_the_best_moves() -> None:
    edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0])
    solution = rs.solve(graph, objective="score")
    assert str(rs.explain(solution, "a")).splitlines() == [
        "a is WIN in 1 (+2), because no move is better than `b`:",
        "  `b` leads to WIN in 1 (+1), because the only move wins:",
        "    `d` leads to LOSS in 0 (-1), because there is no move.",
        "  `c` leads to LOSS in 2 (-2), because the only move loses:",
        "    `a` leads to WIN in 1 (+2): the same position again, so play need not end.",
        "Each value is for the player to move there.",
    ]


@pytest.mark.long
@THOROUGH
def test_commands_show_scores(tmp_path: Path, capsys: Any) -> None:
    path = str(tmp_path / "kalah")
    assert run(["solve", "kalah:pits=2,seeds=2", "--objective", "score", "--out", path]) == 0
    assert "LOSS by 2 in 1" in capsys.readouterr().out
    assert run(["explain", path, "--language", "ru"]) == 0
    assert "ни один ход не лучше `b`" in capsys.readouterr().out
    assert run(["plot", path, str(tmp_path / "plot.svg")]) == 0
    assert run(["plan", "kalah", "--objective", "score:levels=no", "--json"]) == 0
    capsys.readouterr()
    assert run(["solve", "kalah:pits=2,seeds=2", "--objective", "score:levels=no"]) == 0
    assert "LOSS by 2, the player" in capsys.readouterr().out
    assert run(["solve", "kalah", "--objective", "score:komi=1"]) == 2
    assert "'komi' is no parameter: expected stuck=, levels=, endless=, once" in capsys.readouterr().err
    assert run(["solve", "kalah", "--objective", "points"]) == 2
    assert "objective='points' is not known: expected one of outcome" in capsys.readouterr().err
    assert run(["check", "kalah:pits=2,seeds=1"]) == 0
    assert "payoff, reward" in capsys.readouterr().out
    assert run(["verify", path]) == 0
    assert run(["export", path, "--static", str(tmp_path / "pages")]) == 0
    game = json.loads((tmp_path / "pages" / "game.json").read_text("utf-8"))
    assert ["loss", "▼", "-2", "+2"] in game["values"].values()


def check_values_alone(subject: Any, stuck: str, rng: random.Random, tries: int) -> None:
    """Compare scores without remoteness with the others, and check that changes are refused."""
    full = rs.solve(subject, objective="score", stuck=stuck)
    solution = rs.solve(subject, objective=objectives.Score(stuck, levels=False))
    assert solution.objective == objectives.objective_of("score:levels=no", stuck) != full.objective
    table, n = solution.table, len(solution)
    assert not table.has_remoteness
    assert table.codec == full.table.codec
    values = table.values().copy()
    assert np.array_equal(values, full.table.values())
    rs.verify(solution)
    real = np.flatnonzero(values != 255)
    for _ in range(tries):
        value = values.copy()
        for v in rng.sample(real.tolist(), rng.randint(1, min(3, len(real)))):
            value[v] = rng.randrange(len(table.codec.results))
        if (value != values).any():
            wrong = rs.Solution(
                solution.space, coded_table(table.codec, value), objective=solution.objective
            )
            with pytest.raises(rs.VerificationError):
                rs.verify(wrong)
    if n:
        position = next(iter(solution))
        assert solution[position].remoteness is None
        assert solution[position].value == full[position].value


def test_scores_without_remoteness_are_the_same_and_proven() -> None:
    rng = random.Random(11)
    for _ in range(120):
        game = random_graph(rng)
        check_values_alone(game.graph(), game.stuck, rng, 8)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["tiers", "player", "reachable", "explored"])
def test_scores_without_remoteness_of_compiled_games_are_the_same(kind: str) -> None:
    rng = random.Random(12)
    for _ in range(8):
        check_values_alone(random_compiled_game(rng, kind), "loss", rng, 4)


@pytest.mark.long
@THOROUGH
def test_scores_without_remoteness_take_a_byte_and_are_saved(tmp_path: Path) -> None:
    game = rs.game("awari:seeds=6,pits=3")
    solution = rs.solve(game, objective="score:levels=no", out=tmp_path / "awari")
    direct = rs.solve(game, objective="score:levels=no")
    assert direct.table.parts[0].read(0, 1).dtype == np.uint8
    full = rs.solve(game, objective="score")
    with rs.open(tmp_path / "awari", check=True) as opened:
        assert opened.objective == objectives.Score(levels=False)
        rs.verify(opened)
        for position in list(opened)[::7]:
            assert str(opened[position]) == str(full[position].value)
            best = {move.name for move in opened.best_moves(position)}
            assert {move.name for move in full.best_moves(position)} <= best
    assert rs.solve(game, objective="score:levels=no", out=tmp_path / "awari", resume=True)
    assert solution.counts() == full.counts()
    with pytest.raises(rs.GraphError, match="levels='maybe': expected True or False, yes or no"):
        rs.solve(game, objective="score:levels=maybe")


def test_label_is_parsed_again() -> None:
    for margin in (Margin(3), Margin(-12), Margin(0), Margin(0, endless=True)):
        assert Margin.parse(margin.label) == margin
        assert margin.opposite().opposite() == margin
    with pytest.raises(rs.GraphError, match="'many' is no score"):
        Margin.parse("many")
    with pytest.raises(rs.GraphError, match="'536870912' is no score"):
        Margin.parse("536870912")


def test_codec_of_many_scores_is_wide() -> None:
    n = 700
    graph = rs.Graph.from_edges([], [], n, payoff=np.arange(n) - 50)
    solution = rs.solve(graph, objective="score")
    assert [int(solution[v].value) for v in range(n)] == list(range(-50, n - 50))
    assert solution.table.values().dtype == np.uint16
    codec = solution.objective.codec(solution.objective.labels_of(solution.table.codec))
    assert codec == solution.table.codec
    rs.verify(solution)


def test_score_takes_no_other_parameter() -> None:
    assert objectives.objective_of("score:stuck=tie") == objectives.Score("tie")
    with pytest.raises(
        rs.GraphError, match="'komi' is no parameter: expected stuck=, levels=, endless=, once"
    ):
        objectives.objective_of("score:komi=3")
