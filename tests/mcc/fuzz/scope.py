"""What is known at a place of a kernel that is being generated."""
import copy

# Who goes the same way: all living threads of the block; of the warp; of each group of 32 lanes that
# `act` names.
BLOCK, WARP, ACT = "block", "warp", "act"
ORDER = {ACT: 0, WARP: 1, BLOCK: 2}


class Scope:
    def __init__(self):
        self.together = BLOCK
        self.act = "act"         # the variable that holds the lanes of this group that are here
        self.masks = ["act", "0xffffffffu"]  # what warp operations may be given
        self.readable = []       # unsigned values of a thread
        self.writable = []
        self.uniform = []        # the same for the block
        self.depth = 0
        self.loops = 0
        self.exits = None        # "any": break and continue may stand anywhere (no warp operation does)
        self.warp_ops = True
        self.returns = True      # the place is in the kernel itself
        self.returned = False    # a thread may have returned below: read after generation
        self.calls = True

    def inside(self, together=None, **changes):
        result = copy.copy(self)
        for name in ("masks", "readable", "writable", "uniform"):
            setattr(result, name, list(getattr(self, name)))
        result.depth += 1
        result.returned = False
        if together is not None and ORDER[together] < ORDER[self.together]:
            result.together = together
        for name, value in changes.items():
            setattr(result, name, value)
        return result
