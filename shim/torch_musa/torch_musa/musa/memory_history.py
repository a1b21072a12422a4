"""What the caching allocator did and who asked for it, in the form of torch.cuda.memory's, so that PyTorch's memory viewer
(pytorch.org/memory_viz, torch.cuda._memory_viz) reads it."""
import pickle
import sys

from torch_musa import _C
from torch_musa.musa.utils import index_of

_STACKS = (None, 'state', 'alloc', 'all')


def _record_memory_history(enabled='all', context='all', stacks='all', max_entries=sys.maxsize, device=None, clear_history=False,
                           compile_context=False, global_record_annotations=False):
    """enabled: None, "state" (the stacks of memory that is held) or "all" (what is taken and given back, too); context: which calls have
    their stacks kept: None, "state", "alloc" or "all"; stacks: "python", or "all" with C++ functions; max_entries: of each device, the
    last. The settings are those of all devices."""
    if enabled not in (None, 'state', 'all', False, True):
        raise ValueError(f"expected enabled to be None, 'state' or 'all', but got {enabled!r}")
    if context not in _STACKS:
        raise ValueError(f"expected context to be None, 'state', 'alloc' or 'all', but got {context!r}")
    if stacks not in ('python', 'all'):
        raise ValueError(f"expected stacks to be 'python' or 'all', but got {stacks!r}")
    if compile_context or global_record_annotations:
        raise NotImplementedError('the memory history of torch.musa has no contexts of compilations and no annotations')
    if clear_history or not enabled:
        for index in range(_C.device_count()):
            _C.clear_memory_history(index)
    kept = 'state' if enabled == 'state' and context else context
    _C.record_memory_history(enabled in ('all', True), _STACKS.index(kept) if enabled else 0, stacks == 'all', max_entries)


def _snapshot(device=None):
    """{"segments": of all devices, "device_traces": a list for each device of what was recorded, ...}; another device's trace is empty
    when one is named."""
    chosen = range(_C.device_count()) if device is None else [index_of(device)]
    return {'segments': [segment for index in chosen for segment in _C.memory_snapshot(index)],
            'device_traces': [_C.memory_history(index) if index in chosen else [] for index in range(_C.device_count())],
            'allocator_settings': {}, 'external_annotations': []}


def _dump_snapshot(filename='dump_snapshot.pickle'):
    with open(filename, 'wb') as file:
        pickle.dump(_snapshot(), file)
