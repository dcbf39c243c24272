"""Policeman and thief, cops and robber: games of two tokens, and their theory."""

from typing import TYPE_CHECKING

from retrosolve.runtime.lazy import lazy_attributes

if TYPE_CHECKING:
    from retrosolve.pursuit.cops import CopsAndRobber, CopsPosition
    from retrosolve.pursuit.police import PoliceAndThief
    from retrosolve.pursuit.theory import (
        capture_time,
        cop_number,
        cop_strategy,
        dismantling_order,
        is_dismantling_order,
        robber_strategy,
        winning_placement,
    )
else:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "CopsAndRobber": "retrosolve.pursuit.cops:CopsAndRobber",
            "CopsPosition": "retrosolve.pursuit.cops:CopsPosition",
            "PoliceAndThief": "retrosolve.pursuit.police:PoliceAndThief",
            "capture_time": "retrosolve.pursuit.theory:capture_time",
            "cop_number": "retrosolve.pursuit.theory:cop_number",
            "cop_strategy": "retrosolve.pursuit.theory:cop_strategy",
            "dismantling_order": "retrosolve.pursuit.theory:dismantling_order",
            "is_dismantling_order": "retrosolve.pursuit.theory:is_dismantling_order",
            "robber_strategy": "retrosolve.pursuit.theory:robber_strategy",
            "winning_placement": "retrosolve.pursuit.theory:winning_placement",
        },
    )

__all__ = [
    "CopsAndRobber",
    "CopsPosition",
    "PoliceAndThief",
    "capture_time",
    "cop_number",
    "cop_strategy",
    "dismantling_order",
    "is_dismantling_order",
    "robber_strategy",
    "winning_placement",
]
