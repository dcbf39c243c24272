"""What pattern kernels name of a game: stand-ins, bound anew for each game by ``fitting``.

``successors``, ``predecessors``, ``terminal``, ``rank``, ``unrank``, ``canonical``, ``player`` are the
game's own functions; those it does not give are as they are here. ``data`` is what they are given,
``found`` the positions found by exploring, where the index comes from that.
"""

NO_POSITION = 255


def successors(position, out, data):
    """Stand for the game's own."""
    raise NotImplementedError


def predecessors(position, out, data):
    """Stand for the game's own."""
    raise NotImplementedError


def terminal(position, data):
    """Stand for the game's own."""
    return 0


def rank(position, data):
    """Stand for the game's own."""
    return position


def unrank(index, data):
    """Stand for the game's own."""
    return index


def canonical(position, data):
    """Stand for the game's own."""
    return position


def player(position, data):
    """Stand for the game's own."""
    return 0


def index_of(position, data, found):
    """Give the index of a canonical position."""
    return rank(position, data)


def position_of(index, data, found):
    """Give the position of an index."""
    return unrank(index, data)


def same_side(left, right, data):
    """Tell whether the same player moves in two positions."""
    return False


def owned_same_side(left, right, data):
    """Stand in for ``same_side`` in a game that says who moves."""
    return player(left, data) == player(right, data)


def subtract_one(array, index):
    """Stand for the one in ``atomic``."""
    raise NotImplementedError


def told(position, data):
    """Give what ``terminal`` says of a position; NO_POSITION also of one that another stands for."""
    given = int(terminal(position, data))
    if given == NO_POSITION or canonical(position, data) != position:
        return NO_POSITION
    return given
