#!/usr/bin/env python3
"""How long Triton compiles kernels for musa, beside the same kernels for CUDA: tests/torch_musa/compiled/compile_times.py [--runs N]

Milliseconds of each kernel by Triton's own compile phases (its IR, each lowering, what is kept on disk), the least of N runs with an empty cache,
for both targets in turns. For CUDA (capability 9.0) Triton and its ptxas compile without a GPU. The bar is 1.5 of CUDA's, of all kernels; the
exit status is 1 above it."""
import argparse
import os
import sys
import tempfile

os.environ['TRITON_CACHE_DIR'] = tempfile.mkdtemp()
os.environ['MUSASHIM_CACHE_PATH'] = 'none'

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from triton.backends.compiler import GPUTarget  # noqa: E402
from triton.compiler import ASTSource  # noqa: E402


@triton.jit
def warm_up(x, N: tl.constexpr):
    tl.store(x + tl.arange(0, N), tl.arange(0, N).to(tl.float32))


@triton.jit
def add(x, y, z, n, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    mask = at < n
    tl.store(z + at, tl.load(x + at, mask) + tl.load(y + at, mask), mask)


@triton.jit
def gelu(x, y, z, n, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    mask = at < n
    a, b = tl.load(x + at, mask), tl.load(y + at, mask)
    tl.store(z + at, a * 0.5 * (1 + tl.erf(a * 0.7071067811865476)) * tl.sigmoid(b) - tl.abs(a), mask)


@triton.jit
def softmax(x, y, z, n, N: tl.constexpr):
    at = tl.arange(0, N)
    row = tl.load(x + tl.program_id(0) * n + at, at < n, float('-inf'))
    e = tl.exp(row - tl.max(row, 0))
    tl.store(z + tl.program_id(0) * n + at, e / tl.sum(e, 0), at < n)


@triton.jit
def layer_norm(x, y, z, n, N: tl.constexpr):
    at = tl.arange(0, N)
    row = tl.load(x + tl.program_id(0) * n + at, at < n, 0.0)
    middle = row - tl.sum(row, 0) / n
    scale = 1 / tl.sqrt(tl.sum(tl.where(at < n, middle * middle, 0.0), 0) / n + 1e-5)
    tl.store(z + tl.program_id(0) * n + at, middle * scale * tl.load(y + at, at < n, 0.0), at < n)


@triton.jit
def matmul(x, y, z, n, N: tl.constexpr):
    rows, columns, depth = tl.program_id(0) * N + tl.arange(0, N), tl.program_id(1) * N + tl.arange(0, N), tl.arange(0, N)
    total = tl.zeros((N, N), tl.float32)
    for k in range(0, n, N):
        total = tl.dot(tl.load(x + rows[:, None] * n + (k + depth)[None, :]), tl.load(y + (k + depth)[:, None] * n + columns[None, :]), total)
    tl.store(z + rows[:, None] * n + columns[None, :], total)


KERNELS = ((add, 1024), (gelu, 1024), (softmax, 1024), (layer_norm, 1024), (matmul, 32))


def for_cuda(kernel, size):
    """Compiles what a launch with aligned arrays and a number that 16 divides asks for."""
    signature = {'x': '*fp32', 'y': '*fp32', 'z': '*fp32', 'n': 'i32', 'N': 'constexpr'}
    triton.compile(ASTSource(kernel, signature, {'N': size}, {(i,): [['tt.divisibility', 16]] for i in range(4)}), target=GPUTarget('cuda', 90, 32))


def measure(runs):
    """{name: (milliseconds for CUDA, for musa)}"""
    seen, best = [], {}
    triton.knobs.compilation.listener = lambda *, times, cache_hit, **_: seen.append((times.total, cache_hit))
    x, y, z = (torch.zeros(1 << 16, device='musa') for _ in range(3))
    warm_up[(1,)](x, N=64)

    def time_of(compile_one):
        seen.clear()
        with tempfile.TemporaryDirectory() as cache:
            triton.knobs.cache.dir = cache
            compile_one()
        assert len(seen) == 1 and not seen[0][1], seen
        return seen[0][0] / 1e3

    for _ in range(runs):
        for kernel, size in KERNELS:
            kernel.device_caches.clear()
            times = time_of(lambda: for_cuda(kernel, size)), time_of(lambda: kernel[(2, 2)](x, y, z, 64, N=size))
            best[kernel.__name__] = tuple(map(min, best.get(kernel.__name__, times), times))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=5)
    found = measure(parser.parse_args().runs)
    for name, (cuda, musa) in found.items():
        print(f'{name:12} {musa:7.1f} ms, for CUDA {cuda:7.1f} ms: {musa / cuda:.2f} times')
    cuda, musa = map(sum, zip(*found.values()))
    print(f'all          {musa:7.1f} ms, for CUDA {cuda:7.1f} ms: {musa / cuda:.2f} times; the bar is 1.5')
    return musa > 1.5 * cuda


if __name__ == '__main__':
    sys.exit(main())
