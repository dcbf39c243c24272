"""``probe`` and the table of ``solve``: single positions of any input, for a person and as JSON."""

import json
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.cli.report import MAX_ROWS
from retrosolve.languages import translation
from retrosolve.languages.phrases import outcome_text, phrase
from tests.support.commands import Shell

TOKEN = "examples/token.csv"


def test_a_position_with_its_moves_best_first(sh: Shell) -> None:
    assert sh("probe stones 7 0") == (
        "7: WIN in 5 plies, the player to move wins\n"
        "  take 1  ->  6  (LOSS in 4)\n"
        "  take 2  ->  5  (WIN in 3)\n"
        "0: LOSS in 0 plies, the player to move loses\n"
        "  no move: the game is over\n"
    )


def test_chess_is_counted_in_moves_as_well(sh: Shell) -> None:
    ending = "chess:KRK,board=4"
    shown = sh(f"probe {ending} '3k/4/2K1/R3 b' '3k/4/2K1/R3 w' 'R2k/4/2K1/4 b'")
    assert "b: LOSS in 2 plies (mate in 1), the player to move loses" in shown
    assert "w: WIN in 1 ply (mate in 1), the player to move wins" in shown
    assert "b: LOSS in 0 plies, the player to move loses" in shown
    assert "mate" not in sh(f"probe {ending} '3k/4/2K1/R3 b' --objective conversion")
    assert "w: WIN in 9 plies (mate in 5), the player to move wins" in sh(f"solve {ending}")


def test_json_has_the_promised_keys(sh: Shell) -> None:
    assert sh.json("probe hexapawn 'B.B/B../.WW white to move'") == {
        "position": "B.B/B../.WW white to move", "value": "loss", "remoteness": 2, "player": "white",
        "moves": [
            {"name": name, "position": f"B.B/{position} black to move", "value": "win", "remoteness": 1}
            for name, position in (("b1xa2", "W../..W"), ("b1-b2", "BW./..W"), ("c1-c2", "B.W/.W."))
        ],
    }  # fmt: skip


def test_without_a_position_the_start(sh: Shell) -> None:
    found = sh.json("probe stones:n=4")
    assert (found["position"], found["player"]) == (4, None)
    assert sh.json(f"probe {TOKEN} --start c")["position"] == "c"


def test_positions_that_do_not_exist_are_reported_and_the_others_answered(sh: Shell) -> None:
    line, stdin = f"probe {TOKEN} yy b -", "a\nzz\n\n  c\n"
    shown = sh(line, status=2, stdin=stdin)
    assert [text[0] for text in shown.splitlines() if text[0] != " "] == ["b", "a", "c"]
    records = [json.loads(text) for text in sh(f"{line} --json", status=2, stdin=stdin).splitlines()]
    assert [record["position"] for record in records] == ["yy", "b", "a", "zz", "c"]
    assert records[0] == {"position": "yy", "error": "no vertex is named 'yy'"}
    assert [list(record) for record in records if "error" in record] == [["position", "error"]] * 2
    assert sh.err == (
        "retrosolve: no vertex is named 'yy'\nretrosolve: standard input, line 2: no vertex is named 'zz'\n"
    )


@pytest.mark.parametrize("game", ["tictactoe", "hexapawn", "police", "cops:cops=1"])
def test_a_saved_solution_is_probed_and_shown_as_the_game_is(game: str, sh: Shell) -> None:
    shown = sh(f"solve {game} -o saved")
    assert sh("solve saved").partition("Time:")[0] == shown.partition("Time:")[0]
    space = rs.open("saved").space
    moved = space.text(space.moves(space.start)[0][1])
    found = sh.json(f"probe saved '{moved}'")
    assert found == sh.json(f"probe {game} '{moved}'")
    assert found["player"] == space.players[1]


GAMES = [
    "stones",
    "mutorere",
    "lgame",
    "morris3",
    "foxhounds-plain:n=4",
    "foxhounds:n=4",
    "queenpawns:n=4",
    "cops",
]


