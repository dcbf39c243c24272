"""Pictures of solutions by Matplotlib: each function takes ``ax=``, draws there, and returns it.

Matplotlib is imported when a picture is drawn. It comes with ``pip install 'retrosolve[plots]'``.
"""

from __future__ import annotations

from retrosolve.plots.counts import histogram, levels, tiers
from retrosolve.plots.graphs import graph
from retrosolve.plots.play import history

__all__ = ["graph", "histogram", "history", "levels", "tiers"]
