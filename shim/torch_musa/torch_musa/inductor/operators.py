"""torch.compile before PyTorch 2.15, whose Inductor has no place for the code of devices like this one."""
import functools
import warnings

import torch


def is_ours(value):
    return isinstance(value, torch.Tensor) and value.device.type == 'musa'


def without_inductor(module):
    """What torch.compile gives Inductor runs operator by operator."""
    compile_fx = module.compile_fx

    @functools.wraps(compile_fx)
    def compile_for(model, example_inputs, *arguments, **more):
        values = [*example_inputs, *(node.meta.get('example_value') for node in model.graph.nodes)] if hasattr(model, 'graph') else example_inputs
        if not any(is_ours(value) for value in values):
            return compile_fx(model, example_inputs, *arguments, **more)
        warnings.warn('torch.compile: Inductor has code for musa devices since PyTorch 2.15; the graph runs operator by operator '
                      "(as with backend='aot_eager')")
        from torch._dynamo.backends.debugging import aot_eager
        return aot_eager(model, example_inputs)
    module.compile_fx = compile_for
