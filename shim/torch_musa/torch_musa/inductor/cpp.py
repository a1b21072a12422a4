"""Inductor's C++ for musa where Triton is absent: the device's memory is memory of the process, so the CPU's kernels run on it."""
from torch_musa.imports import when_imported


def wrapper_class():
    from torch._inductor.codegen.wrapper import PythonWrapperCodegen

    class MusaCppWrapperCodegen(PythonWrapperCodegen):
        """Calls kernels of C++ when what is queued on the device's current stream is done."""

        @staticmethod
        def create(is_subgraph, subgraph_name, parent_wrapper, partition_signatures=None):
            if is_subgraph:
                return PythonWrapperCodegen.create(is_subgraph, subgraph_name, parent_wrapper, partition_signatures)
            return MusaCppWrapperCodegen()

        def make_allocation(self, name, device, *arguments, **more):
            """On the device of the graph's, which no guard makes current."""
            text = super().make_allocation(name, device, *arguments, **more)
            return text.replace(f"device='{device.type}'", f"device='{device}'") if device.type == 'musa' else text

        def _generate_kernel_call_helper(self, kernel_name, call_args, *, device=None, triton=True, **more):
            from torch._inductor.virtualized import V
            device = device or V.graph.get_current_device_or_throw()
            if device.type == 'musa':
                self.writeline(f'torch.musa.current_stream({device.index or 0}).synchronize()')
                return self.writeline(self.wrap_kernel_call(kernel_name, call_args))
            return super()._generate_kernel_call_helper(kernel_name, call_args, device=device, triton=triton, **more)

    return MusaCppWrapperCodegen


def _like_cpu(scheduler):
    """What Inductor asks before it reorders loops for a CPU's kernels."""
    is_cpu = scheduler.BaseSchedulerNode.is_cpu

    def is_cpu_or_musa(node):
        device = node.get_device()
        return device is not None and device.type == 'musa' or is_cpu(node)
    scheduler.BaseSchedulerNode.is_cpu = is_cpu_or_musa


def register(common, cpp_wrapper):
    when_imported('torch._inductor.scheduler', _like_cpu)
    from torch._inductor.codegen.cpp import CppScheduling
    common.register_backend_for_device('musa', CppScheduling, wrapper_class(), cpp_wrapper)
