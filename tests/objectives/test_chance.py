"""Games of chance against exact arithmetic, and proofs of bounds that are moved."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import objectives
from retrosolve.cli import run
from retrosolve.formats.files import write_moves
from retrosolve.games.pig import Pig
from retrosolve.objectives.chance import Odds
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Progress
from retrosolve.solvers import chance
from retrosolve.store import codec
from retrosolve.tables.intervals import IntervalTable, PackedIntervals
from tests.support.chance import Dice, Tabled, TabledPayoffs, Throws, random_dice
from tests.support.marks import samples

CHANCE = rs.CHANCE


def coin(weights: tuple[int, int] = (2, 1)) -> rs.Graph:
    """A player who may throw a coin, or leave that to the other one."""
    edges = [("a", "coin"), ("a", "b"), ("b", "coin"), ("coin", "won"), ("coin", "lost")]
    owner = {"a": 0, "b": 1, "coin": CHANCE, "won": 0, "lost": 0}
    ends = {"won": "win", "lost": "loss"}
    return rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[0, 0, 0, *weights])


def with_bounds(solution: rs.Solution, low: list[float], high: list[float]) -> rs.Solution:
    """Return a solution that claims other bounds, in payoffs."""
    table = solution.table
    assert table.bounds is not None
    claimed = IntervalTable(np.array(low), np.array(high), table.bounds.is_payoff)
    return rs.Solution(solution.space, claimed, solution.stuck, objective=solution.objective)


def bounds(solution: rs.Solution) -> tuple[list[float], list[float]]:
    table = solution.table
    assert table.bounds is not None
    return table.bounds.low.tolist(), table.bounds.high.tolist()


def check_exact(game: Dice, width: float = 1e-9) -> None:
    """Check that intervals contain the exact values, are narrow, and are proven."""
    solution = rs.solve(game.graph(), objective="chance")
    least, most = game.exact()
    for low, high, x, y in zip(*bounds(solution), least, most, strict=True):
        assert Fraction(low) <= x <= y <= Fraction(high)
        assert float(x) - low < width
        assert high - float(y) < width
    rs.verify(solution)


def test_bounds_past_the_exact_value_are_refused() -> None:
    rng = random.Random(2)
    refused = 0
    while refused < samples(60, 20_000):
        game = random_dice(rng)
        solution = rs.solve(game.graph(), objective="chance")
        least, most = game.exact()
        low, high = bounds(solution)
        v = rng.randrange(len(low))
        shift = rng.choice([0, 1e-12, 1e-6, 0.1])  # 0: the next number that float64 has
        if rng.random() < 0.5:
            low[v] = past(least[v], 1) + shift
            high[v] = max(high[v], low[v])
        else:
            high[v] = past(most[v], -1) - shift
            low[v] = min(low[v], high[v])
        wrong = low[v] > least[v] or high[v] < most[v]
        assert wrong
        with pytest.raises(rs.VerificationError):
            rs.verify(with_bounds(solution, low, high))
        refused += 1


def past(exact: Fraction, way: int) -> float:
    """Return the first float64 above an exact number, or below it for the way -1."""
    near = float(exact)
    return near if way * (Fraction(near) - exact) > 0 else math.nextafter(near, way * math.inf)


class Sum(rs.CompiledGame):
    """A throw with one move after each outcome, to positions before the only end."""

    max_moves, max_outcomes = 1, 64

    def __init__(self, weights: list[int], end: rs.Value) -> None:
        self.size = len(weights) + 2  # the end, the positions after the throw, and the throw
        self.data = (np.array(weights), int(end))

    @staticmethod
    def terminal(position: int, data: tuple[np.ndarray, int]) -> int:
        return data[1] if position == 0 else 0

    @staticmethod
    def outcomes(
        position: int, out: np.ndarray, weights: np.ndarray, data: tuple[np.ndarray, int]
    ) -> int:
        last = len(data[0]) + 1
        if position < last:
            out[0], weights[0] = last + 1, 1
            return 1
        for k in range(last - 1):
            out[k], weights[k] = last + 2 + k, data[0][k]
        return last - 1

    @staticmethod
    def successors(position: int, out: np.ndarray, data: tuple[np.ndarray, int]) -> int:
        out[0] = ~(position - len(data[0]) - 2)  # the same player moves on
        return 1


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("way", [1, -1])
def test_means_are_rounded_against_the_claim(compiled: bool, way: int) -> None:
    """Compare bounds next to the mean of others, one unit of the last place away, with fractions."""
    rng, end = random.Random(7), rs.Value.WIN if way == 1 else rs.Value.LOSS
    for _ in range(samples(40, 4000)):
        k = rng.randint(1, 40)
        weights = [rng.choice([1, rng.randint(1, 100)]) for _ in range(k)]
        # All are won, so that lower bounds may be anything, or all are lost, likewise.
        claims = [rng.uniform(-1, 1) * 2.0 ** -rng.choice([0, 0, 3, 40]) for _ in weights]
        mean = sum(Fraction(x) * w for x, w in zip(claims, weights, strict=True)) / sum(weights)
        space: Any = Sum(weights, end)
        if not compiled:
            edges = [(v, 0, 1) for v in range(1, k + 1)]
            edges += [(k + 1, v, weight) for v, weight in enumerate(weights, 1)]
            source, target, weight = zip(*edges, strict=True)
            owner, ended = [0] * (k + 1) + [CHANCE], [int(end)] + [0] * (k + 1)
            space = rs.Graph.from_edges(source, target, k + 2, owner, ended, weight=weight)
        solution = rs.solve(space, objective="chance")
        near = past(mean, way)
        far = past(mean - way * Fraction(2 * (k + 5), 2**53), -way)  # twice what rounding may do
        for claim in (near, far):
            bound, other = [float(way), *claims, claim], [float(way)] * (k + 2)
            wrong = with_bounds(solution, *((bound, other) if way == 1 else (other, bound)))
            if claim == far:
                rs.verify(wrong)
            else:
                with pytest.raises(rs.VerificationError):
                    rs.verify(wrong)


def test_positions_that_prove_each_other_are_refused() -> None:
    edges = [("a", "b"), ("b", "a"), ("a", "lost")]
    owner = {"a": 0, "b": CHANCE, "lost": 0}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal={"lost": "loss"})
    solution = rs.solve(graph)
    assert str(solution["a"]) == "0 to 100 %"
    rs.verify(solution)
    with pytest.raises(rs.VerificationError):
        rs.verify(with_bounds(solution, [1, 1, -1], [1, 1, -1]))


def test_random_games_with_all_but_one_bound_at_their_worst_are_proven() -> None:
    rng = random.Random(3)
    for _ in range(samples(40, 2000)):
        game = random_dice(rng)
        solution = rs.solve(game.graph(), objective="chance")
        rs.verify(solution)
        most = max(map(abs, game.payoff)) if game.has_payoffs else 1
        low, high = bounds(solution)
        ended = [not row for row in game.moves]
        rs.verify(
            with_bounds(
                solution,
                [x if over else -most for x, over in zip(low, ended, strict=True)],
                [x if over else most for x, over in zip(high, ended, strict=True)],
            )
        )


def test_games_without_chance_have_their_outcomes() -> None:
    rng = random.Random(4)
    sure = {rs.Value.WIN: (1.0, 1.0), rs.Value.LOSS: (0.0, 0.0), rs.Value.DRAW: (0.0, 1.0)}
    for _ in range(samples(20, 3000)):
        n = rng.randint(1, 9)
        edges = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(0, 2 * n))]
        owner = [rng.randrange(2) for _ in range(n)] if rng.random() < 0.5 else None
        graph = rs.Graph.from_edges(edges, vertices=n, owner=owner)
        chances, outcomes = rs.solve(graph, objective="chance"), rs.solve(graph)
        rs.verify(chances)
        for v in range(n):
            odds = chances[v].value
            assert (odds.low, odds.high) == sure[outcomes[v].value]


def test_rules_that_change_a_weight_are_refused() -> None:
    game = Throws(Dice([CHANCE, 0, 0], [[(1, 1), (2, 2)], [], []], [0, 1, -1], False))
    solution = rs.solve(game)
    assert solution.space.positions.move_weights(0, [1, 2]) == [1, 2]
    game.game.moves[0][0] = (1, 3)
    with pytest.raises(rs.VerificationError):
        rs.verify(solution)


def test_best_moves_that_lead_in_circles_are_given_up() -> None:
    # Ten times in eleven a player moves on, otherwise he gets 6, -9 and -9. Sweeps that follow the moves
    # that were best, three times each, come back to the same values for ever.
    moves = {2: [~3, 4, ~4], 3: [2, ~2], 4: [3]}
    code, throws = np.array([1, 2, 0, 0, 0], np.uint8), np.array([0, 0, 2, 2, 2])
    weights, made, targets = np.tile([10, 1, 0], (5, 1)), np.zeros(15, int), np.zeros((15, 3), int)
    for v, row in moves.items():
        made[3 * v], made[3 * v + 1] = len(row), 1
        targets[3 * v, : len(row)] = row
        targets[3 * v + 1, 0] = ~1 if v == 2 else ~0
    data = (code, throws, weights, made, targets, np.zeros(5, int), np.array([-9, 6, 0, 0, 0]))
    reports = 0

    def count(report: object) -> None:
        nonlocal reports
        reports += 1
        assert reports < 1000

    solution = rs.solve(TabledPayoffs((0, 2), data), progress=count)
    rs.verify(solution)
    assert solution.table.bounds is not None
    assert solution.table.bounds.width < 1e-10


def test_no_bound_is_a_payoff_that_no_end_has() -> None:
    # Index 1 is stuck after its throw, so that its 7 points are never paid; index 2 goes on for ever.
    code, throws = np.array([2, 0, 0], np.uint8), np.array([0, 1, 1])
    made, targets = np.zeros(9, int), np.zeros((9, 1), int)
    made[6], targets[6, 0] = 1, 2
    data = (code, throws, np.ones((3, 3), int), made, targets, np.zeros(3, int), np.array([5, 7, 0]))
    solution = rs.solve(TabledPayoffs((0, 2), data))
    rs.verify(solution)
    low, high = bounds(solution)
    assert (low[1:], high[1:]) == ([-1, -5], [-1, 5])


@pytest.mark.parametrize(
    ("stuck", "someone", "expected"),
    [("loss", False, (0, 0)), ("loss", True, (-1, 1)), ("win", True, (-1, 1)), ("tie", True, (0, 0))],
)
def test_no_bound_is_beyond_payoffs_of_0_unless_somebody_is_stuck(
    stuck: str, someone: bool, expected: tuple[int, int]
) -> None:
    # Index 0 ends, 1 may be stuck or go there, and 2 goes on for ever.
    code, throws = np.array([3, 0, 0], np.uint8), np.array([0, 1, 1])
    made, targets = np.zeros(9, int), np.zeros((9, 1), int)
    made[3], made[6], targets[6, 0] = not someone, 1, 2
    data = (code, throws, np.ones((3, 3), int), made, targets, np.zeros(3, int), np.zeros(3, int))
    solution = rs.solve(TabledPayoffs((0, 2), data), stuck=stuck)
    rs.verify(solution)
    low, high = bounds(solution)
    assert (low[2], high[2]) == expected
    assert low[1] == high[1] == (someone and {"loss": -1, "win": 1, "tie": 0}[stuck])
    assert not np.signbit(low[0])
    if expected != (0, 0):
        zeros = IntervalTable(np.zeros(3), np.zeros(3), is_payoff=True)
        with pytest.raises(rs.VerificationError):
            rs.verify(rs.Solution(solution.space, zeros, objective=solution.objective))


@pytest.mark.parametrize("tiers", [(0,), (0, 2), (0, 3)])
@pytest.mark.parametrize("on", [0, 3])  # a move that ends the game, and one that stays
def test_throw_with_a_move_to_no_position_raises(tiers: tuple[int, ...], on: int) -> None:
    code, throws = np.array([1, 255, 0, 0], np.uint8), np.array([0, 0, 1, 2])
    made, targets = np.zeros(12, int), np.zeros((12, 3), int)
    made[[6, 9, 10]] = 1, 2, 2
    targets[9, :2], targets[10, :2] = (1, 2), (0, on)
    data = (code, throws, np.ones((4, 3), int), made, targets, np.zeros(4, int), np.zeros(4, int))
    with pytest.raises(rs.RulesError):
        rs.solve(Tabled(tiers, data))


def test_damaged_bounds_raise(tmp_path: Path) -> None:
    rs.solve(coin()).save(tmp_path / "coin")
    file = tmp_path / "coin" / "table" / "low" / "c" / "0"
    data = bytearray(file.read_bytes())
    data[7] ^= 64
    file.write_bytes(data)
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "coin")["a"]


def test_moves_are_ordered_by_what_can_be_expected() -> None:
    edges = [("a", "b"), ("a", "c"), ("a", "won"), *((x, "won") for x in "bc"), ("b", "lost")]
    owner = {"a": 1, "b": CHANCE, "c": 0, "won": 0, "lost": 0}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal={"won": "win", "lost": "loss"})
    solution = rs.solve(graph)
    assert [move.name for move in solution.moves("a")] == ["b", "c", "won"]
    assert [move.name for move in solution.best_moves("a")] == ["b"]
    assert [move.name for move in solution.moves("b")] == ["won", "lost"]  # by the rules: no choice
    assert solution.space.positions.move_weights("b", ["won", "lost"]) == [1, 1]
    assert solution.space.positions.move_weights("a", ["b"]) is None
    best = solution.best_successors().tolist()
    assert best[graph.index("b")] == -1
    assert best[graph.index("a")] == graph.index("b")
    frame = solution.to_pandas().set_index("position")
    assert frame.loc["b", "player"] == "chance"
    assert frame.loc["b", "low"] == pytest.approx(0.5)


def test_payoffs_are_expected() -> None:
    edges = [("die", str(k)) for k in range(1, 7)]
    owner = {"die": CHANCE} | {str(k): 0 for k in range(1, 7)}
    graph = rs.Graph.from_edges(edges, owner=owner, payoff={str(k): k for k in range(1, 7)})
    odds = rs.solve(graph)["die"].value
    assert str(odds) == "3.5"
    assert odds.is_payoff
    assert odds.width < 1e-13
    assert str(odds.opposite()) == "-3.5"


@pytest.mark.parametrize("weight", [1, 10**6])
def test_play_that_stays_for_long_is_solved_by_equations(weight: int) -> None:
    """From a and b chance goes to the other one with weight W, and out with weight 1."""
    edges = [("a", "b"), ("a", "won"), ("b", "a"), ("b", "lost")]
    owner = {"a": CHANCE, "b": CHANCE, "won": 0, "lost": 0}
    ends = {"won": "win", "lost": "loss"}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal=ends, weight=[weight, 1, weight, 1])
    solution = rs.solve(graph, timeout=60)
    rs.verify(solution)
    odds, exact = solution["a"].value, Fraction(weight + 1, 2 * weight + 1)
    assert Fraction(odds.low) <= exact <= Fraction(odds.high)
    assert odds.width < 1e-14 * (weight + 100)


def test_random_games_with_uneven_weights_agree_with_exact_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[bool] = []
    close = chance.close_bounds

    def closing(*arguments: Any) -> bool:
        taken.append(close(*arguments))
        return taken[-1]

    monkeypatch.setattr(chance, "close_bounds", closing)
    monkeypatch.setattr(chance, "LEAST_SWEEPS", 1)
    rng = random.Random(5)
    for _ in range(samples(60, 5_000)):
        game = random_dice(rng)
        rows = [
            [(w, (rng.choice([1, 2, 300]) if w < v else 1) if who == CHANCE else 0) for w, _ in row]
            for v, (who, row) in enumerate(zip(game.owner, game.moves, strict=True))
        ]
        check_exact(game._replace(moves=rows), width=1e-4)
    assert taken.count(True) > 10
    assert False in taken


def test_plain_python_reports_after_a_bounded_number_of_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    class EnoughError(Exception):
        """The play below never ends."""

    budgets: list[int] = []
    run_kernel = chance.jit.run

    def running(kernel: Any, work: int, *arguments: Any) -> Any:
        if kernel is chance.narrow_components:
            budgets.append(arguments[-1])
            if len(budgets) == 4:
                raise EnoughError
        return run_kernel(kernel, work, *arguments)

    monkeypatch.setattr(chance.jit, "run", running)
    # Both players may pass for ever, so that the bounds close by sweeps alone.
    edges = [("p", "q"), ("q", "p"), ("p", "c"), ("c", "p"), ("c", "won")]
    owner = {"p": 0, "q": 1, "c": CHANCE, "won": 0}
    graph = rs.Graph.from_edges(edges, owner=owner, terminal={"won": "win"}, weight=[0, 0, 0, 10**6, 1])
    plain = tuning.using(compile_from=10**9, compile_again_from=10**9)
    with plain, pytest.raises(EnoughError):
        rs.solve(graph)
    assert len(budgets) == 4
    assert max(budgets) <= chance.INTERPRETED


def test_a_component_larger_than_the_edges_between_two_reports() -> None:
    # Nearly all throws lead down to the win at 0, and are visited from the top on in every other sweep.
    n = 600  # more than are solved by equations
    edges = [(v, w) for v in range(n) for w in ((v + 1) % n, v - 1 if v else n)]
    graph = rs.Graph.from_edges(
        edges, owner=[CHANCE] * n + [0], terminal={n: "win"}, weight=[1, 10**6] * n
    )
    reports: list[Progress] = []
    with tuning.using(compile_from=0, compile_again_from=0, edges_per_report=n):
        solution = rs.solve(graph, progress=reports.append, timeout=60)
    assert 1 < len(reports) < 100  # 600 without sweeps the other way
    assert np.abs(np.array(bounds(solution)) - 1).max() < 1e-9
    rs.verify(solution)


def test_slow_play_stops_and_says_how_close_it_came() -> None:
    # Back to the beginning with a probability of 1 - 2^-20, and the stall is far from the limit.
    chain = [(k, k + 1) for k in range(3)] + [(k, 0) for k in range(3)]
    graph = rs.Graph.from_edges(
        chain, owner=[CHANCE] * 3 + [0], terminal={3: "win"}, weight=[1, 1, 1, *[1_000_000] * 3]
    )
    solution = rs.solve(graph)
    assert solution.table.bounds is not None
    assert solution.table.bounds.width > 0.9
    rs.verify(solution)


def test_smaller_tolerance_narrows_bounds() -> None:
    edges = [(0, 0), (0, 1), (0, 2)]
    graph = rs.Graph.from_edges(
        edges, owner=[CHANCE, 0, 0], terminal={1: "win", 2: "loss"}, weight=[98, 1, 1]
    )
    widths = []
    for tolerance in (0.1, 1e-4, 1e-10):
        table = rs.solve(graph, objective=objectives.Chance(tolerance=tolerance)).table.bounds
        assert table is not None
        assert table.width <= tolerance
        widths.append(table.width)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "json", "npz", "graphml", "dot"])
def test_files_keep_weights(tmp_path: Path, ending: str) -> None:
    graph = coin((3, 5))
    path = tmp_path / f"coin.{ending}"
    rs.write(graph, path)
    again = rs.read_graph(path)
    assert again == graph
    assert str(rs.solve(again)[again.position(0)]) == "37.5 %"


def test_weights_of_others_are_no_weights(tmp_path: Path) -> None:
    (tmp_path / "roads.csv").write_text("source,target,weight\na,b,0.5\nb,a,far\n")
    assert rs.read_graph(tmp_path / "roads.csv").weight is None
    frame = {"source": ["a", "b"], "target": ["b", "a"], "weight": [0.5, 2.5]}
    assert rs.Graph.from_pandas(frame).weight is None
    assert nx_coin({"weight": 0.5}, owner=0).weight is None


def nx_coin(data: dict[str, float], owner: int) -> rs.Graph:
    import networkx as nx

    network = nx.DiGraph()
    network.add_node("throw", owner=owner)
    for k, end in enumerate(("win", "loss")):
        network.add_node(end, owner=0, terminal=end)
        network.add_edge("throw", end, **{name: x * (k + 1) for name, x in data.items()})
    return rs.Graph.from_networkx(network)


def test_networks_and_frames_have_weights() -> None:
    assert str(rs.solve(nx_coin({"weight": 1}, CHANCE))["throw"]) == "33.3333333333 %"
    assert str(rs.solve(nx_coin({}, CHANCE))["throw"]) == "50 %"
    edges = {"source": ["x", "x"], "target": ["y", "z"], "odds": [1, 3]}
    vertices = {"name": ["x", "y", "z"], "owner": [2, 0, 0], "terminal": [None, "win", "loss"]}
    graph = rs.Graph.from_pandas(edges, vertices=vertices, vertex="name", weight="odds")
    assert str(rs.solve(graph)["x"]) == "25 %"


@pytest.mark.parametrize("payoffs", [True, False])
def test_packed_bounds_enclose_the_proven_ones_in_four_bytes(tmp_path: Path, payoffs: bool) -> None:
    rng = random.Random(5)
    games = (random_dice(rng) for _ in range(1000))
    for game in [game for game in games if game.has_payoffs == payoffs][: samples(8, 200)]:
        solution = rs.solve(game.graph(), objective="chance")
        solution.save(tmp_path / "proven")
        assert (
            run(["pack", *map(str, (tmp_path / "proven", tmp_path / "packed")), "--round-bounds"]) == 0
        )
        with rs.open(tmp_path / "packed", check=True) as packed:
            assert codec.digest(packed.table) == packed.digest()
            table, claimed = packed.table, solution.table.bounds
            assert isinstance(table, PackedIntervals)
            assert table.places.nbytes == 4 * len(game.owner)
            assert table.proven == solution.digest()
            assert claimed is not None
            low, high = table.bounds.low[:], table.bounds.high[:]
            assert (low <= claimed.low).all()
            assert (high >= claimed.high).all()
            close = claimed.high - claimed.low < 1e-10 * table.most
            assert (high - low)[close].max(initial=0) < 2e-9 * table.most
            certain = np.abs(claimed.low) == table.most
            assert (low == claimed.low)[certain].all()
            with pytest.raises(rs.VerificationError):
                rs.verify(packed)


def test_proven_bounds_are_not_rounded_in_place(tmp_path: Path) -> None:
    rs.solve(coin()).save(tmp_path / "coin")
    with pytest.raises(rs.StoreError):
        rs.pack(tmp_path / "coin", round_bounds=True)
    rs.pack(tmp_path / "coin", tmp_path / "packed", round_bounds=True)
    rs.pack(tmp_path / "packed", level=22)
    with rs.open(tmp_path / "packed") as packed:
        assert str(packed["coin"]).startswith("66.6666667")
        assert str(packed["a"]).startswith("66.6666667")


def test_data_set_has_the_best_moves_after_each_throw(tmp_path: Path) -> None:
    from pyarrow import parquet

    solution = rs.solve(Pig(goal=8))
    write_moves(solution, tmp_path / "pig.parquet")
    rows = {row["position"]: row for row in parquet.read_table(tmp_path / "pig.parquet").to_pylist()}
    assert len(rows) == len(solution)
    row = rows["0,0,0"]
    throws = [name.partition(": ")[0] for name in row["optimal"]]
    assert sorted(throws) == list("123456")  # one move is best after each
    low = dict(zip(row["moves"], row["move_low"], strict=True))
    for name in row["optimal"]:
        others = [move for move in row["moves"] if move[0] == name[0]]
        assert low[name] == max(map(low.get, others))
    assert all(a <= b for a, b in zip(row["move_low"], row["move_high"], strict=True))
    write_moves(rs.solve(coin()), tmp_path / "coin.parquet")
    rows = {row["position"]: row for row in parquet.read_table(tmp_path / "coin.parquet").to_pylist()}
    assert (rows["coin"]["optimal"], rows["a"]["optimal"]) == ([], ["coin", "b"])


def test_values_are_explained_by_throws() -> None:
    graph = coin()
    assert str(rs.explain(graph, "a")).splitlines()[0].startswith("a, 0 to move, is 66.6666666667 %")
    assert "75.0%" in str(rs.explain(coin((3, 1)), "coin"))
    text = str(rs.explain(rs.solve(Pig(goal=8)), "6,0,0"))
    assert "16.7%: `2: hold` leads to over, 0 %" in text
    assert "16.7%: `1: lose the turn` leads to 0,6,0" in text


def test_nothing_is_written_without_a_sign() -> None:
    assert str(Odds(-2e-12, 0, is_payoff=True)) == "0"
    assert str(Odds(-0.5, -0.5, is_payoff=True)) == "-0.5"


def test_bounds_are_written_to_three_digits_of_their_difference() -> None:
    assert str(Odds(99950.2, 100012.7, is_payoff=True)) == "99950.2 to 100012.7"
    assert str(Odds(-2e6, 123456.7, is_payoff=True)) == "-2000000 to 123457"
    assert str(Odds(0.25, 0.2651)) == "25 to 26.51 %"
