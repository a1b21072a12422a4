"""torch.compile for musa: Dynamo's interface of the device, and Inductor's code for it by Triton, or by C++ where Triton is absent."""
from torch_musa.imports import when_imported


def _register_interface(module):
    from torch_musa.inductor.interface import interface
    module.register_interface_for_device('musa', interface(module))


def _register_backend(module):
    """For releases without the hook torch.musa._inductor_backend_init."""
    if not hasattr(module, '_privateuse1_backend_init_in_progress'):
        from torch_musa.inductor.backend import register as register_backend
        initialize = module.init_backend_registration

        def with_musa():
            initialize()
            register_backend()
        module.init_backend_registration = with_musa


def register():
    when_imported('torch._dynamo.device_interface', _register_interface)
    when_imported('torch._inductor.codegen.common', _register_backend)
