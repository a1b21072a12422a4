"""Graphs of what was captured on a stream, as torch.cuda's."""
import gc

import torch

from torch_musa import _C
from torch_musa.core.stream import Stream, current_stream, stream as stream_context


def _load_meta_kernels():
    """What tells the sizes of results while nothing is computed; PyTorch has some in Python, which take a second to import."""
    import torch._meta_registrations  # noqa: F401


class MUSAGraph(_C.Graph):
    """Captured work, which replay() runs again on what lies in its inputs then."""

    def __init__(self, keep_graph=False):
        """keep_graph: what was captured stays for raw_cuda_graph(), and is made executable by instantiate() or the first replay()."""
        super().__init__(keep_graph)

    def capture_begin(self, pool=None, capture_error_mode='global'):
        """pool: a graph_pool_handle(), or another graph's pool(); graphs of one pool must be replayed in the order of their capture."""
        _load_meta_kernels()
        super().capture_begin(pool or (0, 0), capture_error_mode)


CUDAGraph = MUSAGraph  # what code that was ported by names alone asks for


def graph_pool_handle():
    """The token of a new pool of memory."""
    return _C.graph_pool_handle()


def is_current_stream_capturing():
    return _C.is_current_stream_capturing()


class graph:
    """`with torch.musa.graph(g):` captures what the block queues."""

    default_capture_stream = None

    def __init__(self, musa_graph, pool=None, stream=None, capture_error_mode='global'):
        if graph.default_capture_stream is None:
            graph.default_capture_stream = Stream()
        self.musa_graph = musa_graph
        self.pool = pool
        self.capture_error_mode = capture_error_mode
        self.capture_stream = stream if stream is not None else graph.default_capture_stream
        self.stream_context = stream_context(self.capture_stream)

    def __enter__(self):
        torch.musa.synchronize()
        gc.collect()
        torch.musa.empty_cache()
        self.stream_context.__enter__()
        self.musa_graph.capture_begin(pool=self.pool, capture_error_mode=self.capture_error_mode)

    def __exit__(self, *what):
        try:
            self.musa_graph.capture_end()
        finally:
            self.stream_context.__exit__(*what)


class _Graphed(torch.autograd.Function):
    """A function whose way there and way back are graphs over memory of their own."""

    @staticmethod
    def forward(ctx, made, *inputs):
        ctx.made = made
        for inside, given in zip(made.inputs, inputs):
            if inside.data_ptr() != given.data_ptr():
                inside.copy_(given)
        made.forward.replay()
        return tuple(output.detach() for output in made.outputs)

    @staticmethod
    def backward(ctx, *gradients):
        made = ctx.made
        for inside, given in zip(made.output_gradients, gradients):
            if inside is not None and inside.data_ptr() != given.data_ptr():
                inside.copy_(given)
        made.backward.replay()
        return (None, *(gradient if gradient is None else gradient.detach() for gradient in made.input_gradients))


class _Made:
    """The two graphs of a callable, and the tensors that they read and write."""

    def __init__(self, call, sample, parameters, warmups, pool, unused_ok):
        self.inputs = tuple(sample) + tuple(parameters)
        wanted = [one for one in self.inputs if one.requires_grad]
        warm = Stream()
        warm.wait_stream(current_stream())
        with stream_context(warm):
            for _ in range(warmups):
                outputs = self._flat(call(*sample))
                grads = [one for one in outputs if one.requires_grad]
                if grads and wanted:
                    torch.autograd.grad(grads, wanted, [torch.empty_like(one) for one in grads], allow_unused=unused_ok)
        current_stream().wait_stream(warm)
        self.forward, self.backward = MUSAGraph(), MUSAGraph()
        with graph(self.forward, pool=pool):
            self.raw = call(*sample)
        self.outputs = self._flat(self.raw)
        self.output_gradients = [torch.empty_like(one) if one.requires_grad else None for one in self.outputs]
        found = []
        if wanted and any(one.requires_grad for one in self.outputs):
            with graph(self.backward, pool=pool):
                found = torch.autograd.grad([one for one in self.outputs if one.requires_grad], wanted,
                                            [one for one in self.output_gradients if one is not None], allow_unused=unused_ok)
        found = iter(found)
        self.input_gradients = [next(found, None) if one.requires_grad else None for one in self.inputs]

    @staticmethod
    def _flat(outputs):
        return (outputs,) if isinstance(outputs, torch.Tensor) else tuple(outputs)

    def __call__(self, *given):
        outputs = _Graphed.apply(self, *given, *self.inputs[len(given):])
        return outputs[0] if isinstance(self.raw, torch.Tensor) else outputs


def make_graphed_callables(callables, sample_args, num_warmup_iters=3, allow_unused_input=False, pool=None):
    """Functions or modules whose work, there and back, is replayed as graphs; inputs must have the samples' sizes."""
    many = isinstance(callables, tuple)
    if not many:
        callables, sample_args = (callables,), (sample_args,)
    pool = pool or graph_pool_handle()
    made = []
    for one, sample in zip(callables, sample_args):
        parameters = tuple(one.parameters()) if isinstance(one, torch.nn.Module) else ()
        graphed = _Made(one, sample, parameters, num_warmup_iters, pool, allow_unused_input)
        made.append(_as_module(one, graphed) if isinstance(one, torch.nn.Module) else graphed)
    return tuple(made) if many else made[0]


def _as_module(module, graphed):
    """The module itself; in the mode that it was captured in it replays."""
    captured_in, eager = module.training, module.forward
    module.forward = lambda *inputs: graphed(*inputs) if module.training == captured_in else eager(*inputs)
    return module
