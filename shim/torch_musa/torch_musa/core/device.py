"""Devices: torch.musa."""
from torch_musa.core._utils import DeviceUnion as _device_t, _get_musa_device_index  # noqa: F401
from torch_musa.musa import (can_device_access_peer, current_device, device as Device, device_count, device_of as DeviceOf,  # noqa: F401
                             get_arch_list, get_device_capability, get_device_name, get_device_properties, is_available,
                             is_bf16_supported, set_device, synchronize)
