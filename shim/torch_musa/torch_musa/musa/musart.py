"""What torch.musa.musart() gives: the few functions of the runtime's that torch.cuda.cudart() has, with its codes."""
import enum

from torch_musa import _C


class musaError(enum.IntEnum):
    success = 0


def musaGetErrorString(error):
    return _C.error_string(int(error))


def musaProfilerStart():
    return _C.profiler_start()


def musaProfilerStop():
    return _C.profiler_stop()


def musaHostRegister(pointer, size, flags):
    """pointer: an address; size: bytes; flags: of musaHostRegister."""
    return _C.host_register(pointer, size, flags)


def musaHostUnregister(pointer):
    return _C.host_unregister(pointer)


def musaMemGetInfo(device):
    """(free, total) bytes of the device."""
    return _C.memory_info(device)


def check_error(error):
    """RuntimeError where a function did not give musaError.success."""
    if int(error) != musaError.success:
        raise RuntimeError(f'{musaGetErrorString(error)} ({int(error)})')
