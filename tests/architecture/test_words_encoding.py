"""The packed word is taken apart and put together in one file, and INVALID is one constant."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import retrosolve
from retrosolve.objectives import words
from retrosolve.objectives.words import code_of, pack, remoteness_of

SOURCES = Path(retrosolve.__file__).parent
ENCODER = "objectives/words.py"
# Sets of vertices as bits, eight to a byte: there, 7 and 3 are the bit and the byte of a vertex.
BITS_OF_BYTES = {"spaces/csr/partition.py", "solvers/sweep.py"}
MODULES = sorted(
    path.relative_to(SOURCES).as_posix()
    for path in SOURCES.rglob("*.py")
    if path.relative_to(SOURCES).parts[0] != "games"  # where these are the numbers of squares
)
LAYOUT = {"CODE_BITS", "CODE_MASK"}


def by_hand(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of a module that take words apart, or put them together, themselves."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name in LAYOUT:
                yield node.lineno
            case ast.BinOp(op=ast.BitAnd(), left=left, right=right) if 7 in (
                number(left),
                number(right),
            ):
                yield node.lineno
            case ast.BinOp(op=ast.LShift() | ast.RShift(), right=right) if number(right) == 3:
                yield node.lineno
            case ast.AugAssign(op=ast.BitAnd(), value=value) if number(value) == 7:
                yield node.lineno
            case ast.AugAssign(op=ast.LShift() | ast.RShift(), value=value) if number(value) == 3:
                yield node.lineno


def number(node: ast.AST) -> object:
    """Return what a literal holds, also within a call such as ``np.uint8(7)``; None if it is none."""
    match node:
        case ast.Constant(value=value) | ast.Call(args=[ast.Constant(value=value)]):
            return value
    return None


@functools.cache
def parsed(module: str) -> ast.Module:
    return ast.parse((SOURCES / module).read_text("utf-8"))


@pytest.mark.thorough
def test_words_are_encoded_in_one_file() -> None:
    others = [m for m in MODULES if m != ENCODER and m not in BITS_OF_BYTES]
    assert len(others) > 200
    assert {m: lines for m in others if (lines := list(by_hand(parsed(m))))} == {}


@pytest.mark.parametrize(
    "line",
    ["word & 7", "x = 7 & word", "word >> 3", "(r << 3) | code", "w & np.uint8(7)", "w <<= 3",
     "w &= np.uint8(7)", "w & CODE_MASK", "words.CODE_BITS", "from retrosolve.objectives.words import CODE_BITS"],
)  # fmt: skip
def test_planted_shift_or_mask_of_a_word_is_found(line: str) -> None:
    assert list(by_hand(ast.parse(line)))
    assert list(by_hand(parsed(ENCODER)))


@pytest.mark.thorough
def test_invalid_is_one_constant() -> None:
    for module in MODULES:
        for node in ast.walk(parsed(module)):
            named = isinstance(node, ast.Assign) and "INVALID" in {
                getattr(t, "id", "") for t in node.targets
            }
            if named and module != "values.py":  # else another module's, under the same name
                assert isinstance(node.value, ast.Attribute), module


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32, np.uint64])
def test_words_hold_code_and_remoteness(dtype: type[np.unsignedinteger]) -> None:
    largest = words.largest_remoteness(np.zeros(0, dtype))
    for code in range(8):
        for remoteness in (0, 1, 1000, largest):
            word = pack(code, remoteness)
            assert (code_of(word), remoteness_of(word)) == (code, remoteness)
            array = np.array([word, 0], dtype)
            assert code_of(array).tolist() == [code, 0]
            assert remoteness_of(array).tolist() == [remoteness, 0]
            assert code_of(array).dtype == remoteness_of(array).dtype == dtype
    assert pack(int(words.INVALID_CODE), largest) == np.iinfo(dtype).max


def test_terminal_values_are_their_code() -> None:
    assert [code_of(v) for v in (0, words.WIN, words.LOSS, words.TIE)] == [0, 1, 2, 3]
    assert code_of(words.INVALID) == words.INVALID_CODE
    assert words.VALUE_OF_CODE[code_of(words.INVALID)] == words.INVALID


def test_words_widen_only_where_they_must() -> None:
    narrow = np.array([pack(words.LOSS, 8191)], np.uint16)
    assert words.widened(narrow, 8191) is narrow
    wide = words.widened(narrow, 8192)
    assert (wide.dtype, wide.tolist()) == (np.uint32, narrow.tolist())
    assert words.word_dtype(2**29) == np.uint64
