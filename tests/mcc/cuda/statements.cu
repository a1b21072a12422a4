// What musaport writes differently: launches that clang does not know, PTX whose statements hand on a carry, or for
// which C++ needs a header.
#include <cstdio>

#include "lanes.cuh"

#define ADD_CC(sum, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b) : "memory")
#define ADDC_CC(sum, a, b) asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b) : "memory")

using Word = unsigned long long;
constexpr int kThreads = 64;

__device__ __forceinline__ Word addCarry(Word a, Word b) {
  Word sum;
  asm volatile("addc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b));
  return sum;
}

__device__ __forceinline__ unsigned subtractBorrow(unsigned a, unsigned b, unsigned high) {
  asm("sub.cc.u32 %0, %1, %2;" : "=r"(a) : "r"(a), "r"(b));
  asm("subc.u32 %0, %1, 0;" : "=r"(high) : "r"(high));
  return high;
}

__global__ void add(Word* sums, unsigned* differences) {
  Word* const sum = sums + 3 * threadIdx.x;
  ADD_CC(sum[0], ~0ull - threadIdx.x, 20ull);
  ADDC_CC(sum[1], ~0ull, 0ull);
  sum[2] = addCarry(5, 6);
  differences[threadIdx.x] = subtractBorrow(threadIdx.x, 7, 100);
}

// No header for 16-bit floats, as PTX needs none.
__device__ unsigned short halfOf(float x) {
  unsigned short result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}

__device__ unsigned short brainOf(float x) {
  unsigned short result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
}

__global__ void place(unsigned* out) {
  unsigned processor, processors;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
  asm("mov.u32 %0, %%nsmid;" : "=r"(processors));
  __shared__ unsigned first;
  if (threadIdx.x == 0) first = processor;
  __syncthreads();
  const bool right = processor < processors && processor == first && lane() == threadIdx.x % warpSize;
  if (!right || halfOf(1.5f) != 0x3e00 || brainOf(1.5f) != 0x3fc0) atomicAdd(out, 1);
  if (threadIdx.x == 0 && blockIdx.x == 0) out[1] = processors;
}

bool isPlaced() {
  unsigned* out = nullptr;
  int processors = 0;
  if (cudaMallocManaged(&out, 2 * sizeof *out) != cudaSuccess) return false;
  out[0] = out[1] = 0;
  place<<<dim3(100, 3), 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  return out[0] == 0 && out[1] == unsigned(processors);
}

int main() {
  Word* sums = nullptr;
  unsigned* differences = nullptr;
  if (cudaMallocManaged(&sums, 3 * kThreads * sizeof *sums) != cudaSuccess) return 1;
  if (cudaMallocManaged(&differences, kThreads * sizeof *differences) != cudaSuccess) return 1;
  add << <1, {kThreads / 2, 2 - 1} >> >(sums, differences);
  add<<<{1}, kThreads>> >(sums, differences);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = !isPlaced();
  for (int i = 0; i < kThreads; ++i) {
    const bool carry = i < 20;
    wrong += sums[3 * i] != 19ull - i || sums[3 * i + 1] != (carry ? 0 : ~0ull) || sums[3 * i + 2] != 11u + carry;
    wrong += differences[i] != (i < 7 ? 99u : 100u);
  }
  std::puts(wrong == 0 ? "passed" : "wrong");
  return wrong == 0 ? 0 : 1;
}
