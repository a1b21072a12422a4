"""Inductor's schedulers and wrappers for musa."""
from torch_musa.inductor import cpp


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


def _benchmark(benchmarker, call, *, warmup=2, rep=5, **options):
    """Milliseconds of a call, as benchmark_gpu() tells them, of musa whichever devices there are besides."""
    options['device_type'] = 'musa'
    return benchmarker.benchmark_gpu(call, warmup=warmup, rep=rep, **options)


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
        cpp.register(common)
        return
    from torch._inductor.codegen.triton import TritonScheduling
    from torch._inductor.codegen.wrapper import PythonWrapperCodegen
    common.register_backend_for_device('musa', TritonScheduling, PythonWrapperCodegen)
