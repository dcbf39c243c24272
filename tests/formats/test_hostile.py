"""Small files that would take long or much memory, and damaged archives."""

import gzip
import io
import random
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pydot
import pyparsing
import pytest

import retrosolve as rs
from retrosolve.formats import dot, read_graph_file
from retrosolve.runtime import memory
from tests.support.made_files import npy_claiming, npz, parquet
from tests.support.marks import samples

XML = (
    '<?xml version="1.0" encoding="{}"?>\n<!DOCTYPE x [\n{}]>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
    '<node id="{}"/></graph></graphml>'
)
ENTITIES = '<!ENTITY a "ten chars.">\n<!ENTITY % b "&a;&a;">\n'
ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "us-ascii", "windows-1252"]


def read(data: bytes | str, format: str) -> rs.Graph:
    data = data.encode() if isinstance(data, str) else data
    return read_graph_file(io.BytesIO(data), format).graph


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_entities_are_refused_in_every_encoding(encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    name = "utf-16" if mark else encoding
    with pytest.raises(rs.FormatError, match="line 3: an entity"):
        read(mark + XML.format(name, ENTITIES, "&a;").encode(encoding), "graphml")
    plain = read(mark + XML.format(name, "", "&lt;z&#233;").encode(encoding), "graphml")
    assert plain.names == ("<zé",)


def nested(depth: int, word: str = "subgraph {") -> str:
    return f"digraph {{ {f'{word} ' * depth} a -> b [x=y]; c {'}' * depth} }}"


@pytest.mark.parametrize("word", ["subgraph {", "{", "subgraph s {", "e; {", "e -> {", "{ z } -> {"])
def test_blocks_in_blocks_are_read_once(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = [0]
    original = pyparsing.QuotedString.parseImpl

    def counting(self: object, *arguments: object, **more: object) -> object:
        tried[0] += 1
        return original(self, *arguments, **more)

    monkeypatch.setattr(pyparsing.QuotedString, "parseImpl", counting)
    counts = []
    for depth in (2, 4, 6, 8):
        tried[0] = 0
        assert {"a", "b", "c"} <= set(read(nested(depth, word), "dot").names)
        counts.append(tried[0])
    steps = [b - a for a, b in pairwise(counts)]
    assert steps[0] > 0
    assert max(steps) <= 2 * min(steps), counts


@pytest.mark.parametrize("before", ['"{" ', "/* { */ ", "// {\n", "# {\n", "<{> ", '"\\"{" '])
def test_braces_that_open_no_block_do_not_count(before: str) -> None:
    text = nested(8).replace(" a", f" {before}; a" if before[0] in '"<' else f" {before} a")
    assert "a" in read(text, "dot").names
    with pytest.raises(rs.FormatError, match="blocks at most 8 deep"):
        read(nested(9).replace(" a", f" {before} a"), "dot")


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
    found = [read(text, "dot") for text in texts]
    monkeypatch.setattr(dot, "_parsed", lambda _, text: pydot.graph_from_dot_data(text))
    for text, graph in zip(texts, found, strict=True):
        assert read(text, "dot") == graph, text


def test_the_parser_of_others_stays_as_it_was() -> None:
    before = pyparsing.ParserElement._parse, pyparsing.ParserElement._packratEnabled
    for text in (nested(3), "digraph { { }", "digraph { {{{{{{{{{{ }"):
        with suppress(rs.FormatError):
            read(text, "dot")
        assert (pyparsing.ParserElement._parse, pyparsing.ParserElement._packratEnabled) == before


def test_more_edges_between_groups_than_a_short_file_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = (" ".join(f"{name}{i}" for i in range(50)) for name in "ab")
    data = f"digraph {{ {{{left}}} -> {{{right}}} }}"
    monkeypatch.setattr(dot, "EDGES_BETWEEN_GROUPS", 50 * 50 - 100 * len(data))
    assert read(data, "dot").num_edges == 50 * 50
    monkeypatch.setattr(dot, "EDGES_BETWEEN_GROUPS", 50 * 50 - 1 - 100 * len(data))
    with pytest.raises(rs.FormatError):
        read(data, "dot")


def test_more_than_the_memory_is_refused_before_it_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A million equal values are a few bytes; so are a million zeros, packed.
    n = 1_000_000
    files = {
        "g.parquet": parquet({"successors": pa.array([[]] * n, pa.list_(pa.int32()))}),
        "l.parquet": parquet({"successors": pa.array([[0] * 2000] * 1000, pa.list_(pa.int32()))}),
        "g.npz": npz(version=1, indptr=np.zeros(n, np.int64), indices=np.zeros(0, int)),
        "g.csv.gz": gzip.compress(bytes(8 * n)),
    }
    limit = memory.Limit("machine", 8_500_000, 8_500_000)
    monkeypatch.setattr(memory, "limits", lambda: [limit])
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(rs.MemoryBudgetError, match=name):
            read_graph_file(tmp_path / name)


PACKED = gzip.compress(b"source,target\n0,1\n" * 1000, mtime=0)


@pytest.mark.parametrize(
    ("format", "data"),
    [
        *(("csv.gz", data) for data in (b"", PACKED[:-8] + bytes(8), PACKED + b"more")),
        ("csv.gz", PACKED[:12] + b"\xff" * 20 + PACKED[32:]),
        *(("npz", data) for data in (b"PK\x03\x04" + bytes(40), npy_claiming("nonsense"))),
        ("parquet", b"PAR1" + bytes(100) + b"PAR1"),
    ],
)
def test_damaged_archives_are_refused(format: str, data: bytes) -> None:
    with pytest.raises(rs.FormatError):
        read(data, format)
