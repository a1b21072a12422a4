// -fmusa-flush-denormals-to-zero: denormal floats are zero, as operands and as results, and doubles are what
// they are. Without the option (-DKEEP) nothing is flushed. Checks itself.
#include <cfloat>
#include <cmath>
#include <cstdio>

#ifdef KEEP
constexpr bool kFlushes = false;
#else
constexpr bool kFlushes = true;
#endif

constexpr int kThreads = 96;

__device__ float scaled(float x, float factor) { return x * factor; }

__global__ void arithmetic(const float* in, float* out) {
  const unsigned i = threadIdx.x;
  out[4 * i] = in[0] * 0.5f;            // a denormal result
  out[4 * i + 1] = in[1] + in[1];       // denormal operands
  out[4 * i + 2] = -in[0] * 0.25f;      // keeps its sign
  out[4 * i + 3] = scaled(in[0], 3.f);  // none
}

__global__ void withBarrier(const float* in, float* out) {
  __shared__ float values[kThreads];
  const unsigned i = threadIdx.x;
  values[i] = in[0] * 0.5f;
  __syncthreads();
  out[i] = values[(i + 1) % kThreads] * 4.f;
}

__global__ void ofDoubles(const double* in, double* out) { out[threadIdx.x] = in[0] * 0.5; }

static int failures = 0;

static void expect(const char* what, double have, double want) {
  if (have == want && std::signbit(have) == std::signbit(want)) return;
  if (++failures < 20) std::printf("%s: %g, not %g\n", what, have, want);
}

int main() {
  float *in = nullptr, *out = nullptr;
  double* doubles = nullptr;
  musaMallocManaged(&in, 2 * sizeof(float));
  musaMallocManaged(&out, 4 * kThreads * sizeof(float));
  musaMallocManaged(&doubles, (kThreads + 1) * sizeof(double));
  in[0] = FLT_MIN;
  in[1] = FLT_MIN / 4;
  doubles[0] = DBL_MIN;
  arithmetic<<<64, kThreads>>>(in, out);
  expect("arithmetic", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < kThreads; ++i) {
    expect("result", out[4 * i], kFlushes ? 0.f : FLT_MIN / 2);
    expect("operand", out[4 * i + 1], kFlushes ? 0.f : FLT_MIN / 2);
    expect("sign", out[4 * i + 2], kFlushes ? -0.f : -FLT_MIN / 4);
    expect("normal", out[4 * i + 3], 3 * FLT_MIN);
  }
  withBarrier<<<1, kThreads>>>(in, out);
  expect("barrier", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < kThreads; ++i) expect("behind a barrier", out[i], kFlushes ? 0.f : 2 * FLT_MIN);
  ofDoubles<<<1, kThreads>>>(doubles, doubles + 1);
  expect("doubles", musaDeviceSynchronize(), musaSuccess);
  for (int i = 0; i < kThreads; ++i) expect("double", doubles[i + 1], DBL_MIN / 2);
  // The host's arithmetic stays its own.
  volatile float host = in[0];
  expect("host", host * 0.5f, FLT_MIN / 2);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
