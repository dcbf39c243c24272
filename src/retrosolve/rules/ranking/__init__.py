"""Rank and unrank subsets, multisets, pairs, permutations and digits; bits; tables of symmetries.

A set of points is an int, bit ``s`` for point ``s``. Subsets are ranked in colexicographic order,
which is the order of the ints: the combinatorial number system (D. E. Knuth, The Art of Computer
Programming 4A, 7.2.1.3). Multisets are ranked in the same order, permutations and digits in
lexicographic order.

Functions of ints work as plain Python and inside compiled rules, on ints from 0 to 2**63 - 1, and
check nothing. Tables are made once, in ``__init__`` of a game, and passed to its rules in ``data``.

>>> choose = binomials(25, 4)
>>> unrank_subset(12649, 4, choose).bit_length(), rank_subset(0b1111, choose)
(25, 0)
"""

from retrosolve.rules.ranking.bits import (
    deposit,
    deposit_outside,
    extract,
    extract_outside,
    popcount,
)
from retrosolve.rules.ranking.ranks import (
    rank_digits,
    rank_multiset,
    rank_pair,
    rank_permutation,
    rank_subset,
    unrank_digits,
    unrank_multiset,
    unrank_pair,
    unrank_permutation,
    unrank_subset,
)
from retrosolve.rules.ranking.symmetry import (
    generate_group,
    grid_symmetries,
    permute_bits,
    smallest_images,
    subset_images,
)
from retrosolve.rules.ranking.tables import (
    GroupedOrder,
    binomials,
    multiset_counts,
    order_by_group,
    subsets,
)

__all__ = [
    "GroupedOrder",
    "binomials",
    "deposit",
    "deposit_outside",
    "extract",
    "extract_outside",
    "generate_group",
    "grid_symmetries",
    "multiset_counts",
    "order_by_group",
    "permute_bits",
    "popcount",
    "rank_digits",
    "rank_multiset",
    "rank_pair",
    "rank_permutation",
    "rank_subset",
    "smallest_images",
    "subset_images",
    "subsets",
    "unrank_digits",
    "unrank_multiset",
    "unrank_pair",
    "unrank_permutation",
    "unrank_subset",
]
