"""What a device is given as, and its architecture."""
import os
from typing import Union

import torch

DeviceUnion = Union[torch.device, int, str, None]


def _get_musa_device_index(device, optional=False, allow_cpu=False):
    """The number of a device: of None and "musa" the current one's, of torch.device("musa") too, if that is `optional`; -1 of the CPU, if
    that is allowed."""
    if isinstance(device, torch.musa.device):
        return device.idx
    if isinstance(device, str):
        device = torch.device(device)
        optional = True
    if allow_cpu and isinstance(device, torch.device) and device.type == 'cpu':
        return -1
    if isinstance(device, torch.device) and device.type != 'musa':
        raise ValueError(f"Expected a musa{' or cpu' * allow_cpu} device, but got: {device}")
    index = device if isinstance(device, int) or device is None else device.index
    if index is None and device is not None and not optional:
        raise ValueError(f'Expected a torch.device with a specified index or an integer, but got: {device}')
    return torch.musa.current_device() if index is None else index


def _get_musa_arch():
    """31 for mp_31: of the first device, or TORCH_MUSA_ARCH."""
    given = os.environ.get('TORCH_MUSA_ARCH')
    if given is not None:
        return int(given)
    major, minor = torch.musa.get_device_capability(0)
    return major * 10 + minor
