"""How much a request may ask for."""

MAX_BODY = 1 << 16
"""Bytes of a body."""
MAX_URL = 1 << 14
"""Bytes of an address."""
ARRIVAL_SECONDS = 10.0
"""How long a request, and after it its body, may take to arrive."""
MAX_TEXT = 4000
"""Characters of a position."""
MAX_PLIES = 1000
"""Moves of a line in an address."""
MAX_BATCH = 1000
"""Positions to look up at once."""
MAX_LINE = 1000
"""Moves of a line of perfect play."""
MAX_POSITIONS, POSITIONS = 200, 60
"""Positions of a neighbourhood: at most, and unless another number is asked for."""
