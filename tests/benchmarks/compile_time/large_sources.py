#!/usr/bin/env python3
"""Writes CUDA sources that take compilers long: large_sources.py FOLDER

    unrolled.cu       one kernel of 4,000 instructions in a row
    many_kernels.cu   200 small kernels
    instances.cu      60 instances of a matrix-vector product with shuffles and shared memory
    transforms.cu     39 instances of a Hadamard transform in registers, all loops unrolled

and with --sizes 64,256,1024,4096 kernels of one huge block each, by the number of their elements:

    loads_N.cu        N loads in a row, whose multiply-adds wait for each other
    walsh_N.cu        a Walsh-Hadamard transform of N elements in registers, unrolled
    scan_N.cu         a scan of a block with N/64 elements a thread, through shared memory, unrolled

tests/e2e/compile_verdicts.py FOLDER compiles them by nvcc and mcc, side by side; ./growth tells how time grows with N.
"""

import argparse
import pathlib
import random

MATRIX_VECTOR = '''template <typename T, int Rows, int Width, bool Bias>
__global__ void matvec(const T* matrix, const T* vector, const T* bias, T* result, int rows, int columns) {
  __shared__ T partial[Rows][32];
  int lane = threadIdx.x % 32, row = blockIdx.x * Rows + threadIdx.x / 32;
  T sum = 0;
  if (row < rows)
    for (int c = lane * Width; c < columns; c += 32 * Width)
#pragma unroll
      for (int k = 0; k < Width; ++k) sum += matrix[row * columns + c + k] * vector[c + k];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  partial[threadIdx.x / 32][lane] = sum;
  __syncthreads();
  if (lane == 0 && row < rows) result[row] = partial[threadIdx.x / 32][0] + (Bias ? bias[row] : T(0));
}
'''

TRANSFORM = '''#include <cuda_bf16.h>
#include <cuda_fp16.h>
__host__ __device__ constexpr int log2of(int v) { return v <= 1 ? 0 : 1 + log2of(v / 2); }
template <int LogN, int Chunks>
__device__ __forceinline__ void in_thread(float x[Chunks][1 << LogN]) {
#pragma unroll
  for (int i = 0; i < LogN; ++i)
#pragma unroll
    for (int j = 0; j < (1 << LogN) / 2; ++j) {
      const int low = j & ((1 << i) - 1), at = (j - low) * 2 + low;
#pragma unroll
      for (int c = 0; c < Chunks; ++c) {
        const float a = x[c][at], b = x[c][at + (1 << i)];
        x[c][at] = a + b;
        x[c][at + (1 << i)] = a - b;
      }
    }
}
template <int LogLanes, int Chunks, int N>
__device__ __forceinline__ void in_warp(float x[Chunks][N]) {
#pragma unroll
  for (int step = 0; step < LogLanes; ++step) {
    const float sign = threadIdx.x & (1 << step) ? -1.f : 1.f;
#pragma unroll
    for (int c = 0; c < Chunks; ++c)
#pragma unroll
      for (int i = 0; i < N; ++i) x[c][i] = sign * x[c][i] + __shfl_xor_sync(0xffffffffu, x[c][i], 1 << step);
  }
}
// Threads of a column become lanes of a warp, and back.
template <int Chunks, int N, int Threads, int Warps, bool Back>
__device__ __forceinline__ void exchange(float x[Chunks][N], float4* shared) {
  const int t = threadIdx.x, other = t % Warps * 32 + t / Warps;
#pragma unroll
  for (int c = 0; c < Chunks; ++c) {
    __syncthreads();
#pragma unroll
    for (int q = 0; q < N / 4; ++q)
      shared[q * Threads + (Back ? other : t)] =
          make_float4(x[c][q * 4], x[c][q * 4 + 1], x[c][q * 4 + 2], x[c][q * 4 + 3]);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < N / 4; ++q) {
      const float4 v = shared[q * Threads + (Back ? t : other)];
      x[c][q * 4] = v.x, x[c][q * 4 + 1] = v.y, x[c][q * 4 + 2] = v.z, x[c][q * 4 + 3] = v.w;
    }
  }
}
template <int Threads, int LogN, typename T>
__global__ void hadamard(const T* in, T* out, int stride, int size, float scale) {
  constexpr int N = sizeof(T) == 4 ? 4 : 8, Chunks = (1 << LogN) / (N * Threads);
  constexpr int Lanes = Threads < 32 ? Threads : 32, Warps = Threads / Lanes;
  extern __shared__ float4 shared[];
  float v[Chunks][N];
#pragma unroll
  for (int c = 0; c < Chunks; ++c)
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const int at = (c * Threads + threadIdx.x) * N + i;
      v[c][i] = at < size ? float(in[blockIdx.x * stride + at]) : 0.f;
    }
  in_thread<log2of(N), Chunks>(v);
  in_warp<log2of(Lanes), Chunks>(v);
  if constexpr (Warps > 1) {
    exchange<Chunks, N, Threads, Warps, false>(v, shared);
    in_warp<log2of(Warps), Chunks>(v);
    exchange<Chunks, N, Threads, Warps, true>(v, shared);
  }
  if constexpr (Chunks > 1) {
    float turned[N][Chunks];
#pragma unroll
    for (int c = 0; c < Chunks; ++c)
#pragma unroll
      for (int i = 0; i < N; ++i) turned[i][c] = v[c][i];
    in_thread<log2of(Chunks), N>(turned);
#pragma unroll
    for (int c = 0; c < Chunks; ++c)
#pragma unroll
      for (int i = 0; i < N; ++i) v[c][i] = turned[i][c];
  }
#pragma unroll
  for (int c = 0; c < Chunks; ++c)
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const int at = (c * Threads + threadIdx.x) * N + i;
      if (at < size) out[blockIdx.x * stride + at] = T(v[c][i] * scale);
    }
}
'''


