"""Functions of torch.musa that Dynamo puts into graphs or takes as constants, as it does torch.cuda's by their names."""
import functools

import torch

_IN_GRAPHS = ('stream', 'current_stream')
_CONSTANT = ('current_device', 'device_count', 'is_available')
_GUARDED = ('current_device',)  # another value compiles anew


def rules(module):
    """For torch._dynamo.trace_rules."""
    of_pytorch = module.get_torch_obj_rule_map

    @functools.cache
    def get_torch_obj_rule_map():
        of_pytorch.cache_clear()  # as this one was
        found = of_pytorch()
        for name in _IN_GRAPHS + _CONSTANT:
            found.setdefault(getattr(torch.musa, name), module.TorchInGraphFunctionVariable)
        return found
    module.get_torch_obj_rule_map = get_torch_obj_rule_map


def handlers(module):
    """For torch._dynamo.variables.torch; those of `stream` it takes from the device's interface."""
    for name in _CONSTANT:
        module.constant_fold_functions[getattr(torch.musa, name)] = None
    for name in _GUARDED:
        module.constant_fold_functions_need_guards[getattr(torch.musa, name)] = None
    variable = module.TorchInGraphFunctionVariable
    of_pytorch = variable._get_handlers

    @functools.cache
    def _get_handlers():
        found = of_pytorch()
        found.setdefault(torch.musa.current_stream, found[torch.accelerator.current_stream])
        return found
    variable._get_handlers = staticmethod(_get_handlers)
