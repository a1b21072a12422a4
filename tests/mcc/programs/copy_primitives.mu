// The primitives of asynchronous copies and of barriers in shared memory, and CUDA 11.0's classes for them.
#include <musa_awbarrier.h>
#include <musa_awbarrier_primitives.h>
#include <musa_pipeline.h>
#include <musa_pipeline_primitives.h>
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 96;

// Each stage is copied while the one before is summed.
__global__ void stages(const int4* in, int* out, int count) {
  __shared__ int4 buffer[2][kThreads];
  const int i = static_cast<int>(threadIdx.x);
  int sum = 0;
  __pipeline_memcpy_async(&buffer[0][i], &in[i], sizeof(int4));
  __pipeline_commit();
  for (int stage = 0; stage < count; ++stage) {
    if (stage + 1 < count)
      __pipeline_memcpy_async(&buffer[(stage + 1) % 2][i], &in[(stage + 1) * kThreads + i], sizeof(int4), 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 other = buffer[stage % 2][kThreads - 1 - i];
    sum += other.x + other.y + other.z + (stage == 0 ? 0 : other.w);
    __syncthreads();
  }
  out[i] = sum;
}

// Threads arrive, do something else, and wait; some leave after the first phase.
__global__ void phases(int* out, int rounds) {
  __shared__ __mbarrier_t barrier;
  __shared__ int values[kThreads];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  values[i] = i;
  const bool leaves = i % 3 == 0;
  __mbarrier_token_t token = leaves ? __mbarrier_arrive_and_drop(&barrier) : __mbarrier_arrive(&barrier);
  out[kThreads + i] = static_cast<int>(__mbarrier_token_pending_count(token));
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[i] = values[kThreads - 1 - i];
  if (leaves) return;
  for (int round = 1; round <= rounds; ++round) {
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait_parity(&barrier, round % 2 == 1, 1000)) {
    }
  }
  out[i] += 1000 * static_cast<int>(__mbarrier_test_wait(&barrier, token));
}

__global__ void classes(const float* in, float* out) {
  using namespace mtmusa::experimental;
  __shared__ awbarrier barrier;
  __shared__ float tile[kThreads];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, kThreads);
  __syncthreads();
  pipeline pipe;
  memcpy_async(tile[i], in[i], pipe);
  pipe.arrive_on(barrier);
  barrier.wait(barrier.arrive());
  out[i] = tile[kThreads - 1 - i];
  const size_t batch = pipe.commit();
  pipe.wait(batch);
  pipe.wait_prior<0>();
  auto token = barrier.arrive();
  while (!barrier.timed_wait(token, 100)) {
  }
  if (awbarrier::max() != 1048575u) out[i] = -1;
}

int main() {
  int failures = 0;
  auto expect = [&](bool right, const char* what, int i) {
    if (right) return;
    std::printf("wrong: %s, %d\n", what, i);
    ++failures;
  };
  constexpr int kStages = 5;
  int4* in = nullptr;
  int* out = nullptr;
  float *from = nullptr, *to = nullptr;
  musaMallocManaged(&in, sizeof(int4) * kThreads * kStages);
  musaMallocManaged(&out, sizeof(int) * kThreads * 2);
  musaMallocManaged(&from, sizeof(float) * kThreads);
  musaMallocManaged(&to, sizeof(float) * kThreads);
  for (int i = 0; i < kThreads * kStages; ++i) in[i] = make_int4(i, 2 * i, 3 * i, 1 << 20);
  stages<<<1, kThreads>>>(in, out, kStages);
  expect(musaDeviceSynchronize() == musaSuccess, "stages", 0);
  for (int i = 0; i < kThreads; ++i) {
    int sum = 0;
    for (int stage = 0; stage < kStages; ++stage) sum += 6 * (stage * kThreads + kThreads - 1 - i);
    expect(out[i] == sum, "sum of stages", i);
  }
  phases<<<1, kThreads>>>(out, 4);
  expect(musaDeviceSynchronize() == musaSuccess, "phases", 0);
  bool pending[kThreads + 1] = {};
  for (int i = 0; i < kThreads; ++i) {
    expect(out[i] == kThreads - 1 - i + (i % 3 == 0 ? 0 : 1000), "value of the phase", i);
    const int count = out[kThreads + i];
    expect(count >= 1 && count <= kThreads && !pending[count], "pending arrivals", i);
    pending[count < 0 || count > kThreads ? 0 : count] = true;
  }
  for (int i = 0; i < kThreads; ++i) from[i] = static_cast<float>(i) + 0.5f;
  classes<<<1, kThreads>>>(from, to);
  expect(musaDeviceSynchronize() == musaSuccess, "classes", 0);
  for (int i = 0; i < kThreads; ++i)
    expect(to[i] == static_cast<float>(kThreads - 1 - i) + 0.5f, "copied", i);
  if (failures == 0) std::puts("passed");
  return failures;
}
