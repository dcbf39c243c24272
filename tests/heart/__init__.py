"""The heart: in seconds, what a fault in the proof or in a solver has to fail. `make quick` runs all of it."""
