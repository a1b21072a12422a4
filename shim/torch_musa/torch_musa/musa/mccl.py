"""torch.musa.mccl: the mirror of torch.cuda.nccl, as far as programs ask it what there is."""
import torch

from torch_musa import _C


def version():
    """MCCL's version, as (major, minor, patch)."""
    number = _C.mccl_version()
    return number // 10000, number // 100 % 100, number % 100


def is_available(tensors):
    """Can the collectives be used with these: dense, contiguous, each on a MUSA device of its own?"""
    devices = [tensor.device for tensor in tensors]
    return len(set(devices)) == len(devices) and all(
        tensor.device.type == 'musa' and tensor.layout == torch.strided and tensor.is_contiguous() for tensor in tensors)
