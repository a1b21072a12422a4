"""A sample of PyTorch's database of operators, compiled by Inductor and compared with the operator itself, gradients included, as
test/inductor/test_torchinductor_opinfo.py does it: for musa, and for the CPU to measure it by. Of an operator and a type the first input is taken."""
import os
import pathlib
import sys

import torch

sys.path[:0] = [str(pathlib.Path(__file__).parent), os.environ['PYTORCH_TESTS'] + '/inductor']
torch.set_num_threads(1)

import test_torchinductor as upstream  # noqa: E402
from sample import sample  # noqa: E402
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensorMode  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402
from torch.utils._pytree import tree_map  # noqa: E402

TYPES = (torch.float16, torch.float32, torch.float64, torch.int32, torch.int64, torch.bool)


class Draws(TorchDispatchMode):
    """Whether random numbers are drawn."""
    found = False

    def __torch_dispatch__(self, function, types, arguments=(), more=None):
        self.found = self.found or torch.Tag.nondeterministic_seeded in function.tags
        return function(*arguments, **(more or {}))


def traits(function, arguments, more):
    """(whether it is one graph: its results' sizes do not depend on values, whether it draws random numbers)"""
    with FakeTensorMode() as mode, Draws() as draws:
        fake = tree_map(lambda value: mode.from_tensor(value) if isinstance(value, torch.Tensor) else value, (arguments, more))
        try:
            function(*fake[0], **fake[1])
        except (DataDependentOutputException, DynamicOutputShapeException):
            return False, draws.found
    return True, draws.found


class OperatorsMUSA(upstream.TestCase):
    check = upstream.check_model_gpu


class OperatorsCPU(upstream.TestCase):
    check = upstream.check_model


def make(op, dtype, device):
    def test(self):
        gradients = op.supports_autograd and dtype in op.supported_backward_dtypes('cpu')
        torch.manual_seed(0)
        one = next(iter(op.sample_inputs(device, dtype, requires_grad=gradients)), None)
        if one is None:
            self.skipTest('has no input of this type')
        arguments, more = [one.input, *one.args], one.kwargs

        def function(*arguments, **more):
            return op.get_op()(*arguments, **more)

        whole, draws = traits(function, arguments, more)
        tolerances = {'rtol': 1.3e-5, 'atol': 1.5e-5} if dtype == torch.float32 else {}
        self.check(function, arguments, more, check_lowp=False, nopython=whole, check_has_compiled=whole, copy_to_gpu=False, reference_in_float=False,
                   check_gradient=gradients and not draws, assert_equal=not draws,
                   output_process_fn_grad=one.output_process_fn_grad or (lambda result: result), **tolerances)
    return test


TESTS = {f'test_{op.formatted_name}_{{}}_{str(dtype).removeprefix("torch.")}': (op, dtype) for op in op_db for dtype in TYPES if op.supports_dtype(dtype, 'cpu')}
for _name in sample(TESTS):
    for _class, _device in ((OperatorsMUSA, 'musa'), (OperatorsCPU, 'cpu')):
        setattr(_class, _name.format(_device), make(*TESTS[_name], _device))
