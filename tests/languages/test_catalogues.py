"""The catalogues: complete, up to date, with the right plurals and placeholders."""

import gettext
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import retrosolve as rs
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.languages import DEFAULT, FOLDER, LANGUAGES, preferred, translation
from retrosolve.languages.phrases import verdict
from retrosolve.values import Value

ROOT = Path(__file__).parent.parent.parent
OTHERS = [code for code in LANGUAGES if code != DEFAULT]


def po_file(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "retrosolve.po"


def catalogue(code: str) -> Catalog:
    with po_file(code).open("rb") as file:
        return read_po(file, locale=code)


def forms(message: object) -> tuple[str, ...]:
    return message if isinstance(message, tuple) else (str(message),)


def pairs(code: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The messages of a language with their translations, a form each."""
    for message in catalogue(code):
        if message.id:
            yield forms(message.id), forms(message.string)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def extracted() -> set[tuple[str, ...]]:
    """The messages in the sources, extracted as ``make languages`` does."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]
    mappings = [
        (entry["pattern"].removeprefix("src/"), entry["method"]) for entry in settings["mappings"]
    ]
    keywords = DEFAULT_KEYWORDS | {"mark": None}
    return {
        forms(message)
        for _, _, message, _, _ in extract_from_dir(ROOT / "src", mappings, keywords=keywords)
    }


@pytest.mark.parametrize("code", OTHERS)
def test_no_string_is_missing(code: str) -> None:
    assert {message for message, _ in pairs(code)} == extracted(), (
        "make languages extracts new sentences"
    )
    assert [message for message, strings in pairs(code) if not all(strings)] == []
    assert [message.id for message in catalogue(code) if message.fuzzy and message.id] == []


@pytest.mark.parametrize("code", OTHERS)
def test_placeholders_agree(code: str) -> None:
    for message, strings in pairs(code):
        for string in strings:
            assert placeholders(string) == placeholders(message[-1]), message
            assert (string[:1].isspace(), string[-1:].isspace()) == (
                message[0][:1].isspace(),
                message[0][-1:].isspace(),
            )
            assert string.count("`") == message[0].count("`")


@pytest.mark.parametrize("code", OTHERS)
def test_plural_forms_are_those_of_the_language(code: str) -> None:
    found = catalogue(code)
    rule, plural = Locale.parse(code).plural_form, translation(code).plural  # type: ignore[attr-defined]
    chosen = {(rule(n), plural(n)) for n in range(300)}
    assert {form for _, form in chosen} == set(range(found.num_plurals))
    if code != "vi":  # nouns have one form, though Babel has had two kinds of numbers since 2.19
        assert len(chosen) == len({name for name, _ in chosen}) == found.num_plurals
    for message, strings in pairs(code):
        assert len(strings) == (found.num_plurals if len(message) > 1 else 1)


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_is_that_of_the_text(code: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    fresh, kept = gettext.GNUTranslations(compiled), translation(code)
    messages = [message for message, _ in pairs(code)]
    for message in messages:
        if len(message) == 1:
            assert kept.gettext(*message) == fresh.gettext(*message)
        else:
            assert {kept.ngettext(*message, n) for n in range(30)} == {
                fresh.ngettext(*message, n) for n in range(30)
            }


def test_russian_has_three_plurals() -> None:
    to = translation("ru")
    assert [verdict(Value.WIN, n, None, to).split(" ", 3)[3] for n in (1, 3, 5, 11, 21, 22)] == [
        "1 полуход", "3 полухода", "5 полуходов", "11 полуходов", "21 полуход", "22 полухода"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("fa", "\u2068c\u2069 حرکتی ندارد: باخت در ۰."),
        ("ru", "В c нет ходов: ПРОИГРЫШ через 0."),
        ("tr", "c konumunda hamle yok: 0 yarım hamlede KAYIP."),
        ("vi", "c không có nước đi: THUA sau 0 nước."),
    ],
)
def test_explain_speaks_the_language(code: str, sentence: str) -> None:
    graph = rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])
    steps = rs.explain(graph, language=code)
    assert sentence in steps[0].sentences
    english = str(rs.explain(graph))
    assert not set(english.splitlines()) & set(str(steps).splitlines())
    proof = str(rs.explain(graph, "b", language=code))
    for word in ("because", "leads", "WIN", "each value"):
        assert word not in proof
    assert "`c`" in proof
    html = rs.explain(graph, "b", language=code)._repr_html_()
    assert html.startswith(f'<div lang="{code}" dir="{LANGUAGES[code].direction}"><ul>')


def test_players_are_named_in_the_language() -> None:
    class Countdown(rs.Game):
        players = ("white", "black")

        def start(self) -> tuple[int, int]:
            return 2, 0

        def moves(self, position: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
            n, mover = position
            return [("on", (n - 1, 1 - mover))] if n else []

        def player(self, position: tuple[int, int]) -> int:
            return position[1]

    proof = str(rs.explain(Countdown(), (2, 0), language="ru"))
    assert "ход: белые" in proof
    assert "ход: чёрные" in proof
    assert "\u2068(2, 0)\u2069، نوبت سفید" in str(rs.explain(Countdown(), (2, 0), language="fa"))


def test_an_unknown_language_is_refused_or_passed_over() -> None:
    with pytest.raises(rs.GraphError):
        rs.explain(rs.Graph.from_edges([0], [1]), language="xx")
    assert preferred("xx-YY, *;q=0.1", "ru") == "ru"
    assert preferred("fa-IR;q=high, vi;q=0.2") == "vi"


@pytest.mark.parametrize("code", OTHERS)
def test_words_that_stand_side_by_side_differ(code: str) -> None:
    to = translation(code).gettext
    for words in (
        ("Go by", "Step", "Speed"), ("Rank", "It is your turn.", "Result"), ("Undo", "Redo"), ("tie", "draw"),
        [look.word for look in APPEARANCE.values()],
    ):  # fmt: skip
        assert len({to(word).casefold() for word in words}) == len(words), words


def test_names_in_a_persian_sentence_keep_to_themselves() -> None:
    names = ("{name}", "{target}", "{moves}", "{move}", "{vertex}", "{source}", "{position}")
    for message, strings in pairs("fa"):
        if "{places}" in message[0]:
            continue  # the name of a move
        for string in strings:
            for name in names:
                place = string.find(name)
                while place >= 0:
                    before = string[:place].removesuffix("`")
                    after = string[place + len(name) :].removeprefix("`")
                    assert before.endswith("\u2068"), string
                    assert after.startswith("\u2069"), string
                    place = string.find(name, place + 1)
