"""Makes a failing kernel smaller: drops every piece that it fails without."""
from tree import places, size


def reduce(kernel, still_wrong, attempts=80):
    """`still_wrong()` judges the kernel as it stands."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for nodes, i in list(places(kernel.tree))[::-1] if size(kernel.tree) < 6 else list(places(kernel.tree)):
            if attempts == 0 or i >= len(nodes):
                continue
            dropped = nodes.pop(i)
            attempts -= 1
            if still_wrong():
                progress = True
                break
            nodes.insert(i, dropped)
