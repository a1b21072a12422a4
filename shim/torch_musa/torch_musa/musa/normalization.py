"""The operators of torch.nn.SyncBatchNorm, which the CPU's kernels lack: sums over a rank's part of the batch, in single precision at least.

Channels are dimension 1; `mean` and `invstd` have one value for each, those of all ranks a row for each rank.
"""
import torch

_library = torch.library.Library('aten', 'IMPL')


def _wide(tensor):
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def _sum(tensor):
    return tensor.sum([0, *range(2, tensor.dim())])


def _by_channel(values, tensor):
    return values.view(1, -1, *[1] * (tensor.dim() - 2))


def stats(input, eps):
    """(mean, invstd)"""
    x = _wide(input)
    count = x.numel() // x.size(1)
    mean = _sum(x) / count
    variance = _sum((x - _by_channel(mean, x)).square()) / count
    return mean, (variance + eps).rsqrt()


def gather_stats(input, mean, invstd, running_mean, running_var, momentum, eps, counts):
    """(mean, invstd) of all ranks; the running ones follow."""
    weights = counts.to(mean.dtype).view(-1, 1)
    total = weights.sum()
    all_mean = (mean * weights).sum(0) / total
    variance = ((invstd.square().reciprocal() - eps + (mean - all_mean).square()) * weights).sum(0) / total
    if running_mean is not None:
        running_mean.mul_(1 - momentum).add_(all_mean.to(running_mean.dtype), alpha=momentum)
    if running_var is not None:
        running_var.mul_(1 - momentum).add_((variance * total / (total - 1)).to(running_var.dtype), alpha=momentum)
    return all_mean, (variance + eps).rsqrt()


def element(input, weight, bias, mean, invstd, eps):
    x = _wide(input)
    y = (x - _by_channel(mean, x)) * _by_channel(invstd, x)
    if weight is not None:
        y = y * _by_channel(weight, x)
    if bias is not None:
        y = y + _by_channel(bias, x)
    return y.to(input.dtype).contiguous(memory_format=torch._prims_common.suggest_memory_format(input))


def backward_reduce(grad_out, input, mean, invstd, weight, input_g, weight_g, bias_g):
    """(sum of the gradient, sum of the gradient times what the input is above the mean, gradients of weight and bias)"""
    grad, x = _wide(grad_out), _wide(input)
    total = _sum(grad)
    above = _sum(grad * (x - _by_channel(mean, x)))
    like = grad_out if weight is None else weight
    return (total, above, (above * invstd).to(like.dtype) if weight_g else None, total.to(like.dtype) if bias_g else None)


def backward_element(grad_out, input, mean, invstd, weight, sum_dy, sum_dy_xmu, count):
    grad, x = _wide(grad_out), _wide(input)
    total = count.sum()
    slope = invstd.square() * sum_dy_xmu / total
    scale = invstd if weight is None else invstd * weight
    result = (grad - _by_channel(sum_dy / total, x) - (x - _by_channel(mean, x)) * _by_channel(slope, x)) * _by_channel(scale, x)
    return result.to(input.dtype).contiguous(memory_format=torch._prims_common.suggest_memory_format(input))


def register():
    for name, function in (('batch_norm_stats', stats), ('batch_norm_gather_stats_with_counts', gather_stats), ('batch_norm_elemt', element),
                           ('batch_norm_backward_reduce', backward_reduce), ('batch_norm_backward_elemt', backward_element)):
        _library.impl(name, function, 'PrivateUse1')
