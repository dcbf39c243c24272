"""Random graphs, plain rules and compiled rules against attractors that share nothing with the package."""

import random
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.testing import (
    STUCK,
    CompiledGraphGame,
    MirroredGame,
    random_compiled_game,
    random_graph,
    random_tiered_graph,
    without_owner,
)
from retrosolve.testing.games import KINDS
from tests.support.engines import solve_with
from tests.support.fixpoint import WORDS, Outcome, graph_outcomes, in_words, outcomes
from tests.support.marks import samples

SURVEY = ("predecessors", "survey", "predecessor_indices")
SOLVERS = ("auto", "reference", "retrograde", "sweep")


def test_a_graph_solved_by_hand_has_the_outcomes_of_attractors() -> None:
    moves = {"a": "b", "b": "ac", "c": "d", "d": "", "e": "c", "f": "eb"}
    draw, loss = ("draw", None), ("loss", 0)
    by_hand = {"a": draw, "b": draw, "c": ("win", 1), "d": loss, "e": ("loss", 2), "f": ("win", 3)}
    assert outcomes(moves, {}) == by_hand
    assert outcomes(moves, {"d": "tie"})["f"] == ("tie", 3)
    assert outcomes({"a": "b", "b": ""}, {}, {"a": 0, "b": 0}) == {"a": ("loss", 1), "b": loss}


def test_random_graphs_have_the_outcomes_of_attractors() -> None:
    rng = random.Random(7)
    for number in range(samples(80, 12_000)):
        graph, stuck = random_graph(rng, acyclic=number % 5 == 0), STUCK[number % 3]
        right = graph_outcomes(graph, stuck)
        for solver in SOLVERS:
            solution = rs.solve(graph, stuck=stuck, solver=solver)
            assert {v: in_words(solution[v]) for v in right} == right, (number, solver)
        rs.verify(solution)


class Rules(rs.Game):
    """Rules of a graph whose positions are pairs of a vertex and one of two mirror images.

    A move may lead to the other image; without ``canonical`` both are solved. The optional functions are
    added by ``with_features``.
    """

    def __init__(self, graph: rs.Graph, rng: random.Random) -> None:
        self.graph = graph
        self.rows = [
            [(w, rng.randrange(2)) for w in graph.neighbors(v).tolist()]
            for v in range(graph.num_vertices)
        ]
        self.first = [(rng.randrange(graph.num_vertices), rng.randrange(2)) for _ in range(3)]

    def start(self) -> Any:
        return self.first[0]

    def moves(self, position: Any) -> Iterable[Any]:
        return [(f"to {w} {f}", (w, position[1] ^ f)) for w, f in self.rows[position[0]]]


def with_features(names: set[str]) -> type[Rules]:
    """The class of such rules with some of the optional functions."""

    def terminal(self: Rules, position: Any) -> rs.Value | None:
        codes = self.graph.terminals
        return rs.Value(int(codes[position[0]])) if codes is not None and codes[position[0]] else None

    functions: dict[str, Any] = {
        "starts": lambda self: [*self.first, self.first[0]],
        "terminal": terminal,
        "player": lambda self, position: int(self.graph.owner[position[0]]),
        "canonical": lambda self, position: (position[0], 0),
        "text": lambda self, position: f"{position[0]}{'ab'[position[1]]}",
        "parse": lambda self, text: (int(text[:-1]), "ab".index(text[-1])),
    }
    return type("Featured", (Rules,), {name: functions[name] for name in names})


FEATURES = ("starts", "terminal", "player", "canonical", "text", "parse")


def plain_outcomes(rules: Rules, stuck: str) -> dict[Any, Outcome]:
    """The outcomes of all positions that play reaches, mirror images told apart."""
    roots = rules.first if rules.implements("starts") else rules.first[:1]
    terminal = rules.terminal if rules.implements("terminal") else lambda position: None
    return explored(
        roots,
        lambda position: [target for _, target in rules.moves(position)],
        lambda position: None if (value := terminal(position)) is None else value.label,
        rules.player if rules.implements("player") else None,
        stuck,
    )


def explored(roots: Any, targets: Any, ended: Any, player: Any, stuck: str) -> dict[Any, Outcome]:
    """The outcomes of all positions that are reached from some."""
    moves: dict[Hashable, list[Any]] = {}
    ends: dict[Hashable, str] = {}
    todo = list(roots)
    while todo:
        position = todo.pop()
        if position in moves:
            continue
        word = ended(position)
        moves[position] = [] if word else list(targets(position))
        ends |= {position: word} if word else {}
        todo += moves[position]
    players = None if player is None else {position: player(position) for position in moves}
    return outcomes(moves, ends, players, stuck)


