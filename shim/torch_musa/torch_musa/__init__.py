"""PyTorch's device "musa" on emulated MUSA devices: by `import torch_musa`, or by `import torch` alone (its entry point).

torch.musa mirrors torch.cuda; the distributed backend is "mccl". Operators run as the CPU's kernels on the devices' memory.
"""
import os
import sys

# PyTorch's worker threads touch the devices' memory, too; set before the libraries load.
os.environ.setdefault('MUSASHIM_PROTECT', '0')


def _autoload():
    """PyTorch's entry point, at the end of `import torch`: this module has been imported by then, or is being."""


import torch  # noqa: E402

from torch_musa import older  # noqa: E402

_FIRST, _LAST = (2, 7), (2, 15)
# The vendor's releases have the number of the PyTorch they are for.
__version__ = f'{torch.__version__.split("+")[0]}+musa5.2.0'


def _check_version():
    if not _FIRST <= older.release() <= _LAST:
        raise ImportError(f'torch_musa is for PyTorch {_FIRST[0]}.{_FIRST[1]} to {_LAST[0]}.{_LAST[1]}, and this is '
                          f'{torch.__version__}; install one of those')


def _start():
    if hasattr(torch, 'musa'):
        return
    _check_version()
    # Extensions use its streams and guards.
    flags = sys.getdlopenflags()
    sys.setdlopenflags(flags | os.RTLD_GLOBAL)
    from torch_musa import _C  # noqa: F401  registers what is C++
    sys.setdlopenflags(flags)
    from torch_musa import core, musa
    torch.utils.rename_privateuse1_backend('musa')
    torch._register_device_module('musa', musa)
    sys.modules['torch.musa'] = musa
    musa.core, musa.__version__ = core, __version__  # the vendor's torch.musa is its torch_musa
    for name in ('amp', 'core', 'mccl'):
        sys.modules[f'torch.musa.{name}'] = getattr(musa, name)
    torch.utils.generate_methods_for_privateuse1_backend(for_tensor=True, for_module=True, for_packed_sequence=True,
                                                         for_storage=True)
    torch.version.musa = musa.runtime_version()
    from torch_musa.core import _lazy_init, _utils, device, memory, random, stream  # noqa: F401
    from torch_musa.musa import convolution, normalization, products, tensors
    from torch_musa.musa.random import pickle_generators
    convolution.register()
    normalization.register()
    pickle_generators()
    products.register()
    tensors.register()
    from torch_musa import distributed
    distributed.register()
    from torch_musa import backends, dlpack, inductor, named_devices, sharded_random
    backends.register()
    dlpack.register()
    inductor.register()
    named_devices.register()
    sharded_random.register()
    older.register()


def __getattr__(name):
    """The vendor's package has what torch.musa has under its own name as well: `from torch_musa import current_device`."""
    if not name.startswith('_') and hasattr(torch, 'musa') and hasattr(torch.musa, name):
        return getattr(torch.musa, name)
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


_start()
