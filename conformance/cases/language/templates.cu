// Templates, functors, lambdas inside kernels, overloads, constexpr.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.templates");

template <class T>
struct Affine {
  T scale;
  T shift;
  __host__ __device__ T operator()(T value) const { return scale * value + shift; }
};

template <class T, int kCount, class Function>
__global__ void apply(T* values, Function function) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const int at = static_cast<int>(threadIdx.x) * kCount + i;
    values[at] = function(static_cast<T>(at));
  }
}

__host__ __device__ constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

__device__ int which(int) { return 1; }
__device__ int which(float) { return 2; }
__device__ int which(double) { return 3; }

template <class... Numbers>
__device__ int sumOf(Numbers... numbers) {
  return (0 + ... + numbers);
}

__global__ void features(int* out) {
  const auto twice = [](int value) { return 2 * value; };
  int captured = 5;
  const auto addCaptured = [&captured](int value) { return captured += value; };
  constexpr int kPower = power(3, 4);
  out[0] = twice(21);
  out[1] = addCaptured(6) + addCaptured(1);
  out[2] = kPower;
  out[3] = which(1) * 100 + which(1.0f) * 10 + which(1.0);
  out[4] = sumOf(1, 2, 3, 4);
  if constexpr (sizeof(void*) == 8) out[5] = 64;
}

int main() {
  DeviceArray<float> floats(32);
  apply<float, 4><<<1, 8>>>(floats.data(), Affine<float>{0.5f, 1.0f});
  OBSERVE("functor_float", joined(floats.read()));
  DeviceArray<long long> numbers(6);
  apply<long long, 2><<<1, 3>>>(numbers.data(), Affine<long long>{1000000007, -3});
  OBSERVE("functor_long", joined(numbers.read()));
  DeviceArray<int> out(6);
  features<<<1, 1>>>(out.data());
  OBSERVE("features", joined(out.read()));
  OBSERVE("constexpr_on_host", power(2, 10));
}
