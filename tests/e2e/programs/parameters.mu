// Kernel parameters of every shape reach the kernel with their values.
#include "check.h"

struct Float3 { float x, y, z; };
struct DoubleInt { double d; int i; };
struct Big { int v[200]; };
struct Empty {};
struct alignas(32) Aligned { char c; };
struct Handle {  // not trivially copied: passed by reference in every C++ ABI
  int* p;
  __host__ __device__ explicit Handle(int* q) : p(q) {}
  __host__ __device__ Handle(const Handle& other) : p(other.p) {}
};
struct Tiny { char a, b, c; };
enum class Mode : unsigned char { kOff, kOn };

__global__ void all(char c, bool flag, short s, Float3 f3, DoubleInt di, Big big, Empty, Aligned aligned, Handle handle,
                    Tiny tiny, long long ll, double d, float f, Mode mode, float4 f4, int (*pointer)[4], double* out) {
  out[0] = c;
  out[1] = flag;
  out[2] = s;
  out[3] = f3.x + f3.y * 10 + f3.z * 100;
  out[4] = di.d + di.i;
  out[5] = big.v[0] + big.v[199];
  out[6] = aligned.c;
  out[7] = *handle.p;
  out[8] = tiny.a + tiny.b * 10 + tiny.c * 100;
  out[9] = static_cast<double>(ll);
  out[10] = d;
  out[11] = f;
  out[12] = mode == Mode::kOn;
  out[13] = f4.x + f4.w;
  out[14] = (*pointer)[2];
}

// Each thread has its own copy of a parameter that it writes to.
__global__ void writesParameter(Big big, int* out) {
  big.v[threadIdx.x] += static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int value : big.v) sum += value;
  out[threadIdx.x] = sum;
}

int main() {
  DeviceArray<int> values(4);
  const int host[4] = {7, 8, 9, 10};
  CHECK_MUSA(musaMemcpy(values.get(), host, sizeof host, musaMemcpyHostToDevice));
  DeviceArray<double> out(15);
  Big big{};
  big.v[0] = 30;
  big.v[199] = 12;
  all<<<1, 1>>>(-5, true, -300, {1, 2, 3}, {0.5, 4}, big, {}, {'a'}, Handle(values.get()), {1, 2, 3}, 1LL << 40, 2.25,
                -1.5f, Mode::kOn, make_float4(1, 2, 3, 4), reinterpret_cast<int(*)[4]>(values.get()), out.get());
  CHECK_MUSA(musaGetLastError());
  const double expected[15] = {-5, 1, -300, 321, 4.5, 42, 'a', 7, 321, double(1LL << 40), 2.25, -1.5, 1, 5, 9};
  double seen[15];
  out.copyTo(seen);
  for (int i = 0; i < 15; ++i) {
    if (seen[i] != expected[i]) std::fprintf(stderr, "parameter %d: %g, expected %g\n", i, seen[i], expected[i]);
    CHECK(seen[i] == expected[i]);
  }

  DeviceArray<int> sums(64);
  writesParameter<<<1, 64>>>(big, sums.get());
  int sum[64];
  sums.copyTo(sum);
  for (int i = 0; i < 64; ++i) CHECK(sum[i] == 42 + i);
  std::puts("PASSED");
}
