#!/usr/bin/env python3
"""How fast compiled code is: tests/torch_musa/compiled/speed.py [--runs N], by PyTorch with torch_musa and triton_musa (build/torch-2.15.0/bin/python).

Milliseconds, the least of N runs that take turns, two threads: torch.compile on musa and on the CPU (C++) for a fused pointwise chain and a softmax,
a product of 512 x 512 by a Triton kernel and by the CPU's library; and what a kernel of Triton's takes that is in the cache on disk.
The bars: 1.2 of the CPU's time, a quarter of the library's speed, 5 ms. The exit status is 1 below one of them."""
import argparse
import os
import sys
import time

os.environ.setdefault('MUSASHIM_THREADS', '2')

import torch  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402

SIZE = (1024, 4096)


def pointwise(x, y):
    return torch.nn.functional.gelu(x * 2 + y) * torch.sigmoid(y) - x.abs()


def softmax(x, y):
    return torch.softmax(x + y, -1)


@triton.jit
def matmul_kernel(a, b, c, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns, depth = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN), tl.arange(0, BK)
    sum_ = tl.zeros((BM, BN), tl.float32)
    for k in range(0, N, BK):
        left = tl.load(a + rows[:, None] * N + (k + depth)[None, :])
        right = tl.load(b + (k + depth)[:, None] * N + columns[None, :])
        sum_ = tl.dot(left, right, sum_, input_precision='ieee')
    tl.store(c + rows[:, None] * N + columns[None, :], sum_)


def product(a, b, c):
    matmul_kernel[(512 // 64, 512 // 64)](a, b, c, N=512, BM=64, BN=64, BK=64)
    return c


def least(calls, runs):
    """The least milliseconds of each call; they take turns."""
    best = [float('inf')] * len(calls)
    for _ in range(runs + 1):
        for place, call in enumerate(calls):
            torch.musa.synchronize()
            start = time.perf_counter()
            call()
            torch.musa.synchronize()
            best[place] = min(best[place], (time.perf_counter() - start) * 1e3)
    return best


def cached(kernel, *arguments):
    """Milliseconds of a first launch whose kernel is on disk, less those of one that is loaded."""
    kernel(*arguments)
    times = []
    for _ in range(5):
        matmul_kernel.device_caches.clear()
        start = time.perf_counter()
        kernel(*arguments)
        torch.musa.synchronize()
        middle = time.perf_counter()
        kernel(*arguments)
        torch.musa.synchronize()
        times.append(((middle - start) - (time.perf_counter() - middle)) * 1e3)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=20)
    options = parser.parse_args()
    torch.set_num_threads(2)
    right = True
    for function in (pointwise, softmax):
        here = [torch.randn(SIZE) for _ in range(2)]
        there = [value.to('musa') for value in here]
        ours, cpu = torch.compile(function), torch.compile(function)
        torch.testing.assert_close(ours(*there).cpu(), cpu(*here), rtol=1e-4, atol=1e-5)
        musa, host = least([lambda: ours(*there), lambda: cpu(*here)], options.runs)
        print(f'{function.__name__}: musa {musa:.2f} ms, CPU {host:.2f} ms, {musa / host:.2f} of it', flush=True)
        right = right and musa <= 1.2 * host
    a, b = torch.randn(512, 512), torch.randn(512, 512)
    there = [a.to('musa'), b.to('musa'), torch.empty(512, 512, device='musa')]
    torch.testing.assert_close(product(*there).cpu(), a @ b, rtol=1e-4, atol=1e-3)
    musa, host = least([lambda: product(*there), lambda: a @ b], options.runs)
    print(f'matmul 512: Triton {musa:.2f} ms, CPU {host:.2f} ms, {host / musa:.2f} of its speed', flush=True)
    took = cached(product, *there)
    print(f'a cached kernel: {took:.2f} ms', flush=True)
    return 0 if right and host >= 0.25 * musa and took < 5 else 1


if __name__ == '__main__':
    sys.exit(main())
