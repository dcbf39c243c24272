"""Small files that would take long: nested blocks, and XML entities in every encoding."""

import io
import random
from contextlib import suppress
from itertools import pairwise

import pydot
import pyparsing
import pytest

import retrosolve as rs
from retrosolve.formats import dot, read_graph_file
from tests.support.marks import samples

pytestmark = pytest.mark.thorough

XML = (
    '<?xml version="1.0" encoding="{}"?>\n<!DOCTYPE x [\n{}]>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
    '<node id="{}"/></graph></graphml>'
)
ENTITIES = '<!ENTITY a "ten chars.">\n<!ENTITY % b "&a;&a;">\n'
ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "us-ascii", "windows-1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_entities_are_refused_in_every_encoding(encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    name = "utf-16" if mark else encoding
    with pytest.raises(
        rs.FormatError, match=r"^input, line 3: an entity: expected none but those of XML$"
    ):
        read_graph_file(
            io.BytesIO(mark + XML.format(name, ENTITIES, "&a;").encode(encoding)), "graphml"
        )
    plain = read_graph_file(
        io.BytesIO(mark + XML.format(name, "", "&lt;z&#233;").encode(encoding)), "graphml"
    )
    assert plain.graph.names == ("<zé",)


def test_a_comment_about_entities_is_none() -> None:
    data = XML.format("utf-8", "<!-- <!ENTITY a 'b'> -->", "z")
    assert read_graph_file(io.BytesIO(data.encode()), "graphml").graph.names == ("z",)


def nested(depth: int, word: str = "subgraph {") -> str:
    return f"digraph {{ {f'{word} ' * depth} a -> b [x=y]; c {'}' * depth} }}"


@pytest.mark.parametrize("word", ["subgraph {", "{", "subgraph s {", "e; {", "e -> {", "{ z } -> {"])
def test_blocks_in_blocks_are_read_once(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = [0]
    original = pyparsing.QuotedString.parseImpl

    def counting(self: object, *arguments: object, **more: object) -> object:
        read[0] += 1
        return original(self, *arguments, **more)

    monkeypatch.setattr(pyparsing.QuotedString, "parseImpl", counting)
    counts = []
    for depth in (2, 4, 6, 8):
        read[0] = 0
        document = read_graph_file(io.BytesIO(nested(depth, word).encode()), "dot")
        assert {"a", "b", "c"} <= set(document.graph.names)
        counts.append(read[0])
    steps = [b - a for a, b in pairwise(counts)]
    assert steps[0] > 0
    assert max(steps) <= 2 * min(steps), counts


@pytest.mark.parametrize("before", ['"{" ', "/* { */ ", "// {\n", "# {\n", "<{> ", '"\\"{" '])
def test_braces_that_open_no_block_do_not_count(before: str) -> None:
    text = nested(8).replace(" a", f" {before}; a" if before[0] in '"<' else f" {before} a")
    assert "a" in read_graph_file(io.BytesIO(text.encode()), "dot").graph.names
    with pytest.raises(rs.FormatError, match=r"'\{': expected blocks at most 8 deep"):
        read_graph_file(io.BytesIO(nested(9).replace(" a", f" {before} a").encode()), "dot")


def some_blocks(rng: random.Random, depth: int) -> str:
    """Statements of all kinds, blocks among them."""
    parts = []
    for _ in range(rng.randint(1, 3)):
        name = rng.choice("abcde")
        block = f"{{ {some_blocks(rng, depth - 1)} }}" if depth else "f"
        choices = [f"{name} -> {rng.choice('abcde')} [w=1]", f"{name} [x={name}]", "x=y", block]
        choices += [f"{block} -> {name}", f"{name} -> {block} -> {name}"]
        choices += [f"subgraph {name} {block}"] if depth else []
        parts.append(rng.choice(choices))
    return "; ".join(parts)


def test_what_is_read_is_the_same_as_without_remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    texts = [f"digraph {{ {some_blocks(rng, rng.randint(1, 3))} }}" for _ in range(samples(15, 40))]
    found = [read_graph_file(io.BytesIO(text.encode()), "dot").graph for text in texts]
    monkeypatch.setattr(dot, "_parsed", lambda _, text: pydot.graph_from_dot_data(text))
    for text, graph in zip(texts, found, strict=True):
        assert read_graph_file(io.BytesIO(text.encode()), "dot").graph == graph, text


def test_the_parser_of_others_stays_as_it_was() -> None:
    before = pyparsing.ParserElement._parse, pyparsing.ParserElement._packratEnabled
    for text in (nested(3), "digraph { { }", "digraph { {{{{{{{{{{ }"):
        with suppress(rs.FormatError):
            read_graph_file(io.BytesIO(text.encode()), "dot")
        assert (pyparsing.ParserElement._parse, pyparsing.ParserElement._packratEnabled) == before
