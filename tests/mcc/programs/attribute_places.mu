// Attributes of C++ and alignas behind the qualifiers, wherever nvcc takes them.
#include <musa_runtime.h>

#include <cstdint>
#include <cstdio>

#define BOTH __host__ __device__

struct Members {
  __host__ __device__ [[nodiscard]] int plain() const { return 1; }
  BOTH [[nodiscard]] int macro() const { return 1; }
  [[nodiscard]] __device__ int before() const { return 1; }
  __device__ [[nodiscard]] static int ofClass() { return 1; }
  template <class T>
  __device__ [[nodiscard]] T ofTemplate(T t) {
    return t;
  }
  __device__ [[nodiscard]] constexpr int constant() const { return 1; }
  __device__ [[nodiscard, gnu::always_inline]] inline int several() { return 1; }
  __device__ [[nodiscard]] virtual int overridden() { return 1; }
  __device__ [[nodiscard]] operator int() { return 1; }
  __device__ [[nodiscard]] auto trailing() -> int { return 1; }
  __device__ [[nodiscard]] explicit Members(int) {}
  __host__ __device__ [[gnu::always_inline]] Members() {}
  [[nodiscard]] __host__ [[gnu::noinline]] __device__ int between() { return 1; }
  __device__ __attribute__((noinline)) [[nodiscard]] int mixed() { return 1; }
  __device__ __noinline__ [[nodiscard("a reason"), deprecated]] int outOfLine();
  __device__ [[noreturn]] static void ends() { __trap(); }
};
__device__ [[nodiscard]] __noinline__ int Members::outOfLine() { return 1; }

__device__ [[nodiscard]] int function() { return 1; }
__device__ [[nodiscard]] static int ofFile() { return 1; }
template <class T>
__device__ [[nodiscard]] T ofTemplate(T t) {
  return t;
}
extern "C" __device__ [[nodiscard]] int ofC() { return 1; }
namespace inside {
BOTH [[nodiscard]] int function() { return 1; }
}  // namespace inside
__device__ [[maybe_unused]] int global = 1;
__constant__ [[maybe_unused]] int constant = 1;
__managed__ [[maybe_unused]] int managed = 1;
__device__ [[maybe_unused]] alignas(64) int aligned = 1;

__global__ [[deprecated]] void old(int*) {}
__global__ __launch_bounds__(32) [[gnu::used]] void bounded(int*) {}
template <int N>
__global__ [[gnu::used]] __launch_bounds__(32) void ofNumber(int* out) {
  *out = N;
}

__global__ void kernel(int* out) {
  __shared__ [[maybe_unused]] int one;
  __shared__ [[maybe_unused]] alignas(64) int two;
  [[maybe_unused]] __shared__ int three;
  __shared__ int four [[maybe_unused]];
  __shared__ alignas(32) [[maybe_unused]] int five;
  __shared__ [[gnu::aligned(128)]] int six;
  extern __shared__ alignas(16) int more[];
  auto lambda = [] __device__ [[nodiscard]] (int x) { return x; };
  Members object(1);
  int sum = object.plain() + object.macro() + object.before() + Members::ofClass() + object.ofTemplate(1) +
            object.constant() + object.several() + object.overridden() + object + object.trailing() +
            object.between() + object.mixed();
  sum += function() + ofFile() + ofTemplate(1) + ofC() + inside::function() + global + constant + managed +
         aligned;
  sum += lambda(1);
  one = two = three = four = five = six = more[0] = 0;
  const auto misaligned = [](const void* p, uintptr_t to) {
    return reinterpret_cast<uintptr_t>(p) % to != 0;
  };
  const bool wrong = misaligned(&two, 64) || misaligned(&five, 32) || misaligned(&six, 128) ||
                     misaligned(more, 16) || misaligned(&aligned, 64);
  *out = wrong ? -1 : sum;
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 1, 64>>>(out);
  if (musaDeviceSynchronize() != musaSuccess || *out != 22) return std::printf("%d, not 22\n", *out), 1;
  ofNumber<5><<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess || *out != 5) return std::printf("%d, not 5\n", *out), 1;
  std::printf("passed\n");
}
