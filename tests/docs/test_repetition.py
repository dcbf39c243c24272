"""Nothing is said twice: no sentence of one page stands in another one."""

import re
from collections import defaultdict

from tests.support.pages import written

EQUAL = 12  # words in a row
NO_PROSE = re.compile(
    r"^---\n.*?^---\n"  # what is before the title
    r"|^ *```.*?^ *```"  # code, figures and other blocks
    r"|^ *[|].*?$"  # tables
    r"|^Measured \d.*?$"  # the machine, below each table
    r"|\S*→\S*",  # edges
    re.MULTILINE | re.DOTALL,
)
ADDRESS = re.compile(r"(?<=\])\([^)\s]*\)|<[^>]*>")
WORD = re.compile(r"[^\W_]+(?:['.,_-][^\W_]+)*")


def words(text: str) -> list[str]:
    """The words of the prose of a page, without code, tables and addresses."""
    return WORD.findall(ADDRESS.sub("", NO_PROSE.sub("\n", text)).lower())


def repeated(pages: dict[str, str]) -> dict[str, set[str]]:
    """The rows of equal words that stand in more than one page, each with these pages."""
    places: dict[str, set[str]] = defaultdict(set)
    for name, text in pages.items():
        row = words(text)
        for start in range(len(row) - EQUAL + 1):
            places[" ".join(row[start : start + EQUAL])].add(name)
    return {row: names for row, names in places.items() if len(names) > 1}


def test_no_sentence_stands_in_two_pages() -> None:
    assert repeated({name: text for name, text in written().items() if name.startswith("docs/")}) == {}


def test_a_sentence_that_stands_in_two_pages_is_found_whatever_its_lines_and_links() -> None:
    sentence = "A vertex is won if some move leads to a lost vertex, and lost otherwise."
    other = "Or: a vertex is\nwon if [some move](moves.md) leads to a `lost` vertex, and lost otherwise"
    assert set().union(*repeated({"one": sentence, "two": other}).values()) == {"one", "two"}
    assert repeated({"one": sentence, "two": f"```text\n{sentence}\n```\n| {sentence} |\n"}) == {}
    assert (
        repeated({"one": sentence + sentence, "two": sentence.replace("lost vertex", "won one")}) == {}
    )
