// The neighbourhood of a position, drawn with Cytoscape.js.
