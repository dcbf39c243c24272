"""One word for each concept: the terms of the glossary, and not their synonyms."""

import re

import pytest

from tests.support.pages import is_translated, written

# Words to replace, each with the term; pages about another field that has its own words may use them.
WORDS: dict[str, tuple[str, set[str]]] = {
    r"\bnodes?\b": ("vertex", {"formats", "cluster"}),
    r"\barcs?\b": ("edge", set()),
    r"\bhalf[- ]moves?\b": ("ply", set()),
    r"\bsuccessor states?\b|\bgame states?\b": ("position", set()),
    r"\bfrontiers?\b": ("level", {"design", "theory", "inside/tried"}),
    r"\bdepth[- ]to[- ]\w+|\bdistance to (?:win|mate)\b": (
        "remoteness",
        {"learn/fifty-moves", "inside/tried", "performance"},
    ),
    r"\bDT[MZC]\b": ("remoteness", {"theory", "learn/fifty-moves", "howto/questions"}),
    r"\bm[ae]n\b(?!.s)": (  # players of chess count men
        "piece",
        {
            "answers",
            "compare",
            "inside/tried",
            "learn/backward",
            "learn/fifty-moves",
            "performance",
            "theorem",
        },
    ),
    r"\bchild(?:ren)?\b|\bparents?\b": ("successor, predecessor", set()),
    r"\btransposition table\b": ("table", set()),
    r"\bdead position\b|\bsink\b": ("vertex without a move", {"formats"}),
    r"\b(?:bytes?|bits?|ns|nanoseconds|seconds) an? (?:position|index|vertex|edge|move)\b": (
        "per",
        {"inside/tried", "performance"},
    ),
}
PAGES = {
    name.removeprefix("docs/").removesuffix(".md"): re.sub(r"(?ms)^```.*?^```|`[^`]*`", "", text)
    for name, text in written().items()
    if not is_translated(name)
}


def used(word: str, exempt: set[str]) -> dict[str, list[str]]:
    """The pages that use a word, with the words around it."""
    around = re.compile(rf".{{0,20}}(?:{word}).{{0,20}}")
    found = {name: around.findall(text) for name, text in PAGES.items() if name not in exempt}
    return {name: places for name, places in found.items() if places}


@pytest.mark.thorough
@pytest.mark.parametrize("word", WORDS, ids=[term for term, _ in WORDS.values()])
def test_pages_use_the_term_of_a_concept(word: str) -> None:
    term, exempt = WORDS[word]
    assert used(word, exempt) == {}, f"write {term}"


@pytest.mark.parametrize("word", [word for word, (_, exempt) in WORDS.items() if exempt])
def test_pages_that_may_use_another_word_do(word: str) -> None:
    assert {name for name in WORDS[word][1] if re.search(word, PAGES[name])} == WORDS[word][1]
