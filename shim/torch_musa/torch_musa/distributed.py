"""The backend "mccl" of torch.distributed."""
import datetime

import torch.distributed as dist

from torch_musa import _C


def _create(store, rank, size, timeout):
    """For a group; `timeout` is a timedelta."""
    return _C.ProcessGroupMCCL(store, rank, size, timeout or datetime.timedelta(minutes=10))


def is_mccl_available():
    """Is the backend there? It always is."""
    return True


def register():
    if not dist.is_available() or 'mccl' in dist.Backend.backend_list:
        return
    dist.Backend.register_backend('mccl', _create, devices=['musa'])
    dist.is_mccl_available = is_mccl_available
    dist.ProcessGroupMCCL = _C.ProcessGroupMCCL
