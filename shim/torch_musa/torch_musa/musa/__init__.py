"""torch.musa: the mirror of torch.cuda for MUSA devices."""
import torch

from torch_musa import _C
from torch_musa.core import stream as streams  # noqa: F401
from torch_musa.core.stream import (Event, ExternalStream, Stream, StreamContext, current_stream, default_stream,  # noqa: F401
                                    get_stream_from_external, set_stream, stream)
from torch_musa.musa import amp, mccl, nvtx, profiler  # noqa: F401
from torch_musa.musa import musart as _musart
from torch_musa.musa.graphs import (CUDAGraph, MUSAGraph, graph, graph_pool_handle, is_current_stream_capturing,  # noqa: F401
                                    make_graphed_callables)
from torch_musa.musa.management import (clock_rate, device_memory_used, list_gpu_processes, memory_usage, power_draw,  # noqa: F401
                                        temperature, utilization)
from torch_musa.musa.memory import (caching_allocator_alloc, caching_allocator_delete, empty_cache, get_allocator_backend,  # noqa: F401
                                    get_per_process_memory_fraction, max_memory_allocated, max_memory_cached, max_memory_reserved,
                                    mem_get_info, memory_allocated, memory_cached, memory_reserved,
                                    memory_snapshot, memory_stats, memory_stats_as_nested_dict, memory_summary, reset_accumulated_memory_stats, reset_max_memory_allocated,
                                    reset_max_memory_cached,
                                    reset_peak_memory_stats, set_per_process_memory_fraction)
from torch_musa.musa.memory_pools import MemPool, use_mem_pool  # noqa: F401
from torch_musa.musa.random import (get_rng_state, get_rng_state_all, initial_seed, manual_seed, manual_seed_all, seed,  # noqa: F401
                                    seed_all, set_rng_state, set_rng_state_all)
from torch_musa.musa.tensors import (BFloat16Tensor, BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor,  # noqa: F401
                                     HalfTensor, IntTensor, LongTensor, ShortTensor)
from torch_musa.musa.utils import index_of

OutOfMemoryError = torch.OutOfMemoryError


def _lazy_init():
    """The first use of a device begins it; a child of fork cannot, as with CUDA."""
    _C.current_device()


init = _lazy_init


def _is_in_bad_fork():
    return _C.used_before_fork()


def _inductor_backend_init():
    """Inductor calls it before it writes code for musa."""
    from torch_musa.inductor.backend import register
    register()


def is_initialized():
    return _C.used()


def __getattr__(name):
    if name == '_initialized':  # torch.utils.checkpoint keeps the devices' generators if it is so
        return _C.used()
    raise AttributeError(f"module 'torch.musa' has no attribute '{name}'")


def is_available():
    """Is there at least one device?"""
    return device_count() > 0


def device_count():
    return _C.device_count()


def current_device():
    """The number of the current device."""
    _lazy_init()
    return _C.current_device()


def set_device(device):
    """device: a number, "musa:1" or a torch.device; negative numbers change nothing."""
    if not isinstance(device, int) and torch.device(device).index is None and torch.device(device).type == 'musa':
        raise ValueError(f'Expected a torch.device with a specified index or an integer, but got:{device}')
    index = index_of(device)
    if index >= 0:
        _C.set_device(index)


def musart():
    """The runtime's functions that torch.cuda.cudart() has."""
    _lazy_init()
    return _musart


check_error = _musart.check_error


def synchronize(device=None):
    """Waits for all work of the device's."""
    _C.synchronize(index_of(device))


def current_blas_handle():
    """The mublasHandle_t of this thread, the current device and its current stream, as a number."""
    _lazy_init()
    return _C.current_blas_handle()


_SYNC_DEBUG_MODES = ('default', 'warn', 'error')


def set_sync_debug_mode(debug_mode):
    """"default" or 0, "warn" or 1, "error" or 2: what operations do that make the caller wait for the device: blocking copies
    from and to the CPU, .item(), results whose size the values tell, waits for a stream. torch.musa.synchronize() is not meant."""
    if isinstance(debug_mode, str):
        if debug_mode not in _SYNC_DEBUG_MODES:
            raise RuntimeError('invalid value of debug_mode, expected one of `default`, `warn`, `error`')
        debug_mode = _SYNC_DEBUG_MODES.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError('invalid value of debug_mode, expected 0,1,2')
    _C.set_sync_debug_mode(debug_mode)


def get_sync_debug_mode():
    """0, 1 or 2, as set_sync_debug_mode() takes them."""
    return _C.sync_debug_mode()


class _Properties:
    """As torch.cuda's _CudaDeviceProperties."""

    def __init__(self, values):
        self.__dict__.update(values)

    def __repr__(self):
        return (f"_MusaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count})")


def get_device_properties(device=None):
    index = index_of(device)
    if not 0 <= index < device_count():
        raise AssertionError('Invalid device id')
    return _Properties(_C.properties(index))


def get_device_name(device=None):
    return get_device_properties(device).name


def get_device_capability(device=None):
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_arch_list():
    return ['mp_21', 'mp_22', 'mp_31']


def can_device_access_peer(device, peer_device):
    device, peer = index_of(device), index_of(peer_device)
    for index in (device, peer):
        if not 0 <= index < device_count():
            raise AssertionError('Invalid peer device id' if index == peer else 'Invalid device id')
    return _C.can_access_peer(device, peer)


def runtime_version():
    """"5.2" for 50200."""
    version = _C.runtime_version()
    return f'{version // 10000}.{version // 100 % 100}'


def is_bf16_supported(including_emulation=True):
    return True


def is_tf32_supported():
    """Matrix products in TF32: mp_22's and later ones'."""
    return get_device_capability() >= (2, 2)


def ipc_collect():
    """Memory of other processes is given back by itself."""


def _exchange_device(device):
    """Makes the device of a number current and returns that of the one before; a negative number changes nothing, and -1 is returned."""
    if device < 0:
        return -1
    before = _C.current_device()
    _C.set_device(device)
    return before


def _maybe_exchange_device(device):
    """The same: to be current does not begin a device. Dynamo tells the two apart."""
    return _exchange_device(device)


class device:
    """The device of a block: `with torch.musa.device(1):`."""

    def __init__(self, device):
        self.idx = index_of(device, optional=True)
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = _C.current_device()
        if self.idx >= 0:
            _C.set_device(self.idx)

    def __exit__(self, *_):
        _C.set_device(self.prev_idx)
        return False


class device_of(device):
    """The device of a tensor; nothing for those of the CPU."""

    def __init__(self, tensor):
        super().__init__(tensor.get_device() if tensor.is_musa else -1)


class _Generators:
    def __len__(self):
        return device_count()

    def __getitem__(self, index):
        if not 0 <= index < device_count():
            raise IndexError(index)
        return _C.default_generator(index)

    def __iter__(self):
        return (self[index] for index in range(device_count()))


default_generators = _Generators()


def get_amp_supported_dtype():
    return [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def is_autocast_enabled():
    return torch.is_autocast_enabled('musa')


def set_autocast_enabled(enabled):
    torch.set_autocast_enabled('musa', enabled)


def get_autocast_dtype():
    return torch.get_autocast_dtype('musa')


def set_autocast_dtype(dtype):
    torch.set_autocast_dtype('musa', dtype)
