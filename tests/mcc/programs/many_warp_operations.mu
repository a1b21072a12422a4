// Unrolled code with hundreds of warp operations and values per thread, which the compiler brings together:
// transforms of many registers, votes between shuffles, warps that part before and behind, and barriers with
// all values alive.
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kValues = 80, kThreads = 128, kSteps = 3;

__host__ __device__ inline unsigned mixed(unsigned a, unsigned b) { return a * 2654435761u + (b ^ (a >> 7)); }

__device__ unsigned from(unsigned value, int step, int index) {
  switch ((step + index) % 3) {
    case 0:
      return __shfl_xor_sync(~0u, value, 1 << (index % 5), 32);
    case 1:
      return __shfl_sync(~0u, value, (index * 7) % 32, 32);
    default:
      return __shfl_down_sync(~0u, value, index % 9, 32);
  }
}

unsigned expectedFrom(const std::vector<unsigned>& values, int thread, int step, int index) {
  const int lane = thread % 32, first = thread - lane;
  switch ((step + index) % 3) {
    case 0:
      return values[first + (lane ^ (1 << (index % 5)))];
    case 1:
      return values[first + (index * 7) % 32];
    default:
      return lane + index % 9 < 32 ? values[thread + index % 9] : values[thread];
  }
}

// With `parts`, a third of the threads takes another way between the steps. Shuffles stay in groups of 32.
__global__ void steps(const unsigned* in, unsigned* out, bool parts) {
  __shared__ unsigned shared[kThreads];
  const unsigned t = threadIdx.x;
  unsigned values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = in[i * kThreads + t];
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kValues; ++i) {
      const unsigned other = from(values[i], step, i);
      values[i] = mixed(values[i], other);
      if (i % 16 == 7) values[i] += __any_sync(~0u, values[i - 3] % 61 == 5);
    }
    if (parts && t % 3 == 1) {
#pragma unroll
      for (int i = 0; i < kValues; i += 4)
        values[i] = mixed(values[i], in[(values[i + 1] % kValues) * kThreads]);
    }
    shared[t] = values[step];
    __syncthreads();
    values[kValues - 1] += shared[(t + 33) % kThreads];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kValues; ++i) out[i * kThreads + t] = values[i];
}

std::vector<unsigned> expected(const std::vector<unsigned>& in, bool parts) {
  std::vector<std::vector<unsigned>> values(kValues, std::vector<unsigned>(kThreads));
  for (int i = 0; i < kValues; ++i)
    for (int t = 0; t < kThreads; ++t) values[i][t] = in[i * kThreads + t];
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 0; i < kValues; ++i) {
      std::vector<unsigned> next(kThreads);
      for (int t = 0; t < kThreads; ++t) next[t] = mixed(values[i][t], expectedFrom(values[i], t, step, i));
      values[i] = next;
      if (i % 16 != 7) continue;
      int warpSize = 0;
      musaDeviceGetAttribute(&warpSize, musaDevAttrWarpSize, 0);
      for (int first = 0; first < kThreads; first += warpSize) {
        for (int group = first; group < first + warpSize; group += 32) {
          unsigned any = 0;  // of 32 lanes: masks of 32 bits name no others
          for (int t = group; t < group + 32; ++t) any |= values[i - 3][t] % 61 == 5;
          for (int t = group; t < group + 32; ++t) values[i][t] += any;
        }
      }
    }
    for (int t = 0; parts && t < kThreads; ++t) {
      if (t % 3 != 1) continue;
      for (int i = 0; i < kValues; i += 4)
        values[i][t] = mixed(values[i][t], in[(values[i + 1][t] % kValues) * kThreads]);
    }
    std::vector<unsigned> shared = values[step];
    for (int t = 0; t < kThreads; ++t) values[kValues - 1][t] += shared[(t + 33) % kThreads];
  }
  std::vector<unsigned> out(in.size());
  for (int i = 0; i < kValues; ++i)
    for (int t = 0; t < kThreads; ++t) out[i * kThreads + t] = values[i][t];
  return out;
}

int main() {
  std::vector<unsigned> in(kValues * kThreads), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = mixed(static_cast<unsigned>(i), 77);
  unsigned *from, *to;
  musaMalloc(&from, in.size() * sizeof(unsigned));
  musaMalloc(&to, in.size() * sizeof(unsigned));
  musaMemcpy(from, in.data(), in.size() * sizeof(unsigned), musaMemcpyHostToDevice);
  int wrong = 0;
  for (const bool parts : {false, true}) {
    steps<<<1, kThreads>>>(from, to, parts);
    if (musaMemcpy(out.data(), to, out.size() * sizeof(unsigned), musaMemcpyDeviceToHost) != musaSuccess)
      return 1;
    const std::vector<unsigned> right = expected(in, parts);
    for (size_t i = 0; i < out.size(); ++i) {
      if (out[i] == right[i]) continue;
      if (wrong++ < 5)
        printf("parts %d, value %zu of thread %zu: %u, not %u\n", parts, i / kThreads, i % kThreads, out[i],
               right[i]);
    }
  }
  return wrong != 0;
}
