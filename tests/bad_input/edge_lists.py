"""Bad edge lists: texts that could be read as two graphs, and files that say what they are."""

import retrosolve as rs
from tests.bad_input import Input, command


def solve(text: str | bytes, name: str = "g.csv", *options: str) -> Input:
    return command("solve", name, *options, **{name: text})


def on_disk(text: str) -> Input:
    def meet(folder: object) -> object:
        path = f"{folder}/g.csv"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return rs.EdgeParts(path)

    return meet


INPUTS: dict[str, Input] = {
    "comma below blanks": solve("3 3\n1, 2\n2, 3\n3, 1\n", "g.txt"),
    "semicolon below commas": solve("a,b\nb;,c\n"),
    "comment behind an edge": solve("a,b # note\nb,a\n"),
    "row commented out": solve("a,b\n#b,c\n"),
    "tab before a quote": solve('a,\t"b"\n'),
    "parentheses": solve("(1,2)\n"),
    "commas and tabs": solve("a,x\tb\n"),
    "open quote between blanks": solve('a b\nb "a\n', "g.txt"),
    "short row below rewards": solve("from to reward\n1 2 5\n2 3\n", "g.txt"),
    "comma in a vertex table": command(
        "solve", "g.txt", "--vertices", "v.txt", **{"g.txt": "a b\n", "v.txt": "name owner\na, 0\n"}
    ),
    "undirected edges of Gephi": solve("Source,Target,Type\nx,y,Undirected\n"),
    "undirected edges in a frame": lambda folder: rs.Graph.from_pandas(
        {"source": ["x"], "target": ["y"], "Type": ["Undirected"]}
    ),
    "undirected edges on disk": on_disk("Source,Target,Type\nx,y,Undirected\n"),
    "comment behind an edge on disk": on_disk("source,target\na,b\nb,c # note\n"),
    "source twice": solve("source,source\na,b\n"),
    "separator line of Excel": solve("sep=;\na;b\n"),
    "UTF-16": solve("a,b\n".encode("utf-16")),
    "two byte order marks": solve("\ufeff\ufeffsource,target\na,b\n"),
}
