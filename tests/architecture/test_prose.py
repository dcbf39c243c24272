"""The language of the sources and of the documentation: plain technical English, as numpy writes it.

A few habits are refused because they make a reader go back in the sentence. Where they are not all
mended yet, ALLOWED says how many there may be; lower a number when they become fewer.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.pages import written
from tests.support.source import PACKAGE, docstrings, modules

# Participles that leave open what they stand for.
PARTICIPLES = {"found", "left", "given", "known", "kept"}

# The summary of a function says what it does, in the imperative: "Return", "Solve", "Write".
NOT_IMPERATIVE = re.compile(
    r"(Gives?|Tells?|Says?|Returns|Computes|Makes|Gets|Sets|Checks|Raises|Writes|Reads|Yields|Solves"
    r"|What|Whether|How|When|Where|Who|The|An?|This|Here)\b"
)

# Sentences to write in another way, each with the better one.
PHRASES = {
    r"\breturns? what\b": "name it: return the number of ...",
    r"\bwhat (?:is|was|has been|had been|they have) (?:found|left|given|known|kept)\b": "name it",
    r"\bas there\b(?! (?:is|are|was|were)\b)": "repeat it, or name the function whose docstring has it",
    r"\bno telling\b": "it is unknown",
    r"\btold\b": "say who reads or receives it",
    r"\bhad better\b": "should",
    r"\bmind that\b": "note that",
    r"\bwhence\b": "from which",
    r"\bthereof\b": "of it",
    r"\bfor there\b": "because",
    r"\bso to speak\b": "leave it out",
}

# Packages between which code moves; those that are not listed are in the first group.
GROUPS = {
    "engine": (),
    "answers": ("explanation", "frames", "solution", "solving"),
    "authors": ("rules", "testing"),
    "games": ("games", "pursuit"),
    "pages": ("cli", "drawing", "formats", "languages", "web"),
}

# How many of each a group has today.
ALLOWED = {
    "participles": {"engine": 351, "answers": 12, "authors": 37, "games": 47, "pages": 89},
    "phrases": {"engine": 64, "answers": 12, "authors": 7, "games": 1, "pages": 23},
}


def participles(tree: ast.Module) -> Iterator[str]:
    """The variables and parameters of a module that are called by a participle."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name in PARTICIPLES:
                yield name


def summaries(tree: ast.Module) -> Iterator[str]:
    """The first lines of the docstrings of functions, but not of properties."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = {ast.unparse(mark).rsplit(".", maxsplit=1)[-1] for mark in node.decorator_list}
            text = ast.get_docstring(node)
            if text and not marks & {"property", "cached_property"}:
                yield text.splitlines()[0]


def phrases(text: str) -> Iterator[str]:
    """The phrases of a text that are to be written in another way."""
    one_line = " ".join(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split())
    for phrase in PHRASES:
        yield from re.findall(phrase, one_line, re.IGNORECASE)


def habits() -> dict[str, Counter[str]]:
    """How many participles and phrases each group of packages has."""
    counts = {"participles": Counter[str](), "phrases": Counter[str]()}
    groups = {package: group for group, packages in GROUPS.items() for package in packages}
    for module, tree in modules().items():
        group = groups.get(module.removeprefix(PACKAGE).removeprefix(".").partition(".")[0], "engine")
        counts["participles"][group] += len(list(participles(tree)))
        counts["phrases"][group] += sum(len(list(phrases(text))) for text in docstrings(tree))
    return counts


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["participles", "phrases"])
def test_no_habit_spreads(kind: str) -> None:
    more = {group: count for group, count in habits()[kind].items() if count > ALLOWED[kind][group]}
    assert more == {}, f"write some in another way: {PHRASES if kind == 'phrases' else PARTICIPLES}"


@pytest.mark.thorough
def test_summaries_of_functions_are_imperative() -> None:
    odd = {
        module: lines
        for module, tree in modules().items()
        if (lines := [line for line in summaries(tree) if NOT_IMPERATIVE.match(line)])
    }
    assert odd == {}


def test_pages_have_no_phrase_to_be_written_in_another_way() -> None:
    assert {page: here for page, text in written().items() if (here := list(phrases(text)))} == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("found = 1", ["found"]),
        ("for left in []: ...", ["left"]),
        ("if (given := 1): ...", ["given"]),
        ("def f(known): ...", ["known"]),
        ("def f(*, kept=1): ...", ["kept"]),
        ("x = found + y.left", []),
        ("'found'  # known", []),
    ],
)
def test_planted_participle_is_seen(source: str, names: list[str]) -> None:
    assert list(participles(ast.parse(source))) == names


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Return what is left.", 2),
        ("Returns\nwhat rules do.", 1),
        ("What was found is kept.", 1),
        ("The parameters are as there.", 1),
        ("What it does, whence it comes, for there is more.", 2),
        ("Return the number of positions.", 0),
        ("```\nreturn what is left\n```", 0),
    ],
)
def test_planted_phrase_is_seen(text: str, count: int) -> None:
    assert len(list(phrases(text))) == count


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("Gives the size.", True),
        ("Tell whether it is over.", True),
        ("Returns the size.", True),
        ("Whether it is over.", True),
        ("The size.", True),
        ("Return the size.", False),
        ("Theorise about it.", False),
    ],
)
def test_planted_summary_is_seen(text: str, odd: bool) -> None:
    for source in (
        f'def f():\n    """{text}"""',
        f'class A:\n    async def f(self):\n        """{text}"""',
    ):
        (line,) = summaries(ast.parse(source))
        assert bool(NOT_IMPERATIVE.match(line)) == odd
    assert (
        list(summaries(ast.parse(f'class A:\n    @property\n    def f(self):\n        """{text}"""')))
        == []
    )
