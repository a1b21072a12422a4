"""Functions for kernels: those of CUDA's libdevice by their names, and those that the vendor's Triton has beside them."""
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice as _functions
from triton.language.extra.cuda.libdevice import *  # noqa: F401,F403


@triton.jit
def fast_tanh(x):
    """In single precision."""
    return _functions.tanh(x.to(tl.float32))


@triton.jit
def fast_gelu(x):
    """x times the normal distribution's share below x, in single precision."""
    y = x.to(tl.float32)
    return 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
