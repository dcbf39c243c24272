"""Files of edges, read in blocks."""
