"""Boards that are nearly right."""

from tests.bad_input import Input, command

INPUTS: dict[str, Input] = {
    "a board of small letters": command("solve", "b.txt", **{"b.txt": "2 3\np..\n..t\n"}),
    "a board of cyrillic letters": command("solve", "b.txt", **{"b.txt": "2 3\nП..\n..Л\n"}),
    "a board with _ for free cells": command("solve", "b.txt", **{"b.txt": "2 3\nP__\n__T\n"}),
    "a board with # for walls": command("solve", "b.txt", **{"b.txt": "3 3\n###\n#P#\n###\n"}),
    "a board with a row too many": command("solve", "b.txt", **{"b.txt": "1 3\nP..\n..T\n"}),
    "a board in a .csv file": command("solve", "b.csv", **{"b.csv": "2 3\nP..\n.xT\n"}),
}
