"""Products of half matrices that come out in single precision (`out_dtype`), which the CPU's kernels lack."""
import torch

_library = torch.library.Library('aten', 'IMPL')


def _check(left, right, out_dtype):
    if left.dtype != right.dtype:
        raise RuntimeError('input dtypes must be the same')
    if out_dtype != left.dtype and not (out_dtype == torch.float32 and left.dtype in (torch.float16, torch.bfloat16)):
        raise RuntimeError('out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs')


def _product(plain):
    def product(left, right, out_dtype):
        _check(left, right, out_dtype)
        return plain(left.to(out_dtype), right.to(out_dtype))

    def product_out(left, right, out_dtype, *, out):
        return out.copy_(product(left, right, out_dtype))

    return product, product_out


def _sum(plain):
    def summed(input, left, right, out_dtype, *, beta=1, alpha=1):
        _check(left, right, out_dtype)
        return plain(input.to(out_dtype), left.to(out_dtype), right.to(out_dtype), beta=beta, alpha=alpha)

    def summed_out(input, left, right, out_dtype, *, beta=1, alpha=1, out):
        return out.copy_(summed(input, left, right, out_dtype, beta=beta, alpha=alpha))

    return summed, summed_out


def register():
    """As far as this PyTorch has them: 2.8 is the first."""
    for name, (plain, with_out) in (('mm', _product(torch.mm)), ('bmm', _product(torch.bmm)), ('addmm', _sum(torch.addmm)),
                                    ('baddbmm', _sum(torch.baddbmm))):
        overloads = getattr(torch.ops.aten, name).overloads()
        if 'dtype' in overloads:
            _library.impl(f'{name}.dtype', plain, 'PrivateUse1')
            _library.impl(f'{name}.dtype_out', with_out, 'PrivateUse1')
