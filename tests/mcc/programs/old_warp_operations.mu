// Shuffles and votes as they were before they had masks: among the lanes that come along.
#include <musa_fp16.h>
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 64;

__device__ float sumOfRow(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down(value, distance, 32);
  return __shfl(value, 0, 32);
}

__global__ void use(float* sums, unsigned* votes, int* moved, double* partial) {
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  sums[thread] = sumOfRow(static_cast<float>(thread));
  votes[thread] = __ballot(lane < 5);
  moved[thread] = __shfl_up(thread, 1, 32) + 100 * __shfl_xor(thread, 3, 32);
  if (lane < 20) {
    votes[thread] |= __ballot(lane % 2) << 8;  // bits of lanes 0 to 19
    if (__all(lane < 20) && __any(lane == 19)) votes[thread] |= 0x80000000u;
    partial[thread] =
        __shfl(static_cast<double>(thread), 7, 32) + __half2float(__shfl(__float2half(0.5f), 1, 32));
  }
}

int main() {
  float* sums = nullptr;
  unsigned* votes = nullptr;
  int* moved = nullptr;
  double* partial = nullptr;
  if (musaMallocManaged(&sums, kThreads * sizeof *sums) != musaSuccess) return 1;
  if (musaMallocManaged(&votes, kThreads * sizeof *votes) != musaSuccess) return 1;
  if (musaMallocManaged(&moved, kThreads * sizeof *moved) != musaSuccess) return 1;
  if (musaMallocManaged(&partial, kThreads * sizeof *partial) != musaSuccess) return 1;
  use<<<1, kThreads>>>(sums, votes, moved, partial);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  int wrong = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    const int lane = thread % 32, row = thread - lane;
    const float sum = static_cast<float>(32 * row + 31 * 16);
    const unsigned vote = 0x1fu | (lane < 20 ? 0xaaaaa00u | 0x80000000u : 0u);
    const int place = (lane == 0 ? thread : thread - 1) + 100 * (thread ^ 3);
    wrong += sums[thread] != sum || votes[thread] != vote || moved[thread] != place;
    wrong += lane < 20 && partial[thread] != row + 7 + 0.5;
  }
  std::printf("%s\n", wrong == 0 ? "passed" : "wrong");
  return wrong == 0 ? 0 : 1;
}
