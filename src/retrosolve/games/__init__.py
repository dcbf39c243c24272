"""The built-in games: one a file, the larger ones a folder each, and the table that names them all."""

from retrosolve.games.table import GAMES, GameSpec, parse_game

__all__ = ["GAMES", "GameSpec", "parse_game"]
