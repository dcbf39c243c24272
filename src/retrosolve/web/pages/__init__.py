"""The pages of the explorer, one a file."""
