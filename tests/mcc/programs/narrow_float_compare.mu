// Comparisons of 16-bit floats: in kernels and on the host, with NaN and zeros, and of a program's own class
// that becomes float as well.
#include <musa_bf16.h>
#include <musa_fp16.h>

#include <cmath>
#include <cstdio>

// As c10::Half and c10::BFloat16 are.
struct OwnHalf {
  __half value;
  __host__ __device__ OwnHalf(float x) : value(x) {}
  __host__ __device__ operator __half() const { return value; }
  __host__ __device__ operator float() const { return float(value); }
};
struct OwnBfloat16 {
  __mt_bfloat16 value;
  __host__ __device__ OwnBfloat16(float x) : value(x) {}
  __host__ __device__ operator __mt_bfloat16() const { return value; }
  __host__ __device__ operator float() const { return float(value); }
};

// Stands for a reference to one, as thrust::device_reference: what it refers to is all that it becomes.
template <class Value>
struct Reference {
  const Value* to;
  __host__ __device__ operator Value() const { return *to; }
};

template <class A, class B>
__host__ __device__ int relations(const A& a, const B& b) {
  return (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
}

template <class Narrow, class Own>
__host__ __device__ void compare(const float* x, const float* y, int* out) {
  const Narrow a(*x), b(*y);
  out[0] = relations(a, b);
  out[1] = relations(Own(*x), Own(*y));
  out[2] = relations(Reference<Narrow>{&a}, Reference<Narrow>{&b});
  out[3] = relations(a, Reference<Narrow>{&b});
}

template <class Narrow, class Own>
__global__ void compareOnDevice(const float* x, const float* y, int* out) {
  compare<Narrow, Own>(x + threadIdx.x, y + threadIdx.x, out + 4 * threadIdx.x);
}

template <class Narrow, class Own>
int check(const char* name) {
  constexpr int kCount = 6;
  float *x, *y;
  int* out;
  musaMallocManaged(&x, sizeof(float) * kCount);
  musaMallocManaged(&y, sizeof(float) * kCount);
  musaMallocManaged(&out, sizeof(int) * 4 * kCount);
  const float pairs[kCount][2] = {{1, 2}, {2, 1}, {1, 1}, {0.0f, -0.0f}, {NAN, 1}, {NAN, NAN}};
  for (int i = 0; i < kCount; ++i) x[i] = pairs[i][0], y[i] = pairs[i][1];
  compareOnDevice<Narrow, Own><<<1, kCount>>>(x, y, out);
  if (musaDeviceSynchronize() != musaSuccess) return std::printf("%s: launch\n", name), 1;
  int faults = 0;
  for (int i = 0; i < kCount; ++i) {
    int host[4];
    compare<Narrow, Own>(x + i, y + i, host);
    const int expected = relations(x[i], y[i]);
    for (int way = 0; way < 4; ++way) {
      if (host[way] == expected && out[4 * i + way] == expected) continue;
      std::printf("%s: pair %d, way %d: %d and %d instead of %d\n", name, i, way, host[way], out[4 * i + way],
                  expected);
      ++faults;
    }
  }
  return faults;
}

int main() {
  const int faults = check<__half, OwnHalf>("__half") + check<__mt_bfloat16, OwnBfloat16>("__mt_bfloat16");
  if (faults == 0) std::puts("passed");
  return faults != 0;
}
