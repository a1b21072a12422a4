"""Memory of the caching allocator, in bytes."""
from typing_extensions import deprecated

from torch_musa import _C
from torch_musa.musa.memory_history import _dump_snapshot, _record_memory_history, _snapshot  # noqa: F401
from torch_musa.musa.memory_pools import (MemPool, _cuda_beginAllocateCurrentThreadToPool, _cuda_endAllocateToPool,  # noqa: F401
                                          _cuda_releasePool, use_mem_pool)
from torch_musa.musa.utils import index_of


def memory_stats(device=None):
    """{name: number}, by the names of torch.cuda.memory_stats()."""
    return dict(sorted(_C.memory_stats(index_of(device)).items()))


def memory_stats_as_nested_dict(device=None):
    """{"allocation": {"all": {"current": number, ...}, ...}, ...}"""
    nested = {}
    for name, value in memory_stats(device).items():
        *path, last = name.split('.')
        place = nested
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


def memory_snapshot(mempool_id=None, include_traces=True):
    """The segments of all devices, or of a pool, each with its blocks. They carry no traces; torch.musa.memory._snapshot has those."""
    segments = [segment for device in range(_C.device_count()) for segment in _C.memory_snapshot(device)]
    return [segment for segment in segments if mempool_id is None or tuple(segment['segment_pool_id']) == tuple(mempool_id)]


def get_allocator_backend():
    return 'native'


def memory_allocated(device=None):
    return memory_stats(device)['allocated_bytes.all.current']


def max_memory_allocated(device=None):
    return memory_stats(device)['allocated_bytes.all.peak']


def memory_reserved(device=None):
    return memory_stats(device)['reserved_bytes.all.current']


def max_memory_reserved(device=None):
    return memory_stats(device)['reserved_bytes.all.peak']


def mem_get_info(device=None):
    """(free, total) of the device."""
    return _C.memory_info(index_of(device))


def empty_cache():
    _C.empty_cache()


def reset_peak_memory_stats(device=None):
    _C.reset_peak_stats(index_of(device))


def reset_accumulated_memory_stats(device=None):
    _C.reset_accumulated_stats(index_of(device))


def reset_max_memory_allocated(device=None):
    reset_peak_memory_stats(device)


def set_per_process_memory_fraction(fraction, device=None):
    if not 0 <= fraction <= 1:
        raise ValueError(f'Invalid fraction value: {fraction}. Allowed range: 0~1')
    _C.set_memory_fraction(fraction, index_of(device))


def get_per_process_memory_fraction(device=None):
    """What set_per_process_memory_fraction() set; 1.0 before."""
    return _C.memory_fraction(index_of(device))


@deprecated('`torch.musa.memory_cached` has been renamed to `torch.musa.memory_reserved`', category=FutureWarning)
def memory_cached(device=None):
    return memory_reserved(device)


@deprecated('`torch.musa.max_memory_cached` has been renamed to `torch.musa.max_memory_reserved`', category=FutureWarning)
def max_memory_cached(device=None):
    return max_memory_reserved(device)


def reset_max_memory_cached(device=None):
    reset_peak_memory_stats(device)


def caching_allocator_alloc(size, device=None, stream=None):
    """The address of `size` bytes."""
    import torch
    block = torch.empty(size, dtype=torch.uint8, device=f'musa:{index_of(device)}')
    _blocks[block.data_ptr()] = block
    return block.data_ptr()


def caching_allocator_delete(address):
    del _blocks[address]


_blocks = {}


def memory_summary(device=None, abbreviated=False):
    """The figures as a table, as torch.cuda prints it."""
    stats = memory_stats(device)
    rows = [('Allocated memory', 'allocated_bytes'), ('Active memory', 'active_bytes'), ('Requested memory', 'requested_bytes'),
            ('GPU reserved memory', 'reserved_bytes'), ('Non-releasable memory', 'inactive_split_bytes'),
            ('Allocations', 'allocation'), ('Active allocs', 'active'), ('GPU reserved segments', 'segment'),
            ('Non-releasable allocs', 'inactive_split')]
    pools = [('', 'all')] if abbreviated else [('', 'all'), ('  from large pool', 'large_pool'), ('  from small pool', 'small_pool')]
    columns = ('current', 'peak', 'allocated', 'freed')
    lines = [f'PyTorch MUSA memory summary, device ID {index_of(device)}',
             f'MUSA OOMs: {stats["num_ooms"]}, musaMalloc retries: {stats["num_alloc_retries"]}',
             f'{"":24}' + ''.join(f'{column:>16}' for column in columns)]
    lines += [f'{title + of_pool if not of_pool else of_pool:24}' + ''.join(f'{stats[f"{key}.{pool}.{column}"]:16}' for column in columns)
              for title, key in rows for of_pool, pool in pools]
    return '\n'.join(lines) + '\n'
