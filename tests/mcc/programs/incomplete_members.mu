// Templates that name members of types which are complete only where the templates are instantiated.
#include <musa_runtime.h>

#include <cstdio>

struct Later;

template <int N>
__device__ int ofDevice(Later* p) {
  return p->value;
}
template <int N>
__host__ __device__ int ofBoth(Later* p, Later& r) {
  int sum = p->value;
  if (r.value) sum += r.twice(1) + (p->value = 3);
  auto again = [&] { return (p)->value; };
  return sum + again() + N;
}
template <int N>
int ofHost(Later* p) {
  return p->value + static_cast<int>(sizeof(p->value));
}
template <int N>
__device__ int ofNobody(Later* p) {
  return p->nothing;
}
template <int N>
struct Class {
  int value;
  Later* kept;
  __device__ Class(Later* p) : value(p->value), kept(p) {}
  __device__ int inside(Later* p) { return p->value; }
  __device__ int outside(Later* p);
  static __device__ void increments(Later* p) { p->value++; }
  __device__ int own() { return kept->value; }
};
template <int N>
__device__ int Class<N>::outside(Later* p) {
  return p->value;
}
#ifdef __MUSA_ARCH__
template <int N>
struct Unused {
  static const int n = N;
  static __device__ void inside(int n = n) { (void)n; }
};
#endif

struct Later {
  int value;
  __host__ __device__ int twice(int x) { return 2 * x; }
};

namespace inside {
struct Later;
template <class T>
__device__ T of(Later* p, T x) {
  return p->value + x;
}
struct Later {
  int value;
};
__device__ int use() {
  Later later{5};
  return of(&later, 1);
}
}  // namespace inside

__global__ void kernel(int* out) {
  Later later{4};
  int sum = ofDevice<3>(&later) + ofBoth<1>(&later, later);
  later.value = 4;
  Class<3> object(&later);
  Class<3>::increments(&later);
  sum += object.inside(&later) + object.outside(&later) + object.value + object.own();
  *out = sum + inside::use();
}

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 1>>>(out);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  Later later{4};
  const int host = ofHost<1>(&later) + ofBoth<1>(&later, later);
  std::printf(*out == 42 && host == 21 ? "passed\n" : "%d, not 42, or %d, not 21\n", *out, host);
  return *out != 42 || host != 21;
}
