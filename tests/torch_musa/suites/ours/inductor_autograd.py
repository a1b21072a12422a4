"""Backward graphs compiled whole (PyTorch's compiled autograd) by Inductor and compared with autograd's own, as test/inductor/test_compiled_autograd.py
does it: for musa, and for the CPU to measure it by. Of PyTorch's databases of operators and of functions with their own backward a sample; of hooks,
modules and graphs that are used twice all."""
import functools
import os
import pathlib
import sys

import torch

sys.path[:0] = [str(pathlib.Path(__file__).parent)]
torch.set_num_threads(1)

from sample import sample  # noqa: E402
from torch._dynamo import compiled_autograd  # noqa: E402
from torch.testing._internal.autograd_function_db import autograd_function_db  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.testing._internal.common_utils import TestCase  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402


class AutogradMUSA(TestCase):
    """Tests on musa."""


class AutogradCPU(TestCase):
    """The same on the CPU."""


def compiled(counted, words):
    """Compiles backward graphs, and counts them."""
    def compiler(graph):
        counted.append(graph)
        return torch.compile(graph, backend='inductor', **{'fullgraph': True, **words})
    return compiled_autograd._enable(compiler)


def twice(self, function, tolerance=1e-4, **words):
    """What function() returns by autograd and by compiled autograd is the same, and there were graphs. words: torch.compile's."""
    def seeded():
        torch.manual_seed(0)
        return function()
    torch._dynamo.reset()
    want, graphs = seeded(), []
    with compiled(graphs, words):
        found = seeded()
    self.assertTrue(graphs)
    self.assertEqual(found, want, rtol=tolerance, atol=tolerance)


def of_operator(op, device):
    def test(self):
        one = next(iter(op.sample_inputs(device, torch.float32, requires_grad=True)), None)
        if one is None:
            self.skipTest('has no input of this type')
        leaves = [leaf for leaf in torch.utils._pytree.tree_leaves((one.input, one.args, one.kwargs)) if isinstance(leaf, torch.Tensor) and leaf.requires_grad]

        def gradients():
            result = op.get_op()(one.input, *one.args, **one.kwargs)
            result = one.output_process_fn_grad(result) if one.output_process_fn_grad else result
            parts = [part for part in torch.utils._pytree.tree_leaves(result) if isinstance(part, torch.Tensor) and part.requires_grad]
            for leaf in leaves:
                leaf.grad = None
            sum(part.abs().sum() if part.is_complex() else part.sum() for part in parts).backward()
            return [leaf.grad for leaf in leaves]
        twice(self, gradients)
    return test


def steps(model, x, count=2):
    """Parameters after steps of training."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(count):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
    return [parameter.detach().clone() for parameter in model.parameters()]


def layers(device):
    return torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.LayerNorm(32), torch.nn.Linear(32, 4)).to(device)


class Situations:
    """Each returns what is compared; WORDS: what twice() is told of one."""
    WORDS = {'sizes': {'dynamic': True},
             'recomputed': {'fullgraph': False},  # a hook of PyTorch's that is not traced
             'autocast': {'tolerance': 3e-2}}  # compiled code rounds to bfloat16 less often

    @staticmethod
    def layers(device):
        return steps(layers(device), torch.randn(8, 16, device=device))

    @staticmethod
    def convolution(device):
        model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(128, 4))
        return steps(model.to(device), torch.randn(4, 3, 8, 8, device=device))

    @staticmethod
    def embedding(device):
        model = torch.nn.Sequential(torch.nn.Embedding(32, 16), torch.nn.Linear(16, 8)).to(device)
        return steps(model, torch.randint(0, 32, (8, 5), device=device))

    @staticmethod
    def attention(device):
        return steps(torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True).to(device), torch.randn(2, 8, 16, device=device))

    @staticmethod
    def compiled_forward(device):
        return steps(torch.compile(layers(device)), torch.randn(8, 16, device=device))

    @staticmethod
    def sizes(device):
        model = layers(device)
        return [grad for size in (3, 5, 9) for grad in steps(model, torch.randn(size, 16, device=device), 1)]

    @staticmethod
    def hook_of_a_tensor(device):
        x = torch.arange(8.0, device=device, requires_grad=True)
        y = x.sin()
        y.register_hook(lambda grad: grad * 3)
        x.register_hook(lambda grad: grad + 1)
        (y * y).sum().backward()
        return x.grad

    @staticmethod
    def hook_after_accumulating(device):
        seen, x = [], torch.arange(8.0, device=device, requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.sum().item()))
        x.cos().sum().backward()
        return x.grad, seen

    @staticmethod
    def hook_of_a_module(device):
        seen, model = [], layers(device)
        model[1].register_full_backward_hook(lambda module, before, after: seen.append(after[0].detach().sum()))
        return steps(model, torch.randn(8, 16, device=device)), [one.cpu() for one in seen]

    @staticmethod
    def graph_twice(device):
        x = torch.arange(1.0, 9.0, device=device, requires_grad=True)
        y = x.log().sum()
        y.backward(retain_graph=True)
        y.backward()
        return x.grad

    @staticmethod
    def inputs_alone(device):
        x, y = (torch.randn(4, 4, device=device, requires_grad=True) for _ in range(2))
        (x @ y).sum().backward(inputs=[x])
        return x.grad, y.grad

    @staticmethod
    def packed_tensors(device):
        x = torch.randn(16, device=device, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(lambda value: value.cpu(), lambda value: value.to(device)):
            y = x.exp().sum()
        y.backward()
        return x.grad

    @staticmethod
    def recomputed(device):
        model, x = layers(device), torch.randn(8, 16, device=device, requires_grad=True)
        checkpoint(model, x, use_reentrant=False).sum().backward()
        return x.grad, [parameter.grad for parameter in model.parameters()]

    @staticmethod
    def in_place(device):
        x = torch.randn(4, 4, device=device, requires_grad=True)
        y = x.clone()
        y[1:3].mul_(x[:2].detach())
        y.t()[0].add_(1)
        y.square().sum().backward()
        return x.grad

    @staticmethod
    def autocast(device):
        model, x = layers(device), torch.randn(8, 16, device=device)
        with torch.autocast(torch.device(device).type, torch.bfloat16):
            loss = model(x).float().sum()
        loss.backward()
        return [parameter.grad for parameter in model.parameters()]


def of_situation(name, device):
    function = functools.partial(getattr(Situations, name), device)

    def test(self):
        twice(self, function, **Situations.WORDS.get(name, {}))
    return test


OPERATORS = {f'test_{op.formatted_name}': op for op in [*op_db, *autograd_function_db] if op.supports_autograd and op.supports_dtype(torch.float32, 'cpu')}
SITUATIONS = [name for name in vars(Situations) if name.islower() and not name.startswith('_')]
for _device, _tests in (('musa', AutogradMUSA), ('cpu', AutogradCPU)):
    for _name in [*(f'test_{op.formatted_name}' for op in autograd_function_db), *sample(OPERATORS)]:
        setattr(_tests, f'{_name}_{_device}', of_operator(OPERATORS[_name], _device))
    for _name in SITUATIONS:
        setattr(_tests, f'test_backward_{_name}_{_device}', of_situation(_name, _device))
del _tests  # pytest looks at a module's classes by their names
