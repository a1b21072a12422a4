"""torch.musa.nvtx: the mirror of torch.cuda.nvtx. Ranges and marks are MTTX's: in MUSASHIM_TRACE_FILE, and told to profilers."""
import contextlib

from torch_musa import _C


def range_push(msg):
    """Begins a range within those of this thread; its depth, from 0."""
    return _C.range_push(msg)


def range_pop():
    """Ends this thread's innermost range; its depth, from 0."""
    return _C.range_pop()


def range_start(msg):
    """Begins a range that any thread may end; its number, for range_end()."""
    return _C.range_start(msg)


def range_end(range_id):
    """Ends a range of range_start()."""
    _C.range_end(range_id)


def mark(msg):
    """An event at this point in time."""
    _C.mark(msg)


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    """A range of a block, or of a function as its decorator; msg is formatted with the arguments."""
    range_push(msg.format(*args, **kwargs))
    try:
        yield
    finally:
        range_pop()
