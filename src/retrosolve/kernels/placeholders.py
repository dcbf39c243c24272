"""What kernels call of a game: placeholders, replaced for each game by ``compilation.specialize``.

``successors``, ``predecessors``, ``terminal``, ``rank``, ``unrank``, ``canonical``, ``player`` are the
game's own functions; those it does not give are as they are here. ``data`` is what they are given,
``index_table`` the positions found by exploring, where the index comes from that.
"""


def successors(position, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def predecessors(position, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def survey(index, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def predecessor_indices(index, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def terminal(position, data):
    """Stand for the game's own function."""
    return 0


def rank(position, data):
    """Stand for the game's own function."""
    return position


def unrank(index, data):
    """Stand for the game's own function."""
    return index


def canonical(position, data):
    """Stand for the game's own function."""
    return position


def player(position, data):
    """Stand for the game's own function."""
    return 0


def index_of(position, data, index_table):
    """Return the index of a canonical position."""
    return rank(position, data)


def position_of(index, data, index_table):
    """Return the position of an index."""
    return unrank(index, data)


def same_side(left, right, data):
    """Return whether the same player moves in two positions."""
    return False


def owned_same_side(left, right, data):
    """Override ``same_side`` in a game with ``player``."""
    return player(left, data) == player(right, data)


def player_is_valid(position, data):
    """Return whether ``player`` returns 0 or 1, in a game that has it."""
    return True


def owned_player_is_valid(position, data):
    """Override ``player_is_valid`` in a game with ``player``."""
    side = player(position, data)
    return side == 0 or side == 1  # noqa: PLR1714  # numba compiles no set


def position_limit(size):
    """Return what positions are less than: the size of the index, where they are their own index."""
    return size


def same_position(index, position, data, index_table):
    """Return whether an index is that of a position, in a game where others may have the same rank."""
    return True


def reached_same_position(index, position, data, index_table):
    """Override ``same_position`` where only what play reaches has an index of its own."""
    return position_of(index, data, index_table) == position


def prefetch(array, index):
    """Stand for what ``kernels.atomic`` has."""
    raise NotImplementedError


def exchange(array, index, expected, new):
    """Stand for what ``kernels.atomic`` has."""
    raise NotImplementedError


def borrowed(value):
    """Stand for the one in ``borrowed``."""
    raise NotImplementedError
