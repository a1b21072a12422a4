#!/usr/bin/env python3
"""PyTorch's own database of operators, on a MUSA device against the CPU: opinfo.py [--dtype NAME] [--gradients] [--samples N]
[--only NAME] [--list]. Prints how many operators agree in all of their samples, and which do not. Needs expecttest."""
import argparse
import os
import sys
import warnings

os.environ.setdefault('MUSASHIM_DEVICES', '2')
warnings.simplefilter('ignore')

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map  # noqa: E402

RANDOM = ('bernoulli', 'cauchy', 'exponential', 'geometric', 'log_normal', 'multinomial', 'normal', 'rand', 'uniform', 'dropout', 'empty', 'new_empty',
          'svd_lowrank', 'pca_lowrank', 'rrelu', 'scaled_dot_product', 'resize_')


def moved(value, device):
    def one(part):
        if isinstance(part, torch.Tensor):
            return part.detach().to(device).requires_grad_(part.requires_grad)
        if isinstance(part, (torch.device, str)) and str(part) == 'cpu':
            return torch.device(device)
        return part
    return tree_map(one, value)


def results(op, sample, device):
    arguments = moved((sample.input, sample.args, sample.kwargs), device)
    if 'device' in arguments[2]:
        arguments[2]['device'] = device
    return arguments, op(arguments[0], *arguments[1], **arguments[2])


def tensors(value):
    return [part for part in tree_flatten(value)[0] if isinstance(part, torch.Tensor)]


def gradients(arguments, result):
    inputs = [part for part in tensors(arguments) if part.requires_grad]
    outputs = [part for part in tensors(result) if part.requires_grad]
    if not inputs or not outputs:
        return []
    total = sum((out.abs() if out.is_complex() else out).sum() for out in outputs)
    return [grad for grad in torch.autograd.grad(total, inputs, allow_unused=True) if grad is not None]


def compare(op, sample, dtype, with_gradients):
    torch.manual_seed(0)
    cpu_arguments, expected = results(op, sample, 'cpu')
    torch.manual_seed(0)
    arguments, found = results(op, sample, 'musa:0')
    pairs = list(zip(tensors(found), tensors(expected)))
    if with_gradients:
        pairs = list(zip(gradients(arguments, found), gradients(cpu_arguments, expected)))
    for ours, theirs in pairs:
        if not ours.is_sparse and str(ours.layout) == 'torch.strided' and not with_gradients:
            assert ours.device.type == 'musa' or theirs.device.type == ours.device.type, f'the result is on {ours.device}'
        torch.testing.assert_close(ours.cpu(), theirs.cpu(), equal_nan=True, check_stride=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--dtype', default='float32')
    parser.add_argument('--gradients', action='store_true')
    parser.add_argument('--samples', type=int, default=4, help='of an operator (default: 4)')
    parser.add_argument('--only', default='')
    parser.add_argument('--list', action='store_true', help='print the first difference of each operator that has one')
    arguments = parser.parse_args()
    dtype = getattr(torch, arguments.dtype)
    agree, differ = 0, {}
    for op in op_db:
        name = op.name + (f'.{op.variant_test_name}' if op.variant_test_name else '')
        supported = op.supports_dtype(dtype, 'cpu') and (not arguments.gradients or (op.supports_autograd and dtype.is_floating_point))
        if not supported or arguments.only not in name or any(word in op.name for word in RANDOM):
            continue
        try:
            for number, sample in enumerate(op.sample_inputs('cpu', dtype, requires_grad=arguments.gradients)):
                if number >= arguments.samples:
                    break
                compare(op, sample, dtype, arguments.gradients)
            agree += 1
        except Exception as error:  # noqa: BLE001  an operator may fail in any way
            differ[name] = f'{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ""}'
    what = 'gradients' if arguments.gradients else 'results'
    print(f'{arguments.dtype} {what}: {agree} of {agree + len(differ)} operators agree with the CPU')
    for name, why in differ.items() if arguments.list else ():
        print(f'  {name}: {why[:200]}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
