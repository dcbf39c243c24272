"""What holds for a solution of any objective: saved, opened, probed, compared, and shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.objectives import OBJECTIVES
from retrosolve.values import INVALID
from retrosolve.web.library import Entry, Library
from tests.web.drawn import request, serving

LOOP = rs.Graph.from_edges(["a", "a", "b", "d", "d", "e", "e"], ["b", "c", "c", "d", "b", "d", "a"])
COINS = rs.Graph.from_edges(
    ["a", "b", "b", "c", "e", "e"], ["b", "a", "c", "d", "c", "e"],
    payoff={"d": -3}, reward=[0, 0, 2, -1, 0, 0],
)  # fmt: skip
DICE = rs.Graph.from_edges(
    [0, 0, 1, 1, 2], [1, 2, 3, 4, 3], owner=[rs.CHANCE, 0, 1, 0, 1], terminal={3: "win", 4: "loss"}
)

SUBJECTS: dict[str, Callable[[], rs.Graph | rs.CompiledGame]] = {
    "outcome": lambda: LOOP,
    "win-loss-draw": lambda: rs.game("police"),
    "conversion": lambda: rs.game("chess:KRK,board=3"),
    "conversion:limit=3": lambda: rs.game("chess:KRK,board=3"),
    "score": lambda: COINS,
    "score:levels=no": lambda: rs.game("awari:seeds=3,pits=2"),
    "nimber": lambda: LOOP,
    "chance": lambda: DICE,
}
EVERY = pytest.mark.parametrize("objective", SUBJECTS)


def solved(objective: str) -> rs.Solution:
    return rs.solve(SUBJECTS[objective](), objective=objective)


def real(solution: rs.Solution) -> list[int]:
    return np.flatnonzero(solution.table.values() != INVALID).tolist()


def test_every_objective_is_here() -> None:
    assert {name.partition(":")[0] for name in SUBJECTS} == set(OBJECTIVES)


@pytest.mark.thorough
@EVERY
def test_solution_is_saved_opened_probed_and_compared(
    objective: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solved(objective)
    rs.verify(solution)
    solution.save(tmp_path / "one")
    rs.solve(SUBJECTS[objective](), objective=objective, out=tmp_path / "two")
    with rs.open(tmp_path / "one", check=True) as opened:
        assert opened.objective == solution.objective
        assert opened.verified
        assert dict(opened.items()) == dict(solution.items())
        assert rs.compare(opened, solution).equal
        rs.verify(opened)
    assert run(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    assert run(["verify", str(tmp_path / "two")]) == 0
    for v in real(solution)[:5]:
        position = solution.space.position(v)
        capsys.readouterr()
        text = solution.space.text(position)
        assert run(["probe", str(tmp_path / "two"), "--json", text]) == 0
        record = json.loads(capsys.readouterr().out)
        assert record["value"] == solution[position].value.label
        assert record["remoteness"] == solution[position].remoteness


FIGURES: dict[str, Callable[[rs.Outcome], dict[str, object]]] = {
    "conversion": lambda outcome: {"dtz": outcome.remoteness},
    "conversion:limit=3": lambda outcome: {"dtz": outcome.remoteness},
    "score": lambda outcome: {"score": outcome.value.points},
    "score:levels=no": lambda outcome: {"score": outcome.value.points},
    "chance": lambda outcome: {"low": outcome.value.low, "high": outcome.value.high},
}


@EVERY
def test_json_has_the_figures_of_the_objective(
    objective: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solution = solved(objective)
    solution.save(tmp_path / "it")
    for v in real(solution)[:5]:
        outcome = solution[solution.space.position(v)]
        figures = FIGURES.get(objective, lambda _: {})(outcome)
        assert run(["probe", str(tmp_path / "it"), "--index", str(v), "--json"]) == 0
        expected = {"index": v, "value": outcome.value.label, "remoteness": outcome.remoteness}
        assert json.loads(capsys.readouterr().out) == expected | figures
    assert run(["stats", str(tmp_path / "it"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert sum(record["counts"].values()) == record["positions"] == len(solution)
    for tier in record.get("tiers", {}).values():
        assert set(tier["counts"]) == set(record["counts"])
        assert sum(tier["counts"].values()) == tier["positions"]
    if objective.startswith("score"):
        kinds = {"positive": rs.Value.WIN, "negative": rs.Value.LOSS}
        kinds |= {"zero": rs.Value.TIE, "endless": rs.Value.DRAW}
        assert record["counts"] == {
            name: sum(count for value, count in solution.counts().items() if value.kind is kind)
            for name, kind in kinds.items()
        }


@pytest.mark.thorough
@EVERY
def test_positions_are_shown_in_pages(objective: str) -> None:
    solution = solved(objective)
    with serving(Library([Entry("it", "it", solution)])) as address:
        for page in ("", "structure", "find"):
            assert request(f"{address}/g/it/{page}")[0] == 200, page
        for v in real(solution)[:5]:
            position = solution.space.position(v)
            at = quote(solution.space.text(position))
            status, page = request(f"{address}/g/it/?at={at}")
            assert status == 200
            status, record = request(f"{address}/api/games/it/position?at={at}")
            assert (status, record["value"]) == (200, solution[position].value.label)
