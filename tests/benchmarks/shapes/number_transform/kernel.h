#pragma once

__global__ void numberTransform(const unsigned* in, const unsigned* roots, unsigned* out) {
  constexpr unsigned prime = 998244353;
  __shared__ unsigned a[1024];
  const int t = threadIdx.x, first = blockIdx.x * 1024;
  a[t] = in[first + t];
  a[t + 512] = in[first + t + 512];
  __syncthreads();
  for (int half = 1; half < 1024; half *= 2) {
    const int low = t & (half - 1), at = 2 * (t - low) + low;
    const unsigned x = a[at],
                   y = (unsigned)((unsigned long long)a[at + half] * roots[low * (512 / half)] % prime);
    a[at] = x + y >= prime ? x + y - prime : x + y;
    a[at + half] = x >= y ? x - y : x + prime - y;
    __syncthreads();
  }
  out[first + t] = a[t];
  out[first + t + 512] = a[t + 512];
}
