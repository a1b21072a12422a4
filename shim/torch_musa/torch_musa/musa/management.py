"""How busy devices are, as libmtml tells it. RuntimeError where a figure is not known ("Not Supported")."""
from torch_musa import _C
from torch_musa.musa.utils import index_of


def utilization(device=None):
    """Percent of the last sample in which kernels ran."""
    return _C.utilization(index_of(device))[0]


def memory_usage(device=None):
    """Percent of the last sample in which the memory was read or written."""
    return _C.utilization(index_of(device))[1]


def device_memory_used(device=None):
    """Bytes of the device that all programs use."""
    return _C.memory_used(index_of(device))


def temperature(device=None):
    """Degrees Celsius: the product's at its load, or as the machine's file sets them."""
    return _C.temperature(index_of(device))


def power_draw(device=None):
    """Milliwatts: the product's at its load, or as the machine's file sets them."""
    return _C.power_draw(index_of(device))


def clock_rate(device=None):
    """Megahertz of the multiprocessors."""
    return _C.clock_rate(index_of(device))


def list_gpu_processes(device=None):
    """A text for people: the processes that use the device, each with its memory."""
    index = index_of(device)
    lines = [f'GPU:{index}']
    for process, used in _C.processes(index):
        lines.append(f'process {process:>10d} uses {used / 2**20:>12.3f} MB GPU memory')
    return '\n'.join(lines if len(lines) > 1 else [*lines, 'no processes are running'])
