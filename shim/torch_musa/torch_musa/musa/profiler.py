"""torch.musa.profiler: the mirror of torch.cuda.profiler."""
import contextlib

from torch_musa.musa import musart as _musart


def start():
    """Profilers that wait for it begin here (musaProfilerStart)."""
    _musart.check_error(_musart.musaProfilerStart())


def stop():
    """They end here (musaProfilerStop)."""
    _musart.check_error(_musart.musaProfilerStop())


@contextlib.contextmanager
def profile():
    """start() and stop() around a block."""
    start()
    try:
        yield
    finally:
        stop()
