// musa::std and musa::atomic, as programs use cuda::std and cuda::atomic.
#include <musa_runtime.h>

#include <cstdio>
#include <musa/atomic>
#include <musa/std/array>
#include <musa/std/cstdint>
#include <musa/std/limits>
#include <musa/std/optional>
#include <musa/std/tuple>
#include <musa/std/type_traits>
#include <musa/std/utility>

template <class T>
__device__ T largest(const musa::std::array<T, 4>& values) {
  static_assert(musa::std::is_arithmetic_v<T>);
  T most = musa::std::numeric_limits<T>::lowest();
  for (T value : values) most = value > most ? value : most;
  return most;
}

__device__ musa::atomic<int, musa::thread_scope_device> total{0};

// Without <musa/std/atomic>: <musa/atomic> brings it.
enum class Step { kNone, kDone };
__device__ musa::std::atomic<Step> step;

__global__ void use(float* out, unsigned* words) {
  __shared__ musa::atomic<unsigned, musa::thread_scope_block> count;
  if (threadIdx.x == 0) count.store(5, musa::memory_order_relaxed);
  __syncthreads();
  count.fetch_add(2, musa::std::memory_order_relaxed);
  total += static_cast<int>(threadIdx.x);
  musa::atomic_ref<unsigned, musa::thread_scope_device> low(words[0]), bits(words[1]);
  low.fetch_min(threadIdx.x + 3u);
  bits |= 1u << (threadIdx.x % 32);
  musa::atomic_ref<float> sum(out[2]);
  sum.fetch_add(0.5f, musa::memory_order_relaxed);
  unsigned seen = words[2];
  musa::atomic_ref<unsigned> claimed(words[2]);
  while (seen < 7u && !claimed.compare_exchange_weak(seen, seen + 1u)) {
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  step.store(Step::kDone, musa::memory_order_release);
  const musa::std::array<float, 4> values{1.0f, -2.0f, 8.5f, 3.0f};
  const auto [a, b] = musa::std::make_tuple(largest(values), static_cast<float>(count.load()));
  const musa::std::optional<int> none;
  out[0] = a;
  out[1] = b + static_cast<float>(none.value_or(1000));
}

int main() {
  float* out = nullptr;
  unsigned* words = nullptr;
  if (musaMallocManaged(&out, 3 * sizeof(float)) != musaSuccess) return 1;
  if (musaMallocManaged(&words, 3 * sizeof(unsigned)) != musaSuccess) return 1;
  out[2] = 0;
  words[0] = 100, words[1] = words[2] = 0;
  use<<<1, 64>>>(out, words);
  int sum = 0;
  Step reached = Step::kNone;
  if (musaMemcpyFromSymbol(&sum, total, sizeof sum) != musaSuccess) return 1;
  if (musaMemcpyFromSymbol(&reached, step, sizeof reached) != musaSuccess) return 1;
  const bool right = out[0] == 8.5f && out[1] == 1133.0f && out[2] == 32.0f && words[0] == 3 &&
                     words[1] == ~0u && words[2] == 7 && sum == 63 * 32 && reached == Step::kDone;
  musa::atomic<int> onHost(4);
  const bool host = onHost++ == 4 && --onHost == 4 && onHost.exchange(9) == 4 && onHost == 9;
  if (!right || !host) {
    std::printf("wrong: %g %g %g %u %x %u %d %d\n", out[0], out[1], out[2], words[0], words[1], words[2], sum,
                host);
  } else {
    std::puts("passed");
  }
  return right && host ? 0 : 1;
}
