// Shared variables as nvcc has them: objects whose constructors and destructors do not run, open arrays by
// another name, and `extern` ones with a size, which are definitions.
#include <musa_runtime.h>

#include <cstdio>
#include <new>

struct Member {
  int x = 5;
};
struct HostOnly {
  int a;
  __host__ __device__ HostOnly() {
#ifndef __MUSA_ARCH__
    a = 10;
#endif
  }
  __host__ __device__ ~HostOnly() {
#ifndef __MUSA_ARCH__
    std::printf("%d\n", a);
#endif
  }
};
template <int N>
struct Checked {
  __host__ __device__ Checked() { static_assert(N > 1, ""); }
  int v[N];
};
template <class T>
struct Holder {
  struct Storage {
    T values[64];
    HostOnly inside;
  };
};
struct Base {
  Member base;
};
struct Derived : Base {
  Checked<2> more;
};
struct Plain {
  int a;
  __host__ __device__ Plain() {}
};
union Either {
  HostOnly object;
  int number;
  __device__ Either() {}
  __device__ ~Either() {}
};

struct Work {
  int a, b;
};
typedef int Open[];
using Wide = double[];
extern __shared__ Work work;
extern __shared__ int table[64];
extern "C" __shared__ float named[];
extern "C" {
extern __shared__ int inBraces[];
}
__shared__ HostOnly atFileScope;
static __shared__ Member staticAtFileScope[2];
extern __device__ __shared__ Work both;

__device__ int inFunction(int i) {
  __shared__ Member m;
  if (i == 0) m.x = 11;
  __syncthreads();
  return m.x;
}

template <class T, int N>
__global__ void objects(int* out) {
  __shared__ HostOnly h[2];
  __shared__ Checked<N> c;
  static __shared__ Member m;
  __shared__ typename Holder<T>::Storage storage;
  __shared__ Derived derived;
  __shared__ Plain asked{};
  __shared__ Either either;
  __shared__ T dependent[2][3];
  const auto generic = [](auto value) {
    __shared__ Holder<decltype(value)> unused;
    __shared__ Checked<N + 1> local;
    if (threadIdx.x == 0) local.v[N] = value;
    (void)unused;
    __syncthreads();
    return local.v[N];
  };
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) {
    h[1].a = 1;
    c.v[N - 1] = 2;
    m.x = 3;
    storage.inside.a = 4;
    derived.base.x = 5;
    derived.more.v[1] = 6;
    either.number = 7;
    asked.a = 20;
    atFileScope.a = 8;
    staticAtFileScope[1].x = 9;
    new (&dependent[1][2]) T();
  }
  storage.values[i].x = i;
  __syncthreads();
  out[i] = h[1].a + c.v[N - 1] + m.x + storage.inside.a + derived.base.x + derived.more.v[1] + either.number +
           asked.a + atFileScope.a + staticAtFileScope[1].x + dependent[1][2].x + inFunction(i) +
           generic(12) + storage.values[63 - i].x;
}

__device__ int& entry(int i) { return table[i]; }

__global__ void sized(int* out) {
  extern __shared__ int local[32];
  const int i = static_cast<int>(threadIdx.x);
  entry(i) = i;
  if (i < 32) local[i] = 100 * i;
  if (i == 0) work.a = 1, work.b = 2, both.b = 4;
  __syncthreads();
  out[i] = table[63 - i] + local[i / 2] + work.a + work.b + both.b;
}

template <class T>
__global__ void open(int* out) {
  extern __shared__ Open dynamic;
  extern __shared__ Wide wide;
  const int i = static_cast<int>(threadIdx.x);
  dynamic[i] = i + 1;
  __syncthreads();
  out[i] = dynamic[63 - i] +
           static_cast<int>(reinterpret_cast<const char*>(wide) - reinterpret_cast<const char*>(dynamic)) +
           static_cast<int>(reinterpret_cast<const char*>(named) - reinterpret_cast<const char*>(inBraces));
  if (i == 63 && reinterpret_cast<const char*>(named) != reinterpret_cast<const char*>(dynamic)) out[0] = -1;
}

static int failures = 0;
static void expect(bool right, const char* what) {
  if (right) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

int main() {
  int* out = nullptr;
  expect(musaMallocManaged(&out, 64 * sizeof(int)) == musaSuccess, "musaMallocManaged");
  objects<Member, 4><<<2, 64>>>(out);
  expect(musaDeviceSynchronize() == musaSuccess, "objects");
  for (int i = 0; i < 64; ++i) expect(out[i] == 45 + 20 + 5 + 11 + 12 + 63 - i, "a value in an object");
  sized<<<2, 64>>>(out);
  expect(musaDeviceSynchronize() == musaSuccess, "sized");
  for (int i = 0; i < 64; ++i) expect(out[i] == 63 - i + 100 * (i / 2) + 7, "a value in a sized variable");
  open<int><<<1, 64, 512>>>(out);
  expect(musaDeviceSynchronize() == musaSuccess, "open");
  for (int i = 0; i < 64; ++i) expect(out[i] == 64 - i, "a value in an open array");
  musaFuncAttributes attributes{};
  expect(musaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(sized)) == musaSuccess,
         "attributes");
  expect(attributes.sharedSizeBytes >= 64 * 4 + 32 * 4 + 16, "the size of static shared memory");
  if (failures == 0) std::puts("passed");
  return failures;
}
