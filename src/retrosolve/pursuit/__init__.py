"""Policeman and thief, cops and robber: games of two tokens, and their theory."""

from retrosolve.pursuit.cops import CopsAndRobber, CopsPosition
from retrosolve.pursuit.theory import (
    capture_time,
    cop_number,
    cop_strategy,
    dismantling_order,
    is_dismantling_order,
    robber_strategy,
    winning_placement,
)

__all__ = [
    "CopsAndRobber",
    "CopsPosition",
    "capture_time",
    "cop_number",
    "cop_strategy",
    "dismantling_order",
    "is_dismantling_order",
    "robber_strategy",
    "winning_placement",
]
