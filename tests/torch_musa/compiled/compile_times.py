#!/usr/bin/env python3
"""How long Triton compiles kernels: tests/torch_musa/compiled/compile_times.py [--device musa|cuda] [--against FILE]

Milliseconds of each kernel by Triton's own compile phases (its IR, each lowering, what is kept on disk), the least of three runs with an empty
cache. On a GPU of NVIDIA's, with PyTorch and Triton for it, --device cuda prints the same; --against has what that printed. The bar is 1.5 of it
on the same processors; the exit status is 1 above it."""
import argparse
import os
import pathlib
import sys
import tempfile

os.environ['TRITON_CACHE_DIR'] = tempfile.mkdtemp()
os.environ['MUSASHIM_CACHE_PATH'] = 'none'

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

RUNS = 3


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


def measure(device):
    """{name: milliseconds}"""
    seen, best = [], {}
    triton.knobs.compilation.listener = lambda *, times, cache_hit, **_: seen.append((times.total, cache_hit))
    x, y, z = (torch.zeros(1 << 16, device=device) for _ in range(3))
    warm_up[(1,)](x, N=64)
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as cache:
            triton.knobs.cache.dir = cache
            for kernel, size in KERNELS:
                kernel.device_caches.clear()
                seen.clear()
                kernel[(2, 2)](x, y, z, 64, N=size)
                assert len(seen) == 1 and not seen[0][1], seen
                best[kernel.__name__] = min(best.get(kernel.__name__, float('inf')), seen[0][0] / 1e3)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--device', default='musa')
    parser.add_argument('--against', type=pathlib.Path)
    options = parser.parse_args()
    found = measure(options.device)
    others = dict(line.split()[:2] for line in options.against.read_text().splitlines()) if options.against else {}
    for name, time in found.items():
        print(f'{name} {time:.1f} ms' + (f', {time / float(others[name]):.2f} of its' if name in others else ''))
    if not others:
        return 0
    ratio = sum(found.values()) / sum(float(others[name]) for name in found)
    print(f'all {sum(found.values()):.1f} ms, {ratio:.2f} of its; the bar is 1.5')
    return ratio > 1.5


if __name__ == '__main__':
    sys.exit(main())
