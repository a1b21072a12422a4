"""Pools of memory, as torch.cuda's."""
import contextlib

from torch_musa import _C
from torch_musa.musa.utils import index_of


class MemPool:
    """Memory apart from all other, of the device that is current when it is made: `with torch.musa.use_mem_pool(pool):`. What lies in it
    outlives it."""

    def __init__(self, allocator=None, use_on_oom=False, no_split=False):
        if allocator is not None or use_on_oom or no_split:
            raise NotImplementedError('pools of torch.musa have no allocator of their own, are not for when memory is out, and split segments')
        self.device, self._id = _C.current_device(), _C.graph_pool_handle()
        _C.keep_pool(self.device, self._id)

    def __del__(self):
        if hasattr(self, '_id'):
            _C.release_pool(self.device, self._id)

    @property
    def id(self):
        """What captures and graphs know it by."""
        return self._id

    @property
    def allocator(self):
        return None

    def use_count(self):
        """Graphs and whoever allocates to it; 1 without them."""
        return _C.pool_use_count(self.device, self._id)

    def snapshot(self, include_traces=True):
        """Its segments, as torch.musa.memory_snapshot's."""
        from torch_musa.musa.memory import memory_snapshot
        return memory_snapshot(self.id, include_traces)


@contextlib.contextmanager
def use_mem_pool(pool, device=None):
    """What this thread allocates on the device comes from the pool."""
    index = index_of(device)
    _cuda_beginAllocateCurrentThreadToPool(index, pool.id)
    try:
        yield
    finally:
        _cuda_endAllocateToPool(index, pool.id)
        _cuda_releasePool(index, pool.id)


# The names by which torch.cuda.memory has them, for code that was ported by names alone.
_cuda_beginAllocateCurrentThreadToPool = _C.begin_allocate_to_pool
_cuda_endAllocateToPool = _C.end_allocate_to_pool
_cuda_releasePool = _C.release_pool