@pytest.mark.long("lgame")
@pytest.mark.parametrize("game", [*GAMES, "connect4:rows=3,columns=3,connect=3", "chess:KRK,board=4"])
def test_start_accepts_what_is_printed(game: str) -> None:
    space = rs.game(game).state_space()
    position = space.start
    for _ in range(4):
        assert space.parse(space.text(position)) == position
        moves = space.moves(position)
        position = moves[len(moves) // 2][1]


def test_cells_are_enough_on_a_board(sh: Shell) -> None:
    board = "examples/boards/caught.txt"
    found = sh.json(f"probe {board} '7,8 3,2 thief'")
    assert found["position"] == "policeman 7,8, thief 3,2, thief to move"
    assert (found["value"], found["remoteness"]) == ("loss", 18)
    for text in ("7,8", "7,8 99,1", "policeman 2,2, thief 3,2, policeman to move"):
        sh(f"probe {board} '{text}'", status=2)
    text = sh(f"solve {board} --start '7,8 3,2 thief'")
    assert text.startswith(Path(board).read_text().partition("\n")[2])
    assert (
        "Police catches the thief\nLOSS for the thief, who moves first; remoteness 18 plies\n" in text
    )


def test_probe_answers_in_the_language_of_the_reader(sh: Shell) -> None:
    to = translation("fa")
    lines = [line.strip() for line in sh("probe stones 7 0 --language fa").splitlines()]
    assert [phrase("take 1", to), phrase("take 2", to)] == [line.split("  ")[0] for line in lines[1:3]]
    assert outcome_text(rs.Outcome(rs.Value.LOSS, 4), to.gettext) in lines[1]
    assert lines[-1] == to.gettext("no move: the game is over") != "no move: the game is over"


# -- the table of positions


def rows(sh: Shell, line: str) -> list[list[str]]:
    """The rows of the table, without its heading; columns are two spaces apart."""
    table = sh(f"solve {line}").partition("best move\n")[2].splitlines()
    end = next((i for i, text in enumerate(table) if text.startswith(("...", "positions  "))), 0)
    return [[cell.strip() for cell in text.split("  ") if cell.strip()] for text in table[:end]]


def test_small_games_are_printed_position_by_position(sh: Shell) -> None:
    assert rows(sh, TOKEN) == [
        ["a", "DRAW", "-", "b"],
        ["b", "DRAW", "-", "a"],
        ["c", "WIN", "1", "d"],
        ["d", "LOSS", "0", "-"],
        ["e", "LOSS", "2", "c"],
        ["f", "WIN", "3", "e"],
    ]
    assert rows(sh, "hexapawn --table 2") == [
        ["BBB/.../WWW white to move", "white", "LOSS", "6", "b1-b2"],
        ["BBB/W../.WW black to move", "black", "WIN", "3", "b3xa2"],
    ]


@pytest.mark.parametrize(("n", "shown"), [(MAX_ROWS - 1, MAX_ROWS), (MAX_ROWS, 0)])
def test_larger_games_print_none_unless_asked(n: int, shown: int, sh: Shell) -> None:
    assert len(rows(sh, f"stones:n={n}")) == shown
    assert len(rows(sh, f"stones:n={n} --table")) == MAX_ROWS
    assert rows(sh, f"stones:n={n} --table 0") == []


def test_rows_are_selected_by_value_and_number(sh: Shell) -> None:
    assert [row[:3] for row in rows(sh, "stones:n=2000 --list loss --table 3")] == [
        [str(n), "LOSS", str(n // 3 * 2)] for n in (1998, 1995, 1992)
    ]
    both = rows(sh, f"{TOKEN} --list win --list draw --list win")
    assert [row[0] for row in both] == ["c", "f", "a", "b"]
    assert "... and 13 more; --table all prints all of them\n" in sh(
        "solve stones:n=50 --list loss --table 4"
    )
    table = (
        sh("solve stones:n=2500 --table all --plies 0").partition("best move\n")[2].splitlines()[:2501]
    )
    assert [line.split()[0] for line in table] == [str(n) for n in range(2500, -1, -1)]
    assert len({line.index("take") for line in table[:-1]}) == 1  # aligned over batches


def test_json_has_the_table_where_it_is_asked_for(sh: Shell) -> None:
    assert sh.json(f"solve {TOKEN} --list draw --table 1")["table"] == [
        {"position": "a", "value": "draw", "remoteness": None, "player": None, "best": "b"}
    ]
    assert "table" not in sh.json(f"solve {TOKEN}")


def test_a_large_graph_without_a_start_names_the_options(sh: Shell) -> None:
    Path("chain.csv").write_text("".join(f"v{i},v{i + 1}\n" for i in range(50)))
    hint = "--table prints 40 positions, --list loss lost ones, --start POSITION one\n"
    assert hint in sh("solve chain.csv")
    assert hint not in sh("solve chain.csv --start v1")
