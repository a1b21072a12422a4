"""torch.compile for musa: Dynamo's interface of the device, and Inductor's code for it by Triton, or by C++ where Triton is absent."""
from torch_musa import older
from torch_musa.imports import when_imported
from torch_musa.inductor import tracing

_FIRST = (2, 15)  # has the hook torch.musa._inductor_backend_init


def _register_interface(module):
    from torch_musa.inductor.interface import interface
    module.register_interface_for_device('musa', interface(module))


def register():
    if older.release() < _FIRST:
        from torch_musa.inductor.operators import without_inductor
        when_imported('torch._inductor.compile_fx', without_inductor)
        return
    when_imported('torch._dynamo.device_interface', _register_interface)
    when_imported('torch._dynamo.trace_rules', tracing.rules)
    when_imported('torch._dynamo.variables.torch', tracing.handlers)
