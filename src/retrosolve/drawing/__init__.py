"""Pictures: how values look, and SVG drawings of boards with points to click."""
