"""Rules: games written as code, and finding their positions."""