def unrolled() -> str:
    numbers = random.Random(1)
    lines = ['__global__ void unrolled(const float* in, float* out, int n) {',
             '  int i = blockIdx.x * blockDim.x + threadIdx.x;', '  if (i >= n) return;']
    lines += [f'  float v{k} = in[i * 16 + {k}];' for k in range(16)]
    for _ in range(4000):
        a, b, c = (numbers.randrange(16) for _ in range(3))
        lines.append(f'  v{a} = v{b} {numbers.choice("+-*")} v{c} * {numbers.randrange(1, 8)}.5f;')
    lines += [f'  out[i * 16 + {k}] = v{k};' for k in range(16)]
    return '\n'.join(lines + ['}', ''])


def many_kernels() -> str:
    return '\n'.join(f'''__global__ void kernel{k}(const float* a, const float* b, float* c, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] * {k}.5f + b[(i + {k}) % n] - {k % 7};
}}''' for k in range(200)) + '\n'


def instances() -> str:
    return MATRIX_VECTOR + ''.join(
        f'template __global__ void matvec<{t}, {rows}, {width}, {bias}>'
        f'(const {t}*, const {t}*, const {t}*, {t}*, int, int);\n'
        for t in ('float', 'double', 'int') for rows in (1, 2, 4, 8, 16) for width in (1, 4)
        for bias in ('true', 'false'))


def transforms() -> str:
    sizes = [(1, 3), (2, 4), (4, 5), (8, 6), (16, 7), (32, 8), (32, 9), (128, 10), *((256, n) for n in range(11, 16))]
    return TRANSFORM + ''.join(
        f'template __global__ void hadamard<{threads}, {size}, {t}>(const {t}*, {t}*, int, int, float);\n'
        for threads, size in sizes for t in ('float', '__half', '__nv_bfloat16'))


def loads(count: int) -> str:
    lines = ['__global__ void loads(const float* in, const float* weights, float* out, int stride) {',
             '  const float* mine = in + (blockIdx.x * blockDim.x + threadIdx.x);', '  float a = 0, b = 1;']
    for k in range(count):
        lines.append(f'  {"ab"[k % 2]} += mine[{k} * stride] * weights[{k}];')
    return '\n'.join(lines + ['  out[blockIdx.x * blockDim.x + threadIdx.x] = a * b;', '}', ''])


def walsh(count: int) -> str:
    """A thread has 16 elements at the least, so that what grows is the code of a thread."""
    registers = max(16, count // 64)
    return f'''__global__ void walsh(float* data) {{
  __shared__ float exchanged[64 * {registers}];
  float v[{registers}];
#pragma unroll
  for (int i = 0; i < {registers}; ++i) v[i] = data[i * 64 + threadIdx.x];
#pragma unroll
  for (int step = 1; step < {registers}; step *= 2)
#pragma unroll
    for (int i = 0; i < {registers}; ++i)
      if ((i & step) == 0) {{
        const float a = v[i], b = v[i + step];
        v[i] = a + b, v[i + step] = a - b;
      }}
#pragma unroll
  for (int i = 0; i < {registers}; ++i) exchanged[i * 64 + threadIdx.x] = v[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < {registers}; ++i) {{
    float sum = v[i];
#pragma unroll
    for (int lane = 1; lane < 32; lane *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lane);
    data[i * 64 + threadIdx.x] = sum + exchanged[i * 64 + (threadIdx.x ^ 32)];
  }}
}}
'''


def scan(count: int) -> str:
    items = max(1, count // 64)
    return f'''__global__ void scan(const int* in, int* out) {{
  __shared__ int sums[2], shared[64 * {items}];
  const int t = threadIdx.x, lane = t % 32;
#pragma unroll
  for (int i = 0; i < {items}; ++i) shared[i * 64 + t] = in[blockIdx.x * 64 * {items} + i * 64 + t];
  __syncthreads();
  int v[{items}];
#pragma unroll
  for (int i = 0; i < {items}; ++i) v[i] = shared[t * {items} + i];
#pragma unroll
  for (int i = 1; i < {items}; ++i) v[i] += v[i - 1];
  int before = v[{items - 1}];
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {{
    const int other = __shfl_up_sync(0xffffffffu, before, step);
    if (lane >= step) before += other;
  }}
  if (lane == 31) sums[t / 32] = before;
  __syncthreads();
  before -= v[{items - 1}];
  if (t >= 32) before += sums[0];
#pragma unroll
  for (int i = 0; i < {items}; ++i) shared[t * {items} + i] = v[i] + before;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < {items}; ++i) out[blockIdx.x * 64 * {items} + i * 64 + t] = shared[i * 64 + t];
}}
'''


SIZED = (loads, walsh, scan)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--sizes', type=lambda text: [int(n) for n in text.split(',')], default=[])
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    for make in (unrolled, many_kernels, instances, transforms):
        (folder / f'{make.__name__}.cu').write_text(make())
    for make in SIZED:
        for size in arguments.sizes:
            (folder / f'{make.__name__}_{size}.cu').write_text(make(size))


if __name__ == '__main__':
    main()
