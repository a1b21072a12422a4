"""What Dynamo and Inductor ask of the device."""
import functools

import torch


def exchange_device(index):
    """Makes a device current and gives the one before; a negative number changes nothing and gives -1."""
    if index < 0:
        return -1
    before = torch.musa.current_device()
    torch.musa.set_device(index)
    return before


def raw_stream(index):
    """The current stream of a device as a number."""
    return torch.musa.current_stream(index).musa_stream


def interface(module):
    """The class for torch._dynamo.device_interface."""
    musa = torch.musa

    class MusaInterface(module.DeviceInterface):
        device = musa.device
        Event = musa.Event
        Stream = musa.Stream

        class Worker:
            @staticmethod
            def set_device(device):
                module.caching_worker_current_devices['musa'] = device

            @staticmethod
            def current_device():
                found = module.caching_worker_current_devices.get('musa')
                return musa.current_device() if found is None else found

            @staticmethod
            def get_device_properties(device=None):
                if device is not None and not isinstance(device, int):
                    device = torch.device(device).index
                if device is None:
                    device = MusaInterface.Worker.current_device()
                if 'musa' not in module.caching_worker_device_properties:
                    module.caching_worker_device_properties['musa'] = [musa.get_device_properties(index)
                                                                       for index in range(musa.device_count())]
                return module.caching_worker_device_properties['musa'][device]

        current_device = staticmethod(musa.current_device)
        set_device = staticmethod(musa.set_device)
        device_count = staticmethod(musa.device_count)
        stream = staticmethod(musa.stream)
        current_stream = staticmethod(musa.current_stream)
        set_stream = staticmethod(musa.set_stream)
        synchronize = staticmethod(musa.synchronize)
        get_device_properties = staticmethod(musa.get_device_properties)
        get_raw_stream = staticmethod(raw_stream)
        exchange_device = staticmethod(exchange_device)
        maybe_exchange_device = staticmethod(exchange_device)
        memory_allocated = staticmethod(musa.memory_allocated)

        @staticmethod
        def is_gpu():
            """Whether Inductor writes Triton for it: what is no "GPU" to it gets C++."""
            return triton_problem() is None

        @staticmethod
        def is_available():
            return musa.is_available()

        @staticmethod
        def is_bf16_supported(including_emulation=False):
            return musa.is_bf16_supported(including_emulation)

        @staticmethod
        def get_compute_capability(device=None):
            major, minor = musa.get_device_capability(device)
            return major * 10 + minor

        @staticmethod
        def get_multi_processor_count(device=None):
            return musa.get_device_properties(device).multi_processor_count

        @staticmethod
        def is_triton_capable(device=None):
            return triton_problem() is None

        @staticmethod
        def raise_if_triton_unavailable(device=None):
            problem = triton_problem()
            if problem is not None:
                from torch._dynamo.exc import TritonUnavailableError
                raise TritonUnavailableError(problem)

    return MusaInterface


@functools.lru_cache(maxsize=None)
def triton_problem():
    """What keeps Triton from compiling for musa, or None."""
    try:
        import triton_musa  # noqa: F401  checks Triton's version
    except ImportError as error:
        return f'{error}; without it torch.compile writes C++ for musa'
    return None
