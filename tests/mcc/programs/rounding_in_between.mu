// Operations in a given rounding direction leave the arithmetic around them alone. Checks itself.
#include <musa_runtime.h>

#include <cfenv>
#include <cmath>
#include <cstdio>

constexpr int kValues = 64, kResults = 8;

__device__ __host__ inline float valueOf(int i) { return (i * 37 % 101 + 1) / 7.0f; }

__global__ void mixed(float* out) {
  const float a = valueOf(threadIdx.x), b = valueOf(threadIdx.x * 5 + 3), c = valueOf(threadIdx.x * 3 + 1);
  float* results = out + threadIdx.x * kResults;
  int next = 0;
  results[next++] = __fmul_rn(a, b);
  results[next++] = __fmul_rz(a, b);
  results[next++] = __fmul_ru(a, b);
  results[next++] = __fmul_rd(a, b);
  results[next++] = a / b;
  results[next++] = __fdiv_ru(a, b);
  results[next++] = __fsqrt_rd(c);
  results[next++] = a + b;
}

template <class Operation>
static float rounded(int mode, Operation operation) {
  std::fesetround(mode);
  const volatile float result = operation();
  std::fesetround(FE_TONEAREST);
  return result;
}

int main() {
  float* out = nullptr;
  if (musaMallocManaged(&out, kValues * kResults * sizeof(float)) != musaSuccess) return 1;
  mixed<<<1, kValues>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < kValues; ++i) {
    const volatile float a = valueOf(i), b = valueOf(i * 5 + 3), c = valueOf(i * 3 + 1);
    const float wanted[kResults] = {
        rounded(FE_TONEAREST, [&] { return a * b; }),       rounded(FE_TOWARDZERO, [&] { return a * b; }),
        rounded(FE_UPWARD, [&] { return a * b; }),          rounded(FE_DOWNWARD, [&] { return a * b; }),
        rounded(FE_TONEAREST, [&] { return a / b; }),       rounded(FE_UPWARD, [&] { return a / b; }),
        rounded(FE_DOWNWARD, [&] { return std::sqrt(c); }), rounded(FE_TONEAREST, [&] { return a + b; })};
    for (int k = 0; k < kResults; ++k) {
      if (out[i * kResults + k] == wanted[k]) continue;
      std::printf("values %d, result %d: %a, not %a\n", i, k, out[i * kResults + k], wanted[k]);
      ++wrong;
    }
  }
  return wrong != 0;
}
