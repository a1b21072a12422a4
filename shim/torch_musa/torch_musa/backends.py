"""torch.backends.mudnn and torch.backends.musa, as torch.backends.cudnn and torch.backends.cuda have them.

The flags are PyTorch's own, so that a script that sets cudnn's says the same. Floats are computed as floats, always the same way:
allow_tf32, benchmark and deterministic change nothing.
"""
import contextlib
import ctypes
import functools
import pathlib
import re
import sys

import torch


@functools.lru_cache(maxsize=None)
def _library():
    """libmudnn beside the runtime that is loaded, else where the loader finds one; None where there is none."""
    runtime = re.search(r'(/\S*/)libmusart\.so', pathlib.Path('/proc/self/maps').read_text())
    for place in ([runtime[1]] if runtime else []) + ['']:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(f'{place}libmudnn.so')
    return None


class _Flag:
    """A property that PyTorch keeps."""

    def __init__(self, name):
        self.get, self.set = getattr(torch._C, f'_get_{name}'), getattr(torch._C, f'_set_{name}')

    def __get__(self, module, owner=None):
        return self.get()

    def __set__(self, module, value):
        self.set(value)


class _Module(type(sys)):
    """A module of torch.backends with flags."""

    def __init__(self, name, documentation):
        super().__init__(f'torch.backends.{name}', documentation)
        sys.modules[self.__name__] = self
        setattr(torch.backends, name, self)


class _Mudnn(_Module):
    # The vendor's order: what it has comes first.
    FLAGS = ('allow_tf32', 'enabled', 'benchmark', 'deterministic')
    allow_tf32, enabled = _Flag('cudnn_allow_tf32'), _Flag('cudnn_enabled')
    benchmark, deterministic = _Flag('cudnn_benchmark'), _Flag('cudnn_deterministic')

    @staticmethod
    def is_available():
        return _library() is not None

    @staticmethod
    def version():
        """As a number, 10000 for each major one; None where there is no muDNN."""
        if _library() is None:
            return None
        get = _library().mudnnGetVersion
        get.restype = ctypes.c_size_t
        return get()

    @staticmethod
    def is_acceptable(tensor):
        """Whether muDNN has operations for it. PyTorch's operators here are the CPU's, with or without."""
        return tensor.device.type == 'musa' and _library() is not None and tensor.dtype in (
            torch.float, torch.double, torch.half, torch.bfloat16)

    def set_flags(self, _allow_tf32=None, _enabled=None, _benchmark=None, _deterministic=None):
        """Sets those that are given; all as they were."""
        before = tuple(getattr(self, name) for name in self.FLAGS)
        for name, value in zip(self.FLAGS, (_allow_tf32, _enabled, _benchmark, _deterministic)):
            if value is not None:
                setattr(self, name, value)
        return before

    @contextlib.contextmanager
    def flags(self, allow_tf32=True, enabled=None, benchmark=None, deterministic=None):
        before = self.set_flags(allow_tf32, enabled, benchmark, deterministic)
        try:
            yield
        finally:
            self.set_flags(*before)


class _Matmul:
    """torch.backends.cuda.matmul, whose settings these are. It is of another class, and by that one's functions as PyTorch has them:
    torchada has torch.backends.cuda.matmul ask this one."""

    OTHER = torch.backends.cuda.matmul
    GET, SET = type(OTHER).__getattr__, type(OTHER).__setattr__

    def __getattr__(self, name):
        try:
            return object.__getattribute__(self.OTHER, name)
        except AttributeError:
            return type(self).GET(self.OTHER, name)

    def __setattr__(self, name, value):
        type(self).SET(self.OTHER, name, value)


class _Musa(_Module):
    matmul = _Matmul()  # it has allow_tf32
    # PyTorch's own settings, which are not a device's.
    SAME = ('preferred_linalg_library', 'flash_sdp_enabled', 'enable_flash_sdp', 'mem_efficient_sdp_enabled',
            'enable_mem_efficient_sdp', 'math_sdp_enabled', 'enable_math_sdp', 'sdp_kernel')

    @staticmethod
    def is_built():
        return True

    def __getattr__(self, name):
        if name in self.SAME:
            return getattr(torch.backends.cuda, name)
        raise AttributeError(f'module {self.__name__!r} has no attribute {name!r}')


def register():
    _Mudnn('mudnn', __doc__)
    _Musa('musa', __doc__)
