"""Proving a table on disk takes its packed words and little more."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.spaces.bit_vector import bit_vector_bytes
from retrosolve.spaces.tier_window import held_indices, pending_indices
from retrosolve.tables.coded import CodedTable, Dictionary
from retrosolve.verification import local, words
from retrosolve.verification.words import Claims, _packed

SIZE = 1 << 24


class Repeated:
    """Codes on disk, as far as memory is concerned."""

    def __len__(self) -> int:
        return SIZE

    def read(self, start: int, stop: int) -> Any:
        return np.arange(start, stop).astype(np.uint8) & 3


def test_the_words_of_a_table_on_disk_are_the_only_array_of_its_size() -> None:
    dictionary = Dictionary(np.array([1, 2, 0, 255], np.uint8), np.array([1, 2, -1, -1]))
    table = CodedTable([Repeated()], dictionary, True)  # type: ignore[list-item]
    tracemalloc.start()
    try:
        words = _packed(table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert words.nbytes == 2 * SIZE
    assert peak < 2 * SIZE + (1 << 25)
    assert np.array_equal(words[-8:], table.packed(slice(SIZE - 8, SIZE)))


# -- proofs of tables on disk under a budget -----------------------------------------------------------

GAMES = ("foxhounds:n=4", "queenpawns:n=4")


def on_disk(solution: rs.Solution, packed: Any) -> rs.Solution:
    """A solution with other words, as codes that are not in memory."""
    kinds, codes = np.unique(packed, return_inverse=True)
    dictionary = Dictionary.of_words(kinds, True)
    table = CodedTable([ArrayCodes(codes)], dictionary, True)
    return rs.Solution(solution.space.detach(table), table, solution.stuck, solution.solver)


class ArrayCodes:
    def __init__(self, codes: Any) -> None:
        self.codes = codes

    def __len__(self) -> int:
        return len(self.codes)

    def read(self, start: int, stop: int) -> Any:
        return self.codes[start:stop]

    def take(self, at: Any) -> Any:
        return self.codes[at]

    def item(self, at: int) -> int:
        return int(self.codes[at])


def bytes_as_codes(space: Any) -> int:
    """What the proof takes with a byte for each index, and one to mark it."""
    return held_indices(space) + pending_indices(space)


@pytest.mark.long("queenpawns:n=4")
@pytest.mark.parametrize("name", GAMES)
def test_a_proof_keeps_to_its_budget(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = rs.solve(parse_game(name))
    on = on_disk(solution, solution.table.packed())
    enough = bytes_as_codes(on.space)
    used: list[Claims] = []
    find = words.claims_of
    monkeypatch.setattr(words, "claims_of", lambda *args: used.append(find(*args)) or used[-1])
    for memory in (None, enough, enough - 1):
        rs.verify(on, memory=memory)
    assert [claims.words.dtype for claims in used] == [np.uint8] * 3
    sizes = [len(claims.words) for claims in used]
    assert sizes == [on.space.num_vertices] * 2 + [len(solution) + 1]
    compact = used[-1].space
    least = bytes_as_codes(compact) + bit_vector_bytes(on.space.num_vertices)
    assert least < 0.8 * enough
    rs.verify(on, memory=least)
    with pytest.raises(rs.MemoryBudgetError):
        rs.verify(on, memory=least - 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_proof_under_a_budget_notices_what_any_proof_does(name: str) -> None:
    solution = rs.solve(parse_game(name))
    right = np.array(solution.table.packed())
    valid = np.flatnonzero(right != 7)
    invalid = np.flatnonzero(right == 7)
    rng = np.random.default_rng(1)
    changes = [(int(v), int(right[v]) ^ 16) for v in rng.choice(valid, 6)]  # another remoteness
    changes += [(int(v), 0) for v in rng.choice(valid[right[valid] != 0], 4)]
    changes += [(int(v), 7) for v in (*rng.choice(valid, 4), *solution.space.initial_indices)]  # type: ignore[attr-defined]
    changes += [(int(v), 2) for v in rng.choice(invalid, 4)]
    for v, word in changes:
        packed = right.copy()
        packed[v] = word
        on = on_disk(solution, packed)
        for memory in (bytes_as_codes(on.space) - 1, None):
            with pytest.raises((rs.VerificationError, rs.RulesError)):
                rs.verify(on, memory=memory)


def test_the_other_proofs_keep_to_a_budget() -> None:
    board = rs.solve(parse_game("police"), objective="win-loss-draw")
    rs.verify(board, memory="1MB")
    with pytest.raises(rs.MemoryBudgetError):
        rs.verify(board, memory=100)
    solution = rs.solve(parse_game("hexapawn"))
    blocks = local.blocks
    sizes: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            local, "blocks", lambda *args, size: sizes.append(size) or blocks(*args, size=size)
        )
        rs.verify(solution)
        rs.verify(solution, memory=1000)
    assert sizes == [1 << 18, 1 << 8]
