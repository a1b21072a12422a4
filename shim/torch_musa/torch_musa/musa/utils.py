"""What a device is given as."""
import torch

from torch_musa import _C


def index_of(device, optional=False):
    """The number of a device: of a number, "musa:1", a torch.device, or None (the current one; -1 if `optional`)."""
    if device is None:
        return -1 if optional else _C.current_device()
    if isinstance(device, int):
        return device
    found = torch.device(device)
    if found.type != 'musa':
        raise ValueError(f'Expected a musa device, but got: {found}')
    if found.index is None:
        return -1 if optional else _C.current_device()
    return found.index
