"""DLPack: PyTorch knows the type of its reserved device (kDLExtDev) by its first name alone, not as "musa"."""
import functools

import torch


def register():
    original = torch.Tensor.__dlpack_device__

    @functools.wraps(original)
    def __dlpack_device__(self):
        if self.device.type != 'musa':
            return original(self)
        return torch.utils.dlpack.DLDeviceType.kDLExtDev, self.device.index

    torch.Tensor.__dlpack_device__ = __dlpack_device__
