"""The backend "mccl" of torch.distributed."""
import datetime

import torch.distributed as dist

from torch_musa import _C


def _create(group, options):
    """For a group that torch.distributed describes; `options` is a ProcessGroupMCCL.Options or None."""
    if options is None:
        options = _C.ProcessGroupMCCL.Options()
    elif not isinstance(options, _C.ProcessGroupMCCL.Options):
        raise TypeError(f'Expected pg_options of type ProcessGroupMCCL.Options, but got {type(options).__name__}')
    options._timeout = group.timeout or datetime.timedelta(minutes=10)
    options.group_name = group.group_id
    options.global_ranks_in_group = group.global_ranks_in_group
    return _C.ProcessGroupMCCL(group.store, group.group_rank, group.group_size, options)


def is_mccl_available():
    """Is the backend there? It always is."""
    return True


def register():
    if not dist.is_available() or 'mccl' in dist.Backend.backend_list:
        return
    dist.Backend.register_backend('mccl', _create, devices=['musa'], extended_api=True)
    dist.is_mccl_available = is_mccl_available
    dist.ProcessGroupMCCL = _C.ProcessGroupMCCL
