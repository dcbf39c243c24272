"""Rules: games written as code, and the exploration of their positions."""
