// What host code beside kernels may hold: builtins of the processor, and what g++ and nvcc only warn of.
#include <immintrin.h>
#include <musa_runtime.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

struct Weights {
  float first, second;
};

__global__ void weigh(Weights weights, const float* in, float* out) {
  register int thread = static_cast<int>(threadIdx.x);
  out[thread] = weights.first * in[thread] + weights.second;
}

__attribute__((target("avx,fma"))) float withVectors(const float* values) {
  __m256 sum = _mm256_loadu_ps(values);
  sum = _mm256_fmadd_ps(sum, sum, sum);
  sum = _mm256_add_ps(sum, _mm256_permute2f128_ps(sum, sum, 1));
  sum = _mm256_hadd_ps(sum, sum);
  return _mm256_cvtss_f32(_mm256_hadd_ps(sum, sum));
}

float sumOf(const float* values) {
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx")) return withVectors(values);
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[i] * values[i] + values[i];
  return sum;
}

// Before C++11, a macro could follow a string at once.
// clang-format off
const char* const format = "%"PRIu64" numbers";
// clang-format on

// Headers of tests and logging ask whether there are exceptions; code for devices has none, and yet sees the
// same declarations as the host's.
#ifdef WITHOUT_EXCEPTIONS
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#error
#endif
static int caught(int value) { return value; }
#elif defined(__cpp_exceptions) && defined(__EXCEPTIONS)
static int caught(int value) {
  try {
    throw value;
  } catch (int thrown) {
    return thrown;
  }
}
#endif

int main(int argc, char**) {
  const double half = 0.5 * argc;
  const Weights weights{half, 2};
  float *in = nullptr, *out = nullptr;
  if (musaMallocManaged(&in, 8 * sizeof(float)) != musaSuccess) return 1;
  if (musaMallocManaged(&out, 8 * sizeof(float)) != musaSuccess) return 1;
  for (int i = 0; i < 8; ++i) in[i] = static_cast<float>(2 * i);
  weigh<<<1, 8>>>(weights, in, out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  _mm_pause();
  float expected = 0;
  for (int i = 0; i < 8; ++i) expected += static_cast<float>((i + 2) * (i + 2) + i + 2);
  const bool right =
      argc == 1 && caught(argc) == 1 && sumOf(out) == expected && std::strstr(format, "u numbers");
  std::puts(right ? "passed" : "wrong");
  return right ? 0 : 1;
}
