"""The built-in games: one a file, and the table that names them all."""

from retrosolve.games.table import GAMES, GameSpec, parse_game

__all__ = ["GAMES", "GameSpec", "parse_game"]
