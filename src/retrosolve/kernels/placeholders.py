"""What pattern kernels name of a game: stand-ins, bound anew for each game by ``fitting``.

``successors``, ``predecessors``, ``terminal``, ``rank``, ``unrank``, ``canonical``, ``player`` are the
game's own functions; those it does not give are as they are here. ``data`` is what they are given,
``found`` the positions found by exploring, where the index comes from that.
"""


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


def player_is_valid(position, data):
    """Tell whether ``player`` says 0 or 1, in a game that gives it."""
    return True


def owned_player_is_valid(position, data):
    """Stand in for ``player_is_valid`` in a game that says who moves."""
    side = player(position, data)
    return side == 0 or side == 1  # noqa: PLR1714  # numba compiles no set


def position_limit(size):
    """Return what positions are less than: the size of the index, where they are their own index."""
    return size


def same_position(index, position, data, found):
    """Tell whether an index is that of a position, in a game where others may have the same rank."""
    return True


def reached_same_position(index, position, data, found):
    """Stand in for ``same_position`` where only what play reaches has an index of its own."""
    return position_of(index, data, found) == position


def subtract_one(array, index):
    """Stand for the one in ``atomic``."""
    raise NotImplementedError
