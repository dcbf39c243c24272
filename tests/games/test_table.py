"""The table of built-in games: what it promises, how parameters are read, how it is listed."""

import inspect
import json
import os

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.cli.inputs import Request
from retrosolve.games import GAMES, parse_game
from retrosolve.games.parameters import read_parameters


@pytest.mark.long(but=1)
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", GAMES)
def test_the_default_game_is_what_the_table_says(name: str) -> None:
    listed = GAMES[name]
    if listed.positions > 10**9:
        pytest.skip("takes hours: solved by make bench-records")
    if listed.positions > 10**7 and "RETROSOLVE_LONG" not in os.environ:
        pytest.skip("takes minutes: set RETROSOLVE_LONG")
    solution = rs.solve(parse_game(name))
    assert len(solution) == listed.positions
    outcome = solution[solution.start]
    if isinstance(outcome.value, rs.objectives.Odds):
        assert outcome.value.middle == pytest.approx(listed.outcome.value.middle, abs=1e-12)
    else:
        assert outcome == listed.outcome


@pytest.mark.parametrize("name", GAMES)
def test_defaults_read_back_as_what_they_are(name: str) -> None:
    spec = GAMES[name]
    given = ",".join(f"{key}={value}" for key, value in spec.defaults().items())
    read = read_parameters(name, name, given, spec.parameters, spec.unnamed) if given else {}
    signature = inspect.signature(spec.make).parameters
    assert read == {key: signature[key].default for key in spec.parameters}


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("Chess:kqk", "chess:KQK"),
        ("CHESS:3Men,symmetry=NO", "chess:3men,symmetry=no"),
        ("AWARI:seeds=4,grandslam=Take", "awari:seeds=4,grandslam=take"),
    ],
)
def test_games_and_words_are_read_in_any_case(text: str, same_as: str) -> None:
    known = parse_game(same_as).spec()
    assert parse_game(text).spec() == Request(text).load().subject.spec() == known


def test_games_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    listed = {record["name"]: record for record in json.loads(captured.out)}
    assert list(listed) == list(GAMES)
    assert listed["stones"] == {
        "name": "stones", "summary": "take stones from a heap", "parameters": {"n": "10", "take": "1+2"},
        "positions": 11, "value": "win", "remoteness": 7, "source": "folklore",
    }  # fmt: skip
    assert (listed["lgame"]["value"], listed["lgame"]["remoteness"]) == ("draw", None)


def test_games_are_listed_on_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["games"]) == 0
    heading, *rows = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert heading.split() == ["game", "parameters", "positions", "start", "source"]
    assert [row.split()[0] for row in rows] == list(GAMES)
    (hexapawn,) = [row for row in rows if row.startswith("hexapawn")]
    shown = ["columns=3,rows=3", "135", "LOSS", "in", "6"]
    assert hexapawn.split()[1:] == [*shown, *GAMES["hexapawn"].source.split()]
