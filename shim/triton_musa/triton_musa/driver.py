"""The driver's class that Triton asks for: devices, streams, launches by the driver API."""
import ctypes
import sys

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

from triton_musa import toolkit
from triton_musa.launcher import MUSALauncher

_CPP = {'i1': 'int8_t', 'i8': 'int8_t', 'i16': 'int16_t', 'i32': 'int32_t', 'i64': 'int64_t', 'u1': 'uint8_t', 'u8': 'uint8_t',
        'u16': 'uint16_t', 'u32': 'uint32_t', 'u64': 'uint64_t', 'fp16': 'double', 'bf16': 'double', 'fp32': 'double', 'f32': 'double',
        'fp64': 'double'}
_REGISTERS_OF_A_BLOCK = 65536


class _Utils:
    """What Triton asks of a device, by its names."""

    @staticmethod
    def get_device_properties(device):
        import torch
        found = torch.musa.get_device_properties(device)
        return {'max_shared_mem': found.shared_memory_per_block, 'multiprocessor_count': found.multi_processor_count,
                'warpSize': found.warp_size, 'max_num_regs': _REGISTERS_OF_A_BLOCK, 'mem_bus_width': 0, 'mem_clock_rate': 0, 'sm_clock_rate': 0}

    @staticmethod
    def load_binary(name, image, shared, device):
        """(module, function, registers, spilled bytes, most threads of a block)."""
        import torch
        with torch.musa.device(device):
            module, function = toolkit.load_module(image, name)
            most = torch.musa.get_device_properties(device).max_threads_per_block
        # One thread runs a program; a device's warps are a block, and each of its threads has its share.
        return module, function, min(toolkit.registers(function), _REGISTERS_OF_A_BLOCK // most), 0, most

    @staticmethod
    def unload_module(module):
        if not sys.is_finalizing():
            toolkit.unload_module(module)

    @staticmethod
    def set_printf_fifo_size(size):
        toolkit.check(toolkit.library('libmusa.so').muCtxSetLimit(1, ctypes.c_size_t(size)))  # MU_LIMIT_PRINTF_FIFO_SIZE


class MUSADriver(DriverBase):
    def __init__(self):
        super().__init__()
        self.utils = _Utils()
        self.launcher_cls = MUSALauncher

    @staticmethod
    def is_active():
        try:
            import torch
        except ImportError:
            return False
        return hasattr(torch, 'musa') and torch.musa.is_available()

    def map_python_to_cpp_type(self, ty):
        return 'MUdeviceptr' if ty[0] == '*' else _CPP[ty]

    def get_device_interface(self):
        import torch
        return torch.musa

    def get_current_device(self):
        return self.get_device_interface().current_device()

    def set_current_device(self, device):
        self.get_device_interface().set_device(device)

    def get_current_stream(self, device):
        return self.get_device_interface().current_stream(device).musa_stream

    def get_device_capability(self, device=None):
        return self.get_device_interface().get_device_capability(device)

    def get_current_target(self):
        found = self.get_device_interface().get_device_properties(self.get_current_device())
        return GPUTarget('musa', found.major * 10 + found.minor, found.warp_size)

    def get_active_torch_device(self):
        import torch
        return torch.device('musa', self.get_current_device())

    def get_benchmarker(self):
        from triton.testing import do_bench
        return do_bench

    def get_empty_cache_for_benchmark(self):
        import torch
        return torch.empty(4 << 20, dtype=torch.int8, device='musa')  # the processor's caches, not a card's

    def clear_cache(self, cache):
        cache.zero_()
