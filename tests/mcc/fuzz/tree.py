"""Generated code as a tree, so that a failing kernel can be made smaller piece by piece."""


class Node:
    """Text and lists of nodes in turn. A list's nodes can be dropped one by one: each stands by itself."""

    def __init__(self, *parts):
        self.parts = list(parts)

    def lists(self):
        return [part for part in self.parts if isinstance(part, list)]

    def render(self, indent=1):
        lines = []
        for part in self.parts:
            if isinstance(part, list):
                for node in part:
                    lines.append(node.render(indent + 1))
            else:
                lines += ["  " * indent + line.strip() for line in part.splitlines() if line.strip()]
        return "\n".join(lines)


def places(node):
    """(list, index) of every node below, outer ones first."""
    level = [node]
    while level:
        below = []
        for parent in level:
            for nodes in parent.lists():
                for i, child in enumerate(nodes):
                    yield nodes, i
                    below.append(child)
        level = below


def size(node):
    return 1 + sum(size(child) for nodes in node.lists() for child in nodes)
