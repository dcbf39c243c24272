"""The proof tree of a position: its sentences, limits, boards and pages.

That its moves prove the outcome is a law of ``tests/conformance/test_explanation.py``.
"""

import random
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.explanation.proof import MAX_POSITIONS
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.games.pig import Pig
from retrosolve.games.stones import Stones
from retrosolve.games.tictactoe import TicTacToe
from retrosolve.languages import translation
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.text import board_rows
from retrosolve.tables.bitplanes import BitplaneTable
from tests.support.marks import samples
from tests.support.nimbers import random_impartial

DEEP = {"depth": 50, "width": 50}


def test_win_is_explained_move_by_move() -> None:
    assert str(rs.explain(Stones(), 4, **DEEP)) == (
        "4 is WIN in 3, because only `take 1` wins:\n"
        "  `take 1` leads to 3, LOSS in 2, because every move loses:\n"
        "    `take 1` leads to 2, WIN in 1, because only `take 2` wins:\n"
        "      `take 2` leads to 0, LOSS in 0, because there is no move.\n"
        "    `take 2` leads to 1, WIN in 1, because the only move wins:\n"
        "      `take 1` leads to 0, LOSS in 0, because there is no move.\n"
        "Each value is for the player to move there."
    )


def test_a_draw_is_explained_by_an_escape_and_its_refutations() -> None:
    graph = rs.Graph.from_edges(["a", "b", "b", "c"], ["b", "a", "c", "d"])
    assert str(rs.explain(graph, "a", **DEEP)) == (
        "a is DRAW, because the only move keeps the draw:\n"
        "  `b` leads to DRAW, because `a` keeps the draw and every other move loses:\n"
        "    `a` leads to DRAW: the same position again, so play need not end.\n"
        "    `c` leads to WIN in 1, because the only move wins:\n"
        "      `d` leads to LOSS in 0, because there is no move.\n"
        "Each value is for the player to move there."
    )


@pytest.mark.parametrize("language", ["en", "fa"])
def test_dice_that_lead_back_do_not_keep_play_from_ending(language: str) -> None:
    again = "{claim}: the same position again, which its value takes into account."
    end = translation(language).gettext(again).format(claim="")
    lines = str(rs.explain(Pig(goal=5), "0,0,0", depth=2, language=language)).splitlines()
    assert any(line.endswith(end) for line in lines)
    assert (language == "en") == (end == again.format(claim=""))


def test_a_tie_and_a_player_who_moves_twice() -> None:
    graph = rs.Graph.from_edges(["a", "b"], ["b", "d"], owner=[0, 0, 0], terminal={"d": "win"})
    assert str(rs.explain(graph, "a", **DEEP)).splitlines()[:2] == [
        "a, 0 to move, is WIN in 2, because the only move wins:",
        "  `b` leads to b, 0 to move, WIN in 1, because the only move wins:",
    ]
    graph = rs.Graph.from_edges(["a", "a", "c"], ["t", "c", "d"], terminal={"t": "tie"})
    assert str(rs.explain(graph, "a", **DEEP)).splitlines()[:2] == [
        "a is TIE in 1, because `t` ties and no move wins:",
        "  `t` leads to TIE in 0, because the rules end the game here.",
    ]


def test_depth_and_width_are_kept_and_said() -> None:
    solution = rs.solve(TicTacToe())
    for depth, width in ((1, 1), (2, 3), (3, 2)):
        proof = rs.explain(solution, ".........", depth=depth, width=width)
        places = list(proof.walk())
        assert max(place.level for place in places) == depth
        assert max(len(place.proof.steps) for place in places) == width
        assert str(proof).endswith("... is left out: a larger depth or width shows more.")
        assert f"({width} of 9 shown ...):" in str(proof)
    huge = rs.explain(solution, ".........", depth=9, width=9)
    assert len({place.proof.text for place in huge.walk()}) < MAX_POSITIONS + 100
    assert "left out" in str(huge)


def test_boards_are_drawn_along_the_best_play() -> None:
    text = str(rs.explain(Hexapawn(), "WWW...BBBW", depth=1))
    assert text.splitlines()[1:4] == ["    BBB", "    ...", "    WWW"]
    assert board_rows("BBB/.W./W.W black to move") == ["BBB", ".W.", "W.W"]
    assert board_rows("8/8/8/3k4/8/8/1R6/K7 w")[3] == "...k...."
    assert board_rows("ab\ncd") == ["ab", "cd"]
    for text in ("3/4/5", "a", "", "a/b", "1/2", "x,y/z"):
        assert board_rows(text) == []


def test_rules_may_draw_the_board_themselves() -> None:
    police = PoliceAndThief.from_text("P.E\n.T.")
    proof = rs.explain(police, police.initial, depth=1)
    assert str(proof).splitlines()[1:6] == [
        "    P.E",
        "    .T.",
        "  `down right` leads to policeman 2,2, thief 2,2, thief to move, LOSS in 0, "
        "because the rules end the game here.",
        "      ..E",
        "      .T.",
    ]
    rows = proof.markdown().splitlines()
    assert rows[0].startswith("- policeman 1,1")
    assert [row.strip() for row in rows[rows.index("  ```text") + 1 :][:2]] == ["P.E", ".T."]


def test_a_position_of_a_large_compiled_game() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    text = str(rs.explain(solution, solution.space.parse("3k/4/2K1/R3 w")))
    assert text.splitlines()[0].endswith("because every move wins, none sooner than `Ra4#`:")
    assert text.splitlines()[5].startswith("  `Ra4#` leads to R2k/4/2K1/4 b, LOSS in 0, because the r")


