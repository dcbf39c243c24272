"""The film, the tree of a proof and the line of best play say of each position what the table says."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve import Value
from retrosolve.explanation import Proof, Trace, trace
from retrosolve.explanation.steps import sentence
from retrosolve.explanation.tracing import Phase, Rule
from retrosolve.objectives.chance import Odds
from tests.conformance.subjects import SHORT, cases

DEEP = {"depth": 50, "width": 50}
SHOWN = 6  # positions of each case


# -- the film


def seen(found: Trace, source: int, target: int) -> Value:
    """The final value of a target for the player who moves at the source."""
    outcome = found.outcomes[target]
    assert outcome is not None
    return outcome.value if found.same_player(source, target) else outcome.value.opposite()


def check_film(found: Trace) -> None:
    """Each event is about a move whose target was decided one level before, and counters go down by one."""
    decided: dict[int, rs.Outcome] = {}
    left = [len(row) for row in found.successors]
    for level in found.levels:
        for event in level.events:
            v, row = event.vertex, found.successors[event.vertex]
            assert v not in decided
            assert all(a == v and b in row for a, b in found.deciding_moves(event))
            words = sentence(found, event)
            assert found.names[v] in words
            if event.target is not None:
                left[v] -= seen(found, v, event.target) is Value.LOSS
                assert decided[event.target].remoteness == level.remoteness - 1
                assert found.names[event.target] in words
            assert event.open_moves == left[v] * (bool(row) and level.phase is not Phase.START)
            if event.outcome is not None:
                assert event.outcome.remoteness == level.remoteness
                assert event.rule is Rule.DRAW or words.endswith(f": {event.outcome}.")
                decided[v] = event.outcome
    assert [decided.get(v) for v in range(len(found.names))] == list(found.outcomes)
    assert json.loads(json.dumps(found.to_json())) == found.to_json()


@pytest.mark.parametrize("name", SHORT)
def test_each_step_of_the_film_follows_from_those_before(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for case in cases(name, tmp_path, 8):
        solution = case.solve()
        if not solution.objective.has_steps:
            break
        check_film(trace(solution))


# -- the tree


def derived(solution: rs.Solution, proof: Proof) -> tuple[Any, int | None]:
    """The outcome that follows from the moves shown, by the rules."""
    spots = [solution.space.index(at) for at in (proof.position, *(b.position for _, b in proof.steps))]
    movers = solution.space.player(np.array(spots))
    values = []
    for number, (_, below) in enumerate(proof.steps, 1):
        same = movers is not None and movers[number] == movers[0]
        value = below.outcome.value if same else below.outcome.value.opposite()
        values.append((value, below.outcome.remoteness))
    plies = {kind: [plies for value, plies in values if value is kind] for kind in Value}
    for kind in (Value.WIN, Value.TIE):
        if plies[kind]:
            return kind, 1 + min(plies[kind])
    if plies[Value.DRAW]:
        return Value.DRAW, None
    return Value.LOSS, 1 + max(plies[Value.LOSS])


def check_tree(solution: rs.Solution, root: Proof) -> None:
    explained = set()
    for place in root.walk():
        node = place.proof
        assert node.outcome == solution[node.position]
        assert all(move.outcome == below.outcome for move, below in node.steps)
        assert place.level <= DEEP["depth"]
        if node.repeats is not None:
            assert node.repeats.text == node.text or not solution.space.has_sums
            assert not node.steps
            continue
        value, moves = node.outcome.value, {move.position for move in solution.moves(node.position)}
        if node.steps and not node.is_cut and not node.hidden_moves:
            assert node.text not in explained
            explained.add(node.text)
            targets = {move.position for move, _ in node.steps}
            assert targets <= moves
            assert targets == moves or value == Value.WIN or isinstance(value, Odds)
            assert type(value) is not Value or derived(solution, node) == node.outcome
        elif not node.is_cut:
            assert not moves or solution.space.has_sums


@pytest.mark.parametrize("name", SHORT)
def test_the_tree_and_the_line_of_a_position_say_what_the_table_says(
    name: str, tmp_path: Path, interpreted: None
) -> None:
    for case in cases(name, tmp_path, 6):
        solution = case.solve()
        for position in islice(solution, SHOWN):
            value, plies = solution[position]
            try:
                tree = rs.explain(solution, position, **DEEP)
            except rs.GraphError:
                assert not solution.table.has_remoteness
                continue
            check_tree(solution, tree)
            assert len(str(tree).splitlines()) >= len([*tree.walk()])
            if type(value) is Value and plies is not None:
                line = solution.line(position)
                assert [plies, *(move.outcome.remoteness for move in line)] == [*range(plies, -1, -1)]
