"""Ranking: inverse, in order, and the same compiled as in plain Python."""

from itertools import (
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
)
from math import comb, factorial
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrosolve import ranking
from retrosolve.compilation.specialize import Freezer

SETS = st.integers(0, 2**62 - 1)
SMALL_SETS = st.integers(0, 2**20 - 1)


def as_set(points: tuple[int, ...]) -> int:
    return sum(1 << point for point in points)


@pytest.mark.parametrize(
    ("n", "k"), [(0, 0), (1, 1), (4, 0), (6, 3), (7, 7), (5, 8), (100, 3), (66, 33)]
)
def test_binomials(n: int, k: int) -> None:
    assert ranking.binomials(n, k).tolist() == [
        [comb(s, j) for j in range(k + 1)] for s in range(n + 1)
    ]


@pytest.mark.parametrize(("n", "k"), [(0, 0), (0, 3), (1, 5), (4, 0), (6, 3), (3, 9), (34, 33)])
def test_multiset_counts(n: int, k: int) -> None:
    expected = [[comb(s + j - 1, j) if s + j else 1 for j in range(k + 1)] for s in range(n + 1)]
    assert ranking.multiset_counts(n, k).tolist() == expected


@pytest.mark.parametrize(("n", "k"), [(0, 0), (5, 0), (5, 5), (7, 3), (8, 4), (3, 4)])
def test_subsets_in_order(n: int, k: int) -> None:
    choose = ranking.binomials(n, k)
    expected = sorted(as_set(points) for points in combinations(range(n), k))
    assert ranking.subsets(n, k).tolist() == expected
    for index, subset in enumerate(expected):
        assert ranking.rank_subset(subset, choose) == index
        assert ranking.unrank_subset(index, k, choose) == subset


@pytest.mark.parametrize(("n", "k"), [(1, 1), (1, 4), (5, 1), (4, 3), (6, 2), (3, 6)])
def test_multisets_and_permutations_in_order(n: int, k: int) -> None:
    counts, out = ranking.multiset_counts(n, k), [0] * k
    expected = sorted(combinations_with_replacement(range(n), k), key=lambda members: members[::-1])
    for index, members in enumerate(expected):
        assert ranking.rank_multiset(members, counts) == index
        ranking.unrank_multiset(index, counts, out)
        assert tuple(out) == members
    for index, permutation in enumerate(permutations(range(k))):
        assert ranking.rank_permutation(permutation) == index
        ranking.unrank_permutation(index, out)
        assert tuple(out) == permutation


def test_pairs_in_order() -> None:
    expected = [(low, high) for high in range(30) for low in range(high)]
    assert [ranking.rank_pair(*pair) for pair in expected] == list(range(len(expected)))
    assert [ranking.unrank_pair(index) for index in range(len(expected))] == expected


@given(st.sets(st.integers(0, 62), max_size=31))
def test_large_subsets(points: set[int]) -> None:
    choose = ranking.binomials(63, 31)
    subset = as_set(tuple(points))
    index = ranking.rank_subset(subset, choose)
    assert 0 <= index < comb(63, len(points))
    assert ranking.unrank_subset(index, len(points), choose) == subset


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.lists(st.integers(0, 40), min_size=8))
def test_order_of_large_multisets(first: list[int], second: list[int]) -> None:
    counts = ranking.multiset_counts(41, 8)
    one, two = sorted(first), sorted(second[: len(first)])
    ranks = [ranking.rank_multiset(members, counts) for members in (one, two)]
    assert (ranks[0] < ranks[1]) == (one[::-1] < two[::-1])
    out = [0] * len(one)
    ranking.unrank_multiset(ranks[0], counts, out)
    assert out == one


@given(st.integers(0, 2**60 - 1))
def test_large_pairs(index: int) -> None:
    low, high = ranking.unrank_pair(index)
    assert 0 <= low < high
    assert ranking.rank_pair(low, high) == index


@given(st.permutations(range(20)), st.permutations(range(20)))
def test_order_of_large_permutations(one: list[int], two: list[int]) -> None:
    ranks = [ranking.rank_permutation(permutation) for permutation in (one, two)]
    assert (ranks[0] < ranks[1]) == (one < two)
    assert ranks[0] < factorial(20)
    out = [0] * 20
    ranking.unrank_permutation(ranks[0], out)
    assert out == one


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 8)), max_size=20))
def test_digits_are_those_of_numpy(pairs: list[tuple[int, int]]) -> None:
    digits, bases = [digit % base for digit, base in pairs], [base for _, base in pairs]
    index = ranking.rank_digits(digits, bases)
    assert index == (int(np.ravel_multi_index(digits, bases)) if pairs else 0)
    out = [0] * len(pairs)
    ranking.unrank_digits(index, bases, out)
    assert out == digits


@given(SETS, SETS)
def test_bits_against_their_definitions(bits: int, mask: int) -> None:
    assert ranking.popcount(bits) == bits.bit_count()
    places = [s for s in range(63) if mask >> s & 1]
    moved = as_set(tuple(s for i, s in enumerate(places) if bits >> i & 1))
    assert ranking.deposit(bits & (1 << len(places)) - 1, mask) == moved
    assert ranking.extract(moved, mask) == bits & (1 << len(places)) - 1
    assert ranking.extract(bits, mask) == as_set(
        tuple(i for i, s in enumerate(places) if bits >> s & 1)
    )


