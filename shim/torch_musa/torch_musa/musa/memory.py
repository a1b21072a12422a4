"""Memory of the caching allocator, in bytes."""
from torch_musa import _C
from torch_musa.musa.utils import index_of


def memory_stats(device=None):
    """{name: number}, by the names of torch.cuda.memory_stats()."""
    return dict(sorted(_C.memory_stats(index_of(device)).items()))


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
    stats = memory_stats(device)
    rows = [('Allocated memory', 'allocated_bytes'), ('Active memory', 'active_bytes'), ('Reserved memory', 'reserved_bytes')]
    lines = [f'MUSA memory, device {index_of(device)}', f'{"":20}{"current":>16}{"peak":>16}']
    lines += [f'{title:20}{stats[f"{key}.all.current"]:16}{stats[f"{key}.all.peak"]:16}' for title, key in rows]
    return '\n'.join(lines) + '\n'
