// The page of a graph.
import { drawGraph } from "./graph.js";

drawGraph(document.querySelector(".graph[data-source]"));
