// Kernels that write what they do not read, and look-alikes. Run with all grids counting as large.
#include <musa_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kThreads = 256;

__host__ __device__ float of(float value) { return 2 * value + 1; }

__global__ void plain(int n, const float* in, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = of(in[i]);
}

// From shared memory.
__global__ void staged(int n, const float* in, float* out) {
  __shared__ float part[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  const float other = part[threadIdx.x ^ 1];
  __syncthreads();
  part[threadIdx.x ^ 1] = other;
  __syncthreads();
  if (i < n) out[i] = of(part[threadIdx.x]);
}

// What it writes it reads again, in the next step.
__global__ void readAgain(int n, const float* in, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = in[i];
  __syncthreads();
  if (i < n) out[i] = of(out[i]);
}

// Written twice, the second time by another name.
__global__ void writtenTwice(int n, const float* in, float* out, float* same) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) {
    out[i] = in[i];
    same[i] = of(in[i]);
  }
}

// Other blocks may look at what has been written.
__device__ unsigned done;
__global__ void counted(int n, const float* in, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = of(in[i]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&done, 1u);
}

// Nothing but a row that is read and written.
__global__ void added(int n, const float* in, float* out) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] += of(in[i]);
}

// Half a line for each block.
__global__ void halfLines(int n, const float* in, float* out) {
  const int i = blockIdx.x * 8 + threadIdx.x;
  if (i < n) out[i] = of(in[i]);
}

template <class Launch>
bool check(const char* name, int n, int shift, Launch&& launch) {
  float *in, *out;
  musaMalloc(&in, (n + 64) * sizeof(float));
  musaMalloc(&out, (n + 64) * sizeof(float));
  std::vector<float> values(n), results(n + 32, 0);
  std::iota(values.begin(), values.end(), 0.0f);
  musaMemcpy(in + shift, values.data(), n * sizeof(float), musaMemcpyHostToDevice);
  musaMemset(out, 0, (n + 64) * sizeof(float));
  launch(in + shift, out + shift);
  const musaError_t error =
      musaMemcpy(results.data(), out + shift, results.size() * sizeof(float), musaMemcpyDeviceToHost);
  bool good = error == musaSuccess;
  for (int i = 0; good && i < n + 32; ++i) {
    const float wanted = i < n ? of(values[i]) : 0;
    if (results[i] == wanted) continue;
    std::printf("%s, %d elements from %d: [%d] is %g, not %g\n", name, n, shift, i, results[i], wanted);
    good = false;
  }
  musaFree(in);
  musaFree(out);
  return good;
}

int main() {
  bool good = true;
  for (const int n : {1, 255, 256, 4096, 4100, 100'000}) {
    for (const int shift : {0, 1, 8, 16}) {  // elements: not in a line's first place, in it
      const int blocks = (n + kThreads - 1) / kThreads;
      good &= check("plain", n, shift, [&](auto in, auto out) { plain<<<blocks, kThreads>>>(n, in, out); });
      good &= check("added", n, shift, [&](auto in, auto out) { added<<<blocks, kThreads>>>(n, in, out); });
      good &= check("staged", n, shift, [&](auto in, auto out) { staged<<<blocks, kThreads>>>(n, in, out); });
      good &= check("readAgain", n, shift,
                    [&](auto in, auto out) { readAgain<<<blocks, kThreads>>>(n, in, out); });
      good &= check("writtenTwice", n, shift,
                    [&](auto in, auto out) { writtenTwice<<<blocks, kThreads>>>(n, in, out, out); });
      good &=
          check("counted", n, shift, [&](auto in, auto out) { counted<<<blocks, kThreads>>>(n, in, out); });
      good &=
          check("halfLines", n, shift, [&](auto in, auto out) { halfLines<<<(n + 7) / 8, 8>>>(n, in, out); });
    }
  }
  return good ? 0 : 1;
}
