#!/usr/bin/env python3
"""One process of opinfo's: reads names of operators, one a line, and answers each with a line of JSON.

worker.py DTYPE [--gradients]   ->   {"operator", "samples", "agree", "refused", "failures": [[sample, reason], ...]}
A sample that the CPU refuses, too, is counted as refused, not as a sample."""
import contextlib
import json
import os
import pathlib
import sys
import tomllib
import warnings

os.environ.setdefault('MUSASHIM_DEVICES', '2')
warnings.simplefilter('ignore')

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_map  # noqa: E402

RULES = tomllib.loads((pathlib.Path(__file__).parent / 'rules.toml').read_text())
DEVICE = 'musa:0'


def full_name(op):
    return op.name + (f'.{op.variant_test_name}' if op.variant_test_name else '')


def applies(op, dtype, gradients):
    if not op.supports_dtype(dtype, 'cpu'):
        return False
    return not gradients or (op.supports_autograd and dtype in op.supported_backward_dtypes('cpu'))


def copied(tensor, device):
    """The same on a device, what lies around a view included."""
    data = tensor.detach()
    if data.layout != torch.strided or data.is_conj() or data.is_neg():
        return data.to(device, copy=True)
    count = data.untyped_storage().nbytes() // data.itemsize
    return data.as_strided((count,), (1,), 0).to(device, copy=True).as_strided(data.shape, data.stride(), data.storage_offset())


def moved(value, device):
    def one(part):
        if isinstance(part, torch.Tensor):
            return copied(part, device).requires_grad_(part.requires_grad)
        if isinstance(part, torch.device) and part.type == 'cpu' or isinstance(part, str) and part == 'cpu':
            return torch.device(device)
        return part
    return tree_map(one, value)


def called(op, sample, device):
    """(arguments, result) of the operator, with the same random numbers on both devices."""
    rest = (sample.args, sample.kwargs)
    arguments = (moved(sample.input, device), *moved(rest, 'cpu' if op.name in RULES['arguments_on_cpu'] else device))
    if 'device' in arguments[2]:
        arguments[2]['device'] = device
    elif op.name in RULES['factories']:
        arguments[2]['device'] = device
    torch.manual_seed(0)
    return arguments, op(arguments[0], *arguments[1], **arguments[2])


def tensors(value):
    return [part for part in tree_flatten(value)[0] if isinstance(part, torch.Tensor)]


def gradients_of(sample, arguments, result):
    """Of a number made of all results, by all inputs that ask for one; None where an input does not count."""
    process = sample.output_process_fn_grad
    outputs = [part for part in tensors(process(result) if process else result) if part.requires_grad]
    inputs = [part for part in tensors(arguments) if part.requires_grad]
    if not inputs or not outputs:
        return []
    total = sum((torch.view_as_real(out.resolve_conj()) if out.is_complex() else out).sum() for out in outputs)
    return list(torch.autograd.grad(total, inputs, allow_unused=True))


def check_same(ours, theirs, values):
    if not isinstance(ours, torch.Tensor) or not isinstance(theirs, torch.Tensor):
        if isinstance(theirs, (bool, int, float, complex)):
            torch.testing.assert_close(ours, theirs, equal_nan=True)
        return
    assert ours.device.type == 'musa', f'the result is on {ours.device}'
    assert ours.layout == theirs.layout, f'the layout is {ours.layout}'
    if values:
        torch.testing.assert_close(ours.cpu(), theirs, equal_nan=True, check_stride=False)
    else:
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype, f'{ours.shape}, {ours.dtype}'


def compare(op, sample, gradients):
    """What differs, or None; raises Refused where the CPU refuses the sample as well."""
    def computed(device):
        arguments, result = called(op, sample, device)
        return gradients_of(sample, arguments, result) if gradients else tree_flatten(result)[0]
    try:
        expected = computed('cpu')
    except Exception as refusal:  # noqa: BLE001  whatever the CPU says
        try:
            computed(DEVICE)
        except Exception:  # noqa: BLE001
            raise Refused from refusal
        raise AssertionError(f'the CPU refuses: {refusal}') from refusal
    found = computed(DEVICE)
    assert len(found) == len(expected), f'{len(found)} results, not {len(expected)}'
    for one, other in zip(found, expected):
        assert (one is None) == (other is None), 'a gradient is there on one side alone'
        check_same(one, other, op.name not in RULES['undefined'])


class Refused(Exception):
    pass


def measure(op, dtype, gradients):
    row = {'operator': full_name(op), 'samples': 0, 'agree': 0, 'refused': 0, 'failures': []}
    torch.manual_seed(0)
    samples = op.sample_inputs('cpu', dtype, requires_grad=gradients)
    for number, sample in enumerate(samples):
        state = torch.get_rng_state()  # samples are made as they are asked for
        try:
            compare(op, sample, gradients)
            row['agree'] += 1
        except Refused:
            row['refused'] += 1
            continue
        except Exception as error:  # noqa: BLE001  an operator may fail in any way
            said = ' '.join(str(error).split())
            row['failures'].append([number, f'{type(error).__name__}: {said}'[:300]])
        finally:
            torch.set_rng_state(state)
        row['samples'] += 1
    return row


def main():
    dtype, gradients = getattr(torch, sys.argv[1]), '--gradients' in sys.argv
    torch.set_num_threads(1)
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)  # what operators print is no answer
    known = {full_name(op): op for op in op_db}
    print(json.dumps([name for name, op in known.items() if applies(op, dtype, gradients)]), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(known[line.strip()], dtype, gradients)), file=answers, flush=True)


if __name__ == '__main__':
    main()