def test_plain_rules_with_any_optional_functions_have_the_outcomes_of_attractors() -> None:
    rng, met = random.Random(8), set()
    for number in range(samples(80, 10_000)):
        graph, stuck = random_graph(rng), STUCK[number % 3]
        if not graph.num_vertices:
            continue
        names = {name for name in FEATURES if rng.random() < 0.5} - {"player"}
        names |= {"player"} if graph.owner is not None else set()
        met |= names
        rules = with_features(names)(graph, rng)
        right = plain_outcomes(rules, stuck)
        solution = rs.solve(rules, stuck=stuck, solver=rng.choice(("auto", "reference", "sweep")))
        assert {position: in_words(solution[position]) for position in right} == right, (number, names)
        assert len(solution) == len({p[0] for p in right} if "canonical" in names else right)
        rs.verify(solution)
    assert met == set(FEATURES)


def compiled_outcomes(solution: rs.Solution, game: rs.CompiledGame, stuck: str) -> dict[int, Outcome]:
    """The outcomes of all positions of a compiled game, neither indices nor symmetry used."""
    out = np.zeros(game.max_moves + 8, np.int64)

    def targets(position: int) -> list[int]:
        return out[: game.successors(position, out, game.data)].tolist()

    def ended(position: int) -> str | None:
        return WORDS.get(game.terminal(position, game.data)) if game.implements("terminal") else None

    player = (lambda p: int(game.player(p, game.data))) if game.implements("player") else None
    return explored(solution, targets, ended, player, stuck)


def full_graph(rng: random.Random) -> rs.Graph:
    while True:
        graph = random_graph(rng)
        if graph.num_vertices:
            return graph


def tiered(rng: random.Random) -> rs.CompiledGame:
    graph, tiers = random_tiered_graph(rng)
    return CompiledGraphGame(without_owner(graph), *SURVEY, tiers=tiers)


def tiered_with_owners(rng: random.Random) -> rs.CompiledGame:
    while True:
        graph, tiers = random_tiered_graph(rng)
        if graph.owner is not None:
            rules = rng.choice([("survey",), ("survey", "predecessors")])
            return CompiledGraphGame(graph, *rules, tiers=tiers)


MORE_KINDS = {
    "survey": lambda rng: CompiledGraphGame(without_owner(full_graph(rng)), *SURVEY),
    "survey and tiers": tiered,
    "survey and player": tiered_with_owners,
    "canonical without predecessors": lambda rng: MirroredGame(
        without_owner(full_graph(rng)), "canonical"
    ),
    "reachable without predecessors": lambda rng: CompiledGraphGame(
        without_owner(full_graph(rng)), starts=[0]
    ),
}


@pytest.mark.parametrize("kind", [*KINDS, *MORE_KINDS])
def test_compiled_rules_of_every_kind_have_the_outcomes_of_attractors(kind: str) -> None:
    rng = random.Random(kind)
    for number in range(samples(10, 1_000)):
        stuck = STUCK[number % 3]
        game = MORE_KINDS[kind](rng) if kind in MORE_KINDS else random_compiled_game(rng, kind)
        right = None
        for engine in ("auto", "sweep", "reference"):
            solution = solve_with(engine, game, stuck)
            right = right or compiled_outcomes(solution, game, stuck)
            assert {p: in_words(solution[p]) for p in right} == right, (number, engine)
        rs.verify(solution)


class Unmarked(CompiledGraphGame):
    """A survey that does not say where the same player moves on."""

    @staticmethod
    def survey(index: int, out: Any, data: Any) -> tuple[int, int, int, int]:
        """Return what the other does, all indices as those of the opponent."""
        result, moves, within, beyond = CompiledGraphGame.survey(index, out, data)
        for k in range(beyond):
            out[k] = max(out[k], ~out[k])
        return result, moves, within, beyond


def test_survey_that_hides_who_moves_on_is_refused() -> None:
    graph = rs.Graph.from_edges([2], [0], 3, owner=[0, 1, 0])
    right, wrong = (kind(graph, "survey", tiers=(0, 2)) for kind in (CompiledGraphGame, Unmarked))
    rs.verify(rs.solve(right))
    rs.check_game(right)
    with pytest.raises(rs.RulesError):
        rs.check_game(wrong)
