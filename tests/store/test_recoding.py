"""Kernels of the store do what NumPy does where they are not worth loading."""

from __future__ import annotations

import numpy as np
import pytest

from retrosolve.compilation import jit
from retrosolve.runtime import tuning
from retrosolve.tables import planes as plane_kernels
from retrosolve.tables.base import pack_pairs
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.tables.recoding import CountingLookup, DistinctWords, mark_seen, recode

FEW = 3_000


@pytest.fixture
def kernels_run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Kernels run as plain Python, whatever the number of elements; the names of those that did."""
    ran: list[str] = []

    def noted(kernel: object) -> object:
        ran.append(kernel.__name__)  # type: ignore[attr-defined]
        return kernel

    monkeypatch.setattr(
        jit, "beats_numpy", lambda work: work >= tuning.current().compile_beside_numpy_from
    )
    monkeypatch.setattr(jit, "compiled", noted)
    return ran


def test_codes_and_their_counts_are_those_of_numpy(kernels_run: list[str]) -> None:
    random = np.random.default_rng(0)
    words = random.integers(0, 1 << 16, FEW).astype(np.uint16)
    lookup = random.integers(0, 200, 1 << 16).astype(np.uint8)
    found = {}
    for least in (0, FEW + 1):
        with tuning.using(compile_beside_numpy_from=least):
            recoder, distinct = CountingLookup(np.arange(1 << 16), lookup, 200, FEW), DistinctWords(FEW)
            parts = [recoder(words[:1000]), recoder(words[1000:])]
            distinct.add(words)
            codes = np.concatenate([part for part, _ in parts])
            found[least] = codes, parts[0][1] + parts[1][1], distinct.words()
    assert kernels_run == [recode.__name__] * 2 + [mark_seen.__name__]
    for ours, expected in zip(*found.values(), strict=True):
        assert np.array_equal(ours, expected)
    assert np.array_equal(found[0][0], lookup[words])
    assert np.array_equal(found[0][2], np.unique(words))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_distinct_words_keep_their_type(kind: type) -> None:
    distinct = DistinctWords(FEW)
    for part in ([5, 3], [3, 200], []):
        distinct.add(np.array(part, kind))
    assert distinct.words().dtype == kind
    assert distinct.words().tolist() == [3, 5, 200]


@pytest.mark.parametrize(("cells", "words"), [(5, 1), (64, 1), (65, 2), (100, 3), (192, 3)], ids=str)
def test_rows_of_bits_are_decoded_as_by_numpy(cells: int, words: int, kernels_run: list[str]) -> None:
    random = np.random.default_rng(cells)
    planes = random.integers(0, 1 << 64, (3, 4, words), np.uint64)
    place = np.sort(random.choice(64 * words, cells, replace=False))
    table = BitplaneTable(planes, place)
    codes, few = (random.integers(0, most, 256).astype(np.uint8) for most in (256, 4))
    whole = np.array([table.outcome(v)[0] for v in range(table.num_vertices)])
    bounds = np.sort(random.integers(0, table.num_vertices + 1, (6, 2))).tolist()
    for start, stop in [(0, table.num_vertices), *bounds]:
        for least in (0, FEW):
            with tuning.using(compile_beside_numpy_from=least), np.errstate(over="ignore"):
                assert np.array_equal(table.values(slice(start, stop)), whole[start:stop])
                assert np.array_equal(table.recoded(start, stop, codes), codes[whole[start:stop]])
                found = table.recoded_in_pairs(start, stop, few)
                assert np.array_equal(found, pack_pairs(few[whole[start:stop]]))
                counts = table.counts(start, stop)
                assert np.array_equal(counts, np.bincount(whole[start:stop], minlength=256))
    assert set(kernels_run) == {
        kernel.__name__
        for kernel in (
            plane_kernels.squeeze_rows, plane_kernels.spread_bits, plane_kernels.pair_bits,
            plane_kernels.count_row_bits,
        )
    }  # fmt: skip
