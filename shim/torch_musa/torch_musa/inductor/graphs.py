"""Inductor's CUDA-graph mode (mode="reduce-overhead") by graphs of musa's: a compiled graph is captured once and replayed."""
import threading

import torch

from torch_musa.imports import when_imported


def _copy(into, value):
    """Sizes and strides are alike; what is expanded is there once."""
    for dim, stride in enumerate(value.stride()):
        if stride == 0 and value.size(dim) > 1:
            into, value = into.narrow(dim, 0, 1), value.narrow(dim, 0, 1)
    into.copy_(value)


def _like(value):
    return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=value.device)


class Captured:
    """A compiled graph's replays: inputs are copied into memory of its own. Results are in the graph's memory, where the next replay overwrites them,
    as on a card; what a backward pass is going to need is copied out of it."""

    def __init__(self, model, inputs, static, mutated, copied):
        self.model, self.static, self.mutated, self.copied = model, static, mutated, copied
        self.capture(inputs)

    def capture(self, inputs):
        state = torch.musa.get_rng_state()  # the call before the capture draws numbers that are nobody's
        try:
            self.record(inputs)
        finally:
            torch.musa.set_rng_state(state)

    def record(self, inputs):
        self.inputs = [value.detach() if isinstance(value, torch.Tensor) and place in self.static else
                       _like(value) if isinstance(value, torch.Tensor) else value for place, value in enumerate(inputs)]
        self.fill(inputs)
        before = [(self.inputs[place], self.inputs[place].clone()) for place in self.mutated]  # what changes does so once, at the replay
        stream = torch.musa.Stream()
        stream.wait_stream(torch.musa.current_stream())
        with torch.musa.stream(stream):  # what is compiled or tuned at the first call must not be captured
            self.model(list(self.inputs))
            for value, was in before:
                value.copy_(was)
        stream.synchronize()
        self.graph = torch.musa.MUSAGraph()
        with torch.musa.graph(self.graph, stream=stream, capture_error_mode='thread_local'):
            outputs = self.model(list(self.inputs))
        self.outputs = outputs if isinstance(outputs, (list, tuple)) else (outputs,)

    def fill(self, values):
        for place, (mine, given) in enumerate(zip(self.inputs, values)):
            if isinstance(mine, torch.Tensor) and place not in self.static:
                _copy(mine, given)

    def moved(self, values):
        """Whether a parameter lies elsewhere than when it was captured."""
        return any(self.inputs[place].data_ptr() != values[place].data_ptr() for place in self.static if isinstance(values[place], torch.Tensor))

    def __call__(self, values):
        if self.moved(values):
            self.capture(values)
        else:
            self.fill(values)
        self.graph.replay()
        results = [self.result(output, values) for output in self.outputs]
        values.clear()
        return results

    def result(self, output, values):
        if not isinstance(output, torch.Tensor):
            return output
        for mine, given in zip(self.inputs, values):
            if output is mine:
                return given
        if not self.copied:
            return output.detach()
        copy = _like(output)
        _copy(copy, output)
        return copy


def _for_musa(module):
    from torch._inductor import cudagraph_utils as utils
    others = module.cudagraphify

    def cudagraphify(model, static_input_idxs=(), *, is_inference, kernel_free_cudagraph=False, mutated_input_idxs=(), **more):
        local = threading.local()

        def run(inputs):
            if not hasattr(local, 'run'):
                local.run = begin(inputs)
            return local.run(inputs)

        def begin(inputs):
            if not any(isinstance(value, torch.Tensor) and value.device.type == 'musa' for value in inputs):
                return others(model, static_input_idxs, is_inference=is_inference, kernel_free_cudagraph=kernel_free_cudagraph,
                              mutated_input_idxs=mutated_input_idxs, **more)
            if kernel_free_cudagraph:
                return model
            if apart := [place for place in mutated_input_idxs if place not in static_input_idxs]:  # they would change in the graph's copies
                utils.log_cudagraph_skip_and_bump_counter(utils.get_mutation_stack_trace(more['placeholders'], apart))
                return model
            with torch._dynamo.utils.preserve_rng_state():
                return Captured(model, inputs, frozenset(static_input_idxs), mutated_input_idxs, copied=not is_inference)
        return run
    module.cudagraphify = cudagraphify


def _supported(module):
    module._CUDAGRAPH_SUPPORTED_DEVICE_TYPES = module._CUDAGRAPH_SUPPORTED_DEVICE_TYPES | {'musa'}


def register():
    from torch._inductor import config
    config.triton.cudagraph_trees = False  # they are of torch.cuda's allocator
    when_imported('torch._inductor.cudagraph_utils', _supported)
    when_imported('torch._inductor.compile_fx', _for_musa)
