"""Commands say of a saved solution what Python says."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from retrosolve.cli import run
from tests.conformance.subjects import GAMES, cases

# Those that open without their rules, of every objective.
NAMES = ("graph", "graph, values", "score", "score, no levels", "nimber", "chance", *GAMES[:-1])
FIGURES = {"points": "score", "low": "low", "high": "high"}


@pytest.mark.parametrize("name", NAMES)
def test_commands_say_what_look_ups_say(
    name: str, tmp_path: Path, interpreted: None, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(command: str, *arguments: str) -> Any:
        assert run([command, path, *arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    for number, case in enumerate(cases(name, tmp_path, 3)):
        path = str(tmp_path / str(number))
        solution = case.solve(out=path)
        for position in islice(solution, 4):
            outcome, index = solution[position], solution.space.index(position)
            expected = {"value": outcome.value.label, "remoteness": outcome.remoteness}
            expected |= {
                label: getattr(outcome.value, name)
                for name, label in FIGURES.items()
                if hasattr(outcome.value, name)
            }
            if solution.objective.name == "conversion":
                expected["dtz"] = outcome.remoteness
            assert printed("probe", "--index", str(index)) == {"index": index} | expected
            record = printed("probe", solution.space.text(position))
            assert {label: record[label] for label in expected} == expected
            assert len(record["moves"]) == len(solution.moves(position))
        record = printed("stats")
        assert sum(record["counts"].values()) == record["positions"] == len(solution)
        groups = solution.objective.groups or {}
        counts = dict.fromkeys(groups.values(), 0)
        for value, count in solution.counts().items():
            counts[groups.get(value.kind, value.label)] = (
                counts.get(groups.get(value.kind, value.label), 0) + count
            )
        assert record["counts"] == counts
        for tier in record.get("tiers", {}).values():
            assert sum(tier["counts"].values()) == tier["positions"]
        assert run(["verify", path]) == 0
        assert run(["compare", path, path]) == 0
        capsys.readouterr()
