"""Retrograde analysis by depth-first search: the values are right, the distances are not.

``retrosolve check-solution examples/depth_first.py`` shows the smallest graph on which they differ.
"""


def solve(successors):
    predecessors = {v: [] for v in successors}
    for v, targets in successors.items():
        for w in targets:
            predecessors[w].append(v)
    open_moves = {v: len(targets) for v, targets in successors.items()}
    answers = {v: ("loss", 0) for v in successors if not successors[v]}
    stack = list(answers)
    while stack:
        w = stack.pop()
        result, plies = answers[w]
        for v in predecessors[w]:
            if v in answers:
                continue
            open_moves[v] -= 1
            if result == "loss":
                answers[v] = ("win", plies + 1)
                stack.append(v)
            elif not open_moves[v]:
                answers[v] = ("loss", plies + 1)
                stack.append(v)
    return answers
