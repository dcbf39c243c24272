"""Pages without hints are the same for all values, and a line is the same with hints and without."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from html import unescape

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.objectives.base import VALUES
from retrosolve.tables.base import PackedTable
from retrosolve.values import INVALID, Value
from retrosolve.web.address import Address
from retrosolve.web.page_state import in_line_order, moves_in, scene
from tests.web.drawn import exploring, games, read, request

LINK = re.compile('(?:href|data-source|action)="([^"]*)"')
TEXT = re.compile('id="position-text">(.*?)<')
HEADING = re.compile('<h2 id="verdict"([^>]*)>(.*?)</h2>')
PAGES = 12


def planted(solution: rs.Solution) -> rs.Solution:
    """The same positions with values and plies by chance."""
    rng = np.random.default_rng(1)
    valid = solution.table.values() != INVALID
    value = np.where(valid, rng.integers(0, 4, len(valid)), INVALID).astype(np.uint8)
    plies = np.where(value <= Value.TIE, rng.integers(0, 60, len(valid)), -1)
    plies[value == Value.DRAW] = -1
    return rs.Solution(solution.space, PackedTable(VALUES.pack(value, plies)), solution.stuck)


@pytest.fixture(scope="module")
def explorers() -> Iterator[tuple[str, str]]:
    """The addresses of two explorers of the same games, with other values in one of them."""
    solved = {name: rs.solve(game) for name, game in games().items() if name != "morris3"}
    others = {name: planted(solution) for name, solution in solved.items()}
    with exploring(**solved) as one, exploring(**others) as other:
        yield one, other


@pytest.mark.parametrize("name", sorted({*games()} - {"morris3"}))
@pytest.mark.parametrize("asked", ["hints=no", "hints=no&you=0&mistakes=0"])
def test_pages_without_hints_are_the_same_for_all_values(
    explorers: tuple[str, str], name: str, asked: str
) -> None:
    start, compared = "&at=a" * (name == "graph"), 0
    paths = [f"/g/{name}/?{asked}{start}", f"/g/{name}/typed?{asked}{start}&moves=nonsense"]
    for path in paths:
        (status, page), (_, other) = (request(address + path) for address in explorers)
        assert status in (200, 404)
        if "The game is over." in page or 'id="reply"' in page:
            continue  # who has won, and what the opponent chose, are no hints
        assert page == other, path
        compared += 1
        links = {unescape(link) for link in LINK.findall(page)} if "<html" in page else set()
        inside = sorted(link for link in links if "hints=no" in link and link not in paths)
        assert not [link for link in inside if "line=" in link]
        drawings = [link for link in inside if "/graph?" in link or "/api/" in link][:2]
        rest = [link for link in inside if link not in drawings]
        paths += (drawings if compared < 4 else []) + rest[: max(0, PAGES - len(paths))]
    assert compared > 5
    for kind in ("/graph?", "/api/"):
        assert any(kind in path for path in paths)
    pages = [read(f"{address}/g/krk/") for address in explorers]
    assert pages[0] != pages[1]  # with hints


def test_a_line_is_the_same_with_hints_and_without(address: str) -> None:
    for line in ("5", "2-1", "3-1-2"):
        shown, hidden = (read(f"{address}/g/krk/?line={line}{hints}") for hints in ("", "&hints=no"))
        assert ("best first" in shown, "best first" in hidden, "is-mistake" in hidden) == (
            True,
            False,
            False,
        )
        played = re.search(r'form="play-form" name="played" value="([^"]*)"', hidden)
        assert played is not None
        back = read(f"{address}/g/krk/?played={played[1]}")
        again = read(f"{address}/g/krk/?played={played[1]}&hints=no")
        assert len({TEXT.findall(page)[0] for page in (shown, hidden, back, again)}) == 1
        assert f'form="play-form" name="line" value="{line}"' in back
        assert again == hidden
    assert HEADING.findall(read(f"{address}/g/krk/?hints=no")) == [("", "White to move")]
    assert 'class="v-win"' in HEADING.findall(read(f"{address}/g/stones/?at=1&hints=no&played=1"))[0][0]
    for hints in ("", "&hints=no"):
        page = read(f"{address}/g/stones/typed?moves=take+2,take+1{hints}")
        assert TEXT.findall(page) == ["7"]
        assert ("played=2-1" in page) == bool(hints)


def test_a_chess_line_is_typed_in_any_notation_and_case() -> None:
    class Captures(rs.Game[str]):
        def start(self) -> str:
            return "start"

        def moves(self, position: str) -> list[tuple[str, str]]:
            pairs = [("Bxc3", "bishop"), ("bxc3", "pawn"), ("Kd2", "king")]
            return pairs if position == "start" else []

    solution = rs.solve(rs.game("chess:KRK,board=4"))
    shown = scene(solution, Address("krk"))
    lines = ("Ra2-a3, Kc1-c2; Ka1-a2", "a2a3 c1c2 a1a2", "1. ra3 kc2 2. ka2")
    found = [moves_in(solution, shown, line, NullTranslations()) for line in lines]
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 3
    with pytest.raises(rs.PositionError):
        moves_in(solution, shown, "1. Ra3 Kc2 2. Kb1+", NullTranslations())
    solution = rs.solve(Captures())
    shown = scene(solution, Address("captures"))
    order = [move.move.name for move in in_line_order(shown.moves, shown.address.ranked)]
    for text, name in (("Bxc3", "Bxc3"), ("bxc3", "bxc3"), ("kd2", "Kd2")):
        assert moves_in(solution, shown, text, NullTranslations()) == [order.index(name) + 1]


def test_without_a_side_the_winner_is_named_at_every_ply(address: str) -> None:
    """As in the chart, for the player who moves first; who has chosen no side is not spoken to."""
    for ply in range(10):
        page = read(f"{address}/g/krk/?line={'-'.join('1' * ply)}")
        ((kind, words),), left = HEADING.findall(page), 9 - ply
        assert kind.strip() == 'class="v-win"'
        assert re.findall(r"White|Black|\d+", words) == ["White", str(left)][: 1 + bool(left)]
        assert (f'<p class="aside">mate in {(left + 1) // 2}</p>' in page) == bool(left)
        main = page.partition("<main")[2].partition('<section class="controls"')[0]
        main = main.partition('id="board"')[0] + main.partition("</svg>")[2]  # whose title says it too
        assert (f"{('White', 'Black')[ply % 2]} to move" in main) == bool(left)
        assert not re.search(r"\b[Yy]ou", main)
