"""How much a request may ask for."""

MAX_BODY = 1 << 16
"""Bytes of a body."""
MAX_URL = 1 << 14
"""Bytes of an address."""
MAX_HEADERS = 100
"""Headers of a request."""
MAX_HEAD = 1 << 15
"""Bytes of an address and its headers."""
MAX_CONNECTIONS = 512
"""Connections of a process; one more takes the place of one that is idle."""
ARRIVAL_SECONDS = 10.0
"""How long a request, and after it its body, may take to arrive."""
IDLE_SECONDS = 30.0
"""How long a connection may wait for its next request, or a client for the rest of an answer."""
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
