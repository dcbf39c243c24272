"""``probe``: single positions of any input, for a person and as JSON."""

import io
import json
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.languages import translation
from retrosolve.languages.phrases import outcome_text, phrase

ROOT = Path(__file__).parent.parent.parent
TOKEN = str(ROOT / "examples" / "token.csv")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["probe", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_a_position_with_its_moves_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "stones", "7", "0") == (
        "7: WIN in 5 plies, the player to move wins\n"
        "  take 1  ->  6  (LOSS in 4)\n"
        "  take 2  ->  5  (WIN in 3)\n"
        "0: LOSS in 0 plies, the player to move loses\n"
        "  no move: the game is over\n"
    )


def test_chess_is_counted_in_moves_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    ending = "chess:KRK,board=4"
    shown = printed(capsys, ending, "3k/4/2K1/R3 b", "3k/4/2K1/R3 w", "R2k/4/2K1/4 b")
    assert "b: LOSS in 2 plies (mate in 1), the player to move loses" in shown
    assert "w: WIN in 1 ply (mate in 1), the player to move wins" in shown
    assert "b: LOSS in 0 plies, the player to move loses" in shown
    assert "mate" not in printed(capsys, ending, "3k/4/2K1/R3 b", "--objective", "conversion")
    assert run(["solve", ending]) == 0
    assert "w: WIN in 9 plies (mate in 5), the player to move wins" in capsys.readouterr().out


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(printed(capsys, "hexapawn", "B.B/B../.WW white to move", "--json")) == {
        "position": "B.B/B../.WW white to move",
        "value": "loss",
        "remoteness": 2,
        "player": "white",
        "moves": [
            {
                "name": "b1xa2",
                "position": "B.B/W../..W black to move",
                "value": "win",
                "remoteness": 1,
            },
            {
                "name": "b1-b2",
                "position": "B.B/BW./..W black to move",
                "value": "win",
                "remoteness": 1,
            },
            {
                "name": "c1-c2",
                "position": "B.B/B.W/.W. black to move",
                "value": "win",
                "remoteness": 1,
            },
        ],
    }


def test_without_a_position_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, "stones:n=4", "--json"))
    assert (found["position"], found["player"]) == (4, None)
    assert json.loads(printed(capsys, TOKEN, "--start", "c", "--json"))["position"] == "c"
    assert run(["probe", TOKEN]) == 2
    assert "INPUT has no start: expected a POSITION" in capsys.readouterr().err


def test_positions_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n\n  c\n"))
    lines = printed(capsys, TOKEN, "-", "--json").splitlines()
    assert [json.loads(line)["value"] for line in lines] == ["draw", "win"]
    assert run(["probe", "-", "-"]) == 2
    assert "expected only one of them" in capsys.readouterr().err


def test_positions_that_do_not_exist_are_reported_and_the_others_answered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for extra in ([], ["--json"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("a\nzz\n\nc\n"))
        assert run(["probe", TOKEN, "yy", "b", "-", *extra]) == 2
        captured = capsys.readouterr()
        assert captured.err.splitlines() == [
            "retrosolve: no vertex is named 'yy'",
            "retrosolve: standard input, line 2: no vertex is named 'zz'",
        ]
        if not extra:
            assert [line[0] for line in captured.out.splitlines() if line[0] != " "] == ["b", "a", "c"]
    records = [json.loads(line) for line in captured.out.splitlines()]
    assert [record["position"] for record in records] == ["yy", "b", "a", "zz", "c"]
    assert records[0] == {"position": "yy", "error": "no vertex is named 'yy'"}
    assert [list(record) for record in records if "error" in record] == [["position", "error"]] * 2


@pytest.mark.parametrize("game", ["tictactoe", "hexapawn", "police", "cops:cops=1"])
def test_a_saved_solution_is_probed_as_the_game_is(
    game: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["solve", game, "-o", str(tmp_path / "saved"), "--json"]) == 0
    capsys.readouterr()
    solution = rs.open(tmp_path / "saved")
    moved = solution.space.text(solution.line(solution.start, 1)[0].position)
    expected = printed(capsys, game, moved, "--json")
    assert printed(capsys, str(tmp_path / "saved"), moved, "--json") == expected
    assert json.loads(expected)["player"] == solution.space.players[1]
    assert run(["solve", str(tmp_path / "saved")]) == 0
    text = capsys.readouterr().out
    for player in solution.space.players:
        assert f"{player} to move  " in text


GAMES = ["stones", "tictactoe", "mutorere", "lgame", "morris3", "hexapawn", "foxhounds-plain:n=4"]
COMPILED = [
    "foxhounds:n=4",
    "connect4:rows=3,columns=3,connect=3",
    "queenpawns:n=4",
    "chess:KRK,board=4",
]


@pytest.mark.long("lgame")
@pytest.mark.parametrize("game", [*GAMES, *COMPILED, "police", "cops"])
def test_start_accepts_what_is_printed(game: str) -> None:
    space = parse_game(game).state_space()
    position = space.start
    for _ in range(4):
        text = space.text(position)
        assert space.parse(text) == position
        moves = space.moves(position)
        position = moves[len(moves) // 2][1]


@pytest.mark.thorough
def test_cells_are_enough_on_a_board(
    boards: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = str(boards / "caught.txt")
    found = json.loads(printed(capsys, board, "7,8 3,2 thief", "--json"))
    assert found["position"] == "policeman 7,8, thief 3,2, thief to move"
    assert (found["value"], found["remoteness"]) == ("loss", 18)
    for text in ("7,8", "7,8 99,1", "policeman 2,2, thief 3,2, policeman to move"):
        assert run(["probe", board, text]) == 2
        assert "is no position" in capsys.readouterr().err
    assert run(["solve", board, "--start", "7,8 3,2 thief"]) == 0
    text = capsys.readouterr().out
    assert (
        "Police catches the thief\nLOSS for the thief, who moves first; remoteness 18 plies\n" in text
    )
    assert text.startswith((boards / "caught.txt").read_text().partition("\n")[2])


def test_a_saved_board_is_drawn_with_its_verdict(
    boards: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["solve", str(boards / "caught.txt"), "-o", str(tmp_path / "saved")]) == 0
    first = capsys.readouterr().out
    assert run(["solve", str(tmp_path / "saved")]) == 0
    again = capsys.readouterr().out
    assert again.partition("Time:")[0] == first.partition("Time:")[0]
    assert "Police catches the thief" in again


def test_probe_answers_in_the_language_of_the_reader(capsys: pytest.CaptureFixture[str]) -> None:
    to = translation("fa")
    lines = [
        line.strip() for line in printed(capsys, "stones", "7", "0", "--language", "fa").splitlines()
    ]
    assert [phrase("take 1", to), phrase("take 2", to)] == [line.split("  ")[0] for line in lines[1:3]]
    assert outcome_text(rs.Outcome(rs.Value.LOSS, 4), to.gettext) in lines[1]
    over = "no move: the game is over"
    assert lines[-1] == to.gettext(over) != over
