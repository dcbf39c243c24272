"""The table of built-in games: what it promises, how parameters are read, how it is listed."""

import json
import os
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.cli.inputs import Request
from retrosolve.games import GAMES, parse_game
from retrosolve.pursuit.police import PLAYERS, STEPS

pytestmark = pytest.mark.thorough


@pytest.mark.long(but=1)
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", GAMES)
def test_the_default_game_is_what_the_table_says(name: str) -> None:
    listed = GAMES[name]
    if listed.positions > 10**9:
        pytest.skip("takes hours: solved by make bench-records")
    if listed.positions > 10**7 and "RETROSOLVE_SLOW_TESTS" not in os.environ:
        pytest.skip("takes minutes: set RETROSOLVE_SLOW_TESTS")
    solution = rs.solve(parse_game(name))
    assert len(solution) == listed.positions
    outcome = solution[solution.start]
    if isinstance(outcome.value, rs.objectives.Odds):
        assert outcome.value.middle == pytest.approx(listed.outcome.value.middle, abs=1e-12)
    else:
        assert outcome == listed.outcome


@pytest.mark.parametrize("name", GAMES)
def test_defaults_read_back_as_what_they_are(name: str) -> None:
    given = ",".join(f"{key}={value}" for key, value in GAMES[name].defaults().items())
    made = parse_game(f"{name}:{given}" if given else name)
    assert same(attributes(made), attributes(parse_game(name)))


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("Chess:kqk", "chess:KQK"),
        ("CHESS:3Men,symmetry=NO", "chess:3men,symmetry=no"),
        ("AWARI:seeds=4,grandslam=Take", "awari:seeds=4,grandslam=take"),
    ],
)
def test_games_and_words_are_read_in_any_case(text: str, same_as: str) -> None:
    assert same(attributes(parse_game(text)), attributes(parse_game(same_as)))
    assert Request(text).load().subject.spec() == parse_game(same_as).spec()


def attributes(game: Any) -> dict[str, Any]:
    """What a game holds, but not how it was made."""
    return {name: value for name, value in vars(game).items() if not name.startswith("_")}


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, every entry of every array in them included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return same(vars(one), vars(other))
    return bool(one == other)


def test_games_with_other_parameters_are_not_the_same() -> None:
    for one, other in (("teeko", "teeko:advanced=yes"), ("police", "police:wrap=yes")):
        assert not same(vars(parse_game(one)), vars(parse_game(other)))


def test_the_words_for_policeman_and_thief_are_those_of_the_game() -> None:
    given = dict.fromkeys(("policeman", "thief"), STEPS) | {
        "stay": ("both", "nobody", *PLAYERS), "first": PLAYERS, "exits": ("both", *PLAYERS)
    }  # fmt: skip
    for key, words in given.items():
        for word in words:
            assert parse_game(f"police:{key}={word}").players == PLAYERS
        with pytest.raises(rs.RulesError, match=f"expected {' or '.join(words)}$"):
            parse_game(f"police:{key}=queen")


@pytest.mark.long
def test_parameters_change_the_game() -> None:
    assert len(rs.solve(parse_game("mutorere:symmetry=yes"))) == 86
    assert len(rs.solve(parse_game("mutorere:symmetry=no"))) == 1180
    assert len(rs.solve(parse_game("hexapawn:columns=4,rows=3"))) == 1128
    assert len(rs.solve(parse_game("foxhounds-plain:n=4"))) == 83


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lgame:symmetry=true", "symmetry='true': expected yes or no"),
        ("mutorere:symmetry=", "symmetry='': expected yes or no"),
        ("hexapawn:columns=0", "columns=0, rows=3: expected 1 to 26 columns, 2 to 26 rows"),
        ("hexapawn:rows=27", "columns=3, rows=27: expected 1 to 26 columns, 2 to 26 rows"),
        ("hexapawn:rows=1", "expected 1 to 26 columns, 2 to 26 rows"),
        ("foxhounds-plain:n=5", "n=5: expected an even number from 4 to 26"),
        ("foxhounds-plain:n=2", "n=2: expected an even number from 4 to 26"),
        ("foxhounds-plain:n=28", "n=28: expected an even number from 4 to 26"),
        ("morris3:n=3", "no parameter of morris3: expected none"),
    ],
)
def test_bad_parameters_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        parse_game(text)


def test_games_are_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    listed = {record["name"]: record for record in json.loads(captured.out)}
    assert list(listed) == list(GAMES)
    assert listed["stones"] == {
        "name": "stones",
        "summary": "take stones from a heap",
        "parameters": {"n": "10", "take": "1+2"},
        "positions": 11,
        "value": "win",
        "remoteness": 7,
        "source": "folklore",
    }
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
    assert hexapawn.split()[1:] == [
        "columns=3,rows=3",
        "135",
        "LOSS",
        "in",
        "6",
        *GAMES["hexapawn"].source.split(),
    ]


def test_the_list_fits_a_narrow_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in GAMES:
        assert any(line.startswith(name) for line in lines)
