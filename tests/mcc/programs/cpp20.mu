// C++20 in kernels that wait for each other, and extended lambdas as kernel arguments. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

#include <array>
#include <concepts>
#include <type_traits>
#include <vector>

constexpr int kThreads = 96;

template <class F>
concept Exchange = requires(F f, int x) {
  { f(x) } -> std::convertible_to<int>;
};

struct Options {
  int rounds = 1;
  int factor = 2;
  bool operator==(const Options&) const = default;
};

template <Options kOptions>
__device__ int repeated(Exchange auto exchange, int value) {
  static_assert(kOptions != Options{});
  for (int round = 0; round < kOptions.rounds; ++round) value = exchange(value * kOptions.factor);
  return value;
}

consteval int squared(int x) { return x * x; }

__global__ void modern(int* out) {
  __shared__ int shared[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  const auto neighbour = [&, by = squared(3)]<class T>(T value) -> T {
    shared[me] = value;
    __syncthreads();
    const T result = shared[(me + by) % kThreads];
    __syncthreads();
    return result;
  };
  int value = repeated<Options{.rounds = 3, .factor = 5}>(neighbour, me);
  std::array<int, 4> kept{1, 2, 3, 4};
  for (int sum = 0; const int x : kept) {
    sum += x;
    value += sum * neighbour(x * me);
  }
  if (__any_sync(0xffffffffu, value < 0)) [[unlikely]]
    value = 0;
  out[me] = value;
}

static int expected(int me) {
  const auto wrapped = [](int i) { return i % kThreads; };
  // neighbour() of a value that is linear in the thread's index, three times.
  int value = wrapped(wrapped(wrapped(me + 9) + 9) + 9) * 125;
  for (int sum = 0; const int x : {1, 2, 3, 4}) {
    sum += x;
    value += sum * x * wrapped(me + 9);
  }
  return value;
}

template <class F>
__global__ void forEach(int* out, int count, F f) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = f(i);
}

int main() {
  int* device;
  std::vector<int> out(kThreads);
  if (musaMalloc(&device, kThreads * sizeof(int)) != musaSuccess) return 1;
  modern<<<1, kThreads>>>(device);
  musaMemcpy(out.data(), device, kThreads * sizeof(int), musaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kThreads; ++i) wrong += out[i] != expected(i);
  if (wrong > 0) printf("modern: %d wrong\n", wrong);

  const double scale = 1.5;
  const std::array<int, 3> offsets{7, 8, 9};
  const auto onBoth = [=] __host__ __device__(int i) { return static_cast<int>(i * scale) + offsets[i % 3]; };
  const auto onDevice = [=] __device__(int i) { return onBoth(i) + static_cast<int>(threadIdx.x); };
  int wrongBoth = 0, wrongDevice = 0;
  forEach<<<2, 64>>>(device, kThreads, onBoth);
  musaMemcpy(out.data(), device, kThreads * sizeof(int), musaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) wrongBoth += out[i] != onBoth(i);
  forEach<<<2, 64>>>(device, kThreads, onDevice);
  musaMemcpy(out.data(), device, kThreads * sizeof(int), musaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) wrongDevice += out[i] != onBoth(i) + i % 64;
  if (wrongBoth + wrongDevice > 0) printf("lambdas: %d, %d wrong\n", wrongBoth, wrongDevice);
  return wrong + wrongBoth + wrongDevice > 0 ? 1 : 0;
}
