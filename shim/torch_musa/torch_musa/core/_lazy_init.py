"""What is done when a device is first used."""
from torch_musa import musa


def _lazy_call(callable, **_):
    """Calls it: devices are there from the start, and begin when they are used."""
    callable()


_lazy_init = musa._lazy_init
is_initialized = musa.is_initialized
