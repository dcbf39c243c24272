"""Tables: the value and remoteness of every vertex, in several forms."""
