"""Graphs of other libraries as the arguments of ``Graph.from_edges`` and ``Graph.from_csr``."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.csr.validation import all_or_none
from retrosolve.errors import GraphError


def networkx_arguments(G: Any, owner: str, terminal: str) -> dict[str, Any]:  # noqa: N803
    """Return the arguments of ``Graph.from_edges`` for a NetworkX graph of any kind.

    Parameters
    ----------
    G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    owner, terminal : str
        The node attributes that hold owners and terminal values.
    """
    nodes: list[Hashable] = list(G.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    parallel = G.is_multigraph()
    pairs = [
        (number[u], number[v])
        for u, neighbors in G.adjacency()
        for v, keys in neighbors.items()
        for _ in (keys if parallel else (0,))
    ]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    numbered = all(type(node) is int and node == i for i, node in enumerate(nodes))
    attributes = dict(G.nodes(data=True))
    owners = [attributes[node].get(owner) for node in nodes]
    values = {node: attributes[node].get(terminal) for node in nodes}
    return {
        "source": edges[:, 0],
        "target": edges[:, 1],
        "vertices": len(nodes),
        "owner": all_or_none(owners, nodes),
        "terminal": {node: value for node, value in values.items() if value is not None} or None,
        "names": None if numbered else nodes,
    }


def scipy_rows(A: Any) -> tuple[IntArray, IntArray]:  # noqa: N803
    """Return indptr and indices of a square SciPy sparse matrix or array, explicit zeros left out.

    Raises GraphError if the matrix is not square.
    """
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise GraphError(f"the adjacency matrix has shape {A.shape}: expected a square one")
    rows = A.tocsr(copy=True)
    rows.eliminate_zeros()
    return rows.indptr, rows.indices
