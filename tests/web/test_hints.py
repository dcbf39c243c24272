"""What a page says about values: nothing where hints are hidden, and to whom it says the rest."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from html import unescape

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.languages import LANGUAGES, digits, translation
from retrosolve.objectives.base import VALUES
from retrosolve.tables.base import PackedTable
from retrosolve.values import INVALID, Value
from retrosolve.web.address import Address
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from retrosolve.web.page_state import in_line_order, moves_in, scene
from tests.web.drawn import games, request, serving

LINK = re.compile('(?:href|data-source|action)="([^"]*)"')
HEADING = re.compile('<h2 id="verdict"([^>]*)>(.*?)</h2>')
OVER = "The game is over."
PAGES = 12


def planted(solution: rs.Solution, seed: int) -> rs.Solution:
    """The same positions with values and plies by chance."""
    rng = np.random.default_rng(seed)
    valid = solution.table.values() != INVALID
    value = np.where(valid, rng.integers(0, 4, len(valid)), INVALID).astype(np.uint8)
    plies = np.where(value <= Value.TIE, rng.integers(0, 60, len(valid)), -1)
    plies[value == Value.DRAW] = -1
    return rs.Solution(solution.space, PackedTable(VALUES.pack(value, plies)), solution.stuck)


@pytest.fixture(scope="module")
def explorers() -> Iterator[tuple[str, str]]:
    """The addresses of two explorers of the same games, with other values in one of them."""
    solved = {name: rs.solve(game) for name, game in games().items()}
    others = {name: planted(solution, 1) for name, solution in solved.items()}
    libraries = [
        Library([Entry(name, name, solution) for name, solution in found.items()], MAKERS)
        for found in (solved, others)
    ]
    with serving(libraries[0]) as one, serving(libraries[1]) as other:
        yield one, other


def heading(page: str) -> tuple[str, str]:
    """The class of the verdict, and its words without the sign."""
    found = HEADING.search(page)
    assert found is not None
    return found[1].strip(), re.sub("<span.*?</span> ", "", found[2])


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("asked", ["hints=no", "hints=no&you=0&mistakes=0"])
def test_pages_without_hints_are_the_same_for_all_values(
    explorers: tuple[str, str], name: str, asked: str
) -> None:
    start = "" if name != "graph" else "&at=a"
    paths, compared = (
        [f"/g/{name}/?{asked}{start}", f"/g/{name}/typed?{asked}{start}&moves=nonsense"],
        0,
    )
    for path in paths:
        (status, page), (_, other) = (request(address + path) for address in explorers)
        assert status in (200, 404)
        if (
            OVER in page or 'id="reply"' in page
        ):  # who has won, and what the opponent chose, are no hints
            continue
        assert page == other, path
        compared += 1
        links = {unescape(link) for link in LINK.findall(page)} if "<html" in page else set()
        inside = sorted(link for link in links if "hints=no" in link and link not in paths)
        assert not [link for link in inside if "line=" in link]
        drawings = [link for link in inside if "/graph?" in link or "/api/" in link][:2]
        rest = [link for link in inside if link not in drawings]
        paths += (drawings if compared < 4 else []) + rest[: max(0, PAGES - len(paths))]
    assert compared > 5
    assert any("/graph?" in path for path in paths)
    assert any("/api/" in path for path in paths)


def test_a_page_with_hints_is_another_for_other_values(explorers: tuple[str, str]) -> None:
    pages = [request(f"{address}/g/krk/")[1] for address in explorers]
    assert pages[0] != pages[1]


def test_hidden_hints_have_a_neutral_heading_until_the_game_is_over(address: str) -> None:
    assert heading(request(f"{address}/g/krk/?hints=no")[1]) == ("", "White to move")
    page = request(f"{address}/g/stones/?at=1&hints=no&played=1")[1]
    assert heading(page) == ('class="v-win"', "First player has won")
    page = request(f"{address}/g/krk/?line=5&hints=no")[1]
    assert "best first" not in page
    assert "is-mistake" not in page
    assert "mistake" in request(f"{address}/g/krk/?line=5")[1]


def test_a_line_is_the_same_with_hints_and_without(address: str) -> None:
    text = re.compile('id="position-text">(.*?)<')
    for line in ("5", "2-1", "3-1-2"):
        shown = request(f"{address}/g/krk/?line={line}")[1]
        hidden = request(f"{address}/g/krk/?line={line}&hints=no")[1]
        played = re.search(r'form="play-form" name="played" value="([^"]*)"', hidden)
        assert played is not None
        back = request(f"{address}/g/krk/?played={played[1]}")[1]
        again = request(f"{address}/g/krk/?played={played[1]}&hints=no")[1]
        assert len({text.findall(page)[0] for page in (shown, hidden, back, again)}) == 1
        assert f'form="play-form" name="line" value="{line}"' in back
        assert again == hidden


def test_a_typed_line_without_hints_leads_where_it_leads_with_them(address: str) -> None:
    for hints in ("", "&hints=no"):
        _, page = request(f"{address}/g/stones/typed?moves=take+2,take+1{hints}")
        assert 'id="position-text">7<' in page
        assert ("played=2-1" in page) == bool(hints)


def test_a_chess_line_is_typed_in_any_notation() -> None:
    solution = rs.solve(rs.game("chess:KRK,board=4"))
    shown = scene(solution, Address("krk"))
    lines = ("1. Ra3 Kc2 2. Kb1+", "Ra2-a3, Kc1-c2; Ka1-a2", "a2a3 c1c2 a1a2", "ra3 kc2 ka2")
    found = [moves_in(solution, shown, line, NullTranslations()) for line in lines[1:]]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 3
    with pytest.raises(rs.PositionError, match=r"move 3 of the line, 'Kb1\+', is no move there"):
        moves_in(solution, shown, lines[0], NullTranslations())


def test_names_that_differ_in_case_alone_are_taken_as_typed() -> None:
    class Captures(rs.Game[str]):
        def start(self) -> str:
            return "start"

        def moves(self, position: str) -> list[tuple[str, str]]:
            pairs = [("Bxc3", "bishop"), ("bxc3", "pawn"), ("Kd2", "king")]
            return pairs if position == "start" else []

    solution = rs.solve(Captures())
    shown = scene(solution, Address("captures"))
    order = [move.move.name for move in in_line_order(shown.moves, shown.address.ranked)]
    for text, name in (("Bxc3", "Bxc3"), ("bxc3", "bxc3"), ("kd2", "Kd2")):
        assert moves_in(solution, shown, text, NullTranslations()) == [order.index(name) + 1]


def test_without_a_side_the_winner_is_named_at_every_ply(address: str) -> None:
    _, start = request(f"{address}/g/krk/")
    plies = int(re.findall(r"\d+", heading(start)[1])[0])
    for ply in range(plies + 1):
        line = "-".join("1" * ply)
        _, page = request(f"{address}/g/krk/?line={line}")
        kind, said = heading(page)
        assert kind == 'class="v-win"'  # as in the chart, for the player who moves first
        left = plies - ply
        unit = "ply" if left == 1 else "plies"
        assert said == (f"White wins in {left} {unit}" if left else "White has won")
        assert (f'<p class="aside">mate in {(left + 1) // 2}</p>' in page) == bool(left)
        mover = ("White", "Black")[ply % 2]
        main = page.partition("<main")[2].partition('<section class="controls"')[0]
        main = main.partition('id="board"')[0] + main.partition("</svg>")[2]  # whose title says it too
        assert (f"{mover} to move" in main) == bool(left)
        assert not re.search(r"\b[Yy]ou", main)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("caught/", "Policeman wins in 17 plies"),
        ("caught/?line=1", "Policeman wins in 16 plies"),
        ("stones/", "First player wins in 7 plies"),
        ("stones/?at=9", "Second player wins in 6 plies"),
        ("tictactoe/", "The game ends without a winner in 9 plies"),
        ("krk/?you=0", "You win in 9 plies"),
        ("krk/?you=1", "You lose in 9 plies"),
        ("krk/?you=0&line=1", "You win in 8 plies"),
        ("krk/?mistakes=0", "You win in 9 plies"),
    ],
)
def test_who_has_chosen_a_side_is_spoken_to_and_others_are_not(
    address: str, path: str, said: str
) -> None:
    assert heading(request(f"{address}/g/{path}")[1])[1] == said


@pytest.mark.parametrize("code", LANGUAGES)
def test_winners_are_named_in_every_language(address: str, code: str) -> None:
    to = translation(code)
    _, page = request(f"{address}/g/krk/?language={code}")
    sentence = to.ngettext("{player} wins in {plies} ply", "{player} wins in {plies} plies", 9)
    plies = digits(9, to.gettext)
    assert heading(page)[1] == sentence.format(player=to.gettext("White"), plies=plies)
    assert f"{to.gettext('Winning')} <span" in page