def test_a_notebook_shows_nested_lists_with_pictures() -> None:
    page = rs.explain(TicTacToe(), "XXO.O.X..", depth=2)._repr_html_()
    tree = ElementTree.fromstring(f"<div>{page}</div>")
    assert len(tree.findall(".//{http://www.w3.org/2000/svg}svg")) == 3
    parents = {child: parent for parent in tree.iter() for child in parent}
    assert {parents[item].tag for item in tree.iter("li")} == {"ul"}
    assert {parents[part].tag for part in tree.iter("ul")} == {"div", "li"}
    assert [code.text for code in tree.iter("code")]
    assert "`" not in page
    graph = rs.Graph.from_edges(["<b>"], ["&"])
    assert "&lt;b&gt; is WIN in 1" in rs.explain(graph, "<b>")._repr_html_()


def test_a_proof_needs_a_position_and_remoteness() -> None:
    solution = rs.solve(Stones())
    with pytest.raises(rs.PositionError):
        rs.explain(solution, 99)
    planes = BitplaneTable(np.zeros((4, 1, 1), np.uint64), np.zeros(1, np.int64))
    with pytest.raises(rs.GraphError):
        rs.explain(rs.Solution(solution.space, planes), 4)


def test_nimbers_are_explained_by_the_moves_to_smaller_ones() -> None:
    rows = {3: [2, 1, 0], 2: [1, 0], 1: [0], "loop": ["loop", 2], "up": ["up", 0], "back": ["up"]}
    solution = rs.solve(rs.Graph.from_dict(rows), objective="nimber")
    assert str(rs.explain(solution, 3, depth=1)).splitlines() == [
        "3 is *3, because moves lead to *0, *1, *2, and none to *3:",
        "  `0` leads to *0 in 0, because there is no move.",
        "  `1` leads to *1, because moves lead to *0, and none to *1 ...",
        "  `2` leads to *2, because moves lead to *0, *1, and none to *2 ...",
        "... is left out: a larger depth or width shows more.",
    ]
    assert str(rs.explain(solution, "loop", depth=1)).splitlines()[:2] == [
        "loop is ∞(2), because it could only be *0, but after `loop` no move leads to *0:",
        "  `loop` leads to ∞(2): the same position again, so play need not end.",
    ]
    assert str(rs.explain(solution, "back", depth=1)).splitlines()[:2] == [
        "back is *0 in 2, because no move leads to *0, and infinite positions are answered by a move "
        "back to it:",
        "  `up` leads to ∞(0), because it could only be *1, but after `up` no move leads to *1 ...",
    ]


def test_every_nimber_of_a_random_graph_is_explained() -> None:
    rng = random.Random(5)
    for _ in range(samples(30, 2000)):
        graph = random_impartial(rng, most=7)
        solution = rs.solve(graph, objective="nimber")
        for v in range(graph.num_vertices):
            proof = rs.explain(solution, v, depth=1, width=20)
            shown = [step.move.outcome.value.number for step in proof.steps]
            number = solution[v].value.number
            if number is not None:
                assert shown[:number] == list(range(number))
                assert number not in shown
                assert ("answered by a move back" in proof.reason) == (None in shown)
            else:
                least = re.search(r"could only be \*(\d+), but after `(\d+)`", proof.reason)
                assert least is not None
                after = [solution[w].value.number for w in graph.neighbors(int(least[2])).tolist()]
                assert int(least[1]) not in after


def test_sums_of_heaps_are_explained_by_their_parts() -> None:
    kayles = rs.solve(rs.game("octal:n=8"))
    text = str(rs.explain(kayles, 5, depth=1)).splitlines()
    assert text[0] == "5 is *4, because moves lead to *0, *1, *2, *3, and none to *4:"
    assert "  `5 to 1+3` leads to 1+3, *2, because it is the sum of *1 + *3." in text
    assert str(rs.explain(kayles, (3, 5))) == "3+5 is *7, because it is the sum of *3 + *4."


def test_distances_to_conversion_are_explained_with_what_is_counted(interpreted: None) -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"), objective="conversion:limit=4")
    won = next(solution.where("win", remoteness=3))
    text = str(rs.explain(solution, won, depth=1))
    assert re.search(r"w is WIN in 3, because `\S+` wins \(\d+ of \d+ moves do\):", text)
    assert "Plies count to the next move that leaves its tier, and from there anew." in text
    cursed = next(solution.where("cursed-win", remoteness=5))
    text = str(rs.explain(solution, cursed, depth=1))
    assert " is CURSED WIN in 5, because no move is better than " in text


def test_command_explains_the_objective_that_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "stones:n=3", "--objective", "nimber"]) == 0
    assert capsys.readouterr().out.startswith("3 is *0 in 2, because no move leads to *0:\n")
    assert run(["explain", "stones:n=3"]) == 0
    assert capsys.readouterr().out.startswith("At the start\n")
    assert run(["explain", "stones:n=4", "--depth", "2", "--as", "markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("- 4 is WIN in")
    assert lines[1].startswith("  - `take 1` leads to 3, LOSS in")
    assert run(["explain", "tictactoe", "--depth", "1", "--as", "html", "--language", "fa"]) == 0
    page = capsys.readouterr().out
    assert '<html lang="fa" dir="rtl">' in page
    body = page[page.index("<body>") : page.index("</html>")]
    assert ElementTree.fromstring(body.replace("&nbsp;", " ")).find(".//ul/li") is not None
