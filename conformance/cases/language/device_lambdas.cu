// Lambdas in kernels, generic ones, recursive ones by Y combinator, functors as kernel arguments, constexpr.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.device_lambdas");

constexpr int kThreads = 32;

template <class F>
__device__ int twice(F f, int x) {
  return f(f(x));
}
template <class F>
__device__ __noinline__ int apart(F&& f, int x) {
  return f(x) + 1;
}

__global__ void lambdas(int* out) {
  int me = static_cast<int>(threadIdx.x), calls = 0;
  auto byValue = [me](int x) { return x * 2 + me; };
  auto byReference = [&calls](int x) {
    ++calls;
    return x + calls;
  };
  auto generic = [](auto a, auto b) { return a * b; };
  auto changing = [count = 0]() mutable { return ++count; };
  auto recursive = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
  int result = twice(byValue, 3) + apart(byReference, me) + apart(byReference, calls);
  result += static_cast<int>(generic(2.5, me) * 2) + generic(me, 3);
  changing();
  result = result * 10 + changing();
  out[me] = result + recursive(recursive, me % 8);
}

// A lambda that waits for the block.
__global__ void withBarrier(int* out) {
  __shared__ int shared[kThreads * 2];
  const int me = static_cast<int>(threadIdx.x);
  auto neighbour = [&](int value, int by) {
    shared[me] = value;
    __syncthreads();
    const int result = shared[(me + by) % (kThreads * 2)];
    __syncthreads();
    return result;
  };
  int value = me;
  for (int by = 1; by < 20; by *= 3) value += neighbour(value, by) * by;
  out[me] = value;
}

struct Polynomial {
  int factors[4];
  __host__ __device__ constexpr int operator()(int x) const {
    int result = 0;
    for (int i = 3; i >= 0; --i) result = result * x + factors[i];
    return result;
  }
};
template <class F>
__global__ void apply(F f, int* out) {
  out[threadIdx.x] = f(static_cast<int>(threadIdx.x));
}

__constant__ int table[4] = {3, 1, 4, 1};
template <int... kValues>
__global__ void folded(int* out) {
  constexpr int kSum = (kValues + ...);
  constexpr Polynomial polynomial{{1, 2, 3, 4}};
  if constexpr (sizeof...(kValues) > 2) {
    out[threadIdx.x] = kSum * polynomial(2) + table[threadIdx.x % 4];
  } else {
    out[threadIdx.x] = -kSum;
  }
}

int main() {
  DeviceArray<int> out(kThreads);
  lambdas<<<1, kThreads>>>(out.data());
  OBSERVE("lambdas", joined(out.read()));
  DeviceArray<int> wide(kThreads * 2);
  withBarrier<<<1, kThreads * 2>>>(wide.data());
  OBSERVE("with_barrier", joined(wide.read()));
  apply<<<1, kThreads>>>(Polynomial{{5, -3, 2, 1}}, out.data());
  OBSERVE("functor", joined(out.read()));
  OBSERVE("functor_on_host", Polynomial({{5, -3, 2, 1}})(7));
  folded<1, 2, 3><<<1, kThreads>>>(out.data());
  OBSERVE("folded", joined(out.read()));
  folded<9, 1><<<1, kThreads>>>(out.data());
  OBSERVE("folded_two", joined(out.read()));
}