@given(SMALL_SETS, SMALL_SETS)
def test_holes_are_the_complement_of_a_mask(bits: int, holes: int) -> None:
    mask = ~holes & (1 << 62) - 1
    spread = ranking.deposit_outside(bits, holes)
    assert spread == ranking.deposit(bits, mask)
    assert ranking.extract_outside(spread, holes) == bits
    assert ranking.extract_outside(bits, holes) == ranking.extract(bits, mask)


@given(st.lists(st.integers(0, 300), max_size=60))
def test_items_are_numbered_group_by_group(groups: list[int]) -> None:
    order = ranking.order_by_group(np.array(groups, np.int64), 301)
    assert isinstance(order, ranking.GroupedOrder)
    items, numbers, first = order
    assert items.tolist() == sorted(range(len(groups)), key=lambda item: groups[item])
    assert items[numbers].tolist() == list(range(len(groups)))
    assert first.tolist() == [sum(g < group for g in groups) for group in range(302)]


@pytest.mark.parametrize(("rows", "columns", "order"), [(1, 1, 8), (2, 3, 4), (3, 3, 8), (4, 4, 8)])
def test_symmetries_of_a_board_keep_neighbours(rows: int, columns: int, order: int) -> None:
    table = ranking.grid_symmetries(rows, columns)
    assert table.shape == (order, rows * columns)
    assert table[0].tolist() == list(range(rows * columns))
    assert len({tuple(row) for row in table.tolist()}) == (order if rows * columns > 1 else 1)
    for images in table.tolist():
        assert sorted(images) == list(range(rows * columns))
        for a, b in combinations(range(rows * columns), 2):
            distance = abs(a // columns - b // columns) + abs(a % columns - b % columns)
            r, c = divmod(images[a], columns)
            s, d = divmod(images[b], columns)
            assert abs(r - s) + abs(c - d) == distance


def test_a_square_is_generated_by_a_turn_and_a_flip() -> None:
    square = ranking.grid_symmetries(4, 4).tolist()
    turn = [4 * (s % 4) + 3 - s // 4 for s in range(16)]
    group = ranking.generate_group([turn, square[1]])
    assert group[0].tolist() == list(range(16))
    assert sorted(group.tolist()) == sorted(square)
    assert len(ranking.generate_group([[1, 0, 2, 3, 4], [1, 2, 3, 4, 0]])) == 120


def test_images_of_sets() -> None:
    images = ranking.grid_symmetries(3, 3)
    table = ranking.subset_images(images)
    smallest, symmetries = ranking.smallest_images(table)
    for bits in range(1 << 9):
        by_hand = [as_set(tuple(row[s] for s in range(9) if bits >> s & 1)) for row in images.tolist()]
        assert table[:, bits].tolist() == by_hand
        assert [ranking.permute_bits(bits, row) for row in images.tolist()] == by_hand
        assert smallest[bits] == min(by_hand)
        assert symmetries[bits] == as_set(tuple(t for t in range(8) if by_hand[t] == min(by_hand)))
    # Burnside: the mean of the numbers of fixed sets.
    assert len(np.unique(smallest)) == (table == np.arange(1 << 9)).sum() // 8 == 102


def every_function(bits: int, mask: int, index: int, choose: Any, counts: Any, out: Any) -> int:
    found = ranking.popcount(bits) + ranking.deposit(bits & 15, mask) + ranking.extract(bits, mask)
    found += ranking.deposit_outside(bits, mask & 255) + ranking.extract_outside(bits, mask & 255)
    found += ranking.rank_subset(mask, choose)
    found += ranking.unrank_subset(index, 4, choose)
    ranking.unrank_multiset(index, counts, out)
    found += ranking.rank_multiset(out, counts)
    low, high = ranking.unrank_pair(index)
    found += ranking.rank_pair(low, high) * high
    ranking.unrank_permutation(index % 24, out)
    found += ranking.rank_permutation(out)
    bases = counts[1:5, 3]
    ranking.unrank_digits(index, bases, out)
    found += ranking.rank_digits(out, bases) * out[3]
    return found + ranking.permute_bits(mask, out)


def test_compiled_functions_agree_with_plain_python() -> None:
    choose, counts = ranking.binomials(16, 8), ranking.multiset_counts(16, 4)
    out = np.zeros(4, np.int64)
    rule = Freezer("as_rules_are_compiled").jitted(every_function)

    @numba.njit
    def kernel(bits, mask, index, choose, counts, out):  # rules have no entry from Python
        return rule(bits, mask, index, choose, counts, out)

    for index in (0, 1, 17, 1819):
        for bits, mask in pairwise((0b1011, 0b1111_0000_1010, 0b110_0110, 0b1001_0000_0001, 0b1111)):
            arguments = (bits, mask, index, choose, counts)
            assert kernel(*arguments, out) == every_function(*arguments, [0] * 4)


def test_image_of_a_set_under_a_symmetry_of_two_sets() -> None:
    symmetries = ranking.grid_symmetries(3, 4)
    sets = ranking.TwoSets(12, [[(0, 1, 1)]], symmetries)
    for points in range(1 << 12):
        images = [ranking.set_image(points, way, sets.data) for way in range(len(symmetries))]
        assert images == [ranking.permute_bits(points, row) for row in symmetries.tolist()]
