"""Inductor's schedulers and wrappers for musa."""
import time

import torch

from torch_musa.imports import when_imported
from torch_musa.inductor import cpp, graphs, templates


def _overrides(common):
    class MusaDeviceOpOverrides(common.DeviceOpOverrides):
        def import_get_raw_stream_as(self, name):
            return f'from torch_musa.inductor.interface import raw_stream as {name}'

        def set_device(self, device_idx):
            return f'torch.musa.set_device({device_idx})'

        def synchronize(self):
            return 'torch.musa.synchronize()'

        def device_guard(self, device_idx):
            return f'torch.musa.device({device_idx})'

        def current_device_idx_expr(self):
            return 'torch.musa.current_device()'

        def current_stream(self):
            return 'torch.musa.current_stream()'

        def stream_handle(self, stream_name):
            return f'{stream_name}.musa_stream'

        def aten_device_type(self):
            return 'at::kPrivateUse1'

    return MusaDeviceOpOverrides


class NoCppWrapper:
    """In the place of the writer of C++ wrappers."""
    supports_caching = False

    @classmethod
    def create(cls, *_):
        raise NotImplementedError('AOTInductor and cpp_wrapper are not supported on musa: the wrapper of compiled code is Python; '
                                  'use torch.compile, and torch.export to keep a graph')


_REPETITIONS = 3


def _benchmark(benchmarker, call, *, return_mode='min', **options):
    """Milliseconds of a call. Inductor's own fills a buffer of a card's cache before each of many calls, which here takes seconds."""
    call()
    times = []
    for _ in range(_REPETITIONS):
        torch.musa.synchronize()
        start = time.perf_counter()
        call()
        torch.musa.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return times if return_mode == 'all' else min(times)


def _register_benchmarker():
    from torch._inductor.runtime import benchmarking
    benchmarking.register_benchmarker('musa', _benchmark, override=True)


def register():
    """Once; torch.compile for a tensor on musa calls it."""
    from torch._inductor.codegen import common
    from torch._inductor.utils import is_gpu
    if common.get_scheduling_for_device('musa') is not None:
        return
    _register_benchmarker()
    common.register_device_op_overrides('musa', _overrides(common)())
    if not is_gpu('musa'):  # no Triton
        cpp.register(common, NoCppWrapper)
        return
    graphs.register()
    when_imported('torch._inductor.heuristics.template.triton', templates.register)
    from torch._inductor.codegen.triton import TritonScheduling
    from torch._inductor.codegen.wrapper import PythonWrapperCodegen
    common.register_backend_for_device('musa', TritonScheduling, PythonWrapperCodegen, NoCppWrapper)
