"""What gdb shows of a kernel's thread: `source musa_gdb.py`, or gdb -x musa_gdb.py.

  musa thread            kernel position: threadIdx, blockIdx, blockDim, gridDim
  p $threadIdx("x")      the same as functions, for breakpoint conditions:
  break k.mu:9 if $threadIdx("x") == 3 && $blockIdx("x") == 1

Kernels built by `mcc -g -O0` and kernels that run on fibers know their thread; in
optimised kernels without barriers the threads of a block are iterations of a loop.
"""
import gdb

UNKNOWN = 0xFFFFFFFF


def state():
    return gdb.parse_and_eval("__musa_thread")


def dim(field):
    """{'x': .., 'y': .., 'z': ..} of threadIdx or a member of the block's context."""
    here = state()
    if int(here["block"]) == 0:
        raise gdb.GdbError("this thread runs no device code")
    if field == "thread_idx" and int(here["linear_idx"]) == UNKNOWN:
        raise gdb.GdbError("threads of this kernel are iterations of a loop: build it with -g -O0")
    value = here["thread_idx"] if field == "thread_idx" else here["block"].dereference()[field]
    return {axis: int(value[axis]) for axis in "xyz"}


FIELDS = {"threadIdx": "thread_idx", "blockIdx": "block_idx", "blockDim": "block_dim", "gridDim": "grid_dim"}


class Index(gdb.Function):
    """$threadIdx("x") and its like."""

    def __init__(self, name):
        super().__init__(name)
        self.field = FIELDS[name]

    def invoke(self, axis):
        return dim(self.field)[axis.string()]


class Musa(gdb.Command):
    """Commands about device code."""

    def __init__(self):
        super().__init__("musa", gdb.COMMAND_STATUS, prefix=True)


class MusaThread(gdb.Command):
    """Shows which thread of which block runs here."""

    def __init__(self):
        super().__init__("musa thread", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        for name, field in FIELDS.items():
            values = dim(field)
            print(f"{name} = ({values['x']},{values['y']},{values['z']})")


for name in FIELDS:
    Index(name)
Musa()
MusaThread()
