"""torch.musa.amp: autocast and GradScaler for MUSA devices."""
import functools

import torch

from torch_musa.musa import amp_common as common  # noqa: F401

autocast = functools.partial(torch.amp.autocast, 'musa')
GradScaler = functools.partial(torch.amp.GradScaler, 'musa')
custom_fwd = functools.partial(torch.amp.custom_fwd, device_type='musa')
custom_bwd = functools.partial(torch.amp.custom_bwd, device_type='musa')
